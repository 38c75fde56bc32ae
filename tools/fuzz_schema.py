"""Target ``schema``: messages, choices and scenarios with a changed structure, checked by the schemas.

The quick check, our wording of jsonschema's findings, and plain jsonschema must agree.
"""

from __future__ import annotations

import json
import random
from collections.abc import Iterable, Mapping
from functools import cache
from typing import Any

from fuzz_corpus import ODD, STRINGS, any_value, change_tree, read_all
from fuzzing import Watch, Wrong, check_refusal
from helpers import registry
from helpers.registry import Kit

from kursk_pbem.errors import FileError
from kursk_pbem.formats import precheck, schema, strictyaml
from kursk_pbem.formats.strictyaml import Document
from kursk_pbem.game import scenario_files as scenario
from kursk_pbem.game.games import CHOICE_FIELDS

NAME = "fuzz.yaml"
MESSAGE = "message"
LONG = 60
"""Number of entries of a long table."""
BULK = (300, 3000, 12_000)
"""Numbers of copies in a bulky tree."""


class Schema:
    """Trees for each of the schemas. An input is a line of JSON: ``[schema, tree]``."""

    name, suffix = "schema", ".json"

    def __init__(
        self, more: list[bytes] | None = None, most: int = 60, ruleset: str = "*", kits: Iterable[Kit] = ()
    ) -> None:
        """Load trees of ``kits``, by default of every kit."""
        raws = [*(more or []), *read_all(f"games/{ruleset}/*/*.yaml", most), *read_all("vectors/*/*.yaml")]
        self.trees: dict[str, list[dict[str, Any]]] = {MESSAGE: [strictyaml.read(raw, NAME).data for raw in raws]}
        self.kinds = [MESSAGE, MESSAGE]
        for kit in kits or registry.kits():
            self.trees[kit.ruleset.schema] = self.list_choices(kit, most)
            self.trees[kit.ruleset.scenario_schema] = [self.load_scenario(kit.scenarios[-1])]
            self.kinds += [kit.ruleset.schema] * 3 + [kit.ruleset.scenario_schema]

    def list_choices(self, kit: Kit, most: int) -> list[dict[str, Any]]:
        """Return the players' choices in finished games, and choices with every field."""
        everything = kit.hostile().everything if kit.hostile else {}
        raws = read_all(f"games/{kit.id}/*/*.yaml", most)
        written = [strictyaml.read(raw, NAME).data for raw in raws]
        found = [{key: each[key] for key in CHOICE_FIELDS if key in each} for each in written]
        return [everything] * 10 + [each for each in found if each]

    def load_scenario(self, name: str) -> dict[str, Any]:
        """Return the data of a scenario, with a twelfth of the entries of long tables."""
        found = scenario.parse(scenario.read_contents(scenario.find(name)))
        return {part: _thin_tables(document.data) for part, document in found.items()}

    def make(self, rng: random.Random) -> bytes:
        kind = rng.choice(self.kinds)
        tree = change_tree(rng, rng.choice(self.trees[kind]), rng.choice((0, 1, 1, 1, 2, 4, 9)), _make_odd_value)
        if rng.random() < 0.05:
            tree = _add_bulk(rng, tree)
        return json.dumps([kind, tree]).encode("ascii")

    def judge(self, raw: bytes, watch: Watch) -> str:
        kind, tree = json.loads(raw)
        with watch.watch_step("accepts"):
            fits = precheck.is_accepted(tree, kind)
        with watch.watch_step("problems"):
            found = schema.find_problems(tree, kind)
        if fits != (not found):
            raise Wrong(f"the quick check says {fits}, and found is {ascii(found)[:300]}")
        if fits != make_validator(kind).is_valid(tree):
            raise Wrong(f"the quick check says {fits}, jsonschema the contrary")
        try:
            with watch.watch_step("check"):
                schema.check(tree, kind, Document(tree, NAME))
        except FileError as error:
            if fits:
                raise Wrong("it fits and is refused") from None
            if str(error).count("\n") > schema.MAX_PROBLEMS:
                raise Wrong(f"{str(error).count(chr(10))} lines of complaints") from None
            check_refusal(error, NAME)
            return f"{kind}, refused"
        return f"{kind}, accepted"


def _thin_tables(data: Mapping[str, Any]) -> dict[str, Any]:
    """Keep every twelfth entry of the long tables."""
    long = {key: value for key, value in data.items() if isinstance(value, dict) and len(value) > LONG}
    return {**data, **{key: {each: value[each] for each in sorted(value)[::12]} for key, value in long.items()}}


def _make_odd_value(rng: random.Random, old: Any) -> Any:
    """Return any value, sometimes a value that no reader accepts."""
    return rng.choice(ODD) if rng.random() < 0.05 else any_value(rng, old)


def _add_bulk(rng: random.Random, tree: dict[str, Any]) -> dict[str, Any]:
    """Add thousands of copies of a value to a tree."""
    many = rng.choice(BULK)
    word, other = rng.choice(STRINGS), any_value(rng, None)
    bulk: Any = rng.choice(
        (
            [other] * many,
            {f"k{n}": other for n in range(many)},
            {f"k {n}": word for n in range(many)},
            [{"unit": word, "to": "2113"}] * many,
            [{"id": f"b{n}", "hex": "2113", "attackers": []} for n in range(many)],
        )
    )
    key = rng.choice(list(tree) or ["orders"])
    inner = tree.get(key)
    if isinstance(inner, dict) and inner and rng.random() < 0.7:
        return {**tree, key: {**inner, rng.choice([*inner, "x"]): bulk}}
    return {**tree, key: bulk} if rng.random() < 0.7 or not isinstance(bulk, dict) else {**tree, **bulk}


@cache
def make_validator(kind: str) -> Any:
    """Return jsonschema's own validator."""
    from jsonschema import Draft202012Validator
    from referencing import Registry
    from referencing.jsonschema import DRAFT202012

    registry: Any = Registry(retrieve=lambda uri: DRAFT202012.create_resource(_end_patterns(precheck.load(uri))))  # type: ignore[call-arg]
    return Draft202012Validator(_end_patterns(precheck.load(f"{kind}.schema.json")), registry=registry)


def _end_patterns(form: Any) -> Any:
    r"""Return a schema with ``\Z`` for a last ``$`` in patterns, because ``$`` also fits before a last line end."""
    if isinstance(form, list):
        return [_end_patterns(each) for each in form]
    if not isinstance(form, dict):
        return form
    ended = {key: _end_patterns(value) for key, value in form.items()}
    if isinstance(ended.get("pattern"), str):
        ended["pattern"] = ended["pattern"].removesuffix("$") + r"\Z" * ended["pattern"].endswith("$")
    return ended
