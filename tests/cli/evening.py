"""Two turns of Citadel at two desks, typed twice: as YAML in drafts with their paths, and in words.

``WORDS``: the lines that players type after ``kursk order``, message by message. ``typed`` derives the old way from
the same orders: new lines of the draft, and the changed words of proposed lines. Both ways end in equal files, byte
for byte, because both draw equal nonces."""

from __future__ import annotations

import os
import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from kursk_pbem.cli import run
from kursk_pbem.formats import strictyaml
from kursk_pbem.formats.yamlout import form_lines, write_flow
from kursk_pbem.game import entropy, games

PLAYERS = {"german": "anna", "russian": "boris"}

WORDS: tuple[str, ...] = (
    "po engage",
    (
        "mo 24 2219, 40 2320, esebeck 2110, at 2011 41 46 47 le 41 su 23 re away 2113 lo 46 ad 46 if-s, 2015 "
        "all le 3 su all re away kursk lo 52 48 ad 48, 2218 all re toward 2319 lo 42 ad 24 if-f 57, 2620 all "
        "lo 4 ad 30"
    ),
    "an dr full drl always stand doomed",
    ("mo ss 2016, 11 2118, esebeck 2009, 52 1915, 35 1911, 55 1910, 56 1708, 7 1813, 13 1712, 27 1505, 24 2220 2222"),
    (
        "rep 40 kursk, mo 3 gt 2208, 11 g 2007, 10 g 1805, 5 gt 2214, at 1813 all lo 65 60 ad 38, 1101 all le "
        "3 sh su all lo 4 sh ad 3 sh if-f, 2621 all lo 51 ad 5 sh"
    ),
    "",
    ("ma 27 2411, 53 2412, 11 2305, 52 2612, 20 1904, 43 1501, 58 2824, 21 2005, 1 t 2213, 4 t 2105, 46 2418"),
    (
        "mo 24 2219, esebeck 1908, at 1912 20 35 46 lo 20 ad 46, 2014 all lo 52 ad 48, 2318 all lo 42 ad 57, "
        "2211 all le 41 su 47 lo 23 re away 2113"
    ),
    "an dr never stand always",
    "ma 27 1504, 55 1909, 7 1612, 43 0902, 30 2420, 29 2523, 56 1807, ss 2117, 9 1505, 53 2109",
    (
        "rep 46 47, mo 4 t 1905, 5 gt 2212, 11 g 2006, at 1706 all le 10 g su all lo 33 10 ad 10 g, 1912 all "
        "lo 65 60 ad 2 t, 2318 all lo 57 46 ad 1 g, 2621 all lo 51 ad 5 sh"
    ),
    "",
    ("ma 53 2512, 27 2410, 11 2206, 52 2611, 28 2726, 37 2919, 43 1601, 68 1903, 3 2107, 69 2314, 58 2825, po deploy"),
)


