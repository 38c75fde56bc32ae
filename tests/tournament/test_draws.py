"""Chapter 7: commitments, openings, seeds, and missing openings."""

from __future__ import annotations

import hashlib
import hmac
import json

import pytest
from helpers.ledger import NONCE, Ledger, key_of, secret_of

from kursk_pbem.tournament import chance
from kursk_pbem.tournament.book import draws
from kursk_pbem.tournament.faults import FalsePaperError
from kursk_pbem.tournament.papers import fields
from kursk_pbem.tournament.proof import verify
from kursk_pbem.tournament.score.counted import count_games
from kursk_pbem.trust import sshsig

NAMES = ("anna", "boris", "carla", "dmitri", "eva", "fedor")


def test_the_seed_is_what_the_page_says():
    """7: compute commitments, openings and seed only with hashlib."""
    ledger = Ledger().begin(NAMES)
    book, tag = ledger.book, b"kursk-tournament/v1/"
    key = sshsig.public_key(key_of("anna").public)
    secret = hmac.digest(secret_of("anna"), b"draw\0" + bytes(8), "sha256")
    made = hashlib.sha256(tag + b"commit\0" + bytes.fromhex(book.id) + key + bytes(8) + secret).hexdigest()
    assert ledger.of("anna").commits[0][0] == made
    listed = sorted([paper.said("open"), entry] for entry, paper in book.draws[0].openings.items())
    pairs = json.dumps(sorted([entry, open_] for open_, entry in listed), separators=(",", ":")).encode()
    director = hmac.digest(secret_of("director"), b"draw\0" + bytes(8), "sha256")
    inner = tag + b"draw\0" + bytes(8) + hashlib.sha256(pairs).digest()
    assert book.draws[0].seed == hmac.digest(director, inner, "sha256")
    own = sshsig.public_key(ledger.signer.public)
    first = hashlib.sha256(tag + b"commit\0" + NONCE + own + bytes(8) + director).hexdigest()
    assert book.rules.paper.text("commit") == first


def test_numbers_follow_from_the_seed_alone():
    orders = set()
    for name in ("x", "y", "z"):
        ledger = Ledger().begin([*NAMES, name])
        found = [ledger.book.entrant(str(number)).name for number in range(1, 8)]
        assert sorted(found) == sorted([*NAMES, name])
        right = chance.order_by_lot(ledger.book.draws[0].seed, "order", ledger.book.entrants)
        assert [ledger.book.entrant(str(number)).entry for number in range(1, 8)] == right
        orders.add(tuple(each for each in found if each in NAMES))
    assert len(orders) > 1


def test_entrant_without_opening_sits_out_the_round():
    """The missing entrant has a number but no game and no points, and may return in the next round."""
    ledger = Ledger().enter(NAMES)
    ledger.draw_field(silent=["eva"])
    book = ledger.book
    assert len(book.numbers) == 6
    ledger.pair()
    eva = ledger.of("eva").number
    assert book.rounds[0].spent[eva] == "missed"
    assert book.log[book.rounds[0].seq].said("absent") == [eva]
    ledger.receive(ledger.opening("eva", 0))
    ledger.results()
    assert count_games(book).points(eva) == 0
    ledger.next_round()
    assert book.draws[1].missing == ()
    assert eva not in book.rounds[1].spent


def two_missing():
    ledger = Ledger().enter(NAMES)
    ledger.open_field(silent=["eva", "fedor"])
    return ledger, ledger.book.draws[0]


def test_missing_entrants_have_two_days_notice():
    """The log names missing entrants and waits. An unnamed entrant must be waited for."""
    ledger, draw = two_missing()
    with pytest.raises(FalsePaperError, match=r"no paper has named (eva|fedor) as missing"):
        ledger.later(8).sign(fields.CLOSED, said_of(ledger, draw))
    ledger, draw = two_missing()
    with pytest.raises(FalsePaperError, match="reveals may come until 2027-01-08T12:00:00Z"):
        ledger.later(4).warn()
    ledger, draw = two_missing()
    ledger.later(6).warn()
    ledger.receive(ledger.opening("fedor", 0))
    with pytest.raises(FalsePaperError, match="reveals may come until 2027-01-09T12:00:00Z"):
        ledger.later(2).sign(fields.CLOSED, said_of(ledger, draw))
    ledger.later(1).close_draw()
    assert draw.missing == (ledger.of("eva").entry,)


