import shutil
import socket
import sys
import sysconfig
import textwrap
import time
from pathlib import Path
from typing import List, Optional

import pytest

import tengen
from tengen import Board, Client, EngineError, EngineTimeout

OWN = shutil.which("pbrain-tengen", path=sysconfig.get_path("scripts"))

# Answers each question with what a test says, and notes what it is told.
SCRIPTED = """
import sys, time
answers = iter(sys.argv[2:])
with open(sys.argv[1], "a") as heard:
    in_board = False
    for line in sys.stdin:
        word = line.strip()
        print(word, file=heard, flush=True)
        in_board = (in_board or word == "BOARD") and word != "DONE"
        if word.startswith(("START", "RECTSTART")):
            print("OK", flush=True)
        elif word == "ABOUT":
            print('name="scripted"', flush=True)
        elif word == "END":
            break
        elif word.startswith(("BEGIN", "TURN")) or word == "DONE":
            answer = next(answers)
            if answer == "crash":
                sys.exit("broken")
            if answer == "sleep":
                time.sleep(600)
            print(answer.replace("|", "\\n"), flush=True)
"""


@pytest.fixture
def heard(tmp_path: Path) -> Path:
    return tmp_path / "heard"


def scripted(heard: Path, *answers: str, **words: object) -> Client:
    command = [sys.executable, "-c", textwrap.dedent(SCRIPTED), str(heard), *answers]
    return Client(command, **words)  # type: ignore[arg-type]


def lines(heard: Path) -> List[str]:
    return [line for line in heard.read_text().splitlines() if not line.startswith("INFO")]


def test_a_game_is_one_conversation(heard: Path) -> None:
    board = Board()
    with scripted(heard, "MESSAGE hello|7,7", "8,7", "0,0", grace=60) as engine:
        reply = engine.move(board)
        assert (reply.move, reply.messages) == ((7, 7), ["MESSAGE hello"]) and reply.seconds >= 0
        board.play(reply.move)
        board.play("i9")
        board.play(engine.move(board).move)
        board.take_back()
        assert engine.move(board).move == (0, 0)
        assert engine.about() == 'name="scripted"'
    assert lines(heard) == [
        "START 15", "BEGIN", "TURN 8,8", "START 15", "BOARD", "7,7,1", "8,8,2", "DONE", "ABOUT", "END",
    ]  # fmt: skip


def test_what_is_said_after_an_answer_answers_no_later_question(heard: Path) -> None:
    board = Board()
    with scripted(heard, "1,1|MESSAGE late|14,14", "2,2", grace=60) as engine:
        board.play(engine.move(board).move)
        while engine._process is not None and engine._process._lines.qsize() < 2:
            time.sleep(0.01)
        board.play("h8")
        reply = engine.move(board)
        assert (reply.move, reply.messages) == ((2, 2), ["MESSAGE late"])


def test_what_comes_before_the_answer_to_about_is_not_it(heard: Path) -> None:
    command = [sys.executable, "-c", SCRIPTED.replace("print('name", "print('MESSAGE of INFO\\nname"), str(heard)]
    with Client(command, grace=60) as engine:
        assert engine.about() == 'name="scripted"'


