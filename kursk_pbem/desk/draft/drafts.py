"""Drafts of the next message: writing, checking and signing.

Hidden choices never leave the desk: signing replaces them by hashes and saves the plain text in the journal.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from kursk_pbem.desk.draft import blanks, defaults, editors, policies
from kursk_pbem.desk.ground import locks
from kursk_pbem.desk.own import desks, seals
from kursk_pbem.desk.own.desks import Desk
from kursk_pbem.errors import FileError, RulesError, UsageError
from kursk_pbem.formats.canonical import REFEREE, canon
from kursk_pbem.frozen import frozen
from kursk_pbem.game import entropy, folders, games
from kursk_pbem.game.journal import SIGNED, Record, Slot
from kursk_pbem.kernel.adjudicate import Adjudication, keep_position
from kursk_pbem.kernel.brief import Unused
from kursk_pbem.kernel.orders import Filing, filing
from kursk_pbem.kernel.state import DECLARED, OVER
from kursk_pbem.trust import commit, messages, sshsig
from kursk_pbem.trust.keys import Signer
from kursk_pbem.trust.messages import Message

MOST_HIDDEN = 65_536
"""Maximum size of a message's hidden choices, because the next message must reveal them."""


@frozen
class Checked:
    """A checked draft. ``content``: the signed fields without secrets and hashes.

    ``hidden``: label -> value to seal. ``result``: the effect of the message. ``filing``: the orders in the rules'
    form, or None if the message has no choices. ``dropped``: the defaults that were left out.
    """

    message: Message
    content: Mapping[str, Any]
    hidden: Mapping[str, Any]
    result: Adjudication
    filing: Filing | None = None
    dropped: tuple[Unused, ...] = ()

    @property
    def declares(self) -> bool:
        """Whether the draft declares battles with later dice."""
        return DECLARED in self.result.after.agenda


def render_draft(desk: Desk, ahead: Adjudication | None = None, *, bare: bool = False) -> str:
    """Return the text of the next draft. ``ahead``: the steps without a choice, if computed. Raises UsageError."""
    own = _require_player(desk.record_of_writer(), NO_DRAFT)
    middle = (ahead or desks.preview_duties(desk, own)).middle
    return blanks.compose_draft(desk.game, middle, policies.load_policy(own, desk.game.ruleset), bare=bare)


def write_draft(
    desk: Desk, ahead: Adjudication | None = None, *, bare: bool = False, force: bool = False
) -> Path | None:
    """Write the next draft and return its path. If a person has edited the draft, keep the draft and return None."""
    own = desk.record_of_writer()
    path = folders.draft_path(desk.folder, desk.seq)
    text = render_draft(desk, ahead, bare=bare)
    with locks.hold_lock(own.path):
        desk.need_unsigned()  # another program may have signed the message and deleted the draft
        editors.write_schema(desk)
        if path.exists() and not force:
            return path if folders.read_bytes(path).decode("utf-8", "replace") == text else None
        folders.write(path, text, force=force)
    return path


def read_draft(desk: Desk, raw: bytes, name: str) -> Message:
    """Read a draft of the next message. Raises FileError."""
    _require_player(desk.record_of_writer(), NO_DRAFT)
    message = messages.read_draft(raw, name)
    chain = desk.game.chain
    for key, right in (("game", chain.game), ("seq", str(desk.seq)), ("from", chain.writer(desk.seq))):
        if message.content.get(key) != right:
            why = f"the draft is for another message: {key} must be {right}"
            raise FileError(why, message.where(key))
    if message.content.get("prev", chain.head_id) != chain.head_id:
        raise FileError(
            f"this draft answers a different message {desk.seq - 1}; 'kursk setup draft --force' writes a new draft",
            message.where("prev"),
        )
    if written := [key for key in message.content if key == "open" or key in seals.ADDED]:
        raise FileError("only 'kursk sign' writes this field; delete it from the draft", message.where(written[0]))
    return message


def fill_draft(desk: Desk, choices: Mapping[str, Any]) -> Checked:
    """Return the next draft, checked, with ``choices`` in place of its own choices. Raises FileError."""
    path = folders.draft_path(desk.folder, desk.seq)
    said = messages.read_draft(folders.read_bytes(path), str(path)).content
    kept = {key: value for key, value in said.items() if key not in games.CHOICE_FIELDS}
    folders.write(path, messages.emit_message({**kept, **choices}), force=True)
    return check_draft(desk, read_draft(desk, folders.read_bytes(path), str(path)))


