"""The network in JAX: the engine's integers as floats, with gradients straight through the rounding.

Parameters are real numbers near one; `quantised` makes the engine's integers of them. All integers of the trunk
are below 2^24 where they matter, so 32-bit floats hold them exactly; those of the head may be off by one where a
sum lies at the edge of a step.
"""

from functools import partial
from typing import NamedTuple

import jax
import jax.numpy as jnp
import numpy as np

from . import lines
from .config import CHANNELS, FEATURES, HIDDEN, UNTIED_RULES

Parameters = dict[str, jax.Array]

ROW_SCALE = 32
WEIGHT_SCALE = 64
BIAS_SCALE = ROW_SCALE * WEIGHT_SCALE
POOL_SCALE = 3600
"""A pooled feature of one, as the head reads it."""
HEAD_SCALE = 256
HIDDEN_SCALE = 225
LOGIT_SCALE = HEAD_SCALE * HIDDEN_SCALE
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


def clamp(value: jax.Array, high: float) -> jax.Array:
    """`value` between 0 and `high`; no gradient at the ends."""
    return jnp.where((value > 0) & (value < high), value, jax.lax.stop_gradient(jnp.clip(value, 0, high)))


class Trunk(NamedTuple):
    """Rows, weights and biases: integers in floats."""

    rows: jax.Array
    weights: jax.Array
    bias: jax.Array


class Tables:
    """Where the rows of the factors are, by row of the full table."""

    def __init__(self) -> None:
        self.high, self.low = lines.pairs()
        self.near = {reach: lines.pairs_of(reach) for reach in (2, 3)}
        self.swap = lines.swapped()


TABLES = Tables()


def initial(rule: str, seed: int) -> Parameters:
    """Parameters to begin with: about half of the activations alive, the logit near that of the tables."""
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
        "W1": normal(0, (2 / FEATURES) ** 0.5, heads, HIDDEN, FEATURES),
        "b1": normal(0.1, 0.1, heads, HIDDEN),
        "W2": normal(0, (2 / HIDDEN) ** 0.5, heads, HIDDEN, HIDDEN),
        "b2": normal(0.1, 0.1, heads, HIDDEN),
        "w3": normal(0, 0.02, heads, HIDDEN),
        "b3": np.zeros(heads),
        "tables": np.ones(()),
    }
    return {name: jnp.asarray(value, jnp.float32) for name, value in start.items()}


TRUNK_NAMES = ("pair", "pair3", "pair2", "side", "weights", "bias")
LIMITS = {
    "weights": BYTE / WEIGHT_SCALE,
    "W1": HEAD_LIMIT / HEAD_SCALE,
    "W2": HEAD_LIMIT / HEAD_SCALE,
    "w3": HEAD_LIMIT / HEAD_SCALE,
}
"""How far parameters may go; those of rows are cut where they are summed."""


def trunk_of(parameters: Parameters) -> Trunk:
    """The full table of rows and the weights, quantised; both colours' views of them where they are tied."""
    p = parameters
    side = p["side"]
    rows = p["pair"] + p["pair3"][TABLES.near[3]] + p["pair2"][TABLES.near[2]] + side[TABLES.high] + side[TABLES.low]
    weights, bias = p["weights"], p["bias"]
    if rows.shape[1] < CHANNELS:
        rows = jnp.concatenate([rows, rows[TABLES.swap]], 1)
        weights = jnp.concatenate([weights, jnp.roll(weights, CHANNELS // 2, 1)])
        bias = jnp.concatenate([bias, bias])
    return Trunk(
        quantise(rows, ROW_SCALE, BYTE),
        quantise(weights, WEIGHT_SCALE, BYTE),
        quantise(bias, BIAS_SCALE, 2**23),
    )


def integer_heads(parameters: Parameters) -> Parameters:
    """The heads, quantised."""
    p = parameters
    return {
        "W1": quantise(p["W1"], HEAD_SCALE, HEAD_LIMIT),
        "b1": quantise(p["b1"], HEAD_SCALE * POOL_SCALE, 2**30),
        "W2": quantise(p["W2"], HEAD_SCALE, HEAD_LIMIT),
        "b2": quantise(p["b2"], LOGIT_SCALE, 2**30),
        "w3": quantise(p["w3"], HEAD_SCALE, HEAD_LIMIT),
        "b3": quantise(p["b3"], LOGIT_SCALE, 2**30),
        "tables": quantise(p["tables"], HEAD_SCALE, 2**20),
    }


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


def row_ids(packed: jax.Array, symmetries: jax.Array, width: int, height: int) -> tuple[jax.Array, jax.Array]:
    """Of records' packed cells the rows of each cell's four lines, and whether the cell is empty."""
    digits = packed[:, :, None].astype(jnp.int32) >> jnp.array([0, 2, 4, 6]) & 3
    cells = digits.reshape(len(packed), -1)[:, : width * height]
    cells = jnp.take_along_axis(cells, jnp.asarray(places(width, height))[symmetries], 1)
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


def pooled(trunk: Trunk, rows: jax.Array, empty: jax.Array) -> jax.Array:
    """The pooled features of boards: the trunk of the network, for devices without the native one."""
    sums = trunk.rows[rows[:, :, 0]]
    for direction in range(1, 4):
        sums = sums + trunk.rows[rows[:, :, direction]]
    activation = clamp(sums, BYTE)
    features = activation @ trunk.weights.T + trunk.bias
    features = clamp(shift(features, 64), 255) * empty[:, :, None]
    return (features * features).sum(1)


def logits(heads: Parameters, features: jax.Array, black: jax.Array, tables: jax.Array) -> jax.Array:
    """The value for the side to move, from pooled features and the tables' logit."""
    x = jnp.minimum(jnp.floor(features / 64), WORD)
    x = jax.lax.stop_gradient(x) + jnp.where(features < 64 * WORD, features - jax.lax.stop_gradient(features), 0) / 64

    def head(index: int, x: jax.Array) -> jax.Array:
        y = clamp(shift(x @ heads["W1"][index].T + heads["b1"][index], 1 << 12), WORD)
        y = clamp(shift(y @ heads["W2"][index].T + heads["b2"][index], 1 << 8), WORD)
        return y @ heads["w3"][index] + heads["b3"][index]

    if len(heads["W1"]) == 1:
        out = head(0, jnp.where(black[:, None], x, jnp.roll(x, FEATURES // 2, 1)))
    else:
        out = jnp.where(black, head(0, x), head(1, x))
    return out / LOGIT_SCALE + heads["tables"] / HEAD_SCALE * tables


def cross_entropy(logit: jax.Array, target: jax.Array) -> jax.Array:
    """The logistic loss of each sample, in nats."""
    return jax.nn.softplus(logit) - target * logit


def head_loss(
    parameters: Parameters, features: jax.Array, black: jax.Array, tables: jax.Array, target: jax.Array
) -> jax.Array:
    """The mean loss of a batch whose pooled features are known."""
    return cross_entropy(logits(integer_heads(parameters), features, black, tables), target).mean()
