"""Read cards: text to cases of the suite. ``conformance/cards.md`` describes the text."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from kursk_pbem.audit.cards import values
from kursk_pbem.audit.cards.values import COMMA, SEMICOLON
from kursk_pbem.audit.cards.words import Words, add_line, read_words
from kursk_pbem.errors import UsageError
from kursk_pbem.game import scenarios
from kursk_pbem.game.questions import COUNT, JUDGE, PLAY
from kursk_pbem.rulesets import ruleset as find_ruleset

SEQ = "10"
"""The message number of a case whose card has no number."""
CHANGES = {"duties": "->", "choices": "=>"}
"""What changes a position: steps without a choice, or a player's choices; each with the mark of its line."""
SET_UP, STAYS, NOTHING = "set-up", "stays", "nothing"
TABLES = ("marks", "tracks", "agenda")
TURN = ("turn", "side", "stage")
HEAD = ("scenario", "since", "options", "dice-from")
_UNITS = "units"
_FIELDS = (*HEAD, "at", "turn", "side", "others", *TABLES, "message", "reveal", "roll", "rolled", "over", "winner")
_LEGAL = "legal"
_HEADING = re.compile(r"(\S+) (.+?)(?: \[([^\]]*)\])?")
_RULING = re.compile(r"[A-Z]+-[0-9]+")
_FURTHER = re.compile(r"\n {4,}")
"""The beginning of a line that continues the line above."""


@dataclass
class Lines:
    """The lines of a conformance card, sorted by kind. ``fields``: first word of a line -> the other values."""

    fields: dict[str, list[Any]] = field(default_factory=dict)
    waiting: dict[str, Any] = field(default_factory=dict)
    orders: dict[str, Any] = field(default_factory=dict)
    faults: list[dict[str, str]] = field(default_factory=list)
    changes: dict[str, list[list[Any]]] = field(default_factory=dict)
    ask: dict[str, Any] | None = None
    counted: Any = None
    legal: bool = False
    others: dict[str, Lines] = field(default_factory=dict)


def split_cards(text: str) -> tuple[str, dict[str, str]]:
    """Split a file of conformance cards without comments; return its header, and card id -> text. Raises UsageError."""
    header, _, body = text.partition("\n---\n")
    cards: dict[str, str] = {}
    for part in re.split(r"\n\s*\n", body):
        card = "\n".join(line for line in part.splitlines() if line.strip() and not line.startswith("#"))
        if name := card.partition(" ")[0]:
            if name in cards:
                raise UsageError(f"two cards have the id {name}")
            cards[name] = card
    return header, cards


def read_cards(system: str, text: str) -> list[dict[str, Any]]:
    """Return the conformance cases in a file of cards, in order. Raises UsageError or FileError if a card is wrong."""
    header, cards = split_cards(text)
    words = read_words(system, header)
    return [read_card(words, card) for card in cards.values()]


def read_card(words: Words, card: str) -> dict[str, Any]:
    """Return the conformance case of a card. Raises UsageError, with the card's id, if the card is wrong."""
    name, title, rules = read_heading(card)
    _heading, *body = _join_lines(card)
    try:
        lines = Lines()
        for line in body:
            _read_line(words, lines, words.lengthen(line.strip()))
        return {"id": name, "title": title, "rules": rules, **_make_case(words, lines)}
    except UsageError as error:
        raise UsageError(f"card {name}: {error}") from None


def read_heading(card: str) -> tuple[str, str, list[str]]:
    """Return the id, the title and the paragraphs of a card. Raises UsageError if the heading is wrong."""
    heading = _join_lines(card)[0]
    match = _HEADING.fullmatch(heading)
    if not match:
        raise UsageError(f"{heading!r} is not the heading of a card; write a heading as ID TITLE [PARAGRAPHS]")
    name, title, cited = match.groups()
    rules = [rule for rule in (cited or "").split() if not _RULING.fullmatch(rule)]
    return name, title, rules if rules or cited == "" else [paragraph_of(name)]


def _join_lines(card: str) -> list[str]:
    return _FURTHER.sub(" ", card).splitlines()


def paragraph_of(name: str) -> str:
    """Return the paragraph in a card's id, such as '8.0-ar' in 'K71-8.0-ar-02'."""
    return name.partition("-")[2].rpartition("-")[0]


