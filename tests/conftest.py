"""Fixtures of all tests: the demonstration is played once, and randomness is fixed."""

import gc
import os
import sys
from collections import Counter
from functools import cache, partialmethod
from pathlib import Path

import pytest
from helpers import costs, opponents, printed, remembered, unsynced
from helpers.demo_game import play_demo
from hypothesis import settings
from hypothesis.internal.conjecture import providers

from kursk_pbem.game import entropy
from kursk_pbem.practice import levels, partner

try:
    import fcntl
except ImportError:  # Windows: every worker compiles all modules
    fcntl = None

pytest_plugins = ["rulesets.battle_for_kursk.tables"]

# Equal examples in every run; `make fuzz` draws other examples, and longer.
settings.register_profile("tests", deadline=None, database=None, derandomize=True)
settings.register_profile("quick", settings.get_profile("tests"), max_examples=25)
settings.load_profile("tests")
providers.is_local_module_file = lambda _path: False  # constants of loaded modules: they vary by run, and cost seconds

ROOT = Path(__file__).parent
MEMORY = Path("/dev/shm")  # noqa: S108  pytest makes a private folder in it
if sys.platform == "linux" and MEMORY.is_dir():
    room = os.statvfs(MEMORY)
    if room.f_bavail * room.f_frsize > 4 << 30 and not room.f_flag & os.ST_NOEXEC:
        os.environ.setdefault("PYTEST_DEBUG_TEMPROOT", str(MEMORY))  # making and removing folders on a disk waits
MANY_DESKS = ("agents", "board", "cli", "demo", "desk", "film", "post", "report", "tournament")
"""Folders of tests with the desks of several people in one process."""
VIEWED = ("agents", "board", "cli", "demo", "film", "report")
"""Folders of tests that look at equal positions again and again."""
SLOW = {
    *(*MANY_DESKS, "audit", "fuzz", "practice", "test_bench.py", "test_forecasts.py"),
    *("test_forms.py", "test_freshness_toy.py", "test_ideas.py", "test_leftovers.py", "test_outdated.py"),
    *("test_pictures.py", "test_second_referee.py", "test_so_far.py", "test_testing.py"),
}
"""Folders and files that make quick leaves out: the others take a minute of CPU."""


@pytest.fixture(scope="session")
def demo_folder(tmp_path_factory, request):
    """Play the demonstration once in a run; return its read-only folder."""
    if fcntl is None:
        return play_demo(tmp_path_factory.mktemp("demo") / "played")
    from helpers import shared  # noqa: PLC0415  needs fcntl

    return shared.make_once(tmp_path_factory, request.config, "demonstration", play_demo)


@pytest.fixture(scope="session")
def demo(demo_folder):
    """Return the demonstration; tests/trust replaces this fixture with the mails."""
    return demo_folder


def pytest_addoption(parser):
    parser.addoption("--part", type=int, default=1, help="of tests that are all long, run each PART-th case")
    parser.addoption("--costs", type=Path, help="write the CPU of each test function to this file (make costs)")


def pytest_configure(config):
    costs.watch(config)
    gc.disable()  # until all is collected


@cache
def is_slow(path):
    return not SLOW.isdisjoint(path.relative_to(ROOT).parts)


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config, items):
    """Mark tests with a browser, and long cases by ``some``. ``--part`` leaves out most."""
    cases, seen, short, out = Counter(), Counter(), set(), []
    for item in items:
        if "browser" in item.fixturenames:
            item.add_marker("browser")
        if is_slow(item.path):
            item.add_marker("slow")
        test = item.nodeid.partition("[")[0]
        some = item.get_closest_marker("some")
        if some and not item.get_closest_marker("long"):
            if cases[test] % some.args[0]:
                item.add_marker("long")
            cases[test] += 1
        if not item.get_closest_marker("long"):
            short.add(test)
    for item in items if config.option.part > 1 else ():
        test, long = item.nodeid.partition("[")[0], item.get_closest_marker("long")
        if long and (long.args or test in short or seen[test] % config.option.part):
            out.append(item)
        seen[test] += bool(long)
    if out:
        left = {*out}
        items[:] = [item for item in items if item not in left]
        config.hook.pytest_deselected(items=out)


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report(collector):
    """Let a single worker compile a module and its imports; the other workers wait and read the compiled files."""
    if fcntl is None or sys.dont_write_bytecode or not isinstance(collector, pytest.Module):
        return (yield)
    with collector.path.open("rb") as file:
        fcntl.flock(file, fcntl.LOCK_EX)  # until the file is closed
        return (yield)


def pytest_collection_finish():
    """Exempt modules and cases from garbage collection, and collect less often."""
    gc.freeze()
    gc.enable()
    gc.set_threshold(20_000, 10, 20)


@pytest.fixture(autouse=True, scope="session")
def _printed_in_its_form():
    """Check the plain data of every command against the published schema."""
    with pytest.MonkeyPatch.context() as patch:
        printed.watch(patch)
        yield


@pytest.fixture(autouse=True, scope="session")
def _unsynced():
    """Save the time of waiting for the disk, a fifth of the whole."""
    with pytest.MonkeyPatch.context() as patch:
        unsynced.watch(patch)
        yield
        unsynced.end()


@pytest.fixture(autouse=True, scope="session")
def _nobody_at_home(tmp_path_factory):
    """Keep commands away from the tester's private folder."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("KURSK_HOME", str(tmp_path_factory.mktemp("home") / "private"))
        patch.setenv("SSL_CERT_FILE", os.devnull)  # reading the system's certificates costs more than a round of mail
        yield


@pytest.fixture(autouse=True, scope="module")
def _read_once(request):
    """Cache reading in folders with many desks, and start no process; other folders test reader and signatures."""
    with pytest.MonkeyPatch.context() as patch:
        if request.path.relative_to(ROOT).parts[0] in MANY_DESKS:
            remembered.watch(patch)
            patch.setattr(partner, "ask_opponent", opponents.answer_here)
        if request.path.relative_to(ROOT).parts[0] in VIEWED:
            remembered.watch_views(patch)
        yield


@pytest.fixture
def sooner(monkeypatch):
    """Take the quickest plans and few plays: gains are less exact."""
    monkeypatch.setattr(levels.Thoughts, "make_drafts", partialmethod(levels.Thoughts.make_drafts, level=1))
    monkeypatch.setattr(levels, "EXACT", 6)
    monkeypatch.setattr(levels, "PLAYS", 2)


@pytest.fixture(scope="session")
def ended(tmp_path_factory):
    """Return a finished tournament of four; no test may change its files."""
    from helpers.four import play_to_end  # noqa: PLC0415  few tests use it

    return play_to_end(tmp_path_factory.mktemp("ended"))


@pytest.fixture
def time(monkeypatch):
    """Yield the clock of a tournament by mail with the smallest toy."""
    from helpers.postmen import Time  # noqa: PLC0415  few tests use mail
    from rulesets import toys  # noqa: PLC0415

    monkeypatch.delenv("KURSK_KEY", raising=False)
    toys.plug(monkeypatch)
    with entropy.fix_random_bytes("cup"):
        yield Time().set(monkeypatch)
