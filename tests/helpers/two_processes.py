"""Two processes that act at the same moment, for tests of the journal; both import this module."""

import multiprocessing
import os
import sys
from functools import cache
from multiprocessing import forkserver

import pytest

from kursk_pbem.cli import run
from kursk_pbem.desk.draft import drafts
from kursk_pbem.desk.own import desks
from kursk_pbem.desk.turn import play
from kursk_pbem.errors import TrustError, UsageError
from kursk_pbem.game import journal
from kursk_pbem.game.journal import SIGNED, Slot

GAME = "ab" * 32
SLOTS = 60


def fresh_record(home):
    key, folder = str(home / "me"), str(home / "game")
    return journal.create(home, {"game": GAME, "side": "german", "key": key, "folder": folder}, b"\1" * 32)


def fill_slots(home, who, barrier, results):
    own = journal.find(home, GAME)
    held = []
    for seq in range(SLOTS):
        if seq % 10 == 0:
            barrier.wait(timeout=60)
        held.append(own.enter(Slot(seq, SIGNED, f"{who}{seq:063d}", f"text of {who}\n" * 400)).id)
    results.put((who, held))


def sign_the_draft(folder, home, who, barrier, results):
    """Sign a process's own version of the draft, at the same moment as the other process."""
    desk = desks.open_desk(folder, home)
    path = folder / f"{who}.yaml"
    checked = drafts.check_draft(desk, drafts.read_draft(desk, path.read_bytes(), str(path)))
    barrier.wait(timeout=60)
    try:
        results.put((who, play.sign_message(desk, checked, None).last.id))
    except (TrustError, UsageError) as error:
        results.put((who, f"refused: {error}"))


def take_the_letter(folder, home, who, barrier, results):
    """Take a common letter by the command, at the same moment as the other process."""
    os.environ["KURSK_HOME"] = str(home)
    barrier.wait(timeout=60)
    results.put((who, run(["inbox", "--report", str(folder), "-q"])))


def take_own_letter(folder, home, who, barrier, results):
    """Take a different letter in each process, at the same moment."""
    take_the_letter(folder / f"{who}.yaml", home, who, barrier, results)


@cache
def _make_context():
    """Return the process context: a fork server that has loaded the program, or spawn."""
    if "forkserver" not in multiprocessing.get_all_start_methods():
        return multiprocessing.get_context("spawn")
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload([__name__])
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PYTHONPATH", os.pathsep.join(sys.path))  # the fork server looks for modules in these folders, too
        forkserver.ensure_running()
    return context


def run_together(target, *arguments):
    """Run a function of this module in two processes at once; return their results."""
    context = _make_context()
    barrier, results = context.Barrier(2), context.Queue()
    workers = [context.Process(target=target, args=(*arguments, who, barrier, results)) for who in "ab"]
    for worker in workers:
        worker.start()
    found = dict(results.get(timeout=60) for _ in workers)
    for worker in workers:
        worker.join(timeout=60)
        assert worker.exitcode == 0
    return found
