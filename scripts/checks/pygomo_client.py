#!/usr/bin/env python3
"""Uses an engine through pygomo-lib 0.1.1 as a program of its users would, and checks all of it.

    pygomo_client.py ENGINE [--slack N] [--only WORD]

Each check has a process of its own. What the client reports is not taken on trust: moves are
judged by the small board below, and search information by the objects that the client made of
the engine's lines. Exits with 0 if every check passed, otherwise with 1.
"""

from __future__ import annotations

import argparse
import faulthandler
import random
import sys
import threading
import time
import traceback
from typing import Callable

from pygomo import EngineClient
from pygomo.command.handlers.search import BalanceOneHandler, BalanceTwoHandler
from pygomo.protocol.models import BoardPosition, MateScore, Move, PlayResult, SearchInfo

SIZE = 15
ENGINE, OPPONENT = 1, 2

# A balanced opening, black first: nothing on it is decided for a long time.
QUIET = ["h10", "i9", "g9", "h9", "l12", "i11"]


class Failure(Exception):
    """Something that must hold does not."""


def require(condition: object, text: str) -> None:
    """Fails with `text` unless `condition` holds."""
    if not condition:
        raise Failure(text)


class Board:
    """A board that knows which moves are legal and who has five in a row, and nothing else."""

    def __init__(self, size: int = SIZE) -> None:
        self.size = size
        self.stones: dict[tuple[int, int], int] = {}
        self.moves: list[tuple[int, int]] = []

    def is_free(self, move: Move) -> bool:
        """Returns whether a stone may be put there."""
        cell = move.to_tuple()
        return all(0 <= n < self.size for n in cell) and cell not in self.stones

    def play(self, move: Move, player: int) -> None:
        """Puts a stone, which must be legal."""
        require(self.is_free(move), f"{move.to_numeric()} is not an empty cell of the board")
        self.stones[move.to_tuple()] = player
        self.moves.append(move.to_tuple())

    def undo(self) -> Move:
        """Takes the last stone off and returns where it was."""
        cell = self.moves.pop()
        del self.stones[cell]
        return Move(cell)

    def has_five(self) -> bool:
        """Returns whether the last stone is one of five or more in a row."""
        x, y = self.moves[-1]
        player = self.stones[x, y]
        for dx, dy in ((1, 0), (0, 1), (1, 1), (1, -1)):
            row = 1
            for sign in (1, -1):
                step = sign
                while self.stones.get((x + step * dx, y + step * dy)) == player:
                    row += 1
                    step += sign
            if row >= 5:
                return True
        return False

    def empty_cells(self) -> list[Move]:
        """Returns all cells without a stone."""
        cells = ((x, y) for y in range(self.size) for x in range(self.size))
        return [Move(cell) for cell in cells if cell not in self.stones]


class Client:
    """An engine behind pygomo's client, and what has been said to it so far."""

    def __init__(self, path: str, slack: float) -> None:
        self.engine = EngineClient(path)
        # The client comes with these and leaves it to its users to register them.
        self.engine.registry.register_class(BalanceOneHandler)
        self.engine.registry.register_class(BalanceTwoHandler)
        self.board = Board()
        self.slack = slack
        require(self.engine.start(SIZE), "START is not answered by OK")

    def settle(self) -> None:
        """Checks that nothing was said that nobody asked for."""
        time.sleep(0.1)
        for channel in ("coord", "output", "error", "info", "realtime"):
            lines = self.engine.router.get_all(channel)
            require(not lines, f"lines that nobody expects: {lines}")

    def accept(self, result: PlayResult | None, what: str) -> PlayResult:
        """Makes the engine's move on the board and checks what was said about it."""
        require(result is not None, f"{what} is not answered by a move")
        for info in told(result):
            require(self.board.is_free(info.pv[0]), f"{what}: a line begins with {info.pv[0]}")
            self.check_line(info)
        self.board.play(result.move, ENGINE)
        return result

    def check_line(self, info: SearchInfo) -> None:
        """Checks that a line can be played out and that its numbers are numbers."""
        cells = [move.to_tuple() for move in info.pv]
        require(len(set(cells)) == len(cells), f"a line has a cell twice: {info}")
        require(all(map(self.board.is_free, info.pv)), f"a line cannot be played: {info}")
        require(info.nodes > 0 or info.eval.is_mate(), f"a line after no nodes: {info}")
        require(value(info) is not None, f"no evaluation: {info.eval.raw_value!r}")
        require(0.0 <= info.winrate <= 1.0, f"a winrate of {info.winrate}")

    def begin(self) -> PlayResult:
        """Asks for the first move."""
        return self.accept(self.engine.begin(timeout=20), "BEGIN")

    def turn(self, move: Move) -> PlayResult:
        """Makes a move against the engine and returns its reply."""
        self.board.play(move, OPPONENT)
        return self.accept(self.engine.turn(move, timeout=20), f"TURN {move.to_numeric()}")

    def takeback(self) -> bool:
        """Takes the last stone back, here and there."""
        return self.engine.takeback(self.board.undo(), timeout=2)

    def set_up(self, cells: list[str]) -> None:
        """Sets up a position without asking for a move."""
        position = BoardPosition()
        own = len(cells) % 2
        for number, cell in enumerate(cells):
            player = ENGINE if number % 2 == own else OPPONENT
            position.add_move(Move(cell), player)
            self.board.play(Move(cell), player)
        require(
            self.engine.board(position, start_thinking=False) is None,
            "YXBOARD is answered",
        )

    def close(self) -> None:
        """Ends the engine and checks that it obeys."""
        self.settle()
        self.engine.send_raw("END")
        deadline = time.monotonic() + self.slack
        while self.engine.is_connected and time.monotonic() < deadline:
            time.sleep(0.01)
        require(not self.engine.is_connected, "the engine does not end after END")


