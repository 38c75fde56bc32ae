"""An entrant's desk: a verified copy of the tournament, and the entrant's own papers.

A paper enters the journal under the name of its subject before any other write. So an entrant never signs two different
bids for a board, or two openings of a draw.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

from kursk_pbem.desk import clock
from kursk_pbem.errors import KurskError, TrustError, UsageError
from kursk_pbem.game import folders as game_folders
from kursk_pbem.game import journal
from kursk_pbem.tournament import boards, chance, letters, private, remembered
from kursk_pbem.tournament import rules as rules_
from kursk_pbem.tournament.book import reading
from kursk_pbem.tournament.book.people import hangs, open_draw
from kursk_pbem.tournament.book.records import Board, Book, Entrant
from kursk_pbem.tournament.faults import IncompleteError
from kursk_pbem.tournament.papers import fields, forms, mails, store
from kursk_pbem.tournament.papers.forms import FIRST_WORD, Paper
from kursk_pbem.tournament.private import Record
from kursk_pbem.tournament.rules import SWISS
from kursk_pbem.trust import keys, sshsig
from kursk_pbem.trust.keys import Signer

MOST_UNLOGGED = 50
"""The maximum number of unacknowledged papers listed in a paper: the newest papers."""


@dataclass
class Seat:
    """An entrant's desk. ``written``: new unsent letters; ``refused``: the errors of rejected papers."""

    folder: Path
    home: Path
    record: Record
    book: Book
    written: list[Path] = field(default_factory=list)
    refused: list[KurskError] = field(default_factory=list)

    @cached_property
    def signer(self) -> Signer:
        """The entrant's key."""
        return keys.load_key(Path(self.record.key))

    @property
    def me(self) -> Entrant | None:
        """The entrant in the book, or None before acknowledgment."""
        return self.book.by_key(self.signer.public)

    def sign(
        self,
        kind: str,
        about: str,
        said: Mapping[str, Any],
        words: str,
        new: Signer | None = None,
        enclosed: Iterable[Paper] = (),
    ) -> Paper:
        """Sign a paper, or return the paper signed before, and write its letter.

        ``about``: the subject that distinguishes the paper, such as a board; ``words``: the subject of the letter.
        """
        name = f"{kind}-{about}" if about else kind
        text = self.record.entry(name)
        if not text:
            head = {"kursk-tournament": fields.VERSION, "type": kind, "tournament": self.book.id}
            head |= {"from": self.signer.public, "time": clock.now()}
            content: dict[str, Any] = {**head, "seen": self.book.log_head(), **said}
            if lost := unlogged(self.record, self.book):
                content["unlogged"] = [{"id": paper.id, "time": paper.text("time")} for paper in lost[-MOST_UNLOGGED:]]
            text = self.record.enter(name, forms.emit(forms.sign(content, self.signer, name, new)))
        paper = forms.read(text.encode("ascii"), name)
        changed = [key for key in said if paper.said(key) != said[key]]
        if changed and kind != fields.OPEN:
            raise UsageError(f"you have signed a {kind} before that says something else ({changed[0]}): it stands")
        self.mail(name, words, [*enclosed, paper])
        return paper

    def mail(self, name: str, words: str, enclosed: Iterable[Paper], to: str = "director") -> None:
        """Write a letter with papers, unless a letter with the name exists."""
        if name in letters.names(self.record.letters):
            return
        attached = {letters.file_name(self.book.id, name): mails.bundle(enclosed)}
        body = [f"For the {to} of {self.book.rules.title}: {words}.", "", "The attached paper is signed."]
        letter = letters.compose(letters.subject(self.book.id, words), body, attached, self.book.head.id)
        if (path := letters.write(self.record.letters, name, letter)) is not None:
            self.written.append(path)


def sit(folder: Path, home: Path) -> Seat:
    """Open the desk of an entrant's copy of a tournament."""
    contents = store.load(folder)
    record = private.need(home, contents.log[0].id, private.ENTRANT)
    return Seat(folder, home, record, reading.read(contents.log, contents.papers, remembered.solver(home)))


def join(incoming: Iterable[Paper], key: Path, parent: Path, home: Path) -> Seat:
    """Create a copy of a tournament below ``parent`` from its rules and log."""
    log, players = _parted(incoming)
    if not log or log[0].type != fields.RULES:
        raise UsageError("there are no rules of a tournament in it: paper 0 is needed")
    rules = rules_.read(log[0])
    folder = parent / f"tournament-{rules.id[:16]}"
    signer = keys.load_key(key)
    begun = {"tournament": rules.id, "role": private.ENTRANT}
    begun |= {"key": os.path.realpath(key), "folder": os.path.realpath(folder)}
    store.check_release(log)
    book = reading.read(log, players, remembered.solver(home))
    record = private.create(home, begun, private.secret(signer, rules.id))
    _write(folder, [*log, *players.values()])
    return Seat(folder, home, record, book)


