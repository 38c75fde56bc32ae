"""An opponent is found by an open invitation: written, answered, picked, and only then proposed."""

import re

from helpers import registry

from kursk_pbem.desk.ground import clock

SCENARIO = "hex-toy/fords"
EARLIER, TIME, LATER = "2026-11-01T10:00:00Z", "2026-11-02T10:00:00Z", "2026-12-02T10:00:01Z"


def at(time, friend, *words, status=0, told=""):
    with clock.fix_time(time):
        return friend.kursk(*words, status=status, told=told)


def test_a_stranger_is_found_by_a_link(friends):
    anna, boris, carla = friends("anna", "boris", "carla")
    asked = at(TIME, anna, "invite", SCENARIO, "--name", "Anna", "--note", "Evenings").splitlines()[-1]
    shown = at(TIME, boris, "inbox", asked)
    assert re.search(r"open invitation to .*, until 2026-12-02 10:00 UTC: it binds nobody", shown)
    assert re.search(r"from 'Anna' \(a claim\), key SHA256:\S{43}; .*\n\s+note: 'Evenings'", shown)
    at(TIME, anna, "invite", "--answer", asked, status=2, told="your own invitation")
    answers = [
        at(TIME, friend, "invite", "--answer", asked, "--name", friend.name).splitlines()[-1]
        for friend in (boris, carla, boris)
    ]
    at(TIME, carla, "inbox", answers[0], told="an invitation that is not here")
    assert all("'kursk invite --pick" in at(TIME, anna, "inbox", answer) for answer in answers)
    listed = at(TIME, anna, "invite")
    assert listed.count("an answer from") == 2  # the newest of each key counts
    picked = re.search(r"([0-9a-f]{8}): an answer from 'boris' \(a claim\), key SHA256:", listed)[1]
    assert not list(anna.place.glob("game-*"))
    at(TIME, anna, "invite", "--pick", "0123", status=2, told="0 answers have an id")
    at(LATER, anna, "invite", "--pick", picked, status=2, told="ask for a new invitation")
    at(TIME, anna, "invite", "--pick", picked)
    (folder,) = anna.place.glob("game-*")
    at(TIME, anna, "inbox", answers[0], told="you have picked this answer")  # L8: it was offered again
    at(TIME, anna, "invite", "--pick", picked, status=2, told="0 answers have an id")
    desk = boris.accept((folder / "0000.yaml").read_bytes())
    assert sorted(desk.game.chain.head["names"].values()) == ["Anna", "boris"]


def test_an_answer_outside_the_time_of_an_invitation_is_refused(friends):
    anna, boris = friends("anna", "boris")
    asked = at(TIME, anna, "invite", SCENARIO).splitlines()[-1]
    for time in (EARLIER, LATER):
        at(time, boris, "invite", "--answer", asked, status=2, told="the invitation is open only from")
    at(TIME, anna, "invite", SCENARIO, "--as", "purple", status=2, told="has no side 'purple': invite as")


def test_a_stranger_proposes_when_the_inviter_takes_the_other_side(friends):
    anna, boris = friends("anna", "boris")
    proposer = registry.of_scenario(SCENARIO).proposer(SCENARIO, {})
    other = registry.of_scenario(SCENARIO).ruleset.other(proposer)
    asked = at(TIME, anna, "invite", SCENARIO, "--as", other, "--name", "Anna").splitlines()[-1]
    at(TIME, boris, "invite", "--answer", asked, "--name", "Boris")
    (folder,) = boris.place.glob("game-*")
    desk = anna.accept((folder / "0000.yaml").read_bytes())
    assert desk.own_side == other
    assert desk.game.chain.head["names"] == {proposer: "Boris", other: "Anna"}
