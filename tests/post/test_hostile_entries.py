"""Strangers and entrants who mail papers of a tournament to harm the others (SECURITY.md)."""

from __future__ import annotations

from datetime import timedelta

from helpers.cup_by_mail import announced, enters
from helpers.mailbags import letter

from kursk_pbem.tournament import letters as drafts
from kursk_pbem.tournament import private
from kursk_pbem.tournament.office import post
from kursk_pbem.tournament.papers import fields, forms, mails
from kursk_pbem.trust import keys

DAY = timedelta(days=1)
ALIKE = (
    "d305119db03602f563c4bb3d978685c21fab2273dac24c0c19615764fcd4af57",
    "6723a733688bf1da62c3381b761e89f9545000c740c93a7a3be5b06fc26a4bb4",
)
"""Two keys that were looked for until the hashes of their public halves began alike: 100,000 tries, four seconds."""


def says(book, signer, kind=fields.ENTRY, **said):
    """A paper that somebody signs; ``by``: the key that stands in it, if it is another one."""
    by = said.pop("by", signer.public)
    if kind == fields.ENTRY:
        said = {"name": "puppet", "draw": "0", "commit": "ab" * 32, **said}
    seen = said.pop("seen", {"seq": "0", "id": book.log[0].id})
    head = {"kursk-tournament": forms.VERSION, "type": kind, "tournament": book.id, "from": by, "seen": seen}
    return forms.sign({**head, **said}, signer, "a paper")


def arrives(cup, member, *papers, sender="stranger@example.test"):
    """A mail with papers comes to somebody, who does a round of post."""
    raw = mails.bundle(papers).encode("ascii")
    cup.office.put(letter(raw, sender, f"[kursk {cup.book().id[:8]}] news"), member.address)
    return member.post()


def stranger(number):
    return keys.from_seed(number.to_bytes(32, "big"))


def test_two_keys_that_begin_alike_have_letters_of_their_own(time, tmp_path):
    cup = announced(tmp_path, time)
    puppets = [keys.from_seed(bytes.fromhex(seed)) for seed in ALIKE]
    arrives(cup, cup.ref, *(says(cup.book(), puppet, name=f"q{n}") for n, puppet in enumerate(puppets)))
    enters(cup)
    cup.direct("tournament", "inbox")
    assert len(cup.book().entrants) == 3
    cup.ref.sits()
    cup.time.now += DAY
    day = cup.ref.post()
    assert day.refused == []
    assert len(post.readers_of(cup.book())) == 3
    assert len(drafts.waiting(private.every(cup.ref.friend.home)[0].letters)) == 3
