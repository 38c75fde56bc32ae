"""What the commands of a game in progress do: take a message, sign one. Files in, files out, no printing."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path

from kursk_pbem.desk import desks, elsewhere, evidence, locks
from kursk_pbem.desk.desks import Desk, LostSealError
from kursk_pbem.desk.draft import drafts, renumbering, unsigned
from kursk_pbem.desk.draft.drafts import Checked
from kursk_pbem.desk.shelf import register
from kursk_pbem.errors import FileError, NoRecordError, RulesError, UsageError, shell_word
from kursk_pbem.formats.canonical import REFEREE
from kursk_pbem.formats.text import to_utf8
from kursk_pbem.game import folders, journal, reports, successor
from kursk_pbem.game.journal import OWN, RECEIVED, Record, Slot
from kursk_pbem.kernel.adjudicate import Adjudication
from kursk_pbem.kernel.state import OVER
from kursk_pbem.trust import messages
from kursk_pbem.trust.messages import Message


@dataclass(frozen=True)
class Received:
    """What came of a message: the desk after it, what it did (None if it was here already), the files written.

    ``dice``: what the reader's own dice do now, as a report, if they fall before any choice; otherwise ''.
    ``stuck``: why the reader's next message cannot be written though it is due, or ''. ``resumed``: the desk with
    that message, where it was signed before; it has been written again. ``ends``: those dice end the game. ``instead``:
    what is told where another message had its number, or ''.
    """

    desk: Desk
    message: Message
    result: Adjudication | None
    report: str
    written: tuple[Path, ...]
    kept_draft: bool = False
    dice: str = ""
    stuck: str = ""
    resumed: Desk | None = None
    ends: bool = False
    instead: str = ""

    @property
    def unread(self) -> bool:
        """Whether nobody has read its report here: saved right into the game folder a mail is in the game already."""
        others = self.message.seq > 0 and self.message.sender != self.desk.own_side
        return others and folders.report_path(self.desk.folder, self.message.seq) in self.written


def open_for(message: Message, home: Path, near: Path | None, sitting: Desk | None = None) -> Desk:
    """The desk of the game that a message belongs to; ``near`` is the folder it came from. KurskError.

    ``sitting``: a desk that is open already; if it is that one it stays open, and nothing is verified again.
    """
    game = message.id if message.seq == 0 else str(message.content.get("game", ""))
    if message.seq and sitting is not None and sitting.is_of(game, near):
        return sitting
    return _find_desk(message, game, home, near)


def take(desk: Desk, message: Message, *, bare: bool = False, beside: evidence.Turns = ()) -> Received:
    """Take a message of the game at this desk, one that was here before or the next. KurskError: nothing is written.

    ``beside``: what came with it, which may show that the referee had this one where another was taken here.
    """
    elsewhere.note(desk.own, desk.game.chain, message)
    if not 0 < message.seq < desk.seq or desk.game.chain.ids[message.seq] == message.id:
        received = _take(desk, message, bare=bare)
        return received if received.result is None else replace(received, instead=evidence.left(received.desk, message))
    gave = evidence.second(desk, message, beside)
    return replace(_take(gave.desk, message, bare=bare), instead=gave.told)


def _take(desk: Desk, message: Message, *, bare: bool) -> Received:
    written: list[Path] = []
    result = None
    if message.seq < desk.seq and desk.game.chain.ids[message.seq] == message.id:
        step = desk.history.step(message.seq)
    else:
        desk = _verified(desk, message)
        step = desk.history.last_step
        result = step.result
    report = reports.of_step(step)
    if result is not None:
        _put_down(desk, written)
    path = folders.report_path(desk.folder, message.seq)
    if folders.write(path, report, force=True):
        written.append(path)
    if not desk.mine or message.seq + 1 != desk.seq:
        return Received(desk, message, result, report, tuple(written))
    if (resumed := resume(desk)) is not None:
        return Received(desk, message, result, report, (*written, resumed.newest), resumed=resumed)
    if desk.game.chain.offer or desk.own_side == REFEREE:  # a reply needs no draft, and a referee has no choice
        return Received(desk, message, result, report, tuple(written))
    try:
        kept, dice, ends = _write_next(desk, written, bare=bare)
    except LostSealError as error:
        return Received(desk, message, result, report, tuple(written), stuck=error.message)
    return Received(desk, message, result, report, tuple(written), kept, dice, ends=ends)


def _verified(desk: Desk, message: Message) -> Desk:
    """The desk with a new message. TrustError, RulesError; UsageError for an unknown one of the player's own."""
    after = desks.with_message(desk, message)
    if desk.own is not None and message.sender == desk.own.side and desk.own.slot(message.seq) is None:
        named = message.document.name if Path(message.document.name).is_file() else "MAILS"  # or a part of a mail
        raise UsageError(
            f"this is your own message {message.seq}, and your journal does not know it: it is older than this "
            f"message, and 'kursk restore {shell_word(desk.folder)} {shell_word(named)}' is how to put it in"
        )
    return after


