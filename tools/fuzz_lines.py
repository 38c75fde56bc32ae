"""Lines of the rules reached by a run of the fuzzer: ``make fuzz TARGET=adjudicate LINES=1``. Slow.

Lines are traced until the first hit. A function without open lines costs no more time.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from types import CodeType, FrameType
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
RULES = ROOT / "kursk_pbem" / "rulesets"


class Lines:
    """The lines not reached yet, by code object."""

    def __init__(self, folder: Path = RULES) -> None:
        self.left: dict[tuple[str, int, str], set[int]] = {}
        self.total = 0
        for path in sorted(folder.rglob("*.py")):
            for code in _find_functions(compile(path.read_text(encoding="utf-8"), str(path), "exec")):
                lines = {line for _start, _end, line in code.co_lines() if (line or 0) > code.co_firstlineno}
                self.left[_make_key(code)] = {line for line in lines if line is not None}
                self.total += len(lines)

    def __enter__(self) -> None:
        sys.settrace(self._call)

    def __exit__(self, *_error: object) -> None:
        sys.settrace(None)

    def _call(self, frame: FrameType, _event: str, _argument: Any) -> Any:
        left = self.left.get(_make_key(frame.f_code))
        if not left:
            return None

        def trace_line(frame: FrameType, _event: str, _argument: Any) -> Any:
            left.discard(frame.f_lineno)
            return trace_line if left else None

        return trace_line

    def __str__(self) -> str:
        """Return the share of reached lines, and every function with open lines."""
        missed = sum(map(len, self.left.values()))
        lines = [f"rules: {self.total - missed} of {self.total} lines in functions reached"]
        for (file, _first, name), left in self.left.items():
            if left:
                place = Path(file).relative_to(RULES)
                lines.append(f"  {place}: {name}: {', '.join(map(str, sorted(left)))}")
        return "\n".join(lines)


def _make_key(code: CodeType) -> tuple[str, int, str]:
    return code.co_filename, code.co_firstlineno, code.co_qualname


def _find_functions(code: CodeType) -> Iterator[CodeType]:
    """Yield the functions in a module. Class bodies and module code run at import and do not count."""
    for each in code.co_consts:
        if isinstance(each, CodeType):
            if each.co_flags & 0x2:  # a function, because class bodies have no fast locals
                yield each
            yield from _find_functions(each)
