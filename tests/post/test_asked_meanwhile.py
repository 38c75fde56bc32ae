"""A director is asked for their word, and thinks about it while the mailbox goes on: nothing is signed unseen."""

import sys
from datetime import timedelta
from functools import partial

import pytest
from helpers.boards_by_mail import Board
from helpers.commands import Terminal
from helpers.mailbags import letter, turn
from helpers.postmen import text
from helpers.refereed_mail import DAY, hours, played_on

from kursk_pbem.cli import alone, run
from kursk_pbem.game import folders
from kursk_pbem.post import place


class Typed(Terminal):
    """Somebody at a terminal who says yes in the end; until then something comes."""

    def __init__(self, meanwhile=lambda: None):
        super().__init__("y\n")
        self._meanwhile = meanwhile

    def readline(self, *size):
        self._meanwhile()
        return super().readline(*size)


def asks(director, monkeypatch, *words, meanwhile=lambda: None):
    """What a command of the director ends with, and what came ``meanwhile``."""
    monkeypatch.setattr(sys, "stdin", Typed(meanwhile))
    with director.sitting():
        return run([*map(str, words)])


@pytest.fixture
def asked(world, monkeypatch):
    return partial(asks, world.ref, monkeypatch)


@pytest.fixture
def board(relayed):
    return Board(relayed)


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
    monkeypatch.setattr(alone, "_PATIENCE", 0)
    there = world.papers()
    with place.locked(world.ref.home):
        assert asked(command, world.folder, *options) == 2
    assert world.papers() == there
    assert asked(command, world.folder, *options) == 0


LATE = {
    "a late message": lambda world, raw: world.office.put(raw, world.ref.address),
    "words": lambda world, _raw: world.asks(f"please wait, {world.game[:8]}", "boris"),
    "a damaged one": lambda world, raw: world.office.put(raw[: len(raw) * 2 // 3], world.ref.address),
}


@pytest.mark.parametrize("what", LATE)
def test_2_10_what_would_have_been_told_before_a_question_is_asked_anew(world, asked, what):
    """A forfeit was signed although something spoke against it that came while the director thought about it."""
    played_on(world)
    world.boris.sign(world.game)
    world.time.passes(8 * DAY.total_seconds())
    raw = letter(turn(world.boris, world.game, 3), world.boris.address)

    def meanwhile():
        LATE[what](world, raw)
        world.director.post()

    assert asked("forfeit", world.folder, meanwhile=meanwhile) == 2
    assert "forfeit.yaml" not in world.papers()
    assert asked("forfeit", world.folder) == 0


@pytest.mark.parametrize("words", ["forfeit 1-1", "judge 1-1 word violet"])
def test_2_10_no_board_is_decided_in_the_middle_of_a_round(board, monkeypatch, capsys, words):
    """A forfeit contradicted the receipt of that round, or the game went on behind a judgement."""
    cup = board.cup
    late = cup.players[board.late].friend
    late.sign(board.game)
    seq = len(folders.message_files(late.folder(board.game))) - 1
    cup.time.now += timedelta(days=9)
    command = ("tournament", *words.split(), "--in", cup.folder)
    monkeypatch.setattr(alone, "_PATIENCE", 0)
    there = sorted(cup.folder.rglob("*.yaml"))
    with place.locked(cup.ref.friend.home):
        assert asks(cup.ref.friend, monkeypatch, *command) == 2
    assert "another kursk is at work" in capsys.readouterr().err

    def meanwhile():
        raw = letter(turn(late, board.game, seq), late.address)
        cup.office.put(raw, cup.ref.address, cup.time.now - timedelta(days=4))
        cup.ref.post()

    assert sorted(cup.folder.rglob("*.yaml")) == there
    assert asks(cup.ref.friend, monkeypatch, *command, meanwhile=meanwhile) == 2
    assert not (board.folder / "forfeit.yaml").exists()
    assert "while you were asked" in capsys.readouterr().err