def is_witness(rules: rules_.Rules, key: Path) -> bool:
    """Return whether a key is the key of the witness."""
    return keys.load_key(key).public == rules.witness


def enter(seat: Seat, said: Mapping[str, str]) -> Paper:
    """Sign an entry. ``said``: the name, and optionally ``guest`` and ``shown``."""
    draw = seat.book.next_draw
    more = {"draw": str(draw), "commit": commitment(seat, draw)}
    return seat.sign(fields.ENTRY, str(draw or ""), {**said, **more}, f"entry of {said['name']}")


def unlogged(record: Record, book: Book) -> list[Paper]:
    """Return the signed papers without an acknowledgment, in order of their times."""
    signed = [(name, text) for name in record.entries() if FIRST_WORD in (text := record.entry(name))[:20]]
    there = [forms.read(text.encode("ascii"), name) for name, text in signed]
    return sorted((paper for paper in there if paper.id not in book.received), key=lambda paper: paper.text("time"))


def _parted(mixed_papers: Iterable[Paper]) -> tuple[list[Paper], dict[str, Paper]]:
    """Return the log papers in order, and the other papers by id."""
    every = list(mixed_papers)
    log = {paper.id: paper for paper in every if paper.of_log}
    return sorted(log.values(), key=lambda paper: paper.seq), {paper.id: paper for paper in every if not paper.of_log}


def commitment(seat: Seat, draw: int, signer: Signer | None = None, secret: bytes | None = None) -> str:
    """Return the commitment of a key and its secret for a draw, in hex."""
    key = sshsig.public_key((signer or seat.signer).public)
    secret = seat.record.secret if secret is None else secret
    return chance.commitment(bytes.fromhex(seat.book.id), key, draw, chance.opening(secret, draw)).hex()


def _write(folder: Path, new_papers: Iterable[Paper]) -> None:
    """Write new papers. Log papers come last, so a copy always contains the papers that its log acknowledges."""
    for paper in sorted(new_papers, key=lambda paper: (paper.of_log, paper.seq if paper.of_log else 0)):
        path = store.log_path(folder, paper.seq) if paper.of_log else store.paper_path(folder, paper)
        store.write(path, paper)


def _genuine(seat: Seat, paper: Paper) -> bool:
    """Return whether a paper belongs to this tournament and has a valid signature; note errors."""
    if (paper.id if paper.type == fields.RULES else paper.said("tournament")) != seat.book.id:
        return False
    try:
        forms.check_signature(paper, seat.book.rules.key if paper.of_log else paper.sender)
    except TrustError as error:
        seat.refused.append(error)
        return False
    return True


def take(seat: Seat, incoming: Iterable[Paper]) -> list[str]:
    """Add papers to the copy after verification; return a line for each new log paper.

    The copy contains only players' papers that the log acknowledges, because strangers could send any number. Secrets
    of the witness, opened bids and contradictory log papers become evidence.
    """
    log, players = _parted(paper for paper in incoming if _genuine(seat, paper))
    known = seat.book.log
    new = _in_turn(seat, log)
    if new:
        book = reading.read([*known, *new], {**seat.book.papers, **players}, remembered.solver(seat.home))
        book.papers = {id_: paper for id_, paper in book.papers.items() if id_ in book.received}
        _write(seat.folder, [*new, *(paper for id_, paper in players.items() if id_ in book.received)])
        seat.book = book
    for paper in players.values():
        copied = paper.type == fields.REVEAL and paper.sender == seat.book.rules.witness
        copied |= paper.type == fields.BID_OPEN and seat.book.by_key(paper.sender) is not None
        if copied and paper.id not in seat.book.received:
            store.keep(seat.folder, paper)
    _change_key(seat)
    return [f"log paper {paper.seq}: {paper.type}" for paper in new]


def _in_turn(seat: Seat, log: list[Paper]) -> list[Paper]:
    """Return the log papers that follow the copy without a gap. Raises TrustError for a contradiction."""
    by_seq = {paper.seq: paper for paper in seat.book.log}
    for paper in log:
        other = by_seq.setdefault(paper.seq, paper)
        if other.id != paper.id:
            kept = [store.kept(seat.folder, version) for version in (other, paper)]
            why = f"the director has signed two different log papers {paper.seq}: {' and '.join(kept)}"
            raise TrustError("chain", f"{why}; 'kursk tournament prove' convicts them", paper.where())
    known = len(seat.book.log)
    new = [paper for paper in log if paper.seq >= known]
    following = [paper for place, paper in enumerate(new, known) if paper.seq == place]
    if len(following) < len(new):
        missing, there = known + len(following), new[len(following)].seq
        error = IncompleteError(f"log paper {missing} is missing, and {there} is there: ask the director for it")
        if not following:
            raise error
        seat.refused.append(error)
    return following


