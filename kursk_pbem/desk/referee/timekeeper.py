"""A timekeeping referee's desk: receipts, more time, and forfeits after a missed deadline.

The referee keeps a game folder like an auditor. This desk signs only papers that every other desk accepts.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import field, replace
from pathlib import Path

from kursk_pbem.desk.ground import clock
from kursk_pbem.desk.own import desks
from kursk_pbem.desk.referee import successor_terms
from kursk_pbem.desk.turn import lines, play
from kursk_pbem.errors import KurskError, TrustError, UsageError, shell_word
from kursk_pbem.formats import times
from kursk_pbem.formats.canonical import REFEREE, Plain
from kursk_pbem.frozen import frozen
from kursk_pbem.game import folders, histories, inbox, journal, receipts
from kursk_pbem.game.games import Game
from kursk_pbem.trust import keys, messages, papers, referee, sshsig
from kursk_pbem.trust.messages import Message
from kursk_pbem.trust.papers import EXTENSION, FORFEIT, HOLIDAY, PAUSE, RECEIPT, Paper

# number and id of a log paper; or a function that returns a time, not before the log's papers, and this paper
Log = Mapping[str, str] | Callable[[str], tuple[str, Mapping[str, str]]]
Confirm = Callable[[Mapping[str, str]], None]
"""A function that shows a paper to the referee, and raises an exception if the referee refuses to sign."""


@frozen
class Term:
    """The times for a receipt, which a referee signs when a message arrives.

    ``received``: the time of arrival. ``due``: the deadline for the answer. ``days``: in place of ``due``, days from
    arrival to deadline, which is never before ``until``. ``late``: accept a late message. ``log``: the newest paper of
    a tournament's log. ``most``: a function that returns the latest allowed deadline for ``side``.
    """

    received: str = ""
    due: str = ""
    days: int = 0
    late: bool = False
    until: str = ""
    log: Log = field(default_factory=dict)
    most: Callable[[str, str], str] | None = None
    side: str = ""

    def date(self, time: str) -> tuple[str, Mapping[str, str]]:
        """Return what a referee's paper states: the time, and the number and id of a paper in a tournament's log."""
        return self.log(time) if callable(self.log) else (time, self.log)

    def check(self) -> None:
        """Raise UsageError for an invalid time, or if both ``due`` and ``days`` set the deadline."""
        for option, text in (("--received", self.received), ("--due", self.due)):
            check_time(option, text)
        if self.due and self.days:
            raise UsageError("--due and --days both set the deadline: give only one of the two options")

    def of(self, received: str) -> str:
        """Return the deadline for the answer to a message received at ``received``; '' for none. Raises UsageError."""
        if self.due or not self.days:
            return self.due
        due = max(add_days(received, self.days), self.until)
        return due if self.most is None else min(due, self.most(self.side, received))

    def check_in_time(self, game: Game, folder: Path, seq: int) -> None:
        """Raise UsageError if message ``seq`` is late, unless ``late`` is set, because an acceptance is final."""
        due, received = game.papers.due(seq - 1), self.received or clock.now()
        if due and received > due and not self.late:
            ends = f", and 'kursk referee forfeit {shell_word(folder)}' ends the game" if seq > game.chain.bound else ""
            raise UsageError(
                f"message {seq} was due {due} and came {received}. To accept the late message, add --late; otherwise "
                f"leave the message out of the folder{ends}"
            )


def check_time(option: str, text: str) -> None:
    """Raise UsageError unless a text is a time or empty."""
    if text and not times.is_time(text):
        why = "is no time: type a real date and the time in UTC, with seconds, such as"
        raise UsageError(f"{option} {text!r} {why} {times.EXAMPLE}")


def add_days(time: str, days: int) -> str:
    """Return the time ``days`` days after a time. Raises UsageError beyond year 9999."""
    try:
        return times.add_days(time, days)
    except (ValueError, OverflowError):
        raise UsageError(f"{days} days are too many") from None


@frozen
class Issued:
    """A paper signed by the referee. ``fresh``: the referee signed it now, not in an earlier run."""

    game: Game
    paper: Paper
    path: Path
    fresh: bool


@frozen
class Opened:
    """A game folder with the verified game. ``seq``: the number of the message at the given path, None for a folder.

    ``home``: the private folder with the arrival times, or None.
    """

    folder: Path
    history: histories.History
    seq: int | None = None
    home: Path | None = None


def open_folder(path: Path, home: Path, term: Term, near: Path | None = None) -> Opened:
    """Open the game folder at a path. If the path is a message file, first accept the message into its game.

    A new game gets a folder in ``near``, by default next to the file. Raises KurskError; RulesError for an illegal
    message.
    """
    if path.is_dir():
        return Opened(path, histories.load(path), home=home)
    message = inbox.read(inbox.read_bytes(path), str(path))
    if message.seq == 0:
        return _begin_game(message, near or path.parent, home)
    folder = play.find_folder(message, str(message.content.get("game", "")), home, path.parent)
    desk = desks.open_desk(folder, home)
    if message.seq == desk.seq and not desk.game.over:
        term.check_in_time(desk.game, folder, message.seq)
    return Opened(folder, play.take_message(desk, message).desk.history, message.seq, home)


def read_tournament(path: Path, home: Path) -> Mapping[str, Plain]:
    """Return the field ``tournament`` of message 0, {} without a tournament."""
    with suppress(KurskError):
        folder = path
        if not path.is_dir():
            message = inbox.read(inbox.read_bytes(path), str(path))
            if message.seq == 0:
                return message.mapping("tournament")
            folder = play.find_folder(message, str(message.content.get("game", "")), home, path.parent)
        return folders.read_message(folders.proposal_path(folder)).mapping("tournament")
    return {}


def find_own_key(path: Path, home: Path) -> Path | None:
    """Return the key file of the referee who rolls this game's dice, if on this machine; otherwise None."""
    with suppress(KurskError):
        message = folders.read_message(folders.message_path(path, 0) if path.is_dir() else path)
        own = journal.find(home, message.game)
        return Path(own.key) if own is not None and own.side == REFEREE else None
    return None