def _read_line(words: Words, lines: Lines, line: str) -> None:
    """Add a line of a card. Raises UsageError."""
    mark, _, rest = line.partition(" ")
    if mark == ">":
        _read_order(words, lines.orders, rest)
    elif mark == "!":
        rule, _, place = rest.partition(" ")
        lines.faults.append({"place": place, "paragraph": rule})
    elif mark in CHANGES.values():
        lines.changes.setdefault(mark, []).extend(values.split(values.read_line(rest), SEMICOLON))
    elif mark == "or":
        name, _, rest = rest.partition(" ")
        _read_line(words, lines.others.setdefault(name, Lines()), rest)
    elif mark in ("count", "="):
        asked, _, counted = f" {line}".partition(" = ")
        lines.ask = values.read_table(values.read_line(asked)[1:])
        lines.counted = _read_count(counted)
    elif line == _LEGAL:
        lines.legal = True
    elif mark[:1] != "(":
        for section in values.split(values.read_line(line), SEMICOLON):
            _read_section(words, lines, section)


def _read_section(words: Words, lines: Lines, section: list[Any]) -> None:
    if section[0] in _FIELDS:
        lines.fields[section[0]] = section[1:]
    elif not add_line(words.agenda, lines.waiting, section):
        lines.fields.setdefault(_UNITS, []).extend([*section, COMMA])


def _read_order(words: Words, orders: dict[str, Any], text: str) -> None:
    """Add an order: a line of a form, or KEY = VALUE. Raises UsageError."""
    line = values.read_line(text)
    if line[1:2] == ["="]:
        orders[line[0]] = values.join(line[2:])
    elif not add_line(words.orders, orders, line):
        raise UsageError(f"no order begins with {line[0]!r}; the header of the file of cards lists the orders")


def _read_count(text: str) -> Any:
    """Return the answer of a count: a list, a table, or a text. Raises UsageError."""
    line = values.read_line(text)
    return {} if line == [NOTHING] else line[0] if len(line) == 1 else values.read_table(line)


def _make_case(words: Words, lines: Lines) -> dict[str, Any]:
    """Return the case of the lines, without its heading. Raises UsageError."""
    given, rules = lines.fields, find_ruleset(words.system)
    scenario = scenarios.load(_read_text(given, "scenario", words.usual.get("scenario", "")))
    options, dice_from = values.read_table(given.get("options", ())), _read_text(given, "dice-from", "players")
    first = scenarios.make_first_position(rules, scenarios.make_setting(rules, scenario, options, dice_from)).to_plain()
    position = _make_position(words, lines, first)
    case = {
        "system": words.system,
        "since": _read_text(given, "since", words.usual.get("since", "")),
        "scenario": {"id": scenario.id, "sha256": scenario.sha256},
        "options": options,
        "dice-from": dice_from,
        "position": position,
    }
    if lines.ask is not None:
        what = next(iter(lines.ask))
        case |= {"level": COUNT, "ask": lines.ask, "expect": {what: lines.counted}}
        others = {name: {what: other.counted} for name, other in lines.others.items()}
    else:
        case |= _make_message(words, lines, position)
        others = {name: _read_answer(words, other, position) for name, other in lines.others.items()}
    return {**case, "alternatives": others} if others else case


def _read_text(given: Mapping[str, list[Any]], key: str, usual: str) -> str:
    return str(values.join(given[key])) if key in given else usual


def _make_message(words: Words, lines: Lines, position: Mapping[str, Any]) -> dict[str, Any]:
    """Return the message of a case, its dice and its answer. Raises UsageError."""
    given = lines.fields
    message = {"seq": SEQ, "from": position["side"], "type": "turn", **words.find(position["stage"], "message")}
    message |= values.read_table(given.get("message", ()))
    dice, answer = values.read_table(given.get("roll", ())), _read_answer(words, lines, position)
    if lines.changes:
        changes = find_usual_changes(words, position)
        level, usual = PLAY, {**changes, "rolled": sorted(dice), "over": False, "winner": ""}
    else:
        level, usual = JUDGE, {"legal": True, "faults": []}
    return {
        "level": level,
        "message": {**message, "orders": lines.orders} if lines.orders else message,
        "reveal": values.read_table(given.get("reveal", ())),
        "dice": dice,
        "expect": {**usual, **answer},
    }


