"""Tests of the trainer: `scripts/train/train test`."""

import json
import struct
import tempfile
import unittest
from dataclasses import replace
from pathlib import Path

import jax
import numpy as np

from . import fit, integer, kernel, lines, model, report, samples, step
from .config import CHANNELS, CONFIGS, FEATURES, UNTIED_RULES

SIZES = ((15, 15), (5, 5), (22, 22), (9, 6), (7, 20))


def random_batch(width: int, height: int, count: int, seed: int = 1) -> samples.Batch:
    """Random boards under random symmetries."""
    generator = np.random.default_rng(seed)
    records = samples.random_records(generator, width, height, count)
    symmetries = generator.integers(0, 8 if width == height else 4, count, np.uint8)
    return samples.Batch(width, height, records, symmetries)


def random_parameters(rule: str, seed: int = 1) -> model.Parameters:
    """Parameters with life in every table."""
    generator = np.random.default_rng(seed)
    spread = {"pair": 0.1, "pair3": 0.1, "pair2": 0.1, "w3": 0.2, "bias": 0.2}
    return {
        name: value + generator.normal(0, spread.get(name, 0), value.shape).astype(np.float32)
        for name, value in model.initial(rule, seed).items()
    }


def slow_rows(cells: np.ndarray, x: int, y: int) -> list[int]:
    """The rows of an empty cell, cell by cell as they are defined."""
    height, width = cells.shape
    rows = []
    for dx, dy in ((1, 0), (0, 1), (1, 1), (-1, 1)):
        codes = []
        for sign in (1, -1):
            side = []
            for k in range(1, 5):
                at_x, at_y = x + sign * k * dx, y + sign * k * dy
                if not (0 <= at_x < width and 0 <= at_y < height) or cells[at_y, at_x] == 3:
                    break
                side.append(int(cells[at_y, at_x]))
            n = len(side)
            codes.append((3**n - 1) // 2 + sum(s * 3 ** (n - 1 - i) for i, s in enumerate(side)))
        high, low = max(codes), min(codes)
        rows.append(high * (high + 1) // 2 + low)
    return sorted(rows)


def shown(batch: samples.Batch) -> np.ndarray:
    """The boards of a batch as their symmetries show them."""
    cells = samples.unpack(batch.records, batch.width * batch.height).reshape(-1, batch.height, batch.width)
    views = []
    for board, symmetry in zip(cells, batch.symmetries):
        board = board[:, ::-1] if symmetry & 1 else board
        board = board[::-1] if symmetry & 2 else board
        views.append(board.T if symmetry & 4 else board)
    return np.array(views)


class Codes(unittest.TestCase):
    def test_rows_are_as_defined_on_all_sizes(self) -> None:
        for width, height in SIZES:
            batch = random_batch(width, height, 6)
            boards = shown(batch)
            ids, empty = model.row_ids(batch.records["cells"], batch.symmetries, width, height)
            for board, rows, free in zip(boards, np.asarray(ids), np.asarray(empty)):
                np.testing.assert_array_equal(free.reshape(height, width), board == 0)
                exact = integer.line_rows(board)
                for y, x in np.argwhere(board == 0):
                    slow = slow_rows(board, x, y)
                    self.assertEqual(sorted(rows[y * width + x]), slow)
                    self.assertEqual(sorted(exact[y, x]), slow)

    def test_tables_of_rows_agree_with_codes(self) -> None:
        self.assertEqual(lines.ROWS, 7381)
        self.assertEqual([lines.side_code(side) for side in lines.side_digits()], list(range(lines.SIDES)))
        high, low = lines.pairs()
        np.testing.assert_array_equal(lines.pair_row(high, low), np.arange(lines.ROWS))
        np.testing.assert_array_equal(lines.swapped()[lines.swapped()], np.arange(lines.ROWS))
        self.assertEqual(lines.pairs_of(3).max() + 1, 820)
        self.assertEqual(lines.pairs_of(2).max() + 1, 91)

    def test_exchanged_stones_give_swapped_rows(self) -> None:
        board = shown(random_batch(15, 15, 1))[0]
        other = np.array([0, 2, 1, 3], np.uint8)[board]
        swap = lines.swapped()
        np.testing.assert_array_equal(swap[integer.line_rows(board)], integer.line_rows(other))


class Network(unittest.TestCase):
    def test_native_trunk_equals_the_model_forward_and_backward(self) -> None:
        native = kernel.Kernel(2)
        for rule, (width, height) in zip(("freestyle", "renju", "standard", "caro", "renju"), SIZES):
            batch = random_batch(width, height, 9)
            trunk = model.trunk_of(random_parameters(rule))
            ids, empty = model.row_ids(batch.records["cells"], batch.symmetries, width, height)
            expected, pull = jax.vjp(lambda trunk: model.pooled(trunk, ids, empty), trunk)
            kinds = np.int8, np.int8, np.int32
            numbers = kernel.Trunk(*(np.asarray(a).astype(kind) for a, kind in zip(trunk, kinds)))
            found = native.forward(batch, numbers, keep=True)
            self.assertGreater(np.count_nonzero(found), found.size // 2)
            np.testing.assert_array_equal(found, np.asarray(expected))
            pulls = np.random.default_rng(3).normal(0, 1, found.shape).astype(np.float32)
            for ours, theirs in zip(native.backward(numbers, pulls), pull(pulls)[0]):
                theirs = np.asarray(theirs)
                np.testing.assert_allclose(ours, theirs, rtol=1e-4, atol=1e-5 * np.abs(theirs).max())

    def test_threads_and_traces_leave_the_features_alone(self) -> None:
        batch = random_batch(15, 15, 20)
        kinds = np.int8, np.int8, np.int32
        trunk = kernel.Trunk(
            *(np.asarray(a).astype(kind) for a, kind in zip(model.trunk_of(random_parameters("renju")), kinds))
        )
        alone = kernel.Kernel(1).forward(batch, trunk, keep=False)
        np.testing.assert_array_equal(alone, kernel.Kernel(3).forward(batch, trunk, keep=True))

    def test_tied_networks_see_exchanged_colours_alike(self) -> None:
        for rule in ("freestyle", "renju"):
            network = report.integer_network(rule, 230, step.State(random_parameters(rule)))
            board = shown(random_batch(15, 15, 1))[0]
            other = np.array([0, 2, 1, 3], np.uint8)[board]
            alike = [
                integer.evaluate(network, board, black, 100)[1:] == integer.evaluate(network, other, not black, 100)[1:]
                for black in (True, False)
            ]
            self.assertEqual(alike, [rule not in UNTIED_RULES] * 2)

    def test_symmetries_leave_the_value_alone(self) -> None:
        for width, height in ((15, 15), (9, 6)):
            count = 8 if width == height else 4
            one = random_batch(width, height, 1)
            batch = samples.Batch(width, height, np.repeat(one.records, count), np.arange(count, dtype=np.uint8))
            logits = step.JaxTrainer(CONFIGS["small"]).logits(random_parameters("renju"), batch, 200.0)
            self.assertEqual(len(set(logits.tolist())), 1)

    def test_model_and_integers_agree(self) -> None:
        for rule, (width, height) in zip(("freestyle", "renju", "standard", "renju", "caro"), SIZES):
            state = step.State(random_parameters(rule))
            network = report.integer_network(rule, 230, state)
            batch = replace(random_batch(width, height, 50), symmetries=np.zeros(50, np.uint8))
            logits = step.JaxTrainer(CONFIGS["small"]).logits(state.parameters, batch, 230)
            for board, record, logit in zip(shown(batch), batch.records, logits):
                classical, black = int(record["classical"]), bool(record["flags"] & samples.BLACK_TO_MOVE)
                _, out, score = integer.evaluate(network, board, black, classical)
                exact = classical * network.tables / 256 / 230 + out / 57600
                self.assertLess(abs(exact - float(logit)), 0.002)
                self.assertLess(abs(score - exact * 230), 2)

    def test_integers_are_as_the_definition_says(self) -> None:
        network = report.integer_network("renju", 230, step.State(random_parameters("renju", 5)))
        board = shown(random_batch(6, 7, 1, 9))[0]
        pooled = [0] * FEATURES
        for y, x in np.argwhere(board == 0):
            rows = slow_rows(board, x, y)
            a = [min(max(sum(int(network.rows[r][c]) for r in rows), 0), 127) for c in range(CHANNELS)]
            for k in range(FEATURES):
                z = int(network.bias[k]) + sum(int(network.weights[k][c]) * a[c] for c in range(CHANNELS))
                pooled[k] += min(max(z >> 6, 0), 255) ** 2
        x = [min(g >> 6, 32767) for g in pooled]
        head = network.heads[1]
        y1 = [
            min(max(int(b) + sum(int(w) * v for w, v in zip(ws, x)) >> 12, 0), 32767) for b, ws in zip(head.b1, head.w1)
        ]
        y2 = [
            min(max(int(b) + sum(int(w) * v for w, v in zip(ws, y1)) >> 8, 0), 32767) for b, ws in zip(head.b2, head.w2)
        ]
        out = head.b3 + sum(int(w) * v for w, v in zip(head.w3, y2))
        score = int(-301 * network.tables / 256) + int(out * 230 / 57600)
        found = integer.evaluate(network, board, False, -301)
        self.assertEqual((found[0].tolist(), *found[1:]), (pooled, out, score))


class Files(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def test_network_file_is_read_as_written(self) -> None:
        network = report.integer_network("caro-exact", 231, step.State(random_parameters("caro-exact")))
        path = self.folder / "caro.net"
        integer.write(path, network)
        again = integer.read(path)
        self.assertEqual((again.rule, again.scale, again.tables), ("caro-exact", 231, network.tables))
        for name in ("rows", "weights", "bias"):
            np.testing.assert_array_equal(getattr(again, name), getattr(network, name))
        for one, other in zip(again.heads, network.heads):
            for name in ("w1", "b1", "w2", "b2", "w3", "b3"):
                np.testing.assert_array_equal(getattr(one, name), getattr(other, name))
        path.write_bytes(path.read_bytes()[:-1] + b"?")
        self.assertRaises(ValueError, integer.read, path)

    def test_cells_are_packed_as_defined(self) -> None:
        records = random_batch(9, 6, 3).records
        cells = samples.unpack(records, 54)
        for record, board in zip(records, cells):
            for i in range(54):
                self.assertEqual(record["cells"][i // 4] >> (2 * (i % 4)) & 3, board[i])
        np.testing.assert_array_equal(samples.pack(cells), records["cells"])

    def write(self, name: str, size: int, count: int, seed: int = 1) -> Path:
        records = samples.random_records(np.random.default_rng(seed), size, size, count)
        records["move"] = np.arange(count) % 60_000
        path = self.folder / name
        samples.write(path, "freestyle", size, size, records)
        return path

    def test_an_epoch_gives_every_sample_once_and_no_held_out_one(self) -> None:
        corpus = samples.Corpus([self.write("a", 15, 3000), self.write("b", 15, 1500, 2), self.write("c", 8, 2000, 3)])
        steps = corpus.epoch_steps(50)
        self.assertEqual(steps * 50 // 100 * 100, corpus.learnt() // 100 * 100)
        seen = list(corpus.batches(50, 7, 0, steps))
        self.assertTrue(all(samples.learnt(batch.records).all() for batch in seen))
        sizes = [batch.width for batch in seen]
        self.assertGreater(sum(a != b for a, b in zip(sizes, sizes[1:])), 10)
        distinct = {(batch.width, record.tobytes()) for batch in seen for record in batch.records}
        self.assertEqual(len(distinct), 50 * steps)
        again = list(corpus.batches(50, 7, steps - 3, steps + 2))
        self.assertEqual(again[0].records.tobytes(), seen[steps - 3].records.tobytes())
        self.assertEqual(again[0].symmetries.tobytes(), seen[steps - 3].symmetries.tobytes())
        held = [record for batch in corpus.held_out_batches(64, 10**6) for record in batch.records]
        self.assertEqual(len(held), corpus.held_out())
        self.assertTrue(all(samples.held_out(np.array([record]))[0] for record in held[:100]))

    def test_damaged_sample_files_are_refused(self) -> None:
        path = self.write("a", 15, 10)
        data = path.read_bytes()
        for bad in (b"", b"x" + data[1:], data[:-1], data[:9] + b"\x04" + data[10:], data[:8] + b"\x09" + data[9:]):
            path.write_bytes(bad)
            self.assertRaises(samples.SampleError, samples.Corpus, [path])
        self.assertEqual(struct.calcsize(samples.HEADER.format), 32)

    def test_win_scale_is_found(self) -> None:
        generator = np.random.default_rng(1)
        records = samples.random_records(generator, 5, 5, 60_000)
        records["score"] = generator.normal(0, 400, len(records))
        wins = generator.random(len(records)) < 1 / (1 + np.exp(-records["score"] / 250))
        records["result"] = 2 * wins
        samples.write(self.folder / "s", "renju", 5, 5, records)
        self.assertAlmostEqual(samples.Corpus([self.folder / "s"]).win_scale(), 250, delta=6)

    def test_training_learns_and_a_resumed_run_ends_with_the_same_bits(self) -> None:
        paths = [self.write("a", 15, 6000), self.write("b", 9, 2000)]
        for trunk in ("native", "jax"):
            config = replace(
                CONFIGS["small"], trunk=trunk, batch=128, most_steps=60 if trunk == "native" else 8, reports=2
            )
            whole = fit.fit(config, paths, self.folder / "whole", False)
            if trunk == "native":
                self.assertLess(whole.reports[-1]["all"]["network"], whole.reports[0]["all"]["network"] - 0.002)
            cut = fit.Run(config, samples.Corpus(paths), self.folder / "cut")
            cut.folder.mkdir(exist_ok=True)
            batches = cut.corpus.batches(config.batch, config.seed, 0, cut.steps)
            for _ in range(5):
                cut.trainer.step(
                    cut.state, next(batches), cut.scale, cut.step + 1, fit.rate_at(config, cut.step, cut.steps)
                )
                cut.step += 1
            cut.save()
            fit.fit(config, paths, cut.folder, True)
            for name in ("freestyle.net", "vectors.json"):
                self.assertEqual((self.folder / "whole" / name).read_bytes(), (cut.folder / name).read_bytes())
            with self.assertRaises(fit.ResumeError):
                fit.fit(replace(config, seed=2), paths, cut.folder, True)

    def test_vectors_hold_what_the_file_gives(self) -> None:
        corpus = samples.Corpus([self.write("a", 15, 3000)])
        network = report.integer_network("freestyle", 230, step.State(random_parameters("freestyle")))
        vectors = json.loads(json.dumps(report.vectors(network, corpus)))
        self.assertEqual(len(vectors), 50)
        for vector in vectors[:5]:
            cells = np.array([[".XO#".index(cell) for cell in row] for row in vector["cells"]])
            pooled, out, score = integer.evaluate(network, cells, vector["black_to_move"], vector["classical"])
            self.assertEqual((pooled.tolist(), out, score), (vector["g"], vector["out"], vector["score"]))
