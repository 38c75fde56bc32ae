"""The one reader: what a thing is, and the turns, papers, cards and invitations in it (docs/formats.md 4.1).

A thing is a file, a mail, a pasted text or a link. Reading changes and fetches nothing. A turn is accepted if its
signature fits the key named in the signature; the chain checks later for the right key.
"""

from __future__ import annotations

import re
from dataclasses import replace

from kursk_pbem.errors import AlteredError, FileError, TrustError, Where
from kursk_pbem.formats import strictyaml
from kursk_pbem.formats.canonical import MAX_BYTES
from kursk_pbem.trust import form, messages, sofar, sshsig, turns
from kursk_pbem.trust.allowance import Allowance, reading_cost
from kursk_pbem.trust.card import Card
from kursk_pbem.trust.turns import AnyTurn, Reading

_ALONE = re.compile(rb"(?:\xef\xbb\xbf)?+(?:(?:[ \t]*+(?:#[^\n]*+)?+|---[ \t]*+)\r?+\n)*+kursk-pbem:")
"""The beginning of a turn file that is no mail: only comments before the first line."""
_SIGNS = (b"kursk-pbem", b"signature")
_BEGINNING = 2_048
MAX_THING = 32 * 1024 * 1024
"""Maximum size, in bytes, of a thing to read, such as a saved mail or mailbox."""
_KINDS: tuple[tuple[str, str], ...] = (
    (r"\s*\Z", "an empty file"),
    (r"(?i)\s*(<!doctype html|<html|<svg|<\?xml)", "a page or a picture without a turn"),
    (r"\S*#k[0-9]+\.", "a link without a turn"),
    (r"(?im)(?s:.*)^(from|subject|received|mime-version|content-type):", turns.MAIL),
)
"""The beginning of a thing without anything to take, and what the thing is."""


def read_thing(raw: bytes, name: str, allowance: Allowance | None = None, *, check: bool = True) -> Reading:
    """Return the turns and papers in a file, mail, text or link. Raises FileError if it is too large.

    ``name``: the name in messages. ``check``: accept a turn only if the signature fits the key named in the signature.
    """
    if len(raw) > MAX_THING:
        raise FileError(f"the file has more than {MAX_THING >> 20} MiB; save only the mail with the turn", Where(name))
    allowance = allowance or Allowance.of_file(raw, name)
    alone = _read_alone(raw, name, allowance, check=check)
    if alone is not None and not isinstance(alone, FileError):
        return _hold(alone, name)
    from kursk_pbem.trust import blocks  # noqa: PLC0415  not needed for a turn file

    reading, cut = blocks.read_mail(raw, name, allowance, check=check)
    if alone is not None and not reading.anything:
        return replace(reading, faults=(FileError(reading.faults[0].message, alone.where) if cut else alone,))
    if not reading.anything and not allowance.spent and len(raw) <= MAX_BYTES and all(each in raw for each in _SIGNS):
        other = _parse_turn(raw, name, allowance, check=check)  # perhaps in another layout of YAML
        if not isinstance(other, FileError):
            return _hold(other, name)
    return reading if reading.anything or reading.faults else replace(reading, kind=_name_kind(raw))


def _hold(turn: AnyTurn, name: str) -> Reading:
    return Reading(name, cards=(turn,)) if isinstance(turn, Card) else Reading(name, (turn,))


def _name_kind(raw: bytes) -> str:
    """Return what a thing without a turn is, by its beginning."""
    head = raw[:_BEGINNING].decode("ascii", "replace")
    return turns.name_text(raw) or next((kind for form, kind in _KINDS if re.match(form, head)), turns.TEXT)


def _read_alone(raw: bytes, name: str, allowance: Allowance, *, check: bool) -> AnyTurn | FileError | None:
    """Return the turn of a pure turn file, or the reason; None for everything else."""
    begins = _ALONE.match(raw, 0, MAX_BYTES)
    if begins is None:
        return None
    if len(raw) > MAX_BYTES:
        from kursk_pbem.trust.mailtext import TOO_LONG  # noqa: PLC0415  as above

        line = begins[0].replace(b"\r\n", b"\n").replace(b"\r", b"\n").count(b"\n") + 1
        return FileError(TOO_LONG, Where(name, line))
    return _parse_turn(raw, name, allowance, check=check)


def _parse_turn(raw: bytes, name: str, allowance: Allowance, *, check: bool) -> AnyTurn | FileError:
    """Return the turn of a turn file in any layout, or the reason."""
    allowance.take(2 * reading_cost(raw))
    try:
        document = strictyaml.read(raw, name)
        turn = turns.parse_turn(document)
    except FileError as error:
        return messages.add_advice(error, raw, name)
    where = document.where(("signature",))
    if sshsig.END not in turn.armour:
        return FileError(f"the turn is cut off: the end of the signature is missing; {messages.SIGNED}", where)
    try:
        if check:
            form.check_signature(document.data, sshsig.NAMESPACE)
    except TrustError as error:
        return AlteredError(f"the turn was changed on the way: {error.message}", where)
    return replace(turn, below=sofar.find_block(raw, allowance))
