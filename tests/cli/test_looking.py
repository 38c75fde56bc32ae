"""Looking: moves after a draft and towards a place, tables, track, rule by word, the map on a terminal."""

import json
import random
import re

import pytest
from helpers import registry, sweeps
from helpers.commands import refused, show_on_terminal, well
from helpers.signed_play import Table

from kursk_pbem.cli import run
from kursk_pbem.desk.draft import drafts, prospects
from kursk_pbem.game import entropy
from kursk_pbem.rulebook import rulings

CITADEL = "battle-for-kursk/citadel"


def fill(draft, old, new):
    text = draft.read_text(encoding="ascii")
    assert text.count(old) == 1
    draft.write_text(text.replace(old, new), encoding="ascii", newline="\n")


def one(text):
    return " ".join(text.split())


@pytest.fixture
def ordered(draft):
    """Write a draft with two moves by armor-and-rail; one of the moves is illegal."""
    fill(
        draft,
        "  armor-and-rail: []",
        "  armor-and-rail:\n  - {unit: g-24-pz, to: '2017'}\n"
        "  - {unit: g-48-pz, to: '2113'}\n  - {unit: g-2-ss, to: '1915'}",
    )
    return draft


# moves, after the orders of a draft


def test_moves_are_those_after_the_orders_of_the_draft_and_what_is_wrong_is_left_out(capsys, ordered):
    text = well(capsys, "moves", ordered)
    first, rest = one(text).split(" Moves and attacks of the German side, ", 1)
    assert re.fullmatch(
        r"Left out, because it is not allowed: line \d+: \[8\.2\.1\] g-48-pz: cannot reach 2113 from 2015 in this "
        r"phase: "
        r"hex 2014 holds an enemy unit \(r-5-gtc\); 'kursk check' lists all mistakes",
        first,
    )
    assert rest.startswith("turn 2, after message 7 and the orders of the draft")
    assert "Moved by the draft: g-24-pz to 2017, g-2-ss to 1915." in rest
    rail, movement = text.split("Movement Phase [8.0]")
    assert "\n  g-2-ss in " not in rail, "it has moved in this phase"
    assert "\n  g-3-pz in 2116 Belgorod: 1 MP 2016, 2117" in rail, "2016 is free now"
    assert "\n  g-2-ss in 1915" in movement, "it may move again, from where it stands then"
    assert "by g-2-ss from 1915 11, g-48-pz from 2015 10" in one(text), "and attack from there"


def test_moves_of_one_unit_are_those_without_its_own_order(capsys, ordered):
    found = json.loads(well(capsys, "moves", ordered, "g-24-pz", "--to", "2017", "--json"))
    assert [(phase["phase"], phase["units"][0]["place"]) for phase in found["phases"]] == [
        ("armor-and-rail", "2219"),
        ("movement", "2219"),
    ]
    text = well(capsys, "moves", ordered, "g-24-pz", "--to", "2017")
    assert "and the orders of the draft but the move of g-24-pz" in one(text)
    assert "Armor and Rail Movement Phase: 3 MP 2219-2119-2018-2017" in text
    assert json.loads(well(capsys, "moves", ordered, "--json"))["left-out"].startswith("Left out, because")


def test_a_draft_whose_form_is_wrong_still_shows_what_could_be_done(capsys, draft):
    fill(draft, "  armor-and-rail: []", "  armor-and-rail: [{unit: g-24-pz}]")
    for command in ("moves", "odds", "map"):
        said = one(well(capsys, command, draft))
        assert "No order of the draft is carried out, because the form is wrong: " in said
        assert draft.name in said
    assert "g-24-pz in 2219: " in well(capsys, "moves", draft)


def test_moves_in_each_phase_are_those_of_its_position(capsys, draft):
    """A unit that moves in the Movement Phase has left the previous phase unchanged."""
    fill(draft, "  give-ups: [g-40-pz, g-56-pz]", "  give-ups: []")
    fill(draft, "{posture: engage, reaction: 'no'}", "{posture: deploy, reaction: 'no'}")
    before = json.loads(well(capsys, "moves", draft, "--json"))["phases"]
    fill(draft, "  movement: []", "  movement:\n  - {unit: g-3-pz, to: '2117'}")
    after = json.loads(well(capsys, "moves", draft, "--json"))["phases"]
    assert [phase["phase"] for phase in after] == ["armor-and-rail", "movement"]
    assert before[0] == after[0]
    assert "Moved by the draft: g-3-pz to 2117." in after[1]["notes"]
    assert "g-3-pz" not in [unit["unit"] for unit in after[1]["units"]]
    free = next(unit for unit in after[1]["units"] if unit["unit"] == "g-48-pz")
    assert "2116" in [end["place"] for end in free["to"]], "which g-3-pz has left"


