"""Headlines and story of Battle for Kursk: what matters most first, no ids, no paragraphs, nothing invented.

test_accounts has the laws of all systems; the lines for each kind of message are in tests/golden, report.txt and
story.txt.
"""

import re

import pytest

from kursk_pbem.kernel import events as ev
from kursk_pbem.kernel.hexes.compass import locate
from kursk_pbem.kernel.state import ELIMINATED
from kursk_pbem.rulebook import books
from kursk_pbem.rulesets.battle_for_kursk import RULESET
from rulesets.battle_for_kursk.board import kursk, place, play


@pytest.fixture(scope="module")
def accounts(played):
    """(setting, result, headlines, story) of every message of whole random games."""
    found = []
    for setting, game in played:
        for _state, _filing, result in game:
            arguments = setting, result.before, result.events, result.after
            found.append((setting, result, RULESET.seen.headlines(*arguments), RULESET.seen.story(*arguments)))
    return found


def test_neither_names_an_id_or_a_paragraph(accounts):
    paragraphs = "|".join(re.escape(each) for each in books.load(RULESET.rulebook).paragraphs)
    for setting, _result, headlines, story_ in accounts:
        text = "\n".join((*headlines, *story_))
        assert not re.search(r"\b[gr]-[0-9a-z]", text)
        assert not re.search(rf"[\[(]({paragraphs})[\])]", text)
        assert "None" not in text
        assert not re.search(r"\d{4}", "\n".join(story_)), "a hex is told by its town"
        assert setting.counters


def test_who_is_destroyed_is_in_both(accounts):
    """Unless the headlines were cut; then the headlines say so."""
    gone = 0
    for setting, result, headlines, story_ in accounts:
        for event in result.events:
            if isinstance(event, ev.Removed) and event.place == ELIMINATED:
                name, gone = setting.counters[event.unit].name, gone + 1
                assert name in "\n".join(story_)
                assert name in "\n".join(headlines) or "more, told below" in "\n".join(headlines)
    assert gone > 30


def test_nobody_is_named_who_took_no_part(accounts):
    """Every unit in the story is one of the events."""
    for setting, result, _headlines, story_ in accounts:
        there = {event.unit for event in result.events if hasattr(event, "unit")}
        for event in result.events:
            if isinstance(event, ev.Fought):
                roles = (uid for _what, who in event.roles for uid in who)
                there |= {*event.attack.units, *event.defence.units, *roles}
            if isinstance(event, ev.Scheduled) and event.key == "battles" and event.value:
                there |= {battle["defender"] for battle in event.value}
        names = {setting.counters[uid].name for uid in there}
        told = "\n".join(story_)
        for name in sorted({counter.name for counter in setting.counters.values()} - names):
            assert not re.search(rf"\bthe {re.escape(name)}\b", told, re.IGNORECASE), name


def test_a_whole_turn_tells_what_became_of_the_orders(played):
    """For messages of both sides, headlines show only the postures of the orders; results show the battles."""
    setting, game = played[0]
    first = game[0][0].turn
    results = [result for state, _filing, result in game if state.turn == first]
    events = [event for result in results for event in result.events]
    headlines = RULESET.seen.headlines(setting, results[0].before, events, results[-1].after)
    assert not [line for line in headlines if " orders:" in line or "answered" in line]
    assert [line for line in headlines if line.startswith("Postures: German ")]
    assert headlines[-1].startswith("Turn 2 begins: ")


def first_lines(text, orders):
    done = play(place(text), {"orders": orders}).steps_taken[0]
    return RULESET.seen.headlines(kursk(), done.before, done.events, done.after)


def test_12_1_the_objective_is_won_where_it_lay_last():
    """Bug: after a move of the objective to Yelets and an entry there in one message, the headline reported a win in
    Kursk."""
    text = "2412: g-48-pz | 2418: r-40; posture german deploy; objective 2113 german"
    told = first_lines(text, {"objective": "2511", "movement": [{"unit": "g-48-pz", "to": "2511"}]})
    assert "German side wins the Strategic Objective, Yelets" in told


def test_10_0_who_returns_and_gains_a_step_is_one_unit():
    text = "off-map: g-52 reduced | 2016: g-3-pz | 2418: r-40; posture german pause; turn 4"
    told = first_lines(text, {"replacements": [{"unit": "g-52", "gain": "flip"}], "give-ups": ["g-3-pz"]})
    assert any("German orders: 1 unit reinforced," in line for line in told), told


def test_9_1_an_answer_promises_no_dice():
    """Below 1:1 no die falls; if the dice must ask, the dice alone do not decide the battle."""
    text = "2015: r-40 | 2016: g-52 reduced"
    done = play(place(text), {"orders": {"battles": [{"id": "b1", "hex": "2015", "attackers": ["g-52"]}]}}, dice={})
    answered, fought = done.steps_taken[1:]
    assert not fought.dice
    arguments = kursk(), answered.before, answered.events, answered.after
    assert RULESET.seen.headlines(*arguments) == ("No special orders for the defenders; the battles come next",)
    assert not re.search("dice|changed", " ".join(RULESET.seen.story(*arguments)))


@pytest.mark.parametrize(
    ("label", "where"),
    [
        ("2116", ("", "Belgorod")),
        ("2115", ("north of", "Belgorod")),
        ("2117", ("", "Kharkov")),
        ("2016", ("south-west of", "Belgorod")),
        ("2215", ("north-east of", "Belgorod")),
    ],
)
def test_a_hex_lies_by_its_nearest_city(label, where):
    """Odd columns stand half a hex higher on this map, so 2016 lies lower than 2116 and 2215 higher."""
    setting = kursk("citadel")
    assert locate(setting.board, setting.city_names, label) == where
