"""Two processes that do the same at the same moment, for tests of the journal. Alone, so that both can import it."""

import multiprocessing
import os

from kursk_pbem.cli import run
from kursk_pbem.desk import desks, play
from kursk_pbem.desk.draft import drafts
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
    """Sign one's own version of the draft, at the same moment as the other process."""
    desk = desks.sit(folder, home)
    path = folder / f"{who}.yaml"
    checked = drafts.check(desk, drafts.read(desk, path.read_bytes(), str(path)))
    barrier.wait(timeout=60)
    try:
        results.put((who, play.sign(desk, checked, None).last.id))
    except (TrustError, UsageError) as error:
        results.put((who, f"refused: {error}"))


def take_the_letter(folder, home, who, barrier, results):
    """Take one letter by the command, at the same moment as the other process."""
    os.environ["KURSK_HOME"] = str(home)
    barrier.wait(timeout=60)
    results.put((who, run(["adjudicate", str(folder), "-q"])))


def together(target, *arguments):
    """Run a function in two processes at once; what each puts into the queue."""
    context = multiprocessing.get_context("spawn")
    barrier, results = context.Barrier(2), context.Queue()
    workers = [context.Process(target=target, args=(*arguments, who, barrier, results)) for who in "ab"]
    for worker in workers:
        worker.start()
    found = dict(results.get(timeout=60) for _ in workers)
    for worker in workers:
        worker.join(timeout=60)
        assert worker.exitcode == 0
    return found