def _put_down(desk: Desk, written: list[Path]) -> None:
    """Put the last message into the journal and into the folder.

    TrustError if another process has written another message there meanwhile: this one is kept as evidence (T9).
    """
    message = desk.last
    try:
        desks.enter(desk, Slot(message.seq, RECEIVED, message.id))
    except desks.TakenError as error:
        if message.sender != desk.own_side:
            evidence.refuse_good(desk, message, error.first)
        raise
    text = messages.emit_for_mail(message.content, message.armour or "", message.state)
    try:
        if folders.write(desk.newest, text):
            written.append(desk.newest)
    except UsageError:
        first = folders.read_message(desk.newest).id if desk.newest.exists() else message.id
        if first != message.id:
            evidence.refuse_good(desk, message, first)
        raise


def _write_next(desk: Desk, written: list[Path], *, bare: bool) -> tuple[bool, str, bool]:
    """Write the next draft.

    Returns whether an edited draft was kept, and the report of the dice that its writer's own opening resolves already,
    and whether they end the game.
    """
    own = desk.record_of_writer()
    ahead = desks.duties(desk, own)
    told = reports.of_duties(desk.game, desk.seq, ahead) if ahead.events else ""
    if told:
        path = folders.report_path(desk.folder, desk.seq, draft=True)
        if folders.write(path, told, force=True):
            written.append(path)
    if (renumbered := renumbering.over(desk)) is not None:
        written.append(renumbered)
    fresh = not folders.draft_path(desk.folder, desk.seq).exists()
    draft = drafts.write_file(desk, ahead, bare=bare)
    if draft is not None and fresh:
        written.append(draft)
    return draft is None, told if ahead.dice else "", ahead.middle.stage == OVER


def _find_desk(message: Message, game: str, home: Path, near: Path | None) -> Desk:
    """The game a message belongs to: the player's folder by the private record, otherwise the folder the file is in.

    The record comes first, so that a file taken from a shared or the opponent's folder is never answered there, and
    saved mails are not taken for the game. A folder that was moved is found from where the player or the file is.
    """
    if not game:
        raise FileError("it does not say which game it belongs to: the field 'game' is missing", message.where())
    own = journal.find(home, game)
    if message.seq == 0 and own is None and near is not None and near.name != folders.folder_name(game):
        raise UsageError(f"{message.document.name} is a proposal; look at it and take it with 'kursk accept'")
    places = folders.near(near, game)
    if own is not None:
        known = register.placed(own, Path())
        places = [known.folder if known.here else register.placed(own, near or Path()).folder]
    for place in places:
        first = folders.message_path(place, 0)
        if first.is_file():
            desk = desks.sit(place, home)
            if desk.game.chain.game == game:
                return desk
    if message.seq == 0:
        raise UsageError(f"{message.document.name} is a proposal; look at it and take it with 'kursk accept'")
    if own is not None:
        here = "give the command in the folder that it lies in now"
        raise UsageError(f"the folder of this game is not in {own.folder} any more; {here}")
    raise NoRecordError(
        f"no folder of the game {game[:16]} is known here; put this file beside the game's 0000.yaml",
        message.where("game"),
    )


