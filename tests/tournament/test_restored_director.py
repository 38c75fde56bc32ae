"""A Swiss by mailbox whose director continues from older copies: nobody is convicted, everybody is placed."""

import os

import pytest
from helpers.set_back import SetBackCup

from kursk_pbem.tournament.papers import store
from kursk_pbem.tournament.proof import equivocation, verify
from kursk_pbem.tournament.score import table

pytestmark = pytest.mark.skipif(os.name == "nt", reason="its helpers fork")


def play(cup, rounds):
    cup.new("--swiss", rounds, "--system", "hex-toy/fords", edit={"begin: '14'": "begin: '20'"})
    cup.enter()
    cup.began = True
    cup.over()
    for _round in range(2, rounds + 1):
        cup.next_round()
        cup.over()
    cup.direct("tournament", "pair")
    cup.began = False
    cup.direct("tournament", "end")
    cup.days(4)
    return verify.verify_tournament(cup.folder)


@pytest.mark.parametrize("sent", [True])
def test_a_director_is_set_back_by_two_copies(time, tmp_path, sent):
    cup = SetBackCup(tmp_path, time, players=4, times=2, sent=sent, chance=0.15)
    proof = play(cup, 2)
    assert (proof.status, proof.missing) == (0, ()), (proof.text, cup.lost, cup.bad[-5:], cup.said[-20:])
    assert cup.figures["set back"] == 2
    assert len(table.compute_standings(proof.book).rows) == 4
    if sent:
        assert store.load_papers(cup.folder).others == {}
    places = [cup.folder, *(place for player in cup.players.values() for place in player.friend.place.glob("tourn*"))]
    assert equivocation.compare_logs(places).pair is None
