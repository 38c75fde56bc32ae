"""The costs of a mail dropped on an open board, with report and page. ``make bench`` ends with this table.

    python tools/bench_board.py [RULESET] [--message 100] [--rounds 5]

The tool plays a random game of the largest scenario up to the message, or to the end of the game. Before each round,
the tool restores the player's folder from before the mail, and opens the game with Flask's test client. A figure is
the server's CPU time in milliseconds: the drop, and the next page of the game. Wall time is in the last column.
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
"""Limit in milliseconds."""


def play_until(kit: Any, folder: Path, seq: int) -> tuple[Path, str, bytes, int]:
    """Play a random game up to message ``seq``.

    Return the receiver's folder before the last message, the receiver's side, the mail and the number of the message.
    """
    from helpers.signed_play import Table

    from kursk_pbem.desk.own import desks
    from kursk_pbem.game import entropy, folders
    from kursk_pbem.kernel.state import OVER

    with entropy.fix_random_bytes(f"bench {kit.id}"):
        table = Table(folder / kit.id, kit.scenarios[-1]).begin()
        mind, before = kit.chooser(table.game.setting, random.Random(seq)), folder / f"{kit.id}-before"
        while True:
            writer, last = table.due, table.game.chain.next_seq
            taker = table.players[table.other(writer.side)]
            state = desks.preview_duties(writer.desk, writer.desk.record_of_writer()).middle
            shutil.rmtree(before, ignore_errors=True)  # any message may end the game
            shutil.copytree(taker.place, before)
            table.turn({} if state.stage == OVER else mind.content(state, writer.desk.seq))
            if last >= seq or table.game.over:
                return before, taker.side, folders.read_bytes(folders.message_path(writer.folder, last)), last


def time_drop(place: Path, side: str, mail: bytes, work: Path) -> tuple[float, float]:
    """Return CPU and wall time of one drop and the next page, measured on a copy of the folder."""
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
    """Print the table; return 1 if a row misses its target."""
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
