"""Many games, players and strangers at one referee's mailbox: who is answered, and what a mail costs."""

import pytest
from helpers.postmen import Time
from helpers.refereed_mail import World, begun

from kursk_pbem.post.mailbox import people
from kursk_pbem.trust import sshsig


@pytest.fixture
def world(friends, tmp_path, monkeypatch):
    return World(friends, tmp_path, Time().set(monkeypatch))


def test_two_players_with_one_address_are_answered_about_the_games_of_both(friends, world):
    """Which of them writes nobody can tell; what is told goes to both anyway."""
    carla, dmitri = friends("carla", "dmitri")
    others = [begun(world, carla, dmitri) for _number in range(2)]
    for who in (world.anna, world.boris, carla):
        people.save(world.ref.home, people.known(world.ref.home, who.public).put("club@example.test", people.SAID, ""))
    world.director.sits()
    world.asks(f"STATUS\nABSENT {world.game[:8]} 2026-09-05 2026-09-07\nSTATUS {others[0][:8]}", "club")
    ((reader, raw),) = world.words()
    assert reader == "club@example.test"
    assert all(f"game {game[:8]}\r\n  message 1 of the" in raw for game in (world.game, *others))
    assert raw.count(f"game {others[0][:8]}\r\n") == 2
    absent = [line for line in world.director.errand.chair.pending() if "will be away" in line]
    assert {sshsig.fingerprint(who.public) in " ".join(absent) for who in (world.anna, world.boris)} == {True}
    assert len(absent) == 2
