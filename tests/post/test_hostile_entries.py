"""Harmful tournament papers from strangers and entrants (SECURITY.md)."""

from __future__ import annotations

import pytest
from helpers import sweeps
from helpers.cup_by_mail import announced
from helpers.mailbags import letter
from helpers.strangers import says, stranger

from kursk_pbem.post.mailbox import events, people, quotas
from kursk_pbem.post.tournaments import entries
from kursk_pbem.tournament import letters as drafts
from kursk_pbem.tournament import private
from kursk_pbem.tournament.papers import fields, forms, mails
from kursk_pbem.trust import keys
from post.refereed_mail import DAY


def arrives(cup, member, *papers, sender="stranger@example.test"):
    """Mail papers to a person, and run a round of post."""
    raw = mails.bundle_papers(papers).encode("ascii")
    cup.office.put(letter(raw, sender, f"[kursk {cup.book().id[:8]}] news"), member.address)
    return member.post()


def known(member):
    return len(events.list_tournaments(member.friend.home)[0].book.log)


@pytest.mark.parametrize("what", sweeps.some(["log", "later", "paper", "self"], 2))
def test_a_strangers_paper_keeps_no_letter_of_the_director_from_an_entrant(entered, what):
    """An invalid mail affects no other mail of the round."""
    book = entered.book()
    forger = stranger(7)
    player = entered.players["p01"]
    entered.direct("people", "confirm", "--all", "--yes")
    entered.ref.sits()
    entered.ref.post()
    entered.time.now += DAY
    if what == "paper":
        false = [says(book, forger, by=stranger(8).public)]
    elif what == "self":
        false = [says(book, forger, by="director")]
    else:
        content = {**book.log[1].content, "time": "2026-12-01T00:00:00Z", **({"seq": "2"} if what == "later" else {})}
        false = [forms.sign_paper(content, forger, "a paper")]
    day = arrives(entered, player, *false)
    assert known(player) == 2
    assert len(day.faults) == 1
    assert "key" in str(day.faults[0]) or "sign" in str(day.faults[0])


def test_of_players_papers_an_entrant_keeps_what_the_log_acknowledges(entered):
    """A stranger can sign any number of papers, so a copy must not grow with every paper."""
    player = entered.players["p01"]
    arrives(entered, player, *(says(entered.book(), stranger(number), name=f"q{number}") for number in range(1, 9)))
    copy = events.list_tournaments(player.friend.home)[0].folder
    assert list(copy.glob("papers/*.yaml")) == []


def test_a_copy_under_a_false_signature_keeps_no_paper_out(time, tmp_path):
    """The text of a paper can be guessed. A copy with a false signature has an equal id."""
    cup = announced(tmp_path, time, terms=('entries = "ask"', 'entries = "automatic"'))
    paper = says(cup.book(), stranger(1))
    forged = forms.sign_paper(paper.content, stranger(2), "a paper")
    raw = mails.bundle_papers([forged]).encode("ascii")
    cup.office.put(letter(raw, "thief@example.test", f"[kursk {cup.book().id[:8]}] news"), cup.ref.address)
    arrives(cup, cup.ref, paper, sender="p@example.test")
    (entrant,) = cup.book().entrants.values()
    assert [entry.text for entry in people.person_of(cup.ref.friend.home, entrant.key).addresses] == ["p@example.test"]


def test_entries_that_come_as_they_come_are_entries_and_no_more(time, tmp_path):
    """``entries = "automatic"`` accepts only entries. Other papers of strangers stay out of the log."""
    cup = announced(tmp_path, time, terms=('entries = "ask"', 'entries = "automatic"'))
    claim = says(cup.book(), stranger(1), fields.CLAIM, board="1-1", note="mine")
    false = says(cup.book(), stranger(2), seen={"seq": "0", "id": "ab" * 32})
    day = arrives(cup, cup.ref, claim, false)
    assert len(cup.book().log) == 1
    assert len(day.faults) == 2
    assert not (cup.folder / "evidence").exists()


def test_automatic_entries_end_where_the_room_ends(time, tmp_path, monkeypatch):
    """Keys cost nothing: a thousand unchecked entries would make letters of gigabytes."""
    monkeypatch.setattr(quotas, "ADMITTED", quotas.Quota(3, 10**6))
    cup = announced(tmp_path, time, terms=('entries = "ask"', 'entries = "automatic"'))
    arrives(cup, cup.ref, *(says(cup.book(), stranger(number), name=f"q{number}") for number in range(1, 9)))
    assert len(cup.book().entrants) == 3
    waits = list(entries.list_papers(cup.ref.friend.home, cup.book().id))
    assert len(waits) == 5
    monkeypatch.setattr(forms, "check_content", None)  # the next round does not read these entries again
    assert list(entries.list_papers(cup.ref.friend.home, cup.book().id)) == waits


@pytest.mark.parametrize("name", ["x\ncup: next: 'rm -r cup'", "x\n", "\nx"])
def test_a_name_has_no_line_of_its_own(time, tmp_path, monkeypatch, name):
    """Messages to the user contain names."""
    cup = announced(tmp_path, time)
    with monkeypatch.context() as cheat:
        cheat.setattr(forms, "ONE_LINE", (), raising=False)
        paper = says(cup.book(), stranger(1), name=name)
    day = arrives(cup, cup.ref, paper)
    assert [str(fault) for fault in day.faults if "a name is one line" in str(fault)]
    assert list(entries.list_papers(cup.ref.friend.home, cup.book().id)) == []


def test_what_one_entrant_signs_makes_no_letter_too_large_for_the_others(entered):
    """Every letter contains the acknowledged papers. An oversized draft would block all later letters."""
    book = entered.book()
    signer = keys.load_key(entered.players["p01"].friend.key)
    noise = [f"{number:064x}" for number in range(1000)]
    claims = [says(book, signer, fields.CLAIM, board="1-1", note=str(number), papers=noise) for number in range(8)]
    honest = says(book, keys.load_key(entered.players["p02"].friend.key), fields.CLAIM, board="1-1", note="heard")
    for claim in claims:
        arrives(entered, entered.ref, claim)
    refused = arrives(entered, entered.ref, honest, *claims).faults
    assert "'kursk tournament inbox FILE'" in str(refused[0])
    assert honest.id in entered.book().received
    entered.direct("tournament", "close")
    (private_record,) = private.list_records(entered.ref.friend.home)
    assert max(path.stat().st_size for path in drafts.list_unsent(private_record.letters)) < 300_000


def test_rules_that_come_back_stop_no_round_of_the_directors_mailbox(entered):
    """Paper 0 is public, and has no field for the tournament."""
    book = entered.book()
    forged = forms.sign_paper({**book.log[0].content, "title": "another"}, stranger(1), "a paper")
    assert arrives(entered, entered.ref, book.log[0], forged, *book.log[1:]).faults == []
    assert entered.book().head.id == book.head.id
