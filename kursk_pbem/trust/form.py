"""Checks of signed papers beyond their schema: the release, the fields of a type, times, the signature in the file."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping, Sequence

from kursk_pbem.errors import TOO_EARLY, EarlyError, FileError, NewerError, TrustError
from kursk_pbem.formats import times
from kursk_pbem.formats.canonical import Plain, canon
from kursk_pbem.formats.strictyaml import Document
from kursk_pbem.formats.text import show
from kursk_pbem.trust import sshsig

_NUMBER = re.compile("[1-9][0-9]{0,5}")


def refuse_later(document: Document, word: str, types: Collection[str] = (), fields: Collection[str] = ()) -> None:
    """Raise NewerError for a paper of a later release. ``word``: the paper's first word and signature namespace.

    A paper is of a later release if the form number differs, or if an undamaged paper has an unknown type or field.
    """
    number, kind = document.data.get(word), document.data.get("type")
    if isinstance(number, str) and _NUMBER.fullmatch(number) and int(number) > 1:
        why = f"{word} has form {number}, and this release reads form 1: it needs a newer program"
        raise NewerError(why, document.where((word,)))
    odd = "type" if kind not in tuple(types) else next((name for name in document.data if name not in fields), "")
    if types and odd and fits_its_key(document.data, word):
        told = f"type {show(str(kind))}" if odd == "type" else f"field {show(odd)}"
        raise NewerError(f"this release does not know the {told}: it needs a newer program", document.where((odd,)))


def refuse_early(document: Document) -> None:
    """Raise EarlyError if a tournament's paper was made before release 1.0."""
    data, word = document.data, "kursk-tournament"
    if data.get(word) == "1" or (data.get(word) == "2" and data.get("type") == "rules" and "times" not in data):
        raise EarlyError(f"the tournament {TOO_EARLY}", document.where((word,)))


def fits_its_key(data: Mapping[str, Plain], namespace: str) -> bool:
    """Return whether a file's signature is valid for the file's other fields and the key named in the signature."""
    try:
        check_signature(data, namespace)
    except TrustError:
        return False
    return True


def check_signature(data: Mapping[str, Plain], namespace: str) -> None:
    """Check a file's signature by the key named in the signature. Raises TrustError if the signature is invalid."""
    armour = data.get("signature")
    signed = {name: value for name, value in data.items() if name not in ("signature", "state")}
    sshsig.verify(sshsig.find_signer(str(armour)), namespace, canon(signed), str(armour))


def need_fields(document: Document, what: str, missing: Sequence[str], surplus: Sequence[str]) -> None:
    """Raise FileError if fields are missing or not allowed. ``what``: the paper's type with an article, for errors."""
    if missing:
        raise FileError(f"{what} must hold {', '.join(missing)}", document.where())
    if surplus:
        raise FileError(f"{what} holds no field {surplus[0]!r}", document.where((surplus[0],)))


def need_times(document: Document, names: Iterable[str]) -> None:
    """Raise FileError if one of the named fields exists and is no time. A schema has checked that the field is text."""
    for name in names:
        if name in document.data and not times.is_time(str(document.data[name])):
            why = f"{show(str(document.data[name]))} is no valid time; an example is {times.EXAMPLE}"
            raise FileError(why, document.where((name,)))
