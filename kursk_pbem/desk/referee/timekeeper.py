"""A referee's desk: receipts for messages received, more time, and the end of a game whose side missed its deadline.

The referee keeps a folder of the game as an auditor does. This desk signs no paper that another desk would refuse.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import Path

from kursk_pbem.desk import clock, desks, play
from kursk_pbem.desk.desks import Desk
from kursk_pbem.desk.referee import kept, onward
from kursk_pbem.errors import KurskError, TrustError, UsageError, shell_word
from kursk_pbem.formats import times
from kursk_pbem.formats.canonical import REFEREE, Plain
from kursk_pbem.game import folders, histories, inbox, journal, receipts
from kursk_pbem.game.games import Game
from kursk_pbem.game.histories import History
from kursk_pbem.trust import keys, messages, papers, referee, sshsig
from kursk_pbem.trust.messages import Message
from kursk_pbem.trust.papers import EXTENSION, FORFEIT, HOLIDAY, PAUSE, RECEIPT, Paper

Confirm = Callable[[Mapping[str, str]], None]
"""Show what will be signed, and raise if the referee does not want it."""


@dataclass(frozen=True)
class Term:
    """What a receipt is to say, '' or 0 where the referee has not said it: when the message came, when the next is due.

    ``days``: the same as a number of days after it came, and not before ``until``. ``late``: the message may have
    missed its own term. ``log``: in a tournament, number and id of the newest paper of its log. ``most``: the latest
    that it has given a side for the answer to a message which came at a time; ``side``: that of the answer.
    """

    received: str = ""
    due: str = ""
    days: int = 0
    late: bool = False
    until: str = ""
    log: Mapping[str, str] = field(default_factory=dict)
    most: Callable[[str, str], str] | None = None
    side: str = ""

    def check(self) -> None:
        """UsageError for a time that is none, and for two deadlines."""
        for option, text in (("--received", self.received), ("--due", self.due)):
            check_time(option, text)
        if self.due and self.days:
            raise UsageError("--due and --days say the same thing: give one of them")

    def of(self, received: str) -> str:
        """When the answer to a message that came then is due, '' if that is not said. UsageError."""
        if self.due or not self.days:
            return self.due
        try:
            due = max(times.after(received, self.days), self.until)
            return due if self.most is None else min(due, self.most(self.side, received))
        except (ValueError, OverflowError):
            raise UsageError(f"{self.days} days are too many") from None

    def check_in_time(self, game: Game, folder: Path, seq: int) -> None:
        """UsageError for a message that came after its term, unless that is let pass: it cannot be taken back."""
        due, received = game.papers.due(seq - 1), self.received or clock.now()
        if due and received > due and not self.late:
            ends = f", and 'kursk referee forfeit {shell_word(folder)}' ends the game" if seq > game.chain.bound else ""
            raise UsageError(
                f"message {seq} was due {due} and came {received}. To let that pass, say --late; otherwise leave it "
                f"out of the folder{ends}"
            )


def check_time(option: str, text: str) -> None:
    """UsageError unless a text is a time, or empty."""
    if text and not times.is_time(text):
        why = "is no time as it is written here: in UTC, to the second, a real date, such as"
        raise UsageError(f"{option} {text!r} {why} {times.EXAMPLE}")


@dataclass(frozen=True)
class Issued:
    """A paper at the referee's desk: the game with it, where it lies, and whether it was signed now."""

    game: Game
    paper: Paper
    path: Path
    fresh: bool


@dataclass(frozen=True)
class Opened:
    """A game folder, the verified game in it, and the number of the message that was named (None: none was).

    ``home``: the private folder that keeps what receipts say, whatever folder they are signed in; None without one.
    """

    folder: Path
    history: History
    seq: int | None = None
    home: Path | None = None


