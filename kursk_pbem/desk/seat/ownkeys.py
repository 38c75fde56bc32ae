"""Keys of the board's player, and known keys of opponents."""

from __future__ import annotations

import os
import re
from pathlib import Path

from kursk_pbem.desk.own import remembered
from kursk_pbem.desk.own.register import GAMES_INSIDE
from kursk_pbem.desk.seat.room import Room
from kursk_pbem.errors import KurskError, UsageError
from kursk_pbem.formats.canonical import REFEREE
from kursk_pbem.formats.text import free_text_fault, show
from kursk_pbem.frozen import frozen
from kursk_pbem.game import disk, entropy, folders, keyring
from kursk_pbem.trust import keys, sshsig

MADE = "keys"
"""Name of the folder, inside the private folder, for keys made at the board."""
LONGEST = 40
"""Maximum length of a player's name in characters."""


@frozen
class OwnKey:
    """A key file of the player with its public key text."""

    path: Path
    public: str

    @property
    def name(self) -> str:
        """The name of the key's file."""
        return self.path.name.removesuffix(".pub")

    @property
    def owner(self) -> str:
        """The name that the player gave a key made in a page; '' for other keys."""
        path = self.path.with_name(f"{self.path.name.removesuffix('.pub')}.pub")
        said = keyring.read_comment(path) if self.path.parent.name == MADE and path.exists() else ""
        return "" if make_file_name(said) == said else said

    @property
    def fingerprint(self) -> str:
        """The fingerprint of the key."""
        return sshsig.fingerprint(self.public)


@frozen
class Opponent:
    """An opponent of the player: name and public key."""

    name: str
    public: str

    @property
    def fingerprint(self) -> str:
        """The fingerprint of the key."""
        return sshsig.fingerprint(self.public)


def list_own_keys(room: Room) -> tuple[list[OwnKey], list[str]]:
    """Return the player's keys, the board's key first, and the reasons why other keys are unusable."""
    paths = [path for path in (room.key, remembered.recall(room.home).usable_key) if path]
    paths += [Path(known.own.key) for known in room.known() if known.own is not None]
    made = sorted((room.home / MADE).glob("*.pub"))
    paths += [path.with_suffix("") if path.with_suffix("").exists() else path for path in made]
    known: dict[str, OwnKey] = {}
    unusable: list[str] = []
    for path in dict.fromkeys(Path(os.path.realpath(path)) for path in paths):
        if room.holds(path, *GAMES_INSIDE):
            continue  # no player chose the keys
        try:
            public = keyring.find_public_key(path)
        except (UsageError, OSError) as error:  # the key file of an old game may be missing
            unusable += [f"{path}: {error}"] if path == room.key or os.path.lexists(path) else []
        else:
            known.setdefault(public, OwnKey(path, public))
    return list(known.values()), unusable


def find_own_key(room: Room, fingerprint: str) -> OwnKey:
    """Return the player's key with a fingerprint. Raises UsageError if the player has no such key."""
    known, _unusable = list_own_keys(room)
    if not known:
        raise UsageError("you have no key yet: make a key on the page of your games")
    for own_key in known:
        if own_key.fingerprint == fingerprint:
            return own_key
    raise UsageError("the chosen key is missing; choose a key from the list")


def list_agent_keys() -> list[tuple[str, str]]:
    """Return fingerprint and comment of each key in ssh-agent."""
    listed = [line.split(None, 2) for line in keys.list_agent_keys()]
    return [(sshsig.fingerprint(" ".join(words[:2])), show(" ".join(words[2:]))) for words in listed]


def make_own_key(room: Room, name: str, how: str = "") -> tuple[OwnKey, str]:
    """Make a key with the owner's name in the private folder; return the key and a note for the player.

    ``how``: '' for no passphrase; ``ask`` to ask for a passphrase in the terminal; or the fingerprint of a key in
    ssh-agent. Raises UsageError.
    """
    said = " ".join(name.split())
    if not said or len(said) > LONGEST or free_text_fault(said):
        raise UsageError(f"type your name for your opponents: up to {LONGEST} letters")
    stem = make_file_name(said)
    folder = room.home / MADE
    disk.make_private(folder)
    number = 1
    while _is_taken(path := folder / (stem if number == 1 else f"{stem}-{number}")):
        number += 1
    comment = said if said.isascii() else stem
    if how not in ("", "ask"):
        return _adopt_agent_key(path.with_name(f"{path.name}.pub"), how, comment)
    made = OwnKey(path, keys.generate_key_pair(path, entropy.random_bytes(), comment))
    if how == "ask" and not keys.set_passphrase(path):
        for half in (path, path.with_name(f"{path.name}.pub")):
            half.unlink()
        raise UsageError(
            "no key was made: you typed no passphrase, or the program ssh-keygen, which asks for it, did not start. "
            "Try again, or choose a key without passphrase"
        )
    return made, "The key has a passphrase: type the passphrase whenever you sign." if how else ""


def _is_taken(path: Path) -> bool:
    return path.exists() or path.with_name(f"{path.name}.pub").exists()


def _adopt_agent_key(path: Path, fingerprint: str, comment: str) -> tuple[OwnKey, str]:
    """Save the public half of a key in ssh-agent; ssh-agent makes the signatures."""
    for line in keys.list_agent_keys():
        public = " ".join(line.split()[:2])
        if sshsig.fingerprint(public) == fingerprint:
            folders.write(path, f"{public} {comment}\n")
            return OwnKey(path, public), "The key stays in your ssh-agent, and ssh-agent signs your messages."
    raise UsageError("the key is no longer in ssh-agent: load the key with 'ssh-add', and try again")


def make_file_name(name: str) -> str:
    """Return a person's name as a file name of small letters and hyphens; 'me' if no letter is left."""
    return re.sub(r"[^a-z0-9]+", "-", name.casefold()).strip("-")[:LONGEST] or "me"


def export_public_key(key: OwnKey) -> tuple[str, str]:
    """Return the name and the text of a file with the public key, to give to opponents."""
    path = key.path if key.path.suffix == ".pub" else key.path.with_name(key.path.name + ".pub")
    name = (keyring.read_comment(path) if path.exists() else "") or key.name
    return f"{make_file_name(name)}.pub", f"{key.public} {name if name.isascii() else make_file_name(name)}\n"


def list_opponents(room: Room) -> list[Opponent]:
    """Return the opponents of this player, one entry for each public key."""
    names: dict[str, str] = {}
    for known in room.known():
        if known.own is None or known.practice or room.both(known.game):
            continue
        try:
            chain = room.desk(known.game).game.chain
        except KurskError:  # the list of games shows the fault
            continue
        public = next((key for side, key in chain.keys.items() if side not in (known.own.side, REFEREE)), "")
        if public and ((known.opponent and not known.opponent.endswith(" player")) or public not in names):
            names[public] = known.opponent
    return [Opponent(name, public) for public, name in names.items()]
