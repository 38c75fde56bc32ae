"""A mail dropped on an open board, with the report and the page that follow: ``make bench`` ends with it.

    python tools/bench_board.py [RULESET] [--message 100] [--rounds 5]

A random game of the largest scenario is played up to that message, or to its end. Before each round the player's place
is as it was before the mail came, and the game stands open in the browser, which is Flask's client in this process. A
figure is milliseconds of CPU of the server: the drop, and the page of the game after it; wall time stands beside it.
"""

from __future__ import annotations

import argparse
import random
import shutil
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT), str(ROOT / "tests")]

TARGET = 300
"""Milliseconds."""


def play_until(kit: Any, folder: Path, seq: int) -> tuple[Path, str, bytes, int]:
    """Of a random game: the place of who takes the last message as it was before, their side, the mail, its number."""
    from helpers.signed_play import Table

    from kursk_pbem.desk import desks
    from kursk_pbem.game import entropy, folders
    from kursk_pbem.kernel.state import OVER

    with entropy.fix_random_bytes(f"bench {kit.id}"):
        table = Table(folder / kit.id, kit.scenarios[-1]).begin()
        mind, before = kit.chooser(table.game.setting, random.Random(seq)), folder / f"{kit.id}-before"
        while True:
            writer, last = table.due, table.game.chain.next_seq
            taker = table.players[table.other(writer.side)]
            state = desks.preview_duties(writer.desk, writer.desk.record_of_writer()).middle
            shutil.rmtree(before, ignore_errors=True)  # a game may end with any message
            shutil.copytree(taker.place, before)
            table.turn({} if state.stage == OVER else mind.content(state, writer.desk.seq))
            if last >= seq or table.game.over:
                return before, taker.side, folders.read_bytes(folders.message_path(writer.folder, last)), last


def time_drop(place: Path, side: str, mail: bytes, work: Path) -> tuple[float, float]:
    """CPU and wall of one drop and the page after it, on a copy of the place."""
    from board.seats import Client, Seat

    shutil.rmtree(work, ignore_errors=True)
    shutil.copytree(place, work)
    client = Client(Seat(side, work)).enter()
    page = client.at()
    assert client.get(page).status_code == 200
    cpu, wall = time.process_time(), time.perf_counter()
    taken = client.drop(mail)
    shown = client.get(page)
    took = (time.process_time() - cpu) * 1000, (time.perf_counter() - wall) * 1000
    assert taken.status_code == shown.status_code == 200
    return took


def main() -> int:
    """Print the table; status 1 where a target is missed."""
    from helpers import registry

    parser = argparse.ArgumentParser(description="What a mail costs that is dropped on a board.")
    parser.add_argument("ruleset", nargs="?", default="all")
    parser.add_argument("--message", type=int, default=100)
    parser.add_argument("--rounds", type=int, default=5)
    asked = parser.parse_args()
    print("\n| a mail dropped on the board, with report and page | CPU, minimum | median | wall | target | |")
    print("| --- | ---: | ---: | ---: | ---: | --- |")
    missed = 0
    with tempfile.TemporaryDirectory() as name:
        for kit in registry.kits(asked.ruleset):
            place, side, mail, seq = play_until(kit, Path(name), asked.message)
            took = sorted(time_drop(place, side, mail, Path(name) / "work") for _round in range(asked.rounds))
            least, middle, wall = took[0][0], took[len(took) // 2][0], min(each[1] for each in took)
            missed += least > TARGET
            met = "met" if least <= TARGET else "MISSED"
            print(f"| {kit.id}, message {seq} | {least:.0f} | {middle:.0f} | {wall:.0f} | {TARGET} ms | {met} |")
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
