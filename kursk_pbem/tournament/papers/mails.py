"""Papers of tournaments in a mail, or in a file of several: read like turns (docs/formats.md 4.1).

A paper is taken only if its signature fits, by the key that the signature itself names.
"""

from __future__ import annotations

from collections.abc import Iterable

from kursk_pbem.errors import FileError, TrustError, Where
from kursk_pbem.formats import strictyaml
from kursk_pbem.tournament.papers import forms
from kursk_pbem.tournament.papers.forms import FIRST_WORD, NAMESPACE, Paper
from kursk_pbem.trust import mailtext, sshsig
from kursk_pbem.trust.allowance import Allowance, excess_cost, reading_cost
from kursk_pbem.trust.mail import AGAIN
from kursk_pbem.trust.mailtext import Block, Opened

_WORDS = 45_000
"""What it costs to say what is wrong with the form of a paper, in tenths of a microsecond."""


def bundle(bundled: Iterable[Paper]) -> str:
    """Return several papers as one text, one after the other; :func:`find` takes it apart again."""
    return "\n".join(forms.emit(paper) for paper in bundled)


def find(
    raw: bytes, name: str, allowance: Allowance | None = None, opened: Opened | None = None
) -> tuple[list[Paper], list[FileError]]:
    """Return every paper in ``raw`` whose signature fits, in order, each once; and why others cannot be read.

    ``name`` is the file as a person calls it; ``opened``: the mail, if already opened. FileError if there is too much
    in it. If the ``allowance`` does not last, the last fault says so (T27).
    """
    allowance = allowance or Allowance.of_file(raw, name)
    papers, faults = dict[str, Paper](), list[FileError]()
    for block in mailtext.find_blocks(opened or mailtext.open_mail(raw, name), name, FIRST_WORD):
        try:
            paper = _read(block, name, allowance)
        except FileError as error:
            faults.append(error)
            if allowance.spent:
                break
        else:
            papers.setdefault(paper.id, paper)
    return list(papers.values()), faults


def _read(block: Block, name: str, allowance: Allowance) -> Paper:
    allowance.take(reading_cost(block.text))
    if block.fault:
        raise FileError(f"the paper in it {block.fault}: {AGAIN}", Where(name))
    name = f"{name} ({block.place})" if block.place else name
    document = strictyaml.read(block.text, name, "tournament")
    allowance.take(excess_cost(document))
    if not forms.fits(document):
        allowance.take(_WORDS + 2 * reading_cost(block.text))
    paper = forms.of(document)
    try:
        key = sshsig.public_text(sshsig.read_armour(paper.armour)[33:65])
        sshsig.verify(key, NAMESPACE, paper.signed, paper.armour)
    except TrustError as error:
        raise FileError(f"{error.message}: {AGAIN}", error.where) from None
    return paper