def open_folder(path: Path, home: Path, term: Term, near: Path | None = None) -> Opened:
    """The game folder of a path: itself, or that of a message file, which is taken in if it is new.

    A proposal of a game that has no folder yet gets one in ``near``, otherwise beside it. Raises KurskError, for a void
    message RulesError.
    """
    if path.is_dir():
        return Opened(path, histories.load(path), home=home)
    message = inbox.read(inbox.read_bytes(path), str(path))
    if message.seq == 0:
        return _begin(message, near or path.parent, home)
    folder = _folder(str(message.content.get("game", "")), str(path), home, path.parent)
    desk = desks.sit(folder, home)
    if message.seq == desk.seq and not desk.game.over:
        term.check_in_time(desk.game, folder, message.seq)
    return Opened(folder, play.take(desk, message).desk.history, message.seq, home)


def tournament_of(path: Path, home: Path) -> Mapping[str, Plain]:
    """The field ``tournament`` of message 0 of the game of a folder or message; empty where there is none."""
    with suppress(KurskError):
        folder = path
        if not path.is_dir():
            message = inbox.read(inbox.read_bytes(path), str(path))
            if message.seq == 0:
                return message.mapping("tournament")
            folder = _folder(str(message.content.get("game", "")), str(path), home, path.parent)
        return folders.read_message(folders.proposal_path(folder)).mapping("tournament")
    return {}


def own_key(path: Path, home: Path) -> Path | None:
    """The key with which a referee who rolls has proposed the game of a folder or message; None of any other."""
    with suppress(KurskError):
        message = folders.read_message(folders.message_path(path, 0) if path.is_dir() else path)
        own = journal.find(home, message.id if message.seq == 0 else str(message.content.get("game", "")))
        return Path(own.key) if own is not None and own.side == REFEREE else None
    return None


def _begin(message: Message, near: Path, home: Path) -> Opened:
    """The folder of the game that a proposal begins: the one it lies in if that is its name, otherwise one made there.

    A mail saved as 0000.yaml among others makes no game folder of the place: the next game's has the same name.
    """
    begun = histories.begin(message)
    onward.need_agreement(near / folders.folder_name(message.id), begun.game, home)
    folder = near / folders.folder_name(message.id)
    if near.resolve().name == folder.name:
        folder = near
    else:
        folders.make(folder)
        text = messages.emit_for_mail(message.content, message.armour or "", message.state)
        folders.write(folders.message_path(folder, 0), text)
    return Opened(folder, histories.load(folder, begun.steps), 0, home)


def receipt(opened: Opened, key: Path, term: Term, seq: int | None = None) -> Issued:
    """Sign the receipt of the newest message in a folder, or of message ``seq``, unless it has one. KurskError.

    Where the game is over with that message nothing is due, and the answer's term is the time it was received.
    """
    term.check()
    folder, game, signer = opened.folder, opened.history.game, signer_of(opened, key)
    last = game.chain.next_seq - 1
    seq = last if seq is None else seq
    if seq > last:
        raise UsageError(f"message {seq} is not here, the last is message {last}: take it in with 'kursk inbox'")
    since = "" if game.papers.receipts else onward.need_agreement(folder, opened.history.steps[0].after, opened.home)
    if term.days:  # what is due at a time that is named, or was before, rests on nothing else
        term = replace(term, until=max(term.until, away(game, seq)), side=game.chain.writer(seq + 1))
    if (held := game.papers.receipts.get(seq)) is not None:
        signed = held.text("received"), held.text("due")
        kept.check_same(held.document.name, seq, signed, term.received, term.of)
        return Issued(game, held, Path(held.document.name), fresh=False)
    place = kept.path_of(opened.home, game.chain, seq)
    if (before := kept.said(place)) is not None:
        kept.check_same(place, seq, before, term.received, term.of)
        term = replace(term, received=before[0], due=before[1], days=0)
    term.check_in_time(game, folder, seq)
    received = term.received or clock.now()
    due = term.of(received)
    if not due:
        if not (game.over and seq == last):
            raise UsageError(f"say when message {seq + 1} is due, by --days N or --due TIME (such as {times.EXAMPLE})")
        due = received
    if due < received:
        raise UsageError(f"the answer cannot be due ({due}) before the message was received ({received})")
    if received < since:
        raise UsageError(
            f"nobody owed a message before this game was agreed to: that came {since}, and not {received} as you say"
        )
    _check_order(opened, seq, received)
    if received > (now := clock.now()):
        raise UsageError(f"message {seq} cannot have come {received}: that is still to come, now it is {now}")
    said = {"type": RECEIPT, "seq": str(seq), "received": received, "due": due}
    return issue(opened, signer, said, term.log, lambda _said: kept.keep(place, received, due))


