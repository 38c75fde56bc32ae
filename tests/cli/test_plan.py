"""'kursk moves' and 'kursk odds': the shown moves are accepted, and the shown odds include every die roll."""

import json
import re
from fractions import Fraction

import pytest
from rulesets.battle_for_kursk.board import walked

from kursk_pbem.cli import run
from kursk_pbem.desk.own import desks
from kursk_pbem.kernel import forecast
from kursk_pbem.kernel.events import Fought
from kursk_pbem.rulesets.battle_for_kursk import movement
from kursk_pbem.rulesets.battle_for_kursk.position import position


def told(capsys, *arguments, status=0):
    assert run([str(each) for each in arguments]) == status
    return capsys.readouterr().out


def shown(capsys, *arguments):
    return json.loads(told(capsys, *arguments, "--json"))


def fill(draft, old, new):
    text = draft.read_text(encoding="ascii")
    assert text.count(old) == 1
    draft.write_text(text.replace(old, new), encoding="ascii", newline="\n")


@pytest.fixture
def setting(game, german):
    """Return the setting and the position of message 8, as the rules see both at this desk."""
    desk = desks.open_desk(game, german / "private")
    return desk.game.setting, desks.preview_duties(desk, desk.record_of_writer()).middle


# --- odds -------------------------------------------------------------------------------------------------------


def test_odds_of_battles_that_wait_for_their_answer(game, capsys):
    """The German knows his sealed plan; the Russian has not answered yet."""
    lines = told(capsys, "odds", game / "0002.yaml").splitlines()
    assert lines[0] == "Battles declared, turn 1, after message 2"
    at = lines.index("Battle ponyri: attack on 70th Army (r-70) in 2011 [9.0]")
    end = lines.index("Battle oboyan: attack on 40th Army (r-40) in 2015 [9.0]")
    assert (
        "\n".join(lines[at + 8 : end])
        == """\
  Ratio: 27:8 = 3:1
  Shifts:
    -1 defender in its own active fortification [9.2]
    +1 Offensive with 1 in support [9.2.1]
  Final column: 3:1 -1 +1 = 3:1
  Fought first: later battles do not change the odds
  The umpire's default (K-75), assumed until the answer: exchange on a DR if
      the unit would be eliminated, exchange on a DRL always
  The attacker's plan: retreat away 2113; losses g-46-pz; advance g-46-pz
      if-supplied
  die    chance  %      result  effect
  1 2 3  3/6     50.0%  DR      the defender's choice: accept; r-70 retreats
                                to 2013; g-46-pz advances
  4 5    2/6     33.3%  EX      r-70 retreats to 2013 and loses 1 step; the
                                attacker loses 1 step, 4 SP: g-46-pz reduced;
                                g-46-pz advances
  6      1/6     16.7%  DRL     the defender's choice: exchange; r-70 retreats
                                to 2013 and loses 1 step; the attacker loses 1
                                step, 4 SP: g-46-pz reduced; g-46-pz advances
  chance that the hex is vacated: 6/6 = 100.0%
  chance that the defender is eliminated: 0/6 = 0.0%
  steps lost by the defender on average: 1/2
  steps lost by the attacker on average: 1/2
  strength points lost by the attacker on average: 2
"""
    )
    assert "and earlier battles, may change the odds" in " ".join(lines)
    assert max(map(len, lines)) <= 78


def test_odds_at_another_desk_do_not_know_the_plan(game, monkeypatch, tmp_path, capsys):
    monkeypatch.setenv("KURSK_HOME", str(tmp_path / "nobody"))
    text = told(capsys, "odds", game / "0002.yaml")
    assert text.count("The attacker's plan is sealed and not known here") == 3
    assert "advances;" not in text
    assert "away 2113" not in text


def test_odds_after_the_answer_go_by_it_and_the_dice_bear_them_out(demo, game, german, capsys):
    """The chances are exact, and message 4 has the result shown for its dice."""
    battles = shown(capsys, "odds", game / "0003.yaml")["declared"]
    assert [each["id"] for each in battles] == ["ponyri", "oboyan", "izyum"]
    for each in battles:
        assert sum(Fraction(one["chance"]) for one in each["outcomes"]) == 1
    assert (
        battles[0]["assumed"][0]
        == "the defender's answer, as filed: exchange on a DR at full strength, exchange on a DRL always"
    )
    first = battles[0]
    report = told(capsys, "report", game / "0004.yaml")
    die = report.partition("Die (ponyri/combat): ")[2][:1]
    (outcome,) = [one for one in first["outcomes"] if die in one["faces"]]
    assert f"Result: {outcome['result']}," in report
    assert outcome["conversion-source"] == "filed"


