"""Missing scenario data: turns of the game wait, and no message is refused."""

import shutil

import pytest
from helpers.mailbags import letter, states, taken, turn
from rulesets import toys

from kursk_pbem.errors import OutdatedError
from kursk_pbem.formats import data
from kursk_pbem.post.round.outcome import REFUSED, TAKEN

FORDS = "hex-toy/fords"


@pytest.fixture
def corrected(tmp_path, monkeypatch):
    """Return a function to correct the toy's scenario, and the folder for the old data."""

    def correct():
        shipped = toys.FOLDERS["hex-toy"] / "scenarios"
        folder = tmp_path / "corrected" / FORDS
        shutil.copytree(shipped / FORDS, folder)
        table = folder / "tables.yaml"
        table.write_text(table.read_text("ascii") + "corrected: 'yes'\n", "ascii", newline="\n")
        monkeypatch.setenv(data.SEARCH_PATH, str(tmp_path / "corrected"))
        return folder, shipped / FORDS

    return correct


def outcomes(day):
    return [outcome for game in day.games for outcome in game.outcomes]


def test_what_comes_of_a_game_waits_until_its_data_are_here(pair, tmp_path, corrected):
    anna, boris, game = pair
    boris.sign(game)
    pinned = boris.desk(game).game.chain.head["scenario"]["sha256"]
    path = tmp_path / "mail.eml"
    path.write_bytes(letter(turn(boris, game, 1)))
    folder, old = corrected()
    (outcome,) = outcomes(taken(anna, path))
    assert (outcome.state, outcome.again) == (REFUSED, True)
    assert isinstance(outcome.error, OutdatedError)
    shutil.copytree(old, folder / "old" / pinned)
    assert states(taken(anna, path)) == [(1, TAKEN)]
