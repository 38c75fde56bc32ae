"""The loop of ``make fuzz``: make inputs of a target, watch the program, and keep the faults.

Input N of a target always comes from ``random.Random("TARGET SEED N")``. The program must not write a file, connect to
a server or start a process, and must raise only its own exceptions. A step may take a second of CPU time.
"""

from __future__ import annotations

import contextlib
import os
import random
import re
import signal
import sys
import time
import traceback
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol

from kursk_pbem.errors import KurskError

SLOW = 1.0
"""Maximum CPU seconds of a step."""
HANG = 30
"""Seconds until a step is stopped."""
KEPT = 20
"""Maximum number of findings of a run."""
ALIKE = 3
"""Maximum number of kept findings at the same place in the program."""

_WRITING = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND
_CHANGES = frozenset(
    (
        "os.chmod",
        "os.chown",
        "os.link",
        "os.mkdir",
        "os.remove",
        "os.rename",
        "os.rmdir",
        "os.symlink",
        "os.truncate",
        "os.utime",
        "tempfile.mkstemp",
        "tempfile.mkdtemp",
    )
)
_REACHES = frozenset(
    (
        "os.exec",
        "os.fork",
        "os.forkpty",
        "os.posix_spawn",
        "os.spawn",
        "os.startfile",
        "os.system",
        "subprocess.Popen",
        "urllib.Request",
        "socket.connect",
        "socket.bind",
        "socket.getaddrinfo",
        "socket.sendto",
        "webbrowser.open",
    )
)


class Target(Protocol):
    """A target of the fuzzer. ``suffix``: suffix of the saved inputs."""

    name: str
    suffix: str

    def make(self, rng: random.Random) -> bytes:
        """Make an input."""

    def judge(self, raw: bytes, watch: Watch) -> str:
        """Return the program's result in a word or two. Raises :class:`Wrong` or another exception for a fault."""


class Wrong(Exception):  # noqa: N818  it is a finding, not an error
    """A forbidden action of the program."""


class _Hang(BaseException):
    """Stops a step. No ``except Exception`` catches this exception."""


class Watch:
    """Measures the time of the program's steps, and records actions outside the process."""

    def __init__(self) -> None:
        self.slowest = 0.0
        """Seconds of the slowest step since :meth:`clear`."""
        self.what = ""
        self._seen: list[str] = []
        self._armed = False
        self._may_write = False
        sys.addaudithook(self._record_event)

    def clear(self) -> None:
        """Prepare for another input."""
        self.slowest, self.what = 0.0, ""

    @contextlib.contextmanager
    def watch_step(self, what: str, *, writes: bool = False) -> Iterator[None]:
        """Watch a step. ``writes``: the step may change files."""
        self._seen.clear()
        self._may_write = writes
        began = time.process_time()
        with _set_alarm():
            self._armed = True
            try:
                yield
            finally:
                self._armed = False
                took = time.process_time() - began
                if took >= self.slowest:
                    self.slowest, self.what = took, what
        if self._seen:
            raise Wrong(f"{what}: {', '.join(self._seen[:5])}")

    def _record_event(self, event: str, arguments: tuple[Any, ...]) -> None:
        if not self._armed:
            return
        if event == "open":
            path, mode, flags = (*arguments, None, None, None)[:3]
            writing = set(mode) & set("wax+") if isinstance(mode, str) else (flags or 0) & _WRITING
            if writing and not self._may_write and str(path) != os.devnull:
                self._seen.append(f"opened {path} for writing")
        elif event in _REACHES or (event in _CHANGES and not self._may_write):
            self._seen.append(f"{event} {' '.join(map(str, arguments))[:200]}")


@contextlib.contextmanager
def _set_alarm() -> Iterator[None]:
    """Stop the step after ``HANG`` seconds, if the system has timers."""
    if not hasattr(signal, "SIGALRM"):
        yield
        return

    def raise_hang(_number: int, _frame: object) -> None:
        raise _Hang

    before = signal.signal(signal.SIGALRM, raise_hang)
    signal.setitimer(signal.ITIMER_REAL, HANG)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


@dataclass
class Outcome:
    """The results of a run. ``findings``: folders of kept inputs, or descriptions if inputs are not kept."""

    target: str
    seed: int
    inputs: int = 0
    seconds: float = 0.0
    words: Counter[str] = field(default_factory=Counter)
    slowest: float = 0.0
    what: str = ""
    slow_input: bytes = field(default=b"", repr=False)
    findings: list[str] = field(default_factory=list)

    def __str__(self) -> str:
        fed = f"{self.inputs} inputs of seed {self.seed}, {self.seconds:.0f} s"
        lines = [
            f"{self.target}: {fed}; findings: {len(self.findings)}",
            f"  slowest: {self.slowest * 1000:.0f} ms ({self.what}), {len(self.slow_input)} bytes",
        ]
        lines += [f"  {number:8} {word}" for word, number in self.words.most_common()]
        return "\n".join(lines)


