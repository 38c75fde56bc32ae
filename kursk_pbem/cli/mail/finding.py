"""Who is meant by what was typed: by name or its beginning, by fingerprint, or by an address."""

from __future__ import annotations

from collections.abc import Iterable

from kursk_pbem.errors import UsageError
from kursk_pbem.post.mailbox import address as addresses
from kursk_pbem.post.mailbox.people import Person

_DIGITS = 8
"""Characters of a fingerprint that a name may not pretend to be."""


def find(people: Iterable[Person], typed: str, asked: str = "") -> Person:
    """The one person that is meant. UsageError.

    ``asked``: of several, whoever alone is asked about at this address is meant. Anybody may take another's name.
    """
    listed = list(people)
    word = typed.casefold().strip()
    whole = [person for person in listed if word == person.fingerprint.casefold()]
    exact = whole or [person for person in listed if word and _called(person, word)]
    matching = exact or [person for person in listed if word and _matches(person, word)]
    if len(matching) > 1 and asked:
        there = [person for person in matching if any(addresses.same(entry.text, asked) for entry in person.asked)]
        matching = there or matching
    if len(matching) == 1:
        return matching[0]
    if not matching:
        raise UsageError(f"{typed}: nobody is called so; 'kursk people' lists everybody, --key FILE.pub names a key")
    names = "".join(f"\n  {person.named}" for person in matching)
    raise UsageError(f"{typed}: several people may be meant; name one by the fingerprint:{names}")


def _called(person: Person, word: str) -> bool:
    """Whether a word is somebody's name, address, or much of their fingerprint.

    An opponent chooses their name, and may take the address of another for it: then several are meant.
    """
    begins = len(word) >= _DIGITS and _begins_print(person, word)
    return begins or word == person.name.casefold() or _is_at(person, word)


def _matches(person: Person, word: str) -> bool:
    begins = any(part.startswith(word) for part in (person.name.casefold(), *person.name.casefold().split()))
    return begins or _begins_print(person, word)


def _is_at(person: Person, word: str) -> bool:
    return any(addresses.same(entry.text, word) for entry in person.addresses)


def _begins_print(person: Person, word: str) -> bool:
    """Whether somebody's fingerprint begins so, with 'SHA256:' or without."""
    return person.fingerprint.casefold().removeprefix("sha256:").startswith(word.removeprefix("sha256:"))
