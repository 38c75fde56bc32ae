"""The folder of sent mails as a journal: before signing, a desk reads the player's messages that it lacks.

``post`` puts each letter into the folder before SMTP. So a second machine, or a machine with a restored backup, finds
its own messages in the folder. For each game the store has the next UID of each folder, and the size of the game at
that time. If a game is now smaller, it was restored, and its folders are read again from the first letter.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path

from kursk_pbem.errors import KurskError
from kursk_pbem.game import folders, receipts
from kursk_pbem.post.mailbox import outbox, store
from kursk_pbem.post.mailbox.envelope import Mail
from kursk_pbem.post.mailbox.letter import MESSAGE, Item, Letter
from kursk_pbem.post.mailbox.outbox import COPY, SENT, Box
from kursk_pbem.post.round import fetch, reading
from kursk_pbem.post.round.game_mail import GameMail
from kursk_pbem.post.wire import fetching
from kursk_pbem.post.wire.account import Account
from kursk_pbem.post.wire.imap import Mailbox
from kursk_pbem.trust.messages import Message

_GAMES = re.compile(r"kursk ([0-9a-f]{8})|<k1\.game\.([0-9a-f]{8})")
_SIZE = "size"


@dataclass
class Copies:
    """The player's own mails of a running game, found in folders of the mailbox. ``marks``: how far each was read.

    ``first``: of each message number, the first message that the server has.
    """

    seat: GameMail
    box: Box
    marks: dict[str, int]
    mails: list[Mail] = field(default_factory=list)
    first: dict[int, str] = field(default_factory=dict)

    @cached_property
    def known(self) -> set[str]:
        """The ids of all turns in the game folder, including void messages. Empty if the folder is damaged."""
        folder = self.seat.folder
        papers = (path for path in folder.glob("*.yaml") if receipts.NAMES.fullmatch(path.name))
        with suppress(KurskError):
            there = [*folders.message_files(folder), *folder.glob("*.void.yaml")]
            return {*(folders.read_message(path).id for path in there), *(receipts.read_file(one).id for one in papers)}
        return set()

    def is_written_here(self, mail: Mail) -> bool:
        """Record the messages of a mailed letter. Return False for an unknown letter or a missing turn."""
        there = outbox.find_letters(self.box.home, *mail.letter_id)
        items = [item for _box, letter in there for item in letter.items]
        if not items or not {item.id for item in items} <= self.known:
            return False
        for item in items:
            if item.kind == MESSAGE:
                self.first.setdefault(item.seq, item.id)
        return True

    def add(self, mail: Mail) -> None:
        """Add a mail that contains an unknown turn. A second version of a sent message is not added."""
        pieces = reading.list_turns([mail], self.seat.game)
        turns = [piece.turn for piece in pieces if piece.is_signed(self.seat.keys)]
        own = [turn for turn in turns if turn.sender == self.seat.side and isinstance(turn, Message)]
        for turn in own:
            self.first.setdefault(turn.seq, self._find_copied(turn.seq) or turn.id)
        if any(self.first[turn.seq] != turn.id for turn in own):
            return
        if not {turn.id for turn in turns} <= self.known:
            self.mails.append(mail)

    def _find_copied(self, seq: int) -> str:
        """Return the id of this desk's message of a number if its letter is in the folder already, or ''."""
        slot = self.seat.known.own.read_slot(seq) if self.seat.known.own is not None else None
        item = Item(MESSAGE, seq, slot.id) if slot is not None else None
        letters = (letter for letter in self.box.letters("and seq >= ?", seq) if item in letter.carried)
        return item.id if item is not None and any(map(self.box.is_copied, letters)) else ""


