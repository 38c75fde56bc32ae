"""Battles on a page: arithmetic and chances."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from kursk_pbem.desk.draft import prospects
from kursk_pbem.desk.seat.scene import Scene
from kursk_pbem.kernel.events import Fought
from kursk_pbem.kernel.outlook import Chances
from kursk_pbem.kernel.words import Words
from kursk_pbem.report import odds as odds_report
from kursk_pbem.report.battle import describe_battle
from kursk_pbem.report.luck import show_mixed, show_per_cent


def make_battle_card(names: Words, chances: Chances) -> dict[str, Any]:
    """Return the content of a battle's card: units, arithmetic, results with chances, sums."""
    lines = [f"{'  ' * level}{row}" for level, row in describe_battle(chances.fought, names)] if chances.fought else []
    rows = [
        {
            "result": one.result or "none",
            "chance": odds_report.show_chance(one.chance),
            "percent": show_per_cent(one.chance),
            "thousandths": one.chance.numerator * 1000 // one.chance.denominator,
            "text": "; ".join(one.text),
        }
        for one in chances.outcomes
    ]
    # on a table top the title names the firing unit and the manner of fire
    title, _colon, manner = ("" if chances.fought else chances.title).partition(": ")
    return {
        "title": title or chances.title or chances.subject,
        "manner": manner,
        "column": chances.fought.column if chances.fought else "",
        "attack": [names.unit(uid) for uid in chances.fought.attack.units] if chances.fought else [],
        "defence": [names.unit(uid) for uid in chances.fought.defence.units] if chances.fought else [],
        "arithmetic": "\n".join(lines),
        "rows": rows,
        "sums": list(_describe_sums(chances)),
        "caveat": f"{chances.caveat[:1].upper()}{chances.caveat[1:]}." if chances.caveat else "",
        "assumed": " ".join(f"{text[:1].upper()}{text[1:]}." for text in chances.assumed),
    }


def list_battles(scene: Scene, place: str) -> list[dict[str, Any]]:
    """Return the cards of the battles in a place: pending battles and the last results."""
    return [*list_waiting(scene, place), *list_past(scene, place)]


def list_waiting(scene: Scene, place: str) -> list[dict[str, Any]]:
    """Return the cards of the pending battles in a place."""
    if scene.checked is None or not any(fought.place == place for fought in scene.declared):
        return []
    known = prospects.Prospect(scene.desk.game, scene.checked.result.after, scene.checked.hidden, "")
    every = prospects.compute_odds(known)
    return [make_battle_card(scene.words, one) for one in every if one.fought is not None and one.fought.place == place]


def list_past(scene: Scene, place: str) -> list[dict[str, Any]]:
    """Return the cards of the battles that the last message resolved in a place."""
    seq = scene.message if scene.message is not None else len(scene.desk.history.steps) - 1
    result = scene.desk.history.steps[seq].result
    events = result.events if result else ()
    return [
        _make_past_card(scene.words, event) for event in events if isinstance(event, Fought) and event.place == place
    ]


def _make_past_card(names: Words, fought: Fought) -> dict[str, Any]:
    lines = [f"{'  ' * level}{text}" for level, text in describe_battle(fought, names)]
    return {
        "title": f"Result: {fought.result}" if fought.result else "Result",
        "column": fought.column,
        "attack": [names.unit(uid) for uid in fought.attack.units],
        "defence": [names.unit(uid) for uid in fought.defence.units],
        "arithmetic": "\n".join(lines),
        "rows": [],
        "sums": [],
        "caveat": "",
        "assumed": "",
    }


def _describe_sums(chances: Chances) -> Iterator[str]:
    yield from (f"Chance that {what}: {odds_report.show_fraction(value)}" for what, value in chances.sums)
    yield from (f"On average {what}: {show_mixed(value)}" for what, value in chances.means)
