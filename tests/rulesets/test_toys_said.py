"""Messages to players of the toys: refused drafts, odds, options, scenarios, other kinds of battles."""

import json
import re
from collections import Counter
from fractions import Fraction

import pytest
from helpers import registry

from kursk_pbem.game import scenarios
from kursk_pbem.kernel import events as kinds
from kursk_pbem.kernel.outlook import Outlook, Target
from kursk_pbem.report import text
from kursk_pbem.report.battle import describe_battle
from kursk_pbem.report.moves import list_side_moves
from kursk_pbem.rulebook import books
from rulesets import toys
from rulesets.hex_toy import assaults
from rulesets.typed import Players, one_line

HEX, PLANE, *_MORE = toys.FOLDERS
each_toy = pytest.mark.parametrize("rid", [HEX, PLANE])
pytestmark = pytest.mark.usefixtures("plugged")


def test_odds_by_convolution_are_exact(begun):
    """A shot of four dice: a die hits at 5 and needs a failed save at 2, so the chance is 1/3 of 2/3."""
    players = begun(PLANE)
    path = players.fill("north", {"seal": {"plot/turn-1": [{"id": "n-1", "fire": "s-1"}]}})
    said = one_line(players.type("north", "odds", path))
    one = Fraction(1, 3) * Fraction(2, 3)
    assert f"{(1 - one) ** 4} 36.6% 0 s-1 loses 0" in said
    assert f"steps lost on average: {4 * one}" in said
    (shot,) = json.loads(players.type("north", "odds", path, "--json"))["declared"]
    assert (shot["id"], shot["place"]) == ("n-1", "")
    assert shot["title"].startswith("n-1 fires at s-1, 21.03 inches: 4 dice")
    assert sum(Fraction(outcome["chance"]) for outcome in shot["outcomes"]) == 1


def test_what_may_be_done_is_said_to_programs_without_hexes(begun):
    players = begun(PLANE)
    found = json.loads(players.type("north", "moves", players.folder["north"], "n-3", "--json"))
    (phase,) = found["phases"]
    assert phase["units"] == [
        {
            "unit": "n-3",
            "place": "30.50, 28.75",
            "how": "",
            "to": [],
            "within": "anywhere within 3.00 inches, but not into the water",
        }
    ]
    assert found["targets"][0]["lines"] == ["n-3, 25.10 inches: 6 dice, hits at 6 or more, saved at 2 or less"]


def told(kit, *arguments):
    """Return the report's lines for a battle of Hex Toy, and the event."""
    setting = kit.setting(kit.scenarios[0])
    event = assaults.fought(setting, kit.setup(setting), *arguments)
    return [text for _level, text in describe_battle(event, kit.ruleset.seen.words(setting))], event


def test_modifiers_of_dice_are_no_shifts_of_a_column():
    kit = registry.kit(HEX)
    order = {"id": "a1", "hex": "D4", "units": ["v-1"]}
    lines, event = told(kit, order, ["v-1"], "bold", "early")
    assert "Shifts: none" not in lines
    assert "Final column: 1:2" in lines
    assert lines[lines.index("Modifiers of the dice:") + 1 :] == [
        "-2 defence in forest [4.2]",
        "+1 the assault is bold [4.4]",
        "-1 an early volley [4.5]",
    ]
    target = Target(("a-1",), "D4", event, ())
    shown = list_side_moves(
        "", Outlook("violet", (), (target,), ()), kit.ruleset.seen.words(kit.setting(kit.scenarios[0]))
    )
    assert "4:16 = 1:2; dice -2 defence in forest [4.2], +1 the assault is bold" in one_line(shown)


def test_a_battle_that_nobody_joins_has_no_ratio():
    lines, _event = told(registry.kit(HEX), {"id": "a1", "hex": "D4", "units": ["v-3"]}, [], "bold", "late")
    assert lines[1] == "Attack strength: none"
    assert lines[-1] == "no unit passed its test of nerve: no assault takes place"
    assert not [line for line in lines if line.startswith(("Ratio", "Final", "Shifts", "Modifiers"))]


