"""Cells of a board."""

from __future__ import annotations

from typing import NamedTuple, Tuple, Union


class Point(NamedTuple):
    """A cell of a board: a pair of numbers, whose text is the cell's name, such as ``h8``.

    Rows count from the top, as in files and in the protocol. Printed games of renju count them from the
    bottom; :func:`tengen.read_moves` reads those too.
    """

    x: int
    """The column, from 0 at the left."""

    y: int
    """The row, from 0 at the top."""

    def __str__(self) -> str:
        return f"{chr(ord('a') + self.x)}{self.y + 1}"


Cell = Union[str, Tuple[int, int]]
"""A cell as functions take it: a name such as ``"h8"``, or a column and a row counted from 0, as :class:`Point` is."""