def make_input(target: Target, seed: int, number: int) -> bytes:
    """Make input ``number`` of a target under a seed."""
    return target.make(random.Random(f"{target.name} {seed} {number}"))


def run_target(
    target: Target,
    seed: int,
    *,
    seconds: float = 0,
    count: int = 0,
    kept: Path | None = None,
    slow: bool = True,
    progress: Callable[[str], None] = lambda _text: None,
) -> Outcome:
    """Feed a target for ``seconds``, or with ``count`` inputs. Findings are saved in folders below ``kept``.

    ``slow``: treat slow steps as faults.
    """
    outcome = Outcome(target.name, seed)
    watch = _get_watch()
    places: Counter[str] = Counter()
    began = time.monotonic()
    while outcome.inputs < count if count else time.monotonic() - began < seconds:
        number = outcome.inputs
        raw, word, fault = b"", "MAKE", ""
        try:
            raw = make_input(target, seed, number)
        except Exception:  # noqa: BLE001  what is wanted from the program for an input must not crash it either
            fault = f"no input came of seed {seed}, number {number}:\n{traceback.format_exc()}"
        outcome.inputs += 1
        if not fault:
            word, fault = judge_input(target, raw, watch, slow=slow)
        outcome.words[word] += 1
        if watch.slowest > outcome.slowest:
            outcome.slowest, outcome.what, outcome.slow_input = watch.slowest, watch.what, raw
        if fault:
            places[_find_place(fault)] += 1
            if places[_find_place(fault)] <= ALIKE:
                outcome.findings.append(_keep_finding(kept, target, f"{seed}-{number}", raw, fault))
            if len(outcome.findings) >= KEPT:
                break
        if number % 20 == 0:
            progress(
                f"{target.name}: {number} inputs, {len(outcome.findings)} findings, {time.monotonic() - began:.0f} s"
            )
    outcome.seconds = time.monotonic() - began
    if kept is not None and outcome.slow_input:
        kept.mkdir(parents=True, exist_ok=True)
        (kept / f"slowest{target.suffix}").write_bytes(outcome.slow_input)
    return outcome


def judge_input(target: Target, raw: bytes, watch: Watch | None = None, *, slow: bool = True) -> tuple[str, str]:
    """Return the program's result for an input, in a word, and the fault, or ''."""
    watch = watch or _get_watch()
    word, fault = _judge_once(target, raw, watch)
    if slow and not fault and watch.slowest > SLOW:  # repeat, because other load may have caused the delay
        slowest, what = watch.slowest, watch.what
        _judge_once(target, raw, watch)
        if watch.slowest > SLOW:
            return "SLOW", f"slow: {watch.what} took {min(slowest, watch.slowest):.2f} s of processor time ({what})"
    return word, fault


def _judge_once(target: Target, raw: bytes, watch: Watch) -> tuple[str, str]:
    watch.clear()
    try:
        return target.judge(raw, watch), ""
    except Wrong as wrong:
        return "WRONG", f"wrong: {wrong}"
    except _Hang:
        return "HANG", f"it does not come to an end in {HANG} seconds:\n{traceback.format_exc()}"
    except Exception:  # noqa: BLE001  every exception that comes so far is what is looked for
        return "CRASH", traceback.format_exc()


_WATCHES: list[Watch] = []


def _get_watch() -> Watch:
    """Return the only watch, because audit hooks of the interpreter cannot be removed."""
    sys.dont_write_bytecode = True  # an import must not write a file
    if not _WATCHES:
        _WATCHES.append(Watch())
    return _WATCHES[0]


def _find_place(fault: str) -> str:
    """Return the place of a fault in the program, to group equal faults."""
    lines = [line.strip() for line in fault.splitlines() if line.lstrip().startswith("File ")]
    return lines[-1] if lines else fault.split(":")[1][:60]


def _keep_finding(kept: Path | None, target: Target, name: str, raw: bytes, fault: str) -> str:
    if kept is None:
        return fault
    folder = kept / name
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"input{target.suffix}"
    path.write_bytes(raw)
    again = f"make fuzz REPEAT={path}"
    (folder / "what.txt").write_text(f"{again}\n\n{fault}\n", encoding="utf-8", errors="backslashreplace")
    return f"{folder}: {fault.strip().splitlines()[-1][:200]}\n    again: {again}"


def check_refusal(error: KurskError, name: str) -> str:
    """Return the exit status of a refusal as a word. Raises Wrong if the text is not fit for a person."""
    text = str(error)
    lines = text.split("\n")
    more = re.fullmatch(r"and ([0-9]+ )?more", lines[-1]) is not None
    for line in lines[: len(lines) - more]:
        place, _, words = line.partition(": ")
        if not (place == name or place.startswith((f"{name}:", f"{name} ("))) or len(words) < 10:
            raise Wrong(f"a refusal that does not begin with the file: {ascii(line)[:300]}")
        if not line.isascii() or not line.isprintable() or len(line) > 2000:
            raise Wrong(f"a refusal with odd characters, or too long: {ascii(line)[:300]}")
    return f"status {error.exit_status}"
