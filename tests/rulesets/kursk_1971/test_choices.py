"""Choices for orders on the board: typed words are understood, and offered orders are legal."""

from __future__ import annotations

import random

import pytest
from helpers import sweeps

from kursk_pbem.game import scenarios
from kursk_pbem.kernel.hexes.board import bits
from kursk_pbem.kernel.orders import Filing
from kursk_pbem.kernel.ruleset import PLAYERS, REFEREE
from kursk_pbem.kernel.umpire import Umpire
from kursk_pbem.kernel.verbs import CHOICE, ORDER, PLACE, UNIT, WISHES
from kursk_pbem.rulesets import WORDS
from kursk_pbem.rulesets.kursk_1971 import RULESET, setting
from kursk_pbem.rulesets.kursk_1971.seen.verbs import list_verbs
from rulesets.kursk_1971.board import asking, at, attack, bare, legal, ordered, raid, shipped
from rulesets.kursk_1971.random_play import play

ONE = (UNIT, PLACE, CHOICE)
HISTORICAL = shipped()
LINE = "12.0-line"  # gaps in the line appear only in a whole set-up
CHOOSING = {*WORDS["kursk-1971"].split()}


def offered(game, state, order, draft=None):
    """Return the clauses of a verb after some words, by leading word."""
    name, *words = order.split()
    (verb,) = (each for each in list_verbs(game) if each.name == name)
    return {clause.word: clause for clause in verb.clauses(asking(game, state, draft or {}), words)}


def among(clause):
    return [word for word, _text in clause.among]


def due(game, state):
    """Return the verbs of a message with lists of choices."""
    read = {field for phase in RULESET.stage(game, state).phases for field in phase.reads}
    return [verb.name for verb in list_verbs(game) if verb.clauses and read & {*verb.fields}]


def breaches(game, state, draft):
    """Return the paragraphs that a draft breaks."""
    umpire = Umpire(game, state, 2, None)
    filing = Filing(2, state.side, orders=draft.get("orders", {}), policy=draft.get("policy", {}))
    for phase in RULESET.stage(game, state).phases:
        if phase.when is None or phase.when(umpire, filing):
            phase.run(umpire, filing)
    return [f"{each.order}: {each.message} [{each.rule}]" for each in umpire.violations if each.rule != LINE]


def opened(game, state, verb, rng, draft=None):
    """Return the words of an order up to its last form, and the clauses of the form."""
    order, clauses = verb, offered(game, state, verb, draft)
    while [*clauses] == [""]:
        if not clauses[""].among:
            return "", {}
        order = f"{order} {rng.choice(among(clauses['']))}"
        clauses = offered(game, state, order, draft)
    return order, clauses


def worded(order, clauses, chosen):
    """Write an order like the form: empty clauses are left out unless they replace an entry."""
    parts = [f"{word} {' '.join(chosen[word])}" for word, each in clauses.items() if chosen[word] or each.chosen]
    return " ".join([order, *parts]).strip()


def some(clause, rng):
    """Choose a random part of a clause."""
    words = among(clause)
    if not words:
        return []
    if clause.kind in ONE:
        return [rng.choice(words)]
    picked = rng.sample(words, rng.randint(1, min(3, len(words))))
    heads = ["", *clause.more]
    if clause.kind == WISHES:
        return [f"{rng.choice(heads)} {word}".strip() for word in picked]
    return [f"{word} {rng.choice(heads)}".strip() for word in picked] if clause.kind == ORDER else picked


def proposed(clause, rng):
    """Return the proposal of a clause, otherwise a random choice."""
    return list(clause.chosen) or ([rng.choice(among(clause))] if clause.among else [])


def moments(seed, most):
    """Yield positions of a random game with choices; every third game has a referee."""
    shown = scenarios.load(f"kursk-1971/{('july4-historical', 'july4', 'august3')[seed % 3]}")
    game = setting.load(shown, {}, REFEREE if seed % 3 == 2 else PLAYERS)
    for number, (_before, filing, result) in enumerate(play(game, seed)):
        if filing.writer in game.sides and number >= 2 * (seed < 3):
            yield game, result.middle
        if number >= most:
            return