def test_odds_of_a_draft(game, draft, setting, capsys):
    """The battles of a draft, with the plan known only to the player; in words and for programs."""
    fill(draft, "  battles: []", "  battles:\n  - {id: b1, hex: '2317', attackers: [g-11, g-42], advance: [g-42]}")
    text = told(capsys, "odds", draft)
    assert text.startswith("Battles declared, turn 2, the draft of message 8\n\nBattle b1: attack on 57th Army (r-57)")
    assert "The attacker's plan: advance g-42; otherwise the usual retreat (K-76)" in text
    assert "Each by itself" not in text, "there is only one"
    (battle,) = shown(capsys, "odds", draft)["declared"]
    assert (battle["place"], battle["arithmetic"]["defence"]["rows"][0]["unit"]) == ("2317", "r-57")
    assert battle["arithmetic"]["column"] == "2:1"
    assert battle["chances"]["the hex is vacated"] == "2/3"
    assert {one["result"]: (one["faces"], one["chance"]) for one in battle["outcomes"]} == {
        "NE": (["1", "2"], "1/3"),
        "DR": (["3", "4"], "1/3"),
        "EX": (["5", "6"], "1/3"),
    }
    advances = {one["result"]: one.get("advance", "") for one in battle["outcomes"]}
    assert advances == {"NE": "", "DR": "g-42", "EX": ""}, "in the exchange it is what the attacker loses"


def test_odds_of_a_draft_leave_out_what_is_wrong_and_say_it_in_a_line(draft, capsys):
    good, bad = "{id: b1, hex: '2317', attackers: [g-42]}", "{id: b2, hex: '2316', attackers: [g-48-pz]}"
    fill(draft, "  battles: []", f"  battles:\n  - {good}\n  - {bad}")
    lines = told(capsys, "odds", draft).splitlines()
    assert lines[0].startswith("Left out, because it is not allowed: line ")
    assert "[9.0] b2: g-48-pz in 2015 is not adjacent to 2316" in " ".join(" ".join(lines[:3]).split())
    assert "Battle b1: attack on 57th Army (r-57) in 2317 [9.0]" in lines
    assert not any(line.startswith("Battle b2") for line in lines)
    found = shown(capsys, "odds", draft)
    assert [each["id"] for each in found["declared"]] == ["b1"]
    assert "not adjacent" in found["left-out"]


def test_odds_where_nothing_is_declared(game, capsys):
    said = told(capsys, "odds", game / "0007.yaml")
    assert said.startswith("No battle or shot is declared (after message 7). To see a battle that was fought, type")
    assert shown(capsys, "odds", game)["declared"] == []


def test_odds_of_a_plan_are_exact_or_an_estimate_with_its_interval(game, draft, capsys, monkeypatch):
    """2317 falls by DR alone (2 of 6); the exchange (2 of 6) costs a step of the attacker."""
    waiting = told(capsys, "odds", game / "0002.yaml", "--plan", "take 2011")
    assert "  The opponent has not answered: earlier answers and the defaults are assumed.\n" in waiting
    assert "sealed plan" not in waiting, "the player knows it"
    fill(draft, "  battles: []", "  battles:\n  - {id: b1, hex: '2317', attackers: [g-11, g-42], advance: [g-42]}")
    text = told(capsys, "odds", draft, "--plan", "take 2317 and lose at most 0 steps")
    assert text.splitlines()[1:4] == [
        "  take 2317: 2/6 = 33.3%",
        "  lose at most 0 steps: 4/6 = 66.7%",
        "  all of it: 2/6 = 33.3%",
    ]
    assert [one["chance"] for one in shown(capsys, "odds", draft, "--plan", "gone r-57")["plan"]] == ["1/3"]
    both = told(capsys, "odds", draft, "--plan", "lose at most 0 steps", "--with", game / "0002.yaml")
    alone = (
        told(capsys, "odds", game / "0002.yaml", "--plan", "lose at most 0 steps").splitlines()[1].partition(": ")[2]
    )
    assert both.splitlines()[1] == f"  lose at most 0 steps: 4/6 = 66.7% | {alone}"
    monkeypatch.setattr(forecast.forecast, "__defaults__", (1, 90))
    guess = told(capsys, "odds", draft, "--plan", "take 2317")
    assert re.search(r"take 2317: about .*%, 95% interval .*% to .*%, from 90 plays", guess)
    assert guess == told(capsys, "odds", draft, "--plan", "take 2317"), "the same draft prints the same"


