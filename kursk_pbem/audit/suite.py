"""The conformance suite: read its cases, ask a program over standard input and output, write a statement."""

from __future__ import annotations

import gzip
import hashlib
import json
import os
import re
import subprocess
import threading
import zlib
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import suppress
from io import BytesIO
from pathlib import Path
from tempfile import TemporaryFile
from typing import IO, Any

from kursk_pbem.errors import FileError, UsageError, Where
from kursk_pbem.formats import files, zipped
from kursk_pbem.frozen import frozen

SECONDS = 600
"""Maximum time, in seconds, for all answers of a program."""
MAX_ANSWERS = 8_000_000
"""Maximum number of bytes of all answers of a program. For its greeting the limit is MAX_CASE."""
MAX_SUITE, MAX_FILES = 64_000_000, 1000
"""Maximum number of bytes of all cases, packed and unpacked, and maximum number of files of a suite."""
MAX_CASE, MAX_VALUES = 262_144, 3_000_000
"""Maximum number of bytes of a case, and of JSON values of all cases, because each value costs memory."""
VERSION, CASES, CARDS = "VERSION", r"VERSION|[^/]+/[^/]+\.jsonl(\.gz)?", r"[^/]+/hand\.cards"
_DAMAGED = "the suite cannot be read; take the suite again"
_LARGE = f"the suite is too large: at most {MAX_SUITE} bytes, {MAX_VALUES} values, and {MAX_CASE} bytes in each case"
UNASKED = ("title", "rules", "since", "expect", "alternatives")
"""Fields of a case that the program does not get, such as the expected answer."""
NEEDED = {"scenario", "options", "dice-from", "position", "expect"}
"""Required fields of a case."""
OBJECTS = ("scenario", "options", "position", "message", "reveal", "dice", "expect", "alternatives")


@frozen
class Suite:
    """The cases of a suite in order. ``sha256``: the hash of all uncompressed lines."""

    version: str
    sha256: str
    cases: tuple[dict[str, Any], ...]


def read_suite(place: Path, system: str = "") -> Suite:
    """Return conformance cases from a folder or archive: of ``system``, or all if ''. Raises UsageError, FileError."""
    found = dict(_list_files(place, CASES))
    if VERSION not in found:
        raise UsageError(
            f"{place} is no conformance suite: the file VERSION is missing. Give the suite with --suite: the folder "
            "'conformance' of the program's sources, or an archive of this folder"
        )
    version = found.pop(VERSION).decode("ascii", "replace").strip()
    digest, cases, size, values = hashlib.sha256(), [], 0, 0
    for name, data in sorted(found.items()):
        for number, line in enumerate(_unpack(data, f"{place}/{name}"), 1):
            where, size = Where(f"{place}/{name}", number), size + len(line)
            values += sum(map(line.count, (b",", b"[", b"{")))
            if len(line) > MAX_CASE or size > MAX_SUITE or values > MAX_VALUES:
                raise FileError(_LARGE, where)
            digest.update(line.rstrip(b"\r\n") + b"\n")
            cases.append(_read_case(line, where))
    if system and system not in {case["system"] for case in cases}:
        raise UsageError(
            f"the suite has no cases of {system}, only cases of {', '.join(sorted({c['system'] for c in cases}))}"
        )
    kept = tuple(case for case in cases if system in ("", case["system"]))
    return Suite(version, digest.hexdigest(), kept)


def read_cards(place: Path, system: str) -> str:
    """Return a system's card file (``conformance/cards.md``) as text; '' if the suite has none. Raises FileError."""
    return dict(_list_files(place, CARDS)).get(f"{system}/hand.cards", b"").decode("ascii", "replace")


def _list_files(place: Path, wanted: str) -> Iterator[tuple[str, bytes]]:
    """Yield files of a suite, by their path below it; ``wanted``: the pattern of the paths. Raises FileError."""
    left = MAX_SUITE
    try:
        if place.is_file():
            packed = files.read(place, MAX_SUITE)
            for name, data in zipped.read_zip(packed, MAX_SUITE, MAX_FILES, zipped.is_ordinary, _DAMAGED):
                if re.fullmatch(wanted, below := name.partition("/")[2]):
                    yield below, data
        for path in [*place.glob("*"), *place.glob("*/*")]:
            if not re.fullmatch(wanted, below := path.relative_to(place).as_posix()):
                continue
            data = files.read(path, left)
            left -= len(data)
            if left < 0:
                raise FileError(_LARGE, Where(str(path)))
            yield below, data
    except OSError:
        raise FileError(_DAMAGED, Where(str(place))) from None


def _unpack(data: bytes, where: str) -> Iterator[bytes]:
    """Yield the lines of a file of cases one by one, because a few packed bytes may hold too many for the memory."""
    packed = where.endswith(".gz")
    try:
        with gzip.GzipFile(fileobj=BytesIO(data)) if packed else BytesIO(data) as stream:
            while line := stream.readline(MAX_CASE + 1):
                yield line
    except (OSError, EOFError, zlib.error):
        raise FileError(_DAMAGED, Where(where)) from None


