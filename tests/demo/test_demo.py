"""The demonstration: reproducible, complete for a player, and verified."""

import hashlib
import os
import subprocess
import sys

import pytest
from helpers import sweeps
from helpers.demo_game import play_demo

from kursk_pbem.cli import run
from kursk_pbem.demo import folder as demofolder
from kursk_pbem.demo import script
from kursk_pbem.game import entropy


def read_tree(folder):
    """Return every file below a folder as relative name -> bytes."""
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


@pytest.mark.long("test-all")
def test_twice_gives_the_same_bytes_in_every_file(demo, tmp_path):
    first, second = read_tree(demo), read_tree(play_demo(tmp_path / "a longer name of a folder"))
    assert first == second
    game = next(name for name in first if name.endswith("/0000.yaml")).split("/")[1]
    for side in ("german", "russian"):  # the comparison saw all files
        assert f"{side}/me" in first
        assert {f"{side}/{game}/{seq:04d}.yaml" for seq in range(8)} <= set(first)
        assert {f"{side}/{game}/report-{seq:04d}.txt" for seq in range(1, 8)} <= set(first)
        assert {f"{side}/private/games/{game[5:]}/journal/{seq:04d}.json" for seq in range(8)} <= set(first)
    assert f"german/{game}/0008.draft.yaml" in first


