"""A JSON Schema of drafts for editors that know YAML: they complete keys, units and hexes, and check as one types.

It is made of the schemas that also check every message; a game's own holds the fields of the message that is due, and
the ids of its units and hexes. Editors are told more than the program asks: the program never reads it.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import Any

from kursk_pbem import rulesets
from kursk_pbem.desk.desks import Desk
from kursk_pbem.formats.precheck import load
from kursk_pbem.game import folders, games
from kursk_pbem.game.games import Game
from kursk_pbem.kernel.ruleset import Ruleset

NAME = "draft.schema.json"
"""The schema of a game's drafts, beside them in its folder."""
HEADLINE = f"# yaml-language-server: $schema={NAME}"
"""The first line of a draft: where an editor finds its schema."""

_COMMON = "common.schema.json#/$defs/"
_HEAD = ("kursk-pbem", "type", "game", "seq", "from", "prev", "note")
_UNITS, _PLACES = (_COMMON + "id",), (_COMMON + "hex4", "#/$defs/hex")


def is_ruleset(rid: str) -> bool:
    """Whether there is a ruleset of this id."""
    return rid in rulesets.MODULES


def of_ruleset(rid: str) -> dict[str, Any]:
    """The schema of all drafts of a ruleset. UsageError names those there are."""
    return _schema(rulesets.ruleset(rid), None, (), ())


def of_game(game: Game) -> dict[str, Any]:
    """The schema of the draft of the message that is due in a game: its fields, the units and hexes of its scenario."""
    fields = {field for phase in game.stage.phases for field in phase.reads}
    picture = game.ruleset.seen.picture(game.setting, game.state)
    places = [region.id for region in picture.regions] if picture.form != "plane" else []
    return _schema(game.ruleset, fields, {*game.state.units, *_listed(game.setting.scenario.data)}, places)


def _listed(data: Any) -> Iterator[str]:
    """What a scenario lists under ``units``, wherever: aircraft, say, that have no place on the map."""
    for key, value in data.items() if isinstance(data, dict) else ():
        if key == "units" and isinstance(value, dict) and "units" not in value:  # not the file of that name
            yield from (uid for uid in value if uid != "provenance")
        yield from _listed(value)


def write(desk: Desk) -> None:
    """Put the schema of the draft that is due beside it. UsageError."""
    folders.write(desk.folder / NAME, text(of_game(desk.game)), force=True)


def text(schema: Mapping[str, Any]) -> str:
    """A schema as it is printed and written."""
    return json.dumps(schema, indent=1) + "\n"


def _schema(
    ruleset: Ruleset, fields: Collection[str] | None, units: Iterable[str], places: Iterable[str]
) -> dict[str, Any]:
    """``fields``: those that phases read (``orders/NAME``), None for all; ``units`` and ``places``: ids, if known."""
    file = f"{ruleset.schema}.schema.json"
    message, own = load("message.schema.json"), load(file)
    lists = {**dict.fromkeys(_UNITS, sorted(units)), **dict.fromkeys(_PLACES, sorted(places))}
    made = _Bundle(file, lists)
    properties = {key: made.part(message["properties"][key], "message.schema.json") for key in _HEAD}
    for key in games.CHOICE_FIELDS:
        if key in own["properties"] and (form := _allowed(key, own["properties"][key], fields)):
            properties[key] = made.part(form, file)
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": f"A draft of {ruleset.title}",
        "type": "object",
        "additionalProperties": False,
        "required": ["kursk-pbem", "type", "seq", "from"],
        "properties": properties,
        "$defs": dict(sorted(made.defs.items())),
    }


def _allowed(key: str, form: Mapping[str, Any], fields: Collection[str] | None) -> Mapping[str, Any] | None:
    """The form of a field without what the message may not hold; None if that is the whole.

    Seals are always let in, and orders that are empty.
    """
    if fields is None or key == "seal":
        return form
    if key != "orders":
        return form if key in fields else None
    inner = {name: part for name, part in form["properties"].items() if f"orders/{name}" in fields}
    return {**form, "properties": inner}


class _Bundle:
    """Schemas of several files drawn into one: ``defs`` by name, those shared by all under ``common-NAME``."""

    def __init__(self, file: str, lists: Mapping[str, list[str]]) -> None:
        self.file, self.lists = file, lists
        self.defs: dict[str, Any] = {}

    def part(self, form: Any, file: str) -> Any:
        """A part of a file's schema as it stands in the one schema: comments are descriptions there."""
        if isinstance(form, list):
            return [self.part(inner, file) for inner in form]
        if not isinstance(form, Mapping):
            return form
        made = {key: self.part(inner, file) for key, inner in form.items() if key not in ("$ref", "$comment")}
        if "$comment" in form:
            made["description"] = form["$comment"]
        if "$ref" in form:
            made["$ref"] = self.reference(form["$ref"], file)
        return made

    def reference(self, wanted: str, file: str) -> str:
        target, _hash, name = wanted.partition("#/$defs/")
        target = target or file
        key = name if target == self.file else f"common-{name}"
        if key not in self.defs:
            self.defs[key] = {}  # one that refers to itself finds it here
            form = self.part(load(target)["$defs"][name], target)
            whole = f"{'' if target == self.file else target}#/$defs/{name}"
            self.defs[key] = self.listed(form, self.lists.get(whole, []), digits=whole in _PLACES)
        return f"#/$defs/{key}"

    def listed(self, form: Mapping[str, Any], ids: list[str], *, digits: bool) -> dict[str, Any]:
        """A form of which every value is known; a hex of digits may stand without quotes, which is a number there."""
        if ids:
            form = {"description": form.get("description", ""), "enum": ids}
        if not digits or not all(id_.isdigit() for id_ in ids):
            return dict(form)
        return {"description": form.get("description", ""), "anyOf": [dict(form), {"type": "integer"}]}
