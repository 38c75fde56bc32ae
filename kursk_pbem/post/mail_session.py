"""Mail sessions: fetch, process, send. Commands and the board run single steps, one round, or repeated rounds."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

from kursk_pbem.desk.deals import passing
from kursk_pbem.desk.ground import clock
from kursk_pbem.desk.own import desks, register
from kursk_pbem.desk.own.desks import Desk
from kursk_pbem.errors import DiskError, KurskError, UsageError
from kursk_pbem.formats.canonical import REFEREE
from kursk_pbem.game import disk, folders
from kursk_pbem.post import forgotten, inbox_round
from kursk_pbem.post.intake import Intake
from kursk_pbem.post.mailbox import events, people, post_folder, spool, store, task_guard
from kursk_pbem.post.mailbox.post_folder import BusyError
from kursk_pbem.post.referee import terms
from kursk_pbem.post.referee.mail_commands import CommandHandler
from kursk_pbem.post.referee_round import RefereeRound
from kursk_pbem.post.round import delivery, fetch, game_mail, moved, new_address, own_copies, own_papers, server_clock
from kursk_pbem.post.round.delivery import Step
from kursk_pbem.post.round.digest import Digest
from kursk_pbem.post.round.fetch import Fetched
from kursk_pbem.post.round.outcome import GameTaken
from kursk_pbem.post.round.outgoing import Outbox
from kursk_pbem.post.round.servers import FETCHING, Servers
from kursk_pbem.post.round.writing import Desks
from kursk_pbem.post.wire import account as accounts
from kursk_pbem.post.wire.imap import Mailbox
from kursk_pbem.post.wire.password import Ask
from kursk_pbem.post.wire.smtp import SENT, UnreachableError
from kursk_pbem.tournament import any_here

Told = Fetched | Digest | list[Step] | KurskError
_FIRST, _MOST = 5, 15 * 60
"""Seconds before the first retry of an unreachable server, and maximum seconds before later retries."""
_PATIENCE = 10 * 60
"""Seconds for a round to wait for a running command."""


@dataclass
class MailSession(Servers):
    """One mail account, and the steps of its rounds: fetch, take, send. ``key``: a director's key.

    ``intake`` keeps its verified games from round to round. ``referee``: the referee's part, if a referee has this
    mailbox. ``complete``: the last fetch reached the end of the mailbox. ``faults``: reasons for unsent letters.
    """

    key: Path | None = None
    intake: Intake = field(init=False)
    referee: RefereeRound | None = None
    complete: bool = False
    faults: list[KurskError] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.intake = Intake(self.home, self.account.games, self.key)

    def load_terms(self) -> MailSession:
        """Load the current terms of this referee's mailbox. Raises UsageError if terms, key or address are missing."""
        own = people.load_own(self.home).address
        if self.key is None or not own:
            raise UsageError("type 'kursk people card ADDRESS' first, then give the referee's key with --key FILE")
        said = terms.load_terms(self.home)
        self.referee = self.referee or RefereeRound(self.intake, self.key, said, own)
        self.referee.use_terms(said)
        return self

    def connect_mailbox(self) -> AbstractContextManager[Mailbox | None]:
        """Return a connection to the mailbox, or None without IMAP settings. Raises UsageError, UnreachableError."""
        return self.mailbox() if self.account.imap is not None else nullcontext()

    def fetch(self, mailbox: Mailbox, *, everything: bool = False) -> Fetched:
        """Save the new mails of the mailbox. Raises UsageError."""
        self.complete = False
        known = set[str]().union(*(person.known_at for person in people.load_people(self.home)))
        got = fetch.fetch_mails(self.home, self.account, mailbox, known, everything=everything)
        self.complete = got.stopped is None
        self.note(FETCHING, got.stopped)
        return got

    def take(self) -> Digest:
        """Process the fetched mails. Raises KurskError.

        If the director's terms are invalid, no mail is processed and all mails wait.
        """
        if _has_terms(self.home):
            try:
                self.load_terms()
            except UsageError as error:
                raise DiskError(error.message) from None
        fault = store.load_setting(self.home, server_clock.FAULT)
        if fault and (self.referee is not None or any(events.list_directed(self.home))):
            return Digest(faults=[UsageError(f"{fault}; the mails wait")])
        digest = inbox_round.run_round(self.intake, [spool.Spool(self.home)], self._find_commands())
        if fault:
            digest.add_fault(UsageError(fault))
        if self.referee is not None and self.intake.signs:
            digest.done += self.referee.work()  # a referee reads all lines
        elif any_here(self.home) and people.load_own(self.home).address:
            digest.done += open_referee(self.home, Path()).remind_directed()
        if self.complete and self.intake.signs:
            self._sign_passes(digest)
        return digest

    def _find_commands(self) -> CommandHandler | None:
        """Return the handler of commands by mail: of the mailbox with referee, or of another director or referee."""
        if self.referee is not None:
            return self.referee.commands
        seats = [seat for seat in game_mail.list_games(self.home, self.intake.here, self.key) if seat.side == REFEREE]
        own, desks_ = people.load_own(self.home).address, Desks(self.home, self.intake.open)
        return CommandHandler(self.home, own, lambda: seats, desks_.at) if seats and own else None

    def _sign_passes(self, digest: Digest) -> None:
        """Sign the due messages without a choice, if the player has allowed it on this machine (decision 89).

        The whole mailbox is read before, because it can have a later message of the player.
        """
        if not passing.is_passing_allowed(self.home):
            return
        for desk, why in passing.sign_passes(self.home, self.intake.here, self._open_desk, digest.add_fault):
            self.intake.open[desk.game.chain.game] = desk.history
            known = register.Known(desk.game.chain.game, desk.folder, desk.own)
            digest.add_game(GameTaken(known.game, desk=desk))
            digest.add_line(f"{known}: message {desk.last.seq} is signed, {why}")

    def _open_desk(self, folder: Path) -> Desk:
        """Open a game folder with the verified messages of earlier rounds."""
        return desks.open_desk(folder, self.home, self.intake.open.get(folders.read_game_id(folder)))

    def open_outbox(self) -> Outbox:
        """Return the outbox as it is now."""
        outbox = Outbox(self.home, self.intake.here, self.key)
        outbox.desks.open = self.intake.open
        return outbox

    def fetch_and_take(self, mailbox: Mailbox | None) -> Iterator[Told]:
        """Fetch and process mails. Sent mails come first, because another device may have signed messages."""
        self.intake.signs = self.account.imap is None
        if mailbox is not None:
            yield from self.take_copies(mailbox)
            yield (fetched := self.fetch(mailbox))
            signs = spool.holds_any(self.home) and (self.referee is not None or any_here(self.home))
            server_clock.find_fault(self.home, mailbox, fetched.newest, signs=signs)
            seats = game_mail.list_games(self.home, self.intake.here, self.key)
            if self.complete and (told := [*moved.search_folders(self.home, self.account, mailbox, seats)]):
                yield Digest(done=told)
        yield self.take()
        if mailbox is not None and self.complete:
            yield from forgotten.restore_games(mailbox, self.home, self.intake.here)

    def take_copies(self, mailbox: Mailbox) -> Iterator[Told]:
        """Accept own messages from the folder of sent mails. After a restored backup, also read the mailbox."""
        there = game_mail.list_games(self.home, self.intake.here, self.key)
        running = [seat for seat in there if seat.known.writer and seat.signs and seat.known.here]
        found = own_copies.read_copies(self.home, self.account, mailbox, running)
        if mails := [mail for copies in found for mail in copies.mails]:
            digest = inbox_round.run_round(self.intake, [], found=mails)
            if not digest.nothing:
                yield digest
        own_copies.save_progress(self.home, found)
        digest = Digest()
        with task_guard.guard_task(self.home, "own papers", b"", digest.add_fault, but=UnreachableError):
            for told in own_papers.take_copies(self.home, self.account, mailbox):
                digest.add_line(told) if isinstance(told, str) else digest.add_fault(told)
        if not digest.nothing:
            yield digest
        self.intake.signs = True

    def send_due(self, mailbox: Mailbox | None = None) -> Iterator[Told]:
        """Send the due letters. If the SMTP server cannot be reached, the round still fetches mails."""
        steps: list[Step] = []
        try:
            yield from self.send(mailbox) if self.can_send else [steps]
        except UnreachableError as error:
            yield error
            yield steps

    def send(self, mailbox: Mailbox | None = None) -> Iterator[Told]:
        """Save a copy of each due letter in the folder of sent mails, then send the letters. Raises KurskError."""
        outbox = self.open_outbox()
        if not outbox.writer.own.address:
            raise UsageError("type your own address first: 'kursk people card ADDRESS'")
        self.faults = outbox.faults
        if differs := new_address.describe_difference(self.home, self.account):
            yield Digest(done=[differs])
        new_address.write_cards(self.home, outbox)
        if not outbox.words.list_open() and not any(True for _slate in outbox.list_letters()):
            yield []
            return
        why = "no server keeps your sent mails"
        with nullcontext(mailbox) if mailbox is not None else self.connect_mailbox() as found:
            if found is not None:
                why = self._copy_letters(found, outbox)
                yield from self.take_copies(found)  # another machine may have copied another message first
                outbox = self.open_outbox()
                self.faults = outbox.faults
            with self.transport() as transport:
                steps = list(delivery.send_letters(outbox, transport))
        if why and any(step.state == SENT for step in steps):
            yield Digest(done=[f"{why}: a copy of each letter goes to your own address, and may come late"])
        yield steps

    def _copy_letters(self, mailbox: Mailbox, outbox: Outbox) -> str:
        """Put the due letters into the folder of sent mails; return why the folder has no copy of one, or ''."""
        why = ""
        for entry in list(outbox.list_letters()):
            if any(reader.address for reader in entry.letter.to):
                with task_guard.guard_task(self.home, entry.label, b"", self.faults.append, but=UnreachableError):
                    why = own_copies.file_copy(mailbox, entry.box, outbox.write_down(entry).letter) or why
        return why

    def try_out(self) -> str:
        """Connect to both servers once; return the folder of sent mails, or ''. Raises UsageError, UnreachableError."""
        with self.connect_mailbox() as mailbox:
            sent = mailbox.find_sent() if mailbox is not None else ""
        if self.can_send:
            with self.transport():
                pass
        return sent

    def run_once(self) -> Iterator[Told]:
        """Fetch and process mails. If no server answers, process earlier mails. The caller locks the post."""
        try:
            with self.connect_mailbox() as mailbox:
                yield from self.fetch_and_take(mailbox)
        except UnreachableError as error:
            yield error
            yield from self.fetch_and_take(None)

    def _read_stamp(self) -> list[int]:
        """Return the times of last changes of journals, letters and addresses, for commands in other windows."""
        folders_ = ("games/*/journal", "tournaments/*/journal", "tournaments/*/letters", "post/post.sqlite*")
        paths = sorted(path for pattern in folders_ for path in self.home.glob(pattern))
        return [path.stat().st_mtime_ns for path in paths if path.exists()]

    def _differs(self, stamp: list[int]) -> bool:
        return self._read_stamp() != stamp

    def watch(self, every: int, number: int | None = None) -> Iterator[Told]:
        """Repeat rounds of fetching and sending; yield results and errors. Each round locks the post.

        ``every``: seconds between rounds if no mail arrives. ``number``: the number of rounds, None for no end.
        """
        left, rest = number or -1, _FIRST
        while left:
            try:
                with self.connect_mailbox() as mailbox:
                    while left:
                        with post_folder.lock_post(self.home, _PATIENCE):
                            yield from self.fetch_and_take(mailbox)
                            yield from self.send_due(mailbox)
                            stamp = self._read_stamp()
                        left, rest = left - 1, _FIRST if self.complete else rest
                        if left and mailbox is not None:
                            mailbox.wait(every, partial(self._differs, stamp))
                        elif left:
                            clock.sleep(every)
            except (UnreachableError, BusyError, DiskError) as error:
                yield error
                left -= 1
                if left:
                    clock.sleep(rest)
                rest = min(2 * rest, _MOST)


