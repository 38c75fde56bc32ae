"""The arrival of a saved folder (docs/formats.md, 6.2). Existing files are not replaced, renamed or deleted.

A record of a game is never taken: key and messages make the record again. Of a folder by another player,
only messages of existing games count, as from a mail.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from kursk_pbem.desk.deals import begin
from kursk_pbem.desk.own import desks, remembered
from kursk_pbem.desk.own.desks import SECOND, Desk
from kursk_pbem.desk.referee import timekeeper
from kursk_pbem.desk.rescue import restore, saved
from kursk_pbem.desk.rescue.saved import Saved
from kursk_pbem.desk.turn import play, prepared
from kursk_pbem.errors import FileError, KurskError, UsageError, VoidError
from kursk_pbem.game import disk, folders, journal, pins, receipts
from kursk_pbem.game.journal import Record
from kursk_pbem.trust import keys, messages, papers, sshsig
from kursk_pbem.trust.messages import Message
from kursk_pbem.trust.papers import Paper

_TURN = re.compile(r"(?:.*/)?game-[0-9a-f]{16}/[0-9]{4}\.yaml")
_DRAFT = re.compile(r"[0-9]{4}\.draft\.yaml(\.unsigned(-[0-9]+)?)?")
_REMADE = re.compile(r"(journal/.*|game\.json|verified)")


def is_what_if(folder: Saved, record: str) -> bool:
    """Return whether a saved record is of a what-if game. Such a record is copied, because no mail has the messages."""
    return "what-if" in saved.parse(folder.files[f"{record}/game.json"])


def find_remade(folder: Saved) -> dict[str, str]:
    """Return the records to rebuild: record -> game folder in the zip, '' if the game folder was not saved."""
    found = {}
    for record in saved.list_records(folder.files):
        if not is_what_if(folder, record):
            with suppress(FileError):
                found[record] = ""
                found[record] = saved.find_place(folder.files, f"{record}/game.json", "folder")
    return found


def write_others(home: Path, folder: Saved) -> None:
    """Write all files that this machine lacks, except records to rebuild and their messages. Raises OSError."""
    remade = find_remade(folder)
    left_out = {*remade, *remade.values()}
    groups: dict[str, list[str]] = {}
    for name in folder.files:
        match = saved.CONTAINER.match(name)
        groups.setdefault(match[1] if match else "", []).append(name)
    for name in groups.pop("", ()):
        disk.make_private((home / name).parent)
        disk.create(home / name, folder.files[name])
    for container in sorted(set(groups) - left_out):
        if not os.path.lexists(home / container):
            _write_whole(home, container, groups[container], folder)


def _write_whole(home: Path, container: str, names: Sequence[str], folder: Saved) -> None:
    """Write a folder under another name first, so that an interrupted opening can be repeated."""
    scratch = home / f"{disk.PREFIX}opening"
    for name in names:
        path = scratch / name.removeprefix(f"{container}/")
        disk.make_private(path.parent)
        disk.replace(path, folder.files[name], 0o600)
    disk.make_private((home / container).parent)
    scratch.rename(home / container)


def list_turns(folder: Saved) -> dict[str, list[Message]]:
    """Return the messages in the zip by game, in playing order. Damaged files are left out."""
    found: dict[str, list[Message]] = {}
    for name in sorted(filter(_TURN.fullmatch, folder.files), key=lambda name: (name[-9:], name)):
        with suppress(FileError):
            message = messages.read_message(folder.files[name], name)
            found.setdefault(message.game, []).append(message)
    return found


def make_game(home: Path, folder: Saved, record: str, place: str, found: Sequence[Message]) -> Desk:
    """Rebuild a record from its key and the messages ``found``; copy drafts and settings. Raises KurskError."""
    told = saved.parse(folder.files[f"{record}/game.json"])
    key, base = saved.find_place(folder.files, f"{record}/game.json", "key"), home / saved.find_base(f"{record}/")
    if not place or not found or folders.folder_name(str(told.get("game"))) != f"game-{record[-16:]}":
        raise FileError("the messages are missing, or game.json is damaged")
    if key in folder.files and (home / key).read_bytes() != folder.files[key]:
        raise FileError(f"{home / key} contains another key: move it away")
    for name in (name for name in folder.files if name.startswith(f"{place}/") and _DRAFT.fullmatch(Path(name).name)):
        disk.make_private((home / name).parent)
        disk.create(home / name, folder.files[name])
    opponent = " ".join(str(told.get("opponent", "")).split())
    side, first = str(told.get("side")), found[0]
    if (base / "games" / record[-16:]).exists() or any(message.sender == side for message in found):
        desk = restore.restore_game(home / place, found, home / key, base, opponent).desk
    else:
        desk = begin.join(first, home / key, (home / place).parent, base, called=opponent)
        desk = take_turns(desk, found)
    for name in (name for name in folder.files if name.startswith(f"{record}/")):
        inside = name.removeprefix(f"{record}/")
        if not _REMADE.fullmatch(inside):
            disk.make_private((home / name).parent)
            disk.create(home / name, folder.files[name])
    prepared.forbid_signing(home / record)
    return desk


def take_turns(desk: Desk, found: Sequence[Message]) -> Desk:
    """Accept messages into an existing game, as if a mail had brought them. Raises KurskError for a bad message."""
    for message in found:
        if message.seq >= desk.seq or desk.game.chain.ids[message.seq] != message.id:
            with suppress(VoidError):
                desk = play.take_message(desk, message, beside=found).desk
    return desk


def take_papers(home: Path, folder: Saved, desk: Desk) -> None:
    """Accept the referee's papers of a game, as if a mail had brought them. Invalid papers are left out."""
    for name in sorted(folder.files):
        if receipts.NAMES.fullmatch(Path(name).name) and f"/game-{desk.game.chain.game[:16]}/" in f"/{name}":
            with suppress(KurskError):
                paper: Paper = papers.read_paper(folder.files[name], name)
                desk = timekeeper.receive_paper(paper, home, desk.folder, desk).desk


