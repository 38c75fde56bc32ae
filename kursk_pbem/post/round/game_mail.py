"""The facts about a game that its letters need: this player's side, recipients, this desk's messages and papers.

This module verifies nothing and loads no rules, because it only searches for due mail. Letters are verified
before writing.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cached_property
from pathlib import Path

from kursk_pbem.desk.own import desks, lookup, register
from kursk_pbem.desk.own.register import Known
from kursk_pbem.errors import KurskError
from kursk_pbem.formats import files
from kursk_pbem.formats.canonical import REFEREE
from kursk_pbem.frozen import frozen
from kursk_pbem.game import folders, journal, keyring, receipts
from kursk_pbem.game.journal import OWN
from kursk_pbem.post.mailbox import events, people
from kursk_pbem.post.mailbox import letter as letters
from kursk_pbem.post.mailbox.letter import Item, Letter
from kursk_pbem.tournament.papers.store import GAMES
from kursk_pbem.trust import earlier, keys
from kursk_pbem.trust.keys import Signer
from kursk_pbem.trust.papers import Paper

_FROM = re.compile(rb"^from:[ ]*'?([a-z-]{1,32})", re.MULTILINE)
_HEAD = 1024
_SHORT = 16


@frozen
class GameMail:
    """A game for which this owner gets mail, as a player or referee. ``key``: the key file of a timekeeping referee."""

    known: Known
    side: str
    key: Path | None = None

    @property
    def game(self) -> str:
        """The id of the game."""
        return self.known.game

    @property
    def folder(self) -> Path:
        """The game folder."""
        return self.known.folder

    @property
    def short(self) -> str:
        """The first digits of the game's id."""
        return self.known.short

    def files(self, letter: Letter) -> list[tuple[str, bytes]]:
        """Return the attachments of a letter: names and bytes. Raises KurskError."""
        return [(item.file(letter.game), self.attachment(item)) for item in letter.carried]

    def attachment(self, item: Item) -> bytes:
        """Return the bytes of an item: the owner's message from the journal, any other item from the game folder."""
        own = self.known.own
        if item.kind == letters.MESSAGE:
            slot = own.read_slot(item.seq) if own is not None else None
            if slot is not None and slot.kind in OWN and slot.id == item.id and slot.text:
                return slot.text.encode("ascii")
            return folders.read_bytes(folders.message_path(self.folder, item.seq))
        for path in sorted(self.folder.glob(f"{item.kind}*.yaml")):
            if receipts.NAMES.fullmatch(path.name) and receipts.read_file(path).id == item.id:
                return self._with_messages(receipts.read_file(path), folders.read_bytes(path))
        raise KurskError(f"the {item.kind} about message {item.seq} is gone from {self.folder}")

    def _with_messages(self, paper: Paper, raw: bytes) -> bytes:
        """Return a paper with the messages up to its own; with the referee's dice a message waits for its dice."""
        if self.rolled and paper.seq >= self.known.newest:
            return raw
        there = folders.read_before(self.folder, paper.seq + 1)
        paths = sorted(path for path in self.folder.glob("*.yaml") if receipts.NAMES.fullmatch(path.name))
        beside = [other for other in map(receipts.read_file, paths) if other.seq <= paper.seq and other.id != paper.id]
        return earlier.attach(raw.decode("ascii"), there, beside).encode("ascii")

    def signer(self) -> Signer | None:
        """Return the key that signs the owner's address cards, or None if unknown. Raises KurskError."""
        if self.known.own is not None:
            return desks.load_signer(self.known.own, None)
        return keys.load_key(self.key) if self.key is not None else None

    @property
    def signs(self) -> bool:
        """True if a key can sign the owner's address cards."""
        return self.known.own is not None or self.key is not None

    @cached_property
    def keys(self) -> dict[str, str]:
        """The public keys of the game, by side."""
        return people.list_pinned_keys(self.known.head)

    @property
    def rolled(self) -> bool:
        """True if a referee rolls the dice."""
        return bool(self.known.head.get("dice-from") == REFEREE)

    @property
    def relayed(self) -> bool:
        """True if the director of a tournament forwards the owner's messages to the other player."""
        return self.side != REFEREE and REFEREE in self.keys and not self.rolled and "tournament" in self.known.head

    @property
    def addressees(self) -> tuple[tuple[str, ...], ...]:
        """The recipients, as groups of sides. Each group gets one letter, with its first side in To.

        Empty if message 0 is missing or damaged.
        """
        players = tuple(side for side in self.keys if side not in (REFEREE, self.side))
        if self.side == REFEREE or not players:
            return tuple((side,) for side in players)
        if self.rolled:
            return ((REFEREE,),)
        return ((*players, REFEREE),) if REFEREE in self.keys else (players,)

    @cached_property
    def senders(self) -> tuple[str, ...]:
        """The writers of the messages in the folder, as claimed in the messages; '' for an unreadable message."""
        paths = (folders.message_path(self.folder, seq) for seq in range(self.known.newest + 1))
        said = (_FROM.search(files.read(path, _HEAD)) for path in paths)
        return tuple(found[1].decode("ascii") if found else "" for found in said)

    def newest_of(self, side: str) -> int:
        """Return the number of a side's newest message in the folder, or -1. The side knows all earlier messages."""
        return max((seq for seq, sender in enumerate(self.senders) if sender == side), default=-1)

    @property
    def receipts(self) -> set[int]:
        """The numbers of the messages that have a receipt in the folder. The numbers come from the file names."""
        return {int(path.name[8:12]) for path in self.folder.glob("receipt-[0-9][0-9][0-9][0-9]*.yaml")}

    def heard(self, mark: str, after: int) -> bool:
        """Return whether the owner of a key has written a message with a number above ``after``."""
        return any(people.mark_of(key) == mark and self.newest_of(side) > after for side, key in self.keys.items())

    def holds(self, letter: Letter) -> bool:
        """Return whether the player's record of the game still contains every message of a letter."""
        own = self.known.own
        there = (item for item in letter.items if item.kind == letters.MESSAGE and own is not None)
        return all((slot := own.read_slot(item.seq)) and slot.id == item.id for item in there if own is not None)

    def has(self, letter: Letter, mark: str) -> bool:
        """Return whether the owner of a key surely has a letter: a later message or a receipt proves it."""
        received = REFEREE in self.keys and max(self.receipts, default=-1) >= letter.seq
        return (received and mark == people.mark_of(self.keys[REFEREE])) or self.heard(mark, letter.seq)

    def own_messages(self, above: int) -> Iterator[Item]:
        """Yield the owner's messages with numbers above ``above`` from the journal, newest first."""
        own = self.known.own
        for seq in reversed(own.seqs) if own is not None else ():
            if seq <= above:
                return
            slot = own.read_slot(seq) if own is not None else None
            if slot is not None and slot.kind in OWN:
                yield Item(letters.MESSAGE, seq, slot.id)

    def own_papers(self) -> Iterator[Item]:
        """Yield the papers that this owner signed as referee, newest first. Raises FileError and TrustError."""
        if self.side != REFEREE or not self.known.here:
            return
        named = [(path, receipts.NAMES.fullmatch(path.name)) for path in sorted(self.folder.glob("*.yaml"))]
        there = [(path, name) for path, name in named if name]
        for path, name in sorted(there, key=lambda one: -int(one[1][2] or 10_000)):
            paper = receipts.read_named(path, name)
            if paper.seq <= self.known.newest:
                yield Item(paper.type, paper.seq, paper.id)


