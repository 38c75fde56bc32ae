"""JSON Schema 2020-12 checks with useful findings: every problem, its line, in plain words.

The schemas are in ``schemas/*.schema.json``. A ``$comment`` next to a pattern, an enumeration or a constant completes
the sentence "found X, expected ...", so each form of ``common.schema.json`` has a single wording of its error. A
``description`` next to a maximum gives the reason.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from functools import cache
from itertools import islice
from typing import Any

from kursk_pbem.errors import FileError
from kursk_pbem.formats.canonical import Plain
from kursk_pbem.formats.precheck import compile_pattern, is_accepted, load, look
from kursk_pbem.formats.strictyaml import Document, Path
from kursk_pbem.formats.text import SHOWN, show
from kursk_pbem.formats.yamlout import write_flow

MAX_PROBLEMS = 40
"""Maximum number of problems that an error lists, so that a thoroughly wrong file does not flood the terminal."""

MAX_FOUND = 400
"""The search ends after this many problems, so that a file with thousands of them is refused quickly (T27)."""

FEW = 4
"""Maximum number of keys that an error names of an unexpected mapping."""
_TYPES = {"object": "keys with values, as in {key: value}", "array": "a list, as in [a, b]", "string": "text"}


def check(data: Plain, schema_name: str, document: Document, at: Path = ()) -> None:
    """Check ``data`` against ``schemas/<schema_name>.schema.json``.

    ``document`` supplies the lines; ``at`` is the path of ``data`` in the document. Raises a FileError with every
    problem, each with file and line.
    """
    faults = find_problems(data, schema_name)
    if not faults:
        return
    placed = sorted(((document.where(at + path), words) for path, words in faults), key=lambda p: (p[0].line, p[1]))
    lines = [f"{where}: {words}" for where, words in placed[:MAX_PROBLEMS]]
    if len(placed) > MAX_PROBLEMS:
        lines.append("and more")
    if len(lines) == 1:
        raise FileError(placed[0][1], placed[0][0])
    raise FileError("\n".join(lines))


def find_problems(data: Plain, schema_name: str) -> list[tuple[Path, str]]:
    """Return the problems of ``data`` as pairs: the path, and a text with the form found and the form expected."""
    if is_accepted(data, schema_name):
        return []
    near = iter(range(MAX_PROBLEMS))
    worded = (p for error in _build_validator(schema_name).iter_errors(data) for p in _describe_finding(error, near))
    # dict.fromkeys: jsonschema repeats a finding for each missing field; one message lists the missing fields.
    return list(dict.fromkeys(islice(worded, MAX_FOUND)))


@cache
def _build_validator(schema_name: str) -> Any:
    # costs 52 ms, needed only after errors
    from jsonschema import Draft202012Validator, ValidationError, validators  # noqa: PLC0415
    from referencing import Registry  # noqa: PLC0415
    from referencing.jsonschema import DRAFT202012  # noqa: PLC0415

    def matches(_validator: Any, wanted: str, instance: Any, _schema: Any) -> Iterator[ValidationError]:
        if isinstance(instance, str) and not compile_pattern(wanted).search(instance):
            yield ValidationError("pattern")

    def additional(validator: Any, form: Any, instance: Any, schema: Any) -> Iterator[ValidationError]:
        # jsonschema's own function iterates over a set, so the first problems would differ between runs.
        extras = _find_extras(instance, schema) if isinstance(instance, dict) else []
        if form is False and extras:
            yield ValidationError("additionalProperties")
        elif form is not False:
            for key in extras:
                yield from validator.descend(instance[key], form, path=key)

    def ref(validator: Any, wanted: str, instance: Any, schema: Any) -> Iterator[ValidationError]:
        # A bad value may have thousands of good neighbours, and jsonschema is slow (T27).
        target, _, name = wanted.partition("#/$defs/")
        if not look(target, name)(instance):
            yield from Draft202012Validator.VALIDATORS["$ref"](validator, wanted, instance, schema)

    def retrieve(uri: str) -> Any:
        return DRAFT202012.create_resource(_qualify_references(load(uri), uri))

    keywords = {"pattern": matches, "additionalProperties": additional, "$ref": ref}
    strict: Any = validators.extend(Draft202012Validator, keywords)  # type: ignore[no-untyped-call]
    registry: Any = Registry(retrieve=retrieve)  # type: ignore[call-arg]
    file = f"{schema_name}.schema.json"
    return strict(_qualify_references(_inline_forms(load(file), file), file), registry=registry)


def _qualify_references(schema: Any, file: str) -> Any:
    """Return the schema with its file name in every reference."""
    if isinstance(schema, list):
        return [_qualify_references(inner, file) for inner in schema]
    if not isinstance(schema, dict):
        return schema
    return {
        key: f"{file}{inner}" if key == "$ref" and inner.startswith("#") else _qualify_references(inner, file)
        for key, inner in schema.items()
    }


def _inline_forms(schema: Any, file: str) -> Any:
    """Replace references by plain forms, because following a reference costs more than checking a value.

    Only forms without references are replaced, so recursive forms do not change.
    """
    if isinstance(schema, list):
        return [_inline_forms(inner, file) for inner in schema]
    if not isinstance(schema, dict):
        return schema
    if set(schema) == {"$ref"} and "#/$defs/" in schema["$ref"]:
        target, _, name = schema["$ref"].partition("#/$defs/")
        form = load(target or file)["$defs"].get(name)
        if form is not None and '"$ref"' not in json.dumps(form):
            return form
    return {key: _inline_forms(inner, file) for key, inner in schema.items()}


def _describe_finding(error: Any, looks: Iterator[int]) -> Iterator[tuple[Path, str]]:
    """Convert a finding of jsonschema to (path, words); ``looks`` limits the searches for similar keys.

    The searches are slow: a third of a second for a file of unknown keys (T27).
    """
    path: Path = tuple(error.absolute_path)
    rule, wanted, instance = error.validator, error.validator_value, error.instance
    if rule == "required":
        missing = [name for name in wanted if name not in instance]
        yield path, f"{_name_field(path)}missing here: {', '.join(missing)}{_describe_example(error.schema)}"
    elif rule in ("additionalProperties", "unevaluatedProperties"):
        yield from _describe_unknown(error, path, looks)
    elif rule == "uniqueItems":
        twice = next(item for at, item in enumerate(instance) if item in instance[:at])
        yield path, f"{_name_field(path)}{_show(twice)} occurs twice in the list; keep one"
    elif rule == "propertyNames":
        yield path, f"the key {_show(instance)} is not allowed here; delete the key"
    else:
        shown = f"the key {_show(instance)}" if "propertyNames" in error.schema_path else _show(instance)
        expected = _describe_expected(rule, wanted, error.schema)
        yield path, f"{_name_field(path)}found {shown}, expected {expected}{_describe_example(error.schema)}"


def _describe_example(schema: Mapping[str, Any]) -> str:
    """Return text such as '; e.g. {unit: g-24-pz, to: '2219'}' from the schema's example of the whole form, or ''."""
    examples = schema.get("examples")
    return f"; e.g. {write_flow(examples[0])}" if examples else ""