def said_of(ledger, draw):
    opened = draw.openings
    absent = sorted(set(draw.entries) - set(opened))
    openings = sorted(paper.id for paper in opened.values())
    return {"draw": str(draw.number), "openings": openings, "absentees": absent}


def test_a_secret_that_was_opened_early_enters_no_seed():
    """The early opening still commits to the next draw."""
    ledger = Ledger()
    ledger.enter(NAMES)
    early = ledger.opening("anna", 0)
    ledger.receive(early)
    assert "is not closed yet" in ledger.book.void[early.id]
    assert list(ledger.of("anna").commits) == [1]
    ledger.close()
    assert len(ledger.book.draws[0].entries) == 5


def test_the_director_opens_what_was_committed_or_nothing():
    ledger = Ledger().enter(NAMES)
    ledger.open_field()
    ledger.record.secret = secret_of("another")
    with pytest.raises(FalsePaperError, match="the director committed to another secret for lots 0"):
        ledger.draw()


def test_the_field_is_exactly_who_entered():
    """Step c: the field is in order, complete, and has no strangers."""
    ledger = Ledger().enter(NAMES)
    due = draws.due_field(ledger.book)
    for wrong, words in (
        (due[1:], "acknowledged by log/0001.yaml, is missing"),
        ([*due[:-1], "f" * 64], "which the log has not acknowledged"),
        (due[::-1], "in order of ids"),
        ([*due, due[-1]], "in order of ids"),
    ):
        fresh = Ledger().enter(NAMES)
        with pytest.raises(FalsePaperError, match=words):
            fresh.sign(fields.FIELD, {"draw": "0", "entrants": wrong})


def test_late_entries_stand_last_and_get_their_points():
    ledger = Ledger(form={"late": {"until": "2", "points": "2"}}).begin(NAMES)
    ledger.end_round()
    ledger.receive(ledger.entry("greta", 1), ledger.entry("hans", 1))
    ledger.draw_field()
    ledger.pair()
    assert sorted(ledger.book.numbers, key=int) == [str(number) for number in range(1, 9)]
    assert {ledger.of("greta").number, ledger.of("hans").number} == {"7", "8"}
    assert len(ledger.book.rounds[-1].boards) == 4
    too_late = ledger.entry("ivan", 2)
    ledger.end_round()
    ledger.receive(too_late)
    assert "and no entry and no yes counts from then on" in ledger.book.void[too_late.id]
    assert count_games(ledger.book).lone["7"] == {1: 2}


def test_order_and_sides_are_fair():
    """Chi-square over 10,000 draws: the first of five numbers, and the first side of a pair."""
    names = [f"{number:064x}" for number in range(5)]
    first = dict.fromkeys(names, 0)
    bits = [0, 0]
    for number in range(10_000):
        seed = hashlib.sha256(number.to_bytes(4, "big")).digest()
        first[chance.order_by_lot(seed, "order", names)[0]] += 1
        bits[chance.draw_pair(seed, "3", "11")[1]] += 1
    assert sum((found - 2000) ** 2 / 2000 for found in first.values()) < 18.5  # 4 d.f., 0.1 %
    assert sum((found - 5000) ** 2 / 5000 for found in bits) < 10.8  # 1 d.f., 0.1 %


def test_who_has_entered_is_counted_before_numbers_are_drawn(tmp_path):
    """Bug: a tournament with two entrants was verified with 0 entrants."""
    ledger = Ledger().enter(NAMES)
    ledger.close()
    assert (
        f": verified, not begun: {len(NAMES)} entrants, 0 of 0 boards"
        in verify.verify_tournament(ledger.save(tmp_path)).text
    )
