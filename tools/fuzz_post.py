"""The target ``post``: random walks of mails and time around a referee's mailbox, and what has to be true after each.

An input is a seed. helpers/walk_steps.py makes mails, damage, forgery, silence and wrong clocks of it; the mailbox that
runs in this process is judged by helpers/walk_oracle.py, which was written from docs/auditors.md 2.10 and 2.12. A third
of the worlds have to reach an end by itself, or the walk shows nothing.
"""

from __future__ import annotations

import json
import os
import random
import shutil
import tempfile
import traceback
from collections import Counter
from collections.abc import Sequence
from datetime import timedelta
from pathlib import Path

import pytest
from fuzzing import Watch, Wrong
from helpers import remembered
from helpers.walk_events import MILD
from helpers.walk_oracle import Oracle
from helpers.walk_steps import WILD, Walk
from helpers.walk_world import Clock
from rulesets import toys

from kursk_pbem.game import entropy

SHOWN = 3


class Post:
    """Walks; ``figures`` says how much of what there was in all of them, ``held`` why games waited for the director.

    ``steps``: how many each has, and ``only``: what goes wrong in them, where that is not drawn, too.
    """

    name, suffix = "post", ".json"

    def __init__(self, steps: int = 0, only: Sequence[str] = ()) -> None:
        self.steps, self.only = steps, only
        self.figures, self.held = Counter[str](), Counter[str]()

    def make(self, rng: random.Random) -> bytes:
        """The seed of a walk, and its length."""
        walk = {"seed": rng.randrange(1 << 32), "steps": self.steps or rng.randrange(25, 70), "only": [*self.only]}
        return json.dumps(walk).encode("ascii")

    def judge(self, raw: bytes, watch: Watch) -> str:
        """Walk; Wrong with what the oracle found. It forks, waits and writes, so nothing is watched."""
        del watch
        said = json.loads(raw)
        root = Path(tempfile.mkdtemp(prefix="walk"))
        try:
            with pytest.MonkeyPatch.context() as patch, entropy.fixed(f"walk {said['seed']}"):
                patch.delenv("KURSK_KEY", raising=False)
                patch.setattr(os, "fsync", lambda _file: None)
                toys.plug(patch)
                remembered.watch(patch)
                return self._walk(root, Clock().set(patch), random.Random(said["seed"]), said["steps"], said["only"])
        finally:
            shutil.rmtree(root, ignore_errors=True)

    def _walk(self, root: Path, clock: Clock, dice: random.Random, steps: int, only: Sequence[str]) -> str:
        """Steps, then a few turns in peace, then silence; what came of it, in a word or two."""
        number = dice.choice((0, 1, 2, 3, 5, 9, len(WILD)))
        wild = [*only] or dice.sample(WILD, number)
        walk = Walk(
            root,
            clock,
            dice,
            [*MILD, *wild * (4 if len(wild) < 5 else 1)],
            games=1 if only else dice.choice((1, 1, 2, 3)),
            people=dice.randrange(2, 5),
            days=dice.choice((2, 3, 7)),
            grace=dice.choice((0, 12, 24)),
            automatic=bool(only) or dice.random() < 0.85,
        )
        oracle = Oracle(walk)
        self.figures["worlds"] += 1
        try:
            for _step in range(steps):
                goes(walk)
            in_peace(walk)
            few = [*only] or dice.sample(WILD, dice.choice((0, 0, 1, 1, 2)))
            walk.may = walk.fates = [*MILD, *few * 8]
            in_silence(walk, oracle)
            at_rest(walk)
            oracle.finish()
        except Exception as error:
            raise Wrong(f"{error!r} came out of a round\n{traceback.format_exc()}\n{oracle.faults}") from error
        finally:
            self._count(walk, oracle)
        if oracle.faults:
            raise Wrong("\n".join(oracle.faults[:SHOWN]))
        held = any(walk.ref.errand.chair.pending())
        return "ended by itself" if oracle.ended else "held" if held else "nothing"

    def _count(self, walk: Walk, oracle: Oracle) -> None:
        self.figures.update(walk.figures)
        self.figures.update(oracle.counts)
        self.figures["worlds that end by themselves"] += bool(oracle.ended)
        for line in walk.ref.errand.chair.pending():
            why = line.partition(" was due ")[2].partition(" (")[2].partition(")")[0]
            if why:
                self.held[" ".join(why.split()[:6])] += 1

    @property
    def line(self) -> str:
        """The figures."""
        shown = ("worlds", "rounds", "mails", "signed", "receipts", "killed", "damaged and told", "answers")
        told = ", ".join(f"{name} {self.figures[name]}" for name in shown)
        ended = f"{self.figures['ended by themselves']} in {self.figures['worlds that end by themselves']} worlds"
        held = "; ".join(f"{why} {number}" for why, number in self.held.most_common(12))
        return f"  {told}; games that ended by themselves: {ended}; held: {held}"


def goes(walk: Walk) -> None:
    """One step, and perhaps a round."""
    walk.step()
    if walk.dice.random() < 0.5:
        walk.looks()


def waits(walk: Walk, hours: int) -> None:
    """Time passes, and the mailbox is looked through."""
    walk.rests(hours=hours)
    walk.looks()


def in_peace(walk: Walk) -> None:
    """All that was taken away is put right, and a few turns are played."""
    walk.put_right()
    walk.limit += 5
    for _turn in range(4 + 3 * len(walk.tables)):
        for player in walk.players:
            walk.reads(player, plays=walk.dice.random() < 0.8)
        waits(walk, walk.dice.randrange(1, 9))


def in_silence(walk: Walk, oracle: Oracle) -> None:
    """Nobody plays any more, until all terms are over; then nothing happens, until all could have ended."""
    walk.limit = 0
    over = walk.time.now + timedelta(days=walk.days) + walk.grace
    for often, until in ((0.4, over), (0.2, over + timedelta(days=3)), (0.0, over + timedelta(days=8))):
        while walk.time.now < until and len(oracle.ended) < len(walk.tables):
            waits(walk, walk.dice.randrange(3, 11))
            if walk.dice.random() < often:
                goes(walk)


def at_rest(walk: Walk) -> None:
    """All folders are there, the clock is right, and everything that is on its way has come."""
    walk.put_right()
    for _round in range(3):
        walk.rests(hours=20)
        walk.round()
