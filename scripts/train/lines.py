"""Codes of line sides, rows of their pairs, and the maps between tables of rows.

A side is the run of at most four cells beside an empty cell, nearest first, cut by edge or wall. Its code is
`(3^n - 1) / 2 + sum of s_i 3^(n - 1 - i)`; the row of a pair is `high (high + 1) / 2 + low`.
"""

import numpy as np

REACH = 4
SIDES = (3 ** (REACH + 1) - 1) // 2
ROWS = SIDES * (SIDES + 1) // 2
WALL = 3


def side_count(reach: int) -> int:
    """Codes of sides of at most `reach` cells."""
    return (3 ** (reach + 1) - 1) // 2


def pair_row(one: np.ndarray, other: np.ndarray) -> np.ndarray:
    """The row of pairs of side codes."""
    high, low = np.maximum(one, other), np.minimum(one, other)
    return high * (high + 1) // 2 + low


def side_digits() -> list[tuple[int, ...]]:
    """The cells of every side code, nearest first."""
    sides: list[tuple[int, ...]] = []
    for length in range(REACH + 1):
        for value in range(3**length):
            sides.append(tuple(value // 3 ** (length - 1 - i) % 3 for i in range(length)))
    return sides


def side_code(digits: tuple[int, ...]) -> int:
    """The code of a side."""
    value = 0
    for digit in digits:
        value = 3 * value + digit
    return (3 ** len(digits) - 1) // 2 + value


def shortened(reach: int) -> np.ndarray:
    """For every side code that of its nearest `reach` cells."""
    return np.array([side_code(side[:reach]) for side in side_digits()], np.int32)


def pairs() -> tuple[np.ndarray, np.ndarray]:
    """The higher and the lower side code of every row."""
    high, low = np.tril_indices(SIDES)
    return high.astype(np.int32), low.astype(np.int32)


def pairs_of(reach: int) -> np.ndarray:
    """For every row that of the pair of its sides' nearest `reach` cells."""
    high, low = pairs()
    short = shortened(reach)
    return pair_row(short[high], short[low])


def swapped_sides() -> np.ndarray:
    """For every side code that with black and white exchanged."""
    return np.array([side_code(tuple((0, 2, 1)[digit] for digit in side)) for side in side_digits()], np.int32)


def swapped(reach: int = REACH) -> np.ndarray:
    """For every row of sides of at most `reach` cells that with black and white exchanged."""
    high, low = np.tril_indices(side_count(reach))
    swap = swapped_sides()
    return pair_row(swap[high], swap[low])