def test_a_test_before_a_battle_does_not_stand_under_the_one_before_it():
    """Dice with a battle's id in the label belong to the battle, and follow the battle in the report."""
    kit = registry.kit(HEX)
    _lines, event = told(kit, {"id": "a1", "hex": "D4", "units": ["v-1"]}, ["v-1"], "bold", "early")
    tests = [
        kinds.Tested("4.1", "v-3", what, f"{of}/{what}", "3", "at 4 or less", True, "goes in", "4/6")
        for of, what in (("a1", "rally"), ("a2", "nerve"))
    ]
    words, luck = kit.ruleset.seen.words(kit.setting(kit.scenarios[0])), text.Luck()
    heading = text.Heading("0" * 64, 3, "turn", "violet", "", "", "dawn", "0" * 64, "", "", "0" * 64, fresh=False)
    shown = text.write_report(heading, [event, *tests], words, text.Standing((), "", None), luck)
    assert "\n    rally of Violet Horse (v-3) (a1/rally): 3" in shown
    assert "\n  nerve of Violet Horse (v-3) (a2/nerve): 3" in shown


ILLEGAL = {
    HEX: [
        ({"orders": {"march": [{"unit": "v-1", "to": "A1"}]}}, "[3.0] v-1: cannot reach A1 from D9"),
        ({"orders": {"march": [{"unit": "a-1", "to": "D3"}]}}, "[3.0] a-1: is no unit of yours"),
        ({"orders": {"assaults": [{"id": "a1", "hex": "D4", "units": ["v-1"]}]}}, "v-1 in D9 is not adjacent to D4"),
        ({"orders": {"assaults": [{"id": "a1", "hex": "A1", "units": ["v-1"]}]}}, "[4.0] a1: no enemy stands in A1"),
        ({"seal": {"stance/9": {"a1": "bold"}}}, "[4.4] stance/9: nothing of this name is to be sealed now"),
        ({"policy": {"volley": "early"}}, "has no place in this message"),
    ],
    PLANE: [
        ({}, "[2.0] plot/turn-1: the orders of the turn must be sealed"),
        ({"seal": {"plot/turn-1": [{"id": "n-1", "to": "16.25, 21.00"}]}}, "[2.2] n-1: is 9.00 inches away"),
        ({"seal": {"plot/turn-1": [{"id": "s-1", "fire": "n-1"}]}}, "[2.1] s-1: is no model of yours"),
        ({"seal": {"plot/turn-1": [{"id": "n-1", "fire": "n-2"}]}}, "[3.0] n-1: n-2 is no enemy model"),
        ({"seal": {"plot/turn-1": [], "plot/turn-2": []}}, "[2.0] plot/turn-2: nothing of this name"),
        ({"seal": {"plot/turn-1": []}, "orders": {"models": [{"id": "n-1"}]}}, "has no place in this message"),
    ],
}


@each_toy
def test_an_illegal_draft_is_refused_with_line_and_rule(rid, begun):
    players = begun(rid)
    who = players.due
    for content, words in ILLEGAL[rid]:
        path = players.fill(who, content)
        for command in (["check"], ["sign", "--yes"]):
            said = players.type(who, *command, path, status=1)
            found = re.search(r"0001\.draft\.yaml:(\d+): (.*)", said)
            assert words in found[2], said
            assert f"the {who} side's orders break the rules in one place; nothing was done" in said
        lines = path.read_text(encoding="ascii").splitlines()
        assert 1 <= int(found[1]) <= len(lines)
        for command in ("odds", "moves", "map"):  # the command reports and skips a wrong order
            told = one_line(players.type(who, command, path))
            assert f"Left out, because it is not allowed: line {found[1]}: " in told
            assert words in told
    path = players.fill(who, {"orders": {"nonsense": []}})
    assert "the key 'nonsense' is not known here" in players.type(who, "check", path, status=2)


def test_a_stack_holds_three_and_the_line_of_a_fourth_is_named(begun):
    players = begun(HEX)
    moves = [{"unit": uid, "to": "D9"} for uid in ("v-2", "v-3", "v-4")]
    path = players.fill("violet", {"orders": {"march": moves}})
    said = players.type("violet", "check", path, status=1)
    line = int(re.search(r"draft\.yaml:(\d+): ", said)[1])
    unit, to = path.read_text(encoding="ascii").splitlines()[line - 2 : line]
    assert "v-4" in unit
    assert "D9" in to
    assert "[2.0] v-4: cannot reach D9 from B10 in this phase: D9 holds 3 units already" in said