def told(result: PlayResult) -> list[SearchInfo]:
    """Returns the search information, leaving out messages of other kinds."""
    return [info for info in result.all_info if info.depth > 0 and info.pv]


def value(info: SearchInfo) -> float | None:
    """Returns an evaluation as a number: nearer wins are larger, nearer losses smaller."""
    score = info.eval.score()
    if isinstance(score, MateScore):
        far = 1_000_000 - score.steps()
        return far if score.is_winning() else -far
    return score if info.eval.raw_value.strip("+-").isdigit() else None


def wins_a_game(client: Client, engine_begins: bool, seed: int) -> str:
    """Plays random moves against the engine, which must have five before long."""
    client.engine.configure(timeout_turn=int(150 * client.slack), timeout_match=0)
    rng = random.Random(seed)
    lines = 0
    if engine_begins:
        lines += len(told(client.begin()))
    # The engine's stone is always the last one, so a five is the engine's.
    while not client.board.moves or not client.board.has_five():
        reply = client.turn(rng.choice(client.board.empty_cells()))
        lines += len(told(reply))
        require(len(client.board.moves) < 60, "no five after 60 moves against random ones")
    require(lines > 0, "not a line of search information in a whole game")
    return f"{len(client.board.moves)} moves, {lines} lines of search information"


def wins_a_game_as_first_player(client: Client) -> str:
    return wins_a_game(client, engine_begins=True, seed=1)


def wins_a_game_as_second_player(client: Client) -> str:
    return wins_a_game(client, engine_begins=False, seed=2)


def says_who_it_is(client: Client) -> str:
    text = client.engine.about(timeout=2)
    require(text and text.startswith('name="'), f"ABOUT is answered by {text!r}")
    return text


def analyzes_the_best_moves_in_order(client: Client) -> str:
    wanted = 4
    client.set_up(QUIET)
    client.engine.configure(timeout_turn=int(1000 * client.slack), timeout_match=0)
    result = client.engine.nbest(wanted, timeout=20)
    require(result is not None, "YXNBEST is not answered by a move")
    lines = told(result)
    require(lines, "no search information")
    for info in lines:
        client.check_line(info)
    order = [info.multipv for info in lines]
    expected = [1 + number % wanted for number in range(len(lines))]
    require(order == expected, f"the lines are numbered {order}")
    require(len(lines) % wanted == 0, f"{len(lines)} lines in groups of {wanted}")
    for start in range(0, len(lines), wanted):
        group = lines[start : start + wanted]
        first = {info.pv[0].to_tuple() for info in group}
        require(len(first) == wanted, f"the same move twice: {[str(i) for i in group]}")
        # While an iteration goes on, some lines are one ply deeper than others.
        values = [value(info) for info in group]
        if len({info.depth for info in group}) == 1:
            require(values == sorted(values, reverse=True), f"not the best first: {values}")
    best = lines[-wanted].pv[0]
    require(result.move == best, f"the move is {result.move}, the best line's is {best}")
    client.board.play(result.move, ENGINE)
    return f"{len(lines)} lines, up to depth {lines[-1].depth}"


def stops_at_once(client: Client, ask: Callable[[], PlayResult | None]) -> str:
    """Stops a search that has no limit and measures how long the answer takes."""
    client.engine.configure(timeout_turn=-1, timeout_match=-1)
    answers: list[tuple[PlayResult | None, float]] = []
    thread = threading.Thread(target=lambda: answers.append((ask(), time.monotonic())), daemon=True)
    thread.start()
    time.sleep(1.0)
    require(thread.is_alive(), "the search ended before it was stopped")
    stopped = time.monotonic()
    client.engine.stop()
    thread.join(timeout=5 * client.slack)
    require(answers, "there is no answer to STOP")
    result, answered = answers[0]
    client.accept(result, "the stopped search")
    delay = answered - stopped
    require(delay < 0.25 * client.slack, f"the answer to STOP took {delay * 1000:.0f} ms")
    # Once more, when there is nothing to stop: no answer at all.
    client.engine.stop()
    client.settle()
    require(told(result), "a search of a second without search information")
    return f"answer after {delay * 1000:.0f} ms, depth {told(result)[-1].depth}"


