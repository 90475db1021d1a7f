"""Losses on held-out samples, of the network beside the tables, and vectors for the engine's tests."""

import json
from dataclasses import dataclass, replace
from pathlib import Path

import jax.numpy as jnp
import numpy as np

from . import integer, model
from .config import CHANNELS, FEATURES, UNTIED_RULES
from .samples import (
    BLACK_TO_MOVE,
    LEAF,
    USUAL_ORDER_SCALE,
    Corpus,
    best_scale,
    order_firsts,
    order_losses,
    tells_choice,
    tells_result,
    tells_value,
    unpack,
)
from .step import JaxTrainer, NativeTrainer, State, side_arrays

KINDS = ("all", "game", "leaf")
VALUE_PARTS = ("network", "tables", "floor")
POLICY_PARTS = ("network", "tables", "network_first", "tables_first")


class Sums:
    """Sums over samples of one kind."""

    def __init__(self, names: tuple[str, ...]) -> None:
        self.count = 0
        self.sums = dict.fromkeys(names, 0.0)

    def add(self, *parts: np.ndarray) -> None:
        """Takes in the figures of some samples, in the order of their names."""
        self.count += len(parts[0])
        for name, part in zip(self.sums, parts, strict=True):
            self.sums[name] += float(part.sum(dtype=np.float64))

    def means(self) -> dict[str, float]:
        """Count and means."""
        means = {name: round(value / max(1, self.count), 6) for name, value in self.sums.items()}
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
    order_scale: float
    """The scale of the tables' order where they are alone."""
    share: float
    batch: int
    most: int

    def losses(self, trainer: JaxTrainer | NativeTrainer, state: State) -> dict[str, dict]:
        """Losses of the value by kind: of all samples, of positions of games, of leaves; the same of the policy; and
        of results, beside the loss of the same values with one draw margin for all.
        """
        played: list[np.ndarray] = []
        sums = {kind: Sums(VALUE_PARTS) for kind in KINDS}
        policy = {kind: Sums(POLICY_PARTS) for kind in KINDS}
        for batch in self.corpus.held_out_batches(self.batch, self.most):
            records = batch.records
            sides = side_arrays(batch, self.scale, self.share)
            tables, target = sides.tables.astype(np.float64), sides.target.astype(np.float64)
            answers = trainer.answers(state.parameters, batch, self.scale)
            logits = answers.logits.astype(np.float64)
            parts = cross_entropy(logits, target), cross_entropy(tables, target), entropy(target)
            known = tells_result(records)
            played.append(np.array([logits, answers.margins, records["result"]])[:, known])
            leaf, value, choice = records["flags"] & LEAF != 0, tells_value(records), tells_choice(records)
            chosen = records[choice]
            alone = order_losses(chosen, self.order_scale), order_firsts(chosen)
            choices = answers.policy_losses[choice], alone[0], answers.firsts[choice], alone[1]
            for kind, mask in (("all", np.ones(len(leaf), bool)), ("game", ~leaf), ("leaf", leaf)):
                sums[kind].add(*(part[value & mask] for part in parts))
                policy[kind].add(*(part[mask[choice]] for part in choices))
        values = {kind: part.means() for kind, part in sums.items()}
        policies = {kind: part.means() for kind, part in policy.items()}
        return {**values, "policy": policies, "result": result_means(*np.concatenate(played, 1))}


def result_means(logits: np.ndarray, margins: np.ndarray, results: np.ndarray) -> dict[str, float]:
    """The mean loss of results, and the least one that a single draw margin for all gives."""

    def loss(margins: np.ndarray | float) -> float:
        return float(np.asarray(model.result_losses(logits, margins, results)).sum()) / max(1, len(results))

    alone = loss(best_scale(loss, 1e-3, 10)) if len(results) else 0.0
    return {"count": len(results), "network": round(loss(margins), 6), "one_margin": round(alone, 6)}


