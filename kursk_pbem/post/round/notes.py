"""Automatic letters in words from a referee's mailbox: answers, reminders, the director's list.

The outbox sends them like letters with turns, one to a reader in a round. They contain no new turns, declare themselves
as automatic (RFC 3834), and answer no program.
"""

from __future__ import annotations

from pathlib import Path

from kursk_pbem.desk.ground import clock
from kursk_pbem.formats.canonical import canon, sha256_hex
from kursk_pbem.frozen import frozen
from kursk_pbem.game import entropy
from kursk_pbem.post.mailbox import address as addresses
from kursk_pbem.post.mailbox import letter as letters
from kursk_pbem.post.mailbox import store
from kursk_pbem.post.mailbox.letter import GENERATED, REPLIED, Item, Letter, Reader
from kursk_pbem.post.mailbox.outbox import WORDS, Box

NOBODY = "0" * 32
"""The mark, in place of a reader's, of letters to the director, who has no key among the players."""
A_DAY = 10
"""Maximum number of answers to one address on one day."""


@frozen
class Note:
    """A letter in words to one person: the ``mark`` of the key, the ``address``, the ``lines`` of the body.

    ``answers``: the Message-ID of the answered mail, or ''; ``game``: the game of its thread, or ''. ``files``: names
    and contents.
    """

    mark: str
    address: str
    subject: str
    lines: list[str]
    kind: str = GENERATED
    answers: str = ""
    game: str = ""
    files: tuple[tuple[str, bytes], ...] = ()


def count_answers(home: Path, address: str, day: str) -> int:
    """Return the number of answers written to one address on one day. Raises DiskError."""
    there = Box(home, WORDS).letters("and data like ?", f'%"date": "{day}T%')
    return sum(one.items[0].kind == REPLIED and addresses.is_same(one.to[0].address, address) for one in there)


def write_note(home: Path, note: Note, sender: str, day: str, key: str) -> None:
    """Save a letter, unless a letter with this ``key`` (the subject) and this ``day`` exists. Raises DiskError."""
    item, body = Item(note.kind, 0, _note_id(home, day, note.mark, key)), "\n".join([*note.lines, ""])
    to, now = (Reader(note.mark, note.address),), clock.now()
    letter = Letter(note.game, (item,), (), to, sender, now, note.subject, body, note.answers, auto=True)
    Box(home, WORDS).write(letter, lambda one: letters.render_letter(one, note.files))


def is_written(home: Path, day: str, mark: str, key: str) -> bool:
    """Return whether the person has a letter with this ``key`` (subject) and day. Raises DiskError."""
    return Box(home, WORDS).holds(letters.digest_of([_note_id(home, day, mark, key)], [mark]))


def _note_id(home: Path, day: str, mark: str, key: str) -> str:
    """Return the secret id of a letter, so others cannot forge its bounce (T60)."""
    if not (secret := store.load_setting(home, "secret")):
        secret = entropy.random_bytes().hex()
        store.save_setting(home, "secret", secret)
    return sha256_hex(canon({"secret": secret, "day": day, "to": mark, "key": key}))
