#!/usr/bin/env python3
"""An engine of your own, in one file: the protocol of Gomocup around the function choose(). It plays freestyle."""
import re
import sys

LINES = [(1, 0), (0, 1), (1, 1), (1, -1)]


def choose(board, width, height):
    """Returns the cell (x, y) to play. board has 1 for own stones, 2 for the opponent's, 3 for blocked cells."""

    def worth(x, y):
        total = 0
        for dx, dy in LINES:
            for start in range(-4, 1):  # every row of five cells through this one
                row = [(x + (start + i) * dx, y + (start + i) * dy) for i in range(5)]
                if not all(0 <= a < width and 0 <= b < height for a, b in row):
                    continue
                own, theirs, other = (sum(board.get(cell) == who for cell in row) for who in (1, 2, 3))
                if not other and not theirs:
                    total += 2 * 7**own
                elif not other and not own:
                    total += 7**theirs
        return total, -max(abs(2 * x - width + 1), abs(2 * y - height + 1))

    empty = [(x, y) for y in range(height) for x in range(width) if (x, y) not in board]
    near = {(x + a, y + b) for x, y in board for a in range(-2, 3) for b in range(-2, 3)}
    return max([cell for cell in empty if cell in near] or empty, key=lambda cell: worth(*cell))


def main():
    board, width, height, block = {}, 0, 0, None

    def say(text):  # in one piece, as some managers need it
        sys.stdout.write(text + "\n")
        sys.stdout.flush()

    def fits(cell):
        return 0 <= cell[0] < width and 0 <= cell[1] < height and tuple(cell) not in (board if block is None else block)

    def move():
        if len(board) == width * height:
            return say("ERROR the board is full")
        x, y = choose(board, width, height)
        board[x, y] = 1
        return say(f"{x},{y}")

    sys.stdin.reconfigure(errors="replace")  # a path may have letters of any encoding
    sys.stdout.reconfigure(newline="\n")  # the managers of Windows want it, too
    for line in sys.stdin:
        word, _, rest = line.strip().partition(" ")
        word, numbers = word.upper(), [int(n) for n in re.findall(r"-?\d{1,9}", rest or line)]
        if block is not None and word != "END":  # the stones of BOARD, one a line, up to DONE
            if word == "DONE":
                board, block = block, None
                move()
            elif len(numbers) == 3 and fits(numbers[:2]) and numbers[2] in (1, 2, 3):
                block[tuple(numbers[:2])] = numbers[2]
        elif word == "START" and numbers or word == "RECTSTART" and len(numbers) == 2:
            if all(5 <= n <= 20 for n in numbers):
                board, width, height = {}, numbers[0], numbers[-1]
                say("OK")
            else:
                say("ERROR boards from 5 to 20 are supported")
        elif word == "ABOUT":
            say('name="evening", version="0.1", author="you", country="none"')
        elif word == "END":
            return
        elif word in ("", "INFO"):
            pass  # nothing here depends on times, rules and memory
        elif word in ("BEGIN", "TURN", "TAKEBACK", "BOARD", "RESTART", "PLAY") and not width:
            say("ERROR there is no game: START begins one")
        elif word == "RESTART":
            board = {}
            say("OK")
        elif word == "BOARD":
            block = {}
        elif word == "BEGIN":
            move()
        elif word == "TURN" and len(numbers) == 2 and fits(numbers):
            board[tuple(numbers)] = 2
            move()
        elif word == "TAKEBACK" and tuple(numbers) in board:
            del board[tuple(numbers)]
            say("OK")
        elif word in ("TURN", "TAKEBACK"):
            say("ERROR there is no such cell, or it does not fit the board")
        else:
            say(f"UNKNOWN command {word[:40]}")


main()
