"""Chapter 11: lies of players. A test has the number of its lie; no file shows P1 and P7."""

from __future__ import annotations

import pytest
from helpers.ledger import Ledger, key_of

from kursk_pbem.errors import FileError, TrustError
from kursk_pbem.tournament.book import bidding
from kursk_pbem.tournament.book.openings import contradict
from kursk_pbem.tournament.faults import FalsePaperError
from kursk_pbem.tournament.papers import fields, forms
from kursk_pbem.tournament.score import listing, table

NAMES = ("anna", "boris", "carla", "dmitri", "eva", "fedor")


def started(**form):
    return Ledger(form=form).begin(NAMES)


def test_P2_what_was_signed_cannot_be_denied():
    """Only the entrant's key signs an entry, and the entrant cannot take the entry back."""
    ledger = Ledger()
    entry = ledger.entry("anna")
    forms.check_signature(entry, key_of("anna").public)
    forged = forms.sign_paper(entry.content, key_of("boris"), "forged")
    with pytest.raises(TrustError, match="by another key"):
        forms.check_signature(forged, forged.sender)
    changed = forms.read_paper(forms.emit_paper(entry).replace("name: anna", "name: anne").encode("ascii"), "changed")
    with pytest.raises(TrustError, match="does not fit"):
        forms.check_signature(changed, changed.sender)


def test_P3_of_two_openings_the_first_counts_and_both_convict():
    ledger = started()
    ledger.end_round()
    ledger.close()
    one, other = ledger.opening("eva", 1), ledger.opening("eva", 1, commit="f" * 64)
    assert contradict(one, other)
    ledger.receive(one, other)
    assert ledger.book.draws[1].openings[ledger.of("eva").entry] is one
    number = ledger.of("eva").number
    ledger.sign(fields.WITHDRAWN, {"number": number, "why": "two openings", "papers": sorted([one.id, other.id])})
    assert ledger.book.entrant(number).left == 2


def test_P3_the_same_word_said_again_is_no_second_one():
    """A late opening with a new commitment is honest too."""
    ledger = started()
    one = ledger.opening("eva", 0, games=[])
    other = ledger.opening("eva", 0, games=[{"id": "a" * 64, "head": "b" * 64}])
    assert one.id != other.id
    assert not contradict(one, other)
    assert not contradict(one, ledger.opening("eva", 0, after=2))
    assert not contradict(one, ledger.opening("fedor", 0))
    assert not contradict(one, ledger.entry("eva"))


def test_P4_not_opening_gains_nothing():
    """The entrant has no game in the round; in a knock-out, with its single draw, the entrant takes no part."""
    for format_, places in (("swiss", 6), ("knock-out", 5)):
        ledger = Ledger(format_).enter(NAMES)
        ledger.draw_field(silent=["eva"])
        assert len(ledger.book.numbers) == places
        ledger.pair()
        assert format_ == "knock-out" or ledger.book.rounds[0].spent[ledger.of("eva").number] == "missed"


def test_P5_a_claimed_result_changes_nothing():
    ledger = started()
    before = table.compute_standings(ledger.book).sha256
    claim = ledger.player(fields.CLAIM, "anna", {"board": "1-1", "note": "I have won"})
    ledger.receive(claim)
    assert table.compute_standings(ledger.book).sha256 == before
    assert not ledger.book.boards["1-1"].decided
    ledger.sign(fields.REFUSED, {"paper": claim.id, "why": "only the game says so"})


def test_P6_silence_costs_the_game():
    """A game without a beginning can be judged only after its deadline; missed rounds lead to a withdrawal."""
    ledger = started()
    said = {"board": "1-1", "by": "silence", "winner": "german", "why": "no answer"}
    with pytest.raises(FalsePaperError, match="the game has until"):
        ledger.sign(fields.JUDGED, said)
    ledger = started()
    ledger.later(15).sign(fields.JUDGED, said)
    loser = ledger.book.boards["1-1"].sides["russian"]
    ledger.results()
    ledger.next_round(silent=[ledger.name_of(ledger.book.entrant(loser))])
    ledger.sign(fields.WITHDRAWN, {"number": loser, "why": "two rounds missed"})
    assert ledger.book.entrant(loser).left == 2


def test_P8_two_entries_with_one_key():
    ledger = Ledger().enter(NAMES)
    second = ledger.player(fields.ENTRY, "anna", {"name": "anne", "draw": "0", "commit": ledger.commit("anna", 0)})
    ledger.receive(second)
    assert ledger.book.void[second.id] == "the key belongs to an entrant already"
    ledger.close()
    assert len(ledger.book.draws[0].entries) == 6


