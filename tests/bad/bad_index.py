"""The corpus of bad files: one file for each defect, and the exact complaint that it gives rise to.

Every folder beside this file is a group. It holds the files, and ``index.yaml`` says of each to which command it is
given, at which machine, with what exit status, and what the command then says, to the letter. The recipes say how the
files are made of the demonstration's game, so that they can be made again when it changes: ``make bad`` does that,
writes the complaints anew and shows what has changed in them, to be read as a player would.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import yaml

from bad import (
    recipes_form,
    recipes_json,
    recipes_keys,
    recipes_mail,
    recipes_reading,
    recipes_rules,
    recipes_scenario,
    recipes_trust,
)
from bad.bad_desk import Bad, Base, Said

ROOT = Path(__file__).resolve().parent
INDEX = "index.yaml"
MOST = 16_384  # bytes of a file that is stored

GROUPS: dict[str, Mapping[str, Bad]] = {
    "reading": recipes_reading.FILES,
    "form": recipes_form.FILES,
    "json": recipes_json.FILES,
    "keys": recipes_keys.FILES,
    "mail": recipes_mail.FILES,
    "trust": recipes_trust.FILES,
    "rules": recipes_rules.FILES,
    "scenario": recipes_scenario.FILES,
}

Entry = dict[str, str]
"""What an index says of a file: ``command``, ``at``, ``status``, and what stands on standard output (``prints``) and on
standard error (``says``)."""


def recipes() -> dict[str, Bad]:
    """Every recipe, by ``GROUP/NAME``."""
    return {f"{group}/{name}": bad for group, files in GROUPS.items() for name, bad in files.items()}


def expected() -> dict[str, Entry]:
    """What the indexes say, by ``GROUP/NAME``."""
    found: dict[str, Entry] = {}
    for group in GROUPS:
        path = ROOT / group / INDEX
        data = yaml.load(path.read_text("ascii"), yaml.BaseLoader) if path.exists() else {}  # noqa: S506
        found |= {f"{group}/{name}": entry for name, entry in data.items()}
    return found


def entry(bad: Bad, said: Said) -> Entry:
    """What an index says of a file."""
    shown = {"command": bad.command, "at": bad.at, "status": str(said.status), "prints": said.out, "says": said.err}
    return {key: value for key, value in shown.items() if value}


def answer(base: Base, file: str, bad: Bad) -> Entry:
    """What the command says now of a bad file: the stored one, or one that is made."""
    stored = ROOT / file
    return entry(bad, base.say(file, bad, stored.read_bytes() if bad.stored else bad.made(base)))


def rewrite(base: Base) -> list[str]:
    """Make every file and every index anew; what was changed."""
    before = expected()
    changed = []
    for group, files in GROUPS.items():
        (ROOT / group).mkdir(exist_ok=True)
        kept = {name for name, bad in files.items() if bad.stored} | {INDEX}
        for path in (ROOT / group).iterdir():
            if path.name not in kept:
                path.unlink()
        lines = []
        for name, bad in files.items():
            if bad.stored:
                (ROOT / group / name).write_bytes(bad.made(base))
            now = answer(base, f"{group}/{name}", bad)
            changed += [f"{group}/{name}"] if before.get(f"{group}/{name}") != now else []
            lines += _lines(name, now)
        (ROOT / group / INDEX).write_text("\n".join([*lines, ""]), encoding="ascii", newline="\n")
    return changed


def _lines(name: str, now: Entry) -> list[str]:
    """An entry in YAML that people read: a complaint is one line, however long."""
    lines = [f"{name}:", f"  command: {now['command']}", f"  at: {now['at']}", f"  status: '{now['status']}'"]
    for key in ("prints", "says"):
        if key in now:
            lines += [f"  {key}: |", *(f"    {line}" for line in now[key].splitlines())]
    return lines
