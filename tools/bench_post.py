"""Benchmark rows for post: a referee's round over a mailbox of 10,000 mails, with turns of 50 games.

The floor is the same mailbox without turns. The difference is the cost of the turns.
"""

from __future__ import annotations

import shutil
import sys
import time
from importlib import import_module
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT), str(ROOT / "tests")]

GAMES, MAILS, LONGEST = 50, 10_000, 9


class Patch:
    """A minimal monkeypatch without undo, to plug in the toy rulesets."""

    def setitem(self, where, key, value):
        where[key] = value

    def setattr(self, where, name, value):
        setattr(where, name, value)

    def setenv(self, name, value):
        import os

        os.environ[name] = value


class Round:
    """Games of equal length between two players, and a mailbox of unread mails."""

    def __init__(self, folder: Path, patch: Any, games: int = GAMES, mails: int = MAILS) -> None:
        from helpers import postal
        from helpers.mailbags import foreign, long_game

        from kursk_pbem.game import entropy

        import_module("rulesets.toys").plug(patch)
        with entropy.fix_random_bytes("bench of post"):
            self.anna, self.boris, self.ref = postal.make_friends(folder, "anna", "boris", "ref")
            self.games = [long_game(self.anna, self.boris, LONGEST) for _number in range(games)]
        self.foreign = [foreign(number) for number in range(min(mails, 200))]
        self.mails, self.folder = mails, folder

    def fill_maildir(self, each: int) -> Path:
        """Fill a mailbox with ``each`` messages of every game; return the path."""
        from helpers.mailbags import letter, turn

        path = self.folder / "maildir"
        shutil.rmtree(path, ignore_errors=True)
        for sub in ("cur", "new", "tmp"):
            (path / sub).mkdir(parents=True)
        ours = [letter(turn(self.anna, game, seq)) for seq in range(1, each + 1) for game in self.games]
        step = max(1, self.mails // max(1, len(ours)))
        left = iter(ours)
        for number in range(self.mails):
            raw = next(left, None) if number % step == 0 else None
            (path / "new" / f"{number}.bench").write_bytes(raw or self.foreign[number % len(self.foreign)])
        assert next(left, None) is None
        return path

    def time_round(self, each: int) -> float:
        """Return the seconds to file the mails at a desk that knows only the proposals."""
        from helpers.mailbags import taken, turn

        path = self.fill_maildir(each)
        shutil.rmtree(self.ref.home, ignore_errors=True)
        for game in self.games:
            shutil.rmtree(self.ref.folder(game), ignore_errors=True)
            self.ref.folder(game).mkdir()
            (self.ref.folder(game) / "0000.yaml").write_bytes(turn(self.anna, game, 0))
        began = time.process_time()
        day = taken(self.ref, path)
        took = time.process_time() - began
        assert sum(len(game.outcomes) for game in day.games) == each * len(self.games)
        assert day.status == (0 if each else 2)  # a mailbox without a turn
        return took


def print_rows(folder: Path) -> None:
    """Print the rows."""
    from helpers.measure import head, row

    bench = Round(folder / "post", Patch())
    bench.time_round(1)  # fill caches first
    empty = bench.time_round(0) * 1000
    head(f"inbox: {MAILS} mails, {GAMES} games", f"none of them ours, {empty:.0f} ms, {empty / MAILS:.2f} ms a mail")
    before = 0.0
    for each in (2, 4, 8):
        took = bench.time_round(each) * 1000
        more = took - empty
        name = f"{each * GAMES} of ours, {more / each / GAMES:.1f} ms a turn of at most 60"
        row(name, took, empty, f"{more / before:.2f} x of at most 2.2 for the turns" if before else "")
        before = more


if __name__ == "__main__":
    import tempfile

    with tempfile.TemporaryDirectory() as place:
        print_rows(Path(place))