# moves --to


def test_who_can_get_to_a_hex(capsys, game):
    text = well(capsys, "moves", game / "0007.yaml", "--to", "Kharkov")
    assert text.startswith("Ways of the German side to 2117 Kharkov, turn 2, after message 7\n")
    assert "\n  g-48-pz 10-6: 2 MP 2015-2016-2117\n" in text
    assert "\n  g-52 5-4: by rail 2 MP 1916-2016-2117\n" in text
    found = json.loads(well(capsys, "moves", game / "0007.yaml", "--to", "Kharkov", "--json"))
    assert found["to"] == "2117"
    assert {end["place"] for phase in found["phases"] for unit in phase["units"] for end in unit["to"]} == {"2117"}


def test_who_can_get_beside_an_enemy_and_attack_it_at_which_odds(capsys, game):
    text = well(capsys, "moves", game / "0007.yaml", "--to", "2014")
    assert "5th Guards Tank Corps (r-5-gtc) is here; units in reach of an adjacent hex:" in text
    assert "\n  g-2-ss 11-6: 2 MP 2016-1916-1915; EZOC of r-38, r-5-gtc\n" in text
    assert "10:2 = 5:1, shifted to 4:1: -1 defender in its own active fortification [9.2]" in " ".join(text.split())
    assert "r-6-g" not in text, "an attack on another hex"


def test_a_place_in_the_stead_of_a_unit_is_told_how_one_asks_about_it(capsys, game):
    said = refused(capsys, 2, "moves", game, "2115")
    assert "there is no unit '2115'; for a place, '--to PLACE' lists the ways" in said


def test_the_card_of_a_unit_stands_over_its_moves(capsys, game):
    lines = well(capsys, "moves", game / "0007.yaml", "g-23").splitlines()
    assert lines[1].startswith("  infantry, 6-4, 2 steps; 9th Army: g-20 in 1811, ")
    card = one("\n".join(lines[: lines.index("")]))
    offensive = "Possible Offensive against r-13 in 2112, for one marker: leader g-41-pz, supporting units g-23"
    assert f"{offensive} [9.2.1]." in card
    assert "g-23 in 2210 is not In Communication: the path to the edge with the fewest obstacles, 2210-2110-" in card
    assert "is cut in 2110, zone of control of r-3-gt in 2209 [10.0-in-communication]." in card


# tables, track, rule


def test_tables_and_track_of_a_game_of_a_scenario_and_of_a_ruleset(capsys, game):
    for named in (game, CITADEL, "battle-for-kursk"):
        text = well(capsys, "tables", named)
        assert "\nCombat Results Table [9.1]\n  die  1:1  2:1  3:1  4:1  5:1  6:1\n  1    AL   NE   DR" in text
        assert "\n  Data: reconstructed: Four cells are shown by the examples of 9.3." in text
        assert max(map(len, text.splitlines())) <= 78
    assert "\n  > 2   July 12       dry      +1     -1   -  +4     +2   1  P/E\n" in well(
        capsys, "tables", "--track", game
    )
    assert "\n  > 1   July 5 " in well(capsys, "tables", "--track", CITADEL)
    assert "\n  > A   March 18 " in well(capsys, "tables", "--track", "battle-for-kursk")
    found = json.loads(well(capsys, "tables", CITADEL, "--json"))
    assert [each["title"] for each in found["tables"]][:2] == ["Combat Results Table", "Terrain Effects Chart"]
    assert json.loads(well(capsys, "tables", "--track", game, "--json"))["turn"] == "2"
    assert "nowhere" in refused(capsys, 2, "tables", "nowhere")


