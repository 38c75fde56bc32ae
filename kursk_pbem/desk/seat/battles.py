"""What a page says of a battle that has not been fought: its arithmetic and its chances."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from kursk_pbem.desk.draft import prospects
from kursk_pbem.desk.seat.scene import Scene
from kursk_pbem.kernel.events import Fought
from kursk_pbem.kernel.outlook import Chances
from kursk_pbem.kernel.words import Words
from kursk_pbem.report import odds as odds_report
from kursk_pbem.report.battle import battle
from kursk_pbem.report.luck import mixed, per_cent


def card(names: Words, chances: Chances) -> dict[str, Any]:
    """A battle for a page: who, the arithmetic, every result with its chance, what they come to."""
    lines = [f"{'  ' * level}{text}" for level, text in battle(chances.fought, names)] if chances.fought else []
    rows = [
        {
            "result": one.result or "none",
            "chance": odds_report.chance(one.chance),
            "percent": per_cent(one.chance),
            "thousandths": one.chance.numerator * 1000 // one.chance.denominator,
            "text": "; ".join(one.text),
        }
        for one in chances.outcomes
    ]
    title, _colon, manner = ("" if chances.fought else chances.title).partition(": ")  # on a table top: who fires how
    return {
        "title": title or chances.title or chances.subject,
        "manner": manner,
        "column": chances.fought.column if chances.fought else "",
        "attack": [names.unit(uid) for uid in chances.fought.attack.units] if chances.fought else [],
        "defence": [names.unit(uid) for uid in chances.fought.defence.units] if chances.fought else [],
        "arithmetic": "\n".join(lines),
        "rows": rows,
        "sums": list(_sums(chances)),
        "caveat": f"{chances.caveat[:1].upper()}{chances.caveat[1:]}." if chances.caveat else "",
        "assumed": " ".join(f"{text[:1].upper()}{text[1:]}." for text in chances.assumed),
    }


def about(scene: Scene, place: str) -> list[dict[str, Any]]:
    """The battles in a place: those that wait for their dice with their chances, and what came of the last ones."""
    return [*waiting(scene, place), *past(scene, place)]


def waiting(scene: Scene, place: str) -> list[dict[str, Any]]:
    """The battles in a place that wait for their dice, with their chances."""
    if scene.checked is None or not any(fought.place == place for fought in scene.declared):
        return []
    known = prospects.Prospect(scene.desk.game, scene.checked.result.after, scene.checked.hidden, "")
    every = prospects.odds(known)
    return [card(scene.words, one) for one in every if one.fought is not None and one.fought.place == place]


def past(scene: Scene, place: str) -> list[dict[str, Any]]:
    """What came of the battles in a place in the last message."""
    seq = scene.message if scene.message is not None else len(scene.desk.history.steps) - 1
    result = scene.desk.history.steps[seq].result
    events = result.events if result else ()
    return [_over(scene.words, event) for event in events if isinstance(event, Fought) and event.place == place]


def _over(names: Words, fought: Fought) -> dict[str, Any]:
    """A battle that has been fought: strengths, odds, die, result and how likely that was."""
    lines = [f"{'  ' * level}{text}" for level, text in battle(fought, names)]
    return {
        "title": f"What came of it: {fought.result}" if fought.result else "What came of it",
        "column": fought.column,
        "attack": [names.unit(uid) for uid in fought.attack.units],
        "defence": [names.unit(uid) for uid in fought.defence.units],
        "arithmetic": "\n".join(lines),
        "rows": [],
        "sums": [],
        "caveat": "",
        "assumed": "",
    }


def _sums(chances: Chances) -> Iterator[str]:
    yield from (f"Chance that {what}: {odds_report.told(value)}" for what, value in chances.sums)
    yield from (f"On average {what}: {mixed(value)}" for what, value in chances.means)
