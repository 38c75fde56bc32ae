"""Counts of the possible actions in positions of finished games: ``tests/reach/RULESET.txt``.

A changed number shows a change of reach, however small. ``make golden`` writes the numbers again.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from helpers import finished_games
from helpers.registry import Kit
from helpers.replays import replayed

ROOT = Path(__file__).parent
PAGE = ROOT.parents[1] / "docs" / "counts.md"
EVERY = 9
"""The interval of counted messages in a game."""


def path_of(kit: Kit) -> Path:
    return ROOT / f"{kit.id}.txt"


def count_positions(kit: Kit, every: int = 1) -> Iterator[str]:
    """Yield the lines of a system, or every n-th line: game, message, and counts by name."""
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
    """Write the counts of a system; return the number of positions. No file without finished games."""
    lines = list(count_positions(kit))
    if not lines:
        path_of(kit).unlink(missing_ok=True)
        return 0
    path_of(kit).write_text("".join(f"{line}\n" for line in lines), encoding="ascii", newline="\n")
    return len(lines)


def rewrite_page(kit: Kit) -> None:
    """Fill the table of a system in docs/counts.md with the counts of the positions in its first line."""
    text = path_of(kit).read_text(encoding="ascii") if path_of(kit).exists() else ""
    counts = {place: dict(re.findall(r"([a-z ]+) (\d+)", line)) for place, line in re.findall("(.*?): (.*)", text)}

    def fill(table: re.Match[str]) -> str:
        head, rule = table[0].splitlines()[:2]
        places = [cell.strip() for cell in head.strip("| ").split("|")][1:]
        if not counts.keys() >= {*places}:
            return table[0]
        names = [name.strip() for name in counts[places[0]]]
        found = [{name.strip(): number for name, number in counts[place].items()} for place in places]
        rows = [" | ".join([name, *(each[name] for each in found)]) for name in names]
        return "\n".join([head, rule, *(f"| {row} |" for row in rows)])

    before, heading, rest = PAGE.read_text(encoding="ascii").partition(f"\n## {kit.ruleset.title}\n")
    rest = re.sub(r"^\| count \|.*\n\| --- \| ---:.*(?:\n\|.*)*", fill, rest, count=1, flags=re.MULTILINE)
    PAGE.write_text(before + heading + rest, encoding="ascii", newline="\n")
