"""The player at a board: games, desks and drafts.

A desk stays open while the messages in its folder are unchanged. Drafts are read for each request, so that editors and
the command line can work at the same time.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from kursk_pbem.desk.draft import ordering
from kursk_pbem.desk.draft.wording import DraftFile
from kursk_pbem.desk.games import overview
from kursk_pbem.desk.games.overview import Log
from kursk_pbem.desk.ground import clock
from kursk_pbem.desk.ground.shown import Asked
from kursk_pbem.desk.own import desks, lookup, register
from kursk_pbem.desk.own.desks import SECOND, Desk
from kursk_pbem.desk.own.register import Known
from kursk_pbem.desk.turn import play
from kursk_pbem.errors import DiskError, KurskError, UsageError
from kursk_pbem.formats import files
from kursk_pbem.formats.canonical import REFEREE
from kursk_pbem.formats.text import to_utf8
from kursk_pbem.game import disk, folders, receipts
from kursk_pbem.kernel.account.lines import sentence

LAST = "board-last.txt"
"""The file, in the private folder, that names the game last shown at a board."""
MOST_LAST = 200
BOARD = "board"
"""The folder, in the private folder, for games begun at a board if no mail account names another."""
Stamp = tuple[tuple[str, int, int], ...]


@dataclass
class Room:
    """A player's board in the browser. ``home``: private folder. ``here``: the command's folder. ``key``: signs.

    ``games``: the folder for new games; without it, new games go into the private folder. ``page``: the address of the
    web page in which the board runs, '' elsewhere. ``told``: reports about the last mails. ``changing``: a lock,
    because several pages may write. ``kept``: the page data (scene) of each game. ``asked``: texts shown before
    signing. ``log``: a function that reads a tournament's log. ``partner``: a function that lets practice opponents
    answer.
    """

    home: Path
    here: Path
    key: Path | None = None
    games: Path | None = None
    page: str = ""
    told: list[dict[str, Any]] = field(default_factory=list, repr=False)
    changing: threading.RLock = field(default_factory=threading.RLock, repr=False)
    kept: dict[str, Any] = field(default_factory=dict, repr=False)
    asked: Asked = field(default_factory=Asked, repr=False)
    log: Log = overview.read_papers
    partner: Callable[[Known], None] | None = field(default=None, repr=False)
    _at: str | None = field(default=None, repr=False)
    _second: Room | None = field(default=None, repr=False)
    _open: dict[str, tuple[Stamp, Desk]] = field(default_factory=dict, repr=False)

    def tell(self, entries: list[dict[str, Any]]) -> None:
        """Set the reports that the home page shows next. Earlier reports on waiting proposals stay."""
        left = (entry for entry in self.told if entry.get("proposal"))
        self.told = [*entries, *(entry for entry in left if entry not in entries)]

    @property
    def second(self) -> Room | None:
        """The room of a second player at this board; None before the first game of both sides."""
        if self._second is None and (self.home / SECOND).is_dir():
            self._second = Room(self.home / SECOND, self.home / SECOND)
        return self._second

    def opened_second(self) -> Room:
        """Return the room of a second player at this board; create the room if necessary."""
        disk.make_private(self.home / SECOND)
        self._second = self._second or Room(self.home / SECOND, self.home / SECOND)
        return self._second

    def both(self, game: str) -> bool:
        """Return whether both sides of a game play at this board."""
        return self.second is not None and any(known.game == game for known in self.second.known())

    def went(self, game: str) -> None:
        """Save the game on the board ('' for the home page), because the next board begins there."""
        if game != self._at:
            self._at = game
            with suppress(DiskError):
                disk.replace(self.home / LAST, f"{game}\n".encode("ascii", "replace"))

    @property
    def was(self) -> str:
        """The game that was shown last, '' if unknown."""
        try:
            told = files.read(self.home / LAST, MOST_LAST).decode("ascii", "replace").strip()
        except (OSError, KurskError):
            return ""
        return told if any(known.game == told for known in self.known()) else ""

    @property
    def place(self) -> Path:
        """The folder for this player's new games. The folder in which the command was typed does not matter."""
        return self.games or self.home / BOARD

    def holds(self, path: Path, *names: str) -> bool:
        """Return whether a game or a key is below one of the folders ``names`` of the private folder."""
        return register.is_inside(self.home, path, names)

    def key_for(self, desk: Desk) -> str | None:
        """Return the board's key if the key belongs to this desk's player, or None to use the record's key."""
        here = desk.own is None or desk.own.home.resolve() == self.home.resolve()
        here = here and not self.holds(desk.folder, *register.GAMES_INSIDE)
        return str(self.key) if self.key and here else None

    def by_log(self, desk: Desk) -> dict[str, str]:
        """Return a game's deadline or verdict by its tournament's log, for the status bar."""
        judged, term = self.log(self.home, desk.game)
        told = f"Message {desk.seq} is due {clock.display_deadline(term)}." if term else ""
        return {"now": sentence(judged), "then": "", "term": ""} if judged else {"term": told}

    def known(self) -> tuple[Known, ...]:
        """Return the games of this player."""
        return register.list_games(self.home, self.here)

    def desk(self, game: str) -> Desk:
        """Open the desk of a game. If the board plays both sides, open the desk of the side that writes next.

        Raises KurskError, and UsageError for an unknown game.
        """
        if self.partner is not None:
            self.partner(self.find_known(game))
        second = self.second
        if second is None or not self.both(game):
            return self._sit(game)
        with self.changing:
            play.exchange_messages(self._sit(game), second._sit(game))  # noqa: SLF001 - another of this class
            mine, theirs = self._sit(game), second._sit(game)  # noqa: SLF001
        return theirs if theirs.mine else mine

    def find_known(self, game: str) -> Known:
        """Return a game of this player. Raises UsageError for an unknown game."""
        meant = next((known for known in self.known() if known.game == game), None)
        if meant is None:
            raise UsageError("you have no such game")
        return meant

    def _sit(self, game: str) -> Desk:
        meant = self.find_known(game)
        folder = lookup.require_folder(meant)
        stamp = _make_stamp(folder)
        held = self._open.get(game)
        if held is None or held[0] != stamp:
            before = held[1].history if held is not None else None
            held = self._open[game] = stamp, desks.open_desk(folder, self.home, before)
        return held[1]

    def sheet(self, desk: Desk) -> DraftFile | None:
        """Open the next draft of a desk; None if the player can give no orders now. Raises KurskError."""
        if not desk.mine or desk.own_side == REFEREE or desk.game.chain.offer or desk.lock:
            return None
        return ordering.open_draft(desk)


def read_draft_bytes(desk: Desk) -> bytes | None:
    """Return the bytes of the draft file, without parsing; None if there is no file."""
    path = folders.draft_path(desk.folder, desk.seq)
    return to_utf8(folders.read_bytes(path)) if path.exists() else None


def _make_stamp(folder: Path) -> Stamp:
    """Return a stamp that changes with the messages and papers of a game."""
    papers = sorted(path for path in folder.iterdir() if receipts.NAMES.fullmatch(path.name))
    stats = [(path, path.stat()) for path in (*folders.message_files(folder), *papers)]
    return tuple((path.name, stat.st_size, stat.st_mtime_ns) for path, stat in stats)
