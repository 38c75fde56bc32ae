"""The player who sits at a board: their games, the desk of each, and the draft as it lies in its folder now.

Desks stay open while the messages in their folder stay the same; a draft is looked at anew for every request, so that
an editor, the command line and several pages can be used side by side.
"""

from __future__ import annotations

import hashlib
import threading
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from kursk_pbem.desk import begin, clock, desks, elsewhere, play
from kursk_pbem.desk.desks import Desk
from kursk_pbem.desk.draft import ordering
from kursk_pbem.desk.draft.wording import Sheet
from kursk_pbem.desk.shelf import lookup, overview
from kursk_pbem.desk.shelf.lookup import Known
from kursk_pbem.desk.shelf.overview import Log
from kursk_pbem.desk.shown import Asked
from kursk_pbem.errors import KurskError, UsageError
from kursk_pbem.formats import files
from kursk_pbem.formats.canonical import REFEREE
from kursk_pbem.formats.text import to_utf8
from kursk_pbem.game import disk, folders, inbox, receipts
from kursk_pbem.kernel.account.lines import sentence
from kursk_pbem.trust import keys

LAST = "board-last.txt"
"""The file in the private folder that names the game at which a board was last."""
MOST_LAST = 200
DEMONSTRATIONS = "demonstrations"
SECOND = "second-seat"
"""The private folder of the second seat, inside the first one's, where both sides of games are played here."""
KEY = "key"
"""The file of the second seat's key, in its private folder."""
Stamp = tuple[tuple[str, int, int], ...]


@dataclass
class Room:
    """``home`` is the private folder, ``here`` the folder in which the board was opened, ``key`` a key named there.

    ``told`` is what came of the last mails. ``changing`` is held by whoever writes: several pages may be open. ``kept``
    is what is shown of each game, ``good`` the number and text of its last draft that could be read, ``asked`` what was
    shown before something is signed. ``log``: what tells how the log of a tournament sees a game.
    """

    home: Path
    here: Path
    key: Path | None = None
    told: list[dict[str, Any]] = field(default_factory=list, repr=False)
    changing: threading.RLock = field(default_factory=threading.RLock, repr=False)
    kept: dict[str, Any] = field(default_factory=dict, repr=False)
    good: dict[str, tuple[int, str]] = field(default_factory=dict, repr=False)
    asked: Asked = field(default_factory=Asked, repr=False)
    log: Log = overview.without_log
    _at: str | None = field(default=None, repr=False)
    _second: Room | None = field(default=None, repr=False)
    _open: dict[str, tuple[Stamp, Desk]] = field(default_factory=dict, repr=False)

    def tell(self, entries: list[dict[str, Any]]) -> None:
        """Tell this next, and still what waits to be accepted."""
        left = (entry for entry in self.told if entry.get("proposal"))
        self.told = [*entries, *(entry for entry in left if entry not in entries)]

    @property
    def second(self) -> Room | None:
        """The second seat at this board; None where no game of both sides has begun."""
        if self._second is None and (self.home / SECOND).is_dir():
            self._second = Room(self.home / SECOND, self.home / SECOND)
        return self._second

    def opened_second(self) -> Room:
        """The second seat, made if there is none."""
        self.home.mkdir(mode=0o700, parents=True, exist_ok=True)
        (self.home / SECOND).mkdir(mode=0o700, exist_ok=True)
        second = self.second
        if second is None:
            raise UsageError(f"{self.home / SECOND} cannot be used")
        return second

    def finish(self, known: Known) -> None:
        """Let the second seat accept a game that was proposed to it, if the program ended before it had. KurskError."""
        second, key = self.second, self.home / SECOND / KEY
        proposed = known.own is not None and known.newest == 0 and known.head.get("from") == known.own.side
        if second is None or not proposed or not key.is_file():
            return
        drafted = folders.draft_path(second.here / folders.folder_name(known.game), 1)
        pinned = known.head.get("keys")
        if drafted.exists() or not isinstance(pinned, dict):
            return
        if keys.read_public(key.with_suffix(".pub")) in pinned.values():
            begin.accept(folders.message_path(known.folder, 0), key, second.here, second.home)

    def sweep(self) -> None:
        """Remove the temporary files of a board that was killed while it wrote."""
        for room in filter(None, (self, self.second)):
            games = room.known()
            records = [known.own.path for known in games if known.own is not None]
            inside = [record / name for record in records for name in ("journal", "drafts")]
            for folder in (room.home, *(known.folder for known in games), *records, *inside):
                disk.sweep(folder, held=True)

    def both(self, game: str) -> bool:
        """Whether both sides of a game are played at this board."""
        return self.second is not None and any(known.game == game for known in self.second.known())

    def went(self, game: str) -> None:
        """Remember which game is looked at, '' for the page of all games: the next board begins there."""
        if game != self._at:
            self._at = game
            with suppress(OSError):
                disk.replace(self.home / LAST, f"{game}\n".encode("ascii", "replace"))

    @property
    def was(self) -> str:
        """The game that was looked at last, '' for none of those that are known."""
        try:
            told = files.read(self.home / LAST, MOST_LAST).decode("ascii", "replace").strip()
        except (OSError, KurskError):
            return ""
        return told if any(known.game == told for known in self.known()) else ""

    @property
    def demonstrations(self) -> Path:
        """The folder of demonstrations, and of the key that was made for them."""
        return self.home / DEMONSTRATIONS

    def demonstrates(self, folder: Path) -> bool:
        """Whether a game is a demonstration."""
        return self.demonstrations.resolve() in folder.resolve().parents

    def key_for(self, desk: Desk) -> str | None:
        """The key that was named for this board, where the desk is its player's; None: the one of the record."""
        here = desk.own is None or desk.own.home.resolve() == self.home.resolve()
        here = here and not self.demonstrates(desk.folder)
        return str(self.key) if self.key and here else None

    def by_log(self, desk: Desk, *, past: bool) -> dict[str, str]:
        """Return until when the next message is due; or, as what to do now, that the director has ended the game.

        Nothing where a ``past`` position is shown.
        """
        if past:
            return {}
        judged, term = self.log(self.home, desk.game)
        told = f"Message {desk.seq} is due {clock.term(term)}." if term else ""
        return {"now": sentence(judged), "then": "", "term": ""} if judged else {"term": told}

    def known(self) -> tuple[Known, ...]:
        """The games of this player."""
        return lookup.every(self.home, self.here)

    def desk(self, game: str) -> Desk:
        """The desk of a game by its id, verified; of two that are here the one whose message is due.

        KurskError; UsageError if it is no game of this player.
        """
        if (second := self.second) is None:
            return self._sit(game)
        with self.changing:
            self.finish(self._meant(game))
            if not self.both(game):
                return self._sit(game)
            exchange(self._sit(game), second._sit(game))  # noqa: SLF001 - another of this class
            mine, theirs = self._sit(game), second._sit(game)  # noqa: SLF001
        return theirs if theirs.mine else mine

    def _meant(self, game: str) -> Known:
        meant = next((known for known in self.known() if known.game == game), None)
        if meant is None:
            raise UsageError("there is no such game among yours")
        return meant

    def _sit(self, game: str) -> Desk:
        meant = self._meant(game)
        folder = lookup.there(meant)
        stamp = _stamp(meant, folder)
        held = self._open.get(game)
        if held is None or held[0] != stamp:
            before = held[1].history if held is not None else None
            held = self._open[game] = stamp, desks.sit(folder, self.home, before)
        return held[1]

    def sheet(self, desk: Desk) -> Sheet | None:
        """The draft that is due at a desk; None where this player has nothing to order. KurskError."""
        if not desk.mine or desk.own_side == REFEREE or desk.game.chain.offer or desk.lock:
            return None
        sheet = ordering.open_sheet(desk)
        self.good[desk.game.chain.game] = desk.seq, sheet.text
        return sheet