@pytest.mark.long
@pytest.mark.parametrize("hash_seed", sweeps.some(["0", "1"], 2))
def test_the_same_bytes_whatever_the_order_of_sets(demo, tmp_path, hash_seed):
    folder = tmp_path / "played"
    code = "import sys; from kursk_pbem.cli import run; sys.exit(run(sys.argv[1:]))"
    done = subprocess.run(
        [sys.executable, "-c", code, "demo", str(folder)],
        env={**os.environ, "PYTHONHASHSEED": hash_seed},
        capture_output=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert read_tree(folder) == read_tree(demo)


def test_both_players_hold_the_same_messages_and_reports(demo):
    german, russian = (read_tree(next((demo / side).glob("game-*"))) for side in ("german", "russian"))
    assert german.pop("0008.draft.yaml")
    assert german.pop("draft.schema.json")  # the schema for editors
    assert german == russian
    assert len(german) == 8 + 7


@pytest.mark.long("test-all")
def test_another_seed_gives_another_game(demo, stranger):
    assert next((demo / "german").glob("game-*")).name != next((stranger / "german").glob("game-*")).name


WANTED = {
    "a battle of the German side": "Turn 1, German: Combat Phase",
    "a battle of the Russian side": "Turn 1, Russian: Combat Phase",
    "a retreat": " retreats: ",
    "a loss": " loses 1 step ",
    "an elimination": " is eliminated",
    "an advance": " advances: ",
    "a defender's exchange": "Choice of the Russian side, conversion",
    "a revealed plan": "Opened: the plans of message 2",
    "the other side's plan": "Opened: the plans of message 5",
    "an Offensive": "Offensive led by ",
    "a replacement": "r-46",
    "a sealed posture": "Sealed: the posture of turn 2",
    "the luck so far": "Luck so far: a high roll counts as lucky",
}


@pytest.mark.parametrize("what", WANTED)
def test_the_reports_show(demo, what):
    folder = next((demo / "german").glob("game-*"))
    text = "".join(path.read_text(encoding="utf-8") for path in sorted(folder.glob("report-000?.txt")))
    assert WANTED[what] in text


def test_it_verifies_and_a_folder_that_is_no_demonstration_is_left_alone(demo, tmp_path, capsys):
    assert run(["verify", str(demo)]) == 0
    assert capsys.readouterr().out.count(": verified, 8 messages") == 2
    mine = tmp_path / "letters.txt"
    mine.write_text("mine", encoding="ascii")
    assert run(["demo", str(tmp_path)]) == 2
    assert mine.read_text(encoding="ascii") == "mine"
    assert run(["demo", str(mine)]) == 2
    assert str(mine) in capsys.readouterr().err


SHOWN = {
    "an attack from the air": "attack on 15th Air Army (s-air1)",
    "attacks on the ground": "Battle ponyri",
    "close support": "close support by g-air4",
    "a river": "all attackers across a river",
    "a retreat": " retreats: ",
    "an elimination": " is eliminated: ",
    "an interception": " intercepts",
    "an interdiction": " interdicts ",
    "a patrol": " patrols over ",
    "a revealed plan": "Opened: the plans of message 1",
    "the other side's plan": "Opened: the plans of message 4",
    "victory points": "points for strength",
}


@pytest.fixture(scope="module")
def other_system(tmp_path_factory):
    return play_demo(tmp_path_factory.mktemp("demo") / "played", ruleset="kursk-1971")


@pytest.mark.long
@pytest.mark.parametrize("what", SHOWN)
def test_another_system_is_demonstrated_by_its_name(other_system, what):
    """The opening has a battle in the air and three on the ground."""
    folder = next((other_system / "soviet").glob("game-*"))
    text = "".join(path.read_text(encoding="utf-8") for path in sorted(folder.glob("report-000?.txt")))
    assert SHOWN[what] in text
    assert text.count("Turn 1, German: Combat Phase: attacks fought") == 1


def test_the_demonstration_of_another_system_verifies(tmp_path, monkeypatch, capsys):
    """The shortest; the longer ones verify in test-all."""
    monkeypatch.chdir(tmp_path)
    folder = play_demo(tmp_path / "played", ruleset="armor-commander")
    assert run(["verify", str(folder)]) == 0
    assert capsys.readouterr().out.count(": verified, ") == 2
    assert run(["demo", "kursk-1971", "one", "two"]) == 2
    assert "type one FOLDER" in capsys.readouterr().err
    assert [*tmp_path.iterdir()] == [folder]


@pytest.fixture
def played(tmp_path):
    """Return a folder that looks like a demonstration by its list, without playing."""
    folder = tmp_path / "played"
    for name in ("german/me.pub", "russian/me.pub", "german/game-1/0000.yaml"):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(name, encoding="ascii")
    demofolder.write_list(folder)
    return folder


def test_a_demonstration_takes_the_place_of_an_untouched_one(demo, played):
    (played / "german" / "me.pub").unlink()  # a missing file is no reason to stop
    play_demo(played)
    assert read_tree(played) == read_tree(demo)


def test_an_interrupted_demonstration_can_be_replaced(tmp_path, monkeypatch):
    def stop(*_words):
        raise KeyboardInterrupt

    folder = tmp_path / "played"
    with monkeypatch.context() as patch:
        patch.setattr("kursk_pbem.cli.demo._change_die", stop)
        patch.setattr("kursk_pbem.cli.demo._play_turn", stop)
        assert run(["demo", str(folder)]) == 130
    assert (folder / "german" / "me").is_file()
    demofolder.clear(folder)
    assert not any(folder.iterdir())


def touch_a_file(folder):
    (folder / "german" / "me.pub").write_text("mine now", encoding="ascii")


def add_a_file(folder):
    (folder / "german" / "game-1" / "plans.txt").write_text("mine", encoding="ascii")


def add_a_folder(folder):
    (folder / "russian" / "letters").mkdir()


def link_a_file(folder):
    """Replace a file by a link to an equal file of the user."""
    mine = folder.parent / "mine"
    (folder / "german" / "me.pub").rename(mine)
    (folder / "german" / "me.pub").symlink_to(mine)


def link_a_folder(folder):
    mine = folder.parent / "mine"
    (folder / "german").rename(mine)
    (folder / "german").symlink_to(mine, target_is_directory=True)


def put_a_pipe(folder):
    (folder / "german" / "me.pub").unlink()
    os.mkfifo(folder / "german" / "me.pub")


def lose_the_list(folder):
    (folder / demofolder.LIST).unlink()


def link_the_list(folder):
    (folder / demofolder.LIST).rename(folder.parent / "list")
    (folder / demofolder.LIST).symlink_to(folder.parent / "list")


@pytest.mark.parametrize(
    "change",
    [touch_a_file, add_a_file, add_a_folder, link_a_file, link_a_folder, put_a_pipe, lose_the_list, link_the_list],
)
def test_nothing_is_removed_that_the_demonstration_did_not_make(played, change, capsys):
    """Bug: two public keys with the usual names were enough to delete a whole folder."""
    change(played)
    before = sorted(path.relative_to(played.parent) for path in played.parent.rglob("*"))
    assert run(["demo", str(played)]) == 2
    said = capsys.readouterr().err
    assert "choose another folder" in said
    assert str(played) in said
    assert sorted(path.relative_to(played.parent) for path in played.parent.rglob("*")) == before


def test_a_list_names_no_file_elsewhere(played):
    """The command removes only files found in the folder."""
    (mine := played.parent / "mine").write_text("mine", encoding="ascii")
    with (played / demofolder.LIST).open("a", encoding="ascii") as file:
        file.write(f"{hashlib.sha256(b'mine').hexdigest()}  ../mine\n{'0' * 64}  /etc/passwd\n")
    demofolder.clear(played)
    assert list(played.iterdir()) == []
    assert mine.read_text(encoding="ascii") == "mine"


def test_fixed_bytes_are_fixed_only_where_asked_for():
    with entropy.fix_random_bytes("a fixed stream"):
        assert entropy.random_bytes() != entropy.random_bytes()
        with entropy.fix_random_bytes("a fixed stream"):
            first = entropy.random_bytes()
    with entropy.fix_random_bytes("a fixed stream"):
        assert entropy.random_bytes() == first
    assert len({entropy.random_bytes() for _ in range(4)}) == 4


@pytest.mark.long
@pytest.mark.parametrize("rid", sorted(script.SCRIPTS))
def test_a_demonstration_of_each_system_is_the_same_every_time_and_verifies(tmp_path, capsys, rid):
    """The last commands of ``kursk demo RULESET`` show a verified game and a detected cheat."""
    found = []
    for name in ("one", "two"):
        assert run(["demo", rid, str(tmp_path / name)]) == 0
        said = capsys.readouterr().out
        assert f"propose {rid}/" in said
        assert said.index(" verified, ") < said.index("A cheat turns a die")
        assert "exit status 3" in said
        found.append(read_tree(tmp_path / name))
    assert found[0] == found[1]
    assert run(["demo", "one", "two", "three"]) == 2
    assert "type one FOLDER" in capsys.readouterr().err


@pytest.mark.long("test-all")
def test_whoever_has_named_a_key_of_their_own_is_shown_the_same(demo, tmp_path, monkeypatch):
    """The demonstration ignores KURSK_KEY."""
    monkeypatch.setenv("KURSK_KEY", str(tmp_path / "me"))
    assert run(["keygen", str(tmp_path / "me")]) == 0
    assert run(["demo", str(tmp_path / "played")]) == 0
    assert read_tree(tmp_path / "played") == read_tree(demo)
    assert os.environ["KURSK_KEY"] == str(tmp_path / "me")