@pytest.mark.long
@pytest.mark.parametrize("seed", sweeps.some(range(6), 6))
def test_whatever_is_offered_is_understood_legal_and_shown_again(seed):
    rng, met = random.Random(seed), set()
    for game, state in moments(seed, 16):
        for verb in due(game, state):
            for pick in (proposed, some):
                order, clauses = opened(game, state, verb, rng)
                if not order:
                    continue
                met.add(verb)
                chosen = {word: pick(clause, rng) for word, clause in clauses.items()}
                if "attackers" in (each.text for each in clauses.values()):
                    chosen["losses"] = list(chosen["with"])
                    chosen["advance"] = list(chosen["with"]) if clauses["advance"].among else []
                words = worded(order, clauses, chosen)
                draft, text = ordered(game, state, words)
                assert text, words
                if pick is proposed:
                    assert breaches(game, state, draft) == [], words
                again = offered(game, state, order, draft)
                shown = {word: list(each.chosen) for word, each in again.items() if each.chosen}
                assert shown == {word: each for word, each in chosen.items() if each}, words
                assert ordered(game, state, worded(order, again, chosen), draft=draft)[0] == draft
    assert {"attack", "answer", "raid"} <= met
    assert seed < 3 or (CHOOSING if seed == 5 else CHOOSING - {"deploy", "share"}) <= met, met


def test_8_0_advance_an_enemy_fortified_line_is_not_offered_and_said_before():
    """Bug: the refusal appeared only after the order."""
    line = next(iter(bits(HISTORICAL.forts["soviet"])))
    beside = next(bits(HISTORICAL.board.near[line] & ~HISTORICAL.forts["soviet"]))
    labels = HISTORICAL.board.labels
    state = at(HISTORICAL, {labels[line]: "s-1t", labels[beside]: "g-gd"})
    entered = offered(HISTORICAL, state, f"attack {labels[line]}")["advance"]
    assert (among(entered), ["[8.0-advance]" in note for note in entered.notes]) == ([], [True])
    waiting = {labels[line]: "g-gd", labels[beside]: "s-1t"}
    open_ = offered(HISTORICAL, at(HISTORICAL, waiting), f"attack {labels[beside]}")["advance"]
    assert (among(open_), open_.notes) == (["g-gd"], ())


def test_every_list_has_its_verb():
    assert {verb.name for verb in list_verbs(HISTORICAL) if verb.clauses} == CHOOSING


def test_an_attack_proposes_those_who_may_attack_together_and_takes_back_7_0_e():
    game = bare()
    state = at(game, {"1514": "g-gd g-10br", "1412": "g-505", "1315": "g-air4", "1513": "s-1t s-5t"})
    assert dict(offered(game, state, "attack")[""].among)["1513"].startswith("1 T, 5 T; by all 9:8 = 1:1")
    parts = offered(game, state, "attack 1513")
    assert sorted(among(parts["with"])) == ["g-10br", "g-505", "g-gd"]
    assert parts["with"].chosen == ("g-10br", "g-gd")
    assert among(parts["support"]) == ["g-air4"]
    assert parts["retreat"].more == ("toward", "away", "s-1t", "s-5t")
    other = at(game, {"1514": "g-gd g-10br", "1412": "g-505", "1513": "s-1t", "1515": "s-5t"})
    draft, _text = ordered(game, other, "attack 1515 with gd")
    parts = offered(game, other, "attack 1513", draft)
    assert (sorted(among(parts["with"])), parts["with"].chosen) == (["g-10br", "g-505"], ())
    assert "1513" not in among(offered(game, other, "attack", draft)[""])
    draft, _text = ordered(game, state, "attack 1513 all support air 4 unsupported skip advance gd retreat s-1t 1412")
    parts = offered(game, state, "attack 1513", draft)
    chosen = [parts[key].chosen for key in ("support", "unsupported", "advance", "retreat")]
    assert chosen == [("g-air4",), ("skip",), ("g-gd",), ("s-1t 1412",)]


def test_aircraft_are_offered_for_one_mission_only_9_0_d():
    game = bare()
    state = at(game, {"1514": "g-gd g-air4", "1515": "g-air5", "1513": "s-1t", "1512": "s-air1"})
    draft, _text = ordered(game, state, "attack 1513 with gd support air 4")
    assert among(offered(game, state, "raid s-air1", draft)["with"]) == ["g-air5"]
    assert among(offered(game, state, "raid 1512")["with"]) == ["g-air4", "g-air5"]
    for verb in ("patrol", "interdict"):  # they come after the dice
        assert offered(game, state, verb)[""].among
        assert not offered(game, state, verb, draft)[""].among
        assert "after the dice" in offered(game, state, verb, draft)[""].notes[0]
    draft, _text = ordered(game, state, "patrol 1514 with air 4")
    assert offered(game, state, "patrol 1514", draft)["with"].chosen == ("g-air4",)
    assert among(offered(game, state, "interdict 1513", draft)["with"]) == ["g-air5"]
    assert "1514" not in among(offered(game, state, "interdict")[""])


