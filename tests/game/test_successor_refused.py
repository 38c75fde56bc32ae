"""Proposals that do not fit the earlier game, and positions without a possible successor."""

from __future__ import annotations

import shutil
from dataclasses import replace

import pytest
from helpers.agreements import hashed, offered, propose, tampered

from kursk_pbem.desk.deals import offers
from kursk_pbem.errors import FileError, TrustError, UsageError
from kursk_pbem.game import folders, games, histories, scenarios
from kursk_pbem.kernel.state import Unit
from kursk_pbem.rulesets.battle_for_kursk import RULESET
from kursk_pbem.rulesets.battle_for_kursk.resume import resume_game
from kursk_pbem.trust import messages

pytestmark = pytest.mark.slow


# Proposals that do not follow from the old game


def moved(content, state):
    """A German unit stands elsewhere, and the hash says so."""
    state["units"] = {**state["units"], "g-24-pz": {"place": "eliminated", "steps": "0"}}
    content["state-out"] = messages.sha256_hex(messages.canon(state))


def test_a_position_that_the_old_game_never_had(later):
    wrong = tampered(propose(later.german), later.german.key, moved)
    with pytest.raises(TrustError, match=r"the first position of the new game never occurred in game-"):
        offers.make_successor_offer(later.russian.desk, wrong)


@pytest.mark.parametrize(
    ("change", "fault", "words"),
    [
        (lambda c, _s: c["continues"].update(game="ab" * 32), "chain", "does not continue"),
        (lambda c, _s: c["continues"].update(id="ab" * 32), "chain", "continued message 4 differs"),
        (lambda c, _s: c["continues"].update(seq="77"), "chain", "continued message 77 differs"),
        (lambda c, s: s.update(turn="9") or hashed(c, s), "state", "unknown turn or tracks"),
        (lambda c, s: s["tracks"].pop("mud") and hashed(c, s), "state", "unknown turn or tracks"),
        (lambda c, s: s["tracks"].update(mud="9") or hashed(c, s), "state", "a track is out of bounds"),
        (lambda c, s: s["units"].pop("g-24-pz") and hashed(c, s), "state", "order of battle"),
        (lambda c, s: s["marks"]["german"].update(previous="x") or hashed(c, s), "state", "a mark is unknown"),
        (lambda c, s: s["marks"].update(verdict={"how": "draw"}) or hashed(c, s), "state", "a mark is unknown"),
        (lambda c, s: s["marks"]["objective"].update(hex="x") or hashed(c, s), "state", "a mark is unknown"),
        (lambda c, s: s["marks"]["german"].pop("posture") and hashed(c, s), "state", "still hidden"),
        (lambda c, s: s.update(stage="over") or hashed(c, s), "state", "game is over"),
        (lambda c, s: s.update(stage="no-such") or hashed(c, s), "state", "waits for the other side"),
        (lambda c, s: s.update(stage="opening") or hashed(c, s), "state", "before the choice"),
        (lambda c, s: s["agenda"].update(weather="due") or hashed(c, s), "state", "a weather die is due"),
        (lambda c, s: s["agenda"].update(declared="3") or hashed(c, s), "state", "still hidden"),
        (lambda c, s: s.update(side="german") or hashed(c, s), "state", "the other side must write"),
    ],
)
def test_other_proposals_are_refused(later, change, fault, words):
    """A false position of a stranger is refused with a message, never with a traceback."""
    wrong = tampered(propose(later.german), later.german.key, change)
    with pytest.raises(TrustError, match=words) as caught:
        offers.make_successor_offer(later.russian.desk, wrong)
    assert caught.value.fault == fault


def test_a_seal_of_the_old_game_has_no_place_in_the_new_one(later):
    def seal(content, state):
        state.update(stage="posture", side="german", agenda={"sealed/posture/turn-1": {"seq": "1", "hash": "0" * 64}})
        for side in ("german", "russian"):
            del state["marks"][side]["posture"]
        hashed(content, state)

    wrong = tampered(propose(later.german), later.german.key, seal)
    with pytest.raises(TrustError, match="belong to another game"):
        games.begin(folders.read_message(wrong))


