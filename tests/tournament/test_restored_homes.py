"""A Swiss by mail servers: players lose, restore and exchange their private folders, and nobody is accused."""

import pytest

from kursk_pbem.tournament.proof import verify
from kursk_pbem.tournament.score import table
from tournament.exchanged_homes import RestoredCup

pytestmark = [pytest.mark.long]


@pytest.mark.parametrize("seed", [1, 2])
def test_T37_a_swiss_with_restored_homes_places_everyone(time, tmp_path, seed):
    """One player enters late, with the rules file alone."""
    cup = RestoredCup(tmp_path, time, players=8, seed=seed)
    late = {"begin: '14'": "begin: '10'", "until: '1'": "until: '2'"}
    cup.new("--swiss", 3, "--system", "hex-toy/fords", "--roll", edit=late)
    try:
        cup.enter()
        cup.comes_late("zoe")
        cup.days(1)
        cup.direct("tournament", "inbox")
        cup.direct("people", "confirm", "--all", "--yes")
        cup.over()
        cup.direct("tournament", "inbox")
        for _round in (2, 3):
            cup.next_round()
            cup.over()
        cup.direct("tournament", "pair")
        cup.direct("tournament", "end")
        cup.days(3)
    finally:
        cup.closes()
    cup.ledger.collect(cup.folder.glob("games/game-*/????.yaml"))
    proof = verify.verify_tournament(cup.folder)
    assert proof.status in (0, 1), proof
    assert len(table.compute_standings(proof.book).rows) == 9
    assert min(cup.figures[mishap] for mishap in ("keeps", "loses", "exchanges")) > 5
    assert cup.bad == []
