"""An entrant's desk: a verified copy of the tournament, and the entrant's own papers.

A paper enters the journal under the name of its subject before any other write. So an entrant never signs two different
bids for a board, or two reveals for a draw.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

from kursk_pbem.desk.ground import clock
from kursk_pbem.errors import KurskError, TrustError, UsageError
from kursk_pbem.game import folders as game_folders
from kursk_pbem.game import journal
from kursk_pbem.tournament import boards, chance, following, letters, private, sights
from kursk_pbem.tournament.book import plan, reading, rounds
from kursk_pbem.tournament.book.people import find_late_obstacle, find_open_draw, has_unpaired_draw
from kursk_pbem.tournament.faults import IncompleteError
from kursk_pbem.tournament.pairing import solve as solving
from kursk_pbem.tournament.papers import fields, forms, mails, store
from kursk_pbem.tournament.papers.forms import FIRST_WORD, Paper
from kursk_pbem.tournament.private import Record
from kursk_pbem.tournament.records import Board, Book, Entrant
from kursk_pbem.tournament.rules import MATCH, SWISS
from kursk_pbem.trust import keys, sshsig
from kursk_pbem.trust.keys import Signer

_SUBJECTS = {
    fields.OPEN: ("draw", "next"),
    fields.REVEAL: ("draw",),
    fields.WITNESS: ("draw",),
    fields.BID: ("board",),
    fields.STAND_IN: ("number", "draw"),
    fields.NEW_KEY: ("draw",),
    fields.ABSENT: ("first",),
    fields.WITHDRAW: (),
    fields.RULING: ("board", "head"),
}
"""The fields that distinguish the papers of a type in the journal."""
WITH_PAPER, CARRIED, LOG_LETTER = 30, 100, "log-"
"""Maximum log papers attached to a paper, and in a log mailed back; first part of such a letter's name."""
MOST_UNLOGGED = 50
"""Maximum number of unacknowledged papers that a paper lists; it lists the newest."""


@dataclass
class EntrantDesk:
    """A tournament as an entrant works on it. ``written``: new unsent letters. ``refused``: errors of rejected papers.

    ``warnings``: about log papers ahead of the clock.
    """

    folder: Path
    home: Path
    record: Record
    book: Book
    written: list[Path] = field(default_factory=list)
    refused: list[KurskError] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)

    @cached_property
    def signer(self) -> Signer:
        """The key with which the entrant signs."""
        return keys.load_key(Path(self.record.key))

    @property
    def me(self) -> Entrant | None:
        """The entrant as listed in the log, or None before the log acknowledges the entry."""
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
        """Sign a paper about a subject, or return the paper signed earlier. Write the letter with the paper.

        ``about``: the subject, such as a board, which identifies the paper. ``words``: the subject line of the letter.
        """
        name = f"{kind}-{about}" if about else kind
        text = self.record.entry(name)
        if not text:
            head = {"kursk-tournament": fields.VERSION, "type": kind, "tournament": self.book.id}
            head |= {"from": self.signer.public, "time": clock.now()}
            content: dict[str, Any] = {**head, "seen": self.book.log_head(), **said}
            if lost := list_unlogged(self.record, self.book):
                content["unlogged"] = [{"id": paper.id, "time": paper.text("time")} for paper in lost[-MOST_UNLOGGED:]]
            if seen := sights.list_sights(self.record, self.book, self.signer.public):
                content["sights"] = seen
            text = self.record.enter(name, forms.emit_paper(forms.sign_paper(content, self.signer, name, new)))
        paper = forms.read_paper(text.encode("ascii"), name)
        changed = [key for key in said if paper.said(key) != said[key]]
        if changed and kind != fields.OPEN:
            raise UsageError(f"not signed: your earlier paper {kind} has another {changed[0]}, and cannot be changed")
        self.mail(name, words, [*self.book.log[-WITH_PAPER:], *enclosed, paper])
        return paper

    def mail(self, name: str, words: str, enclosed: Iterable[Paper], to: str = "director") -> None:
        """Write a letter with papers, unless a letter of this name exists."""
        if name in letters.list_letters(self.record.letters):
            return
        attached = (letters.attachment_name(self.book.id, name), mails.bundle_papers(enclosed))
        said = (f"For the {to} of {self.book.rules.title}: {words}.", "The attached paper is signed.")
        body = letters.format_note("", said, ("kursk post",), f"Newest log paper: {self.book.head.id[:32]}")
        letter = letters.compose_letter(letters.format_subject(self.book.id, words), body, attached)
        if (path := letters.write_letter(self.record.letters, name, letter)) is not None:
            self.written.append(path)


