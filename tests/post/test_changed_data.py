"""Missing scenario data: turns of the game wait, and no message is refused."""

import shutil

from helpers import old_scenarios
from helpers.mailbags import letter, states, taken, turn
from rulesets import toys

from kursk_pbem.errors import OutdatedError
from kursk_pbem.formats import data
from kursk_pbem.post.round.outcome import REFUSED, TAKEN

FORDS = "hex-toy/fords"


def test_what_comes_of_a_game_waits_until_its_data_are_here(pair, tmp_path, monkeypatch):
    """A release corrects the scenario, and the old data are missing at first."""
    anna, boris, game = pair
    boris.sign(game)
    path, shipped, release = tmp_path / "mail.eml", toys.FOLDERS["hex-toy"] / "scenarios", tmp_path / "release"
    path.write_bytes(letter(turn(boris, game, 1)))
    shutil.copytree(shipped / FORDS, release / FORDS)
    with (release / FORDS / "tables.yaml").open("a", encoding="ascii") as table:
        table.write("corrected: 'yes'\n")
    monkeypatch.setenv(data.SEARCH_PATH, str(release))
    ((outcome,),) = [game.outcomes for game in taken(anna, path).games]
    assert (outcome.state, outcome.again) == (REFUSED, True)
    assert isinstance(outcome.error, OutdatedError)
    old_scenarios.keep(release, shipped, FORDS)
    assert states(taken(anna, path)) == [(1, TAKEN)]
