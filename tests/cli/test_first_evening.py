"""Problems of a newcomer in an evening at the terminal: misleading words and orders not understood."""

import os

import pytest
from helpers.commands import refused, well
from helpers.signed_play import Table
from rulesets.battle_for_kursk.first_turn import OPENING, ORDERS

from kursk_pbem.cli import run
from kursk_pbem.desk.seat import guides, scene
from kursk_pbem.desk.seat.room import Room
from kursk_pbem.game import entropy, folders


@pytest.fixture
def may3(tmp_path, monkeypatch):
    """Return the game folder of the Soviet player of Kursk (1971), May 3, who sets up."""
    with entropy.fix_random_bytes("first evening"):
        table = Table(tmp_path, "kursk-1971/may3").begin()
    monkeypatch.setenv("KURSK_HOME", str(table.soviet.home))
    assert run(["setup", "draft", str(table.soviet.folder), "--force", "-q"]) == 0
    return table.soviet.folder


def test_wait_names_the_orders_that_it_takes_out(capsys, game, draft):
    well(capsys, "order", game, "march", "24", "pz", "2220")
    assert "Removed: " in (said := well(capsys, "order", game, "wait"))
    assert "movement g-24-pz" in said


def test_an_order_names_the_unknown_words(capsys, game, draft):
    """Bug: 'march 99 9999' asked for a unit and a hex, without a word about both."""
    for verb in ("march", "move", "rail"):
        said = refused(capsys, 2, "order", game, verb, "99", "9999")
        assert "no unit of yours and no hex is called '99' or '9999'; name a unit and a hex" in said


def test_a_foreign_unit_is_named_as_such(capsys, game, draft):
    for words in (("attack", "2318", "r-70"), ("move", "r-70", "2219"), ("give-up", "r-70")):
        assert "there is no unit of yours 'r-70'; r-70 is Russian" in refused(capsys, 2, "order", game, *words)


def test_all_attack_an_enemy_unit(capsys, game, draft):
    """Bug: 'attack r-23-tc all' searched for a hex 'r-23-tc all'."""
    for words in (("r-23-tc",), ("23", "tank")):
        assert "b2318: r-23-tc" in well(capsys, "order", game, "attack", *words, "all")


def test_the_posture_names_its_turn(capsys, game, draft):
    assert "your posture for turn 2\n" in well(capsys, "order", game)


def test_give_up_names_its_reason(capsys, game, draft):
    assert "that lose steps for negative replacement points" in " ".join(well(capsys, "help", "give-up").split())
    steps = guides.list_typed_steps(
        scene.open_scene(Room(game.parent / "private", game.parent), folders.read_game_id(game))
    )
    assert "give-up 40 pz 56 pz" in [typed for _text, typed in steps]


def test_the_last_answer_for_all_is_taken_off_by_none(capsys, played_answer):
    for off in (("none",), ("all", "none")):
        well(capsys, "order", played_answer, "answer", "dr", "full", "drl", "always")
        said = well(capsys, "order", played_answer, "answer", *off)
        assert "taken out: answer exchange-dr full\n" in said
        assert "taken out: answer exchange-drl always\n" in said
    said = refused(capsys, 2, "order", played_answer, "answer", "none")
    assert "contains no answer 'all'" in said


@pytest.fixture
def played_answer(tmp_path, monkeypatch):
    """Return the game folder of a player who answers battles."""
    with entropy.fix_random_bytes("answers"):
        table = Table(tmp_path / "answers").begin()
        table.turn(OPENING)
        table.turn(ORDERS)
    monkeypatch.setenv("KURSK_HOME", str(table.due.home))
    assert run(["setup", "draft", str(table.due.folder), "--force", "-q"]) == 0
    return table.due.folder


def test_a_long_list_says_how_to_see_the_rest(capsys, may3):
    said = refused(capsys, 2, "order", may3, "deploy")
    assert "more: 'kursk order deploy --all' lists them" in said
    whole = well(capsys, "order", may3, "deploy", "--all")
    assert "more: " not in whole
    assert len(whole.splitlines()) > 100


def test_12_0_set_up_takes_unit_and_hex_in_both_orders(capsys, may3):
    assert "15 (s-15) set up in 1717" in well(capsys, "order", may3, "deploy", "1717", "15")
    assert "15 (s-15) set up in 1718" in well(capsys, "order", may3, "deploy", "15", "1718")


def test_12_0_an_untouched_set_up_is_said_to_be_as_proposed(capsys, may3):
    said = well(capsys, "check", may3)
    assert "  All units are set up as proposed.\n" in said
    assert "Nothing was ordered" not in said
    left = " ".join(said.split())
    assert "8th Guards Rifle (s-8g) in 1301 is out of supply: enemy units or zones of control cut" in left
    told = " ".join(well(capsys, "moves", may3, "s-8g").split())
    assert "Out of supply: enemy units or zones of control cut the line to a railway off your edge" in told


def test_a_comma_inside_a_list_of_units_is_explained(capsys, game, draft):
    said = refused(capsys, 2, "order", game, "attack", "2014", "48", "pz,", "99")
    assert "not understood: '99', order 2 of 2; commas separate orders" in said


@pytest.fixture
def waiting(capsys, german, tmp_path, monkeypatch):
    """Propose two more games to Boris from the German's folder; neither game waits for a message."""
    assert run(["keygen", str(tmp_path / "petra")]) == 0
    mine = ("--as", "german", "--key", str(german / "me"))
    other = ("--opponent", str(tmp_path / "petra.pub"), "--opponent-name", "Boris")
    for _each in range(2):
        assert run(["propose", "battle-for-kursk/campaign", *mine, *other, "--dir", str(tmp_path)]) == 0
    place = tmp_path / "elsewhere"
    place.mkdir()
    monkeypatch.chdir(place)
    capsys.readouterr()


def test_a_message_is_of_the_one_game_that_has_it(capsys, waiting, game):
    """Three games are named boris, and only one of the games has a message 7."""
    assert "Report of message 7" in well(capsys, "report", "boris/7")


def test_columns_name_the_width_of_a_page(capsys, game, draft, monkeypatch):
    monkeypatch.setenv("COLUMNS", "50")
    assert max(map(len, well(capsys, "order", game).splitlines()[1:])) <= 50


@pytest.mark.skipif(os.name != "posix" or os.geteuid() == 0, reason="root writes everywhere")
def test_a_proposal_that_cannot_be_kept_leaves_no_folder(capsys, german, tmp_path, monkeypatch):
    monkeypatch.setenv("KURSK_HOME", "/proc/nowhere")
    mine = ("--as", "german", "--key", german / "me", "--opponent", german / "boris.pub")
    refused(capsys, 2, "propose", "battle-for-kursk/campaign", *mine, "--dir", tmp_path / "games")
    assert not list((tmp_path / "games").glob("*"))