def open_session(home: Path, ask: Ask, key: Path | None = None, *, rounds: bool = False) -> MailSession:
    """Return the mail session of a private folder's account. ``rounds``: whether the session does a referee's tasks.

    Without these tasks a referee's mailbox would count damaged and late turns as missing. Raises UsageError.
    """
    account = accounts.load_account(home)
    if account is None:
        why = "this private folder has no mail account: type 'kursk post setup'"
        raise UsageError(f"{why}; 'kursk inbox FILE' and 'kursk outbox --eml DIR' need no account")
    session = MailSession(home, account, ask, key)
    if rounds and _has_terms(home):
        session.load_terms()
    disk.make_private(post_folder.locate(home))
    return session


def _has_terms(home: Path) -> bool:
    return terms.terms_path(home).exists()


def open_files(home: Path, key: Path | None) -> tuple[Intake, CommandHandler | None]:
    """Return the processor of mails in files, and the handler of commands (None for a player). Raises UsageError."""
    if not _has_terms(home):
        return Intake(home, Path(), key), None
    if key is None:
        raise UsageError("this is a referee's mailbox: give the referee's key with --key FILE (or KURSK_KEY)")
    referee = open_referee(home, key)
    return referee.intake, referee.commands


def open_referee(home: Path, key: Path) -> RefereeRound:
    """Return the referee's part of a mailbox for reading only. The account, terms and address may be missing."""
    account = accounts.load_account(home)
    said = terms.load_terms(home) if _has_terms(home) else terms.Terms(terms.MOST_DAYS, 0)
    here, own = (account.games, people.load_own(home).address) if account else (Path(), "")
    return RefereeRound(Intake(home, here, key), key, said, own)