def test_an_interrupted_close_ends_the_engine_all_the_same(heard: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    engine = scripted(heard, "1,1", grace=60)
    engine.move(Board())
    process = engine._process
    assert process is not None
    wait = process._process.wait

    def interrupted(timeout: Optional[float] = None) -> int:
        if timeout is not None:
            raise KeyboardInterrupt
        return wait()

    monkeypatch.setattr(process._process, "wait", interrupted)
    monkeypatch.setattr(process, "say", lambda line: None)
    with pytest.raises(KeyboardInterrupt):
        engine.close()
    assert process._process.poll() is not None


def test_limits_rules_and_boards_are_told(heard: Path) -> None:
    board = Board.set_up(black="h8", white="a1", to_move="white", size=(20, 15), rule="renju")
    with scripted(heard, "1,1", size=(20, 15), rule="renju", turn=60, match=3600, memory=64, info={"x": 3}) as engine:
        engine.move(board, seconds=59.5, left=7)
    told = heard.read_text().splitlines()
    assert told[0] == "RECTSTART 20,15"
    assert set(told[1:6]) == {
        "INFO rule 4", "INFO timeout_turn 60000", "INFO timeout_match 3600000", "INFO max_memory 67108864", "INFO x 3",
    }  # fmt: skip
    assert told[6:] == ["INFO timeout_turn 59500", "INFO time_left 7000", "BOARD", "0,0,1", "7,7,2", "DONE", "END"]


def test_a_clock_that_is_not_told_again_is_none(heard: Path) -> None:
    with scripted(heard, "1,1", "2,2", "3,3") as engine:
        for left in (7, None, None):
            engine.move(Board.set_up(black="h8", white="a1", to_move="white"), left=left)
    told = [line for line in heard.read_text().splitlines() if "time_left" in line]
    assert told == ["INFO time_left 7000", "INFO time_left 2147483647"]
    heard.unlink()
    with scripted(heard, "1,1", "2,2", match=60) as engine:
        for left in (7, None):
            engine.move(Board.set_up(black="h8", white="a1", to_move="white"), left=left)
    told = [line for line in heard.read_text().splitlines() if "time_left" in line]
    assert told == ["INFO time_left 7000", "INFO time_left 60000"]


def test_engines_that_fail_are_named_and_started_again(heard: Path) -> None:
    board = Board("h8")
    with scripted(heard, "crash", grace=60) as engine:
        with pytest.raises(EngineError, match="has ended with status 1\nbroken"):
            engine.move(board)
        with pytest.raises(EngineError, match="has ended with status 1"):
            engine.move(board)
    for answer in ("ERROR no", "UNKNOWN command"):
        with scripted(heard, answer, grace=60) as engine, pytest.raises(EngineError, match=answer):
            engine.move(board)
    for answer in ("7,7", "15,0", "400,1"):
        with scripted(heard, answer, grace=60) as engine, pytest.raises(EngineError, match="not an empty cell"):
            engine.move(board)
    with pytest.raises(EngineError, match="cannot start"):
        Client("/no/such/engine").move(board)


def test_late_engines_are_ended(heard: Path) -> None:
    with scripted(heard, "sleep", turn=0.1, grace=1.0) as engine:
        with pytest.raises(EngineTimeout):
            engine.move(Board())
        with pytest.raises(TimeoutError):
            engine.move(Board())


@pytest.mark.skipif(sys.platform == "win32", reason="only a job could end the processes of a process there")
def test_an_engine_behind_a_wrapper_is_ended_too() -> None:
    engine = "import socket, sys, time; held = socket.create_connection(('127.0.0.1', int(sys.argv[1])));"
    engine += "print('OK\\nERROR no', flush=True); time.sleep(600)"
    wrapper = "import subprocess, sys; subprocess.call([sys.executable, '-c', *sys.argv[1:]])"
    with socket.create_server(("127.0.0.1", 0)) as server:
        command = [sys.executable, "-c", wrapper, engine, str(server.getsockname()[1])]
        with Client(command, grace=60) as client, pytest.raises(EngineError, match="ERROR no"):
            client.move(Board())
        held, _ = server.accept()
        with held:
            held.settimeout(60)
            assert held.recv(1) == b"", "it has ended"


def test_a_very_long_time_is_none_and_one_that_numbers_of_32_bits_hold(heard: Path) -> None:
    for turn in (1e10, 1e306):
        with scripted(heard, "7,7", turn=turn, grace=60) as engine:
            assert engine.move(Board()).move == (7, 7)
        assert "INFO timeout_turn 2147483647" in heard.read_text()
        heard.unlink()


@pytest.mark.skipif(sys.platform == "win32", reason="a script is no program there")
def test_the_program_is_found_where_pip_puts_it_for_a_user(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    program = tmp_path / "user" / "pbrain-tengen"
    program.parent.mkdir()
    program.write_text("#!/bin/sh\nread start; echo OK; while read line; do echo 'name=\"of the user\"'; done\n")
    program.chmod(0o755)
    monkeypatch.setattr(sysconfig, "get_path", lambda _, scheme="all": str(tmp_path / scheme.replace("posix_", "")))
    monkeypatch.setenv("PATH", "/nowhere:/bin:/usr/bin")
    with Client(grace=60) as engine:
        assert engine.about() == 'name="of the user"'


def test_what_makes_no_sense_is_refused_before_anything_starts() -> None:
    with pytest.raises(ValueError, match="memory = -1"):
        Client("x", memory=-1)
    with pytest.raises(ValueError, match="turn = -1"):
        Client(turn=-1, command="x")
    with pytest.raises(ValueError, match="the rules are"):
        Client("x", rule="chess")
    with pytest.raises(ValueError, match="at least one word"):
        Client([])
    engine = Client("/no/such/engine")
    with pytest.raises(ValueError, match="the board is of"):
        engine.move(Board(size=20))
    with pytest.raises(ValueError, match="the game is over"):
        engine.move(Board("a1 b1 a2 b2 a3 b3 a4 b4 a5"))


@pytest.mark.skipif(OWN is None, reason="the programs are not installed")
@pytest.mark.parametrize("rule", ["freestyle", "renju", "caro-exact"])
def test_the_engine_of_the_package_plays(rule: str) -> None:
    board = Board(rule=rule)
    with Client(rule=rule, memory=64, grace=60, info={"max_node": 500}) as engine:
        assert "tengen" in engine.about()
        for _ in range(6):
            cell = engine.move(board).move
            assert board.is_legal(cell)
            board.play(cell)
    assert len(board.moves) == 6 and tengen.__version__ != "unknown"
