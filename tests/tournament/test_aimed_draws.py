"""Attempts of a director to choose a draw: the cost of each, and the report of verify (docs/directors.md 7)."""

from __future__ import annotations

from math import comb

import pytest
from helpers.ledger import Ledger, key_of

from kursk_pbem.errors import FileError
from kursk_pbem.tournament.book import draws
from kursk_pbem.tournament.faults import FalsePaperError
from kursk_pbem.tournament.papers import fields, store
from kursk_pbem.tournament.proof import choices, verify

NAMES = ("anna", "boris", "carla", "dmitri", "eva", "fedor")


def witnessed(**form):
    ledger = Ledger(form={"witness": key_of("witness").public, **form}).enter(NAMES)
    ledger.receive(ledger.witness(0))
    ledger.close()
    return ledger


def told(ledger, folder):
    proof = verify.verify_tournament(ledger.save(folder))
    assert proof.status == 0, proof.text
    return proof.notes


def test_openings_that_were_not_received_change_no_draw_twice():
    """Bug: a director could leave out openings, void the draw, and draw again with all openings."""
    ledger = Ledger(rounds_=4).begin([*NAMES, "greta", "hans"])
    ledger.end_round()
    ledger.draw_field(silent=["eva", "fedor", "greta"])
    with pytest.raises(FalsePaperError, match="lots 1 are not open"):
        ledger.sign(fields.DRAWN, {"draw": "1", "open": "5" * 64, "commit": "6" * 64})
    assert "round 2 of lots" in draws.close_obstacle(ledger.book)
    ledger.receive(
        *(ledger.opening(name, 1) for name in ("eva", "fedor", "greta"))
    )  # these openings commit to the next draw
    ledger.pair()
    numbers = [ledger.of(name).number for name in ("eva", "fedor", "greta")]
    assert [ledger.book.rounds[-1].spent[number] for number in numbers] == ["missed"] * 3


def test_verify_counts_the_seeds_without_a_witness(tmp_path):
    ledger = Ledger().enter(NAMES)
    ledger.draw_field(silent=["eva"])
    notes = told(ledger, tmp_path)
    assert "lots 0: eva did not reveal" in notes
    of = "by leaving out up to 1 of 6 reveals, the director could choose among 7 seeds"
    assert f"lots 0 have no witness: {of}" in notes
    assert (choices.count_seeds(12, 1), choices.count_seeds(12, 2)) == (13, 79)
    assert choices.count_seeds(12, 12) == sum(comb(12, number) for number in range(13)) == 2**12


def test_nobody_knows_the_seed_before_the_openings_are_closed():
    """The witness opens last. Before the deadline the director cannot draw without the witness's secret."""
    ledger = witnessed()
    ledger.open_all()
    early = ledger.reveal(0)
    ledger.receive(early)
    assert "before the reveals of lots 0 were closed" in ledger.book.void[early.id]
    ledger.close_draw()
    with pytest.raises(FalsePaperError, match="the witness may reveal until"):
        ledger.draw()
    seeds = set()
    for opens in (True, False):
        ledger = witnessed()
        ledger.open_all()
        ledger.close_draw()
        if opens:
            ledger.receive(ledger.reveal(0))
        else:
            ledger.later(8)
        ledger.draw()
        seeds.add(ledger.book.draws[0].seed)
    assert len(seeds) == 2


def test_a_secret_of_the_witness_that_is_here_is_used(tmp_path):
    ledger = witnessed()
    ledger.open_all()
    ledger.close_draw()
    ledger.receive(ledger.reveal(0))
    ledger.draw()
    said = {name: ledger.book.head.content[name] for name in ("draw", "open", "commit")}
    assert told(ledger, tmp_path / "honest") == ()
    del ledger.book.log[-1]
    lie = ledger.lie(fields.DRAWN, said)
    proof = verify.verify_tournament(ledger.save(tmp_path / "spring"))
    assert (proof.status, proof.paper, proof.place) == (3, lie.name, "reveal")