def test_enemies_in_the_air_shut_out_and_are_turned_back_9_0_d5():
    game = bare()
    state = at(
        game,
        {"1514": "g-gd g-air4", "1513": "s-1t s-air1", "1510": "s-air2"},
        patrol={"s-air1": "1513", "s-air2": "1412"},
    )
    spots = among(offered(game, state, "interdict")[""])
    assert "1413" in spots
    assert not {"1412", "1513"} & {*spots}
    assert among(offered(game, state, "intercept")[""]) == ["1412"]  # over its base a patrol is safe


def test_reinforcements_and_set_ups_go_where_there_is_room_5_0_13_0():
    state = at(HISTORICAL, {"1514": "g-gd", "3416": "g-110", "3415": "s-1t s-5t s-2t s-31t"}, side="soviet", turn="3")
    spots = among(offered(HISTORICAL, state, "reinforce s-10t")["in"])
    assert "3414" in spots
    assert not {"3415", "3416"} & {*spots}
    game = shipped("july4")
    state = RULESET.data.setup(game)
    full = at(game, {"2020": "s-2t s-20t s-10t", "2021": "s-1t s-13at"}, side="soviet", stage="set-up")
    units = among(offered(game, full, "deploy 2020")["with"])
    assert units == ["s-13at"]
    draft, text = ordered(game, state, "deploy 2021 with s-2t s-20t", "deploy 2021 with s-2t")
    assert draft["orders"]["deployment"] == [{"hex": "2021", "units": ["s-2t"]}]
    assert text == "2 T (s-2t) set up in 2021, in place of 2 T (s-2t), 20 T (s-20t)"
    assert "in place of" not in ordered(game, state, "deploy s-20t 2021", draft=draft)[1], "it joins them"
    assert offered(game, state, "deploy 2021", draft)["with"].chosen == ("s-2t",)


def test_answers_and_shares_are_chosen_for_what_is_declared_8_0():
    game = bare()
    places = {"1514": "g-gd", "1412": "g-11pz g-air4", "1513": "s-1t s-5t", "1511": "s-air1 s-air2 s-23g"}
    state = at(game, places, patrol={"s-air1": "1511", "s-air2": "1511"})
    state = legal(
        game, state, {"battles": [attack("1513", "g-gd g-11pz", "kursk")], "superiority": [raid("s-air1", "g-air4")]}
    )
    assert among(offered(game, state, "answer")[""]) == ["all", "kursk"]
    (why,) = offered(game, state, "answer")[""].notes  # the answer to a raid has another verb
    assert why.startswith("r1: this attack comes from the air")
    parts = offered(game, state, "answer kursk")
    assert among(parts["advance"]) == ["s-1t", "s-5t"]
    assert parts["advance"].more == ("1412", "1514")
    assert "1514" in among(parts["retreat"])
    draft, _text = ordered(game, state, "answer kursk advance s-5t 1412", "answer all retreat away 1514")
    assert offered(game, state, "answer kursk", draft)["advance"].chosen == ("s-5t 1412",)
    assert offered(game, state, "answer all", draft)["retreat"].chosen == ("away 1514",)
    assert among(offered(game, state, "share")[""]) == ["s-air1"]
    assert among(offered(game, state, "share s-air1")["with"]) == ["s-air1", "s-air2"]
    draft, _text = ordered(game, state, "share s-air1 with s-air2")
    assert offered(game, state, "share s-air1", draft)["with"].chosen == ("s-air2",)
    assert "in place of Air 2 (s-air2)" in ordered(game, state, "share s-air1 with s-air1", draft=draft)[1]
    assert "in place of" not in ordered(game, state, "share s-air1 with s-air2", draft=draft)[1]
    two = {"superiority": [raid("s-air1", "g-air4"), raid("s-air2", "g-air5", "r2")]}
    state = legal(game, at(game, {**places, "1413": "g-air5"}, patrol={"s-air1": "1511", "s-air2": "1511"}), two)
    assert among(offered(game, state, "share s-air2", draft)["with"]) == ["s-air1"]
