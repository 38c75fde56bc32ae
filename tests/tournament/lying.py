"""A lying director: honest tournaments in memory, and the expected result of verify."""

from __future__ import annotations

import copy

from helpers.ledger import Ledger

from kursk_pbem.tournament.book import plan, rounds
from kursk_pbem.tournament.pairing import solve as solving
from kursk_pbem.tournament.papers import fields, store
from kursk_pbem.tournament.proof import verify

NAMES = ("anna", "boris", "carla", "dmitri", "eva", "fedor")


def first_round(names=NAMES, **form):
    return Ledger(form=form).begin(names)


def drawn_for_two(names=NAMES, **form):
    """Play round 1 and draw 1 of a Swiss; the pairing of round 2 is next."""
    ledger = first_round(names, **form)
    ledger.end_round()
    ledger.draw_field()
    return ledger


def due(ledger):
    """Return the fields of the honest pairing."""
    given = plan.make_input(ledger.book)
    return rounds.due_round(ledger.book, given, solving.solve_round(given), ledger.now())[0]


def found(ledger, tmp_path, paper, place, words):
    """Check that verify finds this fault first."""
    proof = verify.verify_tournament(ledger.save(tmp_path / "spring"))
    assert proof.status == 3, proof.text
    assert (proof.paper, proof.place) == (paper.name, place), proof.text
    assert words in proof.text
    return proof


def fork(ledger):
    """Return a second line that begins after the newest paper."""
    return copy.deepcopy(ledger)


def name_void(main, *others):
    """Let the next paper of a line name all papers of other lines void; return the field."""
    ours = {paper.id for paper in main.book.log}
    new = [paper for other in others for paper in other.book.log if paper.id not in ours]
    for other in others:
        main.book.papers |= {id_: other.book.papers[id_] for id_ in other.book.received}
    main.book.others |= {paper.id: paper for paper in new}
    return {fields.VOID: [paper.id for paper in new]}


def tell_time(ledger, *others):
    """Sign a harmless paper that names other lines void."""
    said = {"who": "all", "days": "1", "why": "a line was lost"}
    return ledger.sign(fields.CLOCK, {**said, **(name_void(ledger, *others) if others else {})})


def proves(main, folder, *others):
    """Return the proof of a folder with the papers of other lines as evidence."""
    main.save(folder)
    for other in others:
        for paper in other.book.log:
            if all(paper.id != ours.id for ours in main.book.log):
                store.keep_evidence(folder, paper)
        for paper in other.book.papers.values():
            if paper.id not in main.book.papers:
                store.keep_evidence(folder, paper)
    return verify.verify_tournament(folder)


def draws_twice():
    """Return two lines of a log whose fields differ, and all players have named both."""
    main = Ledger().enter(NAMES)
    other = fork(main)
    other.open_field()
    refused = next(id_ for id_, entrant in main.book.entrants.items() if entrant.name == "eva")
    main.sign(fields.REFUSED, {"paper": refused, "why": "no place"})
    main.close()
    tell_time(main, other)
    main.open_all()
    return main, other
