"""The player who sits at a board: their games, the desk of each, and the draft as it lies in its folder now.

Desks stay open while the messages in their folder stay the same; a draft is looked at anew for every request, so that
an editor, the command line and several pages can be used side by side.
"""

from __future__ import annotations

import hashlib
import threading
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from kursk_pbem.desk import desks
from kursk_pbem.desk.desks import Desk
from kursk_pbem.desk.draft import ordering
from kursk_pbem.desk.draft.ordering import Sheet
from kursk_pbem.desk.shelf import lookup
from kursk_pbem.desk.shelf.lookup import Known
from kursk_pbem.desk.shown import Asked
from kursk_pbem.errors import UsageError
from kursk_pbem.formats.canonical import REFEREE
from kursk_pbem.game import folders, receipts

Stamp = tuple[tuple[str, int, int], ...]


@dataclass
class Room:
    """``home`` is the private folder, ``here`` the folder in which the board was opened, ``key`` a key named there.

    ``told`` is what came of the last mails. ``changing`` is held by whoever writes: several pages may be open. ``kept``
    is what is shown of each game, ``good`` the number and text of its last draft that could be read, ``asked`` what was
    shown before something is signed.
    """

    home: Path
    here: Path
    key: Path | None = None
    told: list[dict[str, Any]] = field(default_factory=list, repr=False)
    changing: threading.RLock = field(default_factory=threading.RLock, repr=False)
    kept: dict[str, Any] = field(default_factory=dict, repr=False)
    good: dict[str, tuple[int, str]] = field(default_factory=dict, repr=False)
    asked: Asked = field(default_factory=Asked, repr=False)
    _open: dict[str, tuple[Stamp, Desk]] = field(default_factory=dict, repr=False)

    def known(self) -> tuple[Known, ...]:
        """The games of this player."""
        return lookup.every(self.home, self.here)

    def desk(self, game: str) -> Desk:
        """The desk of a game by its id, verified. KurskError; UsageError if it is no game of this player."""
        found = next((each for each in self.known() if each.game == game), None)
        if found is None:
            raise UsageError("there is no such game among yours")
        folder = lookup.there(found)
        stamp = _stamp(found, folder)
        held = self._open.get(game)
        if held is None or held[0] != stamp:
            held = self._open[game] = stamp, desks.sit(folder, self.home)
        return held[1]

    def sheet(self, desk: Desk) -> Sheet | None:
        """The draft that is due at a desk; None where this player has nothing to order. KurskError."""
        if not desk.mine or desk.own_side == REFEREE or desk.game.chain.offer or desk.lock:
            return None
        sheet = ordering.open_sheet(desk)
        self.good[desk.game.chain.game] = desk.seq, sheet.text
        return sheet


def draft_bytes(desk: Desk) -> bytes | None:
    """The draft of the message that is due at a desk as it lies there now, readable or not; None without one."""
    path = folders.draft_path(desk.folder, desk.seq)
    return folders.read_bytes(path) if path.exists() else None


def _stamp(known: Known, folder: Path) -> Stamp:
    """What tells whether the desk of a game is still the same: names, sizes and times of messages and of papers.

    And up to which message the player has confirmed after a loss that it is the newest.
    """
    papers = sorted(path for path in folder.iterdir() if receipts.NAMES.fullmatch(path.name))
    found = [(path, path.stat()) for path in (*folders.message_files(folder), *papers)]
    confirmed = known.own.confirmed if known.own is not None else -1
    return (("", confirmed, 0), *((path.name, stat.st_size, stat.st_mtime_ns) for path, stat in found))


def digest(data: bytes) -> str:
    """What a page keeps of a draft, to see that it was changed meanwhile."""
    return hashlib.sha256(data).hexdigest()
