"""The games and files that a saved folder may bring (docs/formats.md, 6.2)."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path

from kursk_pbem.desk.own import desks, remembered
from kursk_pbem.desk.rescue import saved
from kursk_pbem.desk.rescue.saved import Saved
from kursk_pbem.desk.turn import prepared
from kursk_pbem.errors import FileError, KurskError
from kursk_pbem.game import disk, folders, journal
from kursk_pbem.game.journal import OWN, Record
from kursk_pbem.trust import chains, commit, keys, messages, sshsig
from kursk_pbem.trust.chains import Chain
from kursk_pbem.trust.messages import Message

_OF_GAME = re.compile(r"(?:^|/)(?:games/|game-)([0-9a-f]{16})/")
_WHOLE = ("post", "tournaments")
"""Folders that come as a whole, and only if they are absent here."""


def get_game(name: str) -> str:
    """Return the 16 digits of a file's game, '' for other files."""
    match = _OF_GAME.search(f"{name}/")
    return match[1] if match else ""


def find_fault(home: Path, folder: Saved | None, record: str, place: Path, *, own: bool = True) -> str:
    """Return why a record below a place is not whole, or ''. ``folder``: unpack the record from there first.

    ``own``: whether the folder counts as the player's own. A stranger's folder brings no what-if game.
    """
    try:
        if folder is not None:
            _unpack_game(home, folder, record, place)
        _check_record(place / record, home / record)
        if not own and _find_record(place / record).what_if is not None:
            raise FileError("a what-if game belongs to the player who began it")
    except KurskError as error:
        return f"{f'{error.where}: ' if error.where else ''}{error.message}".replace(f"{place}{os.sep}", "")
    return ""


def _unpack_game(home: Path, folder: Saved, record: str, scratch: Path) -> None:
    pair = _find_keys(folder, record)
    saved.find_place(folder.files, f"{record}/game.json", "folder")
    if faults := [name for name in folder.faults if name in pair or get_game(name) == record[-16:]]:
        raise FileError(f"not as in the list of the folder: {', '.join(faults[:5])}")
    names = [name for name in folder.files if name in pair or get_game(name) == record[-16:]]
    for name in set(pair) & {*names}:
        if (home / name).exists() and (home / name).read_bytes() != folder.files[name]:
            raise FileError(f"another key is in {home / name}: move that key away")
    write_files(scratch, folder, names)


def _find_keys(folder: Saved, record: str) -> tuple[str, str]:
    """Return the names of a record's key and its public half. Raises FileError."""
    place = saved.find_place(folder.files, f"{record}/game.json", "key")
    return place, f"{place}.pub"


def write_files(place: Path, folder: Saved, names: Iterable[str]) -> None:
    """Write files of a saved folder below a place. Raises OSError."""
    place.mkdir(0o700, parents=True, exist_ok=True)
    for name in names:
        folders.make((place / name).parent)
        disk.replace(place / name, folder.files[name], 0o600)


def _check_record(place: Path, here: Path) -> None:
    """Raise KurskError if the record in a folder is not whole: journal, messages, key, secret and sealed choices.

    ``here``: the folder of the game's record on this machine; an existing record has the same secret.
    """
    own = _find_record(place)
    chain: Chain | None = None
    try:
        for seq in range(len(own.seqs)):
            if (message := _read_message(own, seq)) is None:
                break  # the program was killed while it took its last message
            chain = chain.extend(message) if chain is not None else chains.start_chain(message, own.what_if)
        if chain is None or chain.game != own.game or own.side not in chain.keys:
            raise FileError("game.json belongs to another game or side")
        _check_secrets(own, chain)
        prepared.load_prepared(own)
    except (ValueError, TypeError, KeyError, AttributeError):
        raise FileError("a file of the record is damaged") from None
    mine = own
    with suppress(KurskError):  # a missing or damaged record here has no secret to keep
        mine = _find_record(here)
    if mine.secret != own.secret:
        raise FileError("its secret is not the secret of the game here")


def _find_record(place: Path) -> Record:
    home, name = place.parents[1], folders.folder_name(place.name)
    game = journal.find_game_id(home, name)
    own = journal.find(home, game) if folders.folder_name(game) == name else None
    if own is None:
        raise FileError("game.json is missing or damaged")
    return own


