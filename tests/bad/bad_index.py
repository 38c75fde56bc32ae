"""Bad files: a file for each defect, with the exact complaint of the program.

A recipe makes each file from the demonstration's game, with equal bytes in every run; ``recipes_GROUP.py`` holds the
recipes of a group. ``GROUP.yaml`` is the index of the group: the command of a file, its machine, the exit status, the
exact output, and the first digits of the file's hash, to notice a changed file. ``make bad`` writes the indexes again
and shows the differences, for a reading from a player's view.

The groups of a rule system are in the folder of its tests.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import yaml
from helpers import registry

from bad import recipes_form, recipes_json, recipes_keys, recipes_mail, recipes_reading, recipes_trust
from bad.bad_desk import Bad, Base

ROOT = Path(__file__).resolve().parent
DIGITS = 16
"""The number of digits of a file's SHA-256 in an index."""


@dataclass(frozen=True)
class Group:
    """Recipes by file name, and the path of their index."""

    files: Mapping[str, Bad]
    index: Path


COMMON: dict[str, Mapping[str, Bad]] = {
    "reading": recipes_reading.FILES,
    "form": recipes_form.FILES,
    "json": recipes_json.FILES,
    "keys": recipes_keys.FILES,
    "mail": recipes_mail.FILES,
    "trust": recipes_trust.FILES,
}

Entry = dict[str, str]
"""A file's entry in an index: ``command``, ``at``, ``status``, standard output (``prints``), standard error (``says``),
and ``hash``.
"""


def list_groups() -> dict[str, Group]:
    """Return every group by name: the common groups, then the groups of each system as ``RULESET/NAME``."""
    found = {name: Group(files, ROOT / f"{name}.yaml") for name, files in COMMON.items()}
    for kit in registry.kits():
        for name, files in kit.bad().items():
            found[f"{kit.id}/{name}"] = Group(files, kit.tests / "bad" / f"{name}.yaml")
    return found


def list_recipes() -> dict[str, Bad]:
    """Return every recipe, by ``GROUP/NAME``."""
    return {f"{name}/{file}": bad for name, group in list_groups().items() for file, bad in group.files.items()}


def read_expected() -> dict[str, Entry]:
    """Return the entries of the indexes, by ``GROUP/NAME``."""
    found: dict[str, Entry] = {}
    for name, group in list_groups().items():
        text = group.index.read_text("utf-8") if group.index.exists() else "{}"
        entries = yaml.load(text, getattr(yaml, "CBaseLoader", yaml.BaseLoader))  # noqa: S506  yields only texts
        found |= {f"{name}/{file}": entry for file, entry in entries.items()}
    return found


def answer(base: Base, file: str, bad: Bad) -> Entry:
    """Make a bad file and run its command; return the entry for the index."""
    base = base.of(file.partition("/")[0])
    raw = bad.made(base)
    said = base.say(file, bad, raw)
    made = hashlib.sha256(raw)
    for name, more in sorted(bad.beside(base).items() if bad.beside else ()):
        made.update(name.encode("ascii") + b"\0" + more)
    shown = {
        "command": bad.command,
        "at": bad.at,
        "status": str(said.status),
        "prints": said.out,
        "says": said.err,
        "hash": made.hexdigest()[:DIGITS],
    }
    return {key: value for key, value in shown.items() if value}


def rewrite(base: Base) -> list[str]:
    """Write every index again; return the files with a changed entry."""
    before = read_expected()
    changed = []
    for name, group in list_groups().items():
        lines = []
        for file, bad in group.files.items():
            now = answer(base, f"{name}/{file}", bad)
            changed += [f"{name}/{file}"] if before.get(f"{name}/{file}") != now else []
            lines += _format_entry(file, now)
        group.index.write_text("\n".join([*lines, ""]), encoding="utf-8", newline="\n")
    return changed


def _format_entry(name: str, now: Entry) -> list[str]:
    """Return the lines of an entry in readable YAML; a complaint stays in one line."""
    lines = [f"{name}:", f"  command: {now['command']}", f"  at: {now['at']}", f"  status: '{now['status']}'"]
    for key in ("prints", "says"):
        if key in now:
            lines += [f"  {key}: |", *(f"    {line}" for line in now[key].splitlines())]
    return [*lines, f"  hash: '{now['hash']}'"]
