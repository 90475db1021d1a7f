import copy

import pytest

import tengen
from tengen import Board, Point


def test_a_game_is_played_taken_back_and_won() -> None:
    board = Board(size=15)
    assert board.play("h8") == Point(7, 7) == (7, 7)
    assert str(board.play((8, 8))) == "i9"
    assert board.to_move == "black" and board.stone("i9") == "white" and board.stone("a1") is None
    assert board.take_back() == (8, 8)
    for cell in "a1 h9 a2 h10 a3 h11 a4".split():
        board.play(cell)
    assert not board.is_over and board.winner is None and board.reason is None
    board.play("h12")
    assert board.is_over and board.winner == "black" and board.reason == "five"
    assert [str(cell) for cell in board.winning_row] == ["h8", "h9", "h10", "h11", "h12"]
    with pytest.raises(ValueError, match="the game is over"):
        board.play("o15")
    assert len(board.moves) == 9 and board.legal_moves() == []


def test_moves_are_read_as_people_type_them() -> None:
    texts = ["h8i9", "h8 i9", "1.h8 2.i9", "H8, I9"]
    assert all(Board(text) == Board([(7, 7), "i9"]) for text in texts)
    assert tengen.read_moves("h8 i9", origin="bottom") == [(7, 7), (8, 6)]
    with pytest.raises(ValueError, match="1:4"):
        Board("h8 ?")


@pytest.mark.parametrize("cell", ["", "h", "z9", "h16", "h0", (-1, 3), (15, 0), (1 << 70, 0), "é8"])
def test_cells_off_the_board_are_refused(cell: tengen.Cell) -> None:
    board = Board("h8")
    with pytest.raises(ValueError):
        board.play(cell)
    assert board == Board("h8")


@pytest.mark.parametrize("cell", [None, 7, 7.5, (1, 2, 3), ("h", 8)])
def test_what_is_no_cell_is_a_type_error(cell: object) -> None:
    with pytest.raises(TypeError, match="a cell is a text such as 'h8'"):
        Board().play(cell)  # type: ignore[arg-type]


def test_occupied_cells_sizes_rules_and_empty_histories_are_refused() -> None:
    with pytest.raises(ValueError, match="h8 is occupied"):
        Board("h8").play("h8")
    with pytest.raises(ValueError, match="edges from 5 to 22"):
        Board(size=4)
    with pytest.raises(ValueError, match="more than 63 bits"):
        Board(size=1 << 70)
    with pytest.raises(ValueError, match="the rules are freestyle"):
        Board(rule="chess")
    with pytest.raises(ValueError, match="no move to take back"):
        Board().take_back()
    with pytest.raises(TypeError):
        Board(size="large")  # type: ignore[arg-type]


def test_renju_forbids_and_says_why() -> None:
    cells = "h6 a1 h7 a15 i8 o1 j8 o15"
    board = Board(cells, rule="renju")
    assert board.forbidden() == {Point(7, 7): "33"}
    assert not board.is_legal("h8") and Point(7, 7) not in board.legal_moves()
    board.play("h8")
    assert board.winner == "white" and board.reason == "forbidden-33"
    assert Board(cells).forbidden() == {} and Board(cells).is_legal("h8")


def test_stones_are_set_up() -> None:
    board = Board.set_up(black="h8 i8", white=["a1"], to_move="white", size=(20, 15))
    assert board.size == (20, 15) and board.to_move == "white" and board.moves == []
    assert sorted(board.stones) == [((0, 0), "white"), ((7, 7), "black"), ((8, 7), "black")]
    board.play("t15")
    assert len(board.stones) == 4 and "3 stones set up" in repr(board)
    with pytest.raises(ValueError, match="h8 has two stones"):
        Board.set_up(black="h8", white="h8", to_move="black")
    with pytest.raises(ValueError, match="the colours are"):
        Board.set_up(black="", white="", to_move="red")  # type: ignore[arg-type]


def test_copies_are_their_own() -> None:
    board = Board("h8 i9")
    for other in (board.copy(), copy.copy(board), copy.deepcopy(board)):
        assert other == board
        other.play("a1")
        assert other != board and len(board.moves) == 2
    assert board != "h8 i9"
    with pytest.raises(TypeError):
        hash(board)
    assert Board("") == Board() and "X" in str(board)