def away(game: Game, seq: int) -> str:
    """Return until when nothing is due of the side that answers a message, by its earlier holidays and pauses."""
    side = game.chain.writer(seq + 1)
    theirs = (paper for paper in game.papers.all if paper.seq < seq and game.chain.writer(paper.seq + 1) == side)
    granted = (paper for paper in theirs if paper.type == EXTENSION and paper.text("cause") in (HOLIDAY, PAUSE))
    return max((paper.text("due") for paper in granted), default="")


def need_due(game: Game, folder: Path) -> str:
    """Return when the next message of a game is due. Raises UsageError if nobody has signed a receipt."""
    last = game.chain.next_seq - 1
    if not (due := game.papers.due(last)):
        how = f"'kursk referee receipt {shell_word(folder)} --days 7'"
        raise UsageError(f"message {last} has no receipt, so its answer has no deadline: {how}")
    return due


def _check_order(opened: Opened, seq: int, received: str) -> None:
    """UsageError for a time before the receipt of an earlier message, or after that of a later one (protocol 2.10)."""
    held = opened.history.game.papers.receipts
    before, after = max((n for n in held if n < seq), default=-1), min((n for n in held if n > seq), default=-1)
    if before >= 0 and received < (there := held[before].text("received")):
        other, how = held[before], "say with --received when it came, a slip in the date perhaps"
        why = f"it could not be written without message {before}, which came {there}"
    elif after >= 0 and received > (there := held[after].text("received")):
        other, how = held[after], f"its copy was late: say --received {there}, or when you had it"
        why = f"message {after} could not be written without it, and came {there}"
    else:
        return
    name = other.document.name
    raise UsageError(
        f"message {seq} cannot have come {received}: {why} ({name}); {how}. If {name} is the wrong one, move it out of "
        "the folder, sign it again with the right time and mail that to both sides: of several receipts of a message "
        "the earliest counts"
    )


def forfeit(
    folder: Path, key: Path, declared: str = "", log: Mapping[str, str] | None = None, confirm: Confirm | None = None
) -> Issued:
    """Declare the game in a folder lost for the side that owes the next message and has missed its term. KurskError.

    ``log`` as in :class:`Term`.
    ``confirm`` asks a person about it, who may look at the game for as long as they want.
    """
    check_time("--declared", declared)
    opened = Opened(folder, histories.load(folder))
    game = opened.history.game
    signer = signer_of(opened, key)
    if game.papers.forfeit is not None:
        held = game.papers.forfeit
        if declared not in ("", held.text("declared")):
            raise UsageError(f"it has been declared already, at {held.text('declared')}: {held.document.name}")
        return Issued(game, held, Path(held.document.name), fresh=False)
    last = game.chain.next_seq - 1
    if game.over:
        raise UsageError("the game is over: nobody owes a message")
    due = need_due(game, folder)
    if last < game.chain.bound:
        onward.need_agreement(folder, opened.history.steps[0].after)
    declared = declared or clock.now()
    side = game.chain.writer(last + 1)
    if declared <= due:
        raise UsageError(f"message {last + 1} of the {side} side is due {due}, and that is not before {declared}")
    said = {"type": FORFEIT, "seq": str(last), "side": side, "due": due, "declared": declared}
    if declared > clock.now():
        raise UsageError(f"it cannot be declared {declared}: that is still to come, now it is {clock.now()}")
    return issue(opened, signer, said, log or {}, confirm)