def test_odds_of_an_unknown_want_name_the_known_wants(draft, capsys):
    fill(draft, "  battles: []", "  battles:\n  - {id: b1, hex: '2317', attackers: [g-42]}")
    assert run(["odds", str(draft), "--plan", "take 2317 and win"]) == 2
    assert "'win' is no goal of a plan; type some of these goals, joined by 'and': take HEX" in capsys.readouterr().err


# --- moves ------------------------------------------------------------------------------------------------------


def test_moves_are_those_of_the_search(game, setting, capsys):
    """The moves are exactly the destinations that the rules offer, each with a legal way."""
    kursk, state = setting
    pos = position(kursk, state)
    found = {phase["phase"]: phase for phase in shown(capsys, "moves", game / "0007.yaml")["phases"]}
    assert list(found) == ["armor-and-rail", "movement"]
    listed = {unit["unit"]: unit for unit in found["movement"]["units"]}
    for uid in pos.where:
        if kursk.counters[uid].side == "german":
            ways = movement.reach(pos, uid, "move")
            ends = listed[uid]["to"] if ways else []
            assert {end["place"]: end["cost"] for end in ends} == {
                kursk.board.labels[there]: str(way.mp) for there, way in ways.items()
            }
            for end in ends:
                path = tuple(kursk.board.index[label] for label in end["path"])
                assert walked(pos, uid, path, "move") == int(end["cost"])
                assert bool(end["ezoc"]) == bool(pos.ezoc("german") >> path[-1] & 1)
    riders = [unit for unit in found["armor-and-rail"]["units"] if unit["how"] == "by rail"]
    assert riders
    assert all(kursk.counters[unit["unit"]].infantry for unit in riders)


def test_targets_are_those_that_a_draft_may_attack(game, draft, setting, capsys):
    """An attack as listed, with an Offensive, is legal and has the shown odds."""
    targets = shown(capsys, "moves", game / "0007.yaml")["targets"]
    target = next(each for each in targets if each["units"] == ["r-8-g"])
    ((name, offensive),) = target["variants"].items()
    assert [shift["why"] for shift in offensive["shifts"]] == [
        "all attackers across a river",
        "Offensive with 1 in support",
    ]
    attackers = ", ".join(each["unit"] for each in offensive["attack"]["rows"])
    (_led, (lead,)), (_in_support, support) = offensive["roles"]
    assert name == f"Offensive led by {lead}, in support {', '.join(support)}"
    fill(draft, "  give-ups: [g-40-pz, g-56-pz]", "  give-ups: [g-56-pz, g-56-pz]")
    fill(
        draft,
        "  battles: []",
        f"  battles:\n  - id: b1\n    hex: '{target['place']}'\n    attackers: [{attackers}]\n"
        f"    offensive: {{lead: {lead}, support: [{', '.join(support)}]}}",
    )
    (battle,) = shown(capsys, "odds", draft)["declared"]
    assert {**battle["arithmetic"], "battle": ""} == {**offensive, "battle": ""}
    assert battle["arithmetic"]["event"] == Fought.__name__


def test_moves_of_a_side_in_words(game, capsys):
    lines = told(capsys, "moves", game / "0007.yaml").splitlines()
    assert lines[0] == "Moves and attacks of the German side, turn 2, after message 7"
    assert max(map(len, lines)) <= 78
    text = "\n".join(lines)
    assert "  Only with deploy or engage [12.0-4]." in lines
    assert "  Only with reposition, deploy or engage [12.0-4]." in lines
    assert "  g-12 in 1506: by rail 1 MP 1405, 1507; 2 MP 1404, 1406, 1606*, 1607; 3 MP\n" in text
    assert "  g-24-pz in 2219: the same as above\n" in text
    assert "Attacks: only with engage [12.0-4]\nOffensive markers available: 1 [9.2.1]\n\nPossible attacks" in text
    at = lines.index("  8th Guards Army (r-8-g) in 2419")
    assert lines[at + 1 : at + 7] == [
        "    by g-40-pz from 2420 8",
        "    8:4 = 2:1, shifted to 1:1: -1 all attackers across a river [9.2-river]",
        "    AL 2/6, NE 2/6, DR 1/6, EX 1/6",
        "    Offensive led by g-40-pz, in support g-30: 8:4 = 2:1, stays 2:1: -1 all",
        "      attackers across a river [9.2-river], +1 Offensive with 1 in support",
        "      [9.2.1]",
    ]


