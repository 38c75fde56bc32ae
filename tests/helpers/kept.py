"""Worlds that many tests begin from: built once, and for each test put back as they were.

The files lie in the same place for every test, because desks remember where their games are.
"""

from __future__ import annotations

import copy
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from helpers.postmen import Time
from kursk_pbem.game import entropy
from kursk_pbem.post.mailbox import events


class Kept:
    """What ``build(root, time)`` gives; ``chance`` is its seed."""

    def __init__(self, root: Path, build: Callable[[Path, Time], Any], time: Time, chance: str):
        self.root, self.copy = root, root.with_name(f"{root.name}-kept")
        with entropy.fix_random_bytes(chance):
            self.world = build(root, time)
        shutil.copytree(root, self.copy)

    @contextmanager
    def again(self, time: Time) -> Iterator[Any]:
        """The world, as late as it was; ``time`` rules in it, and other chance: no key is drawn once more."""
        shutil.rmtree(self.root)
        shutil.copytree(self.copy, self.root)
        events._load_book.cache_clear()  # papers never change: it looks at their numbers alone
        time.now = self.world.time.now
        with entropy.fix_random_bytes("afterwards"):
            yield copy.deepcopy(self.world, {id(self.world.time): time})
