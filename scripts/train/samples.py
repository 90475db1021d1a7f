"""Sample files: read by memory map, shuffled in bounded memory.

An epoch reads every file once, in chunks of neighbouring records drawn in random order; many chunks make a pool, and
batches are drawn from a pool at random. Which samples a step sees follows from the seed and the step alone, so a
resumed run goes on where it was without reading what came before.
"""

import struct
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from .config import DECIDED, RULES

MAGIC = b"tengsam1"
HEADER = struct.Struct("<8sBBBBIQ8x")

BLACK_TO_MOVE = 1
LEAF = 2
HELD_OUT = 4
VALUE = 8

UNKNOWN = 3
"""The result of a position that belongs to no game's end."""

CHUNK = 1024
"""Neighbouring records that are read together."""
POOL = 512
"""Chunks of a pool: half a million samples, some forty megabytes."""


class SampleError(Exception):
    """A sample file that cannot be used."""


def record_type(cells: int) -> np.dtype:
    """A record of a board of so many cells."""
    return np.dtype(
        [
            ("cells", "u1", ((cells + 3) // 4,)),
            ("score", "<i2"),
            ("classical", "<i2"),
            ("move", "<u2"),
            ("result", "u1"),
            ("flags", "u1"),
        ]
    )


@dataclass(frozen=True)
class SampleFile:
    """An open sample file."""

    path: Path
    rule: str
    width: int
    height: int
    records: np.ndarray

    @staticmethod
    def open(path: Path) -> "SampleFile":
        """Maps a file, after a look at its header and size."""
        with path.open("rb") as file:
            head = file.read(HEADER.size)
        if len(head) < HEADER.size or not head.startswith(MAGIC):
            raise SampleError(f"{path}: not a sample file")
        _, rule, width, height, _, record_bytes, count = HEADER.unpack(head)
        kind = record_type(width * height)
        if rule >= len(RULES) or not 5 <= width <= 22 or not 5 <= height <= 22:
            raise SampleError(f"{path}: unknown rule {rule} or size {width}x{height}")
        if record_bytes != kind.itemsize:
            raise SampleError(f"{path}: records of {record_bytes} bytes instead of {kind.itemsize}")
        if path.stat().st_size < HEADER.size + count * record_bytes:
            raise SampleError(f"{path}: shorter than its {count} records")
        if count == 0:
            return SampleFile(path, RULES[rule], width, height, np.empty(0, kind))
        records = np.memmap(path, kind, "r", HEADER.size, (count,))
        return SampleFile(path, RULES[rule], width, height, records)

    def chunks(self) -> int:
        """Chunks of the file; the last one may be short."""
        return -(-len(self.records) // CHUNK)

    def chunk(self, index: int) -> np.ndarray:
        """The records of a chunk, copied."""
        return np.array(self.records[index * CHUNK : (index + 1) * CHUNK])


def write(path: Path, rule: str, width: int, height: int, records: np.ndarray) -> None:
    """Writes a sample file."""
    header = HEADER.pack(MAGIC, RULES.index(rule), width, height, 0, records.dtype.itemsize, len(records))
    path.write_bytes(header + records.tobytes())


def unpack(records: np.ndarray, cells: int) -> np.ndarray:
    """The cells of records, one byte each."""
    packed = records["cells"]
    digits = packed[:, :, None] >> np.array([0, 2, 4, 6], np.uint8) & 3
    return digits.reshape(len(records), -1)[:, :cells]


def pack(cells: np.ndarray) -> np.ndarray:
    """Cells of one byte each as records hold them."""
    padded = np.zeros((len(cells), -(-cells.shape[1] // 4) * 4), np.uint8)
    padded[:, : cells.shape[1]] = cells
    quads = padded.reshape(len(cells), -1, 4)
    return quads[..., 0] | quads[..., 1] << 2 | quads[..., 2] << 4 | quads[..., 3] << 6


def learnt(records: np.ndarray) -> np.ndarray:
    """Which records are learnt from."""
    return records["flags"] & (VALUE | HELD_OUT) == VALUE


def held_out(records: np.ndarray) -> np.ndarray:
    """Which records losses are measured on."""
    return records["flags"] & (VALUE | HELD_OUT) == VALUE | HELD_OUT


@dataclass(frozen=True)
class Batch:
    """Records of boards of one size, and the symmetry each is seen by (`kernel.Batch`)."""

    width: int
    height: int
    records: np.ndarray
    symmetries: np.ndarray


class Group:
    """The files of one board size, and how many samples to learn from each of their chunks holds."""

    def __init__(self, files: list[SampleFile]) -> None:
        self.files = files
        self.width, self.height = files[0].width, files[0].height
        self.places = np.array([(f, c) for f, file in enumerate(files) for c in range(file.chunks())])
        self.learnt = np.zeros(len(self.places), np.int64)
        self.held_out = np.zeros(len(self.places), np.int64)
        scores = np.zeros((2, 2 * DECIDED - 1))
        for place, (file, chunk) in enumerate(self.places):
            records = files[file].chunk(chunk)
            learns = learnt(records)
            self.learnt[place] = np.count_nonzero(learns)
            self.held_out[place] = np.count_nonzero(held_out(records))
            played = records[learns & (records["result"] != UNKNOWN) & (np.abs(records["score"].astype(int)) < DECIDED)]
            at = played["score"].astype(int) + DECIDED - 1
            np.add.at(scores[0], at, 1)
            np.add.at(scores[1], at, played["result"] / 2)
        self.scores = scores
        """Samples with a known result, and the points they made, by score."""

    def read(self, places: np.ndarray) -> np.ndarray:
        """The samples to learn from in some chunks."""
        chunks = [self.files[file].chunk(chunk) for file, chunk in self.places[places]]
        return np.concatenate([chunk[learnt(chunk)] for chunk in chunks])

    def pools(self, generator: np.random.Generator) -> list[np.ndarray]:
        """The chunks of an epoch in random order, in pools of about one size."""
        order = generator.permutation(len(self.places))
        return np.array_split(order, -(-len(order) // POOL))


class Corpus:
    """All sample files of a run."""

    def __init__(self, paths: list[Path]) -> None:
        files = [file for file in map(SampleFile.open, paths) if len(file.records)]
        if not files:
            raise SampleError("no samples")
        rules = {file.rule for file in files}
        if len(rules) != 1:
            raise SampleError(f"samples of several rules: {', '.join(sorted(rules))}")
        self.rule = files[0].rule
        sizes = sorted({(file.width, file.height) for file in files})
        self.groups = [Group([file for file in files if (file.width, file.height) == size]) for size in sizes]

    def learnt(self) -> int:
        """Samples to learn from."""
        return sum(int(group.learnt.sum()) for group in self.groups)

    def held_out(self) -> int:
        """Held-out samples."""
        return sum(int(group.held_out.sum()) for group in self.groups)

    def win_scale(self) -> float:
        """The scale at which scores foretell results best, in units a logit."""
        counts, points = np.sum([group.scores for group in self.groups], 0)
        if counts.sum() == 0:
            raise SampleError("no samples with a known result")
        scores = np.arange(-DECIDED + 1, DECIDED)

        def loss(log_scale: float) -> float:
            logits = scores / np.exp(log_scale)
            return float((counts * np.logaddexp(0, logits) - points * logits).sum())

        low, high = np.log(20), np.log(5000)
        while high - low > 1e-4:
            third = (high - low) / 3
            low, high = (low, high - third) if loss(low + third) <= loss(high - third) else (low + third, high)
        return float(np.exp((low + high) / 2))

    def epoch_steps(self, batch: int) -> int:
        """Whole batches in the first epoch; pools of later ones may hold one more or less."""
        return sum(int(group.learnt.sum()) // batch for group in self.groups)

    def batches(self, batch: int, seed: int, start: int, steps: int) -> Iterator[Batch]:
        """The batches of steps `start..steps`."""
        step, epoch = 0, 0
        while step < steps:
            generator = np.random.default_rng([seed, epoch])
            pools = [group.pools(generator) for group in self.groups]
            sizes = [[int(g.learnt[p].sum()) // batch for p in parts] for g, parts in zip(self.groups, pools)]
            turns = generator.permutation(np.repeat(np.arange(len(self.groups)), [sum(size) for size in sizes]))
            if not len(turns):
                raise SampleError(f"fewer samples than a batch of {batch}")
            # Where each group is: pool, batch in it, and the shuffled samples once they are needed.
            at = [[0, 0] for _ in self.groups]
            samples: list[np.ndarray | None] = [None] * len(self.groups)
            for turn in turns:
                if step == steps:
                    return
                while at[turn][1] == sizes[turn][at[turn][0]]:
                    at[turn], samples[turn] = [at[turn][0] + 1, 0], None
                pool, index = at[turn]
                at[turn][1] += 1
                step += 1
                if step <= start:
                    continue
                group = self.groups[turn]
                if samples[turn] is None:
                    samples[turn] = group.read(pools[turn][pool])
                    order = np.random.default_rng([seed, epoch, int(turn), pool]).permutation(len(samples[turn]))
                    samples[turn] = samples[turn][order]
                records = samples[turn][index * batch : (index + 1) * batch]
                symmetries = np.random.default_rng([seed, step, 1]).integers(
                    8 if group.width == group.height else 4, size=batch, dtype=np.uint8
                )
                yield Batch(group.width, group.height, records, symmetries)
            epoch += 1

    def held_out_batches(self, batch: int, most: int) -> Iterator[Batch]:
        """About `most` held-out samples, spread evenly over all; the last batch of a size may be short."""
        share = min(1.0, most / max(1, self.held_out()))
        for group in self.groups:
            kept: list[np.ndarray] = []
            size, seen, taken = 0, 0, 0
            for place in np.flatnonzero(group.held_out):
                seen += group.held_out[place]
                if taken + 1 > seen * share and share < 1:
                    continue
                file, chunk = group.places[place]
                records = group.files[file].chunk(chunk)
                kept.append(records[held_out(records)])
                size += len(kept[-1])
                taken += len(kept[-1])
                while size >= batch:
                    records = np.concatenate(kept)
                    kept, size = [records[batch:]], size - batch
                    yield Batch(group.width, group.height, records[:batch], np.zeros(batch, np.uint8))
            if size:
                yield Batch(group.width, group.height, np.concatenate(kept), np.zeros(size, np.uint8))


def random_records(generator: np.random.Generator, width: int, height: int, count: int) -> np.ndarray:
    """Records of random stones, for tests: whose stones stand in more pairs is ahead."""
    cells = width * height
    board = generator.integers(0, 6, (count, cells), np.uint8)
    board[board > 3] = 0
    walls = generator.integers(0, 4, (count, 1)) == 0
    board[(board == 3) & ~walls] = 0
    records = np.zeros(count, record_type(cells))
    records["cells"] = pack(board)
    black = generator.integers(0, 2, count)
    grid = board.reshape(count, height, width)
    pairs = []
    for color in (1, 2):
        own = np.pad(grid == color, ((0, 0), (1, 1), (1, 1)))
        near = (np.roll(own, step, (1, 2)) for step in ((0, 1), (1, 0), (1, 1), (1, -1)))
        pairs.append(sum((own & other).sum((1, 2)) for other in near))
    lead = np.where(black == 1, pairs[0] - pairs[1], pairs[1] - pairs[0])
    records["score"] = np.clip(lead * 40 + generator.normal(0, 50, count), -3000, 3000)
    records["classical"] = np.clip(records["score"] / 4 + generator.normal(0, 60, count), -3000, 3000)
    records["move"] = 65535
    leaf = generator.integers(0, 3, count) == 0
    wins = generator.random(count) < 1 / (1 + np.exp(-lead / 5))
    records["result"] = np.where(leaf, UNKNOWN, np.where(wins, 2, 0))
    game = np.arange(count) // 64
    records["flags"] = black * BLACK_TO_MOVE + leaf * LEAF + (game % 16 == 0) * HELD_OUT + VALUE
    return records
