"""Demonstrations: normal games of both sides on this board, with new keys, played by a script."""

from __future__ import annotations

from kursk_pbem.demo import script as scripts
from kursk_pbem.desk.seat import bothsides
from kursk_pbem.desk.seat.room import Room
from kursk_pbem.errors import UsageError
from kursk_pbem.game import disk, keyring

NAMES = ("Anna, in a demonstration", "Boris, in a demonstration")


def list_demonstrations() -> list[scripts.Script]:
    """Return the scripts of the demonstration games in a fixed order."""
    return [scripts.load_script(system) for system in scripts.SCRIPTS]


def play_script(room: Room, system: str) -> str:
    """Return the id of a demonstration game. If the game is missing, play its script first. Raises KurskError."""
    if system not in scripts.SCRIPTS:
        raise UsageError("this system has no demonstration")
    script = scripts.load_script(system)
    there = room.demonstrations / system
    known = next((known.game for known in room.known() if known.folder.parent.resolve() == there.resolve()), None)
    if known is not None:
        return known
    disk.make_private(there)
    key = keyring.find_or_make(room.demonstrations)
    names = dict(zip((script.proposer, script.other), NAMES, strict=True))
    game = bothsides.start_game(room, script.scenario, script.ruleset, key, {}, there, names).game.chain.game
    scripts.play_messages(lambda: room.desk(game), script, script.last)
    return game