def _read_message(own: Record, seq: int) -> Message | None:
    """Return a message of the journal, None for a last message that was not written yet. Raises KurskError."""
    slot, path = own.read_slot(seq), folders.message_path(Path(own.folder), seq)
    if slot is None:
        raise FileError(f"the journal has later messages, but not message {seq}")
    if slot.kind in OWN:
        message = messages.read_message(slot.text.encode("utf-8"), f"journal/{seq:04d}.json")
    elif seq and seq + 1 == len(own.seqs) and not path.exists():
        return None
    else:
        message = folders.read_numbered(path, seq)
    if message.id != slot.id or (message.sender == own.side) != (slot.kind in OWN):
        raise FileError(f"message {seq} is not the message of the journal")
    return message


def _check_secrets(own: Record, chain: Chain) -> None:
    """Raise FileError if key, secret or sealed choices do not fit the messages. A key of SSH itself never travels."""
    key = Path(own.key)
    if key.is_file() and keys.load_key(key).public != chain.keys[own.side]:
        raise FileError("its key is not the key of the game")
    if len(own.secret) != commit.HASH_BYTES or not desks.fits_commitment(chain, own.side, own.secret):
        raise FileError("its secret does not fit the messages of its player")
    for seal in filter(None, [chain.seals.get(own.side)]):
        slot = own.read_slot(seal.seq)
        for label, opened in slot.seals.items() if slot is not None else ():
            salt, value = bytes.fromhex(opened["salt"]), opened["value"]
            if commit.choice_hash(chain.nonce, seal.seq, label, salt, value).hex() != seal.hashes.get(label):
                raise FileError(f"{label} differs from the sealed choice of message {seal.seq}")


def choose_files(home: Path, folder: Saved, taken: Sequence[str], *, own: bool) -> Iterator[str]:
    """Yield the files to write. Nothing is written into a game that stays; a stranger's folder brings only games."""
    games = {record[-16:] for record in taken}
    pairs = {name for record in taken for name in _find_keys(folder, record)}
    damaged = {name.split("/")[0] for name in folder.faults}
    for name in folder.files:
        first = name.split("/")[0]
        if first in _WHOLE:
            wanted = own and first not in damaged and not (home / first).exists()
        elif game := get_game(name):
            listed = saved.PLACE.match(name)
            wanted = game in games and (listed is None or listed[0] in taken)
        else:
            wanted = (own or name in pairs) and name not in folder.faults and not (home / name).exists()
        if wanted:
            yield name


def find_signer(home: Path, folder: Saved, *, fresh: bool) -> tuple[bool, str]:
    """Return whether a saved folder counts as the player's own, and a line about its signature.

    ``fresh``: no game is here. Without a key here, the player compares the fingerprint.
    """
    mine = set[str]()
    with suppress(KurskError):
        last = remembered.recall(home).usable_key
        for path in [last] if last else [Path(record.key) for record in journal.load_records(home)[0]]:
            with suppress(KurskError):
                mine.add(keys.load_key(path).public)
    name = f" of {folder.name}" if folder.name else ""
    who = f"signed by the key {sshsig.fingerprint(folder.signer)}{name}" if folder.signer else "unsigned"
    if folder.signer in mine:
        return True, f"{who}, which is your key"
    if fresh and not mine:
        return True, f"{who}. No key is here to compare: open the file only if you have saved it yourself"
    return False, f"a stranger's folder, if you have not saved it yourself: {who}"


def describe(folder: Saved, here: Mapping[str, int], left: Mapping[str, str], names: Sequence[str]) -> Iterator[str]:
    """Yield a line for each listed record, then for other files. ``here``: the newest number of each record here."""
    for record, newest in folder.newest.items():
        told = saved.parse(folder.files.get(f"{record}/game.json", b""))
        name = f"game {record[-16:-8]}, {told.get('side', '')}"
        name += f" against {' '.join(str(told['opponent']).split())}" if told.get("opponent") else ""
        if record in left:
            yield f"{name}: is not opened, because it is not whole: {left[record]}"
        elif f"{record}/game.json" not in names:
            yield f"{name}: stays as it is here, with message {here.get(record)}"
        else:
            now = f"replaces the game here, with message {here[record]}" if record in here else "is new here"
            yield f"{name}: opens with message {newest['number']}, and {now}"
    others = {name: name.split("/")[0] for name in folder.files if not get_game(name)}
    come = {first for name, first in others.items() if name in names}
    for what, listed in ("also opened", come), ("not opened", {*others.values()} - come):
        if listed:
            yield f"{what}: {', '.join(sorted(listed))}"
