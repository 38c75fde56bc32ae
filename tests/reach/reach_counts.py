"""What can be done in positions of finished games, counted: ``tests/reach/RULESET.txt``, a line for each position.

Numbers say little to a reader and much to a program: one hex more or less in anybody's reach changes them. ``make
golden`` writes them anew.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from helpers import finished_games
from helpers.registry import Kit
from helpers.replays import replayed

ROOT = Path(__file__).parent
EVERY = 9
"""Of so many messages of a game the position behind one is counted."""


def path_of(kit: Kit) -> Path:
    return ROOT / f"{kit.id}.txt"


def counted(kit: Kit, every: int = 1) -> Iterator[str]:
    """The lines of a system, or each so-manieth: game, message, and its counts by name."""
    seen: set[tuple[str, str]] = set()
    for name in kit.plots:
        for message, game, _result in replayed(finished_games.folder_of(kit, name))[:-1:EVERY]:
            scenario = game.setting.scenario.id, *sorted(game.chain.head["options"].items())
            if (position := (repr(scenario), game.state.sha256())) in seen:
                continue
            seen.add(position)
            if (len(seen) - 1) % every:
                continue
            found = kit.counts(game.setting, game.state)
            yield f"{name} {message.seq}: " + ", ".join(f"{key} {value}" for key, value in found.items())


def rewrite(kit: Kit) -> int:
    """Write the counts of a system; how many positions they are of. One without finished games gets no file."""
    lines = list(counted(kit))
    if not lines:
        path_of(kit).unlink(missing_ok=True)
        return 0
    path_of(kit).write_text("".join(f"{line}\n" for line in lines), encoding="ascii", newline="\n")
    return len(lines)