def _read_case(line: bytes, where: Where) -> dict[str, Any]:
    with suppress(ValueError, RecursionError):
        case = json.loads(line)
        words = isinstance(case, dict) and all(isinstance(case.get(key), str) for key in ("id", "system", "level"))
        if words and all(isinstance(case.get(key, {}), dict) for key in OBJECTS) and case.keys() >= NEEDED:
            return dict(case)
    raise FileError("the line is not a test case; conformance/case.schema.json describes the form of a case", where)


def greet_program(command: Sequence[str]) -> dict[str, Any]:
    """Start a program without questions; return its greeting. Raises UsageError for a bad greeting."""
    lines, why = _exchange(command, [])
    said = read_line(lines[0]) if lines else None
    if said is None:
        told = "it is no JSON object" if lines else why
        raise UsageError(f"the program's first line is no greeting, because {told}; runner.md describes the greeting")
    if said.get("conformance") != 1 or not all(_is_words(said.get(key)) for key in ("systems", "levels")):
        raise UsageError("the program's first line is no greeting; runner.md describes the greeting")
    return said


def _exchange(command: Sequence[str], questions: Sequence[bytes]) -> tuple[list[bytes], str]:
    """Return the whole lines of a program that gets all questions, and why there are no more. Raises UsageError."""
    why, said = "the program ended without an answer", bytearray()
    most = MAX_ANSWERS if questions else MAX_CASE
    with TemporaryFile() as asked:
        asked.writelines(questions)
        asked.seek(0)
        try:
            program = subprocess.Popen(command, stdin=asked, stdout=subprocess.PIPE)
        except (OSError, ValueError) as error:
            raise UsageError(f"the program cannot be started ({type(error).__name__}); check the command") from None
        reader = threading.Thread(target=_read_answers, args=(program.stdout, said, most), daemon=True)
        reader.start()
        reader.join(SECONDS)
    if reader.is_alive():
        why = f"the program gave no answer in {SECONDS} seconds"
    elif len(said) > most:
        why = f"the program wrote more than {most} bytes"
    else:
        with suppress(subprocess.TimeoutExpired):
            program.wait(1)
    program.kill()
    program.wait()
    return bytes(said).split(b"\n", len(questions) + 1)[:-1], why


def _read_answers(stream: IO[bytes], said: bytearray, most: int) -> None:
    """Add the output of a program to ``said``, a little more than ``most`` bytes at the most."""
    with stream:
        while len(said) <= most and (part := os.read(stream.fileno(), 65_536)):
            said += part


def read_line(line: bytes) -> dict[str, Any] | None:
    """Return the JSON object in a line, or None for another line."""
    with suppress(ValueError, RecursionError):
        said = json.loads(line)
        if isinstance(said, dict):
            return said
    return None


def _is_words(value: Any) -> bool:
    return isinstance(value, list) and all(isinstance(word, str) for word in value)


def ask_cases(suite: Suite, command: Sequence[str], greeting: dict[str, Any]) -> dict[str, str]:
    """Ask a program the suite's cases; return case -> verdict: pass, pass with NAME, fail, unsupported, error: REASON.

    NAME is a permitted alternative. The program gets all questions at once. Cases left without an answer are errors.
    """
    systems, levels = greeting["systems"], greeting["levels"]
    verdicts = dict.fromkeys((case["id"] for case in suite.cases), "unsupported")
    asked = [case for case in suite.cases if case["system"] in systems and case["level"] in levels]
    answers, why = _exchange(command, [_write_question(case) for case in asked])
    verdicts |= {case["id"]: f"error: {why}" for case in asked}
    return verdicts | {case["id"]: judge_line(case, line) for case, line in zip(asked, answers[1:], strict=False)}


def _write_question(case: dict[str, Any]) -> bytes:
    return json.dumps({key: case[key] for key in case if key not in UNASKED}, sort_keys=True).encode() + b"\n"


def judge_line(case: dict[str, Any], line: bytes) -> str:
    """Return the verdict on the line that a program prints as the answer to a case."""
    said = read_line(line)
    if said is None:
        return "error: the answer is no JSON object in one line"
    if "answer" in said:
        return judge_answer(case, said["answer"])
    if "unsupported" in said:
        return "unsupported"
    why = said.get("error")
    return f"error: the program says {why[:200]!a}" if isinstance(why, str) else "error: the answer has no known field"


def judge_answer(case: dict[str, Any], answer: Any) -> str:
    """Return the verdict on an answer to a case. Ignore fields of the answer that the case does not mention."""
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


def make_statement(suite: Suite, greeting: dict[str, Any], verdicts: dict[str, str]) -> dict[str, Any]:
    """Return the statement on a program's verdicts. The statement has no time, so a second run gives the same bytes."""
    named: Any = greeting.get("preferences")
    return {
        "conformance-statement": 1,
        "suite": {"version": suite.version, "sha256": suite.sha256},
        "program": {key: _show(greeting.get(key)) for key in ("name", "version")},
        "preferences": [_show(word) for word in named] if _is_words(named) else [],
        "counts": count_verdicts(verdicts),
        "cases": verdicts,
    }


def _show(word: Any) -> str:
    return word[:100] if isinstance(word, str) else ""


def count_verdicts(verdicts: dict[str, str]) -> dict[str, int]:
    """Count verdicts: return kind of verdict -> number of cases."""
    found = Counter(re.split(r":|(?<=pass with) ", text)[0] for text in verdicts.values())
    return {kind: found[kind] for kind in ("pass", "pass with", "fail", "unsupported", "error")}
