"""The network in JAX: the engine's integers as floats, with gradients straight through the rounding.

Parameters are real numbers near one; `quantised` makes the engine's integers of them. All integers of the trunk
are below 2^24 where they matter, so 32-bit floats hold them exactly; layers of the heads are summed in 32-bit integers.
"""

from functools import partial
from typing import NamedTuple

import jax
import jax.numpy as jnp
import numpy as np

from . import lines
from .config import CHANNELS, FEATURES, HIDDEN, KINDS, UNTIED_RULES
from .samples import BEST, ORDER_STEP, USUAL_ORDER_SCALE

Parameters = dict[str, jax.Array]

ROW_SCALE = 32
WEIGHT_SCALE = 64
BIAS_SCALE = ROW_SCALE * WEIGHT_SCALE
MIX_SCALES = (1 << 14, 1 << 15, 1 << 15)
"""The integers of a weight of one in the depthwise layer, by kind of cell."""
MIX_BIAS_SCALE = 512
"""A bias of one there: what a sum of one is in the pointwise layer, as a mixed feature."""
POOL_SCALE = 3600
"""A pooled feature of one, as the head reads it."""
HEAD_SCALE = 256
HIDDEN_SCALE = 225
LOGIT_SCALE = HEAD_SCALE * HIDDEN_SCALE
POLICY_SCALE = LOGIT_SCALE / 4096
"""A policy's weight of one."""
POLICY_LIMIT = 63
POLICY_LOGIT = 450
BYTE = 127
WORD = 32767
HEAD_LIMIT = 1023


@partial(jax.custom_jvp, nondiff_argnums=(1, 2))
def quantise(value: jax.Array, scale: float, limit: float) -> jax.Array:
    """`value` in steps of 1/`scale`, as integers of at most `limit`."""
    return jnp.clip(jnp.round(value * scale), -limit, limit)


@quantise.defjvp
def _(scale, limit, primals, tangents):
    return quantise(primals[0], scale, limit), tangents[0] * scale


@partial(jax.custom_jvp, nondiff_argnums=(1,))
def shift(value: jax.Array, step: float) -> jax.Array:
    """`value / step`, rounded down."""
    return jnp.floor(value / step)


@shift.defjvp
def _(step, primals, tangents):
    return shift(primals[0], step), tangents[0] / step


@partial(jax.custom_jvp, nondiff_argnums=(3,))
def layer(weights: jax.Array, bias: jax.Array, inputs: jax.Array, bits: int) -> jax.Array:
    """`bias` plus the products of inputs and weights, shifted down, of integers whose sums need 32 bits."""
    weights, bias, inputs = (array.astype(jnp.int32) for array in (weights, bias, inputs))
    return (inputs @ weights.T + bias >> bits).astype(jnp.float32)


@layer.defjvp
def _(bits, primals, tangents):
    (weights, _, inputs), (weights_tangent, bias_tangent, inputs_tangent) = primals, tangents
    tangent = inputs_tangent @ weights.T + inputs @ weights_tangent.T + bias_tangent
    return layer(*primals, bits), tangent / (1 << bits)


@jax.custom_jvp
def order_step(value: jax.Array) -> jax.Array:
    """The logits in a step of the tables' order, whose scale is a whole number; `value` is a logarithm."""
    return ORDER_STEP / order_scale(value)


@order_step.defjvp
def _(primals, tangents):
    return order_step(*primals), -order_step(*primals) * tangents[0]


def order_scale(value: jax.Array) -> jax.Array:
    """The scale of the tables' order, in units a logit."""
    return jnp.clip(jnp.round(USUAL_ORDER_SCALE * jnp.exp(value)), 1, 2**16 - 1)


def clamp(value: jax.Array, high: float, low: float = 0) -> jax.Array:
    """`value` between `low` and `high`; no gradient at the ends."""
    return jnp.where((value > low) & (value < high), value, jax.lax.stop_gradient(jnp.clip(value, low, high)))


@partial(jax.custom_jvp, nondiff_argnums=(2,))
def shifted_product(one: jax.Array, other: jax.Array, bits: int) -> jax.Array:
    """The products of integers, which need 32 bits, shifted down."""
    return (one.astype(jnp.int32) * other.astype(jnp.int32) >> bits).astype(jnp.float32)


