"""Both sides of a game at one board. Each side has its own key and private record.

The record of the second seat is inside the private folder. Each side receives the other side's messages at once, so the
board always shows the side that is due. The names in message 0 say that one machine plays both sides.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from kursk_pbem import rulesets
from kursk_pbem.desk.deals import begin
from kursk_pbem.desk.own.desks import Desk
from kursk_pbem.desk.own.register import HOT_SEAT
from kursk_pbem.desk.seat.room import Room
from kursk_pbem.game import disk, folders, keyring
from kursk_pbem.trust import keys

FIRST = "battle-for-kursk/citadel"
"""The scenario proposed to a new player."""


def start_practice(room: Room, scenario: str) -> str:
    """Begin a practice game in which one board plays both sides, with new keys; return the id. Raises KurskError."""
    key = keyring.find_or_make(room.home / HOT_SEAT)
    names = {side: f"{side}, hot seat" for side in rulesets.ruleset(scenario.partition("/")[0]).sides}
    return start_game(room, scenario, key, {}, called=names).game.chain.game


def start_game(
    room: Room,
    scenario: str,
    key: Path,
    options: Mapping[str, str],
    place: Path | None = None,
    called: Mapping[str, str] | None = None,
) -> Desk:
    """Begin a game with both sides on one machine; return the desk of the side that proposes. Raises KurskError.

    ``place``: the folder for the game's folder, or None for the folder of practice games. ``called``: the sides' names.
    """
    second = room.opened_second()
    path = keyring.find_or_make(second.home)
    side = begin.find_proposer(scenario, options)
    other = rulesets.ruleset(scenario.partition("/")[0]).other(side)
    names = called or {side: f"{side}, one machine", other: f"{other}, same machine"}
    public = keys.read_public(path.with_suffix(".pub"))
    place = place or room.home / HOT_SEAT
    disk.make_private(place)
    desk = begin.propose_game(begin.Proposal(scenario, side, public, names, options), key, place, room.home)
    begin.accept_proposal(folders.message_path(desk.folder, 0), path, second.here, second.home)
    return desk