def open_desk(folder: Path, home: Path) -> EntrantDesk:
    """Open an entrant's copy of a tournament."""
    book = reading.read_folder(folder)
    record = private.need_record(home, book.id, private.ENTRANT)
    boards.mark_decided(book, home)
    return EntrantDesk(folder, home, record, book)


def join_tournament(incoming: Iterable[Paper], key: Path, parent: Path, home: Path) -> EntrantDesk:
    """Create an entrant's copy of a tournament below ``parent`` from rules and log, or update an existing copy."""
    papers = list(incoming)
    first = next((paper for paper in papers if paper.type == fields.RULES), None)
    if first is None:
        raise UsageError("the file does not contain paper 0, the rules of a tournament")
    id_ = reading.open_log([first], {}).id  # checked before it is written
    there = private.find_record(home, id_)
    if there is not None and there.role == private.ENTRANT and store.is_tournament(Path(there.folder)):
        folder = Path(there.folder)
    else:
        folder = parent / f"tournament-{id_[:16]}"
        secret = private.derive_secret(keys.load_key(key), id_)
        private.create_record(home, id_, private.ENTRANT, key, folder, secret)
        store.write_paper(store.log_path(folder, 0), first)
    desk = open_desk(folder, home)
    accept_papers(desk, papers)
    return desk


def sign_entry(desk: EntrantDesk, said: Mapping[str, str]) -> Paper:
    """Sign an entry to the tournament. ``said``: the name, and optionally ``guest`` and ``shown``."""
    draw = desk.book.next_draw
    more = {"draw": str(draw), "commit": make_commitment(desk, draw)}
    return desk.sign(fields.ENTRY, str(draw or ""), {**said, **more}, f"entry of {said['name']}")


def find_late_entry(book: Book, record: Record, key: str) -> Paper | None:
    """Return the entry by a key's owner that came too late for a draw, if the owner can still enter the next draw."""
    entry = book.papers.get(next(reversed([id_ for id_ in book.void if book.papers[id_].sender == key]), ""))
    if entry is None or entry.type != fields.ENTRY or entry.number("draw") >= book.next_draw:
        return None
    free = book.by_key(key) is None and not find_late_obstacle(book, book.next_draw + 1)
    return entry if free and not record.entry(f"{fields.ENTRY}-{book.next_draw}") else None


def list_unlogged(record: Record, book: Book) -> list[Paper]:
    """Return the signed papers that the log does not acknowledge, ordered by time."""
    signed = [(name, text) for name in record.entries() if FIRST_WORD in (text := record.entry(name))[:20]]
    there = [forms.read_paper(text.encode("ascii"), name) for name, text in signed]
    return sorted((paper for paper in there if paper.id not in book.received), key=lambda paper: paper.text("time"))


def _split_papers(mixed_papers: Iterable[Paper]) -> tuple[list[Paper], dict[str, Paper]]:
    """Return the log papers in order, and the other papers by id."""
    every = list(mixed_papers)
    log = {paper.id: paper for paper in every if paper.of_log}
    return sorted(log.values(), key=lambda paper: paper.seq), {paper.id: paper for paper in every if not paper.of_log}


def make_commitment(desk: EntrantDesk, draw: int, signer: Signer | None = None, secret: bytes | None = None) -> str:
    """Return a key owner's commitment for a draw, and the secret behind it, in hex."""
    key = sshsig.public_key((signer or desk.signer).public)
    secret = desk.record.secret if secret is None else secret
    return chance.compute_commitment(bytes.fromhex(desk.book.id), key, draw, chance.derive_opening(secret, draw)).hex()


def _is_genuine(desk: EntrantDesk, paper: Paper) -> bool:
    """Return whether a paper belongs to this tournament and has a valid signature; note errors."""
    if (paper.id if paper.type == fields.RULES else paper.said("tournament")) != desk.book.id:
        return False
    try:
        forms.check_signature(paper, desk.book.rules.key if paper.of_log else paper.sender)
    except TrustError as error:
        desk.refused.append(error)
        return False
    return True


