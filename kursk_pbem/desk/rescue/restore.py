"""A lost game folder, or a lost private record, made anew from mail copies and the key (protocol 2.6, 3.7).

What nobody can make anew is the knowledge of what was sent last: so signing stays locked until the player has
confirmed it. A player who confirms what is not true signs a number twice, and that is a proof of fraud.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from kursk_pbem.desk import desks, elsewhere, play, policies
from kursk_pbem.desk.desks import Desk
from kursk_pbem.desk.rescue import copies
from kursk_pbem.desk.rescue.copies import Copies
from kursk_pbem.errors import FileError, TrustError, UsageError, shell_word
from kursk_pbem.formats import strictyaml
from kursk_pbem.formats.canonical import REFEREE, apart
from kursk_pbem.game import folders, games, journal, reports
from kursk_pbem.game.games import Game
from kursk_pbem.game.histories import History
from kursk_pbem.game.journal import OWN, RECEIVED, RESTORED, Record, Slot
from kursk_pbem.trust import commit, keys, messages, sshsig
from kursk_pbem.trust.chains import Chain
from kursk_pbem.trust.messages import Message

ATTEMPTS = 10
"""How many messages in one slot the salts of a seal are tried for."""


@dataclass(frozen=True)
class Restored:
    """What came of it: the desk, whose lock says what is still to be done, and the files written.

    ``unreadable`` and ``left_out`` say which copies did not count, and why. ``others`` counts messages that were left
    alone, of other games; ``lost`` are the labels of the player's outstanding
    seals whose plain text is not known. ``no_policy``: the record is new, and no standing policy lies in it.
    """

    desk: Desk
    written: tuple[Path, ...]
    unreadable: tuple[str, ...]
    left_out: tuple[str, ...]
    others: int
    lost: tuple[str, ...]
    no_policy: bool


def restore(folder: Path, letters: Sequence[Path], key: Path | None, home: Path, sealed: Path | None) -> Restored:
    """Make the game in ``folder`` and its private record whole again. Raises KurskError; then nothing is written.

    ``letters`` are files and folders with copies of its messages, ``sealed`` is a file with what the player had sealed.
    """
    gathered = Copies()
    gathered.add(letters)
    signer = keys.load_key(key) if key is not None else None
    game_id = _game(gathered, folder, home, signer)
    own = journal.find(home, game_id)
    place = _place(folder, game_id, own)
    _add_own(gathered, place, own)
    if key is None and own is not None:
        key = Path(own.key)
        signer = keys.load_key(key)
    line = copies.line_up(gathered, game_id, signer.public if signer else "")
    if key is None or signer is None:
        raise UsageError("name your key with --key FILE (or KURSK_KEY): the private record is made anew from it")
    side = _side(line.game, signer.public)
    secret = desks.derive_secret(signer, line.game.chain.nonce)
    _check_opening(line.game.chain, side, secret)
    _check_place(place, line)
    if own is not None:
        desks.compare(place, line.game, own)
    seals, lost = _seals(line, side, secret, own, sealed)

    anew = own is None
    own = _record(home, {"game": game_id, "side": side}, key, place, secret, _newest(line.game.chain, side))
    folders.make(place)
    written = _write(place, line, own)
    if seals:
        own.keep_seals(line.game.chain.seals[side].seq, seals)
    desk = desks.sit(place, home, line)
    if desk.mine:  # the next draft, as if the last letter had just come
        written += play.take(desk, line.last).written
    told = {step.message.id for step in line.steps} | {mid for mid, _why in gathered.left_out}
    others = len({message.id for message in gathered.messages} - told)
    no_policy = anew and not policies.path(own).exists()
    left_out = tuple(why for _mid, why in gathered.left_out)
    return Restored(desk, tuple(written), tuple(gathered.unreadable), left_out, others, lost, no_policy)


def _game(gathered: Copies, folder: Path, home: Path, signer: keys.Signer | None) -> str:
    """The id of the game that is meant. UsageError."""
    here = folders.message_path(folder, 0).is_file()
    known = "" if here else journal.game_called(home, folder.resolve().name)
    return known or gathered.choose_game(folder, signer.public if signer else "")


def _add_own(gathered: Copies, place: Path, own: Record | None) -> None:
    """Add what lies in the game folder and in the journal; the folder comes first."""
    at_hand = Copies()
    at_hand.add(sorted(place.glob("[0-9][0-9][0-9][0-9].yaml")))
    gathered.messages[:0] = at_hand.messages
    if own is None:
        return
    for seq in own.seqs:
        slot = own.slot(seq)
        if slot is not None and slot.text:
            gathered.messages.append(messages.read_message(slot.text.encode("ascii"), f"your journal, message {seq}"))


def _record(home: Path, whose: Mapping[str, str], key: Path, place: Path, secret: bytes, newest: int) -> Record:
    """The private record, made anew if there is none; in either case with the place where key and folder are now."""
    real_home, real_key, folder = (os.path.realpath(path) for path in (home, key, place))
    entries = {**whose, "key": real_key, "folder": folder}
    own = journal.create(Path(real_home), entries, secret, restored=newest)
    if (own.key, own.folder) != (real_key, folder):
        own = journal.move(Path(real_home), own, real_key, folder)
    return own


def _place(folder: Path, game: str, own: Record | None) -> Path:
    """The game folder: the one named, if it is that or is called so, otherwise one of the usual name below it (T30)."""
    here = folders.message_path(folder, 0).is_file() or folder.resolve().name == folders.folder_name(game)
    place = folder if here else folder / folders.folder_name(game)
    if own is not None and folders.message_path(Path(own.folder), 0).is_file():
        known = Path(own.folder)
        if os.path.realpath(known) != os.path.realpath(place):
            raise UsageError(f"you play this game in {known}: name that folder, or move it away if it is damaged")
    return place


def _check_place(place: Path, line: History) -> None:
    """Whether the files that are there already are those messages; a damaged one is never overwritten."""
    for step in line.steps:
        message = step.message
        path = folders.message_path(place, message.seq)
        if path.exists() and message.document.name != str(path):  # it came first, and another copy was taken
            raise UsageError(f"{path} is not message {message.seq} of this game as it was signed: move it away")


def _side(game: Game, public: str) -> str:
    for side, pinned in game.chain.keys.items():
        if pinned == public:
            if not any(game.chain.writer(seq) == side for seq in range(game.chain.next_seq)):
                raise UsageError("you have written nothing in this game yet: take the proposal with 'kursk accept'")
            return side
    raise UsageError(
        f"this game is played with other keys than {sshsig.fingerprint(public)}: name the key that you play it with; "
        "an onlooker uses 'kursk verify'"
    )


def _newest(chain: Chain, side: str) -> int:
    """The number of the newest message of a side."""
    return max(seq for seq in range(chain.next_seq) if chain.writer(seq) == side)


def _check_opening(chain: Chain, side: str, secret: bytes) -> None:
    """Whether the player's next opening can be made: it must be the one that their newest message committed to."""
    if chain.refereed and side != REFEREE:  # a player opens nothing then
        return
    k = _newest(chain, side) + 2
    if commit.commit_to_opening(chain.nonce, k, desks.opening_of(chain, secret, k)) != chain.commitments[k]:
        raise UsageError(
            f"your message {k - 2} commits to a secret that does not follow from this key: it was made by another "
            "program, and only that can go on"
        )


