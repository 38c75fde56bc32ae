"""Several programs change the same private files at once: acknowledged changes are never lost.

A lock between processes protects reading, comparing and writing (decision 48).
"""

import errno
import shutil
import stat
import subprocess
import sys
import threading
import time
from contextlib import contextmanager

import pytest
from board.seats import Client, Seat
from helpers import sweeps

from kursk_pbem.desk.draft import drafts, ordering
from kursk_pbem.desk.ground import locks
from kursk_pbem.desk.turn import play
from kursk_pbem.errors import UsageError
from kursk_pbem.game import folders

KURSK = "from kursk_pbem.cli import main; main()"
MOVES = ("g-2-ss 1716", "g-24-pz 2219", "g-48-pz 1915")


@pytest.fixture
def german(demo_folder, tmp_path):
    """Return the German place at the end of the demonstration, before message 8."""
    shutil.copytree(demo_folder, tmp_path / "demo")
    return Seat("german", tmp_path / "demo" / "german")


def at_once(*works):
    """Run functions in threads that begin together."""
    barrier = threading.Barrier(len(works))

    def begin(work):
        barrier.wait(30)
        work()

    threads = [threading.Thread(target=begin, args=(work,)) for work in works]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(120)


def slow_to_write(monkeypatch):
    """Make writing slow, as on a slow disk."""
    write = folders.write

    def slowly(path, *args, **more):
        time.sleep(0.1)
        return write(path, *args, **more)

    monkeypatch.setattr(folders, "write", slowly)


def test_of_two_orders_written_in_one_moment_each_is_in_the_draft_or_refused(german, monkeypatch):
    before = german.draft().read_bytes()
    sheets = [ordering.open_draft(german.sit()) for _ in MOVES]
    slow_to_write(monkeypatch)
    written, refused = [], []

    def give(sheet, words):
        try:
            ordering.write_orders(sheet, [["move", *words.split()]])
            written.append(words.split()[0])
        except UsageError as error:
            refused.append(str(error))

    at_once(*(lambda sheet=sheet, words=words: give(sheet, words) for sheet, words in zip(sheets, MOVES, strict=True)))
    text = german.draft().read_text()
    assert [unit for unit in written if f"unit: {unit}" not in text] == []
    assert len(written) == 1
    assert all("another program has changed" in each for each in refused)
    ordering.undo_command(ordering.open_draft(german.sit()))
    assert german.draft().read_bytes() == before


HOLDS = """
import sys, time
from pathlib import Path
from kursk_pbem.desk.ground import locks
with locks.hold_lock(Path(sys.argv[1])):
    print("held", flush=True)
    time.sleep(60)
"""


@contextmanager
def another_program_writes(record):
    """Run a process that holds the lock of a private record until killed."""
    command = [sys.executable, "-c", HOLDS, str(record)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout.readline() == "held\n"
        try:
            yield process
        finally:
            process.kill()


def test_a_program_that_hangs_stops_nobody_for_good_and_a_killed_one_nobody_at_all(german, monkeypatch):
    before, record = german.draft().read_bytes(), german.sit().own.path
    monkeypatch.setattr(locks, "WAIT", 0.3)
    with another_program_writes(record) as process:
        sheet = ordering.open_draft(german.sit())
        with pytest.raises(UsageError) as refused:
            ordering.write_orders(sheet, [["move", *MOVES[0].split()]])
        for words in (f"process {process.pid}", "nothing was written", "end it", str(record)):
            assert words in str(refused.value)
        assert german.draft().read_bytes() == before
        process.kill()  # -9: no cleanup
        process.wait(30)
        ordering.write_orders(sheet, [["move", *MOVES[0].split()]])
    assert b"unit: g-2-ss" in german.draft().read_bytes()
    assert (record / locks.NAME).read_bytes() == b""
    assert stat.S_IMODE((record / locks.NAME).stat().st_mode) == 0o600


@pytest.mark.skipif(sys.platform == "win32", reason="as on a file system of another kind")
def test_where_a_file_system_knows_no_locks_a_player_can_still_order(german, monkeypatch):
    def unknown(_handle, _how):
        raise OSError(errno.ENOLCK, "No locks available")

    monkeypatch.setattr(locks.fcntl, "flock", unknown)
    ordering.write_orders(ordering.open_draft(german.sit()), [["move", *MOVES[0].split()]])
    assert b"unit: g-2-ss" in german.draft().read_bytes()


def test_a_draft_that_was_ordered_into_since_it_was_shown_is_not_signed(german):
    desk = german.sit()
    path = german.draft()
    checked = drafts.check_draft(desk, drafts.read_draft(desk, path.read_bytes(), str(path)))
    ordering.write_orders(ordering.open_draft(desk), [["move", *MOVES[0].split()]])
    ordered = path.read_bytes()
    with pytest.raises(UsageError, match="nothing was signed"):
        play.sign_message(desk, checked, None)
    assert path.read_bytes() == ordered
    assert desk.own.read_slot(8) is None
    assert not folders.message_path(german.folder, 8).exists()


@pytest.mark.long
@pytest.mark.parametrize("rounds", sweeps.sizes(3, 30))
def test_two_boards_and_a_terminal_lose_no_order_that_they_acknowledged(german, monkeypatch, rounds):
    boards = [Client(german, port).enter() for port in (5000, 5001)]
    fresh = german.draft().read_bytes()
    given = refused = 0
    for number in range(rounds):
        german.draft().write_bytes(fresh)
        stamps = [board.stamp() for board in boards]
        said = {}

        def click(board, stamp, words, said=said):
            said[words.split()[0]] = board.order(f"move {words}", stamp).status_code == 200

        def typed(words, said=said):
            command = [sys.executable, "-c", KURSK, "order", str(german.folder), "move", *words.split()]
            environ = {"KURSK_HOME": str(german.home), "PATH": "/usr/bin:/bin"}
            done = subprocess.run(command, env=environ, capture_output=True, text=True, check=False)
            assert done.returncode in (0, 1, 2), done.stderr  # 1: written, and illegal
            said[words.split()[0]] = done.returncode != 2

        works = [
            lambda board=board, stamp=stamp, words=words: click(board, stamp, words)
            for board, stamp, words in zip(boards, stamps, MOVES, strict=False)
        ]
        if number % 3 == 0:
            works.append(lambda: typed(MOVES[2]))
        at_once(*works)
        text = german.draft().read_text()
        lost = [unit for unit, written in said.items() if written and f"unit: {unit}" not in text]
        assert not lost, f"round {number}: acknowledged and not in the draft: {lost}"
        assert any(said.values())
        given += sum(said.values())
        refused += len(said) - sum(said.values())
    assert given >= rounds
    assert refused > 0
