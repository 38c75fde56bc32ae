"""2.0-d, 2.0-dn, 6.0: answers for single units (J-7, J-53, J-70), from typed words to the report."""

import pytest

from kursk_pbem.errors import UsageError
from kursk_pbem.kernel.hexes.useless import SAME
from kursk_pbem.kernel.orders import Filing
from kursk_pbem.kernel.umpire import Umpire
from kursk_pbem.kernel.verbs import edit_draft
from kursk_pbem.rulesets.juggernauts import RULESET
from kursk_pbem.rulesets.juggernauts.answers import POLICIES
from kursk_pbem.rulesets.juggernauts.seen import exact_odds
from kursk_pbem.rulesets.juggernauts.seen.verbs import list_verbs
from kursk_pbem.rulesets.juggernauts.seen.wording import Wording
from rulesets.juggernauts.board import asking, attack, declare_attacks, july, list_unused, place, wait_for_answer

STACK = "T15: r-57a r-4ak | S15: g-2ss"
VERBS = {verb.name: verb for verb in list_verbs(july())}


def test_6_0_who_answers_for_a_unit_that_no_retreat_orders_hold_is_warned():
    """J-53: also of an answer for the side or a hex that more specific answers replace."""
    policy = {"hexes": {"T15": {"no-retreat": "yes"}}, "units": {"r-4ak": {"withdraw": "2"}}}
    state = wait_for_answer(place(STACK), attack("T15", "g-2ss"))

    def told(policy):
        return [each.text for each in list_unused(state, seq=2, policy=policy)]

    vain = f"withdraw 2{{}} has no effect in b1: {SAME}"
    assert told(policy) == [vain.format(" for r-4ak")]
    assert told({"units": {"r-2ak": {"withdraw": "2"}}}) == [
        "your answer has no effect, because your units are not attacked r-2ak"
    ]
    assert told({"units": {"r-4ak": {"withdraw": "2"}}}) == []
    own = {"r-4ak": {"withdraw": "2"}, "r-57a": {"withdraw": "1"}}
    (before,) = told({"hexes": {"T15": {"withdraw": "1"}}, "units": own})
    assert before.startswith("withdraw 1 for T15 has no effect: more specific answers")
    assert told({"withdraw": "1", "units": {"r-4ak": {"withdraw": "2"}}}) == []
    twice = {"battles": {"b1": {"no-retreat": "no"}}, "hexes": {"T15": {"no-retreat": "yes", "withdraw": "1"}}}
    (unheard,) = told(twice)
    assert unheard == "no-retreat yes for T15 has no effect: more specific answers apply"
    both = {"no-retreat": "yes", "withdraw": "2"}
    assert (told(both), told({"hexes": {"T15": both}})) == ([vain.format("")], [vain.format(" for T15")])
    (wide,) = told({**both, "hexes": {"T15": {"no-retreat": "no"}}})
    assert wide == "no-retreat yes has no effect: more specific answers apply"


def answered(policy):
    umpire = Umpire(july(), wait_for_answer(place(STACK), attack("T15", "g-2ss")), 2)
    POLICIES.answer(umpire, Filing(2, "russian", policy=policy))
    return umpire


def test_6_0_a_standing_answer_may_name_units():
    """J-70: also if a referee rolls."""
    policy = {"units": {"r-4ak": {"withdraw": "2"}}}
    assert POLICIES.slip(policy) is None
    wrong = {"units": {"g-2ss": {}}, "hexes": {"Z9": {}}}
    assert [path for path, _why in RULESET.play.misnamed(july(), "russian", wrong)] == [
        ("hexes", "Z9"),
        ("units", "g-2ss"),
    ]
    setting = july(refereed=True)
    umpire = Umpire(setting, place(f"{STACK}; stage russian-orders", setting), 2)
    POLICIES.stand(umpire, Filing(2, "russian", policy=policy))
    case = declare_attacks(
        umpire.state.with_(side="german", stage="german-orders"), attack("T15", "g-2ss"), setting=setting
    )
    (only,) = exact_odds.list_chances(setting, case.state, {})
    assert only.assumed[0] == "the defenders' answer: r-4ak withdraws two hexes, r-57a withdraws nowhere"


def waiting(draft=None):
    return asking(wait_for_answer(place(STACK), attack("T15", "g-2ss")), draft)


def said(words, draft=None):
    edits = VERBS["answer"].write(waiting(draft), words.split())
    return edit_draft(draft or {}, edits), [edit.said for edit in edits]


def test_words_name_a_unit():
    """An id or a part of a name finds a unit; 'none' removes the answer."""
    draft, told = said("4 ak withdraw 2 retreat u16 t16")
    assert draft == {"policy": {"units": {"r-4ak": {"withdraw": "2", "retreat": ["U16", "T16"]}}}}
    assert told == ["r-4ak: withdrawal of two hexes", "r-4ak: retreat U16, T16"]
    assert said("r-4ak withdraw none", draft)[0] == {"policy": {"units": {"r-4ak": {"retreat": ["U16", "T16"]}}}}
    assert said("4 ak no-retreat yes crowd lose")[0] == {
        "policy": {"units": {"r-4ak": {"no-retreat": "yes", "crowd": "lose"}}}
    }
    with pytest.raises(UsageError, match="no hex or unit"):
        said("nobody withdraw 1")


