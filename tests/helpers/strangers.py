"""Strangers to a tournament and their signed papers."""

from kursk_pbem.tournament.papers import fields, forms
from kursk_pbem.trust import keys


def stranger(number):
    """Return a stranger's key."""
    return keys.from_seed(number.to_bytes(32, "big"))


def says(book, signer, kind=fields.ENTRY, **said):
    """Return a signed paper; ``by``: the key named in the paper, if not the signer's."""
    by = said.pop("by", signer.public)
    if kind == fields.ENTRY:
        said = {"name": "puppet", "draw": "0", "commit": "ab" * 32, **said}
    seen = said.pop("seen", {"seq": "0", "id": book.log[0].id})
    head = {"kursk-tournament": fields.VERSION, "type": kind, "tournament": book.id, "from": by, "seen": seen}
    head["time"] = "2027-01-01T12:00:00Z"
    return forms.sign_paper({**head, **said}, signer, "a paper")
