"""The conformance suite: read its cases, ask a program over standard input and output, write a statement."""

from __future__ import annotations

import gzip
import hashlib
import json
import queue
import subprocess
import threading
import zlib
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from io import BytesIO
from pathlib import Path
from re import fullmatch
from typing import Any, BinaryIO

from kursk_pbem.errors import FileError, UsageError, Where
from kursk_pbem.formats import zipped

SECONDS = 10
"""Maximum time for the answer to a case."""
MAX_LINE = 1_000_000
"""Maximum number of bytes of an answer."""
MAX_SUITE = 200_000_000
"""Maximum number of bytes of an unpacked file of cases."""
MAX_FILES = 1000
"""Maximum number of files of an archive."""
VERSION, CASES = "VERSION", r"VERSION|[^/]+/[^/]+\.jsonl(\.gz)?"
MAX_FAILURES = 5
"""Number of failures of the program in a row, without any answer between them, after which nothing more is asked."""
UNASKED = ("title", "rules", "since", "expect", "alternatives")
"""Fields of a case that the program does not see."""


@dataclass(frozen=True)
class Suite:
    """The cases of a suite in order. ``sha256``: the hash of all lines, independent of the compression."""

    version: str
    sha256: str
    cases: tuple[dict[str, Any], ...]


def read_suite(place: Path, system: str = "") -> Suite:
    """Return the cases of a suite, a folder or an archive, of all systems or of one. Raises UsageError or FileError."""
    files = dict(_list_files(place))
    if VERSION not in files:
        raise UsageError(
            f"{place} is no conformance suite: it has no file VERSION; name folder or archive with --suite"
        )
    version = files.pop(VERSION).decode("ascii", "replace").strip()
    digest, cases = hashlib.sha256(), []
    for name, data in sorted(files.items()):
        where = f"{place}/{name}"
        for number, line in enumerate(_unpack(data, where) if name.endswith(".gz") else data.splitlines(), 1):
            digest.update(line + b"\n")
            cases.append(_read_case(line, Where(where, number)))
    if system and system not in {case["system"] for case in cases}:
        raise UsageError(
            f"the suite has no cases of {system}; it has {', '.join(sorted({c['system'] for c in cases}))}"
        )
    kept = tuple(case for case in cases if system in ("", case["system"]))
    return Suite(version, digest.hexdigest(), kept)


def _list_files(place: Path) -> Iterator[tuple[str, bytes]]:
    """Yield the version and the files of cases, by their path below the suite. Raises FileError."""
    damaged = "the suite cannot be read; take the suite again"
    try:
        if place.is_file():
            for name, data in zipped.read_zip(place.read_bytes(), MAX_SUITE, MAX_FILES, zipped.is_ordinary, damaged):
                if fullmatch(CASES, below := name.partition("/")[2]):
                    yield below, data
        for path in [*place.glob(VERSION), *place.glob("*/*.jsonl"), *place.glob("*/*.jsonl.gz")]:
            yield path.relative_to(place).as_posix(), path.read_bytes()
    except OSError:
        raise FileError(damaged, Where(str(place))) from None


def _unpack(data: bytes, where: str) -> list[bytes]:
    try:
        data = gzip.GzipFile(fileobj=BytesIO(data)).read(MAX_SUITE + 1)
    except (OSError, EOFError, zlib.error):
        raise FileError("the file of cases cannot be read; take the suite again", Where(where)) from None
    if len(data) > MAX_SUITE:
        raise FileError(f"the file of cases has more than {MAX_SUITE} bytes", Where(where))
    return data.splitlines()


def _read_case(line: bytes, where: Where) -> dict[str, Any]:
    with suppress(ValueError, RecursionError):
        case = json.loads(line)
        words = isinstance(case, dict) and all(isinstance(case.get(key), str) for key in ("id", "system", "level"))
        if words and isinstance(case.get("expect"), dict) and isinstance(case.get("alternatives", {}), dict):
            return dict(case)
    raise FileError("the line is no case; conformance/case.schema.json describes cases", where)


