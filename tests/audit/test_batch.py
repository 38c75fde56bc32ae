"""verify over folders of games: equal verdicts with several processes, no process left, a bar only for people."""

import io
import json
import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from helpers import finished_games, sweeps

from kursk_pbem.audit import batch, one_file, units
from kursk_pbem.audit.one_file import Finding
from kursk_pbem.cli import run
from kursk_pbem.errors import FileError
from kursk_pbem.game import folders

ROOT = Path(__file__).parents[2]
COMMAND = (sys.executable, "-c", "import sys; from kursk_pbem.cli import main; sys.argv[0] = 'kursk'; main()")
GAMES = sorted(path.parent for path in finished_games.ROOT.glob("*/*/0000.yaml"))


class Terminal(io.StringIO):
    def isatty(self):
        return True


FORKS = pytest.mark.skipif(not Path("/proc/self/task").is_dir(), reason="needs /proc")


def kursk(*words, **more):
    env = {**os.environ, "PYTHONPATH": str(ROOT)}
    return subprocess.run([*COMMAND, *map(str, words)], capture_output=True, env=env, check=False, timeout=120, **more)


def kursk_begun(*words):
    """Start the command as from a terminal. Tests in the background ignore Ctrl-C, and so would the command."""
    held = signal.signal(signal.SIGINT, signal.SIG_DFL)
    try:
        return subprocess.Popen(
            [*COMMAND, *map(str, words)],
            env={**os.environ, "PYTHONPATH": str(ROOT)},
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            start_new_session=True,
        )
    finally:
        signal.signal(signal.SIGINT, held)


@pytest.fixture(scope="module")
def games(tmp_path_factory):
    """Make a folder of five games: short, spoilt, shortened, with a gap, short."""
    place = tmp_path_factory.mktemp("tournament") / "games"
    for name in ("a", "b/c", "d", "e", "f"):
        shutil.copytree(GAMES[0], place / name)
        for path in sorted((place / name).glob("[0-9]*.yaml"))[6:]:
            path.unlink()
    spoilt = place / "b/c/0003.yaml"
    spoilt.write_text(spoilt.read_text("ascii").replace("note", "nota").replace("seq: '3'", "seq: '5'"), "ascii")
    (place / "d/0005.yaml").unlink()
    (place / "e/0002.yaml").unlink()
    (place / "none").mkdir()
    return place


@pytest.mark.parametrize(("names", "number"), [("f none a/0001.yaml .", 2), sweeps.long((". --json", 7))])
def test_any_number_of_processes_says_the_same(games, names, number):
    words = [name if name.startswith("--") else games / name for name in names.split()]
    alone, together = (kursk("verify", *words, "--jobs", jobs) for jobs in (1, number))
    assert alone.returncode == together.returncode == 3
    assert (together.stdout, together.stderr) == (alone.stdout, alone.stderr)
    assert bool(alone.stderr) == ("--json" not in words)


def test_a_bad_game_stops_no_other_and_the_highest_status_counts(games, capsys):
    assert run(["verify", str(games), "--json"]) == 3
    found = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [Path(each["path"]).relative_to(games).as_posix() for each in found] == ["a", "b/c", "d", "e", "f"]
    assert [each["status"] for each in found] == [0, 3, 0, 3, 0]
    assert [each["messages"] for each in found] == [6, 0, 5, 0, 6]
    assert {tuple(sorted(each)) for each in found} == {
        (
            *(
                "continues",
                "fault",
                "format",
                "game",
                "head",
                "how",
                "messages",
                "names",
                "path",
                "points",
                "scenario",
                "status",
            ),
            *("text", "times", "turn", "winner"),
        )
    }


def test_verifying_games_keeps_no_file_of_an_earlier_game(games):
    """Bug: at 1,500 games half of the memory held files that a single pass never reads again."""
    first = games / "a/0000.yaml"
    read = folders.read_message(first)
    assert folders.read_message(first) is read
    assert run(["verify", str(games / "a"), str(games / "f"), "-q"]) == 0
    assert folders.read_message(first) is not read


def test_how_games_have_ended_is_told(capsys):
    folder = GAMES[[path.name for path in GAMES].index("resignation-german")]
    assert run(["verify", str(folder), "--json"]) == 0
    said = json.loads(capsys.readouterr().out)
    assert (said["how"], said["winner"], said["times"]) == ("resignation", "russian", {})


@pytest.mark.parametrize("jobs", ["0", "-1", "two", "1.5"])
def test_jobs_is_a_number_of_processes(games, capsys, jobs):
    assert run(["verify", str(games), "--jobs", jobs]) == 2


# A bar for people


@pytest.mark.parametrize(("words", "shown"), [((), True), (("-q",), False), (("--json",), False)])
def test_a_bar_is_shown_to_people_only(games, monkeypatch, words, shown):
    screen = Terminal()
    monkeypatch.setattr(sys, "stderr", screen)
    run(["verify", str(games / "a"), str(games / "f"), *words])
    assert ("verifying" in screen.getvalue()) == shown
    assert ("2/2" in screen.getvalue()) == shown


