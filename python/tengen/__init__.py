"""Gomoku and Renju: the board and its rules, the engine tengen, proofs of wins, and records of games.

    >>> import tengen
    >>> board = tengen.Board("h8 i9 h9", rule="renju")
    >>> str(board.play("h7"))
    'h7'
    >>> engine = tengen.Engine()
    >>> result = engine.search(board, nodes=2_000)
    >>> board.is_legal(result.move)
    True

:class:`Board` knows the rules, :class:`Engine` searches, :func:`evaluate` judges without a search, and
:func:`solve` proves forced wins. :func:`read_records` and :func:`write_records` are for files of games in all formats.
:class:`Client` plays with any program that speaks the protocol of Gomocup.

Cells go in as ``"h8"`` or ``(7, 7)`` and come out as :class:`Point`, which is both. Times are in seconds, memory is in
mebibytes, and scores are for the side to move. Arguments without a meaning raise :class:`ValueError` (of the wrong type
:class:`TypeError`) and change nothing. Searches and proofs let other threads run, and end by Ctrl-C.
"""

from importlib.metadata import PackageNotFoundError, version

from ._files import read_records, write_records
from ._native import (
    Board,
    Engine,
    Evaluation,
    Line,
    Record,
    RecordedMove,
    SearchResult,
    Verdict,
    evaluate,
    read_moves,
    solve,
    verify,
)
from ._point import Cell, Point
from .protocol import Client, EngineError, EngineTimeout, Reply

try:
    __version__ = version("tengen")
except PackageNotFoundError:  # the sources without an installation
    __version__ = "unknown"

__all__ = [
    "Board",
    "Cell",
    "Client",
    "Engine",
    "EngineError",
    "EngineTimeout",
    "Evaluation",
    "Line",
    "Point",
    "Record",
    "RecordedMove",
    "Reply",
    "SearchResult",
    "Verdict",
    "evaluate",
    "read_moves",
    "read_records",
    "solve",
    "verify",
    "write_records",
]
