"""A paper of a tournament counts as something new of whoever has signed it, and of nobody else."""

import pytest

from kursk_pbem.post import people, sorting
from kursk_pbem.post.envelope import Mail
from kursk_pbem.post.tournaments import held
from kursk_pbem.tournament.papers import fields, forms
from kursk_pbem.tournament.papers import mails as bundles
from kursk_pbem.trust import keys


@pytest.mark.parametrize("true", [True, False])
def test_T42_what_an_opponent_has_signed_in_anothers_name_is_nothing_new_of_theirs(relayed, true):
    """Whoever quotes it to the referee, with words of their own, would have written nothing that a person reads."""
    book, home = relayed.book(), relayed.ref.friend.home
    key, other = keys.from_seed(b"a" * 32), keys.from_seed(b"b" * 32)
    people.save(home, people.Person(key.public).put("late@example.test", people.SAID, "x"))
    said = {"kursk-tournament": forms.VERSION, "type": fields.WITHDRAW, "tournament": book.id, "from": key.public}
    said |= {"seen": {"seq": "0", "id": book.log[0].id}}
    paper = bundles.bundle([forms.sign(said, key if true else other, "a paper")])
    quoted = "".join(f"> {line}\n" for line in paper.splitlines())
    raw = f"From: late@example.test\nMessage-ID: <a@example.test>\n\nI am ill.\n\n{quoted}"
    mail = Mail(raw.encode("ascii"), "a mail")
    read = sorting.read([mail], events=True)
    assert len(read.papers) == 1
    assert held.fresh(home, read.papers, {mail.digest}) == ({mail.digest} if true else set())
