"""A director is asked for their word, and thinks about it while the mailbox goes on: nothing is signed unseen."""

import io
import sys
from datetime import timedelta

import pytest
from helpers.mailbags import letter, turn
from helpers.postmen import text
from helpers.refereed_mail import DAY, hours, played_on

from kursk_pbem.cli import run
from kursk_pbem.cli.referee import papers
from kursk_pbem.post import place


class Typed(io.StringIO):
    """Somebody at a terminal who says yes in the end; until then something comes."""

    def __init__(self, meanwhile=lambda: None):
        super().__init__("y\n")
        self._meanwhile = meanwhile

    def isatty(self):
        return True

    def readline(self, *size):
        self._meanwhile()
        return super().readline(*size)


@pytest.fixture
def asked(world, monkeypatch):
    """What a command of the director ends with, and what came ``meanwhile``."""

    def asks(*words, meanwhile=lambda: None):
        monkeypatch.setattr(sys, "stdin", Typed(meanwhile))
        with world.ref.sitting():
            return run([*map(str, words)])

    return asks


def verified(world):
    with world.ref.sitting():
        return run(["verify", str(world.folder), "-q"])


@pytest.mark.parametrize("comes", [True, False])
def test_2_10_a_game_is_not_lost_for_want_of_what_came_while_the_director_was_asked(world, asked, capsys, comes):
    """The forfeit contradicted a receipt that the mailbox had signed meanwhile, and the game stood still."""
    played_on(world)
    world.boris.sign(world.game)
    world.time.passes(8 * DAY.total_seconds())
    arrives, raw = world.time.now - timedelta(days=2), letter(turn(world.boris, world.game, 3), world.boris.address)

    def meanwhile():
        if comes:
            world.office.put(raw, world.ref.address, arrives)
            world.director.post()

    assert asked("forfeit", world.folder, meanwhile=meanwhile) == (2 if comes else 0)
    assert ("forfeit.yaml" in world.papers(), verified(world)) == (not comes, 0)
    assert ("something has come" in capsys.readouterr().err) is comes


def test_2_10_two_who_give_time_at_once_give_no_two_terms(world, asked):
    played_on(world)
    hours(world, 24, step=12)
    until = text(world.time.now + 20 * DAY)
    pause = lambda: list(world.director.errand.chair.pause(until))  # noqa: E731 - what comes meanwhile
    assert asked("extend", world.folder, "--days", "2", meanwhile=pause) == 2
    assert sum(name.startswith("extension-") for name in world.papers()) == 1


@pytest.mark.parametrize("words", ["forfeit", "extend --days 2", "receipt --seq 2 --days 7"])
def test_2_10_nothing_is_signed_in_the_middle_of_a_round(world, asked, monkeypatch, words):
    command, *options = words.split()
    played_on(world)
    hours(world, 9 * 24 if command == "forfeit" else 6, step=24)
    monkeypatch.setattr(papers, "_PATIENCE", 0)
    there = world.papers()
    with place.locked(world.ref.home):
        assert asked(command, world.folder, *options) == 2
    assert world.papers() == there
    assert asked(command, world.folder, *options) == 0
