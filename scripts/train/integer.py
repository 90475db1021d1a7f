"""The engine's network file, and the engine's arithmetic on it in plain integers.

This is the definition that the engine and the trainer's model are held against; it shares no code with the model.
"""

import struct
import zlib
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

MAGIC = b"tengnet7"
TIED_MAGIC = b"tengnet8"
"""Of a file that leaves out what a network of tied colours has twice."""
FORMS = {
    b"tengnet3": (1, 1, False),
    b"tengnet4": (2, 1, False),
    b"tengnet5": (1, 3, False),
    b"tengnet6": (2, 3, False),
    MAGIC: (1, 3, True),
    TIED_MAGIC: (2, 3, True),
}
"""Of how many parts files have one, the kinds of cells in the policy, and whether they have the depthwise layer; the first
four are former ones."""
MIX_ONE = 1 << 14
"""The weight of a cell's own feature that leaves it as it is."""
HEADER = struct.Struct("<16s4H3i")
ROWS = 7381
MOST_SCORE = 20_000
"""The highest score that is no proven win."""
LOGIT = 57_600
POLICY_LOGIT = 450
KINDS = 3
"""The kinds of cells whose features count in the policy of a cell: itself, those beside it, those at its corners."""


@dataclass
class Head:
    """The layers that one side to move has."""

    w1: np.ndarray
    b1: np.ndarray
    w2: np.ndarray
    b2: np.ndarray
    w3: np.ndarray
    b3: int
    v1: np.ndarray
    """The policy's layers from here on."""
    c1: np.ndarray
    v2: np.ndarray
    c2: np.ndarray
    u1: np.ndarray
    """The layers of the draw margin from here on."""
    a1: np.ndarray
    u2: np.ndarray
    a2: np.ndarray
    u3: np.ndarray
    a3: int


@dataclass
class Network:
    """Everything in a network file."""

    rule: str
    scale: int
    """The win scale S: units a logit."""
    tables: int
    """The share K of the tables' score, in 256ths."""
    order: int
    """The scale O of the tables' order: units a logit."""
    rows: np.ndarray
    weights: np.ndarray
    bias: np.ndarray
    mix: np.ndarray
    """The weights of the depthwise layer, by kind of cell and feature."""
    mix_bias: np.ndarray
    heads: tuple[Head, Head]
    """Black's and white's."""


