"""What the commands of a game do: propose, accept, receive a message, sign one. Files in, files out, no printing."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from kursk_pbem.desk import desk as desks
from kursk_pbem.desk import drafts, evidence
from kursk_pbem.desk.desk import Desk, LostSealError
from kursk_pbem.desk.drafts import Checked
from kursk_pbem.errors import FileError, RulesError, TrustError, UsageError
from kursk_pbem.formats.canonical import REFEREE
from kursk_pbem.formats.text import free_text_fault, show
from kursk_pbem.game import entropy, inbox, journal, reports, scenarios, successor
from kursk_pbem.game import folder as folders
from kursk_pbem.game import game as games
from kursk_pbem.game.journal import OWN, RECEIVED, SIGNED, Slot
from kursk_pbem.kernel.adjudicate import Adjudication
from kursk_pbem.kernel.ruleset import PLAYERS, Ruleset
from kursk_pbem.kernel.scenario import Scenario
from kursk_pbem.kernel.state import State
from kursk_pbem.rulesets import ruleset as find_ruleset
from kursk_pbem.trust import commit, keys, sshsig
from kursk_pbem.trust import message as messages
from kursk_pbem.trust.message import Message


@dataclass(frozen=True)
class Proposal:
    """What a proposal is made of; ``options`` as agreed, ``names`` by side, ``opponent`` a public key text.

    ``relay``: the public key text of a referee who keeps time and decides on silence, '' without one.
    """

    scenario: str
    side: str
    opponent: str
    names: Mapping[str, str]
    options: Mapping[str, str]
    relay: str = ""


def propose(proposal: Proposal, key: Path, parent: Path, home: Path) -> Path:
    """Write message 0 into a new game folder below ``parent``; its path. UsageError, FileError."""
    ruleset = find_ruleset(proposal.scenario.split("/")[0])
    check_sendable((*proposal.names.values(), *proposal.options, *proposal.options.values()))
    scenario = scenarios.load(proposal.scenario)
    setting = ruleset.data.load(scenario, proposal.options, PLAYERS)
    if proposal.side != (proposer := ruleset.proposer(setting)):
        raise UsageError(
            f"in {ruleset.title} the {proposer} side proposes, because the other side owes the first choice: let your "
            f"opponent run 'kursk propose --as {proposer}'"
        )
    signer = keys.load(key)
    if signer.public == proposal.opponent:
        raise UsageError("this is your own key; the opponent's public key is another one")
    if proposal.relay in (signer.public, proposal.opponent):
        raise UsageError("the referee's key is that of a player; a referee is somebody else, with a key of his own")
    publics = {side: signer.public if side == proposal.side else proposal.opponent for side in ruleset.sides}
    if proposal.relay:
        publics[REFEREE] = proposal.relay
    names = named((proposal.side, ruleset.other(proposal.side)), proposal.names)
    pinned = to_pin(ruleset, scenario, publics, names, proposal.options)
    return issue(proposal.side, pinned, ruleset.data.setup(setting), key, parent, home)


def named(sides: Iterable[str], names: Mapping[str, str]) -> dict[str, str]:
    """What each side is called: its own name, or one after the side."""
    return {side: names.get(side, f"{side} player") for side in sides}


def to_pin(
    ruleset: Ruleset,
    scenario: Scenario,
    publics: Mapping[str, str],
    names: Mapping[str, str],
    options: Mapping[str, str],
) -> dict[str, Any]:
    """What the message 0 of a new game says of it; ``publics`` are the keys, by side."""
    return {
        "keys": dict(publics),
        "names": dict(names),
        "ruleset": {"id": ruleset.id, "version": str(ruleset.version)},
        "scenario": {"id": scenario.id, "sha256": scenario.sha256},
        "options": dict(sorted(options.items())),
    }


def check_sendable(texts: Iterable[str]) -> None:
    """UsageError for a character that no message may hold (protocol 4.3)."""
    for text in texts:
        if fault := free_text_fault(text):
            raise UsageError(f"the character {fault} in {show(text)} cannot be sent; leave it out")


def issue(side: str, pinned: Mapping[str, Any], state: State, key: Path, parent: Path, home: Path) -> Path:
    """Write a message 0 that pins all this into a new game folder below ``parent``; its path. UsageError, FileError."""
    signer = keys.load(key)
    nonce = entropy.fresh()
    secret = desks.derive_secret(signer, nonce)
    second = commit.next_opening(secret, 2, commit.NO_PREV, nonce)
    unordered: dict[str, Any] = {
        "kursk-pbem": messages.VERSION,
        "type": "propose",
        "seq": "0",
        "from": side,
        "commit": commit.commitment(nonce, 2, second).hex(),
        "nonce": nonce.hex(),
        "dice-from": "players",
        **pinned,
        "state-out": state.sha256(),
    }
    content = {name: unordered[name] for name in messages.READING_ORDER if name in unordered}
    armour = signer.sign(sshsig.NAMESPACE, messages.signed_bytes(content))
    text = messages.mailed(content, armour, state.to_plain())
    message = messages.read(text.encode("ascii"), "0000.yaml")
    game = games.begin(message)  # self-check, and refuses options that cannot be played
    folder = _new_folder(parent, message.id)
    own = _create_record(home, message.id, side, key, folder, secret)
    drafts.release(Desk(folder, game, own), Slot(0, SIGNED, message.id, text))
    return folders.message_path(folder, 0)


def _new_folder(parent: Path, game: str) -> Path:
    folder = parent / folders.folder_name(game)
    folders.make(folder)
    return folder


def _create_record(home: Path, game: str, side: str, key: Path, folder: Path, secret: bytes) -> journal.Record:
    entries = {"game": game, "side": side, "key": os.path.realpath(key), "folder": os.path.realpath(folder)}
    return journal.create(Path(os.path.realpath(home)), entries, secret)


def accept(path: Path, key: Path, parent: Path, home: Path, *, seq: int | None = None) -> Desk:
    """Take a proposal: check it, make the game folder and the private record, write the first draft.

    ``seq`` chooses among the messages of a mail, as in :func:`receive`.
    TrustError, FileError, UsageError. Nothing is agreed to until message 1 is signed and mailed.
    """
    message = inbox.read_file(path, seq)
    if message.seq != 0:
        raise UsageError(f"{path} is message {message.seq}; 'kursk adjudicate' takes it, 'accept' is for proposals")
    game = games.begin(message)
    successor.need_agreement(game, home)
    signer = keys.load(key)
    side = game.chain.writer(1)
    if game.chain.refereed:  # both players take it; the one who is named first writes first
        side = next((each for each in game.ruleset.sides if game.chain.keys[each] == signer.public), side)
    if game.chain.keys[side] != signer.public:
        raise UsageError(
            f"the proposal names another key for the {side} side ({sshsig.fingerprint(game.chain.keys[side])}) than "
            f"{key} ({sshsig.fingerprint(signer.public)}); ask for a proposal with your key, or name the right one"
        )
    secret = desks.derive_secret(signer, game.chain.nonce)
    folder = _new_folder(parent, message.id)
    own = _create_record(home, message.id, side, key, folder, secret)
    text = messages.mailed(message.content, message.armour or "", message.state)
    folders.write(folders.message_path(folder, 0), text)
    desk = desks.sit(folder, home)
    desks.enter(desk, Slot(0, RECEIVED, message.id))
    desk = replace(desk, own=own)
    if desk.seq == 1 and desk.mine:
        write_draft(desk)
    return desk


def write_draft(desk: Desk, *, bare: bool = False, force: bool = False) -> Path | None:
    """Write the draft of the message that is due here; None where an edited one lies there already and stays."""
    path = folders.draft_path(desk.folder, desk.seq)
    text = drafts.write(desk, bare=bare)
    if path.exists() and not force:
        return path if folders.read_bytes(path).decode("utf-8", "replace") == text else None
    folders.write(path, text, force=force)
    return path


@dataclass(frozen=True)
class Received:
    """What came of a message: the desk after it, what it did (None if it was here already), the files written.

    ``dice``: what the reader's own dice do now, as a report, if they fall before he chooses anything; else ''.
    ``stuck``: why his next message cannot be written, though it is his; else ''.
    """

    desk: Desk
    message: Message
    result: Adjudication | None
    report: str
    written: tuple[Path, ...]
    kept_draft: bool = False
    dice: str = ""
    stuck: str = ""


def receive(
    raw: bytes, name: str, home: Path, near: Path | None, *, bare: bool = False, seq: int | None = None
) -> Received:
    """The main job: read a signed turn file, verify and adjudicate it, write its report and the next draft.

    ``raw`` may also be a mail with the turn in it; ``seq`` chooses among several. ``near`` is the folder the file lies
    in (None for standard input). Raises KurskError; then nothing is written.
    """
    return take_up(inbox.read(raw, name, seq), home, near, bare=bare)


def take_up(message: Message, home: Path, near: Path | None, *, bare: bool = False) -> Received:
    """The same of a message as read; ``near`` is the folder it came from."""
    return take(_find_desk(message, home, near), message, bare=bare)


def take(desk: Desk, message: Message, *, bare: bool = False) -> Received:
    """Take a message of the game at this desk, one that was here before or the next. Raises as :func:`receive`."""
    written: list[Path] = []
    result = None
    if message.seq < desk.seq and desk.game.chain.ids[message.seq] == message.id:
        _record_now, report = reports.rebuild(desk.folder, message.seq)
    else:
        if 0 < message.seq < desk.seq:
            evidence.refuse_second(desk, message)
        before = desk.game
        game, result = games.extend(before, message)
        if desk.own is not None and message.sender == desk.own.side and desk.own.slot(message.seq) is None:
            raise UsageError(
                f"this is your own message {message.seq}, and your journal does not know it: it is older than this "
                f"message, and 'kursk restore {desk.folder} {message.document.name}' is how to put it in"
            )
        report = reports.of_message(before, game, message, result)
        desks.enter(desk, Slot(message.seq, RECEIVED, message.id))
        desk = desks.with_game(desk, game)
        path = folders.message_path(desk.folder, message.seq)
        if folders.write(path, messages.mailed(message.content, message.armour or "", message.state)):
            written.append(path)
    path = folders.report_path(desk.folder, message.seq)
    if folders.write(path, report, force=True):
        written.append(path)
    kept, dice = False, ""
    if desk.mine and message.seq + 1 == desk.seq:
        if resume(desk) is not None:
            written.append(folders.message_path(desk.folder, desk.seq))
            return Received(desk, message, result, report, tuple(written))
        if desk.game.chain.offer or desk.own_side == REFEREE:  # a reply needs no draft, and a referee has no choice
            return Received(desk, message, result, report, tuple(written))
        try:
            kept, dice = _write_next(desk, written, bare=bare)
        except LostSealError as error:
            return Received(desk, message, result, report, tuple(written), stuck=error.message)
    return Received(desk, message, result, report, tuple(written), kept, dice)


def _write_next(desk: Desk, written: list[Path], *, bare: bool) -> tuple[bool, str]:
    """The next draft, and what its writer's own opening resolves already.

    Whether an edited draft was left alone; the report of the dice, if any have fallen.
    """
    own = desk.record_of_writer()
    ahead = desks.duties(desk, own)
    told = reports.of_duties(desk.game, desk.seq, ahead) if ahead.events else ""
    if told:
        path = folders.report_path(desk.folder, desk.seq, draft=True)
        if folders.write(path, told, force=True):
            written.append(path)
    fresh = not folders.draft_path(desk.folder, desk.seq).exists()
    draft = write_draft(desk, bare=bare)
    if draft is not None and fresh:
        written.append(draft)
    return draft is None, told if ahead.dice else ""


def _find_desk(message: Message, home: Path, near: Path | None) -> Desk:
    """The game a message belongs to: the player's own folder by his private record, else the folder the file lies in.

    The record comes first, so that a file taken from a shared or the opponent's folder is never answered there.
    """
    game = message.id if message.seq == 0 else str(message.content.get("game", ""))
    if not game:
        raise FileError("it does not say which game it belongs to: the field 'game' is missing", message.where())
    own = journal.find(home, game)
    if message.seq == 0 and own is None and near is not None and near.name != folders.folder_name(game):
        raise UsageError(f"{message.document.name} is a proposal; look at it and take it with 'kursk accept'")
    places = [Path(own.folder)] if own is not None else []
    places += folders.near(near, game)
    for place in places:
        first = folders.message_path(place, 0)
        if first.is_file():
            desk = desks.sit(place, home)
            if desk.game.chain.game == game:
                return desk
    if message.seq == 0:
        raise UsageError(f"{message.document.name} is a proposal; look at it and take it with 'kursk accept'")
    raise FileError(
        f"no folder of the game {game[:16]} is known here; put this file beside the game's 0000.yaml",
        message.where("game"),
    )


def sign(desk: Desk, checked: Checked, key: str | None) -> Message:
    """Sign a checked draft, journal it, write the file to mail and its report. RulesError, UsageError.

    If the message that is due has been signed before, it is that one, written again (:func:`resume`).
    """
    if again := resume(desk):
        return again
    if checked.result.violations:
        raise RulesError(checked.result.violations, desk.game.chain.writer(desk.seq))
    own = desk.unlocked(replying=checked.message.type == "reply")
    if desk.seq <= desk.game.chain.bound and "continues" in desk.game.chain.head:
        successor.need_agreement(games.begin(folders.read_message(folders.message_path(desk.folder, 0))), own.home)
    message, slot = drafts.sign(desk, checked, desks.signer(own, key))
    game, result = games.extend(desk.game, message)  # self-check, as the other side will do it, before it is released
    drafts.release(desk, slot, reports.of_message(desk.game, game, message, result))
    return message


def resume(desk: Desk) -> Message | None:
    """The message that is due, if it was signed and then perhaps not written (a crash, a full disk): it is written now.

    None if it is not signed. Nothing is signed here, so a lock does not matter.
    """
    slot = desk.own.slot(desk.seq) if desk.own is not None and desk.mine else None
    if slot is None or slot.kind not in OWN:
        return None
    message = messages.read(slot.text.encode("ascii"), str(folders.message_path(desk.folder, slot.seq)))
    game, result = games.extend(desk.game, message)
    drafts.release_again(desk, slot, reports.of_message(desk.game, game, message, result))
    return message


def tidy(desk: Desk) -> Message | None:
    """The last message, if it is one's own; its report is there then and its draft gone, though signing was cut off."""
    seq = desk.seq - 1
    slot = desk.own.slot(seq) if desk.own is not None and desk.game.chain.writer(seq) == desk.own.side else None
    if slot is None or slot.kind not in OWN:
        return None
    _game, report = reports.rebuild(desk.folder, seq)
    drafts.release_again(desk, slot, report)
    return folders.read_message(folders.message_path(desk.folder, seq))


__all__ = ["Proposal", "Received", "TrustError", "accept", "propose", "receive", "resume", "sign", "take",
           "take_up", "tidy", "write_draft"]