def test_a_rule_is_found_by_its_number_by_a_ruling_and_by_words(capsys):
    text = well(capsys, "rule", "battle-for-kursk", "K-54")
    assert text.startswith("[K-54] Stand Fast (9.3)\n  If the result is DR as rolled, a defender in a Major City ")
    assert '\n  Words: "may convert a DR result to a single step loss and no retreat".\n' in text
    assert text.endswith(": 9.3-stand-fast\n")
    assert well(capsys, "rule", "K-54") == text == well(capsys, "rule", "k-54".upper())
    assert "ruling K-54: Stand Fast (9.3)" in well(capsys, "rule", "battle-for-kursk", "9.3-stand-fast")
    found = well(capsys, "rule", "battle-for-kursk", "fortification", "active").splitlines()
    assert "9.3-fortifications         Exchange from a fortification (coded)" in found
    assert "K-52                       Fortifications (4.0, 9.2)" in found
    for line in found:
        assert re.match(r"[0-9K][-.0-9a-z]+ +\S|    ", line)
    refusal = refused(capsys, 2, "rule", "battle-for-kursk", "elephants")
    assert "has no paragraph 'elephants', and none holds that word" in refusal
    both = refused(capsys, 2, "rule", "battle-for-kursk", "fortification", "elephants")
    assert "has no paragraph 'fortification elephants', and none holds all those words" in both


def test_a_ruling_that_departs_from_the_text_is_told_at_its_paragraph(capsys):
    """``kursk rule`` shows the departure with the paragraph and with the ruling, in words and with --json."""
    told = well(capsys, "rule", "battle-for-kursk", "9.0-7")
    assert "\n  departs here: ruling K-40: Form of a battle (9.0)\n" in told
    assert "\n  ruling K-63: " in told
    assert '\n  Departs: "one at a time, in any order' in well(capsys, "rule", "K-40")
    (paragraph,) = json.loads(well(capsys, "rule", "battle-for-kursk", "9.0-7", "--json"))["found"]
    assert paragraph["departs"] == ["K-40"]
    (ruling,) = json.loads(well(capsys, "rule", "K-40", "--json"))["found"]
    assert ruling["ground"]["kind"] == "departs"
    assert ruling["ground"]["words"] == ["one at a time, in any order the attacking player desires"]
    assert ruling["ground"]["reason"].startswith("by mail ")


def test_every_ruling_can_be_read(capsys):
    found = rulings.load("battle-for-kursk")
    listed = well(capsys, "rule", "battle-for-kursk", "rulings")
    assert [line.split()[0] for line in listed.splitlines() if not line.startswith(" ")] == list(found)
    assert len(found) >= 89
    assert [int(each.removeprefix("K-")) for each in found] == list(range(1, len(found) + 1))
    for ruling in found:
        text = well(capsys, "rule", "battle-for-kursk", ruling)
        assert text.startswith(f"[{ruling}] ")
        assert max(map(len, text.splitlines())) <= 78
    assert rulings.load("no-such-rules") == {}


# map


def test_the_map_of_a_scenario_that_nobody_plays(capsys, tmp_path, monkeypatch):
    monkeypatch.setenv("KURSK_HOME", str(tmp_path))
    text = well(capsys, "map", CITADEL, "--around", "Kursk")
    assert "!Kursk  " in text
    assert "Line 1 of a hex" not in text
    assert "--legend explains the signs." in text
    told = well(capsys, "map", CITADEL, "--around", "Kursk", "--legend", "--formations", "--zoc", "german")
    assert "Line 1 of a hex: number; ground " in told
    assert "4th Panzer Army (german): g-11 2216, " in told
    assert ": a zone of control of the german side." in told
    assert ":::::" in told
    assert ":::::" not in text


@pytest.fixture
def terminal(monkeypatch):
    """Return a function that runs a command on a terminal with a number of columns; it returns the output."""

    def show(arguments, columns, **more):
        for name, value in {"COLUMNS": str(columns), "LINES": "50", "TERM": "xterm", "NO_COLOR": "", **more}.items():
            monkeypatch.setenv(name, value)
        return show_on_terminal(monkeypatch, "--no-pager", *arguments)

    return show


def test_a_scenario_is_shown_in_either_edition_and_says_in_which(capsys, game):
    words = ("map", "kursk-1971/july4", "--zoc", "soviet", "--around", "orel", "--radius", "5")
    usual, other = (one(well(capsys, *words, *more)) for more in ((), ("--option", "edition=print")))
    assert "Shown with edition=digital, optional-rules=kampfgruppen-only; type '--option edition=print' for" in usual
    assert "Shown with edition=print, optional-rules=kampfgruppen-only; type" in other
    assert usual.partition("Shown")[0] != other.partition("Shown")[0]  # woods stop zones of control in one edition
    assert "edition=print" in one(well(capsys, "tables", "july4", "crt", "--option", "edition=print"))
    assert "the options are edition=digital or print; " in refused(
        capsys, 2, "tables", "--track", "july4", "--option", "edition=x"
    )
    assert "options of a game are fixed" in refused(capsys, 2, "map", game, "--option", "edition=print")