def read_copies(home: Path, account: Account, mailbox: Mailbox, seats: Sequence[GameMail]) -> list[Copies]:
    """Return the mails with new turns of running games, from the sent mails and parts of other folders.

    Surplus copies of the owner's letters are deleted. Raises UnreachableError.
    """
    found = [Copies(seat, Box(home, seat.game), load_marks(home, seat.game, _measure(seat))) for seat in seats]
    for folder in filter(None, (*account.folders, mailbox.find_sent() if seats else "")):
        validity, end = mailbox.select(folder)
        scope = fetch.uid_scope(account, validity, folder)
        behind = [copies for copies in found if not end or copies.marks.get(scope, 1) < end]
        if folder in account.folders:  # every later mail comes by the cursor
            cursor = fetch.load_cursor(home, account, folder)
            behind = [copies for copies in found if scope not in copies.marks]
            end = cursor.next if cursor.validity == validity else 0
        written = set[str]()
        for begin in sorted({copies.marks.get(scope, 1) for copies in behind}):
            some = {each.seat.game[:8]: each for each in behind if each.marks.get(scope, 1) == begin}
            only = next(iter(some.values())).seat.game if len(some) == 1 else ""
            for entry in fetching.find_entries(mailbox, only, begin, end):
                head = Mail(entry.head, folder)
                about = _GAMES.findall(f"{head.subject} {head.header('References')}")
                mine = [some[short] for short in dict.fromkeys(map("".join, about)) if short in some]
                lacking = [copies for copies in mine if not copies.is_written_here(head)]
                written |= {head.message_id} if len(lacking) < len(mine) else set()
                mail = fetching.fetch_mail(mailbox, entry) if lacking else None
                if mail is not None and not mail.why:
                    said = fetch.describe_mail(mail, account, folder, validity)
                    for copies in lacking:
                        copies.add(Mail(mail.raw, folder, {key: said[key] for key in ("fetched", "arrived")}))
        for copies in behind:
            copies.marks[scope] = end or 1
        if folder not in account.folders:
            _remove_surplus(mailbox, folder, written)
    return found


def _remove_surplus(mailbox: Mailbox, folder: str, written: set[str]) -> None:
    """Delete all copies but the first of each letter: some servers file sent mails by themselves."""
    for message_id in sorted(written):
        if surplus := mailbox.search(b"HEADER", b"Message-ID", f'"{message_id}"'.encode("ascii"))[1:]:
            mailbox.remove(folder, surplus)
            mailbox.select(folder)


def file_copy(mailbox: Mailbox, box: Box, letter: Letter) -> str:
    """Save a copy of a letter in the folder of sent mails, once. Return '', or why this failed.

    Raises UnreachableError.
    """
    if box.is_copied(letter):
        return ""
    if not (folder := mailbox.find_sent()):
        return "the server has no folder of sent mails"
    mailbox.select(folder)
    there = mailbox.search(b"HEADER", b"Message-ID", f'"{letter.message_id}"'.encode("ascii"))
    if not there and (why := mailbox.append(folder, box.raw(letter))):
        return f"the folder {folder} refuses it ({why})"
    box.note(letter, COPY, SENT, folder)
    return ""


def save_progress(home: Path, found: Sequence[Copies]) -> None:
    """Save how far the copies of games were read. Raises DiskError."""
    for copies in found:
        seat = replace(copies.seat, known=replace(copies.seat.known))  # the current state
        save_marks(home, seat.game, copies.marks, _measure(seat))


def load_marks(home: Path, game: str, size: int) -> dict[str, int]:
    """Return how far a game's sent mails were read, by UID scope; {} after a restored backup. Raises DiskError."""
    marks: dict[str, int] = json.loads(store.load_setting(home, f"copies {game}") or "{}")
    return marks if size >= marks.get(_SIZE, 0) else {}


def save_marks(home: Path, game: str, marks: dict[str, int], size: int) -> None:
    """Save how far a game's sent mails were read. ``size``: the size of the game's record now. Raises DiskError."""
    said = json.dumps({**marks, _SIZE: size})
    if said != store.load_setting(home, name := f"copies {game}"):
        store.save_setting(home, name, said)


def _measure(seat: GameMail) -> int:
    """Return the number of messages in folder and journal: smaller after a return to a backup."""
    return seat.known.newest + (len(seat.known.own.seqs) if seat.known.own is not None else 0)