def _begin_game(message: Message, near: Path, home: Path) -> Opened:
    """Open the folder of a new game: ``near`` itself if the name fits, otherwise a new folder in ``near``.

    A saved mail named 0000.yaml does not turn its folder into a game folder.
    """
    begun = histories.begin(message)
    successor_terms.check_agreement(near / folders.folder_name(message.id), begun.game, home)
    folder = near / folders.folder_name(message.id)
    if near.resolve().name == folder.name:
        folder = near
    else:
        folders.make(folder)
        text = messages.emit_for_mail(message.content, message.armour or "", message.state)
        folders.write(folders.message_path(folder, 0), text)
    return Opened(folder, histories.load(folder, begun.steps), 0, home)


def sign_receipt(opened: Opened, key: Path, term: Term, seq: int | None = None) -> Issued:
    """Return a receipt for message ``seq``, by default the newest message. Without an existing receipt, sign a new one.

    After the end of the game no answer is due, so the deadline is the arrival time. Raises KurskError.
    """
    term.check()
    folder, game, signer = opened.folder, opened.history.game, load_referee_key(opened, key)
    last = game.chain.next_seq - 1
    seq = last if seq is None else seq
    if seq > last:
        raise UsageError(f"message {seq} is not here: the newest is message {last}; type 'kursk inbox FILE'")
    since = (
        ""
        if game.papers.receipts
        else successor_terms.check_agreement(folder, opened.history.steps[0].after, opened.home)
    )
    term = replace(term, received=term.received and term.date(term.received)[0])
    if term.days:  # only for deadlines in days; other deadlines are explicit
        term = replace(term, until=max(term.until, find_absence_end(game, seq)), side=game.chain.writer(seq + 1))
    if (held := game.papers.receipts.get(seq)) is not None:
        _check_same_times(held, term)
        return Issued(game, held, Path(held.document.name), fresh=False)
    term.check_in_time(game, folder, seq)
    received, log = term.date(term.received or clock.now())
    due = term.of(received)
    if not due:
        if not (game.over and seq == last):
            raise UsageError(
                f"set the deadline of message {seq + 1} with --days N, or with --due TIME (such as {times.EXAMPLE})"
            )
        due = received
    if due < received:
        raise UsageError(f"the deadline {due} cannot be before {received}, when the message was received")
    if received < since:
        raise UsageError(f"{received} is too early: no player owed a message before the agreement at {since}")
    _check_sequence(opened, seq, received)
    if received > (now := term.date(clock.now())[0]):
        raise UsageError(f"message {seq} cannot have come at {received}: the time is only {now} now")
    said = {"type": RECEIPT, "seq": str(seq), "received": received, "due": due}
    return issue_paper(opened, signer, said, log)


