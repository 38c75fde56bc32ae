"""An opponent is found by an open invitation: written, answered, picked, and only then proposed."""

import re

import pytest
from helpers import registry

from kursk_pbem.desk.ground import clock

SCENARIO = "hex-toy/fords"
EARLIER, TIME, LATER = "2026-11-01T10:00:00Z", "2026-11-02T10:00:00Z", "2026-12-02T10:00:01Z"


@pytest.fixture
def at():
    def do(time, friend, capsys, *words, status=0):
        with clock.fix_time(time):
            friend.kursk(*words, status=status)
        out, err = capsys.readouterr()
        return err if status else out

    return do


def test_a_stranger_is_found_by_a_link(friends, at, capsys):
    anna, boris, carla = friends("anna", "boris", "carla")
    asked = at(TIME, anna, capsys, "invite", SCENARIO, "--name", "Anna", "--note", "Evenings").splitlines()[-1]
    shown = at(TIME, boris, capsys, "inbox", asked)
    assert re.search(r"open invitation to .*, until 2026-12-02 10:00 UTC: it binds nobody", shown)
    assert re.search(r"from 'Anna' \(a claim\), key SHA256:\S{43}; .*\n\s+note: 'Evenings'", shown)
    assert "your own invitation" in at(TIME, anna, capsys, "invite", "--answer", asked, status=2)
    answers = [
        at(TIME, friend, capsys, "invite", "--answer", asked, "--name", friend.name).splitlines()[-1]
        for friend in (boris, carla, boris)
    ]
    assert "an invitation that is not here" in at(TIME, carla, capsys, "inbox", answers[0])
    assert all("'kursk invite --pick" in at(TIME, anna, capsys, "inbox", answer) for answer in answers)
    listed = at(TIME, anna, capsys, "invite")
    assert listed.count("an answer from") == 2  # the newest of each key counts
    picked = re.search(r"([0-9a-f]{8}): an answer from 'boris' \(a claim\), key SHA256:", listed)[1]
    assert not list(anna.place.glob("game-*"))
    assert "0 answers have an id" in at(TIME, anna, capsys, "invite", "--pick", "0123", status=2)
    assert "ask for a new invitation" in at(LATER, anna, capsys, "invite", "--pick", picked, status=2)
    at(TIME, anna, capsys, "invite", "--pick", picked)
    (folder,) = anna.place.glob("game-*")
    assert "you have picked this answer" in at(TIME, anna, capsys, "inbox", answers[0])  # L8: it was offered again
    assert "0 answers have an id" in at(TIME, anna, capsys, "invite", "--pick", picked, status=2)
    desk = boris.accept((folder / "0000.yaml").read_bytes())
    assert sorted(desk.game.chain.head["names"].values()) == ["Anna", "boris"]


def test_an_answer_outside_the_time_of_an_invitation_is_refused(friends, at, capsys):
    anna, boris = friends("anna", "boris")
    asked = at(TIME, anna, capsys, "invite", SCENARIO).splitlines()[-1]
    for time in (EARLIER, LATER):
        assert "the invitation is open only from" in at(time, boris, capsys, "invite", "--answer", asked, status=2)
    said = at(TIME, anna, capsys, "invite", SCENARIO, "--as", "purple", status=2)
    assert "has no side 'purple': invite as" in said


def test_a_stranger_proposes_when_the_inviter_takes_the_other_side(friends, at, capsys):
    anna, boris = friends("anna", "boris")
    proposer = registry.of_scenario(SCENARIO).proposer(SCENARIO, {})
    other = registry.of_scenario(SCENARIO).ruleset.other(proposer)
    asked = at(TIME, anna, capsys, "invite", SCENARIO, "--as", other, "--name", "Anna").splitlines()[-1]
    at(TIME, boris, capsys, "invite", "--answer", asked, "--name", "Boris")
    (folder,) = boris.place.glob("game-*")
    desk = anna.accept((folder / "0000.yaml").read_bytes())
    assert desk.own_side == other
    assert desk.game.chain.head["names"] == {proposer: "Boris", other: "Anna"}
