"""Restoring a lost game folder or private record from mail copies and the key (protocol 2.6, 3.7).

Copies cannot prove which message the player sent last. So signing stays locked until the player confirms the last
message (:mod:`kursk_pbem.desk.ground.newest`). A false answer leads to two signatures for one number, which prove
fraud.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from kursk_pbem.desk.draft import policies
from kursk_pbem.desk.ground import newest
from kursk_pbem.desk.own import desks, elsewhere, missing, register, seals
from kursk_pbem.desk.own.desks import Desk
from kursk_pbem.desk.own.register import Known
from kursk_pbem.desk.turn import play
from kursk_pbem.errors import FileError, KurskError, LostError, TrustError, UsageError, shell_word
from kursk_pbem.formats import strictyaml
from kursk_pbem.formats.canonical import shorten
from kursk_pbem.frozen import frozen
from kursk_pbem.game import copies, folders, games, journal, reports
from kursk_pbem.game.copies import Copies, Letters
from kursk_pbem.game.games import Game
from kursk_pbem.game.histories import History
from kursk_pbem.game.journal import OWN, RECEIVED, RESTORED, Record, Slot
from kursk_pbem.trust import commit, keys, messages, sshsig
from kursk_pbem.trust.chains import Chain
from kursk_pbem.trust.messages import Message

ATTEMPTS = 10
"""Maximum number of messages in one slot whose salts are tried."""


@frozen
class Restored:
    """The restored desk and the written files.

    ``left_out``: reasons for ignored files and copies. ``lost``: labels of outstanding seals without a known text.
    ``no_policy``: the new record has no standing policy.
    """

    desk: Desk
    written: tuple[Path, ...]
    left_out: tuple[str, ...]
    lost: tuple[str, ...]
    no_policy: bool


def restore_game(folder: Path, letters: Letters, key: Path | None, home: Path, sealed: Path | None) -> Restored:
    """Restore the game in ``folder`` and its private record. Raises KurskError; nothing is written then.

    ``letters``: files and folders with copies of messages, or copies already read. ``sealed``: a file with the player's
    sealed values.
    """
    gathered = Copies()
    gathered.add(letters)
    signer = keys.load_key(key) if key is not None else None
    game_id = _find_game(gathered, folder, home, signer)
    own = journal.find(home, game_id)
    place = _find_folder(folder, game_id, own)
    _add_own_messages(gathered, place, own)
    if own is not None:
        _refuse_gap(gathered, place, own)
    if key is None and own is not None:
        key = Path(own.key)
        signer = keys.load_key(key)
    line = copies.order_messages(gathered, game_id, signer.public if signer else "")
    if key is None or signer is None:
        raise UsageError("name your key with --key FILE (or KURSK_KEY): the new private record needs the key")
    side = _find_side(line.game, signer.public, own)
    secret = desks.derive_secret(signer, line.game.chain.nonce)
    if not desks.fits_commitment(line.game.chain, side, secret):
        raise UsageError(
            f"your message {desks.find_newest(line.game.chain, side)} commits to a secret of another program, not of "
            "your key: only the other program can continue the game"
        )
    _check_folder(place, line)
    if own is not None:
        desks.compare_journal(place, line.game, own)
    recovered, lost = _find_seals(line, side, secret, own, sealed)

    anew = own is None
    own = _make_record(home, {"game": game_id, "side": side}, key, place, secret)
    if anew:
        newest.ask_newest(own.path)
    folders.make(place)
    written = _write_messages(place, line, own)
    if recovered:
        own.keep_seals(line.game.chain.seals[side].seq, recovered)
    desk = desks.open_desk(place, home, line)
    if not lost and desk.game.chain.declined != side:  # a draft may be the only copy of a sealed text
        folders.remove_old_drafts(place, desk.seq)
    if desk.mine:  # write the next draft
        written += play.take_message(desk, line.last).written
    no_policy = anew and not policies.make_policy_path(own).exists()
    return Restored(desk, tuple(written), (*gathered.faults, *gathered.others), lost, no_policy)


def _find_game(gathered: Copies, folder: Path, home: Path, signer: keys.Signer | None) -> str:
    here = folders.message_path(folder, 0).is_file()
    own = None if here else missing.find_record(folder, home)
    known = own.game if own is not None else "" if here else journal.find_game_id(home, folder.resolve().name)
    return known or gathered.choose_game(folder, signer.public if signer else "")


def _add_own_messages(gathered: Copies, place: Path, own: Record | None) -> None:
    at_hand = Copies()
    at_hand.add(sorted(place.glob("[0-9][0-9][0-9][0-9].yaml")))
    gathered.messages[:0] = at_hand.messages
    if own is None:
        return
    for seq in own.seqs:
        slot = own.read_slot(seq)
        if slot is not None and slot.text:
            gathered.messages.append(messages.read_message(slot.text.encode("ascii"), f"your journal, message {seq}"))


def _refuse_gap(gathered: Copies, place: Path, own: Record) -> None:
    """Raise LostError if the copies lack a message that the journal has, and contain a later message."""
    there = {message.seq for message in gathered.of_game(own.game)}
    gap = [seq for seq in own.seqs if seq not in there and seq < max(there, default=1)]
    if lost := [slot for slot in map(own.read_slot, gap) if slot is not None]:
        where = "look in your mails, also sent mails, or ask your opponent"
        raise LostError(f"{missing.describe_missing(place, own, lost)}; {where}{gathered.hint()}")


def _make_record(home: Path, whose: Mapping[str, str], key: Path, place: Path, secret: bytes) -> Record:
    """Return the private record, with the present paths of key and folder. If no record exists, create one."""
    real_home, real_key, folder = (os.path.realpath(path) for path in (home, key, place))
    entries = {**whose, "key": real_key, "folder": folder}
    own = journal.create(Path(real_home), entries, secret)
    if (own.key, own.folder) != (real_key, folder):
        own = journal.move(Path(real_home), own, real_key, folder)
    return own


def _find_folder(folder: Path, game: str, own: Record | None) -> Path:
    """Return the game folder: ``folder`` itself if it fits, otherwise a folder inside (T30)."""
    here = folders.message_path(folder, 0).is_file() or folder.resolve().name == folders.folder_name(game)
    place = folder if here else folder / folders.folder_name(game)
    if own is not None and folders.message_path(Path(own.folder), 0).is_file():
        known = Path(own.folder)
        if os.path.realpath(known) != os.path.realpath(place):
            raise UsageError(f"your folder of the game is {known}: name it, or move it away if it is damaged")
    return place


def _check_folder(place: Path, line: History) -> None:
    """Raise UsageError if a file contains another message; damaged files are never overwritten."""
    for step in line.steps:
        message = step.message
        path = folders.message_path(place, message.seq)
        if path.exists() and message.document.name != str(path):  # the file has priority, but another copy was valid
            raise UsageError(f"{path} differs from the signed message {message.seq}: move the file away")


def _find_side(game: Game, public: str, own: Record | None) -> str:
    for side, pinned in game.chain.keys.items():
        if pinned == public:
            if own is None and not any(game.chain.writer(seq) == side for seq in range(game.chain.next_seq)):
                raise UsageError("you have written no message of the game yet: type 'kursk accept' for the proposal")
            return side
    raise UsageError(
        f"{sshsig.fingerprint(public)} is no key of the game: name your key of the game. A spectator needs no game "
        "folder: 'kursk report MAILS' reads the mails"
    )


def _write_messages(place: Path, line: History, own: Record) -> list[Path]:
    """Write the journal, then the files, so that after an interruption signing is locked or the journal is complete."""
    written = []
    told = [reports.report_step(step) for step in line.steps]
    for step in line.steps:
        message = step.message
        text = messages.emit_for_mail(message.content, message.armour or "", message.state)
        mine = message.sender == own.side
        slot = Slot(message.seq, RESTORED, message.id, text) if mine else Slot(message.seq, RECEIVED, message.id)
        if mine and own.read_slot(message.seq) is None:  # another machine signed the message, and perhaps a later one
            newest.ask_newest(own.path)
        held = own.enter(slot)
        if held.id != message.id:  # another process has written
            two = ", here ".join(shorten(held.id, message.id))
            raise TrustError("chain", f"the journal holds another message {message.seq} ({two})")
        path = folders.message_path(place, message.seq)
        if not path.exists() and folders.write(path, held.text or text):
            written.append(path)
        report = folders.report_path(place, message.seq)
        if message.seq and folders.write(report, told[message.seq], force=True):
            written.append(report)
    return written


def _find_seals(
    line: History, side: str, secret: bytes, own: Record | None, sealed: Path | None
) -> tuple[dict[str, Any], tuple[str, ...]]:
    """Return the restored values that the next message must reveal, and the labels of lost values."""
    chain = line.game.chain
    due = chain.outstanding_seals(side)
    if not due:
        return {}, ()
    message = line.steps[chain.seals[side].seq].message
    slot = own.read_slot(message.seq) if own is not None else None
    if slot is not None and slot.kind in OWN and all(label in slot.seals for label in due):
        return {}, ()
    if kept := seals.read_kept(chain, message, secret):
        return kept, ()
    typed = read_sealed(sealed, line.game, message.seq) if sealed is not None else {}
    if unknown := [label for label in typed if label not in due]:
        listed = ", ".join(sorted(due))
        raise UsageError(f"{sealed}: message {message.seq} did not seal {unknown[0]}, but {listed}")
    recovered: dict[str, Any] = {}
    for label in sorted(due):
        values = (typed[label],) if label in typed else line.game.ruleset.play.guesses(label)
        if opened := _find_value(chain, message, secret, label, values):
            recovered[label] = opened
        elif label in typed:
            raise UsageError(
                f"{sealed}: {label} differs from the seal of message {message.seq}; each word and list order counts"
            )
    lost = tuple(sorted(label for label in due if label not in recovered))
    return ({} if lost else recovered), lost


def _find_value(chain: Chain, message: Message, secret: bytes, label: str, values: Sequence[Any]) -> dict[str, Any]:
    """Return the sealed value among ``values`` with its salt, {} without a match."""
    prev, opened = (bytes.fromhex(message.text(name)) for name in ("prev", "mix" if chain.refereed else "open"))
    wanted = chain.outstanding_seals(message.sender)[label]
    for attempt in range(ATTEMPTS):
        salt = commit.derive_salt(secret, chain.nonce, message.seq, prev, opened, label, attempt)
        for value in values:
            if commit.choice_hash(chain.nonce, message.seq, label, salt, value).hex() == wanted:
                return {"salt": salt.hex(), "value": value}
    return {}


def read_sealed(path: Path, game: Game, seq: int) -> Mapping[str, Any]:
    """Read sealed values from a file: labels with values, or the signed draft."""
    raw = folders.read_bytes(path)
    if "kursk-pbem" not in (data := strictyaml.read_edited(raw, str(path)).data):
        inner = data.get("seal", data)
        if not isinstance(inner, dict):
            raise FileError(f"{path}: write labels with values, as under 'seal' in a draft")
        return inner
    draft = messages.read_draft(raw, str(path))
    if draft.seq != seq:
        raise FileError(f"a draft of message {seq} is needed, not of message {draft.seq}", draft.where("seq"))
    games.check_choices(draft.content, game.ruleset, draft.document)
    _shown, plans = game.ruleset.seal(game.setting, draft.mapping("orders"), seq)
    return {**draft.mapping("seal"), **plans}


def confirm_newest(desk: Desk, seq: int) -> None:
    """Unlock signing: ``seq`` is the player's newest message ever signed. Raises UsageError.

    Terminal, board, page and post call this function, and nothing else unlocks signing.
    """
    check_confirmable(desk, seq)
    if desk.own is not None:
        newest.note_newest(desk.own.path, seq)


def deny_message(desk: Desk, seq: int) -> None:
    """Record that the player has never signed message ``seq``, named only by other people. Raises UsageError."""
    missing = elsewhere.find_missing(desk.own, desk.seq) if desk.own is not None else None
    if desk.own is None or missing is None or not desk.seq <= seq <= missing.seq:
        raise UsageError(f"message {seq} is not missing here by the word of another person, so you can deny nothing")
    elsewhere.deny_message(desk.own, seq)


def list_locked(home: Path, here: Path) -> list[tuple[Known, Desk]]:
    """Return the games with a question or a missing message of the player. Games with errors are left out."""
    locked = list[tuple[Known, Desk]]()
    for known in register.list_games(home, here):
        with suppress(KurskError):
            own = known.own
            if known.here and own and not (newest.is_known(own.path) and not (own.path / elsewhere.NAME).exists()):
                desk = desks.open_desk(known.folder, home)
                locked += [(known, desk)] if desk.lock else []
    return locked


def check_confirmable(desk: Desk, seq: int) -> None:
    """Raise UsageError if there is nothing to confirm, or if ``seq`` is wrong."""
    if desk.own is None:
        raise UsageError(f"the game has no private record yet: type 'kursk restore {shell_word(desk.folder)}'")
    if not desk.lock:
        raise UsageError("signing is not locked, so no confirmation is needed")
    if desk.asked is None:
        raise UsageError(desk.lock)
    if seq < desk.asked:
        raise UsageError(f"your newest message here is {desk.asked}, not {seq}")
    if seq > desk.asked:
        raise UsageError(
            f"message {seq} is not here, your newest message here is {desk.asked}. If you have signed message {seq}, "
            f"type 'kursk restore {shell_word(desk.folder)} MAIL' with a copy; never sign message {seq} again"
        )