def list_games(home: Path, here: Path, key: Path | None = None) -> list[GameMail]:
    """Return the owner's games: games played, games refereed with the key, and games of directed tournaments.

    Sorted by id, without practice games. Raises UsageError.
    """
    known = [game for game in register.every(home, here) if not game.practice]
    seats = {game.game: GameMail(game, game.own.side) for game in known if game.own is not None}
    at_hand = [game for game in known if game.own is None]
    if at_hand and key is not None:
        public = keyring.find_public_key(key)
        relayed = (GameMail(game, REFEREE, key) for game in at_hand)
        seats |= {seat.game: seat for seat in relayed if seat.keys.get(REFEREE) == public}
    for game, director in events.list_games(home):
        seat = GameMail(game, REFEREE)
        if game.game not in seats and seat.keys.get(REFEREE) == director:
            seats[game.game] = seat
    return [seats[game] for game in sorted(seats)]


def list_faults(home: Path, here: Path) -> list[KurskError]:
    """Return the errors of games and tournaments whose private record or message 0 is unreadable. Raises UsageError."""
    records, unread = journal.load_records(home)
    own = (Path(record.folder) for record in records)
    places = (*own, here, *(event.folder / GAMES for event in events.list_directed(home)))
    wrong: list[KurskError] = [*unread, *(error for place in places for error in register.list_damaged(place))]
    wrong += events.list_faults(home)
    return list({error.message: error for error in wrong}.values())


def find_folder(home: Path, here: Path, game: str) -> Path | None:
    """Return the folder of a game, as recorded. If not recorded, search near the current folder; None if unknown."""
    if not game:
        return None
    called = journal.find_game_id(home, folders.folder_name(game))
    own = journal.find(home, game) if called in ("", game) else None
    places = [Path(own.folder)] if own is not None else []
    for folder in (*places, *folders.find_candidates(here, game)):
        first = folders.message_path(folder, 0)
        if files.is_there(first) and folders.read_message(first).id == game:
            return folder
    paired = (event.folder / GAMES / folders.folder_name(game) for event in events.list_directed(home))
    if (there := next((folder for folder in paired if folders.read_game_id(folder) == game), None)) is not None:
        return there
    if own is not None and not register.is_unreadable(Path(own.folder)):
        lookup.require_folder(Known(game, Path(own.folder), own, here=False))
    return None
