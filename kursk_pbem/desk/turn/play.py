"""Commands of a running game: accept a message and sign a message. Without printing."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from kursk_pbem.desk.draft import drafts, renumbering, unsigned
from kursk_pbem.desk.draft.drafts import Checked
from kursk_pbem.desk.ground import locks, machine
from kursk_pbem.desk.own import desks, register
from kursk_pbem.desk.own.desks import Desk, LostSealError
from kursk_pbem.desk.turn import lines, prepared
from kursk_pbem.errors import FileError, LostError, NoRecordError, RulesError, TrustError, UsageError
from kursk_pbem.formats.canonical import REFEREE
from kursk_pbem.formats.text import to_utf8
from kursk_pbem.frozen import frozen
from kursk_pbem.game import folders, journal, receipts, reports, successor
from kursk_pbem.game.journal import OWN, RECEIVED, Record, Slot
from kursk_pbem.kernel.adjudicate import Adjudication
from kursk_pbem.kernel.state import OVER
from kursk_pbem.trust import messages
from kursk_pbem.trust.messages import Message
from kursk_pbem.trust.papers import Paper


@frozen
class Received:
    """The result of accepting a message."""

    desk: Desk
    message: Message
    result: Adjudication | None  # None if the message was known
    report: str
    written: tuple[Path, ...]
    kept_draft: bool = False
    ahead: Adjudication | None = None  # the reader's next message before any choice, if the message is due
    stuck: str = ""  # the reason why the next message cannot be written
    prepared: tuple[str, ...] = ()  # lines about the prepared orders
    resumed: Desk | None = None  # the desk with the reader's next message, signed earlier and written again
    instead: str = ""  # a report about another message with this number

    @property
    def dice(self) -> tuple[str, ...]:
        """Headlines about the dice of the reader's next message, () without dice."""
        return reports.describe_dice(self.desk.game, self.ahead) if self.ahead else ()

    @property
    def ends(self) -> bool:
        """Whether the dice of the reader's next message end the game."""
        return self.ahead is not None and self.ahead.middle.stage == OVER

    @property
    def unread(self) -> bool:
        """Whether this message is new to the player, who has not read the report."""
        others = self.message.seq > 0 and self.message.sender != self.desk.own_side
        return others and folders.report_path(self.desk.folder, self.message.seq) in self.written


def open_for(message: Message, home: Path, near: Path | None, sitting: Desk | None = None) -> Desk:
    """Return the desk of the game that a message belongs to.

    ``near``: the folder of the message file. ``sitting``: an open desk to reuse. Raises KurskError.
    """
    if message.seq and sitting is not None and sitting.is_of(message.game, near):
        return sitting
    return _find_desk(message, home, near)


def take_message(
    desk: Desk, message: Message, *, bare: bool = False, beside: lines.Turns = (), what_if: bool = False
) -> Received:
    """Accept the next message of a game. An earlier message may be accepted again.

    ``beside``: the mail's other turns, which may include earlier messages. ``what_if``: the message passes between
    desks of a what-if game. If KurskError is raised, nothing was written, except a message saved as void.
    """
    if (desk.game.what_if is not None) != what_if:
        raise UsageError("a what-if game counts nowhere and takes no mail: one player plays all sides")
    chain = desk.game.chain
    if message.seq < desk.seq and chain.ids[message.seq] == message.id:
        return _accept_message(desk, message, bare=bare)
    follows = message.seq == desk.seq and message.content.get("prev") == chain.head_id
    if follows and desk.game.papers.forfeit is not None:
        chain.extend(message)  # a false message is no late one
        lines.refuse_late(desk.folder, message)
    mine = desk.own is not None and message.sender == desk.own.side
    if message.seq == 0 or (follows and not mine):
        return _accept_message(desk, message, bare=bare)
    try:
        chain.extend(message)
    except TrustError as error:
        if error.fault != "chain":
            raise
    followed = lines.follow(desk, message, beside)
    got = _accept_message(followed.desk, followed.last, bare=bare)
    receipts.regain_papers(desk.folder, got.desk.game.chain, over=got.desk.game.played_out)
    return replace(got, instead=followed.told)


