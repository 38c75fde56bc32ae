"""The finished games: verified, complete in their endings, and reproducible."""

import shutil
import sys
from functools import cache
from pathlib import Path

import pytest
from helpers import finished_games, registry, sweeps
from helpers.replays import replayed

from kursk_pbem.audit import verify
from kursk_pbem.formats import strictyaml
from kursk_pbem.game import folders
from kursk_pbem.kernel import scenario
from kursk_pbem.kernel.hexes import shapes
from kursk_pbem.rulesets.armor_commander.seen import picture as armor_picture
from kursk_pbem.trust import commit, messages

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "tools"))
import games as games_tool

pytestmark = pytest.mark.slow

GAMES = finished_games.list_folders()
SHORT = finished_games.folder_of(registry.kit(), "moscow")
each_kit = pytest.mark.parametrize("kit", registry.kits(), ids=lambda kit: kit.id)


def kit_of(folder):
    return registry.kit(folder.parent.name)


def name_of(folder):
    return folder.name


each_game = pytest.mark.parametrize("folder", GAMES, ids=name_of)


@cache
def read_facts(folder):
    """Return the fields of game.txt."""
    return dict(line.split(": ", 1) for line in (folder / "game.txt").read_text("ascii").splitlines())


def read_verdict(folder):
    return replayed(folder)[-1][1].verdict


def test_there_is_a_folder_for_every_plot_and_for_nothing_else():
    assert {*GAMES} == {finished_games.folder_of(kit, name) for kit, name in finished_games.list_games()}
    assert {*GAMES} == {*finished_games.ROOT.glob("*/*/")}


@pytest.mark.some(3)
@pytest.mark.parametrize("folder", sweeps.some(GAMES, 3), ids=name_of)
def test_a_game_is_verified_to_its_end(folder):
    said = read_facts(folder)
    found = verify.verify_game(folder, said["head"])
    assert found.status == 0, found.text
    assert (found.head, str(found.messages)) == (said["head"], said["messages"])
    assert said["verdict"] in found.text
    assert said["verdict"] == read_verdict(folder).text
    assert said["how"] == kit_of(folder).plots[folder.name].title


@pytest.mark.parametrize("kit", sweeps.some(registry.kits(), 4), ids=lambda kit: kit.id)
def test_the_endings_are_all_that_there_are(kit):
    assert {(read_verdict(g).how, read_verdict(g).winner) for g in GAMES if kit_of(g) is kit} == kit.endings


@each_game
def test_a_game_was_adjudicated_as_the_program_adjudicates_now(folder):
    assert read_facts(folder)["adjudication"] in kit_of(folder).ruleset.versions, "another adjudication: make games"


@pytest.mark.some(3)
@each_game
def test_every_position_keeps_the_invariants(folder):
    for message, game, result in replayed(folder):
        assert game.ruleset.play.invariants(game.setting, game.state) == []
        assert message.text("state-out") == game.state.sha256()
        assert result is None or result.legal
        assert game.over == (message is replayed(folder)[-1][0])


@pytest.mark.some(5)
@each_game
def test_files_come_out_the_same_when_read_and_written(folder):
    for path, (message, _game, _result) in zip(folders.message_files(folder), replayed(folder), strict=True):
        text = path.read_bytes().decode("ascii")
        assert messages.emit_message(message.content, message.armour) == text
        assert "state" not in strictyaml.read(path.read_bytes(), path.name).data
        windows = messages.read_message(text.replace("\n", "\r\n").encode("ascii"), path.name)
        assert (windows.id, windows.armour and windows.armour.split()) == (message.id, message.armour.split())


@pytest.mark.some(3)
@each_game
def test_no_rule_reads_the_data_for_drawing(folder, monkeypatch):
    """The hash omits ``decor``: a game is verified with a reader of ``decor`` that always fails."""

    def fail(_scenario):
        raise AssertionError("a rule reads decor")

    for module in (scenario, shapes, armor_picture):
        monkeypatch.setattr(module, "read_decor", fail)
    assert verify.verify_game(folder, read_facts(folder)["head"]).status == 0