def signer_of(opened: Opened, key: Path) -> keys.Signer:
    """The referee's key of a game. UsageError if it is another one."""
    game = opened.history.game
    if folders.proposal_path(opened.folder).suffix == ".json":
        raise UsageError(f"{opened.folder} is an archive, for auditors; keep a folder of the mailed files")
    if REFEREE not in game.chain.keys:
        raise UsageError("message 0 of this game names no referee: 'kursk propose --relay' does, before it begins")
    signer = keys.load_key(key)
    if signer.public != game.chain.keys[REFEREE]:
        pinned = sshsig.fingerprint(game.chain.keys[REFEREE])
        raise UsageError(
            f"message 0 names another key for the referee ({pinned}) than {key} ({sshsig.fingerprint(signer.public)})"
        )
    return signer


def issue(
    opened: Opened, signer: keys.Signer, said: Mapping[str, str], log: Mapping[str, str], confirm: Confirm | None = None
) -> Issued:
    """Sign a paper, hold it to the same checks as every other desk, and write it once that is confirmed.

    Raises UsageError if something came for the game while a person was asked; nobody is asked about a receipt.
    """
    game, seq = opened.history.game, int(said["seq"])
    content: dict[str, Plain] = {"kursk-pbem": messages.VERSION, "game": game.chain.game, "from": REFEREE}
    content |= {"id": game.chain.ids[seq], **said, **({papers.LOG: dict(log)} if log else {})}
    paper = papers.sign_paper(content, signer)
    try:
        weighed = referee.weigh_papers(game.chain, (paper,), over=game.played_out, known=game.papers)
    except TrustError as error:
        raise UsageError(f"this cannot be signed: {error.message}") from None
    if confirm is not None:
        confirm(said)
        if paper.type != RECEIPT:
            need_same(_held(game), _held(histories.load(opened.folder).game), opened.folder)
    path = receipts.path_of(opened.folder, paper)
    if not receipts.write(path, paper):
        raise UsageError(f"{path} is already there and differs; move it away")
    return Issued(replace(game, papers=weighed), paper, path, fresh=True)


def need_same(before: object, now: object, folder: Path) -> None:
    """Raise UsageError if facts behind a question have changed while somebody was asked."""
    if before != now:
        raise UsageError(
            f"something has come for {folder} while you were asked: nothing is signed; look at it, and give the "
            "command again"
        )


def _held(game: Game) -> tuple[object, ...]:
    """Return the ids of all messages and papers of a game."""
    return game.chain.ids, {paper.id for paper in game.papers.all}


@dataclass(frozen=True)
class Received:
    """A paper that came by mail: the desk with it, and the file it was written to (None: it was here before)."""

    desk: Desk
    paper: Paper
    wrote: Path | None


def receive(paper: Paper, home: Path, near: Path | None, sitting: Desk | None = None) -> Received:
    """Take a paper at anybody's desk; ``near`` is the folder it came from. FileError, TrustError.

    The game is looked for as for a message: by the private record first, then where the file lies. ``sitting``: a desk
    that is open already; if it is that one it stays open.
    """
    game = paper.text("game")
    if sitting is not None and sitting.is_of(game, near):
        desk = sitting
    else:
        desk = desks.sit(_folder(game, paper.document.name, home, near), home)
    taken = receipts.take(desk.folder, desk.game.chain, desk.game.papers, paper, over=desk.game.played_out)
    return Received(desks.with_papers(desk, taken.papers), paper, taken.wrote)


def _folder(game: str, name: str, home: Path, near: Path | None) -> Path:
    """Where a game is that a file called ``name`` is about. FileError."""
    own = journal.find(home, game)
    places = [Path(own.folder)] if own is not None else []
    places += folders.near(near, game)
    return receipts.find(game, name, places)
