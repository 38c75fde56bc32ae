"""Whether the player has compared an opponent's fingerprint: by key, once for all games."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from kursk_pbem.desk.ground import jsonfiles
from kursk_pbem.desk.own.desks import Desk
from kursk_pbem.errors import UsageError
from kursk_pbem.formats.canonical import REFEREE
from kursk_pbem.game import disk, keyring

FILE = "compared.json"
STATES = {"": "not compared yet", "compared": "compared", "waived": "you do without"}


def describe_opponent(home: Path, desk: Desk) -> dict[str, Any]:
    """Return a game's keys, and whether the player compared the opponent's key; {} if both play on this machine."""
    own, prints = desk.own_side, keyring.make_fingerprints(desk.game.chain.keys)
    if own not in prints or own == REFEREE or desk.hot_seat or desk.practice:
        return {}
    words = desk.game.ruleset.seen.words(desk.game.setting)
    theirs = prints[desk.game.ruleset.other(own)]
    state = str(jsonfiles.read_object(home / FILE).get(theirs, ""))
    named = [(words.side(who) if who != REFEREE else "The referee", each) for who, each in prints.items()]
    return {"state": STATES.get(state, STATES[""]), "open": not state, "key": theirs, "prints": named}


def note_compared(home: Path, desk: Desk, how: str) -> None:
    """Save that the player compared the opponent's key, or decided against comparing. Raises UsageError."""
    opponent = describe_opponent(home, desk)
    if how not in STATES or not opponent:
        raise UsageError("choose: compared, or waived")
    disk.make_private(home)
    jsonfiles.write_object(home / FILE, {**jsonfiles.read_object(home / FILE), opponent["key"]: how})