def test_moves_of_a_unit_with_ways_and_map(game, capsys):
    lines = told(capsys, "moves", game / "0007.yaml", "g-11").splitlines()
    assert lines[0] == "Moves and attacks of XI Corps (Raus) (g-11), turn 2, after message 7"
    assert "  2117 Kharkov   1  2216-2117" in lines
    assert "  1915           4  2216-2117-2016-1916-1915; EZOC of r-38, r-5-gtc" in lines
    at = lines.index("Armor and Rail Movement Phase [8.1]")
    assert lines[at + 1 : at + 5] == [
        "  Only with deploy or engage [12.0-4].",
        "  In this phase infantry moves only by rail, from a railway on its own side of",
        "      the Start Line.",
        "  No move is possible.",
    ]
    assert any("~g-11" in line for line in lines), "the map around it, a river at its left"
    assert any("|> 2 MP" in line for line in lines)
    assert any("57th Army (r-57) in 2317" in line for line in lines)
    assert not any("(r-12) in 2520" in line for line in lines), "it does not stand beside that one"


def test_moves_of_a_folder_are_those_of_the_draft_in_it(game, draft, capsys):
    fill(draft, "  armor-and-rail: []", "  armor-and-rail:\n  - {unit: g-24-pz, to: '2017'}")
    assert told(capsys, "moves", draft) == told(capsys, "moves", game)


def test_moves_of_an_enemy_and_of_one_who_is_gone(game, capsys):
    """The command accepts any unit on the map; for a missing unit it prints an error."""
    assert told(capsys, "moves", game, "r-57").startswith("Moves and attacks of 57th Army (r-57)")
    assert shown(capsys, "moves", game, "r-57")["side"] == "russian"
    assert run(["moves", str(game), "r-40"]) == 2
    assert capsys.readouterr().err == "kursk: r-40 is not on the map: eliminated\n"
    assert run(["moves", str(game), "g-49-pz"]) == 2
    assert capsys.readouterr().err.startswith("kursk: there is no unit 'g-49-pz'; did you mean g-4")


def test_a_part_of_a_name_does_for_a_unit_and_for_a_place(game, capsys):
    by_id = told(capsys, "moves", game, "g-esebeck", "--to", "2013")
    assert told(capsys, "moves", game, "Esebeck", "--to", "2013") == by_id
    assert told(capsys, "moves", game, "--to", "khar") == told(capsys, "moves", game, "--to", "2117")
    assert run(["moves", str(game), "--to", "Kurks"]) == 2
    assert "did you mean 2113?" in capsys.readouterr().err


def test_moves_of_a_message_where_nothing_moves(game, capsys):
    """Message 3 is an answer; only the dice and movement follow."""
    assert shown(capsys, "moves", game / "0002.yaml")["phases"] == []
    assert "The due message has no movement" in told(capsys, "moves", game / "0002.yaml")
    found = shown(capsys, "moves", game / "0003.yaml")
    assert [phase["phase"] for phase in found["phases"]] == ["movement"]
    assert found["targets"] == []
    found = shown(capsys, "moves", game / "0003.yaml", "g-11")
    assert [phase["phase"] for phase in found["phases"]] == ["movement"]
    found = shown(capsys, "moves", game / "0003.yaml", "r-57")  # of the other side: the possible moves in its own turn
    assert [phase["phase"] for phase in found["phases"]] == ["armor-and-rail", "movement"]


def test_moves_to_a_place_that_nobody_reaches_say_why_of_the_nearest(game, capsys):
    said = " ".join(told(capsys, "moves", game, "--to", "2402").split())
    assert "No unit can move here." in said
    assert "g-39-pz in " in said
    assert "too far by " in said


def test_who_cannot_get_beside_an_enemy_is_told_why_not_why_not_into_its_hex(capsys, game):
    said = " ".join(told(capsys, "moves", game, "--to", "2215").split())
    assert "(r-69) is here; units in reach of an adjacent hex:" in said
    assert "No unit can move here. g-3-pz is in 2116 already g-11 is in 2216 already " in said
    assert "2215 holds an enemy" not in said
