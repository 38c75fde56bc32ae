"""Both sides of a game played at one board: each has a key and a private record of its own, as two people have.

The record of the second seat lies inside the private folder. What one side signs the other takes at once, so the board
always shows the side whose message is due. The names that the game pins say that it is played so.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from kursk_pbem.desk import begin
from kursk_pbem.desk.desks import Desk
from kursk_pbem.desk.seat.room import KEY, Room
from kursk_pbem.game import folders, keyring, scenarios
from kursk_pbem.kernel.ruleset import PLAYERS, Ruleset
from kursk_pbem.trust import keys


def start(
    room: Room,
    scenario: str,
    ruleset: Ruleset,
    key: Path,
    options: Mapping[str, str],
    place: Path | None = None,
    called: Mapping[str, str] | None = None,
) -> Desk:
    """Begin a game of both sides below ``place``; the desk of the one that proposes. KurskError.

    ``called``: the names of the sides, where they are not to say that it is one machine.
    """
    second = room.opened_second()
    path = second.home / KEY
    if not path.exists():
        keyring.make(path)
    side = ruleset.proposer(scenarios.setting(ruleset, scenarios.load(scenario), options, PLAYERS))
    other = ruleset.other(side)
    names = called or {side: f"{side}, one machine", other: f"{other}, same machine"}
    public = keys.read_public(path.with_suffix(".pub"))
    desk = begin.propose(begin.Proposal(scenario, side, public, names, options), key, place or room.here, room.home)
    begin.accept(folders.message_path(desk.folder, 0), path, second.here, second.home)
    return desk