class Evening:
    """A game in a folder. ``keys`` counts the typed keys, with the confirmation of each signature."""

    def __init__(self, root: Path) -> None:
        self.root, self.keys, self.seq = root, 0, 1
        for name in PLAYERS.values():
            (root / name).mkdir(parents=True)
        with entropy.fix_random_bytes("evening 5"):
            self.quietly("anna", "keygen", "me")
            self.quietly("boris", "keygen", "me")
            opponent = str(root / "boris" / "me.pub")
            self.quietly("anna", "propose", "battle-for-kursk/citadel", "--as", "german", "--opponent", opponent)
            shutil.copy(self.folder("anna") / "0000.yaml", root / "boris" / "0000.yaml")
            self.quietly("boris", "accept", "0000.yaml")

    def folder(self, name: str) -> Path:
        return next((self.root / name).glob("game-*"))

    def quietly(self, name: str, *words: str) -> None:
        """Run a command at a player's desk; the command must succeed."""
        place = self.root / name
        os.environ.update(KURSK_HOME=str(place / "private"), KURSK_KEY=str(place / "me"))
        os.chdir(place)
        assert run([*words]) == 0, (self.seq, words)

    def type(self, name: str, line: str, *, also: tuple[str, ...] = ()) -> None:
        """Run a command and count its keys, with Enter."""
        self.keys += len(f"kursk {line}\n")
        self.quietly(name, *line.split(), *also)

    @property
    def writer(self) -> str:
        """Return the player who writes the due message: the folder of the player contains a draft."""
        return next(name for name in PLAYERS.values() if self.draft(name).exists())

    def draft(self, name: str) -> Path:
        return self.folder(name) / f"{self.seq:04d}.draft.yaml"

    def send(self, name: str) -> None:
        """Send the message to the other side by mail, and let the other side take it."""
        other = next(each for each in PLAYERS.values() if each != name)
        mail = f"{self.seq:04d}.yaml"
        shutil.copy(self.folder(name) / mail, self.root / other / mail)
        self.type(other, f"inbox --report {mail}")
        self.seq += 1

    def said(self, words: str) -> dict[str, Any]:
        """Write a message in words (new way); return the writer's choices as plain data."""
        name = self.writer
        if words:
            self.type(name, f"order {words}")
        chosen = _choices(self.draft(name))
        self.type(name, "check")
        self.sign(name, "sign")
        return chosen

    def typed(self, chosen: Mapping[str, Any]) -> None:
        """Type the same orders into the draft (old way); every command gets the path of the draft."""
        name = self.writer
        draft = self.draft(name)
        path = draft.relative_to(self.root / name).as_posix()
        proposed = _choices(draft)
        if chosen != proposed:
            self.keys += len(f"vi {path}\n") + len(typed(chosen, proposed)) + len(":x\n")
            head = {key: value for key, value in _data(draft).items() if key not in games.CHOICE_FIELDS}
            whole = {**head, **chosen}
            lines = [line for key, value in whole.items() for line in form_lines(key, value, 0, 79)]
            draft.write_text("\n".join([*lines, ""]), encoding="ascii")
        self.type(name, f"check {path}")
        self.sign(name, f"sign {path}")

    def sign(self, name: str, line: str) -> None:
        with entropy.fix_random_bytes(f"evening {self.seq}"):
            self.type(name, line, also=("--yes",))
        self.keys += len("y\n")
        self.send(name)


def _data(draft: Path) -> Mapping[str, Any]:
    return strictyaml.read(draft.read_bytes(), str(draft)).data


def _choices(draft: Path) -> dict[str, Any]:
    return {key: value for key, value in _data(draft).items() if key in games.CHOICE_FIELDS}


def typed(chosen: Mapping[str, Any], proposed: Mapping[str, Any]) -> str:
    """Count the keys that change one text into another: new lines, and the changed words of old lines."""
    text = "".join(_words(value, proposed.get(key)) for key, value in chosen.items() if key != "orders")
    held, before = chosen.get("orders", {}), proposed.get("orders", {})
    for key, value in held.items():
        if value and isinstance(value[0], dict):
            text += "".join(map(_entry, value)) + "\n"  # a list begins below its key
        else:
            text += _words(value, before.get(key))
    return text


def _entry(order: Mapping[str, Any]) -> str:
    """Return an order as the handbook shows orders: a move on one line, a battle with a line for each part."""
    if "attackers" not in order:
        return f"  - {write_flow(order)}\n"
    return "  - " + "".join(f"{key}: {write_flow(value)}\n    " for key, value in order.items()).rstrip(" ")


def _words(value: Any, before: Any) -> str:
    """Return the words of a value that the old value does not contain."""
    if isinstance(value, Mapping):
        before = before if isinstance(before, Mapping) else {}
        return "".join(
            _words(inner, before[key]) if key in before else f"{key}: {write_flow(inner)}\n"
            for key, inner in value.items()
        )
    if isinstance(value, list):
        return "".join(f"{each}, " for each in value if each not in (before or ()))
    return "" if value == before else str(value)