def list_seats(home: Path, game: str) -> Iterator[tuple[Path, Record]]:
    """Yield the private records of a game on this machine, for the player and for a second player here."""
    for base in (home, home / SECOND):
        if (own := journal.find(base, game)) is not None:
            yield base, own


def is_whole(base: Path, game: str) -> bool:
    """Return whether both the record and the folder of a game exist on this machine."""
    own = journal.find(base, game)
    return own is not None and folders.message_path(Path(own.folder), 0).is_file()


def open_desk(base: Path, own: Record) -> Desk:
    """Open the desk of a game on this machine. Raises UsageError if the game's folder is missing."""
    if not is_whole(base, own.game):
        raise UsageError(f"the game's folder {own.folder} is missing: type 'kursk restore {own.game[:8]} MAILS'")
    return desks.open_desk(Path(own.folder), base)


def find_signer(home: Path, folder: Saved) -> tuple[bool, str]:
    """Return whether the player's own key signed a saved folder, and a line about the signature."""
    mine, held = set[str](), False
    with suppress(KurskError, OSError):
        last = remembered.recall(home).usable_key
        for path in [last] if last else [Path(record.key) for record in journal.load_records(home)[0]]:
            with suppress(KurskError, OSError):
                mine.add(keys.load_key(path).public)
                held |= path.read_bytes() in folder.files.values()  # nobody else has the private key
    name = f" of {folder.name}" if folder.name else ""
    who = f"signed by a key{name}" if folder.signer else "unsigned"
    if folder.signer in mine or (held and not folder.signer):
        return True, f"{who}, which is your key" if folder.signer in mine else f"{who}, with your key inside"
    if not mine:
        return True, f"{who}. No key is here to compare: open the file only if you have saved it yourself"
    return False, f"a stranger's folder, if you have not saved it yourself: {who}"


def list_keys(folder: Saved, *, own: bool) -> Iterator[str]:
    """Yield a line for the key of the signature and for each key in a saved folder."""
    if folder.signer:
        yield f"key {sshsig.fingerprint(folder.signer)}: signed the file"
    for name in sorted(folder.files) if own else ():
        if name.endswith(".pub") and name.removesuffix(".pub") in folder.files:
            with suppress(KurskError):
                yield f"key {sshsig.fingerprint(keys.parse_public(folder.files[name], Path(name)))}: signs for you here"


def list_games(home: Path, folder: Saved, *, own: bool) -> Iterator[tuple[str, str, str]]:
    """Yield first digits of the id, name and treatment of each record in a saved folder."""
    heads = {game: found[0].content for game, found in list_turns(folder).items()}
    for record in saved.list_records(folder.files):
        told = saved.parse(folder.files[f"{record}/game.json"])
        side, opponent = str(told.get("side", "")), " ".join(str(told.get("opponent", "")).split())
        name = name_game(heads.get(str(told.get("game")), {}), side, opponent)
        if (home / record / "game.json").exists():
            yield record[-16:-8], name, "here already; only newer messages are added"
        elif own:
            yield record[-16:-8], name, "new here"
        else:
            yield record[-16:-8], name, "not yours, so not opened"


def name_game(head: Mapping[str, Any], side: str, opponent: str) -> str:
    """Return a game's name from message 0, such as 'Battle for Kursk: Citadel, German against Boris'.

    ``opponent``: the player's own name for the opponent, '' for the name in the message.
    """
    scenario, names = head.get("scenario"), head.get("names")
    title = str(scenario.get("id", "?")) if isinstance(scenario, Mapping) else "an unknown game"
    with suppress(KurskError):
        title = pins.make_title(title).partition(",")[0]
    others = {who: str(name) for who, name in names.items() if who != side} if isinstance(names, Mapping) else {}
    against = " ".join((opponent or " and ".join(others.values())).split())
    if against in {f"{who}, hot seat" for who in others}:
        against = against.capitalize()
    return f"{title}, {side.capitalize()}" + (f" against {against}" if against else "")


def list_left_out(folder: Saved, *, own: bool) -> Iterator[str]:
    """Yield a line for the other files of a stranger, and for files that differ from the saved folder's list."""
    others = sorted({name.split("/")[0] for name in folder.files if not saved.CONTAINER.match(name)})
    if others and not own:
        yield f"not opened: {', '.join(others)}"
    if folder.faults:
        yield f"left out, because they differ from the saved folder's list: {', '.join(folder.faults[:5])}"