def accept_papers(desk: EntrantDesk, incoming: Iterable[Paper]) -> list[str]:
    """Check papers and add the papers to the copy; return a line for each new log paper.

    Only players' papers acknowledged by a log go into the copy, because strangers could send any number of papers.
    Secrets of the witness, opened bids and papers of other logs become evidence. After a paper's acknowledgment the
    paper's letter counts as sent.
    """
    log, players = _split_papers(paper for paper in incoming if _is_genuine(desk, paper))
    before = {paper.id for paper in desk.book.log}
    book = following.follow_line(desk.folder, desk.book, log, players, _make_solver(desk.book))
    if new := [paper for paper in book.log if paper.id not in before]:
        desk.book = book
        boards.mark_decided(book, desk.home)
    desk.warnings += sights.note_log(desk.record, book.log)
    _note_gap(desk, log, new)
    for paper in players.values():
        copied = paper.type == fields.REVEAL and paper.sender == desk.book.rules.witness
        copied |= paper.type == fields.BID_OPEN and desk.book.by_key(paper.sender) is not None
        if copied and paper.id not in desk.book.received:
            store.keep_evidence(desk.folder, paper)
    _change_key(desk)
    for name in [path.stem for path in letters.list_unsent(desk.record.letters)]:
        text = desk.record.entry(name)
        if text and forms.read_paper(text.encode("ascii"), name).id in desk.book.received:
            letters.mark_sent(desk.record.letters, name)
    return [f"log paper {paper.seq}: {paper.type}" for paper in new]


def _make_solver(book: Book) -> rounds.Solve:
    """Return a function to compute the pairs of a round; a Swiss in the log here was computed when its paper came."""
    known = {log.text("input"): log for log in book.log if log.type == fields.ROUND and log.text("method") == MATCH}

    def solve(given: Mapping[str, Any]) -> solving.Solved:
        log = known.get(plan.hash_input(dict(given)))
        return solving.solve_round(given) if log is None else rounds.logged_pairs(book, log, given)

    return solve


def take_own(desk: EntrantDesk, papers: Iterable[Paper]) -> list[str]:
    """Save in the journal the papers that the entrant signed on another machine. Return a sentence for each paper."""
    told = list[str]()
    for paper in papers:
        if paper.of_log or paper.said("tournament") != desk.book.id or paper.sender != desk.signer.public:
            continue
        about = [(name, str(paper.said(name))) for name in _SUBJECTS.get(paper.type, ())]
        name = "-".join([paper.type, *(said[: 8 if name == "head" else 10] for name, said in about)])
        if paper.type in _SUBJECTS and not desk.record.entry(name):
            forms.check_signature(paper, paper.sender)
            desk.record.enter(name, forms.emit_paper(paper))
            told.append(f"your {fields.NOUNS.get(paper.type, paper.type)}, signed elsewhere, came back")
    return told


def return_log(desk: EntrantDesk) -> None:
    """Mail the log to the director if the director's last letter showed a different log, at most once a day."""
    log = [*desk.book.others.values(), *desk.book.log[-CARRIED:]]
    ids = {id_ for paper in log if paper.type == fields.RECEIVED for id_ in paper.texts("papers")}
    players = [desk.book.papers[id_] for id_ in sorted(ids & set(desk.book.papers))]
    words = f"the log here ends with paper {desk.book.head.seq}"
    desk.mail(f"{LOG_LETTER}{clock.now()[:10]}", words, [*log, *players])


def _note_gap(desk: EntrantDesk, log: list[Paper], new: list[Paper]) -> None:
    """Note that log papers came without their predecessor. Raises IncompleteError if nothing else came."""
    here = desk.book.signed_log
    missing = [paper for paper in log if paper.seq and paper.said("prev") not in here]
    if missing:
        next_, there = len(desk.book.log), missing[0].seq
        error = IncompleteError(f"log paper {next_} is missing before {there}: ask the director for the paper")
        if not new:
            raise error
        desk.refused.append(error)


def _change_key(desk: EntrantDesk) -> None:
    """Continue with a new key after the director has logged the key."""
    for path in desk.record.next_keys():
        if path == desk.record.key:
            return
        signer = keys.load_key(Path(path))
        if desk.book.by_key(signer.public) is not None:
            desk.record = private.change_key(desk.home, desk.record, path, private.derive_secret(signer, desk.book.id))
            desk.__dict__["signer"] = signer
            return


