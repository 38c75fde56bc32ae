"""What all tests stand on: the demonstration is played once, chance is the same."""

import gc
import sys
from collections import Counter
from pathlib import Path

import pytest
from helpers import printed, remembered, unsynced
from helpers.demo_game import play_demo
from hypothesis import settings

from kursk_pbem.game import entropy

try:
    import fcntl
except ImportError:  # Windows: every worker compiles everything
    fcntl = None

pytest_plugins = ["rulesets.battle_for_kursk.tables"]

# The same examples in every run; `make fuzz` draws others, and for longer.
settings.register_profile("tests", deadline=None, database=None, derandomize=True)
settings.register_profile("quick", settings.get_profile("tests"), max_examples=25)
settings.load_profile("tests")

ROOT = Path(__file__).parent
MANY_DESKS = ("board", "cli", "desk", "post", "tournament")
"""Folders of tests in which the desks of several people, all in one process, read the same papers."""


@pytest.fixture(scope="session")
def demo_folder(tmp_path_factory):
    """The folder of the demonstration. Only to be read."""
    return play_demo(tmp_path_factory.mktemp("demo") / "played")


@pytest.fixture(scope="session")
def demo(demo_folder):
    """The same; tests/trust takes its mails for it."""
    return demo_folder


def pytest_addoption(parser):
    parser.addoption("--part", type=int, default=1, help="run every PART-th long case of a test, from its first on")


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config, items):
    """Mark tests with a browser, and long cases by ``some``; leave out long cases as ``--part`` says (decision 83)."""
    cases, long_cases, out = Counter(), Counter(), []
    for item in items:
        if "browser" in item.fixturenames:
            item.add_marker("browser")
        test = item.nodeid.partition("[")[0]
        some, long = item.get_closest_marker("some"), item.get_closest_marker("long")
        if some and not long:
            if cases[test] % some.args[0]:
                item.add_marker("long")
            cases[test] += 1
        if long := item.get_closest_marker("long"):
            if long_cases[test] % config.option.part or (long.args and config.option.part > 1):
                out.append(item)
            long_cases[test] += 1
    if out:
        left = {*out}
        items[:] = [item for item in items if item not in left]
        config.hook.pytest_deselected(items=out)


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report(collector):
    """Of several workers one compiles a module and what it imports; the others wait, and read what that one kept."""
    if fcntl is None or sys.dont_write_bytecode or not isinstance(collector, pytest.Module):
        return (yield)
    with collector.path.open("rb") as file:
        fcntl.flock(file, fcntl.LOCK_EX)  # until it is closed
        return (yield)


def pytest_collection_finish():
    """Modules and cases stay until the end: what looks for garbage passes them over, and looks less often."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(20_000, 10, 20)


@pytest.fixture(autouse=True, scope="session")
def _printed_in_its_form():
    """What any command of any test tells as plain data has the form that is published."""
    with pytest.MonkeyPatch.context() as patch:
        printed.watch(patch)
        yield


@pytest.fixture(autouse=True, scope="session")
def _unsynced():
    """Every fifth second of the tests was spent waiting for the disk."""
    with pytest.MonkeyPatch.context() as patch:
        unsynced.watch(patch)
        yield


@pytest.fixture(autouse=True, scope="session")
def _nobody_at_home(tmp_path_factory):
    """Commands look for games in the private folder: never in that of whoever runs the tests."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("KURSK_HOME", str(tmp_path_factory.mktemp("home") / "private"))
        yield


@pytest.fixture(autouse=True, scope="module")
def _read_once(request):
    """Where there are many desks, equal bytes are read once; reader and signatures are tested in other folders."""
    with pytest.MonkeyPatch.context() as patch:
        if request.path.relative_to(ROOT).parts[0] in MANY_DESKS:
            remembered.watch(patch)
        yield


@pytest.fixture
def time(monkeypatch):
    """The time of day of a tournament by mail, in which people play the smallest toy; it passes as a test says."""
    from helpers.postmen import Time  # noqa: PLC0415  few tests have to do with mail
    from rulesets import toys  # noqa: PLC0415

    monkeypatch.delenv("KURSK_KEY", raising=False)
    toys.plug(monkeypatch)
    with entropy.fix_random_bytes("cup"):
        yield Time().set(monkeypatch)