def _check_same_times(held: Paper, term: Term) -> None:
    """Raise UsageError if the referee wants other times than the signed receipt."""
    received, due = held.text("received"), held.text("due")
    if term.received not in ("", received) or term.of(received) not in ("", due):
        raise UsageError(
            f"you have signed a receipt of message {held.seq} before: received {received}, with the answer due {due}. "
            f"To sign it again, type --received {received} --due {due}. 'kursk referee extend' gives more time. "
            f"If the message came earlier, move {held.document.name} away, and sign a receipt with the earlier time"
        )


def find_absence_end(game: Game, seq: int) -> str:
    """Return the last day of holidays and pauses for the side that answers message ``seq``; '' without any."""
    side = game.chain.writer(seq + 1)
    theirs = (paper for paper in game.papers.all if paper.seq < seq and game.chain.writer(paper.seq + 1) == side)
    granted = (paper for paper in theirs if paper.type == EXTENSION and paper.text("cause") in (HOLIDAY, PAUSE))
    return max((paper.text("due") for paper in granted), default="")


def require_deadline(game: Game, folder: Path) -> str:
    """Return the deadline of the next message. Raises UsageError if the last message has no receipt yet."""
    last = game.chain.next_seq - 1
    if not (due := game.papers.due(last)):
        how = f"'kursk referee receipt {shell_word(folder)} --days 7'"
        raise UsageError(f"message {last} has no receipt, so the answer has no deadline: type {how}")
    return due


def _check_sequence(opened: Opened, seq: int, received: str) -> None:
    """Raise UsageError if a time contradicts the receipt of an earlier or later message (protocol 2.10)."""
    held = opened.history.game.papers.receipts
    before, after = max((n for n in held if n < seq), default=-1), min((n for n in held if n > seq), default=-1)
    if before >= 0 and received < (there := held[before].text("received")):
        other, how = held[before], "the date may contain a mistake: type --received with the right time"
        why = f"message {before}, needed for message {seq}, came {there}"
    elif after >= 0 and received > (there := held[after].text("received")):
        other, how = held[after], f"your copy was late: type --received {there}, or an earlier time"
        why = f"message {after}, the answer, came {there}"
    else:
        return
    raise UsageError(
        f"message {seq} cannot have come at {received}: {why} ({(name := other.document.name)}); {how}. If {name} is "
        "wrong, move the file away, sign a receipt with the right time, and mail the new receipt to both players: "
        "the earliest receipt counts"
    )


def forfeit(
    folder: Path, key: Path, declared: str = "", log: Log | None = None, confirm: Confirm | None = None
) -> Issued:
    """Declare a game lost for the side that has missed its deadline.

    ``log``: as in :class:`Term`. ``confirm``: a function that asks the referee. Raises KurskError.
    """
    check_time("--declared", declared)
    opened = Opened(folder, histories.load(folder))
    game = opened.history.game
    signer = load_referee_key(opened, key)
    if (held := game.papers.forfeit) is not None:
        if declared not in ("", held.text("declared")):
            raise UsageError(f"the forfeit was already declared at {held.text('declared')}: {held.document.name}")
        return Issued(game, held, Path(held.document.name), fresh=False)
    last = game.chain.next_seq - 1
    if game.over:
        raise UsageError("the game is over: no player owes a message")
    due = require_deadline(game, folder)
    if last < game.chain.bound:
        successor_terms.check_agreement(folder, opened.history.steps[0].after)
    if declared > clock.now():
        raise UsageError(f"a forfeit cannot be declared at {declared}: the time is only {clock.now()} now")
    declared, named = Term(log=log or {}).date(declared or clock.now())
    side = game.chain.writer(last + 1)
    if declared <= due:
        raise UsageError(f"at {declared}, message {last + 1} of the {side} side is not overdue: its deadline is {due}")
    said = {"type": FORFEIT, "seq": str(last), "side": side, "due": due, "declared": declared}
    return issue_paper(opened, signer, said, named, confirm)


