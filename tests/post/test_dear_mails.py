"""What a mail full of good turns and papers may cost (T27, T49): 8 MB are read in two seconds of a processor."""

from itertools import islice, permutations
from unittest import mock

import pytest
from helpers import pace, remembered
from helpers.mailbags import concern

from kursk_pbem.desk.rescue import copies
from kursk_pbem.formats import schema, strictyaml
from kursk_pbem.formats.canonical import canon
from kursk_pbem.post import sorting
from kursk_pbem.post.envelope import Mail
from kursk_pbem.tournament.office import intake
from kursk_pbem.tournament.papers import fields, forms
from kursk_pbem.tournament.papers import mails as bundles
from kursk_pbem.trust import allowance, keys, mail, messages, sshsig

KEY = keys.from_seed(b"s" * 32)
MOST = 8 * 1024 * 1024
DESK = b"Message-ID: <k1." + b"a" * 32 + b".1@x>\n"
ARMOUR = b"signature: |\n  -----BEGIN SSH SIGNATURE-----\n  U1NIU0lH\n  -----END SSH SIGNATURE-----\n"
PRINTABLE = b"Content-Transfer-Encoding: quoted-printable\n"


@pytest.fixture(autouse=True)
def _nothing_remembered(monkeypatch):
    remembered.forget(monkeypatch)


def turns(orders):
    """Messages of as many games that a stranger signed, all with the same orders."""
    said = {"kursk-pbem": "1", "seq": "3", "from": "german", "type": "resign", "prev": "ab" * 32, "state-in": "ab" * 32}
    said |= {"game": "0" * 64, "orders": orders}
    return signed(said, messages.emit(said), sshsig.NAMESPACE, "game")


def papers(now):
    """Corrections of a log that a stranger signed, all with the same words."""
    said = {"kursk-tournament": "1", "type": fields.CORRECT, "tournament": "ab" * 32, "seq": "1", "prev": "0" * 64}
    said |= {"from": KEY.public, "time": "2026-09-01T00:00:00Z", "corrects": "1", "id": "ab" * 32}
    said |= {"now": now, "why": "x"}
    text = forms.emit(forms.sign(said, KEY, "a paper"))
    return signed(said, text[: text.index("signature: |")], forms.NAMESPACE, "prev")


