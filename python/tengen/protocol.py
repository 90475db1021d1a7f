"""A client of the Gomocup/Piskvork protocol: plays with any engine that speaks it."""

from __future__ import annotations

import collections
import math
import os
import queue
import re
import shutil
import signal
import subprocess
import sys
import sysconfig
import threading
import time
from types import TracebackType
from typing import IO, Deque, Dict, List, Mapping, NamedTuple, Optional, Sequence, Tuple, Type, Union

from ._native import Board
from ._point import Point

_RULES = {"freestyle": 0, "standard": 1, "renju": 4, "caro": 8, "caro-exact": 9}
_MOVE = re.compile(r"\s*(\d{1,3})\s*,\s*(\d{1,3})\s*")
_TO_END = 1.0
# A time that is no limit.
_UNLIMITED = 2147483647


class EngineError(RuntimeError):
    """An engine that has not answered as the protocol says: its own error, a crash, or no move."""


class EngineTimeout(EngineError, TimeoutError):
    """An engine that has not answered in time."""


class Reply(NamedTuple):
    """The answer of an engine."""

    move: Point
    """The move. Its cell is empty; whether renju forbids it is for :meth:`Board.play`."""

    messages: List[str]
    """What the engine has said before it, line by line: ``MESSAGE`` and ``DEBUG`` lines, and what means nothing."""

    seconds: float
    """The time from the question to the answer."""


