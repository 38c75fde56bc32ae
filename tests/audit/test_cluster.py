"""verify --scheduler: a cluster and a process give equal verdicts, even if workers or the scheduler fail."""

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from concurrent.futures import CancelledError
from pathlib import Path
from types import SimpleNamespace

import pytest
from helpers import finished_games

from kursk_pbem.audit import batch, cluster, results, units
from kursk_pbem.game import scenario_files

pytestmark = pytest.mark.long

ROOT = Path(__file__).parents[2]
SHORT = finished_games.ROOT / "battle-for-kursk/resignation-german"
COMMAND = (sys.executable, "-c", "import sys; from kursk_pbem.cli import main; sys.argv[0] = 'kursk'; main()")


class Cluster:
    """A scheduler and workers: local processes on the loopback."""

    def __init__(self, place):
        self.place, self.begun, self.workers = place, [], []
        words = ("--host", "127.0.0.1", "--port", "0", "--no-dashboard", "--no-show")
        self.scheduler = self._begin("dask_scheduler", *words, "--scheduler-file", self.file)
        until(lambda: self.file.exists() and self.file.read_text("ascii").endswith("}"), "a scheduler")
        self.address = json.loads(self.file.read_text("ascii"))["address"]

    @property
    def file(self):
        return self.place / "scheduler.json"

    def worker(self, package=ROOT):
        """Add a worker with the program of a folder."""
        words = ("--nworkers", "1", "--nthreads", "1", "--no-nanny", "--no-dashboard", "--memory-limit", "0")
        folder = self.place / f"worker-{len(self.workers)}"
        begun = self._begin("dask_worker", self.address, *words, "--local-directory", folder, package=package)
        self.workers.append(begun)
        until(lambda: "Registered to" in self._log(begun).read_text("utf-8"), "a worker")
        return begun

    def _begin(self, module, *words, package=ROOT):
        env = {**os.environ, "PYTHONPATH": str(package)}
        words = [sys.executable, "-m", f"distributed.cli.{module}", *map(str, words)]
        with (self.place / "log").open("wb") as log:
            begun = subprocess.Popen(words, env=env, cwd=self.place, stdout=subprocess.DEVNULL, stderr=log)
        (self.place / "log").rename(self._log(begun))
        self.begun.append(begun)
        return begun

    def _log(self, begun):
        return self.place / f"{begun.pid}.log"

    def end(self):
        for process in self.begun:
            process.kill()
            process.wait()


def until(true, what):
    end = time.monotonic() + 60
    while not true():
        assert time.monotonic() < end, what
        time.sleep(0.05)


@pytest.fixture
def here(tmp_path):
    made = Cluster(tmp_path)
    yield made
    made.end()


@pytest.fixture(scope="module")
def games(tmp_path_factory):
    """Make forty games: one is spoilt, one has a gap, one is unreadable, and two are a family."""
    place = tmp_path_factory.mktemp("cluster") / "games"
    for number in range(38):
        shutil.copytree(SHORT, place / f"{number:02}")
    spoilt = place / "03/0003.yaml"
    spoilt.write_text(spoilt.read_text("ascii").replace("seq: '3'", "seq: '5'"), "ascii")
    (place / "05/0002.yaml").unlink()
    (place / "07/0004.yaml").unlink()
    (place / "07/0004.yaml").mkdir()
    (place / "09/0040.draft.yaml").write_text("a plan that is nobody's business", "ascii")
    return place


def kursk(*words, **more):
    env = {**os.environ, "PYTHONPATH": str(ROOT)}
    return subprocess.run([*COMMAND, *map(str, words)], capture_output=True, env=env, check=False, timeout=300, **more)


@pytest.fixture(scope="module")
def alone(games):
    return kursk("verify", games)


def same(one, other):
    assert (one.returncode, one.stdout) == (other.returncode, other.stdout)


def test_two_workers_say_what_one_process_says(games, alone, here, tmp_path):
    for _each in range(2):
        here.worker()
    told = kursk("verify", games, "--scheduler", here.address, "--results", tmp_path / "kept")
    same(told, alone)
    assert told.stderr == alone.stderr
    again = kursk("verify", games, "--results", tmp_path / "kept", "--again")
    same(again, alone)
    assert b"otherwise" not in again.stderr


@pytest.mark.long("test-all")
def test_programs_play_on_a_cluster_as_in_one_process(here, tmp_path):
    """Also a scenario of the caller's own, whose files no worker has."""
    here.worker()
    folder = scenario_files.copy("armor-commander/crossroads", "mine", tmp_path, {})
    words = ("lab", "armor-commander/crossroads", "--games", "4", "--change", folder)
    told = kursk(*words, "--scheduler", here.address)
    same(told, kursk(*words))
    assert told.stderr == b""
    assert b"4 games, seed 1" in told.stdout