def test_a_proposal_without_its_position_is_asked_for_again(later):
    path = propose(later.german)
    text = path.read_text(encoding="ascii")
    (bare := path.with_name("bare.yaml")).write_text(text[: text.index("\nstate:") + 1], encoding="ascii")
    with pytest.raises(FileError, match="ask for the whole file"):
        offers.make_successor_offer(later.russian.desk, bare)


def test_the_side_that_owes_the_next_choice_cannot_have_proposed(later):
    """Else it could leave and come back for a better look (protocol 2.3)."""

    def turned(content, _state):
        content["from"] = "russian"

    wrong = tampered(propose(later.german), later.russian.key, turned)
    with pytest.raises(TrustError, match="the russian side owes the next choice") as caught:
        games.begin(folders.read_message(wrong))
    assert caught.value.fault == "head"


def test_another_proposal_than_the_offered_one_is_not_accepted(later):
    path, second = propose(later.german), propose(later.german, options={"uncovered": "ask"})
    letter = offered(later, shutil.copyfile(path, later.russian.place / "paper.yaml"))
    with pytest.raises(UsageError, match="is not the offered proposal"):
        offers.make_acceptance(later.german.desk, second)
    assert offers.make_acceptance(later.german.desk, letter)[2] == letter


def test_no_proposal_no_accept(later):
    path = propose(later.german)
    paper = shutil.move(path.parent, later.russian.place / "moved") / "0000.yaml"
    offered(later, paper)
    with pytest.raises(UsageError, match="needs the proposal"):
        offers.make_acceptance(later.german.desk, None)
    with pytest.raises(FileError, match="the file is message 2, not 0"):
        offers.make_acceptance(later.german.desk, later.german.folder / "0002.yaml")
    with pytest.raises(FileError, match="no proposal of a successor game"):
        offers.make_acceptance(later.german.desk, later.german.folder / "0000.yaml")


# Judgements of the rules on positions


def setting(**options):
    return scenarios.load("battle-for-kursk/campaign"), options


def test_where_the_weather_is_due_the_die_falls_in_message_3():
    """Nothing is sealed before the die (K-64), and no die falls before message 3 (protocol 2.3)."""
    kursk = RULESET.data.load(*setting(weather="die"))
    state = RULESET.data.setup(kursk)
    for stage, side in (("weather", "german"), ("first-binding", "german"), ("first-weather", "russian")):
        first = resume_game(kursk, state.with_(stage=stage, side=side))
        assert (first.stage, first.side, first.agenda) == ("resumed", "russian", {"weather": "due"})
        assert resume_game(kursk, first) == first
    one = games.adjudicate(RULESET, kursk, first, games.Filing(1, "russian"), None)
    two = games.adjudicate(RULESET, kursk, one.after, games.Filing(2, "german"), None)
    assert (one.violations, two.violations) == ((), ())
    assert (one.after.stage, two.after.stage, two.after.side) == ("first-binding", "first-weather", "russian")


@pytest.mark.parametrize(("seq", "stage"), [(1, "first-binding"), (3, "weather")])
def test_a_turn_that_ends_with_message_1_leaves_the_next_weather_to_message_3(seq, stage):
    kursk = RULESET.data.load(*setting(weather="die"))
    start = RULESET.data.setup(kursk)
    marks = {**start.marks, **{side: {"previous": "pause", "posture": "pause"} for side in ("german", "russian")}}
    state = start.with_(side="russian", stage="russian-orders", marks=marks, agenda={})
    assert resume_game(kursk, state) == state
    result = games.adjudicate(RULESET, kursk, state, games.Filing(seq, "russian"), None)
    assert (result.violations, result.after.turn, result.after.stage) == ((), "B", stage)


def test_every_position_of_a_game_is_resumed_or_refused_in_words(later):
    kinds = set()
    for game in histories.load(later.german.folder).games:
        found = resume_game(game.setting, game.state)
        kinds.add(type(found))
        if not isinstance(found, str):
            assert resume_game(game.setting, found) == found
            assert not any(key.startswith("sealed/") for key in found.agenda)
            assert game.ruleset.stage(game.setting, found).writer == found.side
    assert len(kinds) == 2
    assert resume_game(game.setting, replace(game.state, units={"x": Unit("0101", 1)})).startswith(
        "the position does not fit"
    )