@dataclass
class Program:
    """A program that answers cases. The program is started for the first question, and again after a failure."""

    command: Sequence[str]
    seconds: float = SECONDS
    greeting: dict[str, Any] = field(default_factory=dict)
    _process: subprocess.Popen[bytes] | None = None
    _thread: threading.Thread = field(default_factory=threading.Thread)

    def start(self) -> None:
        """Start the program and read its first line. Raises ProgramError."""
        try:
            self._process = subprocess.Popen(self.command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        except (OSError, ValueError) as error:
            raise ProgramError(f"the program cannot be started ({type(error).__name__}); check the command") from None
        said = self._exchange(b"")
        if said.get("conformance") != 1 or not all(_is_words(said.get(key)) for key in ("systems", "levels")):
            self.stop()
            raise ProgramError("the first line of the program is no greeting; runner.md describes the greeting")
        self.greeting = said

    def ask(self, case: dict[str, Any]) -> dict[str, Any]:
        """Return the answer to a case. Raises ProgramError."""
        if self._process is None:
            self.start()
        asked = {key: value for key, value in case.items() if key not in UNASKED}
        return self._exchange(json.dumps(asked, sort_keys=True).encode() + b"\n")

    def stop(self) -> None:
        """End the program at once."""
        if self._process is not None:
            self._process.kill()
            self._process.wait()
            self._thread.join(timeout=1)
            if not self._thread.is_alive():  # a child of the program may keep the pipes open
                for pipe in (self._process.stdin, self._process.stdout):
                    with suppress(OSError):
                        pipe.close()  # type: ignore[union-attr]
            self._process = None

    def _exchange(self, line: bytes) -> dict[str, Any]:
        """Write a line and read a line, in a thread, because a program may neither read nor answer."""
        process = self._process
        if process is None or process.stdin is None or process.stdout is None:
            raise ProgramError("the program does not run")
        said: queue.Queue[bytes] = queue.Queue()
        work = (process.stdin, process.stdout, line, said)
        self._thread = threading.Thread(target=_write_and_read, args=work, daemon=True)
        self._thread.start()
        try:
            return self._read_answer(said.get(timeout=self.seconds))
        except queue.Empty:
            self.stop()
            raise ProgramError(f"the program gave no answer in {self.seconds} seconds") from None
        except ProgramError:
            self.stop()
            raise

    def _read_answer(self, answer: bytes) -> dict[str, Any]:
        if len(answer) > MAX_LINE:
            raise ProgramError(f"the answer has more than {MAX_LINE} bytes")
        if not answer.endswith(b"\n"):
            raise ProgramError("the program ended before a whole line of answer")
        with suppress(ValueError, RecursionError):
            said = json.loads(answer)
            if isinstance(said, dict):
                return said
        raise ProgramError("the answer is no JSON object in one line")


class ProgramError(Exception):
    """A failure of the asked program: a reason for the verdict of the case."""


def _write_and_read(stdin: BinaryIO, stdout: BinaryIO, line: bytes, said: queue.Queue[bytes]) -> None:
    with suppress(OSError, ValueError):  # the program has ended, or was ended after its time
        stdin.write(line)
        stdin.flush()
    answer = b""
    with suppress(OSError, ValueError):
        answer = stdout.readline(MAX_LINE + 1)
    said.put(answer)


def _is_words(value: Any) -> bool:
    return isinstance(value, list) and all(isinstance(word, str) for word in value)


def ask_cases(suite: Suite, program: Program) -> Iterator[tuple[str, str]]:
    """Yield the id and the verdict of each case: pass, pass with NAME, fail, unsupported or error, with a reason."""
    failures = 0
    try:
        for case in suite.cases:
            if failures >= MAX_FAILURES:
                yield case["id"], f"error: not asked after {failures} failures in a row"
                continue
            try:
                if not program.greeting:
                    program.start()
                verdict, failures = _judge_case(case, program), 0
            except ProgramError as error:
                verdict, failures = f"error: {error}", failures + 1
            yield case["id"], verdict
    finally:
        program.stop()


def _judge_case(case: dict[str, Any], program: Program) -> str:
    if case["system"] not in program.greeting["systems"] or case["level"] not in program.greeting["levels"]:
        return "unsupported"
    said = program.ask(case)
    if "answer" in said:
        return judge_answer(case, said["answer"])
    if "unsupported" in said:
        return "unsupported"
    why = said.get("error")
    return f"error: the program says {why[:200]!a}" if isinstance(why, str) else "error: the answer has no known field"


def judge_answer(case: dict[str, Any], answer: Any) -> str:
    """Return the verdict on an answer. Fields of the answer that the case does not expect do not count."""
    if not isinstance(answer, dict):
        return "error: the answer is no object"
    different = sorted(key for key, value in case["expect"].items() if not _is_equal(answer.get(key), value))
    if not different:
        return "pass"
    for name, other in sorted(case.get("alternatives", {}).items()):
        if all(_is_equal(answer.get(key), value) for key, value in {**case["expect"], **other}.items()):
            return f"pass with {name}"
    return f"fail: different {', '.join(different)}"


def _is_equal(found: Any, expected: Any) -> bool:
    """Return whether two values are the same JSON, so that true is not 1. The order of keys does not count."""
    try:
        return json.dumps(found, sort_keys=True) == json.dumps(expected, sort_keys=True)
    except RecursionError:
        return False


def make_statement(suite: Suite, program: Program, verdicts: dict[str, str]) -> dict[str, Any]:
    """Return the statement on a program, without any time, so that a second run gives the same bytes."""
    named: Any = program.greeting.get("preferences")
    return {
        "conformance-statement": 1,
        "suite": {"version": suite.version, "sha256": suite.sha256},
        "program": {key: _show(program.greeting.get(key)) for key in ("name", "version")},
        "preferences": [_show(word) for word in named] if _is_words(named) else [],
        "counts": count_verdicts(verdicts),
        "cases": verdicts,
    }


def _show(word: Any) -> str:
    return word[:100] if isinstance(word, str) else ""


def count_verdicts(verdicts: dict[str, str]) -> dict[str, int]:
    """Return the number of cases for each kind of verdict."""
    found = Counter("pass" if text.startswith("pass") else text.partition(":")[0] for text in verdicts.values())
    return {kind: found[kind] for kind in ("pass", "fail", "unsupported", "error")}
