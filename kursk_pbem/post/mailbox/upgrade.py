"""Fill a new store from version 0.2's files in the post folder. Delete this module two versions later.

The old files stay unused. Letters and mails stay files; waiting mails move. Unreadable files are skipped.
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


def fill_store(found: sqlite3.Connection, root: Path) -> None:
    """Read the files of a post folder into the tables of a new store. Raises OSError if the disk is full."""
    games = _find_game_ids(root)
    marks = _read_people(found, root)
    _read_settings(found, root)
    for short in _list_folder(root / "out"):
        if short.name != "words":
            _read_letters(found, short)
    _read_mails(found, root)
    for path in _list_files(root / "came", "*/*.json"):
        said, game = _read_json(path), games.get(path.parent.name, path.parent.name)
        row = (
            game,
            int(path.name[:4]),
            said.get("id", ""),
            *map(_field_reader(said), ("message", "sender", "arrived", "fetched")),
        )
        found.execute("insert or ignore into arrival values (?, ?, ?, ?, ?, ?, ?)", row)
    for path in _list_files(root / "referee" / "absent", "*-*"):
        name = path.name
        who = (games.get(name[:16], name[:16]), marks.get(name[17:33], name[17:33]))
        found.execute("insert or ignore into absence values (?, ?, ?, ?)", (*who, name[34:44], name[45:55]))


def _read_settings(found: sqlite3.Connection, root: Path) -> None:
    """Read the own address and the single files."""
    own = _read_json(root / "own.json")
    settings = {
        "own-address": own.get("address", ""),
        "own-cards": "yes" if own.get("cards") else "",
        "own-serial": str(own.get("serial", "")),
        "lately": _read_json(root / "lately.json").get("place", ""),
        "pause": _read_json(root / "referee" / "pause.json").get("until", ""),
        "begun": "0.2" if (root / "out" / "begun").exists() else "",
    }
    for path in _list_files(root / "in", "*/*.json"):
        if path.parent.name != "boxes":  # the progress in a mailbox
            settings[f"cursor {path.parent.name} {path.stem}"] = json.dumps({**_read_json(path), "failed": 0})
    found.executemany("insert into setting values (?, ?)", [item for item in settings.items() if item[1]])
    for path in _list_files(root / "told", "*.*"):
        if path.suffix[1:].isdecimal():
            found.execute("insert or ignore into card values (?, ?)", (path.stem, int(path.suffix[1:])))
    for path in _list_files(root / "in" / "boxes", "*.json"):
        found.execute("insert or ignore into box values (?, ?)", (path.stem, json.dumps(_read_json(path))))


def _read_people(found: sqlite3.Connection, root: Path) -> dict[str, str]:
    """Read people with their addresses; return their marks by the first 16 digits."""
    marks = dict[str, str]()
    for path in _list_files(root / "people", "*.json"):
        if not (key := (said := _read_json(path)).get("key")):
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


def _read_letters(found: sqlite3.Connection, folder: Path) -> None:
    """Read the letters of a game, their attempts and results."""
    names = [path.name for path in _list_folder(folder)]
    game = ""
    for file in (name for name in names if name.endswith(".json")):
        name, data = file.removesuffix(".json"), _read_json(folder / file)
        game = data.get("game", game)
        over = f"{name}.over" in names
        if not (match := _LETTER.fullmatch(name)) or not data or not (over or f"{name}.eml" in names):
            continue
        if data.pop("card", "") and not data.get("cards"):
            data["cards"] = [reader["mark"] for reader in data["to"][:1]]
        data = {"cards": [], **data}
        row = (game, name, match[2], int(match[3]), int(match[1]), over, json.dumps(data, sort_keys=True))
        found.execute("insert or ignore into letter values (?, ?, ?, ?, ?, ?, ?)", row)
        for mark in sorted({part.partition(".")[0] for other in names if "." in (part := _suffix_of(other, name))}):
            said = {
                part: _read_json(folder / other) for other in names if (part := _suffix_of(other, f"{name}.{mark}"))
            }
            tries = sorted(int(part[4:]) for part in said if part.startswith("try-"))
            later = [said[f"later-{number}"] for number in tries if f"later-{number}" in said]
            put_off = "later" if later and f"later-{tries[-1]}" in said else ""
            state = next((end for end in ("bounced", "refused", "sent") if end in said), put_off)
            last = said[state] if state in said else later[-1] if put_off else said[f"try-{tries[-1]}"] if tries else {}
            first = next((_read_time(one) for one in later if not one.get("away")), "")
            at, doubts = _read_time(last) or str(data.get("date", "")), len(tries) - len(later)
            row_ = (game, name, mark, state, at, str(last.get("words", "")), len(tries), doubts, first)
            found.execute("insert or ignore into delivery values (?, ?, ?, ?, ?, ?, ?, ?, ?)", row_)


def _suffix_of(name: str, stem: str) -> str:
    return name.removeprefix(f"{stem}.") if name.startswith(f"{stem}.") else ""


def _read_mails(found: sqlite3.Connection, root: Path) -> None:
    """Read the waiting mails with their bytes, and the processed mails."""
    for path in _list_files(root / "in" / "spool", "*.eml"):
        disk.replace(root / "in" / path.name, path.read_bytes(), 0o600)
        said = {name: str(value) for name, value in _read_json(path.with_suffix(".json")).items() if value != "unsure"}
        found.execute("insert or ignore into mail values (?, 'waits', ?, '')", (path.stem, json.dumps(said)))
    for path in _list_files(root / "in" / "done", "*/*"):
        noted = _read_json(path)
        row = (path.name, str(noted.get("became", "taken")), _read_time(noted))
        found.execute("insert or ignore into mail values (?, ?, '{}', ?)", row)


def _find_game_ids(root: Path) -> dict[str, str]:
    """Return the full ids of games, by their first 16 digits."""
    paths = (*_list_files(root.parent / "games", "*/game.json"), *_list_files(root / "out", "*/*.json"))
    return {game[:16]: game for path in paths if (game := str(_read_json(path).get("game", "")))}


def _field_reader(said: dict[str, Any]) -> Any:
    return lambda name: "" if said.get(name) == "unsure" else str(said.get(name, ""))


def _read_time(said: dict[str, Any]) -> str:
    at = str(said.get("at", ""))
    return at if times.is_time(at) else ""


def _list_folder(folder: Path) -> list[Path]:
    return sorted(folder.iterdir()) if folder.is_dir() else []


def _list_files(folder: Path, pattern: str) -> Iterator[Path]:
    return (path for path in sorted(folder.glob(pattern)) if path.is_file() and not path.name.startswith("."))


def _read_json(path: Path) -> dict[str, Any]:
    """Return the contents of a file, or nothing if missing or unreadable."""
    try:
        data = json.loads(path.read_bytes())
    except (OSError, ValueError):
        return {}
    return data if isinstance(data, dict) else {}
