"""Headlines and story of Battle for Kursk: what matters most first, no ids, no paragraphs, nothing left out or invented."""

import re

import pytest
from golden.golden_case import Case, folders_of_cases

from kursk_pbem.game import rulebook
from kursk_pbem.kernel import events as ev
from kursk_pbem.kernel.state import ELIMINATED
from kursk_pbem.report.layout import wrap
from kursk_pbem.rulesets.battle_for_kursk import RULESET, story
from rulesets.battle_for_kursk.board import kursk

CASES = {folder.name: folder for folder in folders_of_cases("battle-for-kursk")}


def of_case(name):
    """Headlines, and story, of a golden case."""
    case = Case(CASES[name])
    _message, result = case.adjudicated()
    arguments = case.game.setting, result.before, result.events, result.after
    return RULESET.seen.headlines(*arguments), RULESET.seen.story(*arguments)


@pytest.fixture(scope="module")
def accounts(played):
    """(setting, result, headlines, story) of every message of whole random games."""
    found = []
    for setting, game in played:
        for _state, _filing, result in game:
            arguments = setting, result.before, result.events, result.after
            found.append((setting, result, RULESET.seen.headlines(*arguments), RULESET.seen.story(*arguments)))
    return found


def test_what_matters_most_comes_first():
    assert of_case("04-dice-and-results")[0] == (
        "Victory points: even (before: Russian 1 ahead)",
        "Volsk: 3rd Shock Army lost; XLIII Corps holds",
        "Trosna: XLI Panzer Corps falls back to 1910, a step lost; 70th Army in 2111",
        "Orel: LIII Corps holds, a step lost",
        "and 2 more, told below",
        "Russian orders: 1 move, a posture sealed",
        "Turn 4 begins: dry",
    )


@pytest.mark.parametrize(("case", "line"), [
    ("01-opening", "Russian orders: 25 units reinforced, a posture sealed"),
    ("02-posture-and-battles", "German orders: posture engage without waiting for the enemy, 3 battles (Ponyri, Oboyan, "
                               "Rylsk), 2 moves, 6 armor points unspent"),
    ("03-answer", "The battles are answered; their dice fall next"),
    ("05-russian-turn", "The Strategic Objective is now Vitebsk, Russian side"),
    ("06-mud", "Given up altogether: Korpsgruppe Esebeck"),
    ("07-reveal", "Russian orders: posture reposition by Emergency Reaction"),
    ("09-moscow", "Taken by the German side: Moscow"),
    ("10-reckoning", "Victory points: Russian 5 ahead"),
    ("11-weather-die", "The weather of turn 6: mud"),
    ("12-dice-stop", "Orel: a decision is awaited"),
    ("13-decision", "The battles are answered; their dice fall next"),
    ("14-dice-go-on", "Orel: LIII Corps holds, a step lost"),
])  # fmt: skip
def test_every_kind_of_message_has_its_headline(case, line):
    """5.0, 9.0, 10.0, 11.3, 12.0, 12.0-3, 12.1: one of each."""
    assert line in of_case(case)[0]


@pytest.mark.parametrize(("case", "sentence"), [
    ("01-opening", "25 Russian units were brought up to strength."),
    ("02-posture-and-battles", "The Germans chose to engage without waiting for the Russians to show their hand."),
    ("02-posture-and-battles", "The XXXV Corps travelled by rail to Orel."),
    ("05-russian-turn", "The 6th Guards Army came back at Kursk. The 38th Army was formed anew at Kupyansk."),
    ("06-mud", "The Korpsgruppe Esebeck was given up altogether."),
    ("07-reveal", "The Russians chose to pause. Then the Russians reacted in an emergency, and counted as repositioning."),
    ("08-russian-battles-answered", "The Germans"),
    ("09-moscow", "The 1st Tank Corps was wiped out, and the XLVIII Panzer Corps entered Moscow."),
    ("11-weather-die", "The die for the weather fell: it was a turn of mud."),
    ("13-decision", "The Germans took the decision that the dice were waiting for."),
])  # fmt: skip
def test_every_kind_of_phase_is_told(case, sentence):
    assert sentence in "\n".join(of_case(case)[1])


