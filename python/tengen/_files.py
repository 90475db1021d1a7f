"""Files of games."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Iterable, List, Optional, Tuple, Union

from . import _native
from ._native import Record


def read_records(
    source: Union[str, "os.PathLike[str]", bytes],
    *,
    format: Optional[str] = None,
    size: Union[int, Tuple[int, int], None] = None,
    rule: Optional[str] = None,
) -> List[Record]:
    """Returns all games of a file.

    ``source`` is the path of the file, or its bytes. ``format`` is ``psq``, ``sgf``, ``pos``, ``offset``, ``xy``,
    ``rec``, ``rif``, ``lib``, ``pgn`` or ``json``; by default the extension tells it, or else the beginning of the
    file. ``size`` and ``rule`` are for files that do not give them; with a rule the result is found out by playing the
    moves.

    Raises :class:`ValueError` with the place of the first game that cannot be read, and :class:`OSError` if the file
    cannot be.
    """
    if isinstance(source, bytes):
        return _native.read_records(source, format=format, size=size, rule=rule)
    path = Path(source)
    return _native.read_records(path.read_bytes(), format=format, name=path, size=size, rule=rule)


def write_records(
    path: Union[str, "os.PathLike[str]"],
    records: Union[Record, Iterable[Record]],
    *,
    format: Optional[str] = None,
) -> None:
    """Writes one or several games to a file, which is replaced if it is there.

    ``format`` is one of those of :func:`read_records` but ``rif``; by default the extension of the file tells it. What
    the format cannot hold is left out: :meth:`Record.losses` names it.

    Raises :class:`ValueError` if there are no games, or the format cannot hold one, or not several, and
    :class:`OSError` if the file cannot be written; what was there is as it was then.
    """
    path = Path(path)
    games = [records] if isinstance(records, Record) else list(records)
    if not games:
        raise ValueError("there are no games to write")
    name, holds_many = _native.format_to_write(path, format)
    if len(games) > 1 and not holds_many:
        raise ValueError(f"a file of {name} holds one game, not {len(games)}")
    data = b"".join(game.to_bytes(name, number=number) for number, game in enumerate(games, 1))
    if path.exists() and not path.is_file():
        path.write_bytes(data)  # a pipe or a device takes what comes
    else:
        _native.replace_file(path, data)
