"""The keys of the player at a board, one that is made in a page, and the opponents whose keys are known here."""

from __future__ import annotations

import os
import re
from dataclasses import dataclass
from pathlib import Path

from kursk_pbem.desk.seat.room import Room
from kursk_pbem.errors import KurskError, UsageError
from kursk_pbem.formats.canonical import REFEREE
from kursk_pbem.formats.text import free_text_fault, show
from kursk_pbem.game import entropy, folders, keyring
from kursk_pbem.trust import keys, sshsig

MADE = "keys"
"""The folder, inside the private one, of keys that were made in a page."""
LONGEST = 40
"""Characters of the name that a player gives themselves."""


@dataclass(frozen=True)
class OwnKey:
    """A key file of this player, by what it is: its ``public`` text."""

    path: Path
    public: str

    @property
    def name(self) -> str:
        """What its owner has called it."""
        return self.path.name.removesuffix(".pub")

    @property
    def owner(self) -> str:
        """The name that its owner gave when it was made in a page; '' for other keys."""
        path = self.path.with_name(f"{self.path.name.removesuffix('.pub')}.pub")
        said = keyring.comment(path) if self.path.parent.name == MADE and path.exists() else ""
        return "" if file_name(said) == said else said

    @property
    def fingerprint(self) -> str:
        """What a page calls it."""
        return sshsig.fingerprint(self.public)


@dataclass(frozen=True)
class Opponent:
    """Somebody with whom this player has a game: their name, their key."""

    name: str
    public: str

    @property
    def fingerprint(self) -> str:
        """What a page calls them."""
        return sshsig.fingerprint(self.public)


def every(room: Room) -> tuple[list[OwnKey], list[str]]:
    """The keys that this player has used or made, a named one first; and why others cannot be used."""
    paths = [room.key] if room.key else []
    paths += [Path(known.own.key) for known in room.known() if known.own is not None]
    made = sorted((room.home / MADE).glob("*.pub"))
    paths += [path.with_suffix("") if path.with_suffix("").exists() else path for path in made]
    known: dict[str, OwnKey] = {}
    unusable = []
    for path in dict.fromkeys(Path(os.path.realpath(path)) for path in paths):
        if room.demonstrates(path):
            continue  # everybody who looks around has one; it is nobody's own
        try:
            public = keyring.public_of(path)
        except (UsageError, OSError) as error:  # an old game's key may be gone long since
            unusable += [f"{path}: {error}"] if path == room.key or os.path.lexists(path) else []
        else:
            known.setdefault(public, OwnKey(path, public))
    return list(known.values()), unusable


def chosen(room: Room, fingerprint: str) -> OwnKey:
    """The key with this fingerprint. UsageError if this player has none."""
    known, _unusable = every(room)
    if not known:
        raise UsageError("no key of yours is known here yet: make one on the page of your games")
    for own_key in known:
        if own_key.fingerprint == fingerprint:
            return own_key
    raise UsageError("choose one of your keys from the list; the one that was chosen is not there any more")


def in_agent() -> list[tuple[str, str]]:
    """The keys that ssh-agent holds: the fingerprint of each and what it is called."""
    listed = [line.split(None, 2) for line in keys.list_agent_keys()]
    return [(sshsig.fingerprint(" ".join(words[:2])), show(" ".join(words[2:]))) for words in listed]


def make(room: Room, name: str, how: str = "") -> tuple[OwnKey, str]:
    """A key named after its owner, in the private folder, and what is to be said of it. UsageError.

    ``how``: '' without a passphrase, ``ask`` with one that is asked on the terminal; otherwise the fingerprint of a key
    that ssh-agent holds, of which only the public half is written down.
    """
    said = " ".join(name.split())
    if not said or len(said) > LONGEST or free_text_fault(said):
        raise UsageError(f"say what your opponents call you: up to {LONGEST} letters")
    stem = file_name(said)
    folder = room.home / MADE
    folders.make(folder)
    number = 1
    while _taken(path := folder / (stem if number == 1 else f"{stem}-{number}")):
        number += 1
    comment = said if said.isascii() else stem
    if how not in ("", "ask"):
        return _adopted(path.with_name(f"{path.name}.pub"), how, comment)
    made = OwnKey(path, keys.generate_key_pair(path, entropy.fresh(), comment))
    if how == "ask" and not keyring.protect(path):
        return made, f"It has no passphrase, for none was given: 'ssh-keygen -p -f {path}' asks for one."
    return made, "It has a passphrase, which is asked each time you sign." if how else ""


def _taken(path: Path) -> bool:
    return path.exists() or path.with_name(f"{path.name}.pub").exists()


def _adopted(path: Path, fingerprint: str, comment: str) -> tuple[OwnKey, str]:
    """The public half of a key that ssh-agent holds, as a file: with it the agent is asked to sign."""
    for line in keys.list_agent_keys():
        public = " ".join(line.split()[:2])
        if sshsig.fingerprint(public) == fingerprint:
            folders.write(path, f"{public} {comment}\n")
            return OwnKey(path, public), "It stays in your ssh-agent, which is asked each time you sign."
    raise UsageError("ssh-agent does not hold this key any more: load it with 'ssh-add', and try again")


def file_name(name: str) -> str:
    """A name as that of a file, in small letters and hyphens; 'me' where nothing is left of it."""
    return re.sub(r"[^a-z0-9]+", "-", name.casefold()).strip("-")[:LONGEST] or "me"


def to_send(key: OwnKey) -> tuple[str, str]:
    """The public key as a file for opponents: its name and its text, with its owner's name behind it."""
    path = key.path if key.path.suffix == ".pub" else key.path.with_name(key.path.name + ".pub")
    name = (keyring.comment(path) if path.exists() else "") or key.name
    return f"{file_name(name)}.pub", f"{key.public} {name if name.isascii() else file_name(name)}\n"


def opponents(room: Room) -> list[Opponent]:
    """Those with whom this player has games, each key once, with the last name other than that of a side."""
    names: dict[str, str] = {}
    for known in room.known():
        if known.own is None or room.both(known.game):
            continue
        try:
            chain = room.desk(known.game).game.chain
        except KurskError:  # the list of games says what is wrong with it
            continue
        public = next((key for side, key in chain.keys.items() if side not in (known.own.side, REFEREE)), "")
        if public and ((known.opponent and not known.opponent.endswith(" player")) or public not in names):
            names[public] = known.opponent
    return [Opponent(name, public) for public, name in names.items()]
