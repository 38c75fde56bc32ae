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


def card(names: Words, each: Chances) -> dict[str, Any]:
    """A battle for a page: who, the arithmetic, every result with its chance, what they come to."""
    lines = [f"{'  ' * level}{text}" for level, text in battle(each.fought, names)] if each.fought else []
    rows = [
        {
            "result": one.result or "none",
            "chance": odds_report.chance(one.chance),
            "percent": per_cent(one.chance),
            "thousandths": one.chance.numerator * 1000 // one.chance.denominator,
            "text": "; ".join(one.text),
        }
        for one in each.outcomes
    ]
    return {
        "title": each.title or each.subject,
        "column": each.fought.column if each.fought else "",
        "attack": [names.unit(uid) for uid in each.fought.attack.units] if each.fought else [],
        "defence": [names.unit(uid) for uid in each.fought.defence.units] if each.fought else [],
        "arithmetic": "\n".join(lines),
        "rows": rows,
        "sums": list(_sums(each)),
        "assumed": " ".join(f"{text[:1].upper()}{text[1:]}." for text in each.assumed),
    }


def about(scene: Scene, place: str) -> list[dict[str, Any]]:
    """The battles in a place: those that wait for their dice with their chances, and what came of the last ones."""
    found = []
    if any(fought.place == place for fought in scene.declared) and scene.checked is not None:
        known = prospects.Prospect(scene.desk.game, scene.checked.result.after, scene.checked.hidden, "")
        every = prospects.odds(known)
        found = [card(scene.words, each) for each in every if each.fought is not None and each.fought.place == place]
    seq = scene.message if scene.message is not None else len(scene.desk.history.steps) - 1
    result = scene.desk.history.steps[seq].result
    events = result.events if result else ()
    return [*found, *(_over(scene.words, each) for each in events if isinstance(each, Fought) and each.place == place)]


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
        "assumed": "",
    }


def _sums(each: Chances) -> Iterator[str]:
    yield from (f"Chance that {what}: {odds_report.chance(value)} = {per_cent(value)}" for what, value in each.sums)
    yield from (f"On average {what}: {mixed(value)}" for what, value in each.means)
