#!/usr/bin/env python3
"""Draws a captured terminal screen as SVG: tmux capture-pane -e -p | screen-to-svg.py >play.svg

Reads text with the colours and attributes of SGR sequences from standard input. Cells that look the
same are drawn together, each text with the width that its cells have, so that any font fits.
"""

import html
import re
import sys

WIDTH, HEIGHT, FONT = 8.4, 17, 14
BASE = ["#000000", "#cc3333", "#33aa33", "#c0902f", "#3366cc", "#aa44aa", "#2f9f9f", "#c8c8c8"]
BRIGHT = ["#707070", "#ff6666", "#66dd66", "#f0d060", "#6699ff", "#dd77dd", "#66dddd", "#ffffff"]
TEXT, PAPER = "#d8d8d8", "#1c1c1c"


def indexed(n):
    """Returns one of the 256 colours."""
    if n < 16:
        return (BASE + BRIGHT)[n]
    if n > 231:
        level = 8 + 10 * (n - 232)
        return f"#{level:02x}{level:02x}{level:02x}"
    steps = [0, 95, 135, 175, 215, 255]
    n -= 16
    return "#{:02x}{:02x}{:02x}".format(steps[n // 36], steps[n // 6 % 6], steps[n % 6])


def extended(codes):
    """Takes the rest of a colour such as 38;5;n or 38;2;r;g;b."""
    kind = codes.pop(0) if codes else 5
    if kind == 2:
        parts = [codes.pop(0) if codes else 0 for _ in range(3)]
        return "#{:02x}{:02x}{:02x}".format(*parts)
    return indexed(codes.pop(0) if codes else 0)


def changed(look, codes):
    """Returns the look after an SGR sequence."""
    look = dict(look)
    while codes:
        code = codes.pop(0)
        if code == 0:
            look = {}
        elif code in (38, 48):
            look["fg" if code == 38 else "bg"] = extended(codes)
        elif 30 <= code <= 37:
            look["fg"] = BASE[code - 30]
        elif 40 <= code <= 47:
            look["bg"] = BASE[code - 40]
        elif 90 <= code <= 97:
            look["fg"] = BRIGHT[code - 90]
        elif 100 <= code <= 107:
            look["bg"] = BRIGHT[code - 100]
        elif code in (39, 49):
            look.pop("fg" if code == 39 else "bg", None)
        elif code in (1, 4, 7):
            look[{1: "bold", 4: "under", 7: "reverse"}[code]] = True
        elif code in (22, 24, 27):
            look.pop({22: "bold", 24: "under", 27: "reverse"}[code], None)
    return look


def runs(line, look):
    """Returns the pieces of a line with their columns and looks, and the look at its end."""
    pieces, column = [], 0
    for part in re.split(r"(\x1b\[[0-9;]*m|\x1b\([AB0]|[\x0e\x0f])", line):
        if part.startswith("\x1b["):
            look = changed(look, [int(code or 0) for code in part[2:-1].split(";")])
        elif part and part[0] not in "\x1b\x0e\x0f":
            pieces.append((column, part, look))
            column += len(part)
    return pieces, column, look


def main():
    lines = sys.stdin.read().rstrip("\n").split("\n")
    paper, text, look, columns = [], [], {}, 0
    for row, line in enumerate(lines):
        pieces, length, look = runs(line, look)
        columns = max(columns, length)
        for column, piece, style in pieces:
            fg, bg = style.get("fg", TEXT), style.get("bg")
            if style.get("reverse"):
                fg, bg = bg or PAPER, fg
            x, width = column * WIDTH, len(piece) * WIDTH
            if bg:
                paper.append(f'<rect x="{x:.1f}" y="{row * HEIGHT}" width="{width + 0.2:.1f}" height="{HEIGHT + 0.2}" fill="{bg}"/>')
            shown = piece.strip()
            if not shown:
                continue
            # Renderers differ in which blanks they keep: those at the ends are left out, the others never break.
            x, width = x + (len(piece) - len(piece.lstrip())) * WIDTH, len(shown) * WIDTH
            shown = html.escape(shown.replace(" ", "\u00a0"))
            extra = ' font-weight="bold"' if style.get("bold") else ""
            extra += ' text-decoration="underline"' if style.get("under") else ""
            text.append(f'<text x="{x:.1f}" y="{row * HEIGHT + 13}" textLength="{width:.1f}" fill="{fg}"{extra}>{shown}</text>')
    width, height = columns * WIDTH + 16, len(lines) * HEIGHT + 16
    print(f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="-8 -8 {width:.0f} {height}" font-family="DejaVu Sans Mono,Menlo,Consolas,monospace" font-size="{FONT}">')
    print("<title>The screen of tengen play</title>")
    print(f'<rect x="-8" y="-8" width="{width:.0f}" height="{height}" rx="6" fill="{PAPER}"/>')
    print("\n".join(paper + text))
    print("</svg>")


main()
