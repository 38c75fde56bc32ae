"""The published form of ``--json`` output: ``schemas/output.schema.json``, and the part for one command."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from difflib import get_close_matches
from typing import Any

from kursk_pbem.errors import UsageError
from kursk_pbem.formats import data

FILE = "output.schema.json"
PROBLEMS = "problems"
ALSO = {"inbox": ("adjudicate", "sign")}
"""Further records of a command: with --report one for each message, and with --sign."""
_REF = "#/$defs/"


def load_schema() -> dict[str, Any]:
    """Return the JSON Schema of all lines that ``--json`` prints."""
    schema: dict[str, Any] = json.loads(data.schema_file(FILE).read_text(encoding="ascii"))
    return schema


def select_command(command: str) -> dict[str, Any]:
    """Return the JSON Schema of one command's output. The schema needs no other schema. Raises UsageError."""
    every = load_schema()
    known = {ref["$ref"].removeprefix(_REF): ref["$ref"].removeprefix(_REF).replace("-", " ") for ref in every["anyOf"]}
    name = "-".join(command.split())
    if name not in known or name == PROBLEMS:
        near = get_close_matches(command, [words for words in known.values() if words != PROBLEMS], 1)
        more = f"; did you mean {near[0]!a}?" if near else ""
        raise UsageError(f"{command!a} is no command with --json{more}")
    records = (name, *ALSO.get(name, ()), PROBLEMS)
    needed = set[str]()
    for record in records:
        _collect_definitions(record, every["$defs"], needed)
    return {
        "$schema": every["$schema"],
        "title": f"Output lines of 'kursk {command}' with --json",
        "anyOf": [{"$ref": f"{_REF}{record}"} for record in records],
        "$defs": {key: value for key, value in every["$defs"].items() if key in needed},
    }


def _collect_definitions(name: str, defs: Mapping[str, Any], reached: set[str]) -> None:
    """Collect a definition with all definitions that it needs."""
    if name not in reached:
        reached.add(name)
        for ref in re.findall(f'"{re.escape(_REF)}([^"]+)"', json.dumps(defs[name])):
            _collect_definitions(ref, defs, reached)
