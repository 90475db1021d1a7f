"""Losses on held-out samples, of the network beside the tables, and vectors for the engine's tests."""

import json
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from . import integer, model
from .samples import BLACK_TO_MOVE, LEAF, Corpus, unpack
from .step import JaxTrainer, NativeTrainer, State, side_arrays

KINDS = ("all", "game", "leaf")


@dataclass
class Losses:
    """Sums over samples of one kind."""

    count: int = 0
    network: float = 0.0
    tables: float = 0.0
    floor: float = 0.0

    def add(self, network: np.ndarray, tables: np.ndarray, floor: np.ndarray) -> None:
        """Takes in the losses of some samples."""
        self.count += len(network)
        self.network += float(network.sum())
        self.tables += float(tables.sum())
        self.floor += float(floor.sum())

    def means(self) -> dict[str, float]:
        """Count and mean losses."""
        count = max(1, self.count)
        means = {name: round(getattr(self, name) / count, 6) for name in ("network", "tables", "floor")}
        return {"count": self.count, **means}


def cross_entropy(logit: np.ndarray, target: np.ndarray) -> np.ndarray:
    """The logistic loss of each sample, in nats."""
    return np.logaddexp(0, logit) - target * logit


def entropy(target: np.ndarray) -> np.ndarray:
    """The loss of who knows the targets."""
    inside = np.clip(target, 1e-12, 1 - 1e-12)
    return -(target * np.log(inside) + (1 - target) * np.log(1 - inside))


@dataclass
class HeldOut:
    """The held-out samples of a run, on which losses are measured again and again."""

    corpus: Corpus
    scale: int
    share: float
    batch: int
    most: int

    def losses(self, trainer: JaxTrainer | NativeTrainer, state: State) -> dict[str, dict[str, float]]:
        """Losses by kind: of all samples, of positions of games, of leaves."""
        sums = {kind: Losses() for kind in KINDS}
        for batch in self.corpus.held_out_batches(self.batch, self.most):
            _, tables, target = (array.astype(np.float64) for array in side_arrays(batch, self.scale, self.share))
            logits = trainer.logits(state.parameters, batch, self.scale).astype(np.float64)
            parts = cross_entropy(logits, target), cross_entropy(tables, target), entropy(target)
            leaf = batch.records["flags"] & LEAF != 0
            for kind, mask in (("all", slice(None)), ("game", ~leaf), ("leaf", leaf)):
                sums[kind].add(*(part[mask] for part in parts))
        return {kind: losses.means() for kind, losses in sums.items()}


def integer_network(rule: str, scale: int, state: State) -> integer.Network:
    """The engine's network of a state of training."""
    rows, weights, bias = (np.asarray(array).astype(np.int64) for array in model.trunk_of(state.parameters))
    found = {n: np.asarray(a).astype(np.int64) for n, a in model.integer_heads(state.parameters).items()}

    def head(index: int, roll: int) -> integer.Head:
        first = np.roll(found["W1"][index], roll, 1)
        b1, w2, b2, w3 = (found[name][index] for name in ("b1", "W2", "b2", "w3"))
        return integer.Head(first, b1, w2, b2, w3, int(found["b3"][index]))

    tied = len(found["W1"]) == 1
    heads = head(0, 0), head(0, found["W1"].shape[2] // 2) if tied else head(1, 0)
    return integer.Network(rule, scale, int(found["tables"]), rows, weights, bias, heads)


def differences(
    network: integer.Network, corpus: Corpus, trainer: JaxTrainer | NativeTrainer, state: State, most: int = 2000
) -> dict[str, float]:
    """How far the model's logits are from the file's integers, on held-out samples."""
    found = []
    for batch in corpus.held_out_batches(512, most):
        logits = trainer.logits(state.parameters, batch, network.scale)
        boards = unpack(batch.records, batch.width * batch.height).reshape(-1, batch.height, batch.width)
        for cells, record, logit in zip(boards, batch.records, logits):
            classical, black = int(record["classical"]), bool(record["flags"] & BLACK_TO_MOVE)
            _, out, _ = integer.evaluate(network, cells, black, classical)
            exact = classical * network.tables / 256 / network.scale + out / integer.LOGIT
            found.append(abs(exact - float(logit)))
            if len(found) == most:
                break
        if len(found) == most:
            break
    return {"count": len(found), "mean": float(np.mean(found)), "max": float(np.max(found))}


def vectors(network: integer.Network, corpus: Corpus, count: int = 50) -> list[dict[str, object]]:
    """Held-out positions with the integers that the engine must find."""
    out: list[dict[str, object]] = []
    batches = list(corpus.held_out_batches(count, 40 * count))
    records = [(batch, record) for batch in batches for record in batch.records]
    for index in np.linspace(0, len(records) - 1, min(count, len(records))).astype(int):
        batch, record = records[index]
        cells = unpack(record[None], batch.width * batch.height).reshape(batch.height, batch.width)
        classical, black = int(record["classical"]), bool(record["flags"] & BLACK_TO_MOVE)
        pooled, value, score = integer.evaluate(network, cells, black, classical)
        out.append(
            {
                "cells": ["".join(".XO#"[cell] for cell in row) for row in cells],
                "black_to_move": black,
                "classical": classical,
                "g": pooled.tolist(),
                "out": value,
                "score": score,
            }
        )
    return out


def write_json(path: Path, content: object) -> None:
    """Writes JSON, whole or not at all."""
    part = path.with_name(path.name + ".part")
    part.write_text(json.dumps(content, indent=1) + "\n")
    part.replace(path)
