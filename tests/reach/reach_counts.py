"""What can be done in positions of finished games, counted: ``tests/reach/RULESET.txt``, one position a line.

Numbers say little to a reader and much to a program: one hex more or less in anybody's reach changes them. ``make
golden`` writes them anew.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from helpers import finished_games
from helpers.registry import Kit

from kursk_pbem.game import folder as folders
from kursk_pbem.game import game as games

ROOT = Path(__file__).parent
EVERY = 9
"""Of so many messages of a game the position behind one is counted."""


def path_of(kit: Kit) -> Path:
    return ROOT / f"{kit.id}.txt"


def counted(kit: Kit) -> Iterator[str]:
    """The lines of a system: game, message, and its counts by name."""
    for name in kit.plots:
        first, *others = map(folders.read_message, folders.message_files(finished_games.folder_of(kit, name)))
        game = games.begin(first)
        for message in others:
            if message.seq % EVERY == 1:
                found = kit.counts(game.setting, game.state)
                yield f"{name} {message.seq - 1}: " + ", ".join(f"{key} {value}" for key, value in found.items())
            game, _result = games.extend(game, message)


def rewrite(kit: Kit) -> int:
    """Write the counts of a system; how many positions they are of."""
    lines = list(counted(kit))
    path_of(kit).write_text("".join(f"{line}\n" for line in lines), encoding="ascii", newline="\n")
    return len(lines)