@pytest.mark.parametrize("columns", [80, 260, *map(sweeps.long, (100, 140))])
def test_the_map_fits_the_terminal_and_has_colour_there(terminal, columns):
    text = terminal(["map", CITADEL], columns)
    bare = re.sub("\x1b\\[[0-9;]*m", "", text)
    assert bare != text
    assert max(map(len, bare.splitlines())) <= columns
    assert ("2113 .Cr" in bare) == (columns == 260)


def test_a_part_of_the_map_fits_and_colour_can_be_forbidden(terminal):
    around = terminal(["map", CITADEL, "--around", "2113"], 140, NO_COLOR="1")
    assert "\x1b" not in around
    assert 120 < max(map(len, around.splitlines())) <= 140
    assert "\x1b" not in terminal(["map", CITADEL, "--around", "2113"], 80, TERM="dumb")
    assert max(map(len, terminal(["rule", "battle-for-kursk", "9.3"], 60).splitlines())) <= 60


def test_a_map_that_goes_to_a_file_is_plain_and_whole(capsys):
    text = well(capsys, "map", CITADEL)
    assert "\x1b" not in text
    assert run(["map", CITADEL, "--zoc", "x"]) == 2
    assert "has no zones of control on this map; german, russian have" in capsys.readouterr().err
    assert run(["map", "armor-commander/crossroads", "--zoc", "german"]) == 2
    assert "'german' has no zones of control on this map" in capsys.readouterr().err


def test_one_battle_can_be_asked_for(capsys, game, draft):
    well(capsys, "order", game, "attack", "1912", "all")
    well(capsys, "order", game, "attack", "2318", "all")
    one = well(capsys, "odds", game, "b1912")
    assert "b1912" in one
    assert "2318" not in one
    assert well(capsys, "odds", game, "1912") == one
    assert "2318" in well(capsys, "odds", game)
    assert "no battle is called 'b2222'; declared are b1912, b2318" in refused(capsys, 2, "odds", game, "b2222")


def test_what_has_a_name_on_a_table_top_stands_for_its_middle(capsys, tmp_path, monkeypatch):
    """A church, a place of victory, a model: a model may go to each point, or the command says why not."""
    with entropy.fix_random_bytes("table top"):
        table = Table(tmp_path, "armor-commander/crossroads").begin()
        for _message in range(3):
            table.post()
    player = table.due
    monkeypatch.setenv("KURSK_HOME", str(player.home))
    mine = min(uid for uid in player.desk.game.state.units if uid.startswith(player.side[0]))
    for place in ("church", "market"):
        said = one(well(capsys, "moves", player.folder, mine, "--to", place))
        assert re.search(r" to \d+\.\d\d, \d+\.\d\d, turn", said)
        assert "the straight way" in said or "The place is free" in said or "[" in said


def test_a_unit_that_recovers_behind_its_phase_is_told_why_it_stays_in_it(tmp_path, monkeypatch):
    """13.0 of Juggernauts: a unit that is Disrupted when the other units move has recovered at the end of the player
    turn."""
    kit, rng = registry.kit("juggernauts"), random.Random(0)
    with entropy.fix_random_bytes("recovers"):
        table = Table(tmp_path, "juggernauts/july-1943").begin()
        chooser = kit.chooser(table.game.setting, rng)
        while table.due.desk.game.stage.key != "german-dice":
            table.turn(table.due.choose(chooser))
    player = table.due
    drafts.write_draft(player.desk, force=True)
    seen = prospects.open_prospect(player.draft(), player.home, ahead=True)
    recovered = [uid for uid in seen.first.marks["disrupted"] if uid in seen.state.units and uid.startswith("g-")]
    assert recovered
    for uid in recovered:
        now = seen.game.ruleset.seen.outlook(seen.game.setting, seen.state, uid)
        for end in [end for phase in now.phases for mover in phase.movers for end in mover.ends][:1]:
            assert prospects.explain(seen, uid, end.place) != ()
    acted = [uid for uid in seen.first.marks["acted"] if seen.state.units[uid].place != "eliminated"]
    for uid in acted:  # 13.3: only its movement or attack explains why the unit stays
        (told,) = prospects.explain(seen, uid, "L8")
        assert "[13.3]" in told or "[4.0]" in told
    assert acted
