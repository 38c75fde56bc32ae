"""Tests that find mutants of the rules: a plugin of pytest runs them for each mutant in a process of its own."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from tempfile import TemporaryDirectory

import pytest
from _pytest.runner import runtestprotocol
from hypothesis import Phase, settings

from helpers import mutants
from helpers.mutants import Mutant

Found = Callable[[Mutant, str], None]


class Killers:
    """The plugin: run for each mutant the tests that reach its lines, the fastest first."""

    def __init__(self, system: str, survivors: Sequence[Mutant], found: Found) -> None:
        self.system, self.survivors, self.found = system, survivors, found

    def pytest_collection(self) -> None:
        """Leave out the search for a smaller failing example."""
        phases = [Phase.explicit, Phase.generate]
        settings.register_profile("mutants", settings.get_profile("quick"), phases=phases)
        settings.load_profile("mutants")

    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        """Run the tests once as they are, then for each mutant; tests that fail without a mutant do not count."""
        mutants.load_rules(self.system)
        seen = mutants.ask_forked(20 * mutants.SECONDS, lambda: dict(self.watch_items(session.items)))
        sure = sorted((item for item in session.items if item.nodeid in seen), key=lambda item: seen[item.nodeid][0])
        for mutant in self.survivors:
            mine = [item for item in sure if mutant.is_met(seen[item.nodeid][1])]
            usual = sum(seen[item.nodeid][0] for item in mine)
            self.found(mutant, find_test(mutant, mine, mutants.SECONDS + int(usual)))
        return True

    def watch_items(self, items: Sequence[pytest.Item]) -> Iterator[tuple[str, tuple[float, list[str]]]]:
        """Yield the id, the seconds and the lines of each test that passes."""
        _silence()
        for number, item in enumerate(items):
            start = time.process_time()
            failed, met = mutants.watch_lines(self.system, partial(run_item, items, number))
            if not failed:
                yield item.nodeid, (time.process_time() - start, met)


def run_item(items: Sequence[pytest.Item], number: int) -> bool:
    """Return whether a test of a list fails; the tests run in the order of the list."""
    following = items[number + 1] if number + 1 < len(items) else None
    return any(report.failed for report in runtestprotocol(items[number], log=False, nextitem=following))


def find_test(mutant: Mutant, items: Sequence[pytest.Item], seconds: int) -> str:
    """Return the first test that finds a mutant in so many CPU seconds, or ''."""

    def run() -> str:
        _silence()
        failing = (item.nodeid for number, item in enumerate(items) if run_item(items, number))
        return mutants.apply_mutant(mutant) or next(failing, "")

    answer = mutants.ask_forked(seconds, run) if items else ""
    return mutants.NO_ANSWER if answer is None else str(answer)


def _silence() -> None:
    """Drop what tests print in this process."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    for stream in (1, 2):
        os.dup2(nowhere, stream)


def run_tests(system: str, survivors: Sequence[Mutant], found: Found) -> None:
    """Tell for each mutant the first test of its system that finds the mutant, or ''.

    Tests of the practice opponent's ideas are left out: they run every rule, and protect none.
    """
    place = mutants.ROOT / "tests" / "rulesets" / system.replace("-", "_")
    with TemporaryDirectory() as folder:
        options = f"-q -n 0 --assert=plain -p no:cacheprovider --basetemp={folder}/tests".split()
        which = ["-m", "not long", "--ignore-glob=*test_ideas.py", str(place)]
        pytest.main([*options, *which], plugins=[Killers(system, survivors, found)])