def stops_an_analysis_at_once(client: Client) -> str:
    client.set_up(QUIET)
    return stops_at_once(client, lambda: client.engine.nbest(3, timeout=30))


def stops_a_move_at_once(client: Client) -> str:
    client.set_up(QUIET[:-1])
    move = Move(QUIET[-1])
    client.board.play(move, OPPONENT)
    return stops_at_once(client, lambda: client.engine.turn(move, timeout=30))


def takes_moves_back(client: Client) -> str:
    client.engine.configure(timeout_turn=100, timeout_match=0)
    client.begin()
    first, second = Move("c3"), Move("m12")
    client.turn(first)
    require(client.takeback(), "its own last move is not taken back")
    require(client.takeback(), "the move before is not taken back")
    client.turn(second)
    require(client.takeback() and client.takeback(), "a second time, moves are not taken back")
    # The cell must be free again, or this is refused.
    client.turn(first)
    require(not client.engine.takeback(first, timeout=0.5), "a stone below another is taken back")
    client.engine.router.get_all("error")
    for _ in range(len(client.board.moves)):
        require(client.takeback(), "not all stones are taken back")
    client.begin()
    return "and other moves made instead"


def goes_on_after_mistakes(client: Client) -> str:
    client.engine.configure(timeout_turn=100, timeout_match=0)
    client.begin()
    own = Move(client.board.moves[0])
    require(client.engine.turn(own, timeout=0.5) is None, "a move to an occupied cell is answered")
    require(client.engine.turn(Move((99, 0)), timeout=0.5) is None, "99,0 is answered")
    errors = client.engine.router.get_all("error")
    require(len(errors) == 2, f"two mistakes are answered by {errors}")
    client.turn(Move("c3"))
    require(client.engine.restart(timeout=2), "RESTART is not answered by OK")
    client.board = Board()
    client.begin()
    return "; ".join(errors)


def balances(client: Client) -> str:
    client.engine.configure(timeout_turn=int(1000 * client.slack), timeout_match=0)
    client.set_up(["h8"])
    result = client.engine.execute("YXBALANCETWO", 0, timeout=20)
    require(result.is_success, f"YXBALANCETWO: {result}")
    moves = result.data["moves"]
    require(len(moves) == 2, f"YXBALANCETWO is answered by {moves}")
    for player, move in zip((OPPONENT, ENGINE), moves):
        client.board.play(move, player)
    client.engine.restart(timeout=2)
    client.board = Board()
    client.set_up(["h8", "i9"])
    result = client.engine.execute("YXBALANCEONE", 0, timeout=20)
    require(result.is_success, f"YXBALANCEONE: {result}")
    client.board.play(result.data.move, ENGINE)
    return f"two moves {moves}, one move {result.data.move}"


CHECKS: list[Callable[[Client], str]] = [
    says_who_it_is,
    wins_a_game_as_first_player,
    wins_a_game_as_second_player,
    analyzes_the_best_moves_in_order,
    balances,
    stops_an_analysis_at_once,
    stops_a_move_at_once,
    takes_moves_back,
    goes_on_after_mistakes,
]


def run(check: Callable[[Client], str], path: str, slack: float) -> bool:
    """Runs one check with a new engine; prints how it went and returns whether it passed."""
    client = None
    name = check.__name__.replace("_", " ")
    try:
        client = Client(path, slack)
        text = check(client)
        client.close()
    except Failure as failure:
        print(f"FAILED {name}: {failure}", flush=True)
        return False
    except Exception:
        print(f"FAILED {name}:\n{traceback.format_exc()}", flush=True)
        return False
    finally:
        if client is not None:
            client.engine.disconnect(timeout=1)
    print(f"ok     {name}: {text}", flush=True)
    return True


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("engine", help="the program to check")
    parser.add_argument("--slack", type=float, default=1, help="what deadlines are multiplied by")
    parser.add_argument("--only", default="", help="runs only checks with this in their names")
    arguments = parser.parse_args()
    # Whatever hangs, this ends.
    faulthandler.dump_traceback_later(300 * arguments.slack, exit=True)
    checks = [check for check in CHECKS if arguments.only in check.__name__]
    passed = [run(check, arguments.engine, arguments.slack) for check in checks]
    print(f"{passed.count(True)} passed, {passed.count(False)} failed")
    return 0 if passed and all(passed) else 1


if __name__ == "__main__":
    sys.exit(main())
