"""Private folders that were copied or set back: a person says which message was the newest, and nothing else does."""

import shutil
import sys

import pytest
from board.moves import CITADEL, at, folder_of, newest_of, play  # noqa: F401  a fixture
from board.seats import Seat, begun
from helpers import one_place
from helpers.commands import Terminal, refused, well

from kursk_pbem.cli import run


@pytest.fixture
def seats(tmp_path):
    """Return a game after message 1, before message 2 (german)."""
    return begun(tmp_path / "first", CITADEL)


def signs(capsys, seat):
    status = run(["sign", "--yes", "-q", str(folder_of(seat))])
    capsys.readouterr()
    return status == 0


def test_T11_a_copied_home_asks_and_the_first_home_does_not(seats, at, tmp_path, capsys):  # noqa: F811
    german, russian = seats.values()
    play(at, russian, german)
    one_place.copy_elsewhere(german.place, tmp_path / "second")
    second = at(Seat("german", tmp_path / "second"))
    assert "the newest here is message 0 of 20" in refused(capsys, 2, "sign", "--yes", folder_of(second))
    assert run(["inbox", "-q", str(newest_of(russian))]) == 0
    assert not signs(capsys, second)
    at(german)
    assert signs(capsys, german)
    at(second)
    well(capsys, "restore", folder_of(second), newest_of(german))
    well(capsys, "restore", folder_of(second), "--confirm", 2, "--yes")
    well(capsys, "restore", folder_of(second))  # nothing new comes, so nothing is asked
    at(russian)
    assert run(["inbox", "-q", str(newest_of(german))]) == 0
    play(at, russian, second)
    assert signs(capsys, second)


def test_T11_a_home_set_back_from_a_backup_asks_and_a_renamed_one_does_not(seats, at, tmp_path, capsys):  # noqa: F811
    german, russian = seats.values()
    play(at, russian, german)
    backup = tmp_path / "backup"
    one_place.copy_elsewhere(german.place, backup)
    german.place.rename(tmp_path / "renamed")
    renamed = at(Seat("german", tmp_path / "renamed"))
    assert signs(capsys, renamed)
    shutil.rmtree(renamed.place)
    one_place.copy_elsewhere(backup, german.place)
    assert not signs(capsys, at(german))
    assert "message 1 is not here" not in refused(capsys, 2, "restore", folder_of(german), "--confirm", 2, "--yes")


def test_T11_a_backup_put_back_over_equal_files_asks(seats, at, tmp_path, capsys):  # noqa: F811
    """A tool that leaves equal files alone puts only the changed files back, and removes the new ones."""
    german, russian = seats.values()
    play(at, russian, german)
    backup = one_place.copy_elsewhere(german.place, tmp_path / "backup")
    assert signs(capsys, at(german))
    for path in [path for path in german.place.rglob("*") if path.is_file()]:
        same = backup / path.relative_to(german.place)
        if not same.exists() or same.read_bytes() != path.read_bytes():
            path.unlink()
    for path in [path for path in backup.rglob("*") if path.is_file()]:
        if not (there := german.place / path.relative_to(backup)).exists():
            shutil.copy2(path, there)
    assert "cannot know your newest message" in refused(capsys, 2, "sign", "--yes", folder_of(german))


def test_T37_one_question_in_a_terminal_lists_all_games(seats, at, tmp_path, capsys, monkeypatch):  # noqa: F811
    german, russian = seats.values()
    play(at, russian, german)
    at(german)
    well(
        capsys,
        "propose",
        CITADEL,
        "--as",
        "german",
        "--opponent",
        russian.place / "me.pub",
        "--key",
        "me",
        "--opponent-name",
        "Boris",
    )
    one_place.copy_elsewhere(german.place, tmp_path / "second")
    at(Seat("german", tmp_path / "second"))
    monkeypatch.setattr(sys, "stdin", Terminal("0 4\n"))
    assert run(["status"]) == 0
    told = capsys.readouterr()
    assert told.out.partition("Newest messages")[0].count("the newest here is message 0 of 20") == 2
    assert told.out.count("Newest messages") == 1
    assert "confirmed; the next message can be signed here" in told.out
    assert "message 4 is not here" in told.err
    monkeypatch.setattr(sys, "stdin", Terminal("0\n"))
    assert run(["status"]) == 0
    assert capsys.readouterr().out.partition("Newest messages")[0].count("the newest here is message 0 of 20") == 1
    assert run(["status"]) == 0
    assert "Newest messages" not in capsys.readouterr().out
