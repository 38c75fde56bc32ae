"""Short forms that people type from memory are understood; slips get suggestions."""

import pytest
from helpers import registry
from helpers.commands import refused, well

from kursk_pbem import __version__
from kursk_pbem.cli import COMMANDS, order_words, run
from kursk_pbem.rulesets import WORDS


def test_the_words_of_orders_are_those_of_all_systems_and_no_commands():
    for kit in registry.kits():
        played = [kit.setting(scenario, dict(kit.options)) for scenario in kit.scenarios]  # with all options
        words = {verb.name for setting in played for verb in kit.ruleset.seen.verbs(setting)}
        assert set(WORDS[kit.ruleset.id].split()) == words
    assert {"note", "redo", "undo", "fire"} < set(order_words())
    assert not set(order_words()) & COMMANDS.keys()


def test_an_order_may_stand_without_its_first_word(capsys, german, monkeypatch, game, draft):
    monkeypatch.chdir(game)
    before = draft.read_text()
    assert well(capsys, "posture", "pause,", "note", "hello").startswith("posture of turn 2: pause\n")
    assert draft.read_text() != before
    well(capsys, "undo")
    assert draft.read_text() == before
    well(capsys, "redo")
    assert run(["move", "48", "pz", "moscow"]) == 1
    assert "not written" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("typed", "meant"), [("sgin", "sign"), ("orders", "order"), ("mvoe", "move"), ("atack", "attack"), ("Sign", "sign")]
)
def test_a_command_that_is_spelt_nearly_so_is_named(capsys, typed, meant):
    assert f"did you mean {meant}" in refused(capsys, 2, typed, silent=True)
    assert "'kursk help commands' lists" in refused(capsys, 2, "zzzzzz", silent=True)


def test_a_word_of_orders_is_offered_only_where_the_system_of_the_game_has_it(capsys, german, monkeypatch):
    assert "'kursk help commands' lists" in refused(capsys, 2, "strkie", silent=True)
    assert "did you mean waive" in refused(capsys, 2, "waiev", silent=True)
    monkeypatch.setenv("KURSK_HOME", str(german / "nobody"))
    assert "did you mean strike" in refused(capsys, 2, "strkie", silent=True)


def test_help_and_the_version_are_found_where_people_look(capsys):
    assert well(capsys, "help", "sign").startswith("Usage: kursk sign ")
    assert well(capsys, "help", "undo").startswith("Usage: kursk order ")
    assert "No such command" in refused(capsys, 2, "help", "nosuch", silent=True)
    assert well(capsys, "-V") == f"kursk, version {__version__}\n"


def test_a_proposal_takes_what_is_clear_as_said(capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("KURSK_HOME", str(tmp_path / "private"))
    for name in ("me", "boris"):
        well(capsys, "keygen", name)
    usual = ["--yes", "--key", "me", "--opponent", "boris.pub", "-q"]
    well(capsys, "propose", "citadel", *usual, "--dir", "one")
    well(capsys, "propose", "Citadel", "--as", "German", *usual, "--dir", "two")
    assert "did you mean battle-for-kursk/citadel?" in refused(capsys, 2, "propose", "citadell", *usual)
    assert "the german side proposes" in refused(capsys, 2, "propose", "citadel", "--as", "Russian", *usual)
    for folder in ("one", "two"):
        (message,) = (tmp_path / folder).glob("game-*/0000.yaml")
        assert "from: german" in message.read_text(encoding="ascii")


def test_help_lists_what_is_for_players_first(capsys):
    """The handbook, the pages of the games, then the pages for directors and auditors."""
    listed = [line.split()[0] for line in well(capsys, "help", "withdraw").splitlines()]
    assert listed.index("juggernauts") < listed.index("directors")


def test_the_handbook_is_found_by_what_it_is_called(capsys):
    assert well(capsys, "help", "handbook", "4") == well(capsys, "help", "players", "4")
