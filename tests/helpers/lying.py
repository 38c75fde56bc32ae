"""A lying director: honest tournaments in memory, and the expected result of verify."""

from __future__ import annotations

from helpers.ledger import Ledger
from kursk_pbem.tournament.book import plan, rounds
from kursk_pbem.tournament.pairing import solve as solving
from kursk_pbem.tournament.proof import verify

NAMES = ("anna", "boris", "carla", "dmitri", "eva", "fedor")


def first_round(names=NAMES, **form):
    return Ledger(form=form).begin(names)


def drawn_for_two(names=NAMES, **form):
    """Play round 1 and draw 1 of a Swiss; the pairing of round 2 is next."""
    ledger = first_round(names, **form)
    ledger.results()
    ledger.announce()
    ledger.close()
    ledger.open_all()
    ledger.draw()
    return ledger


def due(ledger):
    """Return the fields of the honest pairing."""
    given = plan.make_input(ledger.book)
    return rounds.due_round(ledger.book, given, solving.solve_round(given), ledger.now()).fields


def found(ledger, tmp_path, paper, place, words):
    """Check that verify finds this fault first."""
    proof = verify.verify_tournament(ledger.save(tmp_path / "spring"))
    assert proof.status == 3, proof.text
    assert (proof.paper, proof.place) == (paper.name, place), proof.text
    assert words in proof.text
    return proof