def _change_key(seat: Seat) -> None:
    """Continue with a new key after the director has logged the key."""
    for path in seat.record.next_keys():
        if path == seat.record.key:
            return
        signer = keys.load_key(Path(path))
        if seat.book.by_key(signer.public) is not None:
            seat.record = private.move(seat.home, seat.record, path, private.secret(signer, seat.book.id))
            seat.__dict__["signer"] = signer
            return


def following(seat: Seat, number: int) -> dict[str, str]:
    """Return the next draw with an open field after draw ``number``, and the commitment for this draw."""
    following = max(number + 1, seat.book.next_draw)
    return {"next": str(following), "commit": commitment(seat, following)}


def opening(seat: Seat, number: int) -> Paper:
    """Open the secret of a draw and commit to the next draw with an open field."""
    said = {"draw": str(number), "open": chance.opening(seat.record.secret, number).hex(), **following(seat, number)}
    name = f"{number}-{said['next']}"
    return seat.sign(fields.OPEN, name, {**said, "games": heads(seat)}, f"opening of draw {number}")


def say_wish(seat: Seat, said: str) -> Paper:
    """Sign whether the entrant plays the round of the next draw. Raises UsageError if no draw is due."""
    if not draws_again(seat.book):
        raise UsageError("no draw is to come: only a Swiss draws again, before each round")
    draw = str(seat.book.next_draw)
    number = sum(name.startswith(f"{fields.PLAYS}-{draw}-") for name in seat.record.entries()) + 1
    words = f"plays the round of draw {draw}: {said}"
    return seat.sign(fields.PLAYS, f"{draw}-{number}", {"draw": draw, "plays": said}, words)


def draws_again(book: Book) -> bool:
    """Return whether a draw is open or may follow. Only a Swiss draws before each round."""
    if book.ended or book.begun is None or open_draw(book) is not None:
        return not book.ended
    return book.rules.format == SWISS and book.round + hangs(book) < book.rules.rounds


def heads(seat: Seat) -> list[dict[str, str]]:
    """Return the id and last message of each of the entrant's games here, in order of ids."""
    newest = {}
    me = seat.me
    for board in seat.book.boards.values():
        if me is None or me.number not in board.sides.values():
            continue
        for game, _seq in board.games:
            own = journal.find(seat.home, game)
            if own is not None and Path(own.folder).is_dir():
                newest[game] = game_folders.read_message(game_folders.message_files(Path(own.folder))[-1]).id
    return [{"id": game, "head": head} for game, head in sorted(newest.items())]


def bid(seat: Seat, called: str, side: str, price: int) -> Paper:
    """Seal a bid for a side of a board. Raises UsageError if the board accepts no bids."""
    board = boards.find(seat.book, called)
    sides = seat.book.rules.systems[board.system - 1].sides
    if side not in sides:
        raise UsageError(f"the sides of board {board.name} are {' and '.join(sides)}")
    if board.sides_known or board.bids_seq >= 0:
        raise UsageError(f"nobody bids for board {board.name} any more")
    value = {"side": side, "price": str(price)}
    if (before := seat.record.enter(f"value-{board.name}", f"{side} {price}")) != f"{side} {price}":
        raise UsageError(f"you have bid for board {board.name} before: {before}")
    seal = chance.seal(
        bytes.fromhex(seat.book.id), sshsig.public_key(seat.signer.public), board.name, _salt(seat, board), value
    )
    about = {"round": str(board.round), "board": board.name}
    return seat.sign(fields.BID, board.name, {**about, "seal": seal.hex()}, f"bid for board {board.name}")


def reveal(seat: Seat, board: Board) -> Paper:
    """Open the own bid. Raises UsageError if the journal does not contain the bid."""
    side, _blank, price = seat.record.entry(f"value-{board.name}").partition(" ")
    if not side:
        raise UsageError(
            f"what you bid for board {board.name} is not in your journal: bid the same again to put it there"
        )
    said = {"round": str(board.round), "board": board.name, "salt": _salt(seat, board).hex()}
    value = {"side": side, "price": price}
    return seat.sign(fields.BID_OPEN, board.name, {**said, "value": value}, f"opened bid for board {board.name}")


def _salt(seat: Seat, board: Board) -> bytes:
    return chance.fresh(seat.record.secret, "bid", board.name)[:16]
