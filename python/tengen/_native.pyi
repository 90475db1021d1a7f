import os
from collections.abc import Callable, Iterable
from typing import Any, Literal, final

from ._point import Cell, Point

__all__ = [
    "Board",
    "Engine",
    "Evaluation",
    "Line",
    "Record",
    "RecordedMove",
    "SearchResult",
    "Verdict",
    "evaluate",
    "format_to_write",
    "read_moves",
    "read_records",
    "replace_file",
    "solve",
    "verify",
]

_Color = Literal["black", "white"]
_Size = int | tuple[int, int]

@final
class Board:
    """A game on a board, judged by the written rules. It begins with ``moves``, black first.

    ``moves`` are cells, or a text such as ``"h8 i9 h9"``, ``"h8i9h9"`` or ``"1.h8 2.i9"``. ``size`` is the edge of the
    board or a pair of columns and rows, each from 5 to 22; without it the board has 15 by 15 cells. ``rule`` is
    ``freestyle``, ``standard``, ``renju``, ``caro`` or ``caro-exact``.

    Raises :class:`ValueError` if a size, a rule or a move makes no sense.
    """

    def __new__(
        cls, moves: str | Iterable[Cell] | None = None, *, size: _Size | None = None, rule: str = "freestyle"
    ) -> Board: ...

    @staticmethod
    def set_up(
        *,
        black: str | Iterable[Cell],
        white: str | Iterable[Cell],
        to_move: _Color,
        size: _Size | None = None,
        rule: str = "freestyle",
    ) -> Board:
        """Makes a board that begins with stones, which nobody has moved.

        Raises :class:`ValueError` as :class:`Board` does, and if a cell has two stones.
        """

    @property
    def size(self) -> tuple[int, int]:
        """The columns and the rows of the board."""

    @property
    def rule(self) -> str:
        """The name of the rule."""

    @property
    def moves(self) -> list[Point]:
        """The moves in playing order, without stones that were set up."""

    @property
    def stones(self) -> list[tuple[Point, _Color]]:
        """All stones with their colours: those that were set up, then the moves."""

    @property
    def to_move(self) -> _Color:
        """Whose turn it is, or would be if the game went on."""

    @property
    def is_over(self) -> bool:
        """Whether the game has ended: won, lost by a forbidden move, or drawn."""

    @property
    def winner(self) -> _Color | None:
        """Who has won, if anybody has."""

    @property
    def reason(self) -> str | None:
        """Why the game has ended: ``five``, ``full-board`` (nobody can win any more), ``forbidden-overline``,
        ``forbidden-44`` or ``forbidden-33``; ``None`` while it goes on."""

    @property
    def winning_row(self) -> list[Point]:
        """The cells of the row that has won; empty if there is none."""

    def play(self, cell: Cell) -> Point:
        """Plays a move of the side to move, and returns its cell. A move that renju forbids is a move: it loses.

        Raises :class:`ValueError`, and changes nothing, if the cell is not an empty one of the board or the game is
        over.
        """

    def take_back(self) -> Point:
        """Takes the last move back, and returns its cell.

        Raises :class:`ValueError` if there is none.
        """

    def stone(self, cell: Cell) -> _Color | None:
        """Returns the colour of the stone on a cell, ``None`` if there is none.

        Raises :class:`ValueError` if the cell is not on the board.
        """

    def is_legal(self, cell: Cell) -> bool:
        """Returns whether the side to move may play on a cell: an empty one that is not forbidden, in a game that goes
        on.

        Raises :class:`ValueError` if the cell is not on the board.
        """

    def legal_moves(self) -> list[Point]:
        """Returns all cells on which the side to move may play, row by row."""

    def forbidden(self) -> dict[Point, Literal["overline", "44", "33"]]:
        """Returns the empty cells that renju forbids to black, whoever is to move, each with the reason: an overline,
        two fours or two threes. Empty under other rules."""

    def copy(self) -> Board:
        """Returns a board of its own with the same game."""

    def __copy__(self) -> Board: ...
    def __deepcopy__(self, _memo: Any, /) -> Board: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __ne__(self, other: object, /) -> bool: ...
    __hash__: None  # type: ignore[assignment]

@final
class Line:
    """A line of play with its score."""

    @property
    def moves(self) -> list[Point]:
        """The moves, that of the side to move first."""

    @property
    def score(self) -> int:
        """The score for the side to move in units of the engine, from -20000 to 20000, or beyond ±29000 if a win is
        proven."""

    @property
    def win_in(self) -> int | None:
        """The number of plies after which the side to move has won, if that is proven."""

    @property
    def loss_in(self) -> int | None:
        """The number of plies after which the side to move has lost, if that is proven."""

    @property
    def win(self) -> float:
        """The chance that the side to move wins, from 0 to 1."""

    @property
    def draw(self) -> float:
        """The chance of a draw, from 0 to 1."""

    @property
    def loss(self) -> float:
        """The chance that the side to move loses, from 0 to 1."""

    @property
    def depth(self) -> int:
        """The depth that was searched to the end, in plies."""

    @property
    def seldepth(self) -> int:
        """The length of the longest line that was looked at, in plies."""

