"""A demonstration on the board: a scripted game of both seats.

The game is an ordinary game with separate keys, so a player can watch or continue the game.
"""

from __future__ import annotations

from dataclasses import dataclass

from kursk_pbem.demo import script as scripts
from kursk_pbem.desk import play
from kursk_pbem.desk.draft import drafts, ordering
from kursk_pbem.desk.seat import bothsides
from kursk_pbem.desk.seat.room import Room
from kursk_pbem.errors import UsageError
from kursk_pbem.game import folders, keyring

NAMES = ("Anna, in a demonstration", "Boris, in a demonstration")
KEY = "key"
"""The file of the first seat's key in the folder of demonstrations."""


@dataclass(frozen=True)
class Shown:
    """A system with a demonstration: id, title, scenario, number of messages."""

    system: str
    title: str
    scenario: str
    messages: int


def every() -> list[Shown]:
    """Return the systems with a demonstration, in order."""
    demonstrations = [(system, scripts.script(system)) for system in scripts.SCRIPTS]
    return [Shown(system, one.ruleset.title, one.scenario, one.last) for system, one in demonstrations]


def played(room: Room, system: str) -> str:
    """Return the game of a demonstration, played now if missing. Raises KurskError."""
    if system not in scripts.SCRIPTS:
        raise UsageError("there is no demonstration of this system")
    script = scripts.script(system)
    there = room.demonstrations / system
    known = next((known.game for known in room.known() if known.folder.parent.resolve() == there.resolve()), None)
    if known is not None:
        return known
    folders.make(there)
    key = room.demonstrations / KEY
    if not key.exists():
        keyring.make(key)
    names = dict(zip((script.proposer, script.other), NAMES, strict=True))
    game = bothsides.start_game(room, script.scenario, script.ruleset, key, {}, there, names).game.chain.game
    for _message in range(script.last):
        desk = room.desk(game)
        path = ordering.open_draft(desk).path
        scripts.fill(script, path, desk)
        checked = drafts.check_draft(desk, drafts.read_draft(desk, folders.read_bytes(path), str(path)))
        play.sign_shown(desk, checked, room.key_for(desk))
    return game
