"""Restoring a lost game folder or private record from mail copies and the key (protocol 2.6, 3.7).

Key and mails make everything again: journal, seals and openings. Copies cannot prove which message the player sent
last; a second message of one number is void, and no fraud.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path

from kursk_pbem.desk.draft import policies
from kursk_pbem.desk.own import desks, missing
from kursk_pbem.desk.own.desks import Desk, LostSealError
from kursk_pbem.desk.turn import lines, play
from kursk_pbem.errors import LostError, TrustError, UsageError, VoidError
from kursk_pbem.formats.canonical import REFEREE
from kursk_pbem.frozen import frozen
from kursk_pbem.game import folders, histories, journal, receipts
from kursk_pbem.game.copies import Copies, Letters
from kursk_pbem.game.games import Game
from kursk_pbem.game.histories import History
from kursk_pbem.game.journal import Record
from kursk_pbem.trust import keys, messages, sshsig
from kursk_pbem.trust.papers import FORFEIT

_ASK_FOR_NEWER = (
    "If you have answered with message {} already, on any machine, add this mail: a second answer is no fraud, but it "
    "lets the opponent choose between the two"
)

_ASK_PLAYERS = (
    "Ask both players for their newest file, and add it, before you take another turn: a player who has seen your dice "
    "after message {} can choose a turn for these dice"
)


@frozen
class Restored:
    """The restored desk and the written files.

    ``left_out``: why some files are ignored. ``lost``: labels of the player's sealed choices that cannot be revealed.
    ``no_policy``: the new record has no standing policy.
    """

    desk: Desk
    written: tuple[Path, ...]
    left_out: tuple[str, ...]
    lost: tuple[str, ...]
    no_policy: bool

    @property
    def advice(self) -> str:
        """A sentence about the person to ask for newer messages, or ''."""
        if self.desk.own_side == REFEREE:
            return _ASK_PLAYERS.format(self.desk.last.seq)
        return _ASK_FOR_NEWER.format(self.desk.seq) if self.desk.mine and self.desk.seq > 2 else ""


def restore_game(folder: Path, letters: Letters, key: Path | None, home: Path, opponent: str = "") -> Restored:
    """Restore the game in ``folder`` and its private record. If KurskError is raised, nothing was written.

    ``letters``: files and folders with copies of messages, or copies already read. ``opponent``: a private name for the
    opponent, in a new record.
    """
    gathered = Copies()
    gathered.add(letters)
    gathered.open_blocks()
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
    line = histories.order_messages(gathered, game_id, signer.public if signer else "")
    if key is None or signer is None:
        raise UsageError("give your key with --key FILE (or KURSK_KEY): the new private record needs the key")
    side = _find_side(line.game, signer.public, own)
    secret = desks.derive_secret(signer, line.game.chain.nonce)
    _check_folder(place, line, gathered)
    if own is not None:
        lines.settle(place, line, own)
    anew = own is None
    whose = {"game": game_id, "side": side} | ({"opponent": opponent} if opponent else {})
    own = _make_record(home, whose, key, place, secret)
    folders.make(place)
    written = [path for step in line.steps for path in lines.enter_step(Desk(place, line, own), step)]
    _take_papers(place, line, gathered)
    desk = desks.open_desk(place, home, line)
    lost = _list_lost(desk, own)
    if not lost and desk.game.chain.declined != side:  # a draft may be the only copy of a sealed text
        folders.remove_old_drafts(place, desk.seq)
    if desk.mine:  # write the next draft
        written += play.take_message(desk, line.last).written
    no_policy = anew and not policies.make_policy_path(own).exists()
    return Restored(desk, tuple(written), (*gathered.faults, *gathered.others), lost, no_policy)


def _take_papers(place: Path, line: History, gathered: Copies) -> None:
    """Write the referee's papers about the messages; an invalid paper does not stop the rest."""
    held = receipts.load(place, line.game.chain, over=line.game.played_out)
    there = {paper.id: paper for paper in gathered.papers if paper.text("game") == line.game.chain.game}
    for paper in sorted(there.values(), key=lambda paper: (paper.type == FORFEIT, paper.seq, paper.id)):
        try:
            held = receipts.take(place, line.game.chain, held, paper, over=line.game.played_out).papers
        except (TrustError, VoidError) as error:
            gathered.faults.append(f"{paper.document.name}: {error}")


def _find_game(gathered: Copies, folder: Path, home: Path, signer: keys.Signer | None) -> str:
    here = folders.message_path(folder, 0).is_file()
    own = None if here else missing.find_record(folder, home)
    known = own.game if own is not None else "" if here else journal.find_game_id(home, folder.resolve().name)
    return known or gathered.choose_game(folder, signer.public if signer else "")


def _add_own_messages(gathered: Copies, place: Path, own: Record | None) -> None:
    """Add the messages of folder and journal. Of two messages for one number, the message in the journal counts."""
    at_hand = Copies()
    at_hand.add(sorted(place.glob("[0-9][0-9][0-9][0-9].yaml")))
    gathered.messages[:0] = at_hand.messages
    ids = {message.seq: message.id for message in at_hand.messages}
    for slot in map(own.read_slot, own.seqs) if own is not None else ():
        if slot is not None and slot.text:
            text = slot.text.encode("ascii")
            gathered.messages.append(messages.read_message(text, f"your journal, message {slot.seq}"))
            ids[slot.seq] = slot.id
    gathered.counting |= set(ids.values())
    gathered.open_blocks()


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
            raise UsageError(f"your folder of the game is {known}: type this folder, or move it away if it is damaged")
    return place


def _check_folder(place: Path, line: History, gathered: Copies) -> None:
    """Raise UsageError if a file is neither the message of the line nor another signed message of the game.

    Damaged files are never overwritten.
    """
    chain = line.game.chain
    there = (one for one in gathered.of_game(chain.game) if one.sender in chain.keys)
    signed = {one.document.name: one.id for one in there if one.is_signed_by(chain.keys[one.sender])}
    for message in (step.message for step in line.steps):
        path = folders.message_path(place, message.seq)
        counts = message.document.name == str(path) or signed.get(str(path), message.id) != message.id
        if path.exists() and not counts:  # the file has priority, but another copy was valid
            raise UsageError(f"{path} differs from the signed message {message.seq}: move the file away")


def _find_side(game: Game, public: str, own: Record | None) -> str:
    for side, pinned in game.chain.keys.items():
        if pinned == public:
            if own is None and not any(game.chain.writer(seq) == side for seq in range(game.chain.next_seq)):
                raise UsageError("you have written no message of the game yet: type 'kursk accept' to accept it")
            return side
    raise UsageError(
        f"{sshsig.fingerprint(public)} is no key of the game: give your key of the game. A spectator needs no game "
        "folder: 'kursk report MAILS' reads the mails"
    )


def _list_lost(desk: Desk, own: Record) -> tuple[str, ...]:
    """Return the labels of the values that the next message must reveal, and that neither key nor mails give."""
    try:
        desks.list_reveals(desk, own)
    except LostSealError:
        return tuple(sorted(desk.game.chain.outstanding_seals(own.side)))
    return ()