def next_commitment(desk: EntrantDesk, number: int) -> dict[str, str]:
    """Return the fields ``next`` and ``commit``: the first open draw after ``number``, and a commitment to it."""
    following = max(number + 1, desk.book.next_draw)
    return {"next": str(following), "commit": make_commitment(desk, following)}


def sign_opening(desk: EntrantDesk, number: int) -> Paper:
    """Sign a reveal of the secret for a draw, with a commitment to the next draw that is not closed yet."""
    opened = chance.derive_opening(desk.record.secret, number).hex()
    said = {"draw": str(number), "open": opened, **next_commitment(desk, number)}
    name = f"{number}-{said['next']}"
    return desk.sign(fields.OPEN, name, {**said, "games": game_heads(desk)}, f"reveal of lots {number}")


def sign_wish(desk: EntrantDesk, said: str) -> Paper:
    """Sign whether the entrant plays the round of the next draw. Raises UsageError if no draw follows."""
    if not may_draw_again(desk.book):
        raise UsageError("no more lots are drawn: only a Swiss tournament draws lots before each round")
    draw = str(desk.book.next_draw)
    number = sum(name.startswith(f"{fields.PLAYS}-{draw}-") for name in desk.record.entries()) + 1
    words = f"plays the round of lots {draw}: {said}"
    return desk.sign(fields.PLAYS, f"{draw}-{number}", {"draw": draw, "plays": said}, words)


def may_draw_again(book: Book) -> bool:
    """Return whether a draw is open or may follow. Only a Swiss tournament has a draw before each round."""
    if book.ended or book.begun is None or find_open_draw(book) is not None:
        return not book.ended
    return book.rules.format == SWISS and book.round + has_unpaired_draw(book) < book.rules.rounds


def game_heads(desk: EntrantDesk) -> list[dict[str, str]]:
    """Return the entrant's games on this machine, ordered by id: the id of each game and of its last message."""
    newest = {}
    me = desk.me
    for board in desk.book.boards.values():
        if me is None or me.number not in board.sides.values() or not board.game:
            continue
        own = journal.find(desk.home, board.game)
        if own is not None and Path(own.folder).is_dir():
            newest[board.game] = game_folders.read_message(game_folders.message_files(Path(own.folder))[-1]).id
    return [{"id": game, "head": head} for game, head in sorted(newest.items())]


def sign_bid(desk: EntrantDesk, called: str, side: str, price: int) -> Paper:
    """Sign a sealed bid for a side of a board. Raises UsageError if the board accepts no bids."""
    board = boards.find_board(desk.book, called)
    sides = desk.book.rules.systems[board.system - 1].sides
    if side not in sides:
        raise UsageError(f"the sides of board {board.name} are {' and '.join(sides)}")
    if board.sides_known or board.bids_seq >= 0:
        raise UsageError(f"board {board.name} accepts no more bids")
    value = {"side": side, "price": str(price)}
    if (before := desk.record.enter(f"value-{board.name}", f"{side} {price}")) != f"{side} {price}":
        raise UsageError(f"you have already bid for board {board.name}: {before}")
    seal = chance.compute_seal(
        bytes.fromhex(desk.book.id), sshsig.public_key(desk.signer.public), board.name, _bid_salt(desk, board), value
    )
    about = {"round": str(board.round), "board": board.name}
    return desk.sign(fields.BID, board.name, {**about, "seal": seal.hex()}, f"bid for board {board.name}")


def open_bid(desk: EntrantDesk, board: Board) -> Paper:
    """Open the entrant's sealed bid. Raises UsageError if the bid is not in the journal."""
    side, _blank, price = desk.record.entry(f"value-{board.name}").partition(" ")
    if not side:
        bid = f"your journal lacks your bid for board {board.name}"
        raise UsageError(f"{bid}: bid again, with the side and the price of your first bid")
    said = {"round": str(board.round), "board": board.name, "salt": _bid_salt(desk, board).hex()}
    value = {"side": side, "price": price}
    return desk.sign(fields.BID_OPEN, board.name, {**said, "value": value}, f"revealed bid for board {board.name}")


def _bid_salt(desk: EntrantDesk, board: Board) -> bytes:
    return chance.derive_fresh(desk.record.secret, "bid", board.name)[:16]
