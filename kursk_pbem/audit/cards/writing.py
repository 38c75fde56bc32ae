"""Write cards: cases of the suite to text. ``conformance/cards.md`` describes the text."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from kursk_pbem.audit import suite
from kursk_pbem.audit.cards import reading, values
from kursk_pbem.audit.cards.reading import CHANGES, NOTHING, SET_UP, STAYS, TABLES, TURN
from kursk_pbem.audit.cards.values import write_table
from kursk_pbem.audit.cards.words import Words, read_words, write_lines
from kursk_pbem.errors import UsageError
from kursk_pbem.game import questions, scenarios
from kursk_pbem.game.questions import COUNT, PLAY
from kursk_pbem.rulesets import ruleset as find_ruleset

UNTITLED = "A case that no person wrote."
"""The title of a case taken from a game."""
_WIDTH = 120
_INDENT, _FURTHER = "  ", "      "
_BREAK, _SPACE = re.compile(r"(?<=[,;]) | (?=\[)"), re.compile(" ")
"""Patterns of the places where a long line may be broken: the preferred places, and any blank."""
_Case = Mapping[str, Any]


def find_card(place: Path, name: str) -> str:
    """Return the card of a conformance case: written by a person, or else generated. Raises KurskError."""
    case = next((case for case in suite.read_suite(place).cases if case["id"] == name), None)
    if case is None:
        raise UsageError(f"the suite has no case {name[:80]!a}; 'kursk conformance run' with -o FILE lists all cases")
    system = find_ruleset(case["system"]).id
    try:
        header, cards = reading.split_cards(suite.read_cards(place, system))
        return cards.get(name) or write_card(read_words(system, header), case)
    except questions.MISFITS as error:
        raise UsageError(f"the case {name[:80]!a} does not fit the rules ({type(error).__name__})") from None


def write_card(words: Words, case: _Case) -> str:
    """Return a conformance case as the text of a card, without a final newline.

    Raises KurskError if the case does not fit the rules.
    """
    heading = f"{case['id']} {case.get('title', UNTITLED)}"
    if case["rules"] != [reading.paragraph_of(case["id"])]:
        heading += f" [{' '.join(case['rules'])}]"
    lines = [*_write_head(words, case), *_write_position(words, case)]
    lines += _write_count(case) if case["level"] == COUNT else _write_message(words, case)
    wrapped = [_INDENT + words.shorten(line) for line in lines if line]
    return "\n".join(part for line in (heading, *wrapped) for part in _wrap(line))


def _wrap(line: str) -> Iterator[str]:
    """Yield a line in pieces of the usual width, broken after a comma or semicolon, otherwise between words."""
    while len(line) > _WIDTH:
        for pattern in (_BREAK, _SPACE):
            ends = [match.start() for match in pattern.finditer(line) if _WIDTH // 3 < match.start() <= _WIDTH]
            if ends:
                break
        else:
            break
        yield line[: ends[-1]]
        line = _FURTHER + line[ends[-1] :].lstrip()
    yield line


def _join(*sections: str) -> str:
    return "; ".join(filter(None, sections))


def _write_head(words: Words, case: _Case) -> Iterator[str]:
    """Yield a line of what all questions about a game share, without the usual."""
    scenario, since = case["scenario"]["id"], case["since"]
    yield _join(
        f"scenario {scenario}" if scenario != words.usual.get("scenario") else "",
        f"options {write_table(case['options'])}" if case["options"] else "",
        f"dice-from {case['dice-from']}" if case["dice-from"] != "players" else "",
        f"since {since}" if since != words.usual.get("since") else "",
    )


def _write_position(words: Words, case: _Case) -> Iterator[str]:
    """Yield the lines of a position, without the usual."""
    position, usual, stage = case["position"], words.position, case["position"]["stage"]
    state = scenarios.make_first_position(find_ruleset(case["system"]), questions.load_setting(case))
    first = state.to_plain()
    lines = dict(write_lines(words.agenda, position["agenda"]))
    tables = {**position, "agenda": {key: value for key, value in position["agenda"].items() if not lines[key]}}
    usual = {"turn": "", "side": "", "stage": "", **usual, "agenda": words.find(stage, "agenda")}
    entries = {name: _write_entries(tables[name], usual.get(name, {}), first[name]) for name in TABLES}
    yield _join(
        f"at {stage}" if stage != usual["stage"] else "",
        f"turn {position['turn']}" if position["turn"] != usual["turn"] else "",
        f"side {values.write_value(position['side'])}"
        if position["side"] != (words.find(stage, "side") or usual["side"])
        else "",
        *_write_placed(words, position["units"], first["units"]),
        *(f"{name} {line}" for name, line in entries.items() if line),
    )
    yield from (line for several in lines.values() for line in several)


def _write_placed(words: Words, units: Mapping[str, Any], first: Mapping[str, Any]) -> Iterator[str]:
    """Yield the units of a position: those elsewhere than unused units, or than in the set-up, whichever are fewer."""
    place, steps = words.others
    used = {unit: entry for unit, entry in units.items() if entry != {"place": place, "steps": steps}}
    moved = {unit: entry for unit, entry in units.items() if entry != first[unit]}
    if len(moved) < len(used):
        yield f"others {SET_UP}"
        used = moved
    yield _write_units(used, {unit: entry["steps"] for unit, entry in first.items()})


def _write_units(units: Mapping[str, Any], usual: Mapping[str, str]) -> str:
    """Return a list of units, grouped by place; steps only if they are not the usual."""
    places: dict[str, list[str]] = {}
    for unit, entry in units.items():
        place = entry["place"] if entry["steps"] == usual[unit] else f"{entry['place']}/{entry['steps']}"
        places.setdefault(place, []).append(unit)
    return ", ".join(f"{' '.join(there)} {values.write_value(place)}" for place, there in places.items())


def _write_entries(table: Mapping[str, Any], usual: Mapping[str, Any], first: Mapping[str, Any]) -> str:
    """Return a table of a position as changes to the usual entries, or to those of the set-up."""
    texts = [write_table(_find_different(table, usual)), write_table(_find_different(table, first))]
    return texts[0] if len(texts[0]) <= len(texts[1]) + len(SET_UP) else f"{SET_UP}, {texts[1]}".removesuffix(", ")


def _find_different(table: Mapping[str, Any], usual: Mapping[str, Any]) -> dict[str, Any]:
    changed = {key: value for key, value in table.items() if usual.get(key) != value}
    return {**changed, **{key: None for key in usual if key not in table}}


def _write_count(case: _Case) -> Iterator[str]:
    """Yield the lines of a question of level count."""
    (what, *_phase) = case["expect"]
    asked = {what: case["ask"][what], **case["ask"]}
    yield f"count {write_table(asked)} = {_write_counted(case['expect'][what])}"
    for name, other in case.get("alternatives", {}).items():
        yield f"or {name} = {_write_counted(other[what])}"


def _write_counted(value: Any) -> str:
    return values.write_value(value) if not isinstance(value, Mapping) else write_table(value) or NOTHING


def _write_message(words: Words, case: _Case) -> Iterator[str]:
    """Yield the lines of a message, its dice and its answer."""
    position, message = case["position"], {**case["message"]}
    orders = message.pop("orders") if message.get("orders") else {}
    for key, lines in write_lines(words.orders, orders):
        yield from (f"> {line}" for line in lines or [f"{key} = {values.write_value(orders[key])}"])
    usual = {"seq": reading.SEQ, "from": position["side"], "type": "turn", **words.find(position["stage"], "message")}
    for name, table in (
        ("message", {key: value for key, value in message.items() if usual.get(key) != value}),
        ("reveal", case["reveal"]),
        ("roll", case["dice"]),
    ):
        yield f"{name} {write_table(table)}" if table else ""
    expect = case["expect"]
    if case["level"] == PLAY:
        yield from _write_effects(words, case, expect)
    else:
        yield from _write_faults(expect)
    for name, other in case.get("alternatives", {}).items():
        yield from (f"or {name} {line}" for line in _write_answer(words, position, other) if line)


def _write_faults(expect: Mapping[str, Any]) -> Iterator[str]:
    yield from (f"! {fault['paragraph']} {fault['place']}" for fault in expect["faults"])


def _write_effects(words: Words, case: _Case, expect: Mapping[str, Any]) -> Iterator[str]:
    """Yield the lines of an answer of level play, without what is usual."""
    position = case["position"]
    usual = {**reading.find_usual_changes(words, position), "rolled": sorted(case["dice"]), "over": False, "winner": ""}
    said = {key: value for key, value in expect.items() if value != usual[key]}
    if not CHANGES.keys() & said.keys():
        yield f"{CHANGES['duties']} {NOTHING}"
    yield from _write_answer(words, position, said)


def _write_answer(words: Words, position: Mapping[str, Any], said: Mapping[str, Any]) -> Iterator[str]:
    """Yield the lines of the given fields of an answer."""
    if "faults" in said:
        yield from _write_faults(said) if said["faults"] else ["legal"]
    usual = reading.find_usual_changes(words, position)
    for name, mark in CHANGES.items():
        if name in said:
            yield f"{mark} {_write_changes(words, position, said[name], usual[name])}"
    if "rolled" in said:
        yield f"rolled {', '.join(map(values.write_value, said['rolled'])) or NOTHING}"
    yield _join(
        "over" if said.get("over") else "", f"winner {values.write_value(said['winner'])}" if "winner" in said else ""
    )


def _write_changes(
    words: Words, position: Mapping[str, Any], changes: Mapping[str, Any], usual: Mapping[str, Any]
) -> str:
    """Return the changes of a position."""
    units = changes.get("units", {})
    known = {unit: reading.usual_steps(words, position, unit, entry["place"]) for unit, entry in units.items()}
    turn = {key: changes.get(key, STAYS) for key in TURN if usual.get(key, STAYS) != changes.get(key, STAYS)}
    gone, entries = usual.get("agenda", {}), changes.get("agenda", {})
    agenda = {key: value for key, value in entries.items() if key not in gone or value is not None}
    tables = {**changes, "agenda": agenda | {key: STAYS for key in gone if key not in entries}}
    return (
        _join(
            _write_units(units, known),
            *(f"{key} {values.write_value(value)}" for key, value in turn.items()),
            *(f"{name} {write_table(tables[name])}" for name in TABLES if tables.get(name)),
        )
        or NOTHING
    )