def load_referee_key(opened: Opened, key: Path) -> keys.Signer:
    """Load the referee's key of a game. Raises UsageError if the key is wrong."""
    game = opened.history.game
    if folders.proposal_path(opened.folder).suffix == ".json":
        raise UsageError(f"{opened.folder} is an archive for auditors; give your folder of the mailed files")
    if REFEREE not in game.chain.keys:
        raise UsageError("message 0 names no referee; only 'kursk propose --relay' begins a game with a referee")
    signer = keys.load_key(key)
    if signer.public != game.chain.keys[REFEREE]:
        pinned = sshsig.fingerprint(game.chain.keys[REFEREE])
        raise UsageError(
            f"the referee's key in message 0 is {pinned}, but {key} is {sshsig.fingerprint(signer.public)}"
        )
    return signer


def issue_paper(
    opened: Opened, signer: keys.Signer, said: Mapping[str, str], log: Mapping[str, str], confirm: Confirm | None = None
) -> Issued:
    """Sign a paper. Check it as each receiver will, ask the referee for confirmation, and write the file.

    Raises UsageError if a message or paper arrives before the referee confirms. For a receipt this does not matter.
    """
    game, seq = opened.history.game, int(said["seq"])
    content: dict[str, Plain] = {"kursk-pbem": messages.VERSION, "game": game.chain.game, "from": REFEREE}
    content |= {"id": game.chain.ids[seq], **said, **({papers.LOG: dict(log)} if log else {})}
    paper = papers.sign_paper(content, signer)
    try:
        weighed = referee.weigh_papers(game.chain, (paper,), over=game.played_out, known=game.papers)
    except TrustError as error:
        raise UsageError(f"the paper cannot be signed: {error.message}") from None
    if confirm is not None:
        confirm(said)
        if paper.type != RECEIPT:
            check_nothing_arrived(_list_held(game), _list_held(histories.load(opened.folder).game), opened.folder)
    path = receipts.paper_path(opened.folder, paper)
    if not receipts.write(path, paper):
        raise UsageError(f"{path} exists with other contents; move it away")
    return Issued(replace(game, papers=weighed), paper, path, fresh=True)


def check_nothing_arrived(before: object, now: object, folder: Path) -> None:
    """Raise UsageError unless ``before`` equals ``now``: the game changed while the program asked the referee."""
    if before != now:
        raise UsageError(
            f"nothing was signed, because {folder} has a new message or paper: look at the game, then give the "
            "command again"
        )


def _list_held(game: Game) -> tuple[object, ...]:
    return game.chain.ids, {paper.id for paper in game.papers.all}


@frozen
class Received:
    """A paper received by mail. ``wrote``: the new file, or None for a known paper. ``late``: a late message."""

    desk: desks.Desk
    paper: Paper
    wrote: Path | None
    late: str = ""


def receive_paper(paper: Paper, home: Path, near: Path | None, sitting: desks.Desk | None = None) -> Received:
    """Accept a referee's paper for the player or referee who receives it.

    ``near``: the folder of the paper's file. ``sitting``: the desk of the game if already open. Raises FileError or
    TrustError.
    """
    game = paper.text("game")
    here = sitting is not None and sitting.is_of(game, near)
    desk = sitting if here and sitting else desks.open_desk(play.find_folder(paper, game, home, near), home)
    late, chain = "", desk.game.chain
    if paper.text("game") == chain.game and referee.is_about_void(chain, paper) and referee.is_signed(chain, paper):
        late = f"it is about another message {paper.seq} than the message that counts here, and sets no deadline"
        return Received(desk, paper, receipts.keep_evidence(desk.folder, paper), late)
    if paper.type == FORFEIT and _crosses(desk, paper):
        seq, desk = desk.last.seq, lines.give_way(desk, paper)
        late = f"message {seq} came too late, and is kept beside the game"
    taken = receipts.take(desk.folder, desk.game.chain, desk.game.papers, paper, over=desk.game.played_out)
    informed = replace(desk, history=replace(desk.history, papers=taken.papers))
    return Received(informed, paper, taken.wrote, late)


def _crosses(desk: desks.Desk, forfeit: Paper) -> bool:
    """Return whether a forfeit misses an existing message without a receipt of the referee."""
    game, seq = desk.game, forfeit.seq
    known = seq < desk.last.seq and game.chain.ids[seq] == forfeit.text("id") and seq + 1 not in game.papers.receipts
    return known and game.papers.forfeit is None and referee.is_signed(game.chain, forfeit)
