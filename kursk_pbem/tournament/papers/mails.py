"""Papers of tournaments in mails and files, read like turns (docs/formats.md 4.1).

A paper is accepted only with a valid signature by the key that the signature names.
"""

from __future__ import annotations

from collections.abc import Iterable

from kursk_pbem.errors import FileError, TrustError
from kursk_pbem.formats.precheck import is_accepted
from kursk_pbem.formats.strictyaml import Document
from kursk_pbem.tournament.papers import forms
from kursk_pbem.tournament.papers.forms import NAMESPACE, Paper
from kursk_pbem.trust import blocks, sshsig, turns
from kursk_pbem.trust.allowance import Allowance, reading_cost
from kursk_pbem.trust.turns import Reading


def bundle_papers(bundled: Iterable[Paper]) -> str:
    """Return several papers as one text that the program can read from a mail."""
    return "\n".join(forms.emit_paper(paper) for paper in bundled)


def parse_papers(reading: Reading, allowance: Allowance) -> tuple[list[Paper], list[FileError]]:
    """Return the different papers with a valid signature in a mail or file, and the errors of other papers.

    If reading has used up the ``allowance`` (limit of work), the last error says so (T27).
    """
    papers, faults = dict[str, Paper](), list(reading.event_faults)
    for document in reading.papers:
        try:
            paper = _parse_paper(document, allowance)
        except FileError as error:
            faults.append(error)
            if allowance.spent:
                break
        else:
            papers.setdefault(paper.id, paper)
    return list(papers.values()), faults


def _parse_paper(document: Document, allowance: Allowance) -> Paper:
    if not is_accepted(document.data, forms.SCHEMA):  # a fast test without explanations
        allowance.take(blocks.WORDS + 2 * reading_cost(document.raw))
    paper = forms.parse_paper(document)
    try:
        sshsig.verify(sshsig.find_signer(paper.armour), NAMESPACE, paper.signed, paper.armour)
    except TrustError as error:
        raise FileError(f"{error.message}: {turns.AGAIN}", error.where) from None
    return paper