def _write(place: Path, line: History, own: Record) -> list[Path]:
    """The journal first, then the files: whatever happens in between, signing is locked or the journal knows all."""
    written = []
    told = [reports.of_step(step) for step in line.steps]
    for step in line.steps:
        message = step.message
        text = messages.emit_for_mail(message.content, message.armour or "", message.state)
        mine = message.sender == own.side
        slot = Slot(message.seq, RESTORED, message.id, text) if mine else Slot(message.seq, RECEIVED, message.id)
        held = own.enter(slot)
        if held.id != message.id:  # another process was at work
            two = ", here ".join(apart(held.id, message.id))
            raise TrustError("chain", f"the journal holds another message {message.seq} ({two})")
        path = folders.message_path(place, message.seq)
        if not path.exists() and folders.write(path, held.text or text):
            written.append(path)
        report = folders.report_path(place, message.seq)
        if message.seq and folders.write(report, told[message.seq], force=True):
            written.append(report)
    return written


def _seals(
    line: History, side: str, secret: bytes, own: Record | None, sealed: Path | None
) -> tuple[dict[str, Any], tuple[str, ...]]:
    """What the player's next message must open, found again (empty if nothing is to be found); what of it is lost."""
    chain = line.game.chain
    due = chain.outstanding_seals(side)
    if not due:
        return {}, ()
    message = line.steps[chain.seals[side].seq].message
    slot = own.slot(message.seq) if own is not None else None
    if slot is not None and slot.kind in OWN and all(label in slot.seals for label in due):
        return {}, ()
    typed = _typed(sealed, line.game, message.seq) if sealed is not None else {}
    if unknown := [label for label in typed if label not in due]:
        listed = ", ".join(sorted(due))
        raise UsageError(f"{sealed}: {unknown[0]} is not among what message {message.seq} sealed: {listed}")
    recovered: dict[str, Any] = {}
    for label in sorted(due):
        values = (typed[label],) if label in typed else line.game.ruleset.play.guesses(label)
        if opened := _found(chain, message, secret, label, values):
            recovered[label] = opened
        elif label in typed:
            raise UsageError(
                f"{sealed}: {label} is not what message {message.seq} sealed; every word counts, and the order in lists"
            )
    lost = tuple(sorted(label for label in due if label not in recovered))
    return ({} if lost else recovered), lost


