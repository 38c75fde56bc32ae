"""A fast check whether data fit a schema, without explanations: the usual case of every run.

jsonschema finds and explains errors (``schema.py``), but its import costs 60 ms, half the time of a command. Nearly
every file is correct, so the fast check comes first, and only rejected data go to jsonschema. The fast check knows only
the keywords of our schemas and raises an error for others; a test compares both checks on mutants.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from functools import cache
from typing import Any

from kursk_pbem.formats.data import schema_file

Test = Callable[[Any], bool]

_TYPES = {"object": dict, "array": list, "string": str}
_SILENT = frozenset(("$schema", "$id", "$comment", "title", "description", "$defs", "examples"))
_OBJECT = frozenset(
    ("properties", "additionalProperties", "propertyNames", "required", "minProperties", "maxProperties")
)
_ARRAY = frozenset(("items", "minItems", "maxItems"))


@cache
def load(file: str) -> Any:
    """Return a parsed schema by its file name."""
    return json.loads(schema_file(file).read_text(encoding="utf-8"))


@cache
def compile_pattern(text: str) -> re.Pattern[str]:
    """Compile a pattern so that a final ``$`` does not match before a last newline, unlike Python's."""
    return re.compile(text[:-1] + r"\Z" if text.endswith("$") else text)


def is_accepted(data: Any, schema_name: str) -> bool:
    """Return whether ``data`` fit ``schemas/<schema_name>.schema.json``."""
    return look(f"{schema_name}.schema.json", "")(data)


_UNDER_WAY: set[tuple[str, str]] = set()
"""Forms with unfinished tests."""


@cache
def look(file: str, name: str) -> Test:
    """Return the compiled check for a schema file, or for the file's definition ``name`` under ``$defs``."""
    schema = load(file)
    _UNDER_WAY.add((file, name))
    try:
        return _build_test(schema["$defs"][name] if name else schema, file)
    finally:
        _UNDER_WAY.discard((file, name))


def _build_test(schema: Mapping[str, Any], file: str) -> Test:
    words = [key for key in schema if key not in _SILENT | _OBJECT | _ARRAY]
    tests = []
    if schema.get("type") == "string" and "pattern" in schema:  # the usual form
        words = [key for key in words if key not in ("type", "pattern")]
        tests.append(_test_text(schema["pattern"]))
    tests += [_test_keyword(key, schema, file) for key in words]
    if _OBJECT & schema.keys():
        tests.append(_test_object(schema, file))
    if _ARRAY & schema.keys():
        tests.append(_test_array(schema, file))
    return tests[0] if len(tests) == 1 else _require_all(tests)


def _require_all(tests: list[Test]) -> Test:
    if len(tests) == 2:
        one, two = tests
        return lambda value: one(value) and two(value)

    def test(value: Any) -> bool:
        for inner_test in tests:  # noqa: SIM110  all() with a generator is three times slower
            if not inner_test(value):
                return False
        return True

    return test


def _test_text(wanted: str) -> Test:
    search = compile_pattern(wanted).search
    return lambda value: isinstance(value, str) and search(value) is not None


def _test_reference(file: str, name: str) -> Test:
    """Return the test of another form; a recursive form is searched on demand."""
    if (file, name) in _UNDER_WAY:
        return lambda value: look(file, name)(value)  # noqa: PLW0108  the test does not exist yet
    return look(file, name)


def _test_keyword(key: str, schema: Mapping[str, Any], file: str) -> Test:
    wanted = schema[key]
    match key:
        case "$ref":
            target, _hash, name = wanted.partition("#/$defs/")
            return _test_reference(target or file, name)
        case "type":
            kinds = tuple(_TYPES[kind] for kind in ([wanted] if isinstance(wanted, str) else wanted))
            return lambda value: isinstance(value, kinds)
        case "pattern":
            search = compile_pattern(wanted).search
            return lambda value: not isinstance(value, str) or search(value) is not None
        case "enum":
            return lambda value: value in wanted
        case "const":
            return lambda value: bool(value == wanted)
        case "minLength":
            return lambda value: not isinstance(value, str) or len(value) >= wanted
        case "maxLength":
            return lambda value: not isinstance(value, str) or len(value) <= wanted
        case "uniqueItems":
            return lambda value: not isinstance(value, list) or len({json.dumps(item) for item in value}) == len(value)
        case "not":
            refused = _build_test(wanted, file)
            return lambda value: not refused(value)
        case _:
            raise AssertionError(f"{file}: the keyword {key} is not known to the quick check")


def _test_object(schema: Mapping[str, Any], file: str) -> Test:
    inner = {key: _build_test(sub, file) for key, sub in schema.get("properties", {}).items()}
    others = schema.get("additionalProperties", True)
    rest: Test | None = _build_test(others, file) if isinstance(others, dict) else None
    names: Test | None = _build_test(schema["propertyNames"], file) if "propertyNames" in schema else None
    required = frozenset(schema.get("required", ()))
    least, most = schema.get("minProperties", 0), schema.get("maxProperties", 1 << 30)

    def test(value: Any) -> bool:
        if not isinstance(value, dict):
            return True
        if not least <= len(value) <= most or not required <= value.keys():
            return False
        if names is not None and not all(map(names, value)):
            return False
        for key, entry in value.items():
            known = inner.get(key, rest)
            if known is None:
                if others is False:
                    return False
            elif not known(entry):
                return False
        return True

    return test


def _test_array(schema: Mapping[str, Any], file: str) -> Test:
    item: Test = _build_test(schema["items"], file) if "items" in schema else lambda _value: True
    least, most = schema.get("minItems", 0), schema.get("maxItems", 1 << 30)

    def test(value: Any) -> bool:
        return not isinstance(value, list) or (least <= len(value) <= most and all(map(item, value)))

    return test
