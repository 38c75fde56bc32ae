"""Policies of defenders: taken, kept, looked up in one order."""

import pytest

from kursk_pbem.kernel.hexes.policies import (
    BATTLES,
    BY_HEX,
    BY_UNIT,
    Policies,
    filed_policy,
    find_answer,
    find_misnamed,
    split_parts,
)
from kursk_pbem.kernel.orders import Filing
from kursk_pbem.kernel.state import ANSWERED, DECLARED, State
from kursk_pbem.kernel.umpire import Umpire

ANSWER = {"retreat": "answer"}
STANDS = {"seq": "1", "policy": {"retreat": "standing"}}


def taken(run, policy, **agenda):
    """The umpire after a message with a policy."""
    umpire = Umpire(None, State("1", "red", "x", {}, agenda=agenda), 4, None)
    run(umpire, Filing(4, "red", policy=policy))
    return umpire


def policies(check=lambda _umpire, _filing: None):
    return Policies("8.0", "9.0", "attack", "hexes", "'retreat: yes'", check)


def test_an_answer_goes_before_a_standing_policy():
    """The choice is about waiting battles, the policy about future battles."""
    assert filed_policy({"policy": ANSWER, "policy-red": STANDS}, "red") == ANSWER
    assert filed_policy({"policy-red": STANDS}, "red") == {"retreat": "standing"}
    assert filed_policy({"policy": {}, "policy-red": STANDS}, "red") == {"retreat": "standing"}
    assert filed_policy({"policy-blue": STANDS}, "red") == {}


def test_the_first_place_that_says_something_counts_and_then_the_whole_side():
    policy = {
        "retreat": "side",
        "battles": {"b1": {"advance": "battle"}},
        "units": {"r-1": {"retreat": "unit"}},
        "hexes": {"0101": {"retreat": "hex"}},
    }
    places = ((BATTLES, "b1"), (BY_UNIT, "r-1"), (BY_HEX, "0101"))
    assert find_answer(policy, "retreat", places) == "unit"
    assert find_answer(policy, "retreat", places[::-1]) == "hex"
    assert find_answer(policy, "retreat", places[:1]) == "side"
    assert find_answer(policy, "advance", places) == "battle"
    assert find_answer(policy, "losses", places) is None


def test_an_answer_waits_and_is_remembered():
    umpire = taken(policies().answer, ANSWER, battles=[{"id": "b1"}], **{DECLARED: "3"})
    assert umpire.state.agenda["policy"] == ANSWER
    assert umpire.state.agenda[ANSWERED] == "4"
    assert {event.rule for event in umpire.events} == {"8.0", "9.0"}


def test_saying_nothing_is_an_answer():
    umpire = taken(policies().answer, {}, battles=[{"id": "b1"}])
    assert "policy" not in umpire.state.agenda
    assert umpire.state.agenda[ANSWERED] == "4"


def test_a_standing_policy_is_kept_with_its_message_and_answers_nothing():
    umpire = taken(policies().stand, ANSWER)
    assert umpire.state.agenda == {"policy-red": {"seq": "4", "policy": ANSWER}}


@pytest.mark.parametrize(("run", "why"), [("answer", "no attack of that name is declared"), ("stand", "name hexes or")])
def test_a_battle_that_is_not_declared_is_refused_at_its_place(run, why):
    umpire = taken(getattr(policies(), run), {"battles": {"b2": {}}}, battles=[{"id": "b1"}])
    (violation,) = umpire.violations
    assert violation.path == ("policy", "battles", "b2")
    assert violation.message.startswith(why)


def test_a_standing_policy_names_not_even_a_battle_that_is_declared():
    assert taken(policies().stand, {"battles": {"b1": {}}}, battles=[{"id": "b1"}]).violations
    assert not taken(policies().answer, {"battles": {"b1": {}}}, battles=[{"id": "b1"}]).violations


def test_what_cannot_stand_is_said_before_it_is_kept():
    assert policies().slip(ANSWER) is None
    assert policies().slip({}) == ((), "it holds no policy; e.g. 'retreat: yes'")
    path, why = policies().slip({"battles": {"b1": {}}})
    assert path == ("battles",)
    assert "attacks are named in the answer" in why


def test_the_system_checks_what_else_is_wrong():
    seen = []
    taken(policies(lambda umpire, filing: seen.append(filing.policy)).answer, ANSWER)
    taken(policies(lambda umpire, filing: seen.append(filing.writer)).stand, ANSWER)
    assert seen == [ANSWER, "red"]


def test_misnamed_and_parts():
    policy = {"hexes": {"0101": {"a": "b"}, "9999": {}}, "advance": []}
    assert list(find_misnamed(policy, (BY_HEX, {"0101"}, "is no hex"))) == [(("hexes", "9999"), "is no hex")]
    assert [path for path, _part in split_parts(policy, (BATTLES, BY_HEX))] == [
        (),
        ("hexes", "0101"),
        ("hexes", "9999"),
    ]