class Client:
    """An engine in a process of its own.

    >>> board = Board()
    >>> with Client(turn=0.2) as engine:
    ...     reply = engine.move(board)
    >>> board.play(reply.move) == reply.move
    True

    The process is started by the first question, and again by the next one after it has crashed or was ended because
    it was late. One thread at a time may ask.
    """

    def __init__(
        self,
        command: Union[str, "os.PathLike[str]", Sequence[str], None] = None,
        *,
        size: Union[int, Tuple[int, int]] = 15,
        rule: str = "freestyle",
        turn: Optional[float] = None,
        match: Optional[float] = None,
        memory: Optional[int] = None,
        info: Optional[Mapping[str, object]] = None,
        grace: float = 5.0,
        directory: Union[str, "os.PathLike[str]", None] = None,
    ) -> None:
        """Makes a client; nothing is started yet.

        ``command`` is the path of the program, or the program with its arguments; by default ``pbrain-tengen``, which
        comes with this package. ``directory`` is where it runs. ``size`` and ``rule`` are those of all boards.
        ``turn`` and ``match`` are the limits of a move and of a game in seconds, ``memory`` that of the engine in
        mebibytes, and ``info`` are further keys of ``INFO``. ``grace`` are the seconds that the engine has beyond
        ``turn``, and for answers that take no thought.

        Raises :class:`ValueError` for sizes, rules, times and numbers that make no sense.
        """
        empty = Board(size=size, rule=rule)
        for what, seconds in (("turn", turn), ("match", match), ("grace", grace)):
            _check_seconds(what, seconds)
        self._command = _words(command)
        self._directory = directory
        self._size, self._rule = empty.size, empty.rule
        self._turn, self._grace = turn, grace
        info = dict(info or {})
        info.setdefault("rule", _RULES[empty.rule])
        if turn is not None:
            info["timeout_turn"] = _milliseconds(turn)
        if match is not None:
            info["timeout_match"] = _milliseconds(match)
        if memory is not None:
            if memory < 1:
                raise ValueError(f"memory = {memory}: a number from 1 on is needed")
            info["max_memory"] = memory << 20
        self._info: Dict[str, object] = info
        self._process: Optional[_Process] = None
        # The moves that the engine knows, its own answer included, of a game from an empty board.
        self._known: Optional[List[Point]] = None
        # Whether it was told how much time is left.
        self._has_clock = False

    def move(self, board: Board, *, seconds: Optional[float] = None, left: Optional[float] = None) -> Reply:
        """Asks for a move of the side to move.

        ``seconds`` is the limit of this and the following moves instead of ``turn``; ``left`` is the time that is left
        of the game. Without any of these and ``turn`` the answer is waited for as long as it takes.

        Raises :class:`ValueError` if the game is over, or the board has another size or rule than the client;
        :class:`EngineTimeout` if the engine is late, and its process is ended then; :class:`EngineError` if it says
        that it cannot, crashes, or answers with a cell that is not an empty one of the board.
        """
        if (board.size, board.rule) != (self._size, self._rule):
            raise ValueError(f"the board is of {board.size} and {board.rule}, not of {self._size} and {self._rule}")
        if board.is_over:
            raise ValueError("the game is over")
        for what, limit in (("seconds", seconds), ("left", left)):
            _check_seconds(what, limit)
        try:
            return self._ask(board, seconds, left)
        except BaseException:
            # Nobody knows what it would answer next.
            self.kill()
            raise

    def about(self) -> str:
        """Returns what the engine says of itself, such as ``name="tengen", version="0.1.0"``.

        Raises :class:`EngineTimeout` and :class:`EngineError` as :meth:`move` does.
        """
        try:
            if self._process is not None:
                self._process.leftovers()
            process = self._running()
            process.say("ABOUT")
            deadline = time.monotonic() + self._grace
            while True:
                line = process.hear(deadline)
                # What it says of the lines of INFO before may come first.
                if not line.upper().startswith(("MESSAGE", "DEBUG")):
                    return line
        except BaseException:
            self.kill()
            raise

    def close(self) -> None:
        """Asks the engine to end, and ends it a second later if it has not."""
        process, self._process, self._known = self._process, None, None
        if process is not None:
            process.end()

    def kill(self) -> None:
        """Ends the engine at once."""
        process, self._process, self._known = self._process, None, None
        if process is not None:
            process.kill()

    def __enter__(self) -> Client:
        return self

    def __exit__(
        self,
        kind: Optional[Type[BaseException]],
        error: Optional[BaseException],
        traceback: Optional[TracebackType],
    ) -> None:
        self.close()

    def __del__(self) -> None:
        if getattr(self, "_process", None) is not None:
            self.kill()

    def _running(self) -> _Process:
        if self._process is None:
            self._process = _Process(self._command, self._directory)
            self._known = None
            self._start(self._process)
        return self._process

    def _start(self, process: _Process) -> None:
        """Begins a game, of which the engine knows no move."""
        width, height = self._size
        process.say(f"START {width}" if width == height else f"RECTSTART {width},{height}")
        deadline = time.monotonic() + self._grace
        while process.hear(deadline).upper() != "OK":
            pass
        for key, value in self._info.items():
            process.say(f"INFO {key} {value}")
        self._known = []

    def _ask(self, board: Board, seconds: Optional[float], left: Optional[float]) -> Reply:
        # A move after the answer to an earlier question answers none.
        late = [] if self._process is None else self._process.leftovers()
        messages = [line for line in late if not _MOVE.fullmatch(line)]
        process = self._running()
        moves = board.moves
        is_plain = len(board.stones) == len(moves) and board.to_move == ("white" if len(moves) % 2 else "black")
        goes_on = is_plain and self._known == moves[:-1] and len(moves) > 0
        if not goes_on and self._known != []:
            self._start(process)
        if seconds is not None:
            self._turn = seconds
            self._info["timeout_turn"] = _milliseconds(seconds)
            process.say(f"INFO timeout_turn {_milliseconds(seconds)}")
        if left is not None:
            process.say(f"INFO time_left {_milliseconds(left)}")
        elif self._has_clock:
            process.say(f"INFO time_left {self._info.get('timeout_match', _UNLIMITED)}")
        self._has_clock = left is not None
        asked = time.monotonic()
        if is_plain and not moves:
            process.say("BEGIN")
        elif goes_on:
            process.say(f"TURN {moves[-1].x},{moves[-1].y}")
        else:
            lines = [f"{cell.x},{cell.y},{1 if color == board.to_move else 2}" for cell, color in board.stones]
            process.say("\n".join(["BOARD", *lines, "DONE"]))
        limits = [limit for limit in (self._turn, left) if limit is not None]
        move = self._answer(process, asked + min(limits) + self._grace if limits else None, messages)
        took = time.monotonic() - asked
        width, height = self._size
        if not (move.x < width and move.y < height) or board.stone(move) is not None:
            raise EngineError(f"the engine answers {move.x},{move.y}, which is not an empty cell of the board")
        self._known = [*moves, move] if is_plain else None
        return Reply(move, messages, took)

    def _answer(self, process: _Process, deadline: Optional[float], messages: List[str]) -> Point:
        while True:
            line = process.hear(deadline)
            found = _MOVE.fullmatch(line)
            if found:
                return Point(int(found[1]), int(found[2]))
            messages.append(line)