def sign(desk: Desk, checked: Checked, key: str | None) -> Desk:
    """Sign a checked draft, journal it, write the file to mail and its report; the desk with it.

    If the message that is due has been signed before, that message is written again (:func:`resume`). RulesError,
    UsageError.
    """
    return resume(desk) or sign_shown(desk, checked, key)


def sign_shown(desk: Desk, checked: Checked, key: str | None) -> Desk:
    """Sign what its writer has been shown, that and nothing else; otherwise as :func:`sign`.

    UsageError where another program has signed the message meanwhile, has changed the draft that was checked, or has
    put another message in the place of the one that is answered.
    """
    desk.need_unsigned()
    if checked.result.violations:
        raise RulesError(checked.result.violations, desk.game.chain.writer(desk.seq))
    own = desk.unlocked(replying=checked.message.type == "reply")
    if desk.seq <= desk.game.chain.bound and "continues" in desk.game.chain.head:
        successor.need_agreement(desk.history.steps[0].after, own.home)
    message, slot = drafts.sign(desk, checked, desks.signer(own, key))
    after = desks.with_message(desk, message)  # self-check, as the other side will do it, before it is released
    with locks.held(own.path):  # no order gets into the draft between this look at it and its end
        _need_unchanged(checked)
        _need_last(desk, own)
        unsigned.keep(desk, checked.message)
        drafts.release(desk, slot, message.type, reports.of_step(after.history.last_step))
    return after


def _need_unchanged(checked: Checked) -> None:
    """UsageError where the file of a draft says something else now than when it was checked."""
    document = checked.message.document
    path = Path(document.name)
    if document.raw and path.is_file() and to_utf8(folders.read_bytes(path)) != document.raw:
        raise UsageError(f"{path} was changed meanwhile, so nothing was signed: look at it again, and sign it then")


def _need_last(desk: Desk, own: Record) -> None:
    """UsageError where the newest message is not the one that was here: it gave way to another (decision 72)."""
    slot = own.slot(desk.last.seq)
    if not desk.newest.exists() or (slot is not None and slot.id != desk.last.id):
        why = f"another message {desk.last.seq} counts meanwhile, so nothing was signed"
        raise UsageError(f"{why}: look at the game again, and sign it then")


def resume(desk: Desk) -> Desk | None:
    """The desk with the message that is due, if it was signed and then perhaps not written (a crash, a full disk).

    It is written now. None if it is not signed. Nothing is signed here, so a lock does not matter.
    """
    if (slot := desk.unwritten) is None:
        return None
    after = signed_before(desk, slot)
    drafts.release_again(desk, slot, after.last.type, reports.of_step(after.history.last_step))
    return after


def signed_before(desk: Desk, slot: Slot) -> Desk:
    """The desk with the message of a journal entry, which is due; nothing is written."""
    message = messages.read_message(slot.text.encode("ascii"), str(folders.message_path(desk.folder, slot.seq)))
    return desks.with_message(desk, message)


def tidy(desk: Desk) -> Desk | None:
    """Write the report of the last message and delete its draft; the desk, None if the player here did not write it.

    Signing that was cut off may have done neither.
    """
    seq = desk.seq - 1
    slot = desk.own.slot(seq) if desk.own is not None and desk.game.chain.writer(seq) == desk.own.side else None
    if slot is None or slot.kind not in OWN:
        return None
    drafts.release_again(desk, slot, desk.last.type, reports.of_step(desk.history.last_step))
    return desk


def done_before(desk: Desk, *said: str) -> Desk | None:
    """The desk with the player's newest message if that is signed already: the one that is due, or the last one.

    The last one counts only if the player asks for the same (``said``); its files are written again. None if neither.
    """
    return resume(desk) or (tidy(desk) if says(desk.last) in said else None)


def says(message: Message) -> str:
    """What a message without choices says: draw, successor, accept, decline; otherwise its type."""
    return str(message.content.get("reply") or message.mapping("offer").get("kind") or message.type)