def _found(chain: Chain, message: Message, secret: bytes, label: str, values: Sequence[Any]) -> dict[str, Any]:
    """The value of these that a message sealed under a label, with its salt; empty if it is none of them."""
    prev, opened = (bytes.fromhex(message.text(name)) for name in ("prev", "mix" if chain.refereed else "open"))
    wanted = chain.outstanding_seals(message.sender)[label]
    for attempt in range(ATTEMPTS):
        salt = commit.derive_salt(secret, chain.nonce, message.seq, prev, opened, label, attempt)
        for value in values:
            if commit.choice_hash(chain.nonce, message.seq, label, salt, value).hex() == wanted:
                return {"salt": salt.hex(), "value": value}
    return {}


def _typed(path: Path, game: Game, seq: int) -> Mapping[str, Any]:
    """What a file says to have been sealed: labels and values, or the draft itself that was signed."""
    raw = folders.read_bytes(path)
    if "kursk-pbem" not in (data := strictyaml.read_edited(raw, str(path)).data):
        inner = data.get("seal", data)
        if not isinstance(inner, dict):
            raise FileError(f"{path}: write each label with what it sealed, as under 'seal' in a draft")
        return inner
    draft = messages.read_draft(raw, str(path))
    if draft.seq != seq:
        raise FileError(f"this is a draft of message {draft.seq}, the one needed is of {seq}", draft.where("seq"))
    games.check_choices(draft.content, game.ruleset, draft.document)
    _shown, plans = game.ruleset.seal(game.setting, draft.mapping("orders"), seq)
    return {**draft.mapping("seal"), **plans}


def confirm(desk: Desk, seq: int) -> None:
    """Unlock signing: message ``seq`` is the newest that the player has sent. UsageError if it cannot be that."""
    need_confirmation(desk, seq)
    if desk.own is not None:
        desk.own.confirm(seq, desk.game.chain.ids[seq])


def need_confirmation(desk: Desk, seq: int) -> None:
    """UsageError if there is nothing to confirm here, or not this."""
    if desk.own is None:
        raise UsageError(
            f"there is no private record of this game yet: 'kursk restore {shell_word(desk.folder)}' makes it anew"
        )
    if not desk.lock:
        raise UsageError("nothing is locked here: there is nothing to confirm")
    if why := elsewhere.lock(desk.own, desk.seq):
        raise UsageError(why)
    chain, side = desk.game.chain, desk.own.side
    if any(chain.writer(number) == side and desk.own.slot(number) is None for number in range(chain.next_seq)):
        raise UsageError(desk.lock)
    newest = _newest(chain, side)
    if seq < newest:
        raise UsageError(f"your newest message here is {newest}, not {seq}")
    if seq > newest:
        raise UsageError(
            f"message {seq} is not here, your newest is {newest}: if you have sent it, 'kursk restore "
            f"{shell_word(desk.folder)} MAIL' takes its copy; never sign its number again"
        )
