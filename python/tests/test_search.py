import os
import signal
import threading
import time
from typing import Iterator, List

import pytest

import tengen
from tengen import Board, Engine, SearchResult

# A balanced opening: nothing on it is decided for a long time.
QUIET = "h10 i9 g9 h9 l12 i11"
# Black makes a straight four out of its three.
WON = "f8 a1 g8 a3 h8 a5"
NO_END = 1 << 50
# What ends in time if a test fails.
A_MINUTE = 60.0


@pytest.fixture
def engine() -> Engine:
    return Engine(memory=64)


@pytest.fixture
def interrupt() -> Iterator[threading.Timer]:
    """A Ctrl-C soon. What shells start in the background ignores it, unless a program asks."""
    former = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield threading.Timer(0.2, os.kill, (os.getpid(), signal.SIGINT))
    signal.signal(signal.SIGINT, former)


def test_a_search_of_so_many_nodes_is_always_the_same(engine: Engine) -> None:
    board = Board(QUIET)
    found = [e.search(board, nodes=3_000) for e in (engine, Engine(memory=64))]
    one, other = found
    assert board.is_legal(one.move) and one.nodes >= 3_000 and one.seconds > 0
    assert (one.move, one.line.moves, one.line.score) == (other.move, other.line.moves, other.line.score)
    assert one.line.moves[0] == one.move and one.line.depth >= 1 <= one.line.seldepth
    assert one.line.win_in is None and one.line.loss_in is None
    assert one.line.win + one.line.draw + one.line.loss == pytest.approx(1)
    assert len(board.moves) == 6, "the board is the caller's"


def test_a_win_is_found_with_its_length(engine: Engine) -> None:
    result = engine.search(Board(WON), nodes=20_000)
    assert result.line.win_in == 3 and str(result.move) in ("e8", "i8")
    lost = engine.search(Board(WON + " i8"), nodes=20_000)
    assert lost.line.loss_in is not None and lost.line.score < -29_000


def test_several_lines_and_a_depth(engine: Engine) -> None:
    result = engine.search(Board(QUIET), depth=4, lines=3)
    assert len({line.moves[0] for line in result.lines}) == 3 == len(result.lines)
    assert result.line.depth == 4
    scores = [line.score for line in result.lines]
    assert scores == sorted(scores, reverse=True)


def test_a_search_that_ends_at_once_has_a_line_too(engine: Engine) -> None:
    for board in (Board(), Board(QUIET)):
        result = engine.search(board, nodes=1)
        assert result.line.moves == [result.move] and result.line.depth == 0
        assert result.line.score == tengen.evaluate(board).score
        by_patterns = Engine(evaluator="patterns").search(board, nodes=1)
        assert by_patterns.line.depth == 0
        assert by_patterns.line.score == tengen.evaluate(board, evaluator="patterns").score


def test_a_time_ends_a_search(engine: Engine) -> None:
    assert engine.search(Board(QUIET), seconds=0.05).move is not None


@pytest.mark.parametrize(
    "limits", [{}, {"nodes": 0}, {"nodes": -1}, {"seconds": -1.0}, {"seconds": float("nan")}, {"depth": 1 << 40},
               {"nodes": 1 << 80}, {"nodes": 5, "lines": 0}]
)
def test_limits_without_sense_are_refused(engine: Engine, limits: dict) -> None:  # type: ignore[type-arg]
    with pytest.raises(ValueError):
        engine.search(Board(), **limits)
    assert engine.search(Board(QUIET), nodes=100).move is not None


def test_engines_without_sense_are_refused() -> None:
    for words in ({"threads": 0}, {"memory": -5}, {"evaluator": "oracle"}):
        with pytest.raises(ValueError):
            Engine(**words)
    with pytest.raises(ValueError, match="the game is over"):
        Engine().search(Board("a1 b1 a2 b2 a3 b3 a4 b4 a5"), nodes=100)


