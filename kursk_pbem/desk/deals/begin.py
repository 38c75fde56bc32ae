"""Start of a game at a player's desk: write a proposal or accept a proposal."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import field, replace
from pathlib import Path
from typing import Any

from kursk_pbem.desk.draft import drafts
from kursk_pbem.desk.own import desks, lookup, register
from kursk_pbem.desk.own.desks import Desk
from kursk_pbem.errors import KurskError, UsageError
from kursk_pbem.formats.canonical import REFEREE
from kursk_pbem.formats.text import free_text_fault, show
from kursk_pbem.frozen import frozen
from kursk_pbem.game import entropy, folders, histories, inbox, journal, pins, scenarios, successor
from kursk_pbem.game.copies import Copies
from kursk_pbem.game.journal import RECEIVED, SIGNED, Slot
from kursk_pbem.kernel.ruleset import PLAYERS, Ruleset
from kursk_pbem.kernel.scenario import Scenario
from kursk_pbem.kernel.state import State
from kursk_pbem.kernel.words import plural
from kursk_pbem.rulesets import ruleset as find_ruleset
from kursk_pbem.trust import commit, keys, messages, sshsig
from kursk_pbem.trust.messages import Message

SEALS = {"seals": "kept"}
"""The field of message 0 that makes messages with sealed values contain ``kept`` (protocol 2.5)."""


@frozen
class Proposal:
    """The content of a proposal (message 0) to write.

    ``opponent``: public key. ``relay``: public key of a timekeeping referee, or ''. ``called``: a private name for
    the opponent, used if ``names`` lacks one. ``more``: additional fields of message 0. ``sha256``: hash
    of the scenario data, '' for the current data.
    """

    scenario: str
    side: str
    opponent: str
    names: Mapping[str, str]
    options: Mapping[str, str]
    relay: str = ""
    called: str = ""
    more: Mapping[str, Any] = field(default_factory=dict)
    sha256: str = ""


def find_proposer(scenario: str, options: Mapping[str, str]) -> str:
    """Return the side that must propose a game of a scenario. Raises UsageError or FileError."""
    ruleset = find_ruleset(scenario.partition("/")[0])
    return ruleset.proposer(scenarios.make_setting(ruleset, scenarios.load(scenario), options, PLAYERS))


def propose_game(proposal: Proposal, key: Path, parent: Path, home: Path) -> Desk:
    """Write message 0 into a new folder below ``parent``; return the opened game. Raises UsageError or FileError."""
    ruleset = find_ruleset(proposal.scenario.split("/")[0])
    check_sendable_texts((*proposal.names.values(), *proposal.options, *proposal.options.values()))
    scenario = scenarios.load(proposal.scenario, proposal.sha256)
    setting = scenarios.make_setting(ruleset, scenario, proposal.options, PLAYERS)
    if proposal.side != (proposer := ruleset.proposer(setting)):
        raise UsageError(
            f"in {scenario.title} the {proposer} side proposes, because your side makes the first choice: let your "
            f"opponent run 'kursk propose {scenario.id} --as {proposer} ...'"
        )
    signer = keys.load_key(key)
    if signer.public == proposal.opponent:
        raise UsageError("the opponent's key that you gave is your own key; give the public key of your opponent")
    if proposal.relay in (signer.public, proposal.opponent):
        raise UsageError("the referee's key is the key of a player; a referee must be a third person with another key")
    publics = {side: signer.public if side == proposal.side else proposal.opponent for side in ruleset.sides}
    if proposal.relay:
        publics[REFEREE] = proposal.relay
    names = fill_names((proposal.side, ruleset.other(proposal.side)), proposal.names)
    pinned = make_pinned_fields(ruleset, scenario, publics, names, proposal.options) | dict(proposal.more)
    called = proposal.names.get(ruleset.other(proposal.side), proposal.called)
    return issue_proposal(proposal.side, pinned, ruleset.data.setup(setting), key, parent, home, called)


def fill_names(sides: Iterable[str], names: Mapping[str, str]) -> dict[str, str]:
    """Return a name for each side. A side without a name gets a name such as 'german player'."""
    return {side: names.get(side, f"{side} player") for side in sides}


def make_pinned_fields(
    ruleset: Ruleset,
    scenario: Scenario,
    publics: Mapping[str, str],
    names: Mapping[str, str],
    options: Mapping[str, str],
) -> dict[str, Any]:
    """Return the fields of message 0 that fix the rules and the players. Raises UsageError for an illegal option."""
    if why := pins.find_unknown_option(scenario.id, options):
        raise UsageError(why)
    return {
        "keys": dict(publics),
        "names": dict(names),
        "ruleset": pins.pin_ruleset(ruleset.id, str(ruleset.version)),
        "scenario": {"id": scenario.id, "sha256": scenario.sha256},
        "options": dict(sorted(options.items())),
    }


def check_sendable_texts(texts: Iterable[str]) -> None:
    """Raise UsageError if a text contains a character that messages must not contain (protocol 4.3)."""
    for text in texts:
        if fault := free_text_fault(text):
            raise UsageError(f"the character {fault} in {show(text)} cannot be sent; leave this character out")


def issue_proposal(
    side: str, pinned: Mapping[str, Any], state: State, key: Path, parent: Path, home: Path, called: str = ""
) -> Desk:
    """Sign message 0 with the fields ``pinned``, save it in a new folder below ``parent``, and return the game's desk.

    ``called``: a private name for the opponent. ``pinned`` may contain the game's ``nonce``: a tournament board
    that repeats this call after a crash then gets the same game. Raises UsageError or FileError.
    """
    signer = keys.load_key(key)
    nonce = bytes.fromhex(pinned["nonce"]) if "nonce" in pinned else entropy.random_bytes()
    secret = desks.derive_secret(signer, nonce)
    unordered: dict[str, Any] = {
        "kursk-pbem": messages.VERSION,
        "type": "propose",
        "seq": "0",
        "from": side,
        **SEALS,
        "nonce": nonce.hex(),
        "dice-from": "players",
        **pinned,
        "state-out": state.sha256(),
    }
    whole = commit.hash_content(unordered, keeps="seals" in unordered)
    second = commit.next_opening(secret, 2, commit.NO_PREV, nonce, whole)
    unordered["commit"] = commit.commit_to_opening(nonce, 2, second).hex()
    content = {name: unordered[name] for name in messages.READING_ORDER if name in unordered}
    armour = signer.sign(sshsig.NAMESPACE, messages.signed_bytes(content))
    text = messages.emit_for_mail(content, armour, state.to_plain())
    message = messages.read_message(text.encode("ascii"), "0000.yaml")
    history = histories.begin(message)  # check our own message; also refuses illegal options
    folder = _new_folder(parent, message.id)
    try:
        own = _create_record(home, message.id, side, key, folder, secret, called)
    except KurskError:
        with suppress(OSError):
            folder.rmdir()  # remove the folder only if empty
        raise
    desk = Desk(folder, history, own)
    drafts.release_message(desk, Slot(0, SIGNED, message.id, text), message.type)
    return desk


def _new_folder(parent: Path, game: str) -> Path:
    folder = parent / folders.folder_name(game)
    folders.make(folder)
    return folder


def _check_not_taken(game: str, parent: Path, home: Path) -> None:
    """Raise UsageError if the player has already accepted this proposal in another folder."""
    own = journal.find(home, game)
    if own is None:
        return
    known = register.locate_game(own, parent)
    if known.here and known.folder.resolve() != (parent / folders.folder_name(game)).resolve():
        raise UsageError(
            f"you have already accepted this proposal, and the game is in {known.folder}: type 'kursk status "
            f"{known.short}'"
        )
    if not known.here and max(own.seqs, default=0) > 0:
        lookup.require_folder(known)


def _create_record(
    home: Path, game: str, side: str, key: Path, folder: Path, secret: bytes, called: str
) -> journal.Record:
    entries = {"game": game, "side": side, "key": os.path.realpath(key), "folder": os.path.realpath(folder)}
    entries |= {"opponent": called} if called else {}
    return journal.create(Path(os.path.realpath(home)), entries, secret)


def accept_proposal(path: Path, key: Path, parent: Path, home: Path) -> Desk:
    """Accept the proposal in a file or mail. Raises TrustError, FileError or UsageError."""
    return join(read_proposal(path), key, parent, home)


def read_proposal(path: Path, seq: int | None = None) -> Message:
    """Read the proposal from a file, mail or folder. ``seq``: the message's number. Raises FileError or UsageError."""
    if path.is_dir():
        there = Copies()
        there.add([path])
        if there.uncounted:
            raise there.uncounted[0].error
        found = {each.id: each for each in there.messages if each.seq == 0}
        if len(found) != 1:
            raise UsageError(f"{path} contains {plural(len(found), 'proposal')}: give a file with exactly one proposal")
        path = Path(next(iter(found.values())).document.name)
    message = inbox.read_file(path, seq)
    if message.seq != 0:
        raise UsageError(f"{path} is message {message.seq}, not a proposal: type 'kursk inbox' instead of 'accept'")
    return message


