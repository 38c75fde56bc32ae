"""Battles on a page: arithmetic and chances."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from kursk_pbem.desk.draft import ordering, prospects, wants
from kursk_pbem.desk.seat.scene import Scene
from kursk_pbem.errors import UsageError
from kursk_pbem.kernel.account.lines import sentence
from kursk_pbem.kernel.events import Fought
from kursk_pbem.kernel.outlook import Chances
from kursk_pbem.kernel.ruleset import ANSWER
from kursk_pbem.kernel.words import Words
from kursk_pbem.report import odds as odds_report
from kursk_pbem.report.battle import describe_battle, explain_odds
from kursk_pbem.report.luck import show_mixed, show_per_cent

_ID = re.compile(r"[a-z]-[\w-]+")
"""The id of a unit in a text."""


def make_battle_card(names: Words, chances: Chances) -> dict[str, Any]:
    """Return the content of the card that the board shows for a battle: units, arithmetic, results, chances, sums."""
    rows = [
        {
            "result": one.result or "none",
            "percent": show_per_cent(one.chance),
            "thousandths": one.chance.numerator * 1000 // one.chance.denominator,
            "text": name_units(names, "; ".join(one.text)) if chances.fought else "; ".join(one.text),
        }
        for one in chances.outcomes
    ]
    # on a table top the title names the firing unit and the manner of fire
    title, _colon, manner = ("" if chances.fought else chances.title).partition(": ")
    return {
        "title": title or chances.title or chances.subject,
        "manner": manner,
        **(_describe_fought(names, chances.fought) if chances.fought else {}),
        "rows": rows,
        "sums": list(_describe_sums(chances)),
        "caveat": sentence(chances.caveat) if chances.caveat else "",
        "assumed": " ".join(map(sentence, chances.assumed)),
    }


def _describe_fought(names: Words, fought: Fought) -> dict[str, Any]:
    return {
        "column": fought.column,
        "shifts": explain_odds(fought),
        "attack": [names.unit(uid) for uid in fought.attack.units],
        "defence": [names.unit(uid) for uid in fought.defence.units],
        "arithmetic": "\n".join(f"{'  ' * level}{row}" for level, row in describe_battle(fought, names)),
    }


def name_units(names: Words, text: str) -> str:
    """Return a text with names in place of the ids of units."""
    return _ID.sub(lambda found: names.unit(found[0]), text)


def list_waiting(scene: Scene, place: str) -> list[dict[str, Any]]:
    """Return the cards of the declared battles in a place, with an order word if the player can answer the battle."""
    if scene.checked is None or not any(fought.place == place for fought in scene.declared):
        return []
    if scene.desk.game.stage.kind == ANSWER and scene.sheet is not None:
        return [card for card in list_attacked(scene) if card["place"] == place]
    here = [one for one in _compute_odds(scene) if one.fought is not None and one.fought.place == place]
    return [make_battle_card(scene.words, one) for one in here]


def list_attacked(scene: Scene) -> list[dict[str, Any]]:
    """Return the declared battles in which the player defends. First come battles that the player can answer."""
    sheet = scene.sheet
    if scene.checked is None or sheet is None or scene.desk.game.stage.kind != ANSWER:
        return []
    firsts = [
        (verb.name, clause) for verb in sheet.verbs for clause in ordering.list_clauses(sheet, verb.name, ())[1][:1]
    ]
    answers = {word: verb for verb, clause in firsts for word, _meaning in clause.among}
    whys = dict(note.partition(": ")[::2] for _verb, clause in firsts for note in clause.notes)
    cards = [
        {
            **make_battle_card(scene.words, chances),
            "title": _make_title(scene, chances),
            "subject": chances.subject,
            "place": chances.fought.place if chances.fought else "",
            "verb": answers.get(chances.subject, ""),
            "why": whys.get(chances.subject, "No answer is needed here."),
        }
        for chances in _compute_odds(scene)
    ]
    return sorted(cards, key=lambda card: not card["verb"])


def _compute_odds(scene: Scene) -> tuple[Chances, ...]:
    checked = scene.checked
    if checked is None:
        return ()
    return prospects.compute_odds(prospects.Prospect(scene.desk.game, checked.result.after, checked.hidden, ""))


def find_plan_example(scene: Scene) -> str:
    """Return an example of a plan (a goal for the coming dice), '' if no battle or shot waits for dice."""
    checked = scene.checked
    turn = wants.find_turn(prospects.look_at_checked(scene.desk, checked)) if checked and scene.sheet else None
    return "" if turn is None else wants.TABLE if turn.holds else wants.HEXES


def describe_plan(scene: Scene, text: str) -> list[str]:
    """Return the chances of a typed plan in the draft's battles. If the plan is not understood, return the reason."""
    if scene.checked is None:
        return []
    try:
        return list(wants.describe_plan(prospects.look_at_checked(scene.desk, scene.checked), text))
    except UsageError as error:
        return [error.message]


def _make_title(scene: Scene, chances: Chances) -> str:
    where = scene.words.place(chances.fought.place) if chances.fought and chances.fought.place else ""
    return chances.title or (f"{where} ({chances.subject})" if where else chances.subject)


def list_past(scene: Scene, place: str) -> list[dict[str, Any]]:
    """Return the cards of the battles that the last message resolved in a place."""
    seq = scene.message if scene.message is not None else len(scene.desk.history.steps) - 1
    result = scene.desk.history.steps[seq].result
    events = result.events if result else ()
    return [
        {"title": f"Result: {event.result}" if event.result else "Result", **_describe_fought(scene.words, event)}
        for event in events
        if isinstance(event, Fought) and event.place == place
    ]


def _describe_sums(chances: Chances) -> Iterator[str]:
    yield from (f"Chance that {what}: {odds_report.show_fraction(value)}" for what, value in chances.sums)
    yield from (f"On average {what}: {show_mixed(value)}" for what, value in chances.means)
