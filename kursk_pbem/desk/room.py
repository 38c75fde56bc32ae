"""The player who sits at a board: their games, the desk of each, and the draft as it lies in its folder now.

Desks stay open while the messages in their folder stay the same; a draft is read anew for every request, so that an
editor, the command line and several pages can be used side by side.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field
from pathlib import Path

from kursk_pbem.desk import desk as desks
from kursk_pbem.desk import games, ordering
from kursk_pbem.desk.desk import Desk
from kursk_pbem.desk.ordering import Sheet
from kursk_pbem.errors import UsageError
from kursk_pbem.formats.canonical import REFEREE
from kursk_pbem.game import folder as folders

Stamp = tuple[tuple[str, int, int], ...]


@dataclass
class Room:
    """``home`` is the private folder, ``here`` the folder in which the board was opened, ``key`` a key named there."""

    home: Path
    here: Path
    key: Path | None = None
    _open: dict[str, tuple[Stamp, Desk]] = field(default_factory=dict, repr=False)

    def known(self) -> tuple[games.Known, ...]:
        """The games of this player."""
        return games.every(self.home, self.here)

    def desk(self, game: str) -> Desk:
        """The desk of a game by its id, verified. KurskError; UsageError if it is no game of this player."""
        found = next((each for each in self.known() if each.game == game), None)
        if found is None:
            raise UsageError("there is no such game among yours")
        folder = games.there(found)
        stamp = _stamp(folder)
        held = self._open.get(game)
        if held is None or held[0] != stamp:
            held = self._open[game] = stamp, desks.sit(folder, self.home)
        return held[1]

    def sheet(self, game: str) -> Sheet | None:
        """The draft that is due in a game; None where this player has nothing to order. KurskError."""
        desk = self.desk(game)
        if not desk.mine or desk.own_side == REFEREE or desk.game.chain.offer or desk.lock:
            return None
        return ordering.open_sheet(desk)


def _stamp(folder: Path) -> Stamp:
    """What tells whether the messages of a folder are still the same: their names, sizes and times."""
    found = [(path, path.stat()) for path in folders.message_files(folder)]
    return tuple((path.name, stat.st_size, stat.st_mtime_ns) for path, stat in found)


def digest(text: str) -> str:
    """What a page keeps of a draft, to see that it was changed meanwhile."""
    return hashlib.sha256(text.encode("utf-8")).hexdigest()
