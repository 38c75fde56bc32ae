"""Papers of tournaments in mails and files, read like turns (docs/formats.md 4.1).

A paper is accepted only with a valid signature by the key that the signature names.
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
"""The cost of an error message about a paper's form, in tenths of a microsecond."""


def bundle_papers(bundled: Iterable[Paper]) -> str:
    """Return several papers as one text, readable by :func:`find`."""
    return "\n".join(forms.emit_paper(paper) for paper in bundled)


def find_papers(
    raw: bytes, name: str, allowance: Allowance | None = None, opened: Opened | None = None
) -> tuple[list[Paper], list[FileError]]:
    """Return the papers with a valid signature, without duplicates, and the errors of the others.

    ``opened``: the mail, if already opened. The last error says if the ``allowance`` is spent (T27).
    """
    allowance = allowance or Allowance.of_file(raw, name)
    papers, faults = dict[str, Paper](), list[FileError]()
    for block in mailtext.find_blocks(opened or mailtext.open_mail(raw, name), name, FIRST_WORD):
        try:
            paper = _read_block(block, name, allowance)
        except FileError as error:
            faults.append(error)
            if allowance.spent:
                break
        else:
            papers.setdefault(paper.id, paper)
    return list(papers.values()), faults


def _read_block(block: Block, name: str, allowance: Allowance) -> Paper:
    allowance.take(reading_cost(block.text))
    if block.fault:
        raise FileError(f"the paper {block.fault}: {AGAIN}", Where(name))
    name = f"{name} ({block.place})" if block.place else name
    document = strictyaml.read(block.text, name, "tournament")
    allowance.take(excess_cost(document))
    if not forms.has_paper_form(document):
        allowance.take(_WORDS + 2 * reading_cost(block.text))
    paper = forms.parse_paper(document)
    try:
        key = sshsig.public_text(sshsig.read_armour(paper.armour)[33:65])
        sshsig.verify(key, NAMESPACE, paper.signed, paper.armour)
    except TrustError as error:
        raise FileError(f"{error.message}: {AGAIN}", error.where) from None
    return paper