def _name_field(path: Path) -> str:
    """Return the name of a field: the last key on the path, and the positions in lists below the key."""
    keys = [step for step in path if isinstance(step, str)]
    if not keys:
        return ""
    entries = [step + 1 for step in path[len(path) - path[::-1].index(keys[-1]) :] if isinstance(step, int)]
    return f"{show(keys[-1])[1:-1]}{''.join(f', entry {entry}' for entry in entries)}: "


def _describe_unknown(error: Any, path: Path, looks: Iterator[int]) -> Iterator[tuple[Path, str]]:
    from difflib import get_close_matches  # noqa: PLC0415

    known = list(error.schema.get("properties", {}))
    for key in _find_extras(error.instance, error.schema):
        near = get_close_matches(key, known, 1, 0.7) if next(looks, None) is not None else []
        if near:
            advice = f"did you mean {near[0]!r}?"
        elif known and len(known) <= 12:
            advice = f"known are {', '.join(known)}"
        else:
            advice = "delete it"
        yield (*path, key), f"the key {show(key)} is not known here; {advice}"


def _find_extras(instance: Mapping[str, Any], schema: Mapping[str, Any]) -> list[str]:
    """Return the keys missing in the schema, in file order."""
    known = schema.get("properties", {})
    return [key for key in instance if key not in known]


def _show(value: Any) -> str:
    if isinstance(value, str):
        long = f" ({len(value)} characters)" if len(value) > SHOWN else ""
        return show(value) + long if value else "nothing"
    if isinstance(value, list):
        return f"a list of {len(value)}" if value else "an empty list"
    keys = [show(key)[1:-1] for key in value]
    more = f" and {len(keys) - FEW} more" if len(keys) > FEW else ""
    return f"the key{'s' if len(keys) > 1 else ''} {', '.join(keys[:FEW])}{more}" if keys else "no key at all"


def _describe_expected(rule: str, wanted: Any, schema: Mapping[str, Any]) -> str:
    comment = schema.get("$comment")
    if comment and rule in ("pattern", "enum", "const", "type", "minProperties", "maxProperties"):
        return str(comment)
    if rule == "type":
        return " or ".join(_TYPES[t] for t in ([wanted] if isinstance(wanted, str) else wanted))
    counts = {
        "minProperties": "at least {} entries",
        "maxProperties": "at most {} entries",
        "minItems": "a list of at least {}",
        "maxItems": "a list of at most {}",
        "minLength": "text of at least {} characters",
        "maxLength": "text of at most {} characters",
    }
    if rule in counts:
        why = f"; {schema['description']}" if rule.startswith("max") and "description" in schema else ""
        return counts[rule].format(wanted) + why
    if rule == "enum":
        return " or ".join(repr(w) for w in wanted)
    if rule == "const":
        return repr(wanted)
    return str(comment or f"what the schema says ({rule})")