@shifted_product.defjvp
def _(bits, primals, tangents):
    (one, other), (one_tangent, other_tangent) = primals, tangents
    return shifted_product(one, other, bits), (one_tangent * other + one * other_tangent) / (1 << bits)


class Trunk(NamedTuple):
    """Rows, weights and biases, and those of the depthwise layer: integers in floats."""

    rows: jax.Array
    weights: jax.Array
    bias: jax.Array
    mix: jax.Array
    mix_bias: jax.Array


class Tables:
    """Where the rows of the factors are, by row of the full table."""

    def __init__(self) -> None:
        self.high, self.low = lines.pairs()
        self.near = {reach: lines.pairs_of(reach) for reach in (2, 3)}
        self.swap = lines.swapped()


TABLES = Tables()


def initial(rule: str, seed: int, order_scale: float = USUAL_ORDER_SCALE) -> Parameters:
    """Parameters to begin with: about half of the activations alive, value and policy near those of the tables."""
    generator = np.random.default_rng([seed, 0x1217])
    tied = rule not in UNTIED_RULES
    own, features, heads = (CHANNELS // 2, FEATURES // 2, 1) if tied else (CHANNELS, FEATURES, 2)

    def normal(mean: float, deviation: float, *shape: int) -> np.ndarray:
        return generator.normal(mean, deviation, shape)

    def pairs(reach: int) -> np.ndarray:
        count = lines.side_count(reach)
        return np.zeros((count * (count + 1) // 2, own))

    start = {
        "pair": np.zeros((lines.ROWS, own)),
        "pair3": pairs(3),
        "pair2": pairs(2),
        "side": normal(0.05, 0.15, lines.SIDES, own),
        "weights": normal(0, (2 / CHANNELS) ** 0.5, features, CHANNELS),
        "bias": np.zeros(features),
        "mix": np.outer((1, 0, 0), np.ones(features)),
        "mix_bias": np.zeros(features),
        "W1": normal(0, (2 / FEATURES) ** 0.5, heads, HIDDEN, FEATURES),
        "b1": normal(0.1, 0.1, heads, HIDDEN),
        "W2": normal(0, (2 / HIDDEN) ** 0.5, heads, HIDDEN, HIDDEN),
        "b2": normal(0.1, 0.1, heads, HIDDEN),
        "w3": normal(0, 0.02, heads, HIDDEN),
        "b3": np.zeros(heads),
        "tables": np.ones(()),
        "V1": normal(0, (2 / FEATURES) ** 0.5, heads, HIDDEN, FEATURES),
        "c1": normal(0.1, 0.1, heads, HIDDEN),
        "V2": normal(0, 0.005, heads, KINDS * FEATURES, HIDDEN),
        "c2": np.full((heads, KINDS * FEATURES), 0.5 / POLICY_SCALE),
        "order": np.log(order_scale / USUAL_ORDER_SCALE),
        "U1": normal(0, (2 / FEATURES) ** 0.5, heads, HIDDEN, FEATURES),
        "a1": normal(0.1, 0.1, heads, HIDDEN),
        "U2": normal(0, (2 / HIDDEN) ** 0.5, heads, HIDDEN, HIDDEN),
        "a2": normal(0.1, 0.1, heads, HIDDEN),
        "u3": normal(0, 0.02, heads, HIDDEN),
        "a3": np.full(heads, -2.0),
    }
    return {name: jnp.asarray(value, jnp.float32) for name, value in start.items()}


VALUE_NAMES = ("W1", "b1", "W2", "b2", "w3", "b3")
POLICY_NAMES = ("V1", "c1", "V2", "c2")
DRAW_NAMES = ("U1", "a1", "U2", "a2", "u3", "a3")
HEAD_SCALES = {
    name: HEAD_SCALE if place % 2 == 0 else HEAD_SCALE * POOL_SCALE if place == 1 else LOGIT_SCALE
    for names in (VALUE_NAMES, POLICY_NAMES, DRAW_NAMES)
    for place, name in enumerate(names)
}
"""The integers of one, for the weights and biases of heads: weights are at even places."""
TRUNK_NAMES = ("pair", "pair3", "pair2", "side", "weights", "bias", "mix", "mix_bias")
LIMITS = {
    "weights": BYTE / WEIGHT_SCALE,
    "order": 5.0,
    "mix": np.array([[WORD / scale] for scale in MIX_SCALES], np.float32),
    **{
        name: HEAD_LIMIT / HEAD_SCALE
        for names in (VALUE_NAMES, POLICY_NAMES, DRAW_NAMES)
        for name in names[::2]
    },
}
"""How far parameters may go; those of rows are cut where they are summed."""


def untied(parameters: Parameters) -> Parameters:
    """The parameters of tied colours as those of untied ones that give the same."""
    half = FEATURES // 2
    p = {name: np.asarray(array) for name, array in parameters.items()}
    swaps = {"pair": TABLES.swap, "pair3": lines.swapped(3), "pair2": lines.swapped(2), "side": lines.swapped_sides()}
    after = {name: jnp.asarray(np.concatenate([p[name], p[name][swap]], 1)) for name, swap in swaps.items()}
    after["weights"] = jnp.asarray(np.concatenate([p["weights"], np.roll(p["weights"], CHANNELS // 2, 1)]))
    for name in ("bias", "mix", "mix_bias"):
        after[name] = jnp.asarray(np.concatenate([p[name], p[name]], -1))
    inputs = ("W1", "V1", "U1")
    for name in p:
        if name not in after:
            array = p[name]
            view = np.roll(array, half, 2) if name in inputs else array
            if name in ("V2", "c2"):
                kinds = array.reshape(1, KINDS, FEATURES, -1)
                view = np.roll(kinds, half, 2).reshape(array.shape)
            after[name] = jnp.asarray(np.concatenate([array, view]) if array.ndim else array)
    return {name: after[name] for name in p}


def factors(rows: np.ndarray) -> dict[str, np.ndarray]:
    """Factors whose sums are these rows: as much as possible in those that many rows share."""
    square = np.zeros((lines.SIDES, lines.SIDES, rows.shape[1]))
    square[TABLES.high, TABLES.low] = square[TABLES.low, TABLES.high] = rows
    side = square.mean(1) - square.mean((0, 1)) / 2
    left = rows - side[TABLES.high] - side[TABLES.low]
    found = {"side": side}
    for reach in (2, 3):
        near = TABLES.near[reach]
        shared = np.zeros((near.max() + 1, rows.shape[1]))
        np.add.at(shared, near, left)
        shared /= np.bincount(near)[:, None]
        left = left - shared[near]
        found[f"pair{reach}"] = shared
    return {**found, "pair": left}


def trunk_of(parameters: Parameters) -> Trunk:
    """The full table of rows and the weights, quantised; both colours' views of them where they are tied."""
    p = parameters
    side = p["side"]
    rows = p["pair"] + p["pair3"][TABLES.near[3]] + p["pair2"][TABLES.near[2]] + side[TABLES.high] + side[TABLES.low]
    weights, bias, mix, mix_bias = p["weights"], p["bias"], p["mix"], p["mix_bias"]
    if rows.shape[1] < CHANNELS:
        rows = jnp.concatenate([rows, rows[TABLES.swap]], 1)
        weights = jnp.concatenate([weights, jnp.roll(weights, CHANNELS // 2, 1)])
        bias, mix, mix_bias = (jnp.concatenate([array, array], -1) for array in (bias, mix, mix_bias))
    return Trunk(
        quantise(rows, ROW_SCALE, BYTE),
        quantise(weights, WEIGHT_SCALE, BYTE),
        quantise(bias, BIAS_SCALE, 2**23),
        jnp.stack([quantise(weights, scale, WORD) for weights, scale in zip(mix, MIX_SCALES, strict=True)]),
        quantise(mix_bias, MIX_BIAS_SCALE, WORD),
    )


def integer_heads(parameters: Parameters) -> Parameters:
    """The heads, quantised."""
    limits = {name: HEAD_LIMIT if name in LIMITS else 2**30 for name in HEAD_SCALES}
    integers = {name: quantise(parameters[name], scale, limits[name]) for name, scale in HEAD_SCALES.items()}
    return {"tables": quantise(parameters["tables"], HEAD_SCALE, 2**20), **integers}


def places(width: int, height: int) -> np.ndarray:
    """For every symmetry the cell of the record that each cell shows (`placements` of kernel.rs, inverted)."""
    cells = np.arange(width * height).reshape(height, width)
    views = []
    for symmetry in range(8 if width == height else 4):
        view = cells
        if symmetry & 1:
            view = view[:, ::-1]
        if symmetry & 2:
            view = view[::-1]
        if symmetry & 4:
            view = view.T
        views.append(view.reshape(-1))
    return np.array(views, np.int32)


def turned(cells: jax.Array, symmetries: jax.Array, width: int, height: int) -> jax.Array:
    """What records say of cells, as their symmetries show it."""
    return jnp.take_along_axis(cells, jnp.asarray(places(width, height))[symmetries], 1)


def choices(moves: jax.Array, symmetries: jax.Array, width: int, height: int) -> jax.Array:
    """Whether a cell is the move, as symmetries show it."""
    return jnp.asarray(places(width, height))[symmetries] == moves[:, None]


def row_ids(packed: jax.Array, symmetries: jax.Array, width: int, height: int) -> tuple[jax.Array, jax.Array]:
    """Of records' packed cells the rows of each cell's four lines, and whether the cell is empty."""
    digits = packed[:, :, None].astype(jnp.int32) >> jnp.array([0, 2, 4, 6]) & 3
    cells = turned(digits.reshape(len(packed), -1)[:, : width * height], symmetries, width, height)
    reach = lines.REACH
    grid = jnp.pad(
        cells.reshape(-1, height, width), ((0, 0), (reach, reach), (reach, reach)), constant_values=lines.WALL
    )

    def side(dx: int, dy: int) -> jax.Array:
        code = jnp.zeros((len(packed), height, width), jnp.int32)
        length_offset, power = code, 1
        open_line = jnp.ones(code.shape, bool)
        for k in range(1, reach + 1):
            y, x = reach + k * dy, reach + k * dx
            cell = grid[:, y : y + height, x : x + width]
            open_line &= cell != lines.WALL
            code = jnp.where(open_line, 3 * code + cell, code)
            length_offset = jnp.where(open_line, length_offset + power, length_offset)
            power *= 3
        return code + length_offset

    rows = []
    for dx, dy in ((1, 0), (0, 1), (1, 1), (-1, 1)):
        one, other = side(dx, dy), side(-dx, -dy)
        high, low = jnp.maximum(one, other), jnp.minimum(one, other)
        rows.append((high * (high + 1) // 2 + low).reshape(len(packed), -1))
    return jnp.stack(rows, 2), cells == 0


def cell_features(trunk: Trunk, rows: jax.Array, empty: jax.Array) -> jax.Array:
    """The features of the cells of boards, 0 where not empty: the trunk, for devices without the native one."""
    sums = trunk.rows[rows[:, :, 0]]
    for direction in range(1, 4):
        sums = sums + trunk.rows[rows[:, :, direction]]
    activation = clamp(sums, BYTE)
    features = activation @ trunk.weights.T + trunk.bias
    return clamp(shift(features, 64), 255) * empty[:, :, None]


def around(features: jax.Array, width: int, height: int) -> list[jax.Array]:
    """The features of the cells of boards, summed over the cells of each kind around each cell."""
    board = jnp.pad(features.reshape(-1, height, width, FEATURES), ((0, 0), (1, 1), (1, 1), (0, 0)))
    near = [0] * KINDS
    for dy in range(3):
        for dx in range(3):
            near[abs(dy - 1) + abs(dx - 1)] += board[:, dy : dy + height, dx : dx + width]
    return [sums.reshape(features.shape) for sums in near]


def mixed_features(trunk: Trunk, rows: jax.Array, empty: jax.Array, width: int, height: int) -> jax.Array:
    """The features of cells after the depthwise layer, 0 where not empty."""
    near = around(cell_features(trunk, rows, empty), width, height)
    own, beside, corners = (
        shifted_product(sums, jnp.broadcast_to(weights, sums.shape), bits)
        for sums, weights, bits in zip(near, trunk.mix, (10, 11, 11), strict=True)
    )
    sums = own
    for part in (beside, corners, jnp.broadcast_to(trunk.mix_bias, own.shape)):
        sums = clamp(sums + part, WORD, -WORD - 1)
    return clamp(shift(sums, 16), 255) * empty[:, :, None]


def pooled(features: jax.Array) -> jax.Array:
    """The pooled features of boards."""
    return (features * features).sum(1)


def inputs(features: jax.Array) -> jax.Array:
    """Pooled features as heads read them."""
    x = jnp.minimum(jnp.floor(features / 64), WORD)
    return jax.lax.stop_gradient(x) + jnp.where(
        features < 64 * WORD, features - jax.lax.stop_gradient(features), 0
    ) / 64


def outputs(heads: Parameters, names: tuple[str, ...], features: jax.Array, black: jax.Array) -> jax.Array:
    """What heads of two hidden layers, the parameters of these names, say for the side to move, in logits."""
    x = inputs(features)
    weights1, bias1, weights2, bias2, weights3, bias3 = (heads[name] for name in names)

    def head(index: int, x: jax.Array) -> jax.Array:
        y = clamp(layer(weights1[index], bias1[index], x, 12), WORD)
        y = clamp(layer(weights2[index], bias2[index], y, 8), WORD)
        return y @ weights3[index] + bias3[index]

    if len(weights1) == 1:
        out = head(0, jnp.where(black[:, None], x, jnp.roll(x, FEATURES // 2, 1)))
    else:
        out = jnp.where(black, head(0, x), head(1, x))
    return out / LOGIT_SCALE


def logits(heads: Parameters, features: jax.Array, black: jax.Array, tables: jax.Array) -> jax.Array:
    """The value for the side to move, from pooled features and the tables' logit."""
    return outputs(heads, VALUE_NAMES, features, black) + heads["tables"] / HEAD_SCALE * tables


def draw_margins(heads: Parameters, features: jax.Array, black: jax.Array) -> jax.Array:
    """The value at which a win is as likely as not, from pooled features; nothing else learns from it."""
    return jax.nn.softplus(outputs(heads, DRAW_NAMES, jax.lax.stop_gradient(features), black))


def result_losses(logit: jax.Array, margin: jax.Array, result: jax.Array) -> jax.Array:
    """The cross-entropy of results (0 lost, 1 drawn, 2 won) at a value and a draw margin: Rao and Kupper's model."""
    above, below = jax.nn.log_sigmoid(logit - margin), jax.nn.log_sigmoid(-logit - margin)
    # σ(v + m) - σ(v - m) as a product: 2 sinh m · e^-v · σ(v + m) · σ(v - m).
    twice_sinh = margin + jnp.log(-jnp.expm1(-2 * margin) + 1e-12)
    drawn = twice_sinh - logit + jax.nn.log_sigmoid(logit + margin) + above
    return -jnp.where(result == 1, drawn, jnp.where(result == 2, above, below))


def policy_weights(heads: Parameters, features: jax.Array, black: jax.Array) -> jax.Array:
    """The policy's weights of features for the side to move, by kind of cell, from pooled features."""
    x, black = inputs(features), black[:, None]

    def head(index: int, x: jax.Array) -> jax.Array:
        q = clamp(layer(heads["V1"][index], heads["c1"][index], x, 12), WORD)
        return clamp(layer(heads["V2"][index], heads["c2"][index], q, 12), POLICY_LIMIT, -POLICY_LIMIT)

    if len(heads["V1"]) == 1:
        weights = head(0, jnp.where(black, x, jnp.roll(x, FEATURES // 2, 1))).reshape(-1, KINDS, FEATURES)
        return jnp.where(black[:, None], weights, jnp.roll(weights, FEATURES // 2, 2))
    return jnp.where(black, head(0, x), head(1, x)).reshape(-1, KINDS, FEATURES)


def policies(features: jax.Array, weights: jax.Array, width: int, height: int) -> jax.Array:
    """The policy of every cell, from the features of cells, which are 0 where not empty."""
    near = around(features, width, height)
    return sum(jnp.einsum("bcf,bf->bc", near[kind], weights[:, kind]) for kind in range(KINDS))


def policy_logits(policies: jax.Array, step: jax.Array, orders: jax.Array) -> jax.Array:
    """The logits of candidates; far below all others where a cell is none."""
    behind = BEST - orders.astype(jnp.float32)
    return jnp.where(orders != 0, policies / POLICY_LOGIT - step * behind, -1e30)


def choice_losses(logits: jax.Array, chosen: jax.Array) -> tuple[jax.Array, jax.Array]:
    """The cross-entropy of the moves, and whether they are first: a half if two are first, and so on."""
    move = jnp.where(chosen, logits, 0).sum(1)
    top = logits.max(1)
    first = (move == top) / (logits == top[:, None]).sum(1)
    return jax.nn.logsumexp(logits, 1) - move, first


def cross_entropy(logit: jax.Array, target: jax.Array) -> jax.Array:
    """The logistic loss of each sample, in nats."""
    return jax.nn.softplus(logit) - target * logit