def test_a_form_offers_the_units_that_do_not_stand_alone():
    """J-70, J-53: the form writes the same words."""
    clauses = VERBS["answer"].clauses
    draft = {"policy": {"units": {"r-4ak": {"withdraw": "1"}}}}
    assert [word for word, _text in clauses(waiting(draft), ())[0].among] == ["all", "b1", "r-4ak", "r-57a"]
    found = {clause.word: clause for clause in clauses(waiting(draft), ("r-4ak",))}
    assert (found.keys(), found["withdraw"].chosen) == ({"no-retreat", "withdraw", "retreat", "crowd"}, ("1",))
    alone = asking(wait_for_answer(place("T15: r-57a | S15: g-2ss"), attack("T15", "g-2ss")))
    assert [word for word, _text in clauses(alone, ())[0].among] == ["all", "b1"]


def test_15_2_an_attack_on_an_empty_line_is_nobodys_to_answer():
    """The form omits the battle and says why; the card uses the same words."""
    first = VERBS["answer"].clauses(asking(wait_for_answer(place("Q9: g-2ss"), attack("P9", "g-2ss"))), ())[0]
    assert [word for word, _text in first.among] == ["all"]
    told = "b1: only a line defends P9 [15.2]; answer for units in retreat to the hex"
    assert first.notes == (told,)


def test_a_report_says_what_was_answered_for_whom():
    umpire = answered({"units": {"r-4ak": {"retreat": ["U16"], "withdraw": "2"}}, "withdraw": "1"})
    told = [line for event in umpire.events for line in Wording(july()).tell(event) or ()]
    assert told[:2] == [
        "Answer for all: withdrawal of one hex",
        "Answer for 4th Artillery Breakthrough Korps (r-4ak): retreat U16; withdrawal of two hexes",
    ]


def test_aircraft_are_offered_where_they_fly_and_bombers_come_20_0():
    """Without the option, orders, answers and drafts do not mention aircraft."""
    assert "strike" not in VERBS
    assert "intercept" not in VERBS["answer"].usage
    setting = july(flown="flown")
    answer = next(verb for verb in list_verbs(setting) if verb.name == "answer")
    assert "intercept" in answer.usage
    state = place("T15: r-57a | S15: g-2ss; stage german-answer", setting).with_(side="russian")
    strike = {"strikes": [{"id": "s1", "hex": "T15", "planes": ["g-lf6"]}]}
    spent = {"flown": dict.fromkeys((f"{plane}/meet" for plane in setting.planes), "yes")}
    for over, offers in ((state, 0), (state.with_(agenda=strike), 1), (state.with_(agenda=strike, marks=spent), 0)):
        clauses = answer.clauses(asking(over, setting=setting), ("all",))
        assert ("intercept" in {clause.word for clause in clauses}) == bool(offers)
        (hint,) = RULESET.seen.hints(setting, over, 2)
        assert sum("intercept" in line for line in hint.lines) == offers


def test_whom_nobody_can_meet_is_told_20_2():
    setting = july(flown="flown")
    state = place("T15: r-57a | S15: g-2ss; stage german-answer", setting).with_(side="russian")
    left = list_unused(state, seq=2, setting=setting, policy={"intercept": ["r-2va"]})
    assert [note.text for note in left] == ["your opponent ordered no strike: intercept r-2va"]


def test_15_2_an_answer_for_an_empty_line_is_told_to_be_in_vain():
    """No unit is in the hex to use the answer."""
    state = wait_for_answer(RULESET.data.setup(july()), attack("R10", "g-3pzk g-503"))
    policy = {"battles": {"b1": {"withdraw": "1"}}, "hexes": {"R10": {"no-retreat": "yes"}}}
    left = list_unused(state, seq=2, policy=policy)
    assert [note.text for note in left] == ["your answer has no effect, because your units are not attacked R10, b1"]


def test_where_nothing_defends_no_odds_are_said_1_0():
    """Bug: the message was 'T16 by g-2ss: 1:103'. The draft's check reports the empty hex."""
    (edit,) = VERBS["attack"].write(asking(place(STACK)), ["T16", "with", "2", "ss"])
    assert edit.said == "T16 by g-2ss"


@pytest.mark.parametrize(
    ("stage", "words", "forces"),
    [("russian-orders", "S15 r-57a forced D1", "all"), ("german-orders", "T15 g-2ss forced D1", "some")],
)
def test_6_0_forced_a_russian_reads_that_one_result_forces_all(stage, words, forces):
    """J-17: the plan 'forced D1' also forces an exchange on a D."""
    (edit,) = VERBS["attack"].write(asking(place(f"{STACK}; stage {stage}")), words.split())
    assert ("forces all: D1, D, X and AD" in edit.said) == (forces == "all")