def integer_network(rule: str, scale: int, state: State) -> integer.Network:
    """The engine's network of a state of training."""
    trunk = (np.asarray(array).astype(np.int64) for array in model.trunk_of(state.parameters))
    found = {n: np.asarray(a).astype(np.int64) for n, a in model.integer_heads(state.parameters).items()}

    def head(index: int, exchanged: bool) -> integer.Head:
        arrays = {name: array[index] for name, array in found.items() if name != "tables"}
        if exchanged:
            for name in ("W1", "V1", "U1"):
                arrays[name] = np.roll(arrays[name], FEATURES // 2, 1)
            for name in ("V2", "c2"):
                arrays[name] = integer.exchanged(arrays[name])
        values = (arrays[name] for name in ("W1", "b1", "W2", "b2", "w3"))
        policy = (arrays[name] for name in ("V1", "c1", "V2", "c2"))
        draws = (arrays[name] for name in ("U1", "a1", "U2", "a2", "u3"))
        return integer.Head(*values, int(arrays["b3"]), *policy, *draws, int(arrays["a3"]))

    tied = len(found["W1"]) == 1
    heads = head(0, False), head(0, True) if tied else head(1, False)
    order = int(model.order_scale(state.parameters["order"]))
    return integer.Network(rule, scale, int(found["tables"]), order, *trunk, heads)


def parameters_of(network: integer.Network) -> model.Parameters:
    """The parameters of the engine's network, of which `integer_network` makes it again."""
    heads = network.heads
    found = model.factors(network.rows / model.ROW_SCALE)
    found |= {"weights": network.weights / model.WEIGHT_SCALE, "bias": network.bias / model.BIAS_SCALE}
    found |= {"mix": network.mix / np.array(model.MIX_SCALES)[:, None], "mix_bias": network.mix_bias / model.MIX_BIAS_SCALE}
    if network.rule not in UNTIED_RULES:
        # Black's views; white's are the same with the colours exchanged.
        own, features, heads = CHANNELS // 2, FEATURES // 2, heads[:1]
        widths = dict.fromkeys(("mix", "mix_bias"), features)
        layer = ("weights", "bias")
        found = {
            name: array[:features] if name in layer else array[..., : widths.get(name, own)]
            for name, array in found.items()
        }
    for name, scale in model.HEAD_SCALES.items():
        found[name] = np.array([getattr(head, name.lower()) for head in heads]) / scale
    found["tables"] = np.array(network.tables / model.HEAD_SCALE)
    found["order"] = np.log(network.order / USUAL_ORDER_SCALE)
    return {name: jnp.asarray(found[name], jnp.float32) for name in model.initial(network.rule, 0)}


def score_spread(
    parameters: model.Parameters, scale: int, corpus: Corpus, trainer: JaxTrainer | NativeTrainer, most: int = 50_000
) -> float:
    """The standard deviation of a network's scores on held-out samples, in units."""
    batches = corpus.held_out_batches(4096, most)
    logits = [trainer.answers(parameters, b, scale).logits[tells_value(b.records)] for b in batches]
    return scale * float(np.concatenate(logits).astype(np.float64).std())


def with_scores_scaled(network: integer.Network, factor: float) -> integer.Network:
    """The network with all its scores times a factor; what it says of chances stays."""
    return replace(network, scale=round(network.scale * factor), tables=round(network.tables * factor))


def differences(
    network: integer.Network, corpus: Corpus, trainer: JaxTrainer | NativeTrainer, state: State, most: int = 2000
) -> dict[str, float]:
    """How far the model is from the file's integers, on held-out samples: logits of the value, of cells, of draws."""
    found: list[float] = []
    policy, draw = 0.0, 0.0
    for batch in corpus.held_out_batches(512, most):
        answers = trainer.answers(state.parameters, batch, network.scale)
        logits, margins = answers.logits, answers.margins
        policies = trainer.policies(state.parameters, batch)
        boards = unpack(batch.records, batch.width * batch.height).reshape(-1, batch.height, batch.width)
        views = list(zip(boards, batch.records, logits, margins, policies))
        for cells, record, logit, margin, own in views[: most - len(found)]:
            classical, black = int(record["classical"]), bool(record["flags"] & BLACK_TO_MOVE)
            _, out, _ = integer.evaluate(network, cells, black, classical)
            exact = classical * network.tables / 256 / network.scale + out / integer.LOGIT
            found.append(abs(exact - float(logit)))
            apart = own[cells.reshape(-1) == 0] - integer.policy(network, cells, black)
            policy = max(policy, float(np.abs(apart).max(initial=0)) / integer.POLICY_LOGIT)
            exact = np.logaddexp(0, integer.draw(network, cells, black) / integer.LOGIT)
            draw = max(draw, abs(exact - float(margin)))
        if len(found) == most:
            break
    mean, most_apart = float(np.mean(found)), float(np.max(found))
    return {"count": len(found), "mean": mean, "max": most_apart, "policy": policy, "draw": draw}


def vectors(network: integer.Network, corpus: Corpus, count: int = 20) -> list[dict[str, object]]:
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
                "policy": integer.policy(network, cells, black).tolist(),
                "draw": integer.draw(network, cells, black),
            }
        )
    return out


def write_vectors(path: Path, network: integer.Network, corpus: Corpus) -> None:
    """Writes the vectors of a network as JSON, a position a line, whole or not at all."""
    lines = ",\n".join(json.dumps(vector) for vector in vectors(network, corpus))
    head = json.dumps({"rule": network.rule, "S": network.scale, "K": network.tables, "O": network.order})
    part = path.with_name(path.name + ".part")
    part.write_text(f'{head[:-1]}, "positions": [\n{lines}\n]}}\n')
    part.replace(path)


def write_json(path: Path, content: object) -> None:
    """Writes JSON, whole or not at all."""
    part = path.with_name(path.name + ".part")
    part.write_text(json.dumps(content, indent=1) + "\n")
    part.replace(path)
