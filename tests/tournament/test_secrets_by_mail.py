"""By commands: bids for sides, a draw with a witness, and a draw with a lost opening (directors.md 7, 8.3)."""

from __future__ import annotations

from helpers.tourney import begin_two

from kursk_pbem.post.mailbox import events
from kursk_pbem.tournament.proof import verify
from tournament.conftest import keep


def seal_bids(root):
    """Return a tournament with two logged bids, opened by the players' programs."""
    made = begin_two(root, "--swiss", 1, edit={"sides: balance": "sides: bids"})
    for who, price in zip(made.entrants.values(), (5, 3), strict=True):
        who.kursk("tournament", "bid", "1-1", "german", price, "--in", who.tournament)
    made.collect()
    made.pair()
    made.inform()
    return made


_sealed, sealed = keep("sealed", seal_bids)


def status(who):
    return who.kursk("tournament", "status", who.tournament)


def test_an_opening_that_only_the_opponent_got_counts(sealed):
    anna, boris = sealed.entrants.values()
    (event,) = events.list_tournaments(anna.home)
    own, copy = (path.stem for path in sorted(anna.letters(), key=lambda path: "-" in path.stem[:8], reverse=True))
    assert (event.reader(own), event.reader(copy)) == (sealed.director.public, boris.public)
    assert (boris.public, "boris") in event.list_recipients()
    assert "'kursk post' opens your bid; it must have come by 2027-01-08" in status(anna)
    sealed.post()
    for path in sealed.director.inbox.glob("anna-bid-open-*"):
        path.unlink()
    sealed.inbox()
    sealed.exchange()
    assert "your bid is open" in status(boris)
    assert "bids for 1 board opened" in sealed.pair()
    board = sealed.book().boards["1-1"]
    assert board.paid == {"german": 5}
    assert sealed.book().entrant(board.sides["german"]).name == "anna"
    assert verify.verify_tournament(sealed.folder).notes == ()


def test_a_copy_shows_when_an_opening_that_the_director_left_out_was_written(sealed):
    sealed.post()
    for path in sealed.director.inbox.glob("anna-*"):
        path.unlink()
    sealed.inbox()
    sealed.later(8)
    assert "bids for 1 board opened" in sealed.pair()
    assert sealed.book().boards["1-1"].paid == {"german": 3}
    sealed.inform()
    told = verify.verify_tournament(sealed.entrants["boris"].tournament).notes
    assert told[0] == "board 1-1: anna did not reveal the sealed bid"
    assert told[1].startswith("evidence/bid-open-")


def test_the_witness_opens_after_the_openings_are_closed(watched):
    rules = watched.folder / "log" / "0000.yaml"
    assert "type the NAME" in watched.person("emil").kursk("tournament", "enter", rules, "--yes", status=2)
    watched.exchange()
    assert "Not in the log yet: your reveal of lots 0" in status(watched.entrants["anna"])
    assert "wait for the witness, until" in watched.pair()
    watched.exchange()
    assert "You take part in the lots of round 1." in status(watched.entrants["anna"])
    assert "lots 0 are drawn" in watched.pair()
    assert watched.book().draws[0].reveal is not None
    watched.inform()
    assert "You are number" in status(watched.entrants["anna"])
    assert "You are the witness" in status(watched.entrants["wera"])
    assert not [*watched.entrants["boris"].tournament.glob("evidence/*")]  # the log has the secret
    proof = verify.verify_tournament(watched.folder)
    assert (proof.status, proof.notes) == (0, ())


def test_a_witness_whose_secret_was_left_out_is_in_every_copy(watched):
    """The director left out the witness's secret, and drew after the deadline."""
    watched.exchange()
    watched.pair()
    watched.inform()
    watched.post()
    for path in watched.director.inbox.glob("wera-*"):
        path.unlink()
    watched.take()
    watched.later(8)
    assert "lots 0 are drawn, the witness is silent" in watched.pair()
    watched.inform()
    notes = verify.verify_tournament(watched.entrants["anna"].tournament).notes
    assert notes[0].startswith("lots 0: the witness did not reveal")
    assert notes[1].endswith("before the lots: the director left out the secret")


def test_who_is_named_as_missing_sends_again_and_signs_that(watched):
    watched.inform()
    anna = watched.entrants["anna"]
    watched.post()
    for path in watched.director.inbox.glob("anna-open-*"):
        path.unlink()
    watched.inbox()
    watched.later(6)
    assert "lots 0: 1 reveal missing" in watched.pair()
    watched.inform()
    (letter,) = anna.letters()
    assert letter.name == "sent-0.eml"
    watched.collect()
    (sent,) = [paper for paper in watched.book().papers.values() if paper.type == "sent"]
    assert [each["time"] for each in sent.said("unlogged")] == ["2027-01-01T12:00:00Z"]
    assert "lots 0 are closed: 4 reveals" in watched.pair()