def _accept_message(desk: Desk, message: Message, *, bare: bool) -> Received:
    written: list[Path] = []
    result = None
    if message.seq < desk.seq and desk.game.chain.ids[message.seq] == message.id:
        step = desk.history.step(message.seq)
    else:
        desk = _verify_next(desk, message)
        step = desk.history.last_step
        result = step.result
    report = reports.report_step(step)
    if result is not None:
        _store_last(desk, written)
    path = folders.report_path(desk.folder, message.seq)
    if folders.write(path, report, force=True):
        written.append(path)
    if desk.game.over:  # the draft of an offer has no use after the agreement
        folders.remove_old_drafts(desk.folder, desk.seq)
    if not desk.mine or message.seq + 1 != desk.seq:
        return Received(desk, message, result, report, tuple(written))
    if (resumed := resume_signing(desk)) is not None:
        return Received(desk, message, result, report, (*written, resumed.newest), resumed=resumed)
    if desk.game.chain.offer or desk.own_side == REFEREE:  # a reply has no draft, and a referee has no choices
        return Received(desk, message, result, report, tuple(written))
    try:
        kept, ahead = _write_next(desk, written, bare=bare)
    except LostSealError as error:
        return Received(desk, message, result, report, tuple(written), stuck=error.message)
    received = Received(desk, message, result, report, tuple(written), kept, ahead)
    return received if kept or received.ends else replace(received, prepared=prepared.use_prepared(desk))


def _verify_next(desk: Desk, message: Message) -> Desk:
    """Return the desk with a verified new message. Raises TrustError or RulesError."""
    if message.seq > desk.seq and desk.lost:
        raise LostError(desk.lost)
    return desks.add_message(desk, message)


def _store_last(desk: Desk, written: list[Path]) -> None:
    """Save the last message in the journal and in the folder. Raises VoidError if another process was first."""
    message = desk.last
    whole = bool(message.document.raw)  # the block of a later turn holds no position
    state = message.state if whole else desk.game.state.to_plain()
    text = desk.add_earlier(messages.emit_for_mail(message.content, message.armour or "", state), message.seq)
    try:
        desks.record_slot(desk, Slot(message.seq, RECEIVED, message.id))
        if folders.write(desk.newest, text):
            written.append(desk.newest)
    except (TrustError, UsageError):
        held = desk.own.read_slot(message.seq) if desk.own is not None else None
        first = held.id if held is not None else message.id
        if first == message.id and desk.newest.exists():
            first = folders.read_message(desk.newest).id
        if first == message.id:
            raise
        lines.refuse_void(desk.folder, message, first)


def _write_next(desk: Desk, written: list[Path], *, bare: bool) -> tuple[bool, Adjudication]:
    """Write the next draft. Return whether an edited draft was kept, and the message before any choice."""
    ahead = desks.preview_duties(desk, desk.record_of_writer())
    if ahead.events:
        path = folders.report_path(desk.folder, desk.seq, draft=True)
        if folders.write(path, reports.report_duties(desk.game, desk.seq, ahead), force=True):
            written.append(path)
    if (renumbered := renumbering.renumber_draft(desk)) is not None:
        written.append(renumbered)
    fresh = not folders.draft_path(desk.folder, desk.seq).exists()
    draft = drafts.write_draft(desk, ahead, bare=bare)
    if draft is not None and fresh:
        written.append(draft)
    return draft is None, ahead


def exchange_messages(first: Desk, second: Desk) -> None:
    """Pass new messages in both directions between the desks of two players on one machine. Raises KurskError."""
    for mine, theirs in ((first, second), (second, first)):
        for seq in range(theirs.seq, mine.seq):
            message = folders.read_message(folders.message_path(mine.folder, seq))
            if theirs.own is not None:
                desk = open_for(message, theirs.own.home, None)
                take_message(desk, message, what_if=desk.game.what_if is not None)


def _find_desk(message: Message, home: Path, near: Path | None) -> Desk:
    """Return the desk of a game: the player's folder according to the private record, otherwise the folder of the file.

    The record comes first: the program must not answer inside an opponent's folder or a folder of saved mails.
    """
    if not (game := message.game):
        raise FileError("the message names no game: the field 'game' is missing", message.where())
    strange = message.seq == 0 and near is not None and near.name != folders.folder_name(game)
    if strange and journal.find(home, game) is None:
        raise UsageError(f"{message.document.name} is a proposal; type 'kursk accept' to see the terms and accept")
    return desks.open_desk(find_folder(message, game, home, near), home)