def check_draft(desk: Desk, message: Message, *, open_plans: bool = False) -> Checked:
    """Check a draft and return its effect with all violations.

    Leaves out each default value that the player's orders make illegal. Raises FileError if the form is wrong.
    """
    games.check_choices(message.content, desk.game.ruleset, message.document)
    checked = _preview_draft(desk, message, open_plans=open_plans)
    if not checked.result.violations:
        return checked
    hints = desk.game.ruleset.seen.hints(desk.game.setting, checked.result.middle, desk.seq)
    content, told = defaults.remove_unfit(desk.game, message.content, hints, checked.result.violations)
    if not told:
        return checked
    again = replace(_preview_draft(desk, replace(message, content=content), open_plans=open_plans), dropped=tuple(told))
    return again if len(again.result.violations) < len(checked.result.violations) else checked


def _preview_draft(desk: Desk, message: Message, *, open_plans: bool) -> Checked:
    own = desk.record_of_writer()
    game = desk.game
    orders: Mapping[str, Any] = message.mapping("orders")
    hidden: dict[str, Any] = dict(message.mapping("seal"))
    if not open_plans:
        orders, plans = game.ruleset.seal(game.setting, orders, desk.seq)
        hidden |= plans
    if len(canon(hidden)) > MOST_HIDDEN:
        why = f"the hidden choices have more than {MOST_HIDDEN} bytes, too many to reveal; shorten the choices"
        raise FileError(why, message.where("seal" if "seal" in message.content else "orders"))
    content = {key: value for key, value in message.content.items() if key != "seal" and value not in ({}, [], "")}
    shown = _remove_empty(orders)
    if shown:
        content["orders"] = shown
    else:
        content.pop("orders", None)
    opened = {label: entry["value"] for label, entry in desks.list_reveals(desk, own).items()}
    asked: Filing = replace(filing(content), reveal=opened, secret=dict.fromkeys(hidden, "0" * 64), sealed=hidden)
    result = games.preview(game, desks.compute_opening(desk, own), asked)
    placed = games.locate_violations(result.violations, message.document)
    return Checked(message, content, hidden, replace(result, violations=placed), asked)


def _remove_empty(orders: Mapping[str, Any]) -> dict[str, Any]:
    """Return orders without empty lists, so that equal orders have equal signed text."""
    return {key: value for key, value in orders.items() if value not in ([], {}, "")}


def make_resignation(desk: Desk) -> Checked:
    """Return the next message as a resignation: only the steps without a choice (protocol 2.2). Raises UsageError."""
    own = _require_player(desk.record_of_writer(), "a referee cannot resign or make offers; only players can")
    bound = desk.game.chain.bound
    if desk.seq <= bound:
        forfeit = f"sign your messages up to {bound}, then resign; silence loses the board by forfeit"
        way = forfeit if "tournament" in desk.game.chain.head else "simply do not continue"
        raise UsageError(f"the game does not bind you before message {bound}, so you cannot resign: {way}")
    message = _make_message(desk, "resign")
    return Checked(message, message.content, {}, desks.preview_duties(desk, own))


def make_offer(desk: Desk, kind: str, **more: str) -> Checked:
    """Return the next message as an offer, without orders. ``more``: the ``game`` of a successor. Raises UsageError."""
    own = _require_player(desk.record_of_writer(), "a referee cannot resign or make offers; only players can")
    bound, first = desk.game.chain.bound, desk.game.chain.first_offer
    if desk.seq < first:
        raise UsageError(f"an offer is possible from message {first} on: before message {bound} the game binds nobody")
    if (own.side, desk.game.state.turn) in desk.game.declined:
        raise UsageError("your offer was declined in this turn already; make the next offer in the next turn")
    ahead = desks.preview_duties(desk, own)
    if ahead.pending is not None:
        raise UsageError("your dice wait for a decision of the other side: mail your dice before you make an offer")
    if ahead.middle.stage == OVER:
        raise UsageError("your dice end the game, so no offer is possible: sign your draft")
    message = _make_message(desk, "offer", offer={"kind": kind, **more})
    return Checked(message, message.content, {}, ahead)


NO_DRAFT = "a referee writes no drafts: 'kursk inbox' with the last message signs the next message"


def _require_player(own: Record, why: str) -> Record:
    """Return the record unless it is a referee's; then raise UsageError with the reason."""
    if own.side == REFEREE:
        raise UsageError(why)
    return own


def make_reply(desk: Desk, answer: str) -> Checked:
    """Return the reply ``answer`` to the open offer. A reply contains no orders (protocol 2.9)."""
    _require_player(desk.record_of_writer(replying=True), "a referee cannot reply to an offer; only players can")
    message = _make_message(desk, "reply", reply=answer)
    return Checked(message, message.content, {}, keep_position(desk.game.state))


