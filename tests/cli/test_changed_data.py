"""A release corrects a value of a scenario: old games continue, and commands report missing old data."""

import shutil
from pathlib import Path

import pytest
from helpers import old_scenarios
from helpers.commands import refused, well
from helpers.signed_play import Table
from rulesets.battle_for_kursk.first_turn import CAMPAIGN, CITADEL, fought

from kursk_pbem import library
from kursk_pbem.cli import run
from kursk_pbem.errors import OutdatedError, TrustError
from kursk_pbem.formats import data
from kursk_pbem.game import folders, games, scenario_files, scenarios

SHIPPED = data.find_folder("scenarios")
WRONG, RIGHT = (f"full: {full}, reduced: 4, move: 6, hex: '2111'" for full in (9, 8))


@pytest.fixture(scope="module")
def played(tmp_path_factory):
    """Return the first turn of a game; message 5 is due from the Russian."""
    return fought(Table(tmp_path_factory.mktemp("changed") / "table").begin())


@pytest.fixture
def table(played, tmp_path):
    return played.copy(tmp_path / "table")


@pytest.fixture
def release(tmp_path, monkeypatch):
    """Return the folder ``scenarios`` of a release with a corrected value; the program uses this release."""
    folder, real = tmp_path / "release" / "scenarios", data.find_folder
    shutil.copytree(SHIPPED, folder)
    units = folder / CAMPAIGN / "units.yaml"
    text = units.read_text("ascii")
    assert text.count(WRONG) == 1
    units.write_text(text.replace(WRONG, RIGHT), "ascii", newline="\n")
    monkeypatch.setattr(data, "find_folder", lambda kind: folder if kind == "scenarios" else real(kind))
    return folder


@pytest.fixture
def kept(release):
    """Return the release with the old data kept."""
    old_scenarios.keep(release, SHIPPED, CAMPAIGN, CITADEL)
    return release


def sha256(scenario_id):
    return scenarios.load_folder(SHIPPED / scenario_id).sha256


def test_old_data_are_found_by_their_hash_and_new_games_take_the_new(kept):
    for name in (CAMPAIGN, CITADEL):
        old, new = scenarios.load(name, sha256(name)), scenarios.load(name)
        assert old.sha256 == sha256(name) != new.sha256
        assert old.data == scenario_files.load(SHIPPED / name).data
        assert scenarios.load(name, new.sha256) is new


def test_a_second_correction_leaves_both_older_versions_whole(kept, tmp_path):
    between = {name: scenarios.load(name).sha256 for name in (CAMPAIGN, CITADEL)}
    before = tmp_path / "before"
    shutil.copytree(kept, before)
    land = kept / CAMPAIGN / "map.yaml"
    land.write_text(land.read_text("ascii") + "more: nothing\n", "ascii", newline="\n")
    head = kept / CITADEL / "scenario.yaml"
    head.write_text(head.read_text("ascii").replace("infantry: 17", "infantry: 16"), "ascii", newline="\n")
    old_scenarios.keep(kept, before, CAMPAIGN, CITADEL)
    for name, middle in between.items():
        assert scenarios.load(name, middle).sha256 == middle
        assert scenarios.load(name, sha256(name)).data == scenario_files.load(SHIPPED / name).data


def test_a_game_begun_before_goes_on_and_verifies(table, kept, sits, capsys):
    due, other = table.russian, table.german
    sits(due)
    assert "message 5" in well(capsys, "status")
    assert "verified, 5 messages" in well(capsys, "verify", due.folder)
    letter = due.sit() and due.sign()
    sits(other)
    other.sit()
    assert other.take(table.mail(letter, "german")).result is not None
    assert "verified, 6 messages" in well(capsys, "verify", other.folder)
    well(capsys, "replay", other.folder, "-o", "replay.html")
    assert library.verify(other.folder).messages == 6
    for path in other.folder.glob("*.yaml"):
        path.unlink()
    mails = sorted((table.root / "russian").glob("game-*/000?.yaml"))
    assert run(["restore", str(other.folder), *map(str, mails)]) == 0


def test_a_proposal_of_before_is_accepted(kept, tmp_path, monkeypatch, capsys, sits):
    folder = data.find_folder
    with monkeypatch.context() as then:
        then.setattr(data, "find_folder", lambda kind: SHIPPED if kind == "scenarios" else folder(kind))
        table = Table(tmp_path / "begun")
        table.begin()
    other = table.russian
    shutil.rmtree(other.home)
    shutil.rmtree(other.folder)
    sits(other)
    told = well(capsys, "accept", table.german.folder / "0000.yaml", "--key", "me")
    assert "may lack corrections" in told
    assert "verified, 1 message" in well(capsys, "verify", other.folder)


COMMANDS = [
    ("status",),
    ("status", "GAME"),
    ("report", "GAME"),
    ("inbox", "--report", "NEWEST"),
    ("check", "GAME"),
    ("sign", "GAME"),
    ("map", "GAME"),
    ("resign", "GAME"),
    ("verify", "GAME"),
    ("prove", "GAME"),
    ("export", "GAME", "-o", "out"),
    ("replay", "GAME", "-o", "out.html"),
    ("restore", "GAME"),
    ("restore", "GAME", "NEWEST"),
    ("accept", "FIRST", "--key", "me"),
    ("inbox", "FOLDER"),
]


