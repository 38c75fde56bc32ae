"""Planted faults: copies of the program with one mistake each, which the conformance suite must find.

``tests/audit/planted/SYSTEM.yaml`` is a list of faults: in ``file`` the text ``old``, which occurs exactly once,
becomes ``new``, against the paragraph ``rule``. A file may be any file of the package. Each coded paragraph has a fault
that a position shows. A verdict ``pass with NAME`` does not find a fault, because the answer follows a different
reading.
"""

from __future__ import annotations

import compileall
import os
import shutil
import sys
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import yaml

from kursk_pbem.audit import suite as suites
from kursk_pbem.errors import UsageError

ROOT = Path(__file__).resolve().parents[2]
FOLDER = ROOT / "tests" / "audit" / "planted"
FOUND, FOUND_BY_HAND = 98, 90
"""The least number of 100 faults that the cases find, and the cases by hand."""
ANSWER = (
    "import sys; sys.dont_write_bytecode = True; sys.path.insert(0, sys.argv[1])\n"
    "from kursk_pbem.cli import run; sys.exit(run(['conformance', 'answer']))"
)
"""The runner of a copy."""


@dataclass(frozen=True)
class Fault:
    """A mistake in the program."""

    file: str
    old: str
    new: str
    rule: str

    def spoil(self, folder: Path) -> str:
        """Return the text of the file with the mistake. Raises ValueError if ``old`` does not occur exactly once."""
        text = (folder / self.file).read_text(encoding="utf-8")
        if text.count(self.old) != 1 or self.old == self.new:
            raise ValueError(f"{self.file}: {self.old!r} occurs {text.count(self.old)} times")
        return text.replace(self.old, self.new)


@dataclass(frozen=True)
class Find:
    """A fault with the first case that finds it and the verdict; '' if all cases pass. Cases by hand are first."""

    fault: Fault
    case: str
    verdict: str = ""

    @property
    def by_hand(self) -> bool:
        """Whether a case by hand finds the fault."""
        return bool(self.case) and "/" not in self.case


def count_percent(finds: Sequence[Find], *, by_hand: bool = False) -> int:
    """Return how many of 100 faults a case finds, or a case by hand; rounded down."""
    return 100 * sum(find.by_hand if by_hand else bool(find.case) for find in finds) // len(finds)


def list_unprotected(finds: Sequence[Find]) -> list[str]:
    """Return the paragraphs whose faults no case by hand finds."""
    protected = {find.fault.rule for find in finds if find.by_hand}
    return list(dict.fromkeys(find.fault.rule for find in finds if find.fault.rule not in protected))


def list_systems() -> list[str]:
    """Return the systems with planted faults."""
    return sorted(path.stem for path in FOLDER.glob("*.yaml"))


def read_faults(system: str) -> list[Fault]:
    """Return the planted faults of a system."""
    return [Fault(**said) for said in yaml.load((FOLDER / f"{system}.yaml").read_bytes(), yaml.CBaseLoader)]  # noqa: S506


def split_cases(system: str, rule: str) -> Iterator[suites.Suite]:
    """Yield the cases of a system by hand, first those of a paragraph, then the others."""
    cases = read_cases(system)
    by_hand = [case for case in cases if "/" not in case["id"]]
    near, far = ([case for case in by_hand if (rule in case["rules"]) is cites] for cites in (True, False))
    for part in (near, far, [case for case in cases if "/" in case["id"]]):
        yield suites.Suite("", "", tuple(part))


@cache
def read_cases(system: str) -> tuple[dict[str, Any], ...]:
    """Return the cases of a system."""
    return suites.read_suite(ROOT / "conformance", system).cases


def find_case(fault: Fault, parts: Iterable[suites.Suite], program: suites.Program) -> Find:
    """Return the first case that a program does not pass; the later parts only if all pass."""
    asked = (suites.ask_cases(part, program).items() for part in parts)
    verdicts = (pair for answers in asked for pair in answers)
    return next((Find(fault, *pair) for pair in verdicts if not pair[1].startswith("pass")), Find(fault, ""))


def copy_program(folder: Path) -> None:
    """Copy the package into a folder, compiled, with the data that it reads."""
    shutil.copytree(ROOT / "kursk_pbem", folder / "kursk_pbem", ignore=shutil.ignore_patterns("__pycache__"))
    for name in ("scenarios", "schemas", "docs"):
        (folder / name).symlink_to(ROOT / name)
    compileall.compile_dir(folder / "kursk_pbem", quiet=2)


def find_faults(system: str, faults: Sequence[Fault], folder: Path) -> Iterator[Find]:
    """Yield each fault with the first case that finds the fault.

    ``folder``: an empty folder for the copy. Raises ValueError if a copy does not start.
    """
    copy_program(folder)
    for fault in faults:
        file = folder / fault.file
        before, text = file.read_bytes(), fault.spoil(folder)
        kept = file.stat().st_mtime
        file.write_text(text, encoding="utf-8")
        os.utime(file, (kept + 10, kept + 10))  # never the time of the compiled file
        try:
            program = suites.greet_program([sys.executable, "-c", ANSWER, str(folder)])
        except UsageError as error:
            raise ValueError(f"{fault.file}: the program with {fault.new!r} does not start: {error}") from None
        yield find_case(fault, split_cases(system, fault.rule), program)
        file.write_bytes(before)
        os.utime(file, (kept, kept))
