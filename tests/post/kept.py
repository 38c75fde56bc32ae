"""Worlds at the start of many tests: built only once, and restored for each test.

The files are always in the same place, because desks remember the places of their games.
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
    """The result of ``build(root, time)``; ``chance``: its seed."""

    def __init__(self, root: Path, build: Callable[[Path, Time], Any], time: Time, chance: str):
        self.root, self.copy = root, root.with_name(f"{root.name}-kept")
        with entropy.fix_random_bytes(chance):
            self.world = build(root, time)
        shutil.copytree(root, self.copy)

    @contextmanager
    def again(self, time: Time) -> Iterator[Any]:
        """Yield the world at its original time; ``time`` replaces its clock, and new random keys follow."""
        shutil.rmtree(self.root)
        shutil.copytree(self.copy, self.root)
        events._load_book.cache_clear()  # the cache checks only the number of papers
        time.now = self.world.time.now
        with entropy.fix_random_bytes("afterwards"):
            yield copy.deepcopy(self.world, {id(self.world.time): time})
