"""Bad files: one for each defect, and the exact complaint that it gives rise to.

The files are not kept. A recipe makes each of them, from the demonstration's game, in every run the same bytes; the
recipes of a group stand in ``recipes_GROUP.py``. ``GROUP.yaml`` beside them is the group's index: to which command a
file is given, at which machine, with what exit status, what the command then says, to the letter, and the first digits
of the file's hash, so that a recipe that makes another file than before is noticed. ``make bad`` writes the indexes
anew and shows what has changed in them, to be read as a player would.

Groups that belong to one rule system lie with its tests.
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
"""How much of a file's SHA-256 an index holds."""


@dataclass(frozen=True)
class Group:
    """Recipes by the name of their file, and where their index lies."""

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
"""What an index says of a file: ``command``, ``at``, ``status``, what stands on standard output (``prints``) and on
standard error (``says``), and ``hash``."""


def groups() -> dict[str, Group]:
    """Every group by its name: those that hold for all systems, then those of each system as ``RULESET/NAME``."""
    found = {name: Group(files, ROOT / f"{name}.yaml") for name, files in COMMON.items()}
    for kit in registry.kits():
        for name, files in kit.bad().items():
            found[f"{kit.id}/{name}"] = Group(files, kit.tests / "bad" / f"{name}.yaml")
    return found


def recipes() -> dict[str, Bad]:
    """Every recipe, by ``GROUP/NAME``."""
    return {f"{name}/{file}": bad for name, group in groups().items() for file, bad in group.files.items()}


def expected() -> dict[str, Entry]:
    """What the indexes say, by ``GROUP/NAME``."""
    found: dict[str, Entry] = {}
    for name, group in groups().items():
        text = group.index.read_text("utf-8") if group.index.exists() else "{}"
        entries = yaml.load(text, getattr(yaml, "CBaseLoader", yaml.BaseLoader))  # noqa: S506  only texts come of it
        found |= {f"{name}/{file}": entry for file, entry in entries.items()}
    return found


def answer(base: Base, file: str, bad: Bad) -> Entry:
    """Make a bad file and give it to its command: what an index says of it."""
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
    """Write every index anew; the files of which it says something else than before."""
    before = expected()
    changed = []
    for name, group in groups().items():
        lines = []
        for file, bad in group.files.items():
            now = answer(base, f"{name}/{file}", bad)
            changed += [f"{name}/{file}"] if before.get(f"{name}/{file}") != now else []
            lines += _lines(file, now)
        group.index.write_text("\n".join([*lines, ""]), encoding="utf-8", newline="\n")
    return changed


def _lines(name: str, now: Entry) -> list[str]:
    """An entry in YAML that people read: a complaint is one line, however long."""
    lines = [f"{name}:", f"  command: {now['command']}", f"  at: {now['at']}", f"  status: '{now['status']}'"]
    for key in ("prints", "says"):
        if key in now:
            lines += [f"  {key}: |", *(f"    {line}" for line in now[key].splitlines())]
    return [*lines, f"  hash: '{now['hash']}'"]