def signed(said, text, namespace, name):
    """What is said as often as there is room for, with another hash in the field of this name."""
    for number in range(MOST // len(text)):
        other = f"{number:063x}f"
        armour = KEY.sign(namespace, canon({**said, name: other})).strip().replace("\n", "\n  ")
        below = text.replace("'" + "0" * 64 + "'", other)
        yield f"{below}signature: |\n  {armour}\n".encode("ascii")


def read(head, parts, *, events, limit=60):
    """What a mail of these held; it fails where reading it takes longer than the limit."""
    raw = (b"From: a@example.test\nSubject: x\n" + head + b"\n" + b"".join(parts))[:MOST]
    with pace.within(limit):
        return sorting.read([Mail(raw, "a mail")], events=events, concern=concern("12345678"))


def test_T27_turns_full_of_long_texts_are_read_within_bounds():
    """Whether one could be written again was found out letter by letter: two and a half seconds."""
    held = read(b"", turns({"a": ["x" * 1000] * 50}), events=False, limit=2.5)
    assert len(held.games) > 100


def test_T27_papers_full_of_long_texts_are_read_within_bounds():
    held = read(PRINTABLE, papers({"a": ["x" * 3900] * 13}), events=True, limit=2.5)
    assert len(held.papers) > 100


def test_T49_papers_named_as_a_letter_of_a_desk_are_counted_within_bounds(monkeypatch):
    """Where no tournament is played no bound of the mail held: three times as many were read, in four seconds."""
    seen, of = [], forms.of
    monkeypatch.setattr(forms, "of", lambda document: seen.append(document.name) or of(document))
    held = read(DESK, papers({"a": ["a"] * 19_000}), events=False)
    assert 10 < len(seen) < 50
    assert not held.papers


def test_T49_a_letter_of_a_desk_with_papers_alone_is_not_damaged_where_no_tournament_is_played():
    held = read(DESK, list(papers({"a": ["a"] * 9_000}))[:3], events=False)
    assert not held.faults


def test_T27_a_turn_in_a_mail_is_read_as_often_as_the_mail_pays_for(monkeypatch):
    """To look at its signature, and for what it says; it was read once more for the name of the mail."""
    turn, seen, read = next(turns({"a": ["b"]})), [], strictyaml.read
    monkeypatch.setattr(strictyaml, "read", lambda raw, name, *kind: seen.append(name) or read(raw, name, *kind))
    (found,) = mail.survey(b"From: a@example.test\n\n" + turn, "a mail").turns
    assert seen == ["", ""]
    assert found.where("seq") == messages.read(b"\n\n" + turn, "a mail").where("seq")
    assert found.document.raw == b"\n\n" + turn


def test_what_many_desks_read_once_counts_as_much_as_when_it_is_read(monkeypatch):
    """It counted as empty, so that no allowance was ever used up where this is tested."""
    raw = next(turns({"a": [["b"]] * 9}))
    alone = strictyaml.read(raw, "a turn")
    remembered.watch(monkeypatch)
    for _time in range(2):
        again = strictyaml.read(raw, "a turn")
        assert (again.values, again.holders) == (alone.values, alone.holders)
    assert alone.holders > 9


def test_T27_copies_in_a_page_are_looked_up_and_not_held_against_every_turn(monkeypatch):
    """A page of 1,500 turns and 16,000 lines that seem to begin one took more than four seconds."""
    asked = []
    undecoded = mail._undecoded
    monkeypatch.setattr(mail, "_undecoded", lambda region, known: asked.append(known) or undecoded(region, known))
    page = b"".join(islice(turns({"a": ["b"]}), 1500))
    page = page.replace(b"kursk-pbem:", b"kursk-<b>pbem:").replace(b"-----END", b"-----<b>END")
    page = b"<html><body>kursk-pbem: x<br>\n" + page
    lines = (b"kursk-<b>pbem: '1'\ngame: '%063xf'\nx=\n" % (number % 1500) for number in range(16_000))
    read(b"Content-Type: text/html\n", (page, *lines), events=False, limit=3)
    assert len(asked) > 10_000


def test_T27_what_is_wrong_with_damaged_papers_is_said_as_often_as_the_mail_pays_for(monkeypatch):
    """Twice of each of hundreds: a mail of 3 MB, which nobody had signed, took five seconds."""
    worded, problems = [], schema.problems
    monkeypatch.setattr(schema, "problems", lambda data, name: worded.append(name) or problems(data, name))
    keys = b"".join(b"%b: x\n" % "".join(word).encode() for word in islice(permutations("entries"), 2, 80, 2))
    paper = b"kursk-tournament: '1'\ntype: correct\n" + keys + ARMOUR
    held = read(b"", [paper] * 2000, events=True)
    assert 0 < len(worded) < 150
    assert held.faults


def test_of_a_damaged_paper_it_is_said_what_is_wrong_with_it_as_it_stands():
    (fault,) = bundles.find(b"kursk-tournament: '1'\ntype: correct\nentris: x\n" + ARMOUR, "a mail")[1]
    assert "the key 'entris' is not known here" in str(fault)


def test_T27_papers_and_turns_of_a_saved_mail_have_one_allowance(monkeypatch):
    """Each had a larger one of its own: a stranger's mail of 28 MB cost a director's command eight seconds."""
    some = [*islice(papers({"a": ["x"]}), 20), *islice(turns({"a": ["x"]}), 20)]
    raw = b"Subject: x\n\n" + b"".join(some)
    paid = allowance.Allowance.of_mail("a mail")
    bundles.find(raw, "a mail", paid)
    monkeypatch.setattr(allowance, "MAX_MAIL", allowance.MAX_MAIL - paid.good + 5 * allowance.cost(some[-1]))
    intake.look_into(raw, "a mail", found := intake.Sorted())
    assert len(found.papers) == 20
    assert 0 < len(found.messages) < 5
    assert "it holds too many turns" in "".join(found.refused)


@pytest.mark.parametrize("most", [3, 100])
def test_T27_a_large_mail_among_those_of_a_lost_game_is_looked_through_once(monkeypatch, tmp_path, most):
    """It was twice, each turn was read three times, and had a larger allowance than a mail that is fetched."""
    some = list(islice(turns({"a": ["x" * 3000] * 8}), 20))
    (tmp_path / "mail.eml").write_bytes(b"Subject: x\n\n" + b"".join(some))
    monkeypatch.setattr(allowance, "MAX_MAIL", most * 3 * allowance.cost(some[0]))
    with mock.patch.object(mail, "regions", wraps=mail.regions) as searches:
        found = copies.Copies()
        found.add([tmp_path])
    assert searches.call_count == 1
    assert len(found.messages) == 20 if most == 100 else 0 < len(found.messages) < 20
    assert ("it holds too many turns" in "".join(found.unreadable)) == (most == 3)