def test_a_silent_witness_is_a_choice_of_two_seeds_and_a_copy_convicts(tmp_path):
    ledger = witnessed()
    ledger.open_all()
    ledger.close_draw()
    copy = ledger.reveal(0)
    ledger.later(8).draw()
    assert "lots 0: the witness did not reveal, so the director could choose one of two seeds" in told(ledger, tmp_path)
    store.keep_evidence(tmp_path, copy)
    notes = verify.verify_tournament(tmp_path).notes
    assert any(note.endswith("before the lots: the director left out the secret") for note in notes)


def test_the_witness_is_nobody_who_plays_or_directs():
    ledger = Ledger(form={"witness": key_of("anna").public}).enter(NAMES)
    assert len(ledger.book.entrants) == 5
    assert "the witness takes no part" in ledger.book.void.values()
    assert draws.close_obstacle(ledger.book) == "the witness has not committed to a secret yet"
    with pytest.raises(FileError, match="director cannot be the witness"):
        Ledger(form={"witness": key_of("director").public}).book  # noqa: B018  reads the rules


def test_who_withdraws_after_the_field_leaves_after_its_round():
    """Bug: friends could influence a pairing by withdrawing between draw and pairing."""
    pairs = []
    for leaves in (False, True):
        ledger = Ledger().begin(NAMES)
        ledger.end_round()
        ledger.draw_field()
        number = ledger.of("eva").number
        if leaves:
            paper = ledger.player(fields.WITHDRAW, "eva", {})
            ledger.receive(paper)
            ledger.sign(fields.WITHDRAWN, {"number": number, "why": "no time", "papers": [paper.id]})
        ledger.pair()
        pairs.append([ledger.book.boards[name].sides for name in ledger.book.rounds[-1].boards])
    assert pairs[0] == pairs[1]
    board = next(board for board in ledger.book.of_round(2) if number in board.numbers)
    winner = next(side for side, each in board.sides.items() if each != number)
    said = {"board": board.name, "by": "withdrawn", "winner": winner, "why": "they left"}
    ledger.sign(fields.JUDGED, said)


def test_a_wish_after_the_field_counts_from_the_next_round():
    ledger = Ledger().begin(NAMES)
    ledger.end_round()
    ledger.close()
    late = ledger.wish("eva", "no", 1)
    ledger.receive(late, ledger.wish("fedor", "no", 2))
    assert "the field of lots 1 is closed" in ledger.book.void[late.id]
    ledger.open_all()
    ledger.draw()
    ledger.pair()
    assert not ledger.book.rounds[-1].spent
    ledger.results()
    ledger.next_round()
    assert ledger.book.rounds[-1].spent[ledger.of("fedor").number] == "announced"


def test_an_opening_that_the_director_did_not_receive_is_complained_of(tmp_path):
    """The log names eva as missing; eva's program signs that it sent the opening, with the time."""
    ledger = Ledger().enter(NAMES)
    ledger.open_field(silent=["eva"])
    lost = ledger.opening("eva", 0)
    ledger.later(6).warn()
    ledger.receive(
        ledger.player(fields.SENT, "eva", {"draw": "0", "unlogged": [{"id": lost.id, "time": lost.text("time")}]})
    )
    ledger.draw()
    end = "eva sent the reveal at 2027-01-01T12:00:00Z"
    assert any(note.startswith("lots 0: by the signed ") and note.endswith(end) for note in told(ledger, tmp_path))


def test_each_choice_that_could_change_a_pairing_is_told(tmp_path):
    ledger = Ledger(form={"witness": key_of("witness").public}).enter([*NAMES, "greta"])
    greta = ledger.of("greta").entry
    ledger.sign(fields.REFUSED, {"paper": greta, "why": "too many"})
    ledger.receive(ledger.witness(0))
    ledger.open_field()
    ledger.close_draw()
    ledger.receive(ledger.reveal(0))
    ledger.draw()
    ledger.pair()
    said = {"board": "1-1", "by": "silence", "winner": "german", "why": "no answer"}
    ledger.later(15).sign(fields.JUDGED, said)
    notes = told(ledger, tmp_path)
    assert [note.partition(": ")[2] for note in notes] == [
        "the entry of greta was refused",
        "board 1-1 was judged by silence",
    ]
