"""Papers found in what a mail program saves, or in files of several: the same search as for turns (protocol 4.1).

Nothing here is believed: a copy is taken only if its signature fits it, by the key that the signature itself names.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from kursk_pbem.errors import FileError, TrustError, Where
from kursk_pbem.formats import strictyaml
from kursk_pbem.formats.strictyaml import Document
from kursk_pbem.tournament.papers import forms
from kursk_pbem.tournament.papers.forms import FIRST_WORD, NAMESPACE, Paper
from kursk_pbem.trust import mailcopies, sshsig
from kursk_pbem.trust.allowance import Allowance, beyond, cost
from kursk_pbem.trust.mailcopies import MAGIC
from kursk_pbem.trust.mailtext import Region, regions

_START = f"{FIRST_WORD}:".encode("ascii")
_WORDS = 45_000
"""What it costs to say what is wrong with the form of a paper, in tenths of a microsecond."""
_CUT = "the paper that begins here is cut off: its signature does not end. Ask for it again, as an attachment"
_MARKS = re.compile(rb"(?m)^[ \t>|]+")


def bundle(bundled: Iterable[Paper]) -> str:
    """Several papers as one text, one after the other; :func:`find` takes it apart again."""
    return "\n".join(forms.emit(paper) for paper in bundled)


def holds_any(raw: bytes) -> bool:
    """Whether any paper may be in a file, in its own lines or encoded."""
    return _START in raw or b"ontent-" in raw


def find(raw: bytes, name: str, allowance: Allowance | None = None) -> tuple[list[Paper], list[FileError]]:
    """Every paper in ``raw`` whose signature fits it, in order, each once; and why others cannot be read.

    ``name`` is the file as a person calls it. FileError where there is too much to look through. Where the
    ``allowance`` does not last, the rest is left, and the last of the faults says so (T27); what has no signature comes
    last. Where none is whole, one that was cut off is a fault.
    """
    by_id: dict[str, Paper] = {}
    faults: list[tuple[FileError, bytes]] = []
    read: set[bytes] = set()
    allowance = allowance or Allowance.of_file(raw, name)
    there = regions(raw, name, _START)
    complete = [region for region in there if region.complete]
    if not complete and (cut := next((region for region in there if not mailcopies.is_quoted(region)), None)):
        return [], [FileError(_CUT, Where(name, cut.line))]
    for region in sorted(complete, key=lambda region: not mailcopies.armour(region.text()).startswith(MAGIC)):
        try:
            paper = _read(region, f"{name} ({region.place})", allowance)
        except FileError as error:
            faults.append((error, mailcopies.armour(region.text()) if region.shown else b""))
            if allowance.spent:
                break
            continue
        by_id.setdefault(paper.id, paper)
        read.add(mailcopies.armour(region.text()))
    # a name may look like a mark of a page: then a paper that was read is shown without it, too
    return list(by_id.values()), [fault for fault, shown in faults if shown not in read]


def _read(region: Region, name: str, allowance: Allowance) -> Paper:
    """The paper of a region, as it stands or without what mails put in. FileError."""
    fault: FileError | None = None
    odd: Document | None = None
    for text in _repaired(region):
        allowance.take(cost(text))
        try:
            document = strictyaml.read(text, name, "tournament")
            if not forms.fits(document):
                odd = odd or document
                continue
            paper = forms.of(document)
            allowance.take_good(beyond(paper.document))
            sshsig.verify(_signer(paper), NAMESPACE, paper.signed, paper.armour)
        except FileError as error:
            fault = fault or error
            allowance.take(2 * (cost(text) - cost(b"")))  # to put that into words
        except TrustError as error:
            fault = FileError(error.message, error.where)
        else:
            allowance.fits(cost(text))
            return paper
    if fault is None and odd is not None:
        allowance.take(_WORDS + 2 * (cost(odd.raw) - cost(b"")))
        forms.of(odd)
    assert fault is not None  # noqa: S101  there is at least the text as it stands
    raise fault


def _signer(paper: Paper) -> str:
    """The key that a signature names: whether it is the right one is not asked here. TrustError."""
    return sshsig.public_text(sshsig.dearmour(paper.armour)[33:65])


def _repaired(region: Region) -> Iterator[bytes]:
    """The text as it stands, then without marks of quotation, blanks at line ends and empty lines."""
    text = region.text()
    yield text + b"\n"
    if region.prefix:
        depth = len(region.prefix)
        text = b"\n".join(line[depth:] if _MARKS.match(line) else line for line in text.split(b"\n"))
        yield text + b"\n"
    yield b"".join(line.rstrip() + b"\n" for line in text.split(b"\n") if line.strip())