def test_a_bar_is_not_shown_for_one_game_nor_where_no_terminal_is(games, monkeypatch, capsys):
    assert run(["verify", str(games / "a"), str(games / "f")]) == 0
    assert capsys.readouterr().err == ""
    screen = Terminal()
    monkeypatch.setattr(sys, "stderr", screen)
    assert run(["verify", str(games / "a")]) == 0
    assert screen.getvalue() == ""


# Processes


def children(pid):
    return [int(each) for each in Path(f"/proc/{pid}/task/{pid}/children").read_text("ascii").split()]


def alive(pid):
    """Return whether a process runs. A process that ended without a wait does not run."""
    try:
        return Path(f"/proc/{pid}/stat").read_text("ascii").rsplit(")", 1)[1].split()[0] not in "ZX"
    except OSError:
        return False


def until(true, what):
    end = time.monotonic() + 60
    while not true():
        assert time.monotonic() < end, what
        time.sleep(0.01)


@pytest.fixture
def long_one(tmp_path):
    """verify at work on more games than it can do soon, with two processes, and these."""
    for number in range(200):
        (tmp_path / f"{number:03}").symlink_to(GAMES[0])
    folders = [tmp_path / f"{number:03}" for number in range(200)]
    begun = kursk_begun("verify", *folders, "--jobs", "2")
    until(lambda: len(children(begun.pid)) == 2, "two workers")
    yield begun, children(begun.pid)
    begun.kill()
    begun.communicate()


@pytest.mark.some(2)
@FORKS
@pytest.mark.parametrize("whom", ["us", "all of us"])
def test_an_interruption_ends_with_130_and_leaves_no_worker(long_one, whom):
    begun, workers = long_one
    (os.kill if whom == "us" else os.killpg)(begun.pid, signal.SIGINT)
    out, err = begun.communicate(timeout=60)
    assert begun.returncode == 130
    assert all(b": verified, " in line for line in out.splitlines())
    assert out.endswith(b"\n") or not out
    assert b"Traceback" not in err
    assert b"interrupted" in err
    assert not any(map(alive, workers))


@FORKS
def test_workers_end_with_us_even_if_we_are_killed(long_one):
    begun, workers = long_one
    begun.kill()
    begun.wait()
    until(lambda: not any(map(alive, workers)), "workers outlive us")


@pytest.mark.long
@FORKS
def test_a_worker_that_is_killed_takes_no_verdict_with_it(games):
    many = [games / name for name in "adf"] * 3
    begun = kursk_begun("verify", *many, "--jobs", "2")
    until(lambda: len(children(begun.pid)) == 2, "two workers")
    os.kill(children(begun.pid)[0], signal.SIGKILL)
    out, err = begun.communicate(timeout=60)
    assert (begun.returncode, err) == (0, b"")
    assert out == kursk("verify", *many).stdout


@pytest.mark.filterwarnings("ignore::DeprecationWarning")  # newer Pythons do not like a fork in a process with threads
class TestFaults:
    def task(self, name):
        return units.Task(Path(name), game=True)

    @pytest.mark.parametrize("jobs", [1, 2])
    def test_a_fault_of_ours_stops_no_other_game_and_is_raised_at_the_end(self, monkeypatch, jobs):
        def verify(task):
            if task.path.name == "bad":
                raise ZeroDivisionError
            return Finding(str(task.path), 0, "well")

        monkeypatch.setattr(units, "_verify_task", verify)
        work = [self.task(name) for name in ("one", "bad", "two", "three")]
        verdicts, told = batch.verify_each(work, batch.Way(jobs)), []
        with pytest.raises(ZeroDivisionError):
            told.extend(finding.path for finding in verdicts)
        assert told == ["one", "two", "three"]

    def test_where_every_worker_dies_the_work_is_done_here(self, monkeypatch):
        here = os.getpid()

        def verify(task):
            if os.getpid() != here:
                os._exit(1)
            return Finding(str(task.path), 0, "well")

        monkeypatch.setattr(units, "_verify_task", verify)
        verdicts = batch.verify_each([self.task(name) for name in "abcd"], batch.Way(2))
        assert [finding.path for finding in verdicts] == list("abcd")

    def test_verdicts_that_are_there_already_keep_their_place(self, monkeypatch):
        monkeypatch.setattr(units, "_verify_task", lambda task: Finding(str(task.path), 0, "well"))
        there = [one_file.make_failure(name, FileError(name)) for name in "ac"]
        assert list(batch.verify_each(there, batch.Way(5))) == there
        mixed = [there[0], self.task("b"), there[1], self.task("d")]
        assert [finding.path for finding in batch.verify_each(mixed, batch.Way(2))] == list("abcd")

    def test_a_verdict_is_told_before_the_next_game_is_begun(self, monkeypatch):
        begun = []
        monkeypatch.setattr(units, "_verify_task", lambda task: begun.append(1) or Finding(str(task.path), 0, "well"))
        for number, _finding in enumerate(batch.verify_each([self.task(name) for name in "abc"]), 1):
            assert len(begun) == number