@final
class SearchResult:
    """What a search has found."""

    @property
    def move(self) -> Point:
        """The best move."""

    @property
    def line(self) -> Line:
        """The best line: its moves, score and depth."""

    @property
    def lines(self) -> list[Line]:
        """The best lines, best first: as many as were asked for, or as there are moves."""

    @property
    def nodes(self) -> int:
        """The number of nodes that were searched."""

    @property
    def seconds(self) -> float:
        """The time of the search."""

@final
class Engine:
    """An engine with its memory of earlier searches. It has one search at a time; several engines search side by
    side. A process that was forked needs engines of its own.

    ``threads`` is the number of search threads, ``memory`` the most that it uses, in mebibytes, and ``evaluator``
    ``network``, ``patterns`` (faster and weaker), ``shapes`` or ``tuples``.

    Raises :class:`ValueError` if one of them makes no sense.
    """

    def __new__(cls, *, threads: int = 1, memory: int = 350, evaluator: str = "network") -> Engine: ...

    @property
    def last(self) -> SearchResult | None:
        """What the last search has found, even if an exception such as :class:`KeyboardInterrupt` has ended it."""

    def search(
        self,
        board: Board,
        *,
        seconds: float | None = None,
        nodes: int | None = None,
        depth: int | None = None,
        lines: int = 1,
        on_report: Callable[[SearchResult], object] | None = None,
    ) -> SearchResult:
        """Searches for the best move of the side to move.

        The search ends with the first of its limits, of which there must be one: ``seconds`` (it keeps a few
        hundredths in hand), ``nodes``, or ``depth`` in plies. With one thread, a limit of nodes and a new engine the
        result is always the same. ``lines`` is the number of best lines to find. ``on_report`` is called with what is
        known after each iteration; an exception of it ends the search.

        Raises :class:`ValueError` if there is no limit or the game is over, :class:`RuntimeError` if the engine is
        searching already or belongs to another process, and what signals raise, such as :class:`KeyboardInterrupt`; :attr:`last` has the result then.
        """

    def stop(self) -> None:
        """Asks the running search, which another thread waits for, to end with the best that it has found."""

    def new_game(self) -> None:
        """Forgets what earlier searches have learnt.

        Raises :class:`RuntimeError` during a search.
        """

@final
class Evaluation:
    """An evaluation without a search."""

    @property
    def score(self) -> int:
        """The score for the side to move in units of the engine, from -20000 to 20000."""

    @property
    def win(self) -> float:
        """The chance that the side to move wins, from 0 to 1."""

    @property
    def draw(self) -> float:
        """The chance of a draw, from 0 to 1."""

    @property
    def loss(self) -> float:
        """The chance that the side to move loses, from 0 to 1."""

@final
class Verdict:
    """What is known of a forced win. It is true if the side to move wins."""

    @property
    def status(self) -> Literal["win", "no win", "unknown"]:
        """``win`` is proven. ``no win`` means that none was found by the moves that were looked at, which says nothing
        of others, and ``unknown`` that a limit came first."""

    @property
    def is_win(self) -> bool:
        """Whether the side to move wins."""

    @property
    def line(self) -> list[Point]:
        """The attack against the longest resistance, up to the winning move; empty without a win."""

    @property
    def nodes(self) -> int:
        """The number of positions searched."""

    @property
    def seconds(self) -> float:
        """The time of the search and of the check."""

    @property
    def certificate(self) -> str | None:
        """The proof of a win, a file that :func:`verify` and ``tengen verify`` check."""

    def __bool__(self) -> bool: ...

@final
class RecordedMove:
    """A move of a record."""

    @property
    def point(self) -> Point | None:
        """The cell of the stone; ``None`` for a pass or a change of the position."""

    @property
    def is_pass(self) -> bool:
        """Whether it is a pass."""

    @property
    def color(self) -> _Color:
        """The player; where the position is changed, who is not to move then."""

    @property
    def comment(self) -> str:
        """The comment; empty if there is none."""

    @property
    def seconds(self) -> float | None:
        """The player's thinking time, if it is known."""

    @property
    def score(self) -> int | None:
        """The player's own score of the position, in the units of its evaluation."""

    @property
    def depth(self) -> int | None:
        """The depth of the player's search in plies."""

    @property
    def nodes(self) -> int | None:
        """The number of nodes of the player's search."""