def test_an_option_says_what_it_means(begun):
    players = begun(HEX, "--option", "nerves=steel")
    asked = players.told[-1][2]
    assert "options: nerves=steel\n  nerves steel: nobody tests their nerve before an assault (4.1)\n" in asked
    for _message in range(4):
        players.turn()
    assert "/nerve-" not in "".join(said for _who, _typed, said in players.told)
    lying = players.kit.scenarios[0], "--as", "amber", "--opponent", f"{players.key('violet')}.pub"
    said = players.type("amber", "propose", *lying, "--option", "nerves=wood", "--dir", players.root, status=2)
    # bug: the message named a missing file, '0000.yaml:24'
    assert said.endswith("has no option 'nerves' with the value 'wood'; its options are nerves: tested or steel\n")


@each_toy
def test_the_wrong_side_is_told_who_proposes(rid, tmp_path, monkeypatch):
    players = Players(tmp_path, registry.kit(rid), monkeypatch)
    wrong = players.kit.ruleset.other(players.kit.proposer(players.kit.scenarios[0]))
    given = "--as", wrong, "--opponent", f"{players.key(players.kit.ruleset.other(wrong))}.pub"
    said = players.type(wrong, "propose", players.kit.scenarios[0], *given, status=2)
    assert f" the {players.kit.ruleset.other(wrong)} side proposes, because your side makes" in said
    assert f"'kursk propose {players.kit.scenarios[0]} --as {players.kit.ruleset.other(wrong)} ...'" in said


# Files of a game


def test_what_can_be_played_is_listed(capsys, tmp_path, monkeypatch):
    players = Players(tmp_path, registry.kit(HEX), monkeypatch)
    said = players.type("amber", "scenario")
    assert "Hex Toy (hex-toy), adjudication version 3\n  hex-toy/fords  The three fords (1 attested" in said
    assert "Plane Toy (plane-toy), adjudication version 1\n  plane-toy/orchard  Plane Toy in the orchard" in said
    rules = players.type("amber", "rule", HEX)
    assert "4.1                        Nerve (coded)\n" in rules
    assert "why players: Nobody can do that" in one_line(players.type("amber", "rule", HEX, "1.4"))
    assert "plane-toy has no paragraph 'K-3'" in players.type("amber", "rule", PLANE, "K-3", status=2)


@each_toy
def test_a_scenario_is_checked(rid, tmp_path, monkeypatch):
    players = Players(tmp_path, registry.kit(rid), monkeypatch)
    folder = toys.FOLDERS[rid] / "scenarios" / players.kit.scenarios[0]
    who = players.who[0]
    assert "0 errors, 0 warnings" in players.type(who, "scenario", "check", folder)
    broken = tmp_path / players.kit.scenarios[0]
    broken.mkdir(parents=True)
    for part in folder.iterdir():
        text = part.read_text(encoding="ascii")
        text = text.replace("hex: F5", "hex: H1").replace("place: '38.00", "place: '58.00")
        (broken / part.name).write_text(text, encoding="ascii")
    said = players.type(who, "scenario", "check", broken, status=1)
    wrong = {
        HEX: "units.yaml:6: error: a-4 is set up in H1, which is no playable hex [1.1]",
        PLANE: "units.yaml:7: error: s-3 stands at 58.00, 5.50, off the table [1.1]",
    }
    assert wrong[rid] in said
    assert "1 error, " in said


@each_toy
def test_every_paragraph_that_is_cited_is_in_the_rulebook(rid):
    """Events and refusals of random games cite only the rulebook; the hash identifies a file's scenario."""
    kit = registry.kit(rid)
    cited = Counter()
    setting = kit.setting(kit.scenarios[0])
    for seed in range(3):
        for _before, result in toys.play(kit, setting, seed):
            cited.update(event.rule for event in result.events)
    assert cited.keys() <= books.load(kit.ruleset.rulebook).paragraphs.keys()
    assert scenarios.load(kit.scenarios[0]) == setting.scenario
