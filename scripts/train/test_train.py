"""Tests of the trainer: `scripts/train/train test`."""

import functools
import io
import json
import struct
import subprocess
import tempfile
import unittest
import zlib
from contextlib import redirect_stderr
from dataclasses import replace
from pathlib import Path
from unittest import mock

import jax
import jax.numpy as jnp
import numpy as np

from . import fit, integer, kernel, lines, model, report, samples, step
from .__main__ import parser
from .config import CHANNELS, CONFIGS, FEATURES, KINDS, UNTIED_RULES

SIZES = ((15, 15), (5, 5), (22, 22), (9, 6), (7, 20))


@functools.cache
def common_trainer(trunk: str) -> step.JaxTrainer | step.NativeTrainer:
    """A trainer whose compiled functions all tests share."""
    return step.trainer(replace(CONFIGS["small"], trunk=trunk))


def random_batch(width: int, height: int, count: int, seed: int = 1) -> samples.Batch:
    """Random boards under random symmetries."""
    generator = np.random.default_rng(seed)
    records = samples.random_records(generator, width, height, count)
    symmetries = generator.integers(0, 8 if width == height else 4, count, np.uint8)
    return samples.Batch(width, height, records, symmetries)


def random_parameters(rule: str, seed: int = 1) -> model.Parameters:
    """Parameters with life in every table."""
    generator = np.random.default_rng(seed)
    spread = {"pair": 0.1, "pair3": 0.1, "pair2": 0.1, "w3": 0.2, "bias": 0.2, "V2": 0.3, "c2": 0.3, "order": 0.2}
    spread |= {"u3": 0.2, "mix": 0.3, "mix_bias": 0.3}
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
        row_ids = jax.jit(model.row_ids, static_argnums=(2, 3))
        for width, height in SIZES:
            batch = random_batch(width, height, 6)
            boards = shown(batch)
            ids, empty = row_ids(batch.records["cells"], batch.symmetries, width, height)
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
    def test_native_kernel_equals_the_model_forward_and_backward(self) -> None:
        native = kernel.Kernel(2)
        generator = np.random.default_rng(3)
        for rule, (width, height) in zip(("freestyle", "renju", "standard"), SIZES[1:4]):
            batch = random_batch(width, height, 9)
            records, size = batch.records, (width, height)
            trunk = model.trunk_of(random_parameters(rule))
            choice = samples.tells_choice(records)
            self.assertTrue(choice.any() and not choice.all())
            shares = np.where(choice, generator.random(9), 0).astype(np.float32)
            weights = generator.integers(-63, 64, (9, KINDS, FEATURES)).astype(np.int8)
            order_step = np.float32(0.1)

            pulls = generator.normal(0, 0.001, (9, FEATURES)).astype(np.float32)

            @jax.jit
            def expected(*inputs):
                ids, empty = model.row_ids(records["cells"], batch.symmetries, *size)
                orders = model.turned(records["orders"], batch.symmetries, *size)
                chosen = model.choices(records["move"].astype(int), batch.symmetries, *size)

                def forward(trunk, weights, order_step):
                    features = model.mixed_features(trunk, ids, empty, *size)
                    policies = model.policies(features, weights, *size)
                    losses, firsts = model.choice_losses(model.policy_logits(policies, order_step, orders), chosen)
                    losses = jnp.where(choice, losses, 0)
                    return (model.pooled(features), (losses * shares).sum()), (losses, firsts, policies, empty)

                (pooled, _), pull, found = jax.vjp(forward, *inputs, has_aux=True)
                return pooled, *found, pull((pulls, np.float32(1)))

            pooled, losses, firsts, policies, empty, (trunk_pull, weights_pull, order_pull) = expected(
                trunk, weights.astype(np.float32), order_step
            )
            numbers = kernel.Trunk.of(trunk)
            found = native.forward(batch, numbers, keep=True)
            self.assertGreater(np.count_nonzero(found), found.size // 2)
            np.testing.assert_array_equal(found, np.asarray(pooled))
            told, kept = native.policy(weights, order_step, shares, keep=True)
            for own, board, free in zip(kept, np.asarray(policies), np.asarray(empty)):
                np.testing.assert_array_equal(own[: free.sum()], board[free])
            np.testing.assert_allclose(told["loss"], losses, rtol=1e-5, atol=1e-5)
            np.testing.assert_array_equal(told["first"][choice], np.asarray(firsts)[choice])
            ours = *native.backward(numbers, pulls, weights), told["weights"], told["kappa"].sum()
            for one, other in zip(ours, (*trunk_pull, weights_pull, order_pull), strict=True):
                other = np.asarray(other)
                np.testing.assert_allclose(one, other, rtol=1e-4, atol=1e-5 * np.abs(other).max())

    def test_a_native_step_has_the_gradients_of_the_model(self) -> None:
        batch = random_batch(9, 9, 128)
        flags = batch.records["flags"]
        for bit in (samples.VALUE, samples.CHOICE):
            self.assertGreater(len(set(flags & bit)), 1)
        for rule in ("freestyle", "renju"):
            found = []
            for trunk in ("jax", "native"):
                state = step.State(random_parameters(rule))
                losses = common_trainer(trunk).step(state, batch, 200.0, 1, 0.001)
                found.append((losses, state.first))
            (losses, gradients), (native_losses, native_gradients) = found
            np.testing.assert_allclose(native_losses, losses, rtol=1e-5)
            for name, gradient in gradients.items():
                other = np.asarray(gradient)
                self.assertGreater(np.count_nonzero(other), 0, name)
                np.testing.assert_allclose(
                    native_gradients[name], other, rtol=1e-3, atol=1e-5 * np.abs(other).max(), err_msg=name
                )

    def test_threads_and_traces_leave_the_features_alone(self) -> None:
        batch = random_batch(15, 15, 20)
        trunk = kernel.Trunk.of(model.trunk_of(random_parameters("renju")))
        alone = kernel.Kernel(1).forward(batch, trunk, keep=False)
        np.testing.assert_array_equal(alone, kernel.Kernel(3).forward(batch, trunk, keep=True))

    def test_tied_networks_see_exchanged_colours_alike(self) -> None:
        for rule in ("freestyle", "renju"):
            network = report.integer_network(rule, 230, step.State(random_parameters(rule)))
            board = shown(random_batch(15, 15, 1))[0]
            other = np.array([0, 2, 1, 3], np.uint8)[board]
            for black in (True, False):
                views = (board, black), (other, not black)
                values = [integer.evaluate(network, *view, 100)[1:] for view in views]
                policies = [integer.policy(network, *view).tolist() for view in views]
                self.assertEqual(values[0] == values[1], rule not in UNTIED_RULES)
                self.assertEqual(policies[0] == policies[1], rule not in UNTIED_RULES)

    def test_tied_parameters_are_untied_without_a_change(self) -> None:
        tied = random_parameters("freestyle")
        free = model.untied(tied)
        self.assertEqual(
            {n: a.shape for n, a in free.items()}, {n: a.shape for n, a in model.initial("renju", 1).items()}
        )
        board = shown(random_batch(15, 15, 1))[0]
        networks = [report.integer_network("renju", 230, step.State(parameters)) for parameters in (tied, free)]
        for name in ("rows", "weights", "bias", "order", "tables"):
            one, other = (getattr(network, name) for network in networks)
            # Sums of another order are rounded apart now and then.
            self.assertLess(np.count_nonzero(one != other), 1e-4 * np.size(one))
        networks[1].rows = networks[0].rows
        for black in (True, False):
            values = [integer.evaluate(network, board, black, 100)[1:] for network in networks]
            self.assertEqual(values[0], values[1])
            np.testing.assert_array_equal(*(integer.policy(network, board, black) for network in networks))

    def test_symmetries_leave_value_and_policy_alone(self) -> None:
        for width, height in ((15, 15), (9, 6)):
            count = 8 if width == height else 4
            one = random_batch(width, height, 9)
            one = one.records[samples.tells_choice(one.records)][:1]
            batch = samples.Batch(width, height, np.repeat(one, count), np.arange(count, dtype=np.uint8))
            for trunk in ("jax", "native"):
                answers = common_trainer(trunk).answers(random_parameters("renju"), batch, 200.0)
                self.assertEqual(len(set(answers.logits.tolist())), 1)
                self.assertEqual(len(set(answers.firsts.tolist())), 1)
                self.assertGreater(answers.policy_losses[0], 0)
                np.testing.assert_allclose(answers.policy_losses, answers.policy_losses[0], rtol=1e-5)

    def test_model_and_integers_agree(self) -> None:
        for rule, (width, height) in zip(("freestyle", "renju", "standard", "renju", "caro"), SIZES):
            state = step.State(random_parameters(rule))
            network = report.integer_network(rule, 230, state)
            batch = replace(random_batch(width, height, 50), symmetries=np.zeros(50, np.uint8))
            trainers = common_trainer("native"), common_trainer("jax")
            answers = [trainer.answers(state.parameters, batch, 230) for trainer in trainers]
            logits, margins = answers[0].logits, [answer.margins for answer in answers]
            np.testing.assert_allclose(*margins, rtol=1e-5)
            policies = [trainer.policies(state.parameters, batch) for trainer in trainers]
            np.testing.assert_array_equal(*policies)
            views = zip(shown(batch), batch.records, logits, margins[0], policies[0])
            for board, record, logit, margin, cells in views:
                classical, black = int(record["classical"]), bool(record["flags"] & samples.BLACK_TO_MOVE)
                _, out, score = integer.evaluate(network, board, black, classical)
                exact = classical * network.tables / 256 / 230 + out / 57600
                self.assertLess(abs(exact - float(logit)), 1e-4)
                self.assertLess(abs(score - exact * 230), 2)
                np.testing.assert_array_equal(integer.policy(network, board, black), cells[board.reshape(-1) == 0])
                softplus = np.logaddexp(0, integer.draw(network, board, black) / 57600)
                self.assertLess(abs(softplus - float(margin)), 1e-4)

    def test_integers_are_as_the_definition_says(self) -> None:
        network = report.integer_network("renju", 230, step.State(random_parameters("renju", 5)))
        board = shown(random_batch(6, 7, 1, 9))[0]
        empties = [tuple(at) for at in np.argwhere(board == 0)]
        features = []
        for y, x in empties:
            rows = slow_rows(board, x, y)
            a = [min(max(sum(int(network.rows[r][c]) for r in rows), 0), 127) for c in range(CHANNELS)]
            features.append([])
            for k in range(FEATURES):
                z = int(network.bias[k]) + sum(int(network.weights[k][c]) * a[c] for c in range(CHANNELS))
                features[-1].append(min(max(z >> 6, 0), 255))

        def near(row: int, column: int) -> list[tuple[int, int]]:
            """The kinds and places of the empty cells around a cell."""
            steps = [(abs(y - row), abs(x - column)) for y, x in empties]
            return [(dy + dx, at) for at, (dy, dx) in enumerate(steps) if max(dy, dx) <= 1]

        def word(value: int) -> int:
            return min(max(value, -32768), 32767)

        mixed = []
        for row, column in empties:
            mixed.append([])
            for k in range(FEATURES):
                sums = [0] * KINDS
                for kind, at in near(row, column):
                    sums[kind] += features[at][k]
                products = [int(network.mix[kind][k]) * sums[kind] >> 10 + (kind > 0) for kind in range(KINDS)]
                total = word(word(word(products[0] + products[1]) + products[2]) + int(network.mix_bias[k]))
                mixed[-1].append(min(max(total >> 4, 0), 255))
        self.assertNotEqual(mixed, features)
        pooled = [sum(cell[k] ** 2 for cell in mixed) for k in range(FEATURES)]
        x = [min(g >> 6, 32767) for g in pooled]
        head = network.heads[1]

        def hidden(weights: np.ndarray, bias: np.ndarray, values: list[int], bits: int, low: int, high: int):
            sums = [int(b) + sum(int(w) * v for w, v in zip(ws, values)) for b, ws in zip(bias, weights)]
            return [min(max(total >> bits, low), high) for total in sums]

        y1 = hidden(head.w1, head.b1, x, 12, 0, 32767)
        y2 = hidden(head.w2, head.b2, y1, 8, 0, 32767)
        out = head.b3 + sum(int(w) * v for w, v in zip(head.w3, y2))
        score = int(-301 * network.tables / 256) + int(out * 230 / 57600)
        found = integer.evaluate(network, board, False, -301)
        self.assertEqual((found[0].tolist(), *found[1:]), (pooled, out, score))
        q = hidden(head.v1, head.c1, x, 12, 0, 32767)
        w = hidden(head.v2, head.c2, q, 12, -63, 63)
        self.assertGreater(len(set(w)), 10)
        policy = []
        for row, column in empties:
            weights = [(w[kind * FEATURES :][:FEATURES], mixed[at]) for kind, at in near(row, column)]
            policy.append(sum(weight * feature for pair in weights for weight, feature in zip(*pair)))
        self.assertEqual(integer.policy(network, board, False).tolist(), policy)
        y1 = hidden(head.u1, head.a1, x, 12, 0, 32767)
        y2 = hidden(head.u2, head.a2, y1, 8, 0, 32767)
        draw = head.a3 + sum(int(w) * v for w, v in zip(head.u3, y2))
        self.assertEqual(integer.draw(network, board, False), draw)

    def test_results_are_as_likely_as_the_model_of_draws_says(self) -> None:
        generator = np.random.default_rng(4)
        value, margin = generator.normal(0, 2, 200), generator.gamma(1, 0.5, 200) + 0.01
        won, lost = (1 / (1 + np.exp(margin - sign * value)) for sign in (1, -1))
        for result, chance in enumerate((lost, 1 - won - lost, won)):
            losses = model.result_losses(value, margin, np.full(200, result))
            np.testing.assert_allclose(np.exp(-losses), chance, rtol=1e-4, atol=1e-5)

    def test_results_teach_the_draw_margin_alone(self) -> None:
        batch = random_batch(9, 9, 128)
        other = samples.Batch(9, 9, batch.records.copy(), batch.symmetries)
        played = samples.tells_result(other.records)
        other.records["result"][played] = 1
        trainer = step.trainer(replace(CONFIGS["small"], trunk="native", share=1))
        gradients = []
        for one in (batch, other):
            state = step.State(random_parameters("freestyle"))
            losses = trainer.step(state, one, 200.0, 1, 0.001)
            gradients.append((losses, state.first))
        (losses, first), (other_losses, other_first) = gradients
        self.assertNotAlmostEqual(float(losses.result), float(other_losses.result), places=3)
        for name, gradient in first.items():
            self.assertEqual(np.array_equal(gradient, other_first[name]), name not in model.DRAW_NAMES, name)


class Files(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        trainers = mock.patch.object(fit, "trainer", lambda config: common_trainer(config.trunk))
        trainers.start()
        self.addCleanup(trainers.stop)

    def test_network_file_is_read_as_written(self) -> None:
        for rule, magic in (("caro-exact", b"tengnet8"), ("renju", b"tengnet7")):
            network = report.integer_network(rule, 231, step.State(random_parameters(rule)))
            path = self.folder / f"{rule}.net"
            integer.write(path, network)
            again = integer.read(path)
            self.assertEqual((again.rule, again.scale), (rule, 231))
            self.assertTrue(integer.is_equal(again, network))
            self.assertEqual(path.read_bytes()[:8], magic)
            path.write_bytes(path.read_bytes()[:-1] + b"?")
            self.assertRaises(ValueError, integer.read, path)

    def test_file_of_tied_network_has_half_of_its_numbers(self) -> None:
        network = report.integer_network("caro", 231, step.State(random_parameters("caro")))
        path = self.folder / "caro.net"
        integer.write(path, network)
        self.assertEqual(len(zlib.decompress(path.read_bytes()[8:-4])), 36 + (509_940 - 36) // 2)
        other = replace(network, bias=network.bias + np.eye(1, 32, 31, dtype=np.int64)[0])
        self.assertFalse(integer.is_equal(network, other))
        integer.write(path, other)
        self.assertEqual(path.read_bytes()[:8], b"tengnet7")

    def test_networks_of_former_forms_have_no_weights_of_neighbours(self) -> None:
        for rule, magic in (
            ("renju", b"tengnet3"),
            ("caro", b"tengnet4"),
            ("renju", b"tengnet5"),
            ("caro", b"tengnet6"),
        ):
            network = report.integer_network(rule, 231, step.State(random_parameters(rule)))
            network.mix[:], network.mix_bias[:] = [[1 << 14], [0], [0]], 0
            share, kinds, _ = integer.FORMS[magic]
            for head in network.heads if kinds == 1 else ():
                head.v2[FEATURES:], head.c2[FEATURES:] = 0, 0
            path = self.folder / f"{rule}.net"
            integer.write(path, network)
            payload = zlib.decompress(path.read_bytes()[8:-4])
            trunk, mix = 36 + (7381 * 64 + 32 * 64 + 32 * 4) // share, (KINDS + 1) * 32 * 2 // share
            value, hidden, weights, bias = 4420, 2176, 2048, 128
            whole = 2 * value + hidden + KINDS * (weights + bias)
            former = payload[:trunk]
            for at in range(trunk + mix, len(payload), whole):
                head = payload[at : at + whole]
                outputs, end = head[value + hidden : -value], KINDS * weights
                parts = head[: value + hidden], outputs[: kinds * weights], outputs[end:][: kinds * bias]
                former += b"".join(parts) + head[-value:]
            path.write_bytes(magic + zlib.compress(former) + struct.pack("<I", zlib.crc32(former)))
            self.assertTrue(integer.is_equal(integer.read(path), network))

    def test_network_file_is_laid_out_as_specified(self) -> None:
        network = report.integer_network("renju", 231, step.State(random_parameters("renju")))
        path = self.folder / "renju.net"
        integer.write(path, network)
        data = path.read_bytes()
        self.assertEqual(data[:8], b"tengnet7")
        payload = zlib.decompress(data[8:-4])
        self.assertEqual(struct.unpack_from("<iii", payload, 24), (231, network.tables, network.order))
        value, policy = 2 * 32 * 32 * 2 + 2 * 32 * 4 + 32 * 2 + 4, 4 * 32 * 32 * 2 + 4 * 32 * 4
        self.assertEqual(len(payload), 36 + 7381 * 64 + 32 * 64 + 32 * 4 + 4 * 32 * 2 + 2 * (2 * value + policy))
        white = network.heads[1]
        for end, first in ((policy + value, white.v1), (value, white.u1)):
            found = np.frombuffer(payload[-end:][: 2 * 32 * 32], "<i2")
            np.testing.assert_array_equal(found.reshape(32, 32), first)
        self.assertEqual(struct.unpack("<i", payload[-4:])[0], white.a3)

    def test_records_are_laid_out_as_specified(self) -> None:
        path = self.write("a", 9, 200)
        data = path.read_bytes()
        records = samples.SampleFile.open(path).records
        self.assertEqual(data[:8], b"tengsam2")
        bytes_a_record = 21 + 81 + 8
        self.assertEqual(struct.unpack_from("<I", data, 12)[0], bytes_a_record)
        for index in (0, 7):
            start = 32 + index * bytes_a_record
            self.assertEqual(list(data[start + 21 : start + 102]), records["orders"][index].tolist())
            self.assertEqual(struct.unpack_from("<H", data, start + 106)[0], records["move"][index])
        chosen = records[samples.tells_choice(records)]
        self.assertTrue((samples.chosen_orders(chosen) > 0).all())
        self.assertTrue((chosen["orders"].max(1) == samples.BEST).all())
        self.assertFalse((chosen["orders"] > 0)[samples.unpack(chosen, 81) != 0].any())

    def test_order_alone_is_a_softmax_and_its_scale_is_found(self) -> None:
        generator = np.random.default_rng(2)
        records = samples.random_records(generator, 7, 7, 8000)
        records = records[samples.tells_choice(records)]
        logits = np.where(records["orders"] > 0, (records["orders"] - 255.0) * 16 / 300, -np.inf)
        shares = np.exp(logits) / np.exp(logits).sum(1)[:, None]
        records["move"] = (logits + generator.gumbel(size=logits.shape)).argmax(1)
        expected = -np.log(shares[np.arange(len(records)), records["move"]])
        np.testing.assert_allclose(samples.order_losses(records, 300), expected, rtol=1e-9)
        first = [(row[move] == 255) / list(row).count(255) for row, move in zip(records["orders"], records["move"])]
        np.testing.assert_array_equal(samples.order_firsts(records), first)
        samples.write(self.folder / "s", "renju", 7, 7, records)
        self.assertAlmostEqual(samples.Corpus([self.folder / "s"]).order_scale(), 300, delta=12)

    def test_each_loss_takes_the_samples_that_tell_it(self) -> None:
        corpus = samples.Corpus([self.write("a", 9, 4000)])
        batch = next(corpus.batches(300, 1, 0, 1))
        sides = step.side_arrays(batch, 200, 0.5)
        for shares, bit in ((sides.value, samples.VALUE), (sides.choice, samples.CHOICE)):
            tells = batch.records["flags"] & bit != 0
            np.testing.assert_array_equal(shares > 0, tells)
            self.assertAlmostEqual(float(shares.sum()), 1, places=5)
        state = step.State(random_parameters("freestyle"))
        held_out = report.HeldOut(corpus, 200, 150.0, 0.5, 64, 10**6)
        losses = held_out.losses(common_trainer("native"), state)
        flags = corpus.groups[0].files[0].records["flags"]
        flags = flags[flags & samples.HELD_OUT != 0]
        self.assertEqual(losses["all"]["count"], np.count_nonzero(flags & samples.VALUE))
        self.assertEqual(losses["policy"]["all"]["count"], np.count_nonzero(flags & samples.CHOICE))
        self.assertNotEqual(losses["all"]["count"], losses["policy"]["all"]["count"])
        played = samples.tells_result(corpus.groups[0].files[0].records) & (
            corpus.groups[0].files[0].records["flags"] & samples.HELD_OUT != 0
        )
        self.assertEqual(losses["result"]["count"], np.count_nonzero(played))
        for kinds in (losses, losses["policy"]):
            self.assertEqual(kinds["all"]["count"], kinds["game"]["count"] + kinds["leaf"]["count"])

    def test_cells_are_packed_as_defined(self) -> None:
        records = random_batch(9, 6, 3).records
        cells = samples.unpack(records, 54)
        for record, board in zip(records, cells):
            for i in range(54):
                self.assertEqual(record["cells"][i // 4] >> (2 * (i % 4)) & 3, board[i])
        np.testing.assert_array_equal(samples.pack(cells), records["cells"])

    def write(self, name: str, size: int, count: int, seed: int = 1) -> Path:
        records = samples.random_records(np.random.default_rng(seed), size, size, count)
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
        records = samples.random_records(np.random.default_rng(1), 8, 8, 50)
        for move in (64, 65535, 0):
            records["orders"][:, 0] = 0
            records["move"][samples.tells_choice(records).argmax()] = move
            samples.write(path, "freestyle", 8, 8, records)
            self.assertRaises(samples.SampleError, samples.Corpus, [path])

    def test_win_scale_is_found(self) -> None:
        generator = np.random.default_rng(1)
        records = samples.random_records(generator, 5, 5, 60_000)
        records["score"] = generator.normal(0, 400, len(records))
        wins = generator.random(len(records)) < 1 / (1 + np.exp(-records["score"] / 250))
        records["result"] = 2 * wins
        samples.write(self.folder / "s", "renju", 5, 5, records)
        self.assertAlmostEqual(samples.Corpus([self.folder / "s"]).win_scale(), 250, delta=6)

    @mock.patch.object(fit, "CURVE_POINTS", 4)
    def test_training_learns_and_a_resumed_run_ends_with_the_same_bits(self) -> None:
        both = [self.write("a", 15, 6000), self.write("b", 9, 2000)]
        for trunk, steps, paths in (("native", 60, both), ("jax", 8, both[1:])):
            config = replace(CONFIGS["small"], trunk=trunk, batch=128, most_steps=steps, reports=2)
            whole = fit.fit(config, paths, self.folder / f"whole-{trunk}", False)
            with self.assertRaisesRegex(fit.ResumeError, "of an earlier run"):
                fit.fit(config, paths, whole.folder, False)
            first, last = whole.reports[0], whole.reports[-1]
            if trunk == "native":
                value = first["all"], last["all"]
                policy = first["policy"]["all"], last["policy"]["all"]
                self.assertAlmostEqual(policy[0]["network"], policy[0]["tables"], delta=0.05)
                for before, after in (value, policy):
                    self.assertLess(after["network"], min(before["network"], after["tables"]) - 0.002)
                self.assertGreater(policy[1]["network_first"], policy[1]["tables_first"])
            cut = fit.Run(config, samples.Corpus(paths), self.folder / f"cut-{trunk}")
            cut.folder.mkdir(exist_ok=True)
            batches = cut.corpus.batches(config.batch, config.seed, 0, cut.steps)
            for _ in range(5):
                cut.advance(next(batches))
            cut.save()
            self.assertEqual(fit.fit(config, paths, cut.folder, True).curve, whole.curve)
            for name in ("freestyle.net", "vectors.json"):
                self.assertEqual((whole.folder / name).read_bytes(), (cut.folder / name).read_bytes())
            with self.assertRaises(fit.ResumeError):
                fit.fit(replace(config, seed=2), paths, cut.folder, True)

    def test_a_run_starts_from_another_rules_run(self) -> None:
        config = replace(CONFIGS["small"], batch=128, most_steps=3, reports=1)
        first = fit.fit(config, [self.write("a", 9, 1000)], self.folder / "first", False)
        records = samples.SampleFile.open(self.folder / "a").records
        samples.write(self.folder / "b", "renju", 9, 9, records)
        corpus = samples.Corpus([self.folder / "b"])
        for start in (self.folder / "first", self.folder / "first" / "checkpoint.npz"):
            run = fit.Run(config, corpus, self.folder / "second", start)
            losses = run.held_out.losses(run.trainer, run.state)
            last = first.reports[-1]
            for found, means in ((losses["all"], last["all"]), (losses["policy"]["all"], last["policy"]["all"])):
                self.assertAlmostEqual(found["network"], means["network"], places=4)
            self.assertNotEqual(run.identity(), fit.Run(config, corpus, self.folder / "second").identity())
        run.folder.mkdir()
        run.save()
        with self.assertRaises(fit.StartError):
            fit.start_of(run.folder, "freestyle")
        with self.assertRaises(fit.StartError):
            fit.start_of(self.folder / "b", "renju")

    def test_what_cannot_be_learnt_from_replaces_nothing(self) -> None:
        config = replace(CONFIGS["small"], batch=128, most_steps=3, reports=1)
        path = self.write("a", 9, 1000)
        with self.assertRaisesRegex(samples.SampleError, "fewer samples"):
            fit.fit(replace(config, batch=100_000), [path], self.folder / "run", False)
        records = np.array(samples.SampleFile.open(path).records)
        records["flags"] &= ~np.array(samples.HELD_OUT, records["flags"].dtype)
        samples.write(path, "freestyle", 9, 9, records)
        with self.assertRaisesRegex(samples.SampleError, "no held-out samples"):
            fit.fit(config, [path], self.folder / "run", False)
        self.assertFalse((self.folder / "run").exists())

    def test_files_that_are_no_checkpoints_are_named(self) -> None:
        config = replace(CONFIGS["small"], batch=128, most_steps=3, reports=1)
        path, run = self.write("a", 9, 1000), self.folder / "run"
        run.mkdir()
        np.savez(run / "other.npz", a=np.zeros(3))
        np.save(run / "array.npy", np.zeros(3))
        for content in (b"", b"PK\3\4 and so on", (run / "other.npz").read_bytes(), (run / "array.npy").read_bytes()):
            (run / "checkpoint.npz").write_bytes(content)
            with self.assertRaisesRegex(fit.ResumeError, "not a checkpoint"):
                fit.fit(config, [path], run, True)
            with self.assertRaises(fit.StartError):
                fit.start_of(run, "freestyle")

    def test_numbers_that_make_no_sense_are_refused(self) -> None:
        for words in ("--threads -1", "--batch 0", "--epochs inf", "--epochs 0", "--rate nan", "--seed -1", "--batch x"):
            with self.assertRaises(SystemExit), redirect_stderr(io.StringIO()):
                parser().parse_args(["fit", "a", "-o", "b", *words.split()])
        for words in ("--size 4", "--size 23", "--count -1"):
            with self.assertRaises(SystemExit), redirect_stderr(io.StringIO()):
                parser().parse_args(["random", "-o", "b", *words.split()])

    def test_a_kernel_of_another_processor_is_not_taken(self) -> None:
        kernel.build()
        failed = subprocess.CalledProcessError(1, "rustc")
        with mock.patch.object(kernel, "processor", return_value="another"):
            with mock.patch.object(subprocess, "run", side_effect=failed), self.assertRaises(type(failed)):
                kernel.build()

    def test_a_run_starts_from_a_network(self) -> None:
        for rule in ("freestyle", "renju"):
            path = self.folder / f"{rule}.net"
            network = report.integer_network(rule, 230, step.State(random_parameters(rule)))
            integer.write(path, network)
            again = report.integer_network(rule, 230, step.State(fit.start_of(path, rule)))
            integer.write(self.folder / "again.net", again)
            self.assertEqual(path.read_bytes(), (self.folder / "again.net").read_bytes())
        tied = fit.start_of(self.folder / "freestyle.net", "renju")
        report.integer_network("renju", 230, step.State(tied))
        (self.folder / "short.net").write_bytes(path.read_bytes()[:50])
        with self.assertRaises(fit.StartError):
            fit.start_of(self.folder / "short.net", "renju")

    def test_scores_are_scaled_to_the_spread_of_a_network(self) -> None:
        config = replace(CONFIGS["small"], batch=128, most_steps=40, reports=1)
        paths = [self.write("a", 9, 3000)]
        plain = fit.fit(config, paths, self.folder / "plain", False)
        network = integer.read(self.folder / "plain" / "freestyle.net")
        reference = replace(network, scale=network.scale // 2, tables=network.tables // 2)
        integer.write(self.folder / "reference.net", reference)
        fit.fit(config, paths, self.folder / "scaled", False, None, self.folder / "reference.net")
        scaled = integer.read(self.folder / "scaled" / "freestyle.net")
        self.assertAlmostEqual(scaled.scale, network.scale / 2, delta=1)
        self.assertAlmostEqual(scaled.tables, network.tables / 2, delta=2)
        np.testing.assert_array_equal(scaled.rows, network.rows)
        found = report.score_spread(report.parameters_of(scaled), scaled.scale, plain.corpus, plain.trainer)
        wanted = report.score_spread(report.parameters_of(reference), reference.scale, plain.corpus, plain.trainer)
        self.assertAlmostEqual(found / wanted, 1, delta=0.02)
        vectors = json.loads((self.folder / "scaled" / "vectors.json").read_text())
        self.assertEqual(vectors["S"], scaled.scale)
        integer.write(self.folder / "other.net", replace(reference, rule="standard"))
        for bad in ("a", "other.net"):
            with self.assertRaises(fit.SpreadError):
                fit.fit(config, paths, self.folder / "bad", False, None, self.folder / bad)

    def test_factors_add_up_to_the_rows(self) -> None:
        p = {name: np.asarray(random_parameters("standard")[name], np.float64) for name in model.TRUNK_NAMES[:4]}
        tables = model.TABLES
        rows = p["pair3"][tables.near[3]] + p["pair2"][tables.near[2]] + p["side"][tables.high] + p["side"][tables.low]
        found = model.factors(rows)
        # Shared parts of rows are found where they share them: nothing is left for the rows of whole lines.
        self.assertLess(np.abs(found["pair"]).max(), 1e-9)
        total = found["pair"] + found["pair3"][tables.near[3]] + found["pair2"][tables.near[2]]
        total += found["side"][tables.high] + found["side"][tables.low]
        np.testing.assert_allclose(total, rows, atol=1e-9)
        sides = model.factors(p["side"][tables.high] + p["side"][tables.low])
        self.assertLess(np.abs(sides["pair2"]).max(), 1e-9)

    def test_vectors_hold_what_the_file_gives(self) -> None:
        corpus = samples.Corpus([self.write("a", 15, 3000)])
        network = report.integer_network("freestyle", 230, step.State(random_parameters("freestyle")))
        report.write_vectors(self.folder / "v.json", network, corpus)
        content = json.loads((self.folder / "v.json").read_text())
        self.assertEqual((content["rule"], content["S"]), ("freestyle", 230))
        vectors = content["positions"]
        self.assertEqual(len(vectors), 20)
        for vector in vectors[:5]:
            cells = np.array([[".XO#".index(cell) for cell in row] for row in vector["cells"]])
            pooled, out, score = integer.evaluate(network, cells, vector["black_to_move"], vector["classical"])
            self.assertEqual((pooled.tolist(), out, score), (vector["g"], vector["out"], vector["score"]))
            self.assertEqual(integer.policy(network, cells, vector["black_to_move"]).tolist(), vector["policy"])
            self.assertEqual(integer.draw(network, cells, vector["black_to_move"]), vector["draw"])
