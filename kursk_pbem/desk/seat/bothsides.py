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
from kursk_pbem.desk.seat.room import KEY, Room
from kursk_pbem.game import folders, keyring, scenarios
from kursk_pbem.kernel.ruleset import PLAYERS, Ruleset
from kursk_pbem.trust import keys

FIRST = "battle-for-kursk/citadel"
"""The scenario for a newcomer."""


def start_practice(room: Room, scenario: str) -> str:
    """Begin a practice game of both sides with keys made for practice; return its id. Raises KurskError."""
    folders.make(room.hot_seat)
    key = room.hot_seat / KEY
    if not key.exists():
        keyring.make(key)
    ruleset = rulesets.ruleset(scenario.partition("/")[0])
    names = {side: f"{side}, hot seat" for side in ruleset.sides}
    return start_game(room, scenario, ruleset, key, {}, called=names).game.chain.game


def find_practice(room: Room) -> str:
    """Return the id of the newest practice game that is not over; '' without such a game."""
    going = [known for known in room.known() if known.here and known.writer and room.is_hot_seat(known.folder)]
    return max(going, key=lambda known: known.folder.stat().st_mtime_ns).game if going else ""


def start_game(
    room: Room,
    scenario: str,
    ruleset: Ruleset,
    key: Path,
    options: Mapping[str, str],
    place: Path | None = None,
    called: Mapping[str, str] | None = None,
) -> Desk:
    """Begin a game of both sides below ``place``, otherwise beside the practice games; return the proposer's desk.

    ``called``: names of the sides instead of the names of one machine. Raises KurskError.
    """
    second = room.opened_second()
    path = second.home / KEY
    if not path.exists():
        keyring.make(path)
    side = ruleset.proposer(scenarios.make_setting(ruleset, scenarios.load(scenario), options, PLAYERS))
    other = ruleset.other(side)
    names = called or {side: f"{side}, one machine", other: f"{other}, same machine"}
    public = keys.read_public(path.with_suffix(".pub"))
    place = place or room.hot_seat
    folders.make(place)
    desk = begin.propose_game(begin.Proposal(scenario, side, public, names, options), key, place, room.home)
    begin.accept_proposal(folders.message_path(desk.folder, 0), path, second.here, second.home)
    return desk
