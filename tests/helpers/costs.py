"""Measure the CPU of each test function, for ``make costs``: all its cases, of all workers, with child processes.

``pytest --costs=FILE`` writes JSON: ``total`` and ``collection`` of all workers, and ``functions``, by name. Numbers
are seconds of CPU. A fixture of a wider scope than a function stands under its own name, because luck decides which
function meets it first.
"""

from __future__ import annotations

import json
import os
from collections import Counter
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

OUTPUT = "costs"


def read_cpu() -> float:
    """Return the seconds of CPU of this process and of its ended children."""
    return sum(os.times()[:4])


class Costs:
    """A plugin of pytest: the costs of this process and, under xdist, of the workers."""

    def __init__(self, file: Path | None) -> None:
        self.file = file
        self.functions: Counter[str] = Counter()
        self.collection = self.others = 0.0
        self.inner: list[float] = []

    @contextmanager
    def count(self, name: str) -> Iterator[None]:
        """Add the CPU of a block to a name, without the CPU of blocks inside the block."""
        before = read_cpu()
        self.inner.append(0.0)
        try:
            yield
        finally:
            spent = read_cpu() - before
            self.functions[name] += spent - self.inner.pop()
            if self.inner:
                self.inner[-1] += spent

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Generator[None, object, object]:
        with self.count(item.nodeid.partition("[")[0]):
            return (yield)

    @pytest.hookimpl(wrapper=True)
    def pytest_fixture_setup(self, fixturedef: Any, request: Any) -> Generator[None, object, object]:
        if fixturedef.scope == "function":
            return (yield)
        with self.count(f"fixture {fixturedef.argname} of {request.node.nodeid or 'all'}".partition("[")[0]):
            return (yield)

    def pytest_collection_finish(self) -> None:
        self.collection = read_cpu()

    def pytest_testnodedown(self, node: Any) -> None:
        """Add the costs of a worker of xdist."""
        told = getattr(node, "workeroutput", {}).get(OUTPUT)
        if told:
            self.collection += told["collection"]
            self.others += told["total"]
            self.functions.update(told["functions"])

    @pytest.hookimpl(trylast=True)
    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        own = sum(os.times()[:2]) if self.others else read_cpu()  # the children of the controller are the workers
        told = {"total": own + self.others, "collection": self.collection, "functions": dict(self.functions)}
        if hasattr(session.config, "workeroutput"):
            session.config.workeroutput[OUTPUT] = told
        elif self.file is not None:
            self.file.parent.mkdir(parents=True, exist_ok=True)
            self.file.write_text(json.dumps(told, indent=0, sort_keys=True) + "\n", encoding="utf-8")


def watch(config: pytest.Config) -> None:
    """Measure this run if the option ``--costs`` is given; a worker of xdist measures, too."""
    if config.option.costs is not None:
        config.pluginmanager.register(Costs(config.option.costs))