def test_reports_come_and_an_exception_of_theirs_ends_the_search(engine: Engine) -> None:
    reports: List[SearchResult] = []
    engine.search(Board(QUIET), depth=3, on_report=reports.append)
    assert [report.line.depth for report in reports] == sorted(report.line.depth for report in reports)

    def fail(report: SearchResult) -> None:
        raise KeyError("enough")

    with pytest.raises(KeyError, match="enough"):
        engine.search(Board(QUIET), nodes=NO_END, on_report=fail)
    assert engine.last is not None and engine.last.line.depth >= 1


def test_another_thread_runs_meanwhile_and_stops_the_search(engine: Engine) -> None:
    begun, results = threading.Event(), []

    def work() -> None:
        results.append(engine.search(Board(QUIET), nodes=NO_END, on_report=lambda _: begun.set()))

    searching = threading.Thread(target=work)
    searching.start()
    assert begun.wait(60)
    with pytest.raises(RuntimeError, match="is searching"):
        engine.search(Board(), nodes=1)
    engine.stop()
    searching.join(60)
    assert len(results) == 1


@pytest.mark.skipif(os.name == "nt", reason="a process cannot interrupt itself there")
def test_ctrl_c_ends_a_search_and_loses_nothing(engine: Engine, interrupt: threading.Timer) -> None:
    with pytest.raises(KeyboardInterrupt):
        interrupt.start()
        engine.search(Board(QUIET), seconds=A_MINUTE)
        time.sleep(A_MINUTE)
    assert engine.last is not None and Board(QUIET).is_legal(engine.last.move)
    assert engine.search(Board(QUIET), nodes=1_000).nodes >= 1


@pytest.mark.skipif(os.name == "nt", reason="a process cannot interrupt itself there")
def test_ctrl_c_ends_a_proof(interrupt: threading.Timer) -> None:
    with pytest.raises(KeyboardInterrupt):
        interrupt.start()
        tengen.solve(Board("h8 i9 h9 h10 g8 i8 i10 j11 f7"), seconds=A_MINUTE)
        time.sleep(A_MINUTE)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork")
@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_a_forked_process_is_told_to_make_its_own_engine(engine: Engine) -> None:
    engine.search(Board(QUIET), nodes=100)
    child = os.fork()
    if child == 0:
        try:
            engine.search(Board(QUIET), nodes=100)
        except RuntimeError:
            os._exit(7)
        os._exit(1)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 7


def test_evaluations_are_of_the_side_to_move() -> None:
    board = Board("h8 a1 i8")
    after = tengen.evaluate(board)
    assert after.win < after.loss and after.score < 0
    assert after.win + after.draw + after.loss == pytest.approx(1)
    assert tengen.evaluate(board, evaluator="patterns").score < 0
    with pytest.raises(ValueError, match="the evaluators are"):
        tengen.evaluate(board, evaluator="oracle")


def test_wins_are_proven_and_proofs_are_checked() -> None:
    verdict = tengen.solve(Board(WON), nodes=10_000)
    assert verdict and verdict.is_win and verdict.status == "win" and len(verdict.line) == 3
    assert verdict.certificate is not None
    assert tengen.verify(verdict.certificate) > 0
    with pytest.raises(ValueError, match="no proof"):
        tengen.verify(verdict.certificate.replace("f8a1g8a3h8a5", "f8a1g8a3h9a5"))
    with pytest.raises(ValueError, match="1:1"):
        tengen.verify("nonsense")


def test_without_a_win_there_is_no_proof() -> None:
    verdict = tengen.solve(Board("h8"), nodes=10_000, fours_only=True)
    assert not verdict and verdict.status == "no win" and verdict.line == [] and verdict.certificate is None
    assert tengen.solve(Board(QUIET), nodes=1).status in ("unknown", "no win")
    for words in ({"nodes": 0}, {"memory": 0}, {"memory": 1 << 20}, {"seconds": -1.0}):
        with pytest.raises(ValueError):
            tengen.solve(Board(), **words)