def make_resolution(desk: Desk) -> Checked:
    """Return the referee's next message: the dice, and the side that writes next."""
    own = desk.record_of_writer()
    message = _make_message(desk, "turn")
    return Checked(message, message.content, {}, desks.preview_duties(desk, own))


def _make_message(desk: Desk, kind: str, **more: Any) -> Message:
    chain = desk.game.chain
    head = {"kursk-pbem": messages.VERSION, "type": kind, "game": chain.game, "seq": str(desk.seq)}
    fields = {**head, "from": chain.writer(desk.seq), "prev": chain.head_id, **more}
    return messages.make_draft(fields)


def sign_draft(desk: Desk, checked: Checked, signer: Signer) -> tuple[Message, Slot]:
    """Sign a draft. Return the message and the journal entry; write no file.

    Before a message leaves this machine, the caller must verify it as the opponent will. Raises RulesError, or
    UsageError for a wrong key.
    """
    reply = checked.message.type == "reply"
    own, chain = desk.unlocked(replying=reply), desk.game.chain
    if checked.result.violations:
        raise RulesError(checked.result.violations, own.side)
    if signer.public != chain.keys[own.side]:
        raise UsageError(f"this is not the key of the {own.side} side in this game; give the right key with --key")
    opened = desks.compute_opening(desk, own) or entropy.random_bytes()
    content: dict[str, Any] = {**checked.content, "prev": chain.head_id}
    rolls = own.side == REFEREE or not chain.refereed
    if not rolls and chain.keeps:
        opened = commit.derive_mix(own.secret, seals.hash_choices(content, checked.hidden))
    content["open" if rolls else "mix"] = opened.hex()  # unpredictable (T41)
    sealed, fields = seals.seal_values(chain, content, checked.hidden, own.secret, desk.game.ruleset.play.kept)
    content |= fields
    revealed = {} if reply else desks.list_reveals(desk, own)
    if revealed:
        content["reveal"] = revealed
    if checked.result.dice:
        content["dice"] = dict(sorted(checked.result.dice.items()))
    idle = reply or desk.game.hands_on
    final = keep_position(desk.game.state) if idle else _preview_content(desk, own, content, revealed)
    if final.pending is not None:
        content["pending"] = final.pending
    content["state-in"] = final.middle.sha256()
    content["state-out"] = final.after.sha256()
    if own.side == REFEREE and (named := desk.game.name_next_writer(final.after)):
        content["next"] = named
    if rolls:
        content["commit"] = desks.commit_to_next(chain, own.secret, opened, content)
    ordered = {key: content[key] for key in messages.READING_ORDER if key in content}
    state = final.after.to_plain()
    armour = signer.sign(sshsig.NAMESPACE, messages.signed_bytes(ordered))
    text = desk.add_earlier(messages.emit_for_mail(ordered, armour, state), desk.seq)
    message = messages.read_message(text.encode("ascii"), str(folders.message_path(desk.folder, desk.seq)))
    return message, Slot(desk.seq, SIGNED, message.id, text, sealed)


def _preview_content(desk: Desk, own: Record, content: Mapping[str, Any], revealed: Mapping[str, Any]) -> Adjudication:
    """Compute the position again, because it contains the hashes of the seals."""
    asked = replace(filing(content), reveal={label: entry["value"] for label, entry in revealed.items()})
    return games.preview(desk.game, desks.compute_opening(desk, own), asked)


def release_message(desk: Desk, slot: Slot, kind: str, report: str = "") -> None:
    """Save a signed message in the journal, then write its file and report, and delete the draft (protocol 2.6)."""
    desks.record_slot(desk, slot)
    rewrite_files(desk, slot, kind, report)


def rewrite_files(desk: Desk, slot: Slot, kind: str, report: str) -> None:
    """Write the file and the report of a journaled message again. Raises UsageError if a file cannot be written."""
    try:
        folders.write(folders.message_path(desk.folder, slot.seq), slot.text)
        if report:
            folders.write(folders.report_path(desk.folder, slot.seq), report, force=True)
        folders.report_path(desk.folder, slot.seq, draft=True).unlink(missing_ok=True)
        if kind != "offer":  # after a declined offer the draft is needed
            folders.remove_drafts(desk.folder, slot.seq)
            (desk.folder / editors.NAME).unlink(missing_ok=True)
    except (UsageError, OSError) as error:
        why = error.message if isinstance(error, UsageError) else f"{error.filename}: {error.strerror}"
        how = "repair the fault, then give the same command again to write the same file"
        if not slot.seq:
            how = "no player has seen the message; repair the fault, then give the same command again for a new message"
        raise UsageError(f"{why}. Message {slot.seq} is signed and in your journal: {how}") from None
