"""Typed orders in the names of the board: units and places by name, without the program's names of attacks."""

from __future__ import annotations

from collections.abc import Iterator

from kursk_pbem.desk.draft.wording import NOTE
from kursk_pbem.desk.seat.scene import Scene

_JOINS = ("with", "to", "by", "and", "join")
"""Words of an order that continue it; other words begin a new part."""
_IF = "if-"
"""The beginning of a condition for one unit: 'if-supplied'."""
_MANY = 6
"""The maximum number of units in a row to name. Of more units, the first four are named and the others counted."""


def name_order(scene: Scene, words: str) -> str:
    """Return a typed order with names in place of the ids of units and places. A typed note does not change."""
    return words if words.startswith(NOTE) else "".join(_name_parts(scene, words.split()))


def _name_parts(scene: Scene, words: list[str]) -> Iterator[str]:
    """Yield each word or name, after its separator."""
    attacks = {battle.battle: battle.place for battle in scene.declared}
    places = {region.id for region in scene.picture.regions}
    before, moving = "", False
    others = _count_others([word in scene.state.units for word in words])
    for number, word in enumerate(words):
        if number in others:
            yield others[number]
            continue
        if number > 1 and "as" in (word, words[number - 1]):  # the name of an attack is for programs
            continue
        if word in scene.state.units:
            kind, text = "unit", scene.words.unit(word)
            moving = moving or number == 1
        elif word in places or word in attacks:
            kind, text = "place", scene.words.place(attacks.get(word, word))
        else:
            kind, text = "word", word
        if word.startswith(_IF):  # belongs to the unit before
            yield f" {word.replace('-', ' ')}"
            continue
        yield f"{_separate(before, kind, word, moving=moving)}{text}"
        before = kind


def _count_others(units: list[bool]) -> dict[int, str]:
    """Return the text for each unit of a long row after the fourth, by its place among the words."""
    others = dict[int, str]()
    for start in (place for place, unit in enumerate(units) if unit and not (place and units[place - 1])):
        end = units.index(False, start) if False in units[start:] else len(units)
        if end - start > _MANY:
            others |= dict.fromkeys(range(start + 4, end), "") | {start + 4: f" and {end - start - 4} others"}
    return others


def _separate(before: str, kind: str, word: str, *, moving: bool) -> str:
    """Return what separates a word from the word before: '' at the beginning."""
    if before == "unit" and kind == "place":
        return " to " if moving else " "
    if before == kind != "word":
        return ", "
    if before in ("unit", "place") and word.isalpha() and word not in _JOINS:
        return "; "
    return " " if before else ""