def exchange(first: Desk, second: Desk) -> None:
    """Hand each side what the other has signed. KurskError."""
    for mine, theirs in ((first, second), (second, first)):
        for seq in range(theirs.seq, mine.seq):
            raw = folders.read_bytes(folders.message_path(mine.folder, seq))
            message = inbox.read(raw, f"message {seq}")
            if theirs.own is not None:
                play.take(play.open_for(message, theirs.own.home, None), message)


def draft_bytes(desk: Desk) -> bytes | None:
    """The draft of the message that is due at a desk as it lies there now, readable or not; None without one."""
    path = folders.draft_path(desk.folder, desk.seq)
    return to_utf8(folders.read_bytes(path)) if path.exists() else None


def _stamp(known: Known, folder: Path) -> Stamp:
    """What tells whether the desk of a game is still the same: names, sizes and times of messages and of papers.

    And up to which message the player has confirmed after a loss that it is the newest, and what was signed elsewhere.
    """
    papers = sorted(path for path in folder.iterdir() if receipts.NAMES.fullmatch(path.name))
    stats = [(path, path.stat()) for path in (*folders.message_files(folder), *papers)]
    confirmed = known.own.confirmed if known.own is not None else -1
    noted = known.own.path / elsewhere.NAME if known.own is not None else folder / elsewhere.NAME
    seen = noted.stat().st_mtime_ns if noted.is_file() else 0
    return (("", confirmed, seen), *((path.name, stat.st_size, stat.st_mtime_ns) for path, stat in stats))


def digest(data: bytes) -> str:
    """What a page keeps of a draft, to see that it was changed meanwhile."""
    return hashlib.sha256(data).hexdigest()