def _make_position(words: Words, lines: Lines, first: Mapping[str, Any]) -> dict[str, Any]:
    """Return the position of a card. ``first``: the position of the set-up. Raises UsageError."""
    given, usual = lines.fields, words.position
    stage = _read_text(given, "at", usual.get("stage", ""))
    side = words.find(stage, "side") or usual.get("side", "")
    place, steps = words.others
    named = _read_units(given.get(_UNITS, ()), lambda unit, _place: _first_steps(first, unit))
    units = {
        unit: named.get(unit) or (entry if given.get("others") == [SET_UP] else {"place": place, "steps": steps})
        for unit, entry in first["units"].items()
    }
    if unknown := named.keys() - units.keys():
        raise UsageError(f"the scenario has no unit {min(unknown)!r}")
    usually = {**usual, "agenda": words.find(stage, "agenda")}
    tables = {name: _read_entries(given.get(name, ()), usually.get(name, {}), first[name]) for name in TABLES}
    tables["agenda"] |= lines.waiting
    turn = {"turn": _read_text(given, "turn", usual.get("turn", "")), "side": _read_text(given, "side", side)}
    return {"type": "state", **turn, "stage": stage, **tables, "units": units}


def _first_steps(first: Mapping[str, Any], unit: str) -> str:
    return str(first["units"].get(unit, {}).get("steps", ""))


def _read_entries(line: Sequence[Any], usual: Mapping[str, Any], first: Mapping[str, Any]) -> dict[str, Any]:
    """Return a table of a position: the usual entries, or those of the set-up, with changes. Raises UsageError."""
    if line and line[0] == SET_UP:
        line, usual = line[1:], first
    return {key: value for key, value in {**usual, **values.read_table(line)}.items() if value is not None}


def _read_units(line: Sequence[Any], find_steps: Callable[[str, str], str]) -> dict[str, dict[str, str]]:
    """Return the units of a list like ``g-gd g-dr 2914, s-15 2915/1``. Raises UsageError."""
    found = {}
    for *units, at in values.split(line, COMMA):
        if not units or not all(isinstance(word, str) for word in (*units, at)):
            raise UsageError(f"the list before {at!r} is wrong: write units, then a place, as in 'UNIT UNIT 2914'")
        place, _, steps = at.rpartition("/") if "/" in at else (at, "", "")
        for unit in units:
            found[unit] = {"place": place, "steps": steps or find_steps(unit, place)}
    return found


def _read_answer(words: Words, lines: Lines, position: Mapping[str, Any]) -> dict[str, Any]:
    """Return the fields of an answer that the lines give. Raises UsageError."""
    given, answer = lines.fields, dict[str, Any]()
    if lines.legal or lines.faults:
        answer |= {"legal": not lines.faults, "faults": lines.faults}
    usual = find_usual_changes(words, position)
    for name, mark in CHANGES.items():
        if mark in lines.changes:
            answer[name] = _read_changes(words, lines.changes[mark], position, usual[name])
    if "rolled" in given:
        rolled = [values.join(label) for label in values.split(given["rolled"], COMMA)]
        answer["rolled"] = [] if rolled == [NOTHING] else rolled
    if "over" in given:
        answer["over"] = True
    if "winner" in given:
        answer["winner"] = _read_text(given, "winner", "")
    return answer


def find_usual_changes(words: Words, position: Mapping[str, Any]) -> dict[str, dict[str, Any]]:
    """Return how duties and choices usually change a position: they remove agenda entries, and set side and stage."""
    gone = {key: None for key in position["agenda"] if words.is_done(key)}
    return {"duties": {"agenda": gone} if gone else {}, "choices": dict(words.find(position["stage"], "next"))}


def _read_changes(
    words: Words, sections: Sequence[list[Any]], position: Mapping[str, Any], usual: Mapping[str, Any]
) -> dict[str, Any]:
    """Return the changes of a position that the sections of a line describe. Raises UsageError."""
    found = dict[str, Any]()
    for section in sections:
        name, *rest = section
        if name in TURN:
            found[name] = str(values.join(rest))
        elif name in TABLES:
            found[name] = values.read_table(rest)
        elif section != [NOTHING]:
            found[_UNITS] = _read_units(section, lambda unit, place: usual_steps(words, position, unit, place))
    agenda = _drop_staying({**usual.get("agenda", {}), **found.pop("agenda", {})})
    return _drop_staying({**usual, **found, "agenda": agenda or STAYS})


def _drop_staying(changes: Mapping[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in changes.items() if value != STAYS}


def usual_steps(words: Words, position: Mapping[str, Any], unit: str, place: str) -> str:
    """Return a unit's steps if a card gives no steps: the steps before; for an unused unit, the default steps."""
    return words.others[1] if place == words.others[0] else str(position["units"].get(unit, {}).get("steps", ""))