@pytest.mark.long("test-all")
def test_a_worker_that_is_killed_in_the_middle_takes_no_verdict_with_it(games, alone, here):
    first, _second = here.worker(), here.worker()
    env = {**os.environ, "PYTHONPATH": str(ROOT)}
    words = [*COMMAND, "verify", games, "--scheduler", here.address]
    begun = subprocess.Popen(words, env=env, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    line = begun.stdout.readline()  # a worker is at work
    first.send_signal(signal.SIGKILL)
    out, err = begun.communicate(timeout=300)
    assert (begun.returncode, line + out) == (alone.returncode, alone.stdout)
    assert err == alone.stderr


@pytest.mark.long("test-all")
def test_where_the_scheduler_vanishes_the_rest_is_verified_here(games, alone, here):
    here.worker()
    env = {**os.environ, "PYTHONPATH": str(ROOT)}
    words = [*COMMAND, "verify", games, "--scheduler", here.address, "--jobs", "2"]
    begun = subprocess.Popen(words, env=env, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    line = begun.stdout.readline()
    here.scheduler.send_signal(signal.SIGKILL)
    out, err = begun.communicate(timeout=300)
    assert (begun.returncode, line + out) == (alone.returncode, alone.stdout)
    assert f"the scheduler at {here.address} is gone".encode() in err


class Broken:
    """A connection that breaks at a request. The first request asks the only worker for the program."""

    scheduler = SimpleNamespace(ncores=None)

    def __init__(self, error, after):
        self.status, self.error, self.after, self.said = "running", error, after, 0

    def sync(self, _what, callback_timeout):
        return {"tcp://127.0.0.1:9": 1}

    def submit(self, work, *given, **_more):
        return Answer(self, work, given)

    def breaks(self):
        self.said += 1
        if self.said > self.after:
            self.status = "closed"
            raise self.error

    def close(self, timeout):
        self.status = "closed"


class Answer:
    """The result of a request. Reading the result needs the connection, too."""

    status = "finished"

    def __init__(self, line, work, given):
        line.breaks()
        self.line, self.said = line, work(*given)

    def result(self, timeout):
        self.line.breaks()
        return self.said


def make_closed_error():
    from distributed.client import ClosedClientError  # noqa: PLC0415  make test imports this file, and runs none of it

    return ClosedClientError("Client is closed.")


@pytest.mark.parametrize("after", range(6))
@pytest.mark.parametrize("make", [make_closed_error, lambda: RuntimeError("IOLoop is closed"), CancelledError, OSError])
def test_where_the_scheduler_vanishes_between_two_sentences_no_game_is_lost(games, monkeypatch, make, after):
    error = make()
    monkeypatch.setattr("distributed.Client", lambda *_given, **_more: Broken(error, after))
    monkeypatch.setattr("distributed.wait", lambda asked, **_more: SimpleNamespace(done=asked[:1]))
    tasks, told = [units.Task(games / name, game=True) for name in ("00", "01", "02", "04", "06")], []
    verdicts = list(batch.verify_each(tasks, batch.Way(scheduler="tcp://127.0.0.1:9", tell=told.append)))
    assert [verdict.path for verdict in verdicts] == [str(task.path) for task in tasks]
    assert told[0].startswith(f"the scheduler at tcp://127.0.0.1:9 is gone ({type(error).__name__}): this machine does")


@pytest.mark.long("test-all")
def test_a_worker_of_another_version_gets_no_game_and_is_named(games, alone, here, tmp_path):
    other = tmp_path / "other"
    for name in ("kursk_pbem", "schemas", "scenarios"):
        shutil.copytree(ROOT / name, other / name, ignore=shutil.ignore_patterns("__pycache__"))
    init = other / "kursk_pbem/__init__.py"
    init.write_text(init.read_text("ascii").replace('__version__ = "', '__version__ = "9.'), "ascii")
    judge = other / "kursk_pbem/audit/verify.py"
    judge.write_text(judge.read_text("ascii").replace("verified, ", "believed, "), "ascii")
    here.worker(other)
    refused = kursk("verify", games / "00", "--scheduler", here.address)
    assert refused.stdout == kursk("verify", games / "00").stdout
    assert b"its kursk-pbem is 9." in refused.stderr
    assert b"no worker of the cluster can be used: this machine does the remaining work" in refused.stderr
    here.worker()
    told = kursk("verify", games, "--scheduler", here.address)
    same(told, alone)
    assert f"ours is {results.identify_program()}".encode() in told.stderr


def test_where_nobody_answers_it_is_said(games):
    told = kursk("verify", games, "--scheduler", "tcp://127.0.0.1:9")
    assert (told.returncode, told.stdout) == (2, b"")
    assert b"no dask scheduler answers at tcp://127.0.0.1:9" in told.stderr


def test_what_travels_is_what_is_verified_and_never_a_draft(games, tmp_path):
    task = units.Task(games / "09", game=True)
    packed = cluster.pack([task])
    assert b"draft" not in packed
    assert results.from_line(cluster.verify_packed(packed)) == units.verify_unit([task])
    assert cluster.pack([units.Task(games / "07", game=True)]) is None, "what cannot be read stays here"
    assert cluster.pack([units.Task(games / "09/0001.yaml", game=False)]) is None


def test_T29_a_folder_with_a_line_break_in_its_name_stays_here(games, tmp_path):
    shutil.copytree(games / "00", tmp_path / "x\ny")
    assert cluster.pack([units.Task(tmp_path / "x\ny", game=True)]) is None


@pytest.mark.parametrize("name", ["03", "05"])
def test_a_refusal_names_the_file_at_home(games, name):
    task = units.Task(games / name, game=True)
    verdict = results.from_line(cluster.verify_packed(cluster.pack([task])))[0]
    assert verdict == units.verify_unit([task])[0]
    assert str(games / name) in verdict.text
