"""What can be chosen for orders on the board, and that its words mean what was chosen."""

from typing import Any

import pytest

from kursk_pbem.kernel.verbs import Asking, edited
from kursk_pbem.rulesets.juggernauts.verbs import verbs
from rulesets.juggernauts.board import attack, declared, july, place

AT_T15 = "T15: r-57a | S15: g-48pzk | S16: g-2ss"
VERBS = {verb.name: verb for verb in verbs(july())}


def asking(state, draft=None) -> Asking:
    return Asking(july(), state, 1, draft or {}, lambda _draft, _phase: state)


def offered(name, ask, *words) -> dict[str, Any]:
    clauses = VERBS[name].clauses
    assert clauses
    return {clause.word: clause for clause in clauses(ask, words)}


def written(name, ask, text):
    return edited(ask.draft, VERBS[name].write(ask, text.split()))


def test_an_attack_is_chosen_part_by_part_3_0():
    ask = asking(place(AT_T15))
    assert "T15" in dict(offered("attack", ask)[""].among)
    parts = offered("attack", ask, "T15")
    assert parts["with"].chosen == ("g-2ss", "g-48pzk")
    assert "only T16" in parts["advance"].more
    draft = written("attack", ask, "T15 with g-48pzk g-2ss pressed yes push 2 advance g-2ss only T16")
    parts = offered("attack", asking(ask.state, draft), "T15")
    assert (parts["pressed"].chosen, parts["push"].chosen) == (("yes",), ("2",))
    assert parts["advance"].chosen == ("g-2ss only T16",)
    assert written("attack", asking(ask.state, draft), "T15 pressed")["orders"]["battles"][0]["pressed"] == "no"


def test_only_germans_choose_what_only_german_plans_hold_2_0_breakthrough():
    parts = offered("attack", asking(place(f"{AT_T15}; stage russian-orders")), "S15")
    assert "losses" in parts
    assert not {"cancel", "breakthrough", "exploit"} & parts.keys()


@pytest.mark.parametrize(("words", "policy"), [
    ("all no-retreat no withdraw 2", {"no-retreat": "no", "withdraw": "2"}),
    ("no-retreat", {"withdraw": "1"}),
    ("b1 no-retreat yes", {"no-retreat": "yes", "withdraw": "1", "battles": {"b1": {"no-retreat": "yes"}}}),
])  # fmt: skip
def test_an_answer_says_no_and_takes_back_6_0(words, policy):
    state = declared(place(AT_T15), attack("T15", "g-48pzk g-2ss")).state.with_(side="russian")
    ask = asking(state, {"policy": {"no-retreat": "yes", "withdraw": "1"}})
    assert {"all", "b1"} <= dict(offered("answer", ask)[""].among).keys()
    assert offered("answer", ask, "all")["no-retreat"].chosen == ("yes",)
    assert offered("answer", ask, "b1")["no-retreat"].chosen == ()
    assert written("answer", ask, words)["policy"] == policy