def test_a_game_with_other_line_ends_and_with_positions_is_the_same_game(tmp_path):
    for message, game, _result in replayed(SHORT):
        text = messages.emit_message(message.content, message.armour, game.state.to_plain())
        folders.message_path(tmp_path, message.seq).write_bytes(text.replace("\n", "\r\n").encode("ascii"))
    assert verify.verify_game(tmp_path, read_facts(SHORT)["head"]).status == 0


def test_a_missing_tail_is_seen_by_whoever_knows_the_head(tmp_path):
    folder = Path(shutil.copytree(SHORT, tmp_path / "game"))
    folders.message_files(folder)[-1].unlink()
    unfinished = verify.verify_game(folder)
    assert unfinished.status == 0
    assert "to write" in unfinished.text
    found = verify.verify_game(folder, read_facts(SHORT)["head"])
    assert found.status == 3
    assert "later messages are missing" in found.text


@each_kit
def test_what_players_can_do_is_done_somewhere(kit):
    """The kit names fields, orders with their content, labels, marks, stages, scenarios and events."""
    seen = set()
    for folder in (folder for folder in GAMES if kit_of(folder) is kit):
        for message, game, result in replayed(folder):
            seen |= {message.type, game.state.stage, game.setting.scenario.id, *message.content}
            for key, order in message.mapping("orders").items():
                seen.add(f"orders/{key}")
                for item in order if isinstance(order, list) else ():
                    fields = item.items() if isinstance(item, dict) else ()
                    seen |= {f"{key}/{name}" for name, _value in fields}
                    seen |= {f"{key}/{name}={value}" for name, value in fields if isinstance(value, str)}
            seen |= {label.split("/")[0] for label in (*message.mapping("secret"), *message.mapping("dice"))}
            seen |= {f"{name}={value}" for marks in game.state.marks.values() for name, value in marks.items()}
            for event in result.events if result else ():
                seen |= {type(event).__name__, getattr(event, "kind", "")}
    assert kit.met - seen == set()


@each_kit
def test_T23_2_5_kept_has_one_length_for_empty_and_for_all_sealed_values(kit):
    """Each system names the length of each kind of seal; the values are those of the finished games."""
    sealed = {}
    for folder in (folder for folder in GAMES if kit_of(folder) is kit):
        for path in folders.message_files(folder):
            for label, entry in folders.read_message(path).mapping("reveal").items():
                sealed.setdefault(label.partition("/")[0], [{}]).append(entry["value"])
    assert sealed.keys() == kit.ruleset.play.kept.keys()
    for kind, values in sealed.items():
        kept = [commit.keep_value(bytes(32), bytes(32), value, kit.ruleset.play.kept[kind]) for value in values]
        assert {tuple(map(len, lines)) for lines in kept} == {(64,) * (kit.ruleset.play.kept[kind] // 48)}
        assert len({*map(str, kept)}) > 2


def test_the_games_are_small():
    sizes = {folder.name: sum(path.stat().st_size for path in folder.glob("*")) for folder in GAMES}
    assert max(sizes.values()) < 150_000
    assert sum(sizes.values()) < 1_000_000


def test_a_game_is_played_again_byte_for_byte(monkeypatch, capsys):
    """This test replays one game; ``make games`` replays every game."""
    monkeypatch.setattr(sys, "argv", ["games.py", "--check", "moscow"])
    assert games_tool.main() == 0
    assert "byte for byte" in capsys.readouterr().out


def test_a_difference_would_be_seen():
    files = {path.name: path.read_bytes().decode("ascii") for path in SHORT.glob("*")}
    assert finished_games.find_differences(registry.kit(), "moscow", files) == []
    files["0003.yaml"] += " "
    del files["0004.yaml"]
    files["0099.yaml"] = ""
    assert finished_games.find_differences(registry.kit(), "moscow", files) == ["0003.yaml", "0004.yaml", "0099.yaml"]