def test_P9_an_old_paper_sent_again():
    """An opening names its draw, an entry its tournament: a copy has no effect in a second place."""
    ledger = started()
    old = next(paper for paper in ledger.book.papers.values() if paper.type == fields.OPEN)
    with pytest.raises(FalsePaperError, match="was acknowledged before"):
        ledger.receive(old)
    other = Ledger(form={"title": "Autumn"})
    entry = Ledger().entry("anna")
    with pytest.raises(FalsePaperError, match="different tournament"):
        other.receive(entry)
    ledger = started()
    ledger.end_round()
    ledger.close()
    name = ledger.book.entrants[old.id].name if old.id in ledger.book.entrants else "anna"
    again = ledger.opening(name, 0, after=2)
    ledger.receive(again)
    assert not ledger.book.draws[1].openings


def test_P11_a_stand_in_for_a_player_who_is_still_there():
    ledger = started(substitutes="yes")
    number = ledger.of("anna").number
    paper = ledger.player(fields.STAND_IN, "greta", stand_in(ledger, number))
    ledger.receive(paper)
    said = {"number": number, "paper": paper.id, "why": "I like greta better"}
    with pytest.raises(FalsePaperError, match="neither withdrawn nor missed"):
        ledger.sign(fields.SUBSTITUTE, said)


def stand_in(ledger, number):
    return {"number": number, "name": "greta", "draw": str(ledger.book.next_draw), "commit": ledger.commit("greta", 1)}


@pytest.mark.parametrize("why", ["their word", "silence"])
def test_P11_with_a_word_or_after_silence_it_is_done(why):
    ledger = started(substitutes="yes")
    number = ledger.of("anna").number
    if why == "their word":
        ledger.receive(ledger.player(fields.WITHDRAW, "anna", {}))
        ledger.results()
    else:
        board = next(each for each in ledger.book.boards.values() if number in each.numbers)
        winner = next(side for side, each in board.sides.items() if each != number)
        ledger.later(15).sign(fields.JUDGED, {"board": board.name, "by": "silence", "winner": winner, "why": "silence"})
        ledger.results()
    ledger.announce()
    paper = ledger.player(fields.STAND_IN, "greta", stand_in(ledger, number))
    ledger.receive(paper)
    ledger.sign(fields.SUBSTITUTE, {"number": number, "paper": paper.id, "why": why})
    entrant = ledger.book.entrant(number)
    assert (entrant.name, entrant.key) == ("greta", key_of("greta").public)
    points = table.compute_standings(ledger.book).rows
    assert {row.number for row in points} == set("123456")
    ledger.names["greta"] = "greta"
    ledger.draw_field()
    ledger.pair()
    assert any(number in board.numbers for board in ledger.book.of_round(2))


def test_P11_where_paper_0_has_no_substitutes_there_are_none():
    ledger = started(substitutes="no")
    ledger.receive(ledger.player(fields.WITHDRAW, "anna", {}))
    number = ledger.of("anna").number
    paper = ledger.player(fields.STAND_IN, "greta", stand_in(ledger, number))
    ledger.receive(paper)
    with pytest.raises(FalsePaperError, match="allows no substitutes"):
        ledger.sign(fields.SUBSTITUTE, {"number": number, "paper": paper.id, "why": "x"})


@pytest.mark.parametrize("name", ["a\u202eb", "x\x1b[31m", "two\nlines\u200b", "", "x" * 61])
def test_P12_names_that_steer_a_terminal_are_no_names(name):
    with pytest.raises(FileError):
        forms.read_paper(forms.emit_paper(Ledger().entry(name)).encode("ascii"), "entry")


def test_P12_names_are_shown_as_text():
    """A formula stays text in CSV; right-to-left text is isolated in a terminal."""
    ledger = Ledger()
    names = ["=HYPERLINK(1)", "\u05d0\u05d1\u05d2", "<script>", "d,e"]
    ledger.receive(
        *(
            ledger.player(fields.ENTRY, f"k{at}", {"name": name, "draw": "0", "commit": ledger.commit(f"k{at}", 0)})
            for at, name in enumerate(names)
        )
    )
    ledger.names.update({name: f"k{at}" for at, name in enumerate(names)})
    ledger.draw_field()
    ledger.pair()
    found = table.compute_standings(ledger.book)
    text = listing.format_csv(ledger.book, found)
    assert "'=HYPERLINK(1)" in text
    assert '"d,e"' in text
    assert "\u2068\u05d0\u05d1\u05d2\u2069" in listing.format_text(ledger.book, found)


def test_P10_is_L5_and_bids_are_only_of_those_who_play():
    """A game from outside the tournament is L5; the bid of a third person has no effect."""
    ledger = Ledger("knock-out", form={"sides": "bids", "tie-breaks": ["margin", "lot"]}).begin(
        ["anna", "boris", "carla"]
    )
    board = next(iter(ledger.book.boards.values()))
    third = next(name for name in ("anna", "boris", "carla") if ledger.of(name).number not in board.numbers)
    ledger.receive(ledger.player(fields.BID, third, {"round": "1", "board": board.name, "seal": "e" * 64}))
    assert bidding.find_seals(ledger.book, board) == {}
