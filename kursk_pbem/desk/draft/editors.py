"""A JSON Schema of drafts for editors with YAML support: completion and checking while typing.

The schema of a game contains the fields of the next message and the ids of units and hexes. The program never reads
this schema.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import Any

from kursk_pbem import rulesets
from kursk_pbem.desk.own.desks import Desk
from kursk_pbem.formats.precheck import load
from kursk_pbem.game import folders, games
from kursk_pbem.game.games import Game
from kursk_pbem.kernel.ruleset import Ruleset

NAME = "draft.schema.json"
"""The file name of a game's schema."""
HEADLINE = f"# yaml-language-server: $schema={NAME}"
"""The first line of a draft, by which an editor finds the schema."""

_COMMON = "common.schema.json#/$defs/"
_HEAD = ("kursk-pbem", "type", "game", "seq", "from", "prev", "note")
_UNITS, _PLACES = (_COMMON + "id",), (_COMMON + "hex4", "#/$defs/hex")


def is_ruleset(rid: str) -> bool:
    """Return whether a ruleset with this id exists."""
    return rid in rulesets.list_ids()


def make_schema(rid: str) -> dict[str, Any]:
    """Return the schema for all drafts of a ruleset. Raises UsageError for an unknown ruleset."""
    return _merge_schemas(rulesets.ruleset(rid), None, (), ())


def game_schema(game: Game) -> dict[str, Any]:
    """Return the schema for the next draft of a game, with its fields, units and hexes."""
    fields = {field for phase in game.stage.phases for field in phase.reads}
    picture = game.ruleset.seen.picture(game.setting, game.state)
    places = [region.id for region in picture.regions] if picture.form != "plane" else []
    return _merge_schemas(game.ruleset, fields, {*game.state.units, *_list_units(game.setting.scenario.data)}, places)


def _list_units(data: Any) -> Iterator[str]:
    """Yield the units listed anywhere in a scenario, including units without a place on the map."""
    for key, value in data.items() if isinstance(data, dict) else ():
        if key == "units" and isinstance(value, dict) and "units" not in value:  # skip the content of units.yaml
            yield from (uid for uid in value if uid != "provenance")
        yield from _list_units(value)


def write_schema(desk: Desk) -> None:
    """Write the schema of the next draft into the draft's folder. Raises UsageError."""
    folders.write(desk.folder / NAME, format_schema(game_schema(desk.game)), force=True)


def format_schema(schema: Mapping[str, Any]) -> str:
    """Return a schema as text."""
    return json.dumps(schema, indent=1) + "\n"


def _merge_schemas(
    ruleset: Ruleset, fields: Collection[str] | None, units: Iterable[str], places: Iterable[str]
) -> dict[str, Any]:
    """Return a schema. ``fields``: fields read by phases, None for all; ``units``, ``places``: known ids."""
    file = f"{ruleset.schema}.schema.json"
    message, own = load("message.schema.json"), load(file)
    lists = {**dict.fromkeys(_UNITS, sorted(units)), **dict.fromkeys(_PLACES, sorted(places))}
    made = _Bundle(file, lists)
    properties = {key: made.part(message["properties"][key], "message.schema.json") for key in _HEAD}
    for key in games.CHOICE_FIELDS:
        if key in own["properties"] and (form := _restrict_form(key, own["properties"][key], fields)):
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


def _restrict_form(key: str, form: Mapping[str, Any], fields: Collection[str] | None) -> Mapping[str, Any] | None:
    """Return the schema of a field without lists that the message must not contain; None for no field.

    Seals and empty orders are always legal.
    """
    if fields is None or key == "seal":
        return form
    if key != "orders":
        return form if key in fields else None
    inner = {name: part for name, part in form["properties"].items() if f"orders/{name}" in fields}
    return {**form, "properties": inner}


class _Bundle:
    """Schemas of several files merged into one. ``defs``: definitions by name, ``common-NAME`` for shared ones."""

    def __init__(self, file: str, lists: Mapping[str, list[str]]) -> None:
        self.file, self.lists = file, lists
        self.defs: dict[str, Any] = {}

    def part(self, form: Any, file: str) -> Any:
        """Return a part of a schema for the merged schema, with comments as descriptions."""
        if isinstance(form, list):
            return [self.part(inner, file) for inner in form]
        if not isinstance(form, Mapping):
            return form
        made = {key: self.part(inner, file) for key, inner in form.items() if key not in ("$ref", "$comment")}
        if "$comment" in form:
            made["description"] = form["$comment"]
        if "$ref" in form:
            made["$ref"] = self.resolve_reference(form["$ref"], file)
        return made

    def resolve_reference(self, wanted: str, file: str) -> str:
        target, _hash, name = wanted.partition("#/$defs/")
        target = target or file
        key = name if target == self.file else f"common-{name}"
        if key not in self.defs:
            self.defs[key] = {}  # entry for recursive definitions
            form = self.part(load(target)["$defs"][name], target)
            whole = f"{'' if target == self.file else target}#/$defs/{name}"
            self.defs[key] = self.list_values(form, self.lists.get(whole, []), digits=whole in _PLACES)
        return f"#/$defs/{key}"

    def list_values(self, form: Mapping[str, Any], ids: list[str], *, digits: bool) -> dict[str, Any]:
        """Return a schema of known values. An unquoted hex of digits is a number in YAML."""
        if ids:
            form = {"description": form.get("description", ""), "enum": ids}
        if not digits or not all(id_.isdigit() for id_ in ids):
            return dict(form)
        return {"description": form.get("description", ""), "anyOf": [dict(form), {"type": "integer"}]}