def find_folder(turn: Message | Paper, game: str, home: Path, near: Path | None) -> Path:
    """Return a turn's game folder: as the private record says, or else the folder of the turn. Raises UsageError."""
    own, places = journal.find(home, game), folders.find_candidates(near, game)
    if own is not None:
        known = register.locate_game(own, Path())
        places = [known.folder if known.here else register.locate_game(own, near or Path()).folder]
    for place in places:
        if folders.read_game_id(place, damaged=game) == game:
            return place
    if turn.seq == 0 and isinstance(turn, Message):
        raise UsageError(f"{turn.document.name} is a proposal; type 'kursk accept' to see the terms and accept")
    if own is not None:
        raise UsageError(f"{own.folder} no longer contains the game; give the command in the folder's new place")
    raise NoRecordError(
        f"{machine.get_machine().here} knows no folder of the game {game[:16]}; put the file next to the game's "
        "0000.yaml; if you play the game, 'kursk restore . MAILS' brings the game here",
        turn.where("game"),
    )


def sign_message(desk: Desk, checked: Checked, key: str | None) -> Desk:
    """Sign a checked draft, save the message in the journal, write file and report, and return the desk.

    If the message was signed before, write the files again (:func:`resume_signing`). Raises RulesError or UsageError.
    """
    return resume_signing(desk) or sign_shown(desk, checked, key)


def sign_shown(desk: Desk, checked: Checked, key: str | None) -> Desk:
    """Sign exactly the content that the player has been shown.

    Raises UsageError if another program has signed the message, changed the draft, or replaced the last message.
    """
    desk.need_unsigned()
    if checked.result.violations:
        raise RulesError(checked.result.violations, desk.game.chain.writer(desk.seq))
    own = desk.unlocked(replying=checked.message.type == "reply")
    if desk.seq <= desk.game.chain.bound and "continues" in desk.game.chain.head:
        successor.need_agreement(desk.history.steps[0].after, own.home)
    message, slot = drafts.sign_draft(desk, checked, desks.load_signer(own, key))
    after = desks.add_message(desk, message)  # verify our own message like the opponent
    with locks.hold_lock(own.path):  # no program may change the draft between check and release
        _check_unchanged(checked)
        _check_last(desk, own)
        unsigned.keep_copy(desk, checked.message)
        drafts.release_message(desk, slot, message.type, reports.report_step(after.history.last_step))
    return after


def _check_unchanged(checked: Checked) -> None:
    """Raise UsageError if the draft file has changed since the check."""
    document = checked.message.document
    path = Path(document.name)
    if document.raw and path.is_file() and to_utf8(folders.read_bytes(path)) != document.raw:
        raise UsageError(f"nothing was signed: {path} has changed meanwhile; look at the draft again before you sign")


def _check_last(desk: Desk, own: Record) -> None:
    """Raise UsageError if another message has replaced the last message (decision 107)."""
    slot = own.read_slot(desk.last.seq)
    if not desk.newest.exists() or (slot is not None and slot.id != desk.last.id):
        why = f"nothing was signed, because another message {desk.last.seq} counts now"
        raise UsageError(f"{why}: look at the game again before you sign")


def resume_signing(desk: Desk) -> Desk | None:
    """Write the files of the next message again if the message is signed, and return the desk; otherwise None.

    Works even if signing is locked, because no signature is made.
    """
    if (slot := desk.unwritten) is None:
        return None
    after = load_signed(desk, slot)
    drafts.rewrite_files(desk, slot, after.last.type, reports.report_step(after.history.last_step))
    return after


def load_signed(desk: Desk, slot: Slot) -> Desk:
    """Return the desk after a message from the journal, without writing files."""
    message = messages.read_message(slot.text.encode("ascii"), str(folders.message_path(desk.folder, slot.seq)))
    return desks.add_message(desk, message)


def tidy_up(desk: Desk) -> Desk | None:
    """Write the report of the player's last message again, and delete the message's draft.

    An interrupted signing may lack both steps. Return None if another player wrote the message.
    """
    seq = desk.seq - 1
    slot = desk.own.read_slot(seq) if desk.own is not None and desk.game.chain.writer(seq) == desk.own.side else None
    if slot is None or slot.kind not in OWN:
        return None
    drafts.rewrite_files(desk, slot, desk.last.type, reports.report_step(desk.history.last_step))
    return desk


def find_done(desk: Desk, *said: str) -> Desk | None:
    """Return the desk if an interrupted command of the player has already signed its message, otherwise None.

    The last message must contain one of the statements ``said``. The message's files are written again.
    """
    return resume_signing(desk) or (tidy_up(desk) if read_statement(desk.last) in said else None)


def read_statement(message: Message) -> str:
    """Return the statement of a message without choices, such as 'draw' or 'accept'; otherwise the message type."""
    return str(message.content.get("reply") or message.mapping("offer").get("kind") or message.type)