@final
class Record:
    """A game as files hold it. Unknown texts are empty. What a file says beyond this, such as variations and marks, is
    kept, and written again if the format holds it.

    Made of a board, it has the result of the game if that is over. ``black`` and ``white`` are the players.
    """

    def __new__(
        cls,
        board: Board,
        *,
        black: str = "",
        white: str = "",
        event: str = "",
        round: str = "",
        date: str = "",
        comment: str = "",
    ) -> Record: ...

    rule: str | None
    """The rule, if it is known."""
    black: str
    """The name of the player of the black stones."""
    white: str
    """The name of the player of the white stones."""
    event: str
    """The match or tournament."""
    round: str
    """The round, as in ``3.1``."""
    date: str
    """The beginning, as in ``2025-04-30`` or ``2025-04-30 18:00:00``."""
    comment: str
    """A comment on the game."""
    result: str | None
    """``black``, ``white`` (has won) or ``draw``; ``None`` if it is not known."""
    reason: str | None
    """Why the game ended: as :attr:`Board.reason`, or ``resignation``, ``time``, ``illegal``, ``crash``,
    ``adjudication``, ``forfeit``, ``rules`` or other words; ``None`` if it is not known."""

    @property
    def size(self) -> tuple[int, int]:
        """The columns and the rows of the board."""

    @property
    def opening(self) -> int:
        """The number of first moves that were given to the players."""

    @property
    def moves(self) -> list[RecordedMove]:
        """The moves in playing order, as they are now: a copy."""

    @property
    def warnings(self) -> list[str]:
        """What was odd in the file of the record, and how it was read."""

    def annotate(
        self,
        number: int,
        *,
        comment: str | None = None,
        seconds: float | None = None,
        score: int | None = None,
        depth: int | None = None,
        nodes: int | None = None,
    ) -> None:
        """Gives a move remarks; ``number`` counts from 1, and what is not named stays as it is.

        Raises :class:`ValueError` if there is no such move.
        """

    def board(self, after: int | None = None, *, rule: str = "freestyle") -> Board:
        """Returns the game after its first moves, ``after`` of them or all. ``rule`` counts if the record has none.

        Raises :class:`ValueError` if there are fewer moves, or if one cannot be played by the rule.
        """

    def to_bytes(self, format: str, *, number: int = 1) -> bytes:
        """Returns the record as a file of a format of :func:`read_records`; ``number`` is the number of the game in
        its file.

        Raises :class:`ValueError` if the format cannot hold the game at all.
        """

    def losses(self, format: str) -> list[str]:
        """Returns what a format cannot hold of the record, such as ``the names``.

        Raises :class:`ValueError` if the format cannot hold the game at all.
        """

    def __eq__(self, other: object, /) -> bool: ...
    def __ne__(self, other: object, /) -> bool: ...
    __hash__: None  # type: ignore[assignment]

def read_moves(text: str, *, size: _Size | None = None, origin: Literal["top", "bottom"] = "top") -> list[Point]:
    """Reads moves as people type and paste them: ``h8i9``, ``1.h8 2.i9``, ``H8, I9``, an address of Gomocalc.

    ``origin`` is the edge from which rows count: printed games of renju count from the bottom. What comes out always
    counts from the top. Without ``size`` the board has 15 by 15 cells.

    Raises :class:`ValueError` with the first place that cannot be read.
    """

def evaluate(board: Board, *, evaluator: str = "network") -> Evaluation:
    """Evaluates a position for the side to move without a search.

    Raises :class:`ValueError` if the game is over.
    """

def solve(
    board: Board,
    *,
    seconds: float | None = 10.0,
    nodes: int | None = None,
    fours_only: bool = False,
    memory: int = 64,
) -> Verdict:
    """Looks for a forced win of the side to move, by fours and threes or by fours alone, and proves it.

    ``seconds`` and ``nodes`` limit the search, ``None`` does not; ``memory`` is in mebibytes. A win has been checked by
    the plain rules, with every reply.

    Raises :class:`ValueError` if the game is over or an argument makes no sense, and what signals raise.
    """

def verify(certificate: str) -> int:
    """Checks a proof by the plain rules, and returns the number of positions that were looked at.

    Raises :class:`ValueError` if the text is no certificate, or it is no proof.
    """

def read_records(
    data: bytes,
    *,
    format: str | None = None,
    name: str | os.PathLike[str] | None = None,
    size: _Size | None = None,
    rule: str | None = None,
) -> list[Record]: ...
def format_to_write(path: str | os.PathLike[str], format: str | None = None) -> tuple[str, bool]: ...
def replace_file(path: str | os.PathLike[str], data: bytes) -> None: ...