def find_key(message: Message, home: Path, more: Iterable[str] = ()) -> Path | None:
    """Return the file of the player's key that a proposal names. Search the local games' keys and the keys ``more``.

    Return None if the proposal names no such key, or several.
    """
    records, _faults = journal.load_records(home)
    players = {key for side, key in message.mapping("keys").items() if side not in (REFEREE, message.sender)}
    fitting: dict[str, Path] = {}
    for path in dict.fromkeys((*(own.key for own in records), *more)):
        with suppress(UsageError):  # the key file of an old game may be missing
            if (public := keys.load_key(Path(path)).public) in players:
                fitting.setdefault(public, Path(path))
    return next(iter(fitting.values())) if len(fitting) == 1 else None


def join(message: Message, key: Path, parent: Path, home: Path, *, called: str = "") -> Desk:
    """Accept message 0 of a game: make the game folder, the private record and the first draft.

    ``called``: a private name for the opponent. No player is bound before message 1 is signed and mailed. Raises
    TrustError, FileError or UsageError.
    """
    begun = histories.begin(message)
    game = begun.game
    successor.need_agreement(game, home)
    signer = keys.load_key(key)
    side = game.chain.writer(1)
    if game.chain.refereed:  # both players accept; the side named first writes first
        side = next((side for side in game.ruleset.sides if game.chain.keys[side] == signer.public), side)
    if signer.public == game.chain.keys.get(REFEREE):
        raise UsageError(
            "this is the referee's key, but players accept games; a referee types 'kursk referee receipt FILE --days 7'"
        )
    if signer.public == game.chain.keys[message.sender] != game.chain.keys[side]:
        raise UsageError("this is your own proposal: mail the proposal to your opponent, who can accept it")
    if game.chain.keys[side] != signer.public:
        raise UsageError(
            f"for the {side} side, the proposal has the key {sshsig.fingerprint(game.chain.keys[side])}, but {key} is "
            f"{sshsig.fingerprint(signer.public)}; ask for a proposal with your key, or give the right --key"
        )
    _check_not_taken(message.id, parent, home)
    secret = desks.derive_secret(signer, game.chain.nonce)
    folder = _new_folder(parent, message.id)
    called = called or " ".join(str(message.mapping("names").get(game.ruleset.other(side), "")).split())
    own = _create_record(home, message.id, side, key, folder, secret, called)
    text = messages.emit_for_mail(message.content, message.armour or "", message.state)
    folders.write(folders.message_path(folder, 0), text)
    desk = desks.open_desk(folder, home, begun)
    desks.record_slot(desk, Slot(0, RECEIVED, message.id))
    desk = replace(desk, own=own)
    if desk.seq == 1 and desk.mine and desk.unwritten is None:
        drafts.write_draft(desk)
    return desk
