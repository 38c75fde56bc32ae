"""The target ``rules``: a ruleset's answers in random positions, compared with slow and simple calculations."""

from __future__ import annotations

import sys
import time
import traceback
from collections.abc import Callable

from helpers.registry import Kit

SHOWN = 5


def compare_rules(kit: Kit, seconds: float, positions: int, first: int, progress: Callable[[str], None]) -> bool:
    """Compare the answers in ``positions`` positions, or for ``seconds``; return whether the answers are equal.

    ``first``: seed of the first position.
    """
    if kit.compare is None:
        print(f"{kit.id}, rules: there is no second reckoning of them")
        return True
    began, seed, answers = time.monotonic(), first, 0
    wrong: list[int] = []
    while seed < first + positions if positions else time.monotonic() - began < seconds:
        if seed % 20 == 0:
            progress(f"{kit.id}: position {seed}, {answers} answers, {time.monotonic() - began:.0f} s")
        try:
            answers += kit.compare(seed)
        except Exception:  # noqa: BLE001  whatever it is, the position is named
            wrong.append(seed)
            if len(wrong) <= SHOWN:
                progress("")
                traceback.print_exc()
                print(f"{kit.id}: the position of seed {seed} has two answers", file=sys.stderr)
        seed += 1
    progress("")
    told = f"seeds {', '.join(map(str, wrong))} differ" if wrong else "none differs"
    print(f"{kit.id}, rules: {seed - first} positions, {answers} answers compared, {told}, seeds {first} to {seed - 1}")
    return not wrong