@pytest.mark.some(2)
@pytest.mark.parametrize("words", COMMANDS, ids=" ".join)
def test_where_they_are_missing_no_command_has_a_good_message_moved_away(words, table, release, sits, capsys):
    """The program advised to move message 0 away, and then 'kursk restore' could not write message 0 again."""
    german = table.german
    sits(german)
    letters = german.place / "letters"
    shutil.copytree(german.folder, letters, ignore=shutil.ignore_patterns("*.txt", "*.draft.yaml"))
    names = {"GAME": german.folder, "NEWEST": letters / "0004.yaml", "FIRST": letters / "0000.yaml", "FOLDER": letters}
    before = {path: path.read_bytes() for path in german.folder.iterdir()}
    status = run([str(names.get(word, word)) for word in words])
    said = "".join(capsys.readouterr())
    assert status != 3  # no accusation
    assert "move" not in said.replace("moves", "")
    assert "was changed later" not in said
    flat = " ".join(said.split())
    assert f"the data of {CITADEL} differ" in flat
    assert "can name the release with the game's data" in flat
    assert "KURSK_SCENARIOS" in flat
    assert {path: path.read_bytes() for path in german.folder.iterdir()} == before


def test_a_proposal_with_data_that_are_nowhere_says_whom_to_ask_for_the_release(table, release, sits, capsys):
    sits(table.russian)
    said = " ".join(refused(capsys, 2, "accept", table.german.folder / "0000.yaml", "--key", "me").split())
    name = table.kit.names["german"]
    assert (
        f"'{name}', the proposer, can name the release with the game's data ('kursk --version'): use that release"
        in said
    )
    assert sha256(CITADEL)[:16] in said
    assert scenarios.load(CITADEL).sha256[:16] in said
    with pytest.raises(OutdatedError):
        library.verify(table.german.folder)


def test_the_scenarios_of_the_older_release_may_lie_where_KURSK_SCENARIOS_names(
    table, release, monkeypatch, capsys, sits
):
    monkeypatch.setenv("KURSK_SCENARIOS", str(SHIPPED))
    sits(table.german)
    assert "verified, 5 messages" in well(capsys, "verify", table.german.folder)
    assert scenarios.load(CITADEL).sha256 != sha256(CITADEL)


def test_ones_own_scenario_that_is_changed_is_found_by_its_hash(tmp_path, monkeypatch):
    place = tmp_path / "mine"
    scenario_files.copy(CITADEL, "steppe", place)
    monkeypatch.setenv("KURSK_SCENARIOS", str(place))
    folder = place / "battle-for-kursk" / "steppe"
    was = scenarios.load("battle-for-kursk/steppe")
    old = folder / "old" / was.sha256
    old.mkdir(parents=True)
    for path in folder.glob("*.yaml"):
        shutil.copy(path, old)
    text = (folder / "units.yaml").read_text("ascii")
    (folder / "units.yaml").write_text(text.replace(WRONG, RIGHT), "ascii", newline="\n")
    now = scenarios.load("battle-for-kursk/steppe")
    assert now.sha256 != was.sha256
    assert scenarios.load("battle-for-kursk/steppe", was.sha256).data == was.data
    shutil.copy(folder / "units.yaml", old)  # now the folder contradicts its name
    with pytest.raises(OutdatedError):
        scenarios.load("battle-for-kursk/steppe", was.sha256)


@pytest.mark.some(4)
@pytest.mark.parametrize("bad", ["", "..", "../" * 30, "A" * 64, "0" * 63, "0" * 65, "/" + "0" * 63, "0" * 62 + "/."])
def test_T27_a_hash_that_is_none_never_becomes_a_path(bad, kept, monkeypatch):
    looked = []
    is_file, is_dir = Path.is_file, Path.is_dir
    monkeypatch.setattr(Path, "is_file", lambda self: looked.append(self) or is_file(self))
    monkeypatch.setattr(Path, "is_dir", lambda self: looked.append(self) or is_dir(self))
    places = list(scenario_files.find_versions(CITADEL, bad, [kept]))
    assert places == [kept / CITADEL]
    assert not any("old" in path.parts for path in looked)


def test_75_every_published_version_of_a_scenario_is_found():
    """A correction keeps the four old files in ``old/SHA256/``, and adds the new hash to the list."""
    lines = Path(__file__).with_name("published_scenarios.txt").read_text("ascii").splitlines()
    published = [tuple(line.split()) for line in lines]
    assert [(name, scenarios.load(name, wanted).sha256) for name, wanted in published] == published
    today = {(name, scenarios.load(name).sha256) for name in scenario_files.list_ids()}
    assert today <= {*published}


def test_what_is_wrong_is_told_of_the_file_in_which_it_is(table, sits, capsys):
    """File 0001.yaml contains another good message, and the program advised to move the undamaged 0002.yaml away."""
    german = table.german
    sits(german)
    first = folders.message_path(german.folder, 1)
    other = fought_otherwise(table.root / "other")
    first.write_bytes(other.read_bytes())
    said = refused(capsys, 2, "status", german.folder)
    assert f"move {first} away" in said.replace("\n", " ")
    assert "0002.yaml away" not in said


def fought_otherwise(root):
    """Return a message 1 of another game."""
    table = fought(Table(root).begin())
    return folders.message_path(table.german.folder, 1)


def test_a_void_message_that_is_whole_is_not_moved_away(table, monkeypatch, capsys, sits):
    """Even if a game has another error, a file with signed content stays in its place."""
    german = table.german
    sits(german)

    def stopped(_game, message):
        raise TrustError("state", "stopped", message.where("state-out"))

    monkeypatch.setattr(games, "extend", stopped)
    shutil.rmtree(german.home / german.folder.name / "verified", ignore_errors=True)
    said = refused(capsys, 3, "status", german.folder)
    assert "stopped" in said
    assert "move" not in said
