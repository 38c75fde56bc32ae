"""Fill a new store with what version 0.2 has kept in files of the post folder. This module goes two versions later.

The files stay where they are, and nothing else reads them. Bytes of letters and mails stay files; waiting mails get
their new place. A file that cannot be read is left out: what it says is asked for again, or sent again.
"""

from __future__ import annotations

import json
import re
import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from kursk_pbem.formats import times
from kursk_pbem.game import disk

_LETTER = re.compile(r"([0-9]{4,})-([0-9a-f]{32})-([0-9]+)")
_BACK = ", but a letter came back from there"


def fill(found: sqlite3.Connection, root: Path) -> None:
    """Read the files of a post folder into the tables of a new store. Raises OSError if the disk is full."""
    games = _games(root)
    marks = _people(found, root)
    _own(found, root)
    for short in _inside(root / "out"):
        if short.name != "words":
            _letters(found, short)
    _mails(found, root)
    for path in _files(root / "came", "*/*.json"):
        said, game = _load(path), games.get(path.parent.name, path.parent.name)
        row = (
            game,
            int(path.name[:4]),
            said.get("id", ""),
            *map(_of(said), ("message", "sender", "arrived", "fetched")),
        )
        found.execute("insert or ignore into arrival values (?, ?, ?, ?, ?, ?, ?)", row)
    for path in _files(root / "referee" / "absent", "*-*"):
        name = path.name
        who = (games.get(name[:16], name[:16]), marks.get(name[17:33], name[17:33]))
        found.execute("insert or ignore into absence values (?, ?, ?, ?)", (*who, name[34:44], name[45:55]))


def _own(found: sqlite3.Connection, root: Path) -> None:
    """The own address, and what single files said."""
    own = _load(root / "own.json")
    settings = {
        "own-address": own.get("address", ""),
        "own-cards": "yes" if own.get("cards") else "",
        "own-serial": str(own.get("serial", "")),
        "lately": _load(root / "lately.json").get("place", ""),
        "pause": _load(root / "referee" / "pause.json").get("until", ""),
        "begun": "0.2" if (root / "out" / "begun").exists() else "",
    }
    for path in _files(root / "in", "*/*.json"):
        if path.parent.name != "boxes":  # how far a mailbox was read
            settings[f"cursor {path.parent.name} {path.stem}"] = json.dumps({**_load(path), "failed": 0})
    found.executemany("insert into setting values (?, ?)", [item for item in settings.items() if item[1]])
    for path in _files(root / "told", "*.*"):
        if path.suffix[1:].isdecimal():
            found.execute("insert or ignore into card values (?, ?)", (path.stem, int(path.suffix[1:])))
    for path in _files(root / "in" / "boxes", "*.json"):
        found.execute("insert or ignore into box values (?, ?)", (path.stem, json.dumps(_load(path))))


def _people(found: sqlite3.Connection, root: Path) -> dict[str, str]:
    """People with their addresses; return their marks by the first 16 digits."""
    marks = dict[str, str]()
    for path in _files(root / "people", "*.json"):
        if not (key := (said := _load(path)).get("key")):
            continue
        marks[path.stem[:16]] = path.stem
        found.execute(
            "insert or ignore into person values (?, ?, ?)", (key, said.get("name", ""), said.get("serial", 0))
        )
        for place, entry in enumerate(said.get("addresses", ())):
            back = entry["state"] == "bounced" or entry["source"].endswith(_BACK)
            state = "said" if entry["state"] == "bounced" else entry["state"]
            row = (key, place, entry["text"], state, back, entry["source"].removesuffix(_BACK), entry["since"])
            found.execute("insert or ignore into address values (?, ?, ?, ?, ?, ?, ?)", row)
    return marks


def _letters(found: sqlite3.Connection, folder: Path) -> None:
    """The letters of a game: what each is, its attempts and endings."""
    names = [path.name for path in _inside(folder)]
    game = ""
    for file in (name for name in names if name.endswith(".json")):
        name, data = file.removesuffix(".json"), _load(folder / file)
        game = data.get("game", game)
        over = f"{name}.over" in names
        if not (match := _LETTER.fullmatch(name)) or not data or not (over or f"{name}.eml" in names):
            continue
        if data.pop("card", "") and not data.get("cards"):
            data["cards"] = [reader["mark"] for reader in data["to"][:1]]
        data = {"cards": [], **data}
        row = (game, name, match[2], int(match[3]), int(match[1]), over, json.dumps(data, sort_keys=True))
        found.execute("insert or ignore into letter values (?, ?, ?, ?, ?, ?, ?)", row)
        for mark in sorted({part.partition(".")[0] for other in names if "." in (part := _after(other, name))}):
            said = {part: _load(folder / other) for other in names if (part := _after(other, f"{name}.{mark}"))}
            tries = sorted(int(part[4:]) for part in said if part.startswith("try-"))
            later = [said[f"later-{number}"] for number in tries if f"later-{number}" in said]
            put_off = "later" if later and f"later-{tries[-1]}" in said else ""
            state = next((end for end in ("bounced", "refused", "sent") if end in said), put_off)
            last = said[state] if state in said else later[-1] if put_off else said[f"try-{tries[-1]}"] if tries else {}
            first = next((_time(one) for one in later if not one.get("away")), "")
            at, doubts = _time(last) or str(data.get("date", "")), len(tries) - len(later)
            row_ = (game, name, mark, state, at, str(last.get("words", "")), len(tries), doubts, first)
            found.execute("insert or ignore into delivery values (?, ?, ?, ?, ?, ?, ?, ?, ?)", row_)


def _after(name: str, stem: str) -> str:
    return name.removeprefix(f"{stem}.") if name.startswith(f"{stem}.") else ""


def _mails(found: sqlite3.Connection, root: Path) -> None:
    """The mails that wait, with their bytes, and those that were dealt with."""
    for path in _files(root / "in" / "spool", "*.eml"):
        disk.replace(root / "in" / path.name, path.read_bytes(), 0o600)
        said = {name: str(value) for name, value in _load(path.with_suffix(".json")).items() if value != "unsure"}
        found.execute("insert or ignore into mail values (?, 'waits', ?, '')", (path.stem, json.dumps(said)))
    for path in _files(root / "in" / "done", "*/*"):
        noted = _load(path)
        row = (path.name, str(noted.get("became", "taken")), _time(noted))
        found.execute("insert or ignore into mail values (?, ?, '{}', ?)", row)


def _games(root: Path) -> dict[str, str]:
    """The full ids of games, by their first 16 digits."""
    paths = (*_files(root.parent / "games", "*/game.json"), *_files(root / "out", "*/*.json"))
    return {game[:16]: game for path in paths if (game := str(_load(path).get("game", "")))}


def _of(said: dict[str, Any]) -> Any:
    return lambda name: "" if said.get(name) == "unsure" else str(said.get(name, ""))


def _time(said: dict[str, Any]) -> str:
    at = str(said.get("at", ""))
    return at if times.is_time(at) else ""


def _inside(folder: Path) -> list[Path]:
    return sorted(folder.iterdir()) if folder.is_dir() else []


def _files(folder: Path, pattern: str) -> Iterator[Path]:
    return (path for path in sorted(folder.glob(pattern)) if path.is_file() and not path.name.startswith("."))


def _load(path: Path) -> dict[str, Any]:
    """Return what a file holds; nothing if it is not there or cannot be read."""
    try:
        data = json.loads(path.read_bytes())
    except (OSError, ValueError):
        return {}
    return data if isinstance(data, dict) else {}