def test_no_more_than_seven_lines_and_each_is_one(accounts):
    for _setting, _result, headlines, _story in accounts:
        assert len(headlines) <= 7
        assert all(line and line == line.strip() and "\n" not in line for line in headlines)
    assert max(len(headlines) for _setting, _result, headlines, _story in accounts) == 7


def test_neither_names_an_id_or_a_paragraph(accounts):
    paragraphs = "|".join(re.escape(each) for each in rulebook.load(RULESET.rulebook).paragraphs)
    for setting, _result, headlines, story_ in accounts:
        text = "\n".join((*headlines, *story_))
        assert not re.search(r"\b[gr]-[0-9a-z]", text)
        assert not re.search(rf"[\[(]({paragraphs})[\])]", text)
        assert "None" not in text
        assert not re.search(r"\d{4}", "\n".join(story_)), "a hex is told by its town"
        assert setting.counters


def test_who_is_destroyed_is_in_both(accounts):
    """Unless the headlines had to be cut, which they say."""
    gone = 0
    for setting, result, headlines, story_ in accounts:
        for event in result.events:
            if isinstance(event, ev.Removed) and event.place == ELIMINATED:
                name, gone = setting.counters[event.unit].name, gone + 1
                assert name in "\n".join(story_)
                assert name in "\n".join(headlines) or "more, told below" in "\n".join(headlines)
    assert gone > 50


def test_nobody_is_named_who_took_no_part(accounts):
    """Every unit in the story is one of the events."""
    for setting, result, _headlines, story_ in accounts:
        there = {event.unit for event in result.events if hasattr(event, "unit")}
        for event in result.events:
            if isinstance(event, ev.Fought):
                there |= {*event.attack.units, *event.defence.units, *(uid for _what, who in event.roles for uid in who)}
            if isinstance(event, ev.Scheduled) and event.key == "battles" and event.value:
                there |= {battle["defender"] for battle in event.value}
        names = {setting.counters[uid].name for uid in there}
        told = "\n".join(story_)
        for name in sorted({counter.name for counter in setting.counters.values()} - names):
            assert not re.search(rf"\bthe {re.escape(name)}\b", told, re.IGNORECASE), name


def test_sentences_are_sentences(accounts):
    for _setting, _result, _headlines, story_ in accounts:
        for paragraph in story_:
            assert re.fullmatch(r"(?:[A-Z0-9][^.]*\.(?: |$))+", paragraph), paragraph
            assert "  " not in paragraph
            assert wrap(paragraph)


def test_a_whole_turn_tells_what_became_of_the_orders(played):
    """Of both sides' messages together only the postures stand; the battles are told by what came of them."""
    setting, game = played[0]
    first = game[0][0].turn
    results = [result for state, _filing, result in game if state.turn == first]
    events = [event for result in results for event in result.events]
    headlines = RULESET.seen.headlines(setting, results[0].before, events, results[-1].after)
    assert not [line for line in headlines if " orders:" in line or "answered" in line]
    assert [line for line in headlines if line.startswith("Postures: German ")]
    assert headlines[-1].startswith("Turn 2 begins: ")


@pytest.mark.parametrize(("label", "where"), [
    ("2116", ("", "Belgorod")), ("2115", ("north of", "Belgorod")), ("2117", ("", "Kharkov")),
    ("2016", ("south-west of", "Belgorod")), ("2215", ("north-east of", "Belgorod")),
])  # fmt: skip
def test_a_hex_lies_by_its_nearest_city(label, where):
    """Odd columns stand half a hex higher on this map, so 2016 lies lower than 2116 and 2215 higher."""
    setting = kursk("citadel")
    assert story.near(setting, label) == where
