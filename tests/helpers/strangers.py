"""Strangers to a tournament, and the papers that they sign."""

from kursk_pbem.tournament.papers import fields, forms
from kursk_pbem.trust import keys


def stranger(number):
    """Somebody's key."""
    return keys.from_seed(number.to_bytes(32, "big"))


def says(book, signer, kind=fields.ENTRY, **said):
    """A paper that somebody signs; ``by``: the key that stands in it, if it is another one."""
    by = said.pop("by", signer.public)
    if kind == fields.ENTRY:
        said = {"name": "puppet", "draw": "0", "commit": "ab" * 32, **said}
    seen = said.pop("seen", {"seq": "0", "id": book.log[0].id})
    head = {"kursk-tournament": fields.VERSION, "type": kind, "tournament": book.id, "from": by, "seen": seen}
    head["time"] = "2027-01-01T12:00:00Z"
    return forms.sign_paper({**head, **said}, signer, "a paper")
