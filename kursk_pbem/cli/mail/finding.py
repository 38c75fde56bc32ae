"""Finding a person by name, part of a name, fingerprint or address."""

from __future__ import annotations

from collections.abc import Iterable

from kursk_pbem.errors import UsageError
from kursk_pbem.post.mailbox import address as addresses
from kursk_pbem.post.mailbox.people import Person

_DIGITS = 8
"""Length of a fingerprint prefix that no person can imitate as a name."""
_WHOLE, _CALLED, _ALIKE, _OTHER = range(4)


def find_person(people: Iterable[Person], typed: str, asked: str = "") -> Person:
    """Return the only matching person. Raises UsageError for none or several.

    ``asked``: prefer the person with this unconfirmed address, because people can share a name.
    """
    ranked = [(_rank_person(person, typed.casefold().strip()), person) for person in people]
    best = min((rank for rank, _person in ranked), default=_OTHER)
    if best == _OTHER:
        raise UsageError(f"{typed}: nobody is called so; 'kursk people' lists everybody, --key FILE.pub names a key")
    matching = [person for rank, person in ranked if rank == best]
    if len(matching) > 1 and asked:
        there = [one for one in matching if any(addresses.is_same(entry.text, asked) for entry in one.asked)]
        matching = there or matching
    if len(matching) == 1:
        return matching[0]
    names = "".join(f"\n  {person.named}" for person in matching)
    raise UsageError(f"{typed}: several people may be meant; name one by the fingerprint:{names}")


def _rank_person(person: Person, word: str) -> int:
    """Return how well a word names a person. An opponent can choose another person's address as a name."""
    name, key = person.name.casefold(), person.fingerprint.casefold()
    begins = bool(word) and key.removeprefix("sha256:").startswith(word.removeprefix("sha256:"))
    if word == key:
        return _WHOLE
    if word and (word == name or (begins and len(word) >= _DIGITS)):
        return _CALLED
    if any(addresses.is_same(entry.text, word) for entry in person.addresses):
        return _CALLED
    return _ALIKE if begins or (word and any(part.startswith(word) for part in (name, *name.split()))) else _OTHER