class _Process:
    """A process whose lines are read as they come."""

    def __init__(self, command: List[str], directory: Union[str, "os.PathLike[str]", None]) -> None:
        pipe = subprocess.PIPE
        # In a group of its own, for wrappers that start the engine: a Ctrl-C for this program does not reach it, and
        # all of it can be ended.
        flags = getattr(subprocess, "CREATE_NEW_PROCESS_GROUP", 0)
        try:
            self._process = subprocess.Popen(
                command,
                stdin=pipe,
                stdout=pipe,
                stderr=pipe,
                cwd=directory,
                start_new_session=True,
                creationflags=flags,
            )
        except OSError as error:
            raise EngineError(f"cannot start {command[0]}: {error.strerror or error}") from error
        self._name = os.path.basename(command[0])
        self._lines: queue.Queue[Optional[str]] = queue.Queue()
        self._complaints: Deque[str] = collections.deque(maxlen=10)
        assert self._process.stdout is not None and self._process.stderr is not None
        threading.Thread(target=self._read_lines, args=(self._process.stdout,), daemon=True).start()
        self._complaining = threading.Thread(target=self._read_complaints, args=(self._process.stderr,), daemon=True)
        self._complaining.start()

    def _read_lines(self, stream: IO[bytes]) -> None:
        with stream:
            for line in stream:
                self._lines.put(line.decode(errors="replace").strip())
        self._lines.put(None)

    def _read_complaints(self, stream: IO[bytes]) -> None:
        with stream:
            for line in stream:
                self._complaints.append(line.decode(errors="replace").rstrip())

    def say(self, line: str) -> None:
        assert self._process.stdin is not None
        try:
            self._process.stdin.write(f"{line}\n".replace("\n", "\r\n").encode())
            self._process.stdin.flush()
        except OSError as error:
            raise self._gone() from error

    def hear(self, deadline: Optional[float]) -> str:
        """Returns the next line that is not an error."""
        try:
            left = None if deadline is None else min(max(0.0, deadline - time.monotonic()), threading.TIMEOUT_MAX)
            line = self._lines.get(timeout=left)
        except queue.Empty:
            raise EngineTimeout(f"{self._name} does not answer in time") from None
        if line is None:
            raise self._gone()
        if line.upper().startswith(("ERROR", "UNKNOWN")):
            raise EngineError(f"{self._name}: {line}")
        return line

    def leftovers(self) -> List[str]:
        """Returns what was said since the last answer, without waiting for more."""
        lines = []
        while not self._lines.empty():
            line = self._lines.get()
            if line is None:
                self._lines.put(None)
                break
            lines.append(line)
        return lines

    def _gone(self) -> EngineError:
        try:
            status = self._process.wait(_TO_END)
        except subprocess.TimeoutExpired:
            return EngineError(f"{self._name} has closed its output")
        # Its last words may still be on the way.
        self._complaining.join(_TO_END)
        said = "".join(f"\n{line}" for line in self._complaints.copy())
        return EngineError(f"{self._name} has ended with status {status}{said}")

    def end(self) -> None:
        try:
            self.say("END")
            self._process.wait(_TO_END)
        except (EngineError, subprocess.TimeoutExpired):
            pass
        finally:
            self.kill()

    def kill(self) -> None:
        if sys.platform != "win32":
            # Its group lives on without it where a wrapper has left the engine behind.
            try:
                os.killpg(self._process.pid, signal.SIGKILL)
            except (ProcessLookupError, PermissionError):
                pass
        elif self._process.poll() is None:
            self._process.kill()
        self._process.wait()
        if self._process.stdin is not None:
            try:
                self._process.stdin.close()
            except OSError:
                pass


def _words(command: Union[str, "os.PathLike[str]", Sequence[str], None]) -> List[str]:
    if command is None:
        # Where pip puts programs, also with --user; these folders need not be in PATH.
        schemes = {f"{os.name}_user", "osx_framework_user"} & set(sysconfig.get_scheme_names())
        folders = [sysconfig.get_path("scripts"), *(sysconfig.get_path("scripts", scheme) for scheme in schemes)]
        for folder in [*folders, None]:
            own = shutil.which("pbrain-tengen", path=folder)
            if own is not None:
                return [own]
        raise ValueError("pbrain-tengen is not installed: name the command of an engine")
    if isinstance(command, (str, os.PathLike)):
        return [os.fspath(command)]
    if not command:
        raise ValueError("a command has at least one word")
    return [os.fspath(word) for word in command]


def _check_seconds(what: str, seconds: Optional[float]) -> None:
    if seconds is not None and not (math.isfinite(seconds) and seconds >= 0):
        raise ValueError(f"{what} = {seconds}: a time from 0 on is needed")


def _milliseconds(seconds: float) -> int:
    return round(min(seconds * 1000, _UNLIMITED))