def layout(
    share: int, channels: int, features: int, first: int, second: int, kinds: int = KINDS, has_mix: bool = True
) -> list[tuple[str, tuple[int, ...]]]:
    """Types and shapes of the arrays of a file, in their order; it has one of `share` channels, features and colours."""
    output = [
        ("<i2", (first, features)),
        ("<i4", (first,)),
        ("<i2", (second, first)),
        ("<i4", (second,)),
        ("<i2", (second,)),
        ("<i4", ()),
    ]
    policy = [
        ("<i2", (first, features)),
        ("<i4", (first,)),
        ("<i2", (kinds * features, first)),
        ("<i4", (kinds * features,)),
    ]
    head = [*output, *policy, *output]
    own = features // share
    trunk = [("i1", (ROWS, channels // share)), ("i1", (own, channels)), ("<i4", (own,))]
    mix = [("<i2", (KINDS, own)), ("<i2", (own,))] if has_mix else []
    return [*trunk, *mix, *head * (2 // share)]


def swapped_rows() -> np.ndarray:
    """For every row of the table that with black and white exchanged."""
    sides = []
    for length in range(5):
        digits = np.arange(3**length)[:, None] // 3 ** np.arange(length) % 3
        sides.append((3**length - 1) // 2 + (-digits % 3 * 3 ** np.arange(length)).sum(1))
    swap = np.concatenate(sides)
    one, other = (swap[index] for index in np.tril_indices(len(swap)))
    high, low = np.maximum(one, other), np.minimum(one, other)
    return high * (high + 1) // 2 + low


def exchanged(outputs: np.ndarray) -> np.ndarray:
    """What belongs to the weights of features in the policy with the halves of each kind exchanged."""
    kinds = outputs.reshape(KINDS, -1, *outputs.shape[1:])
    return np.roll(kinds, kinds.shape[1] // 2, 1).reshape(outputs.shape)


def tied(network: Network) -> Network:
    """The network whose other half of channels and features, and white's heads, are made from the first and black's."""
    rows, weights, bias = network.rows.copy(), network.weights.copy(), network.bias.copy()
    channels, features = rows.shape[1] // 2, weights.shape[0] // 2
    rows[:, channels:] = rows[swapped_rows(), :channels]
    weights[features:] = np.roll(weights[:features], channels, 1)
    bias[features:] = bias[:features]
    mix, mix_bias = (np.concatenate([array[..., :features]] * 2, -1) for array in (network.mix, network.mix_bias))
    black = network.heads[0]
    inputs = {name: np.roll(getattr(black, name), features, 1) for name in ("w1", "v1", "u1")}
    outputs = {name: exchanged(getattr(black, name)) for name in ("v2", "c2")}
    heads = black, replace(black, **inputs, **outputs)
    return replace(network, rows=rows, weights=weights, bias=bias, mix=mix, mix_bias=mix_bias, heads=heads)


def is_equal(one: Network, other: Network) -> bool:
    """Whether all numbers of two networks are equal."""
    pairs = [(one, other), *zip(one.heads, other.heads)]
    return all(
        name == "heads" or np.array_equal(value, getattr(right, name))
        for left, right in pairs
        for name, value in vars(left).items()
    )


class FileError(ValueError):
    """A file that is no network, or a damaged one."""


def write(path: Path, network: Network) -> None:
    """Writes a network file, whole or not at all."""
    head = network.heads[0]
    sizes = (network.rows.shape[1], network.weights.shape[0], head.w1.shape[0], head.w2.shape[0])
    payload = HEADER.pack(network.rule.encode(), *sizes, network.scale, network.tables, network.order)
    share = 2 if is_equal(network, tied(network)) else 1
    features = sizes[1] // share
    arrays = [network.rows[:, : sizes[0] // share], network.weights[:features], network.bias[:features]]
    arrays += [network.mix[:, :features], network.mix_bias[:features]]
    for head in network.heads[: 2 // share]:
        arrays += [head.w1, head.b1, head.w2, head.b2, head.w3, np.array(head.b3)]
        arrays += [head.v1, head.c1, head.v2, head.c2]
        arrays += [head.u1, head.a1, head.u2, head.a2, head.u3, np.array(head.a3)]
    for array, (kind, shape) in zip(arrays, layout(share, *sizes), strict=True):
        cast = array.astype(kind)
        if array.shape != shape or not np.array_equal(cast, array):
            raise ValueError(f"an array of {array.shape} does not fit {kind} {shape}")
        payload += cast.tobytes()
    part = path.with_name(path.name + ".part")
    magic = TIED_MAGIC if share == 2 else MAGIC
    part.write_bytes(magic + zlib.compress(payload, 9) + struct.pack("<I", zlib.crc32(payload)))
    part.replace(path)


def read(path: Path) -> Network:
    """Reads a network file, or raises `FileError`."""
    try:
        return decoded(path.read_bytes())
    except (ValueError, struct.error, zlib.error) as error:
        raise FileError(f"{path}: {error}") from error


def decoded(data: bytes) -> Network:
    """The network of a file; one of a former form has no weights of neighbours, in the policy or anywhere."""
    magic = data[: len(MAGIC)]
    if magic not in FORMS:
        raise ValueError("not a network file")
    share, kinds, has_mix = FORMS[magic]
    payload = zlib.decompress(data[len(MAGIC) : -4])
    if struct.unpack("<I", data[-4:])[0] != zlib.crc32(payload):
        raise ValueError("damaged")
    rule, *sizes, scale, tables, order = HEADER.unpack_from(payload)
    at, arrays = HEADER.size, []
    for kind, shape in layout(share, *sizes, kinds, has_mix):
        count = int(np.prod(shape))
        arrays.append(np.frombuffer(payload, kind, count, at).reshape(shape).astype(np.int64))
        at += arrays[-1].size * np.dtype(kind).itemsize
    if at != len(payload):
        raise ValueError(f"{len(payload) - at} bytes too many")
    missing = (share - 1) * np.array([sizes[0], sizes[1], sizes[1]]) // 2
    rows = np.pad(arrays[0], ((0, 0), (0, missing[0])))
    weights, bias = np.pad(arrays[1], ((0, missing[1]), (0, 0))), np.pad(arrays[2], (0, missing[2]))
    if not has_mix:
        own = len(arrays[2])
        arrays[3:3] = np.outer((MIX_ONE, 0, 0), np.ones(own, np.int64)), np.zeros(own, np.int64)
    mix, mix_bias = np.pad(arrays[3], ((0, 0), (0, missing[2]))), np.pad(arrays[4], (0, missing[2]))

    def head(values: list[np.ndarray]) -> Head:
        missing = (0, (KINDS - kinds) * sizes[1])
        values[8:10] = np.pad(values[8], (missing, (0, 0))), np.pad(values[9], missing)
        return Head(*values[:5], int(values[5]), *values[6:15], int(values[15]))

    heads = head(arrays[5:21]), head(arrays[-16:])
    network = Network(rule.rstrip(b"\0").decode(), scale, tables, order, rows, weights, bias, mix, mix_bias, heads)
    return tied(network) if share == 2 else network


def line_rows(cells: np.ndarray) -> np.ndarray:
    """The four rows of every cell of a board of rows of cells (0 empty, 1 black, 2 white, 3 wall)."""
    height, width = cells.shape
    padded = np.pad(cells.astype(np.int64), 4, constant_values=3)
    out = []
    for dy, dx in ((0, 1), (1, 0), (1, 1), (1, -1)):
        codes = []
        for sign in (1, -1):
            near = [
                padded[4 + sign * k * dy : 4 + sign * k * dy + height, 4 + sign * k * dx : 4 + sign * k * dx + width]
                for k in range(1, 5)
            ]
            code = np.zeros((height, width), np.int64)
            # From the farthest on: a wall forgets what lies behind it.
            length, value, place = code.copy(), code.copy(), code + 1
            for cell in reversed(near):
                wall = cell == 3
                value = np.where(wall, 0, cell * place + value)
                place = np.where(wall, 1, 3 * place)
                length = np.where(wall, 0, length + 1)
            codes.append((3**length - 1) // 2 + value)
        high, low = np.maximum(*codes), np.minimum(*codes)
        out.append(high * (high + 1) // 2 + low)
    return np.stack(out, -1)


def truncated(value: int, divisor: int) -> int:
    """The quotient, rounded towards zero."""
    return abs(value) // divisor * (1 if value >= 0 else -1)


def around(features: np.ndarray, cells: np.ndarray) -> np.ndarray:
    """By kind of cell the sums of the features of the empty cells of that kind around every empty cell."""
    board = np.zeros((cells.shape[0] + 2, cells.shape[1] + 2, features.shape[1]), np.int64)
    board[1:-1, 1:-1][cells == 0] = features
    near = np.zeros((KINDS, *cells.shape, features.shape[1]), np.int64)
    for dy in range(3):
        for dx in range(3):
            near[abs(dy - 1) + abs(dx - 1)] += board[dy : dy + cells.shape[0], dx : dx + cells.shape[1]]
    return near[:, cells == 0]


def cell_features(network: Network, cells: np.ndarray) -> np.ndarray:
    """The features of every empty cell in reading order."""
    sums = network.rows[line_rows(cells)[cells == 0]].sum(1)
    activation = np.clip(sums, 0, 127)
    features = np.clip(activation @ network.weights.T + network.bias >> 6, 0, 255)
    own, beside, corners = around(features, cells) * network.mix[:, None]
    mixed = own >> 10
    for part in (beside >> 11, corners >> 11, network.mix_bias):
        mixed = np.clip(mixed + part, -32768, 32767)
    return np.clip(mixed >> 4, 0, 255)


def output(pooled: np.ndarray, weights: tuple[np.ndarray, ...], biases: tuple) -> int:
    """What a head of two hidden layers says of pooled features."""
    x = np.minimum(pooled >> 6, 32767)
    y1 = np.clip(biases[0] + weights[0] @ x >> 12, 0, 32767)
    y2 = np.clip(biases[1] + weights[1] @ y1 >> 8, 0, 32767)
    return int(biases[2] + weights[2] @ y2)


def draw(network: Network, cells: np.ndarray, black: bool) -> int:
    """What the head of the draw margin says of a position: softplus of it, in logits, is the margin."""
    pooled = (cell_features(network, cells) ** 2).sum(0)
    head = network.heads[0 if black else 1]
    return output(pooled, (head.u1, head.u2, head.u3), (head.a1, head.a2, head.a3))


def evaluate(network: Network, cells: np.ndarray, black: bool, classical: int) -> tuple[np.ndarray, int, int]:
    """Pooled features, output, and score of a position."""
    pooled = (cell_features(network, cells) ** 2).sum(0)
    head = network.heads[0 if black else 1]
    out = output(pooled, (head.w1, head.w2, head.w3), (head.b1, head.b2, head.b3))
    score = truncated(classical * network.tables, 256) + truncated(out * network.scale, LOGIT)
    return pooled, out, max(-MOST_SCORE, min(MOST_SCORE, score))


def policy(network: Network, cells: np.ndarray, black: bool) -> np.ndarray:
    """The policy of every empty cell in reading order."""
    features = cell_features(network, cells)
    head = network.heads[0 if black else 1]
    x = np.minimum((features**2).sum(0) >> 6, 32767)
    q = np.clip(head.c1 + head.v1 @ x >> 12, 0, 32767)
    w = np.clip(head.c2 + head.v2 @ q >> 12, -63, 63).reshape(KINDS, -1)
    return np.einsum("kcf,kf->c", around(features, cells), w)
