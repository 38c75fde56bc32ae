"""The demonstration: the same bytes every time, everything in it that a player should see, and it verifies."""

import os
import subprocess
import sys

import pytest
from demo_game import play_demo

from kursk_pbem.cli import run
from kursk_pbem.game import entropy


def tree(folder):
    """Every file below a folder: relative name -> bytes."""
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def test_twice_gives_the_same_bytes_in_every_file(demo, tmp_path):
    first, second = tree(demo), tree(play_demo(tmp_path / "a longer name of a folder"))
    assert first == second
    game = next(name for name in first if name.endswith("/0000.yaml")).split("/")[1]
    for side in ("german", "russian"):  # the comparison saw all that there is
        assert f"{side}/me" in first
        assert {f"{side}/{game}/{seq:04d}.yaml" for seq in range(8)} <= set(first)
        assert {f"{side}/{game}/report-{seq:04d}.txt" for seq in range(1, 8)} <= set(first)
        assert {f"{side}/private/games/{game[5:]}/journal/{seq:04d}.json" for seq in range(8)} <= set(first)
    assert f"german/{game}/0008.draft.yaml" in first


@pytest.mark.parametrize("hash_seed", ["0", "1"])
def test_the_same_bytes_whatever_the_order_of_sets(demo, tmp_path, hash_seed):
    folder = tmp_path / "played"
    code = "import sys; from kursk_pbem.cli import run; sys.exit(run(sys.argv[1:]))"
    done = subprocess.run(
        [sys.executable, "-c", code, "demo", str(folder)],
        env={**os.environ, "PYTHONHASHSEED": hash_seed}, capture_output=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert tree(folder) == tree(demo)


def test_both_players_hold_the_same_messages_and_reports(demo):
    german, russian = (tree(next((demo / side).glob("game-*"))) for side in ("german", "russian"))
    assert german.pop("0008.draft.yaml")
    assert german == russian
    assert len(german) == 8 + 7


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
    "a revealed plan": "Opened: plans/2",
    "the other side's plan": "Opened: plans/5",
    "an Offensive": "Offensive led by ",
    "a replacement": "r-46",
    "a sealed posture": "Sealed: posture/turn-2",
    "the luck so far": "Luck of the attackers so far",
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


def test_fixed_bytes_are_fixed_only_where_asked_for():
    with entropy.fixed("a fixed stream"):
        assert entropy.fresh() != entropy.fresh()
        with entropy.fixed("a fixed stream"):
            first = entropy.fresh()
    with entropy.fixed("a fixed stream"):
        assert entropy.fresh() == first
    assert len({entropy.fresh() for _ in range(4)}) == 4
