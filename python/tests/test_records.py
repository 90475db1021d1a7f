import os
import subprocess
import sys
from pathlib import Path

import pytest

import tengen
from tengen import Board, Record

SGF = b"(;FF[4]GM[4]SZ[15]PB[Ann]PW[Bob]RE[B+R];B[hh]C[first];W[ii](;B[hi])(;B[hg]))"


def test_a_file_is_read_changed_and_written_without_losses(tmp_path: Path) -> None:
    (game,) = tengen.read_records(SGF)
    assert (game.black, game.white, game.result, game.reason) == ("Ann", "Bob", "black", "resignation")
    assert [str(move.point) for move in game.moves] == ["h8", "i9", "h9"]
    assert game.moves[0].comment == "first" and game.moves[1].color == "white"
    game.white, game.event = "Cid", "A match"
    game.annotate(2, comment="second", seconds=1.5, score=-7, depth=9, nodes=1_000)
    for name in ("game.sgf", "game.json"):
        tengen.write_records(tmp_path / name, game)
        (again,) = tengen.read_records(tmp_path / name)
        if game.losses(name[5:]) == []:
            assert again == game
        assert again.white == "Cid" and again.moves[1].comment == "second"
    assert again.moves[1].seconds == 1.5 and again.moves[1].nodes == 1_000
    assert (again.moves[1].score, again.moves[1].depth) == (-7, 9)
    assert b"B[hg]" in again.to_bytes("sgf"), "variations are kept"


def test_records_of_boards_have_results(tmp_path: Path) -> None:
    board = Board("a1 b1 a2 b2 a3 b3 a4 b4 a5", rule="standard")
    game = Record(board, black="Ann", date="2025-04-30")
    assert (game.result, game.reason, game.rule, game.size) == ("black", "five", "standard", (15, 15))
    assert game.board() == board and len(game.board(3).moves) == 3
    assert game.losses("json") == [] and game.losses("pos") != []
    path = tmp_path / "games.jsonl"
    tengen.write_records(path, [game, game])
    assert tengen.read_records(path) == [game, game]


@pytest.mark.parametrize("format", ["psq", "sgf", "pos", "offset", "xy", "rec", "lib", "json"])
def test_moves_survive_every_format(format: str) -> None:
    game = Record(Board("h8 i9 h9"))
    (again,) = tengen.read_records(game.to_bytes(format), format=format, size=15)
    assert [move.point for move in again.moves] == [(7, 7), (8, 8), (7, 8)]


def test_errors_name_the_place_and_leave_files_alone(tmp_path: Path) -> None:
    path = tmp_path / "broken.sgf"
    path.write_bytes(b"(;FF[4]GM[4]SZ[15];B[zz9])")
    with pytest.raises(ValueError, match="broken.sgf:1:2"):
        tengen.read_records(path)
    with pytest.raises(ValueError, match="cannot tell the format"):
        tengen.read_records(b"?")
    with pytest.raises(ValueError, match="the formats are"):
        tengen.read_records(SGF, format="doc")
    with pytest.raises(FileNotFoundError):
        tengen.read_records(tmp_path / "none.sgf")
    games = [Record(Board("h8")), Record(Board("h8"))]
    with pytest.raises(ValueError, match="holds one game"):
        tengen.write_records(path, games, format="psq")
    with pytest.raises(ValueError, match="no games"):
        tengen.write_records(path, [])
    with pytest.raises(ValueError, match="its extension is no format"):
        tengen.write_records(tmp_path / "game.doc", games)
    with pytest.raises(ValueError, match="can be read, but not written"):
        games[0].to_bytes("rif")
    assert path.read_bytes().startswith(b"(;FF[4]") and not (tmp_path / "game.doc").exists()


@pytest.mark.skipif(sys.platform == "win32", reason="there are no limits of files to fail by")
def test_a_write_that_fails_leaves_the_old_file(tmp_path: Path) -> None:
    program = """
import resource, signal, sys
import tengen

signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (100, 100))
games = [tengen.Record(tengen.Board("h8 i9 h9 i10")) for _ in range(9)]
try:
    tengen.write_records(sys.argv[1], games)
except OSError:
    sys.exit(3)
"""
    path = tmp_path / "games.sgf"
    path.write_bytes(SGF)
    ended = subprocess.run([sys.executable, "-c", program, str(path)], check=False)
    assert ended.returncode == 3
    assert path.read_bytes() == SGF and list(tmp_path.iterdir()) == [path]


@pytest.mark.skipif(sys.platform != "linux", reason="names are Unicode there")
def test_names_of_files_need_not_be_unicode(tmp_path: Path) -> None:
    path = Path(os.fsdecode(os.fsencode(tmp_path) + b"/game\xe9.pos"))
    tengen.write_records(path, Record(Board("h8")))
    assert len(tengen.read_records(path, size=15)) == 1


def test_what_is_no_file_takes_what_comes() -> None:
    tengen.write_records(os.devnull, Record(Board("h8")), format="sgf")


def test_fields_without_sense_are_refused() -> None:
    game = Record(Board("h8"))
    with pytest.raises(ValueError):
        game.result = "red"
    with pytest.raises(ValueError):
        game.rule = "chess"
    for number in (0, 2, -1, 1 << 70):
        with pytest.raises(ValueError):
            game.annotate(number, comment="?")
    with pytest.raises(ValueError, match="there is no move 2: the game has 1"):
        game.board(2)
    game.result, game.reason, game.rule = "draw", "rain", None
    assert (game.result, game.reason, game.rule) == ("draw", "rain", None)


def test_what_was_odd_is_told() -> None:
    (game,) = tengen.read_records(b"(;FF[4]GM[4]SZ[15]RU[unheard of];B[hh])")
    assert len(game.warnings) == 1 and "warning" in game.warnings[0]
    assert tengen.read_records(SGF)[0].warnings == []
