"""Sample files: read by memory map, shuffled in bounded memory.

An epoch reads every file once, in chunks of neighbouring records drawn in random order; many chunks make a pool, and
batches are drawn from a pool at random. Which samples a step sees follows from the seed and the step alone, so a
resumed run goes on where it was without reading what came before.
"""

import struct
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from .config import DECIDED, RULES

MAGIC = b"tengsam2"
HEADER = struct.Struct("<8sBBBBIQ8x")

BLACK_TO_MOVE = 1
LEAF = 2
HELD_OUT = 4
VALUE = 8
CHOICE = 16

UNKNOWN = 3
"""The result of a position that belongs to no game's end."""

CHUNK = 1024
"""Neighbouring records that are read together."""
POOL = 512
"""Chunks of a pool: half a million samples, some 150 megabytes."""
CHOICES = 16
"""About how many chunks the scale of the tables' order is found on."""

BEST = 255
"""The order of the best candidate; each less is a step behind it, 0 is not a candidate."""
ORDER_STEP = 16
"""Units of the tables' order in a step."""
USUAL_ORDER_SCALE = 192
"""Units of the tables' order a logit, where no samples say better."""


class SampleError(Exception):
    """A sample file that cannot be used."""


def record_type(cells: int) -> np.dtype:
    """A record of a board of so many cells."""
    return np.dtype(
        [
            ("cells", "u1", ((cells + 3) // 4,)),
            ("orders", "u1", (cells,)),
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

    def part(self, index: int) -> np.ndarray:
        """The records of a chunk, in the map."""
        return self.records[index * CHUNK : (index + 1) * CHUNK]

    def chunk(self, index: int) -> np.ndarray:
        """The records of a chunk, copied."""
        return np.array(self.part(index))


def write(path: Path, rule: str, width: int, height: int, records: np.ndarray) -> None:
    """Writes a sample file, whole or not at all."""
    header = HEADER.pack(MAGIC, RULES.index(rule), width, height, 0, records.dtype.itemsize, len(records))
    part = path.with_name(path.name + ".part")
    part.write_bytes(header + records.tobytes())
    part.replace(path)


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
    """Which records are learnt from, value or policy."""
    return (records["flags"] & (VALUE | CHOICE) != 0) & (records["flags"] & HELD_OUT == 0)


def held_out(records: np.ndarray) -> np.ndarray:
    """Which records losses are measured on, value or policy."""
    return (records["flags"] & (VALUE | CHOICE) != 0) & (records["flags"] & HELD_OUT != 0)


def tells_value(records: np.ndarray) -> np.ndarray:
    """Which records the value is learnt from and measured on."""
    return records["flags"] & VALUE != 0


def tells_choice(records: np.ndarray) -> np.ndarray:
    """Which records the policy is learnt from and measured on."""
    return records["flags"] & CHOICE != 0


def tells_result(records: np.ndarray) -> np.ndarray:
    """Which records the chance of a draw is learnt from and measured on."""
    return tells_value(records) & (records["result"] != UNKNOWN)


def chosen_orders(records: np.ndarray) -> np.ndarray:
    """The orders of the moves of records that tell a choice."""
    return records["orders"][np.arange(len(records)), records["move"]]


def order_losses(records: np.ndarray, scale: float) -> np.ndarray:
    """The policy's loss of the tables' order alone, at so many units a logit, of records that tell a choice."""
    behind = (BEST - np.arange(BEST + 1)) * (ORDER_STEP / scale)
    shares = np.exp(-behind)
    shares[0] = 0
    return np.log(shares[records["orders"]].sum(1)) + behind[chosen_orders(records)]


def order_firsts(records: np.ndarray) -> np.ndarray:
    """Whether the tables' order has the move first; a half if two are first, and so on."""
    return (chosen_orders(records) == BEST) / np.maximum(1, np.count_nonzero(records["orders"] == BEST, 1))


def best_scale(loss: Callable[[float], float], low: float, high: float) -> float:
    """The scale of the least loss between two."""
    low, high = np.log(low), np.log(high)
    while high - low > 1e-4:
        third = (high - low) / 3
        first, second = loss(np.exp(low + third)), loss(np.exp(high - third))
        low, high = (low, high - third) if first <= second else (low + third, high)
    return float(np.exp((low + high) / 2))


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
            records = files[file].part(chunk)
            learns = learnt(records)
            chosen = records[tells_choice(records)]
            if (chosen["move"] >= self.width * self.height).any() or not chosen_orders(chosen).all():
                raise SampleError(f"{files[file].path}: a move that is not a candidate")
            self.learnt[place] = np.count_nonzero(learns)
            self.held_out[place] = np.count_nonzero(held_out(records))
            score, result = records["score"].astype(int), records["result"]
            played = learns & tells_value(records) & (result != UNKNOWN) & (np.abs(score) < DECIDED)
            at = score[played] + DECIDED - 1
            np.add.at(scores[0], at, 1)
            np.add.at(scores[1], at, result[played] / 2)
        self.scores = scores
        """Samples with a known result, and the points they made, by score."""

    def read(self, places: np.ndarray) -> np.ndarray:
        """The samples to learn from in some chunks."""
        records = np.empty(self.learnt[places].sum(), self.files[0].records.dtype)
        at = 0
        for place, (file, chunk) in zip(places, self.places[places]):
            part = self.files[file].chunk(chunk)
            records[at : at + self.learnt[place]] = part[learnt(part)]
            at += self.learnt[place]
        return records

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

        def loss(scale: float) -> float:
            logits = scores / scale
            return float((counts * np.logaddexp(0, logits) - points * logits).sum())

        return best_scale(loss, 20, 5000)

    def order_scale(self) -> float:
        """The scale at which the tables' order foretells moves best, in units a logit, on some chunks of each size."""
        parts = []
        for group in self.groups:
            useful = np.flatnonzero(group.learnt)
            for place in useful[np.linspace(0, len(useful) - 1, min(len(useful), CHOICES)).astype(int)]:
                file, chunk = group.places[place]
                records = group.files[file].chunk(chunk)
                parts.append(records[learnt(records) & tells_choice(records)])
        parts = [part for part in parts if len(part)]
        if not parts:
            return USUAL_ORDER_SCALE
        return best_scale(lambda scale: float(sum(order_losses(part, scale).sum() for part in parts)), 1, 20_000)

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
            orders = [np.empty(0, int)] * len(self.groups)
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
                    shuffle = np.random.default_rng([seed, epoch, int(turn), pool])
                    orders[turn] = shuffle.permutation(len(samples[turn]))
                records = samples[turn][orders[turn][index * batch : (index + 1) * batch]]
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


def neighbours(grid: np.ndarray) -> np.ndarray:
    """Of boards of truths, how many of the eight cells around each cell are true."""
    padded = np.pad(grid.astype(np.int8), ((0, 0), (1, 1), (1, 1)))
    steps = [(y, x) for y in range(3) for x in range(3) if (y, x) != (1, 1)]
    height, width = grid.shape[1:]
    return sum(padded[:, y : y + height, x : x + width] for y, x in steps)


def random_records(generator: np.random.Generator, width: int, height: int, count: int) -> np.ndarray:
    """Records of random stones, for tests: who has more pairs is ahead; moves are near stones and high in the order."""
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
    leaf = generator.integers(0, 3, count) == 0
    wins = generator.random(count) < 1 / (1 + np.exp(-lead / 5))
    records["result"] = np.where(leaf, UNKNOWN, np.where(wins, 2, 0))

    candidate = (board == 0) & (generator.integers(0, 4, board.shape, np.uint8) != 0)
    order = np.rint(16 * generator.standard_normal(board.shape, np.float32)).astype(np.int16)
    behind = order.max(1, where=candidate, initial=-1000)[:, None] - order
    records["orders"] = np.where(candidate, BEST - np.minimum(BEST - 1, behind), 0)
    color = (2 - black)[:, None, None]
    around = (2 * neighbours(grid == color) - neighbours(grid == 3 - color)).reshape(count, cells)
    luck = -np.log(generator.standard_exponential(board.shape, np.float32) + np.float32(1e-9))
    wish = around * np.float32(0.4) - behind / np.float32(12) + luck
    choice = ~leaf & (np.count_nonzero(candidate, 1) >= 2)
    records["move"] = np.where(choice, np.where(candidate, wish, -np.inf).argmax(1), 65535)
    value = ~choice | (generator.integers(0, 8, count) != 0)
    game = np.arange(count) // 64
    flags = black * BLACK_TO_MOVE + leaf * LEAF + (game % 16 == 0) * HELD_OUT
    records["flags"] = flags + value * VALUE + choice * CHOICE
    return records
