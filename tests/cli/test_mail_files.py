"""Mails at the command line: too large, newest first, of two games (all forms: tests/post/test_things.py)."""

import sys
import tracemalloc
from pathlib import Path

import pytest

from kursk_pbem.cli import run
from kursk_pbem.game import folders


@pytest.fixture
def before(german, game):
    """Return the German folder before the arrival of message 7, and the messages as mails, by number."""
    texts = {k: (game / f"{k:04d}.yaml").read_bytes() for k in range(8)}
    for name in ("0007.yaml", "report-0007.txt", "0008.draft.yaml", "report-0008.draft.txt"):
        (game / name).unlink(missing_ok=True)
    next(german.glob("private/games/*/journal")).joinpath("0007.json").unlink()
    return texts


def command(capsys, status, *arguments):
    """Run a command; return the output of both streams."""
    assert run([str(each) for each in arguments]) == status
    said = capsys.readouterr()
    assert "Traceback" not in said.err
    return said.out, said.err


def test_a_mail_saved_right_into_the_game_folder_was_not_processed_before(capsys, game, before):
    """Bug: the command reported message 7 as already processed, although the player had seen no report."""
    (game / "0007.yaml").write_bytes(before[7])
    out, _err = command(capsys, 0, "inbox", "--report", game / "0007.yaml")
    assert out.startswith("message 7 was in the game's folder already\n")
    assert "Report of message 7" in out
    assert "report-0007.txt\n" in out
    (game / "0008.draft.yaml").unlink()
    assert command(capsys, 0, "inbox", "--report", game / "0007.yaml")[0].startswith("message 7 was processed before\n")
    again = command(capsys, 0, "inbox", "--report", game / "0007.yaml")[0]
    assert again.startswith("message 7 was processed before; nothing changed\n")


def test_T27_a_mail_that_is_too_big_is_refused_unread(capsys, german):
    mail = german / "inbox" / "mbox"
    with mail.open("wb") as file:
        file.truncate(1 << 30)  # a gibibyte of zero bytes
    tracemalloc.start()
    assert f"{mail}: the file has more than 32 MiB" in command(capsys, 2, "inbox", "--report", mail)[1]
    _held, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert most < 64 << 20


def test_a_turn_file_needs_nothing_of_this(capsys, game, monkeypatch):
    """Opening a turn file costs as little as before: the search in mails is not loaded."""
    monkeypatch.setitem(sys.modules, "kursk_pbem.trust.mailtext", None)
    assert "the signature holds" in command(capsys, 0, "verify", game / "0004.yaml")[0]
    assert "was processed before" in command(capsys, 0, "inbox", "--report", game / "0004.yaml")[0]
    assert folders.read_message(game / "0004.yaml").seq == 4


def test_a_mailbox_is_taken_in_the_order_of_the_game(before, game, tmp_path, capsys):
    """Newest first, with an empty mail: the command skips known messages and takes the due messages."""
    box = tmp_path / "box.mbox"
    mails = (before[7], before[5], b"Nothing new.\n", before[0])
    box.write_bytes(b"\n".join(b"From boris@example.org Mon Jul  5 03:00:00 1943\n\n" + each for each in mails))
    out, _err = command(capsys, 0, "inbox", "--report", box)
    assert out.index("message 0 was processed before") < out.index("message 5 was") < out.index("Report of message 7")
    assert "Report of message 5" not in out
    assert (game / "0007.yaml").read_bytes() == before[7]
    assert (game / "0008.draft.yaml").is_file()


def test_turns_of_two_games_are_listed_and_none_is_taken(before, game, tmp_path, capsys):
    other = (Path(__file__).parents[1] / "vectors" / "sample-players" / "0004.yaml").read_bytes()
    path = tmp_path / "two.txt"
    path.write_bytes(before[7] + b"\n\n" + other)
    assert "different" in command(capsys, 2, "inbox", "--report", path)[1]
    assert not (game / "0007.yaml").exists()
