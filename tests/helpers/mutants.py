"""Mutants of the rules: programs with one small change each, drawn by number. The conformance suite must find them.

A mutant changes a comparison, a bound, a quantifier, a filter, a step of a loop, a number or the order of two arguments
in a module of rules. The mutant is never written to disk: a forked process loads the changed source and answers.
"""

from __future__ import annotations

import ast
import importlib
import importlib.abc
import importlib.util
import json
import os
import random
import signal
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
RULESETS = ROOT / "kursk_pbem" / "rulesets"
SYSTEMS = ("armor-commander", "battle-for-kursk", "juggernauts", "kursk-1971")
NO_RULES = ("__init__", "check", "resume", "setting")
"""Modules that read data or hand games on, by the beginning of their name."""
SECONDS = 120
"""Maximum time of a mutant for all cases; a mutant without an end is found."""
DEAD = "cannot be imported:"
SWAPPED = {
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
}
NAMES = {"min": "max", "max": "min", "any": "all", "all": "any"}
Change = Callable[[], None]


@dataclass(frozen=True)
class Mutant:
    """One change of a module: its place, its kind, the code before and after, and the whole ``source`` after."""

    system: str
    module: str
    line: int
    kind: str
    before: str
    after: str
    source: str = field(repr=False)

    def __str__(self) -> str:
        return f"{self.system}/{self.module}.py:{self.line} {self.kind}: {self.before} -> {self.after}"


def list_points(tree: ast.Module) -> Iterator[tuple[ast.AST, str, Change]]:
    """Yield the changeable nodes of a module, each with a kind and a function that changes the node."""
    for node in ast.walk(tree):
        match node:
            case ast.Compare(ops=[op]) if type(op) in SWAPPED:
                yield node, "comparison", _setter(node, "ops", [SWAPPED[type(op)]()])
            case ast.Call(func=ast.Name(id=name)) if name in NAMES:
                yield node, f"{name} for {NAMES[name]}", _setter(node.func, "id", NAMES[name])
            case ast.Call(func=ast.Name(id=name), args=[ast.Name(), ast.Name()], keywords=[]) if name != "isinstance":
                yield node, "arguments", _setter(node, "args", node.args[::-1])
            case ast.comprehension(ifs=[_, *_]):
                yield node.ifs[0], "filter", _setter(node, "ifs", node.ifs[1:])
            case ast.Continue():
                yield node, "continue", _setter(node, "__class__", ast.Break)
            case ast.Break():
                yield node, "break", _setter(node, "__class__", ast.Continue)
            case ast.Constant(value=int(value)) if type(value) is int:
                yield node, "number", _setter(node, "value", value + 1)
            case ast.BoolOp(op=op):
                yield node, "and, or", _setter(node, "op", ast.Or() if isinstance(op, ast.And) else ast.And())
            case ast.BinOp(op=ast.Add() | ast.Sub() as op):
                yield node, "sum", _setter(node, "op", ast.Sub() if isinstance(op, ast.Add) else ast.Add())


def _setter(node: ast.AST, name: str, value: object) -> Change:
    return lambda: setattr(node, name, value)


def list_places(system: str) -> list[tuple[str, int]]:
    """Return the modules of rules of a system with the number of each changeable node."""
    paths = sorted((RULESETS / system.replace("-", "_")).glob("*.py"))
    return [
        (path.stem, number)
        for path in paths
        if not path.stem.startswith(NO_RULES)
        for number, _point in enumerate(list_points(ast.parse(path.read_text(encoding="utf-8"))))
    ]


def make_mutant(system: str, module: str, number: int) -> Mutant:
    """Return the mutant that changes a node of a module."""
    path = RULESETS / system.replace("-", "_") / f"{module}.py"
    tree = ast.parse(path.read_text(encoding="utf-8"))
    node, kind, change = [*list_points(tree)][number]
    before = ast.unparse(node)
    change()
    after = "left out" if kind == "filter" else ast.unparse(node)
    return Mutant(system, module, node.lineno, kind, before, after, ast.unparse(tree))


def draw_mutants(system: str, seed: str, number: int | None) -> Iterator[Mutant]:
    """Yield drawn mutants of a system, or all; the same seed draws the same mutants."""
    every = list_places(system)
    drawn = every if number is None else random.Random(f"{seed}/{system}").sample(every, min(number, len(every)))
    return (make_mutant(system, *place) for place in drawn)


def find_case(mutant: Mutant | None, cases: Sequence[dict[str, Any]]) -> str:
    """Return the id of the first case that a mutant fails, '' if all pass; without a mutant: of the program itself."""
    reading, writing = os.pipe()
    if not (child := os.fork()):
        signal.alarm(SECONDS)  # without an answer the mutant is found
        os.write(writing, _answer_cases(mutant, cases).encode())
        os._exit(0)
    os.close(writing)
    with os.fdopen(reading, encoding="utf-8") as file:
        found = file.read()
    return found if os.waitpid(child, 0)[1] == 0 else "no answer"


def _answer_cases(mutant: Mutant | None, cases: Sequence[dict[str, Any]]) -> str:
    for name in [name for name in sys.modules if name.startswith("kursk_pbem")]:
        del sys.modules[name]  # another test may have loaded the rules
    if mutant:
        loader = _Loader(mutant)
        sys.meta_path.insert(0, loader)
        try:
            importlib.import_module(loader.name)
        except Exception as error:  # noqa: BLE001 - a mutant may raise anything
            return f"{DEAD} {type(error).__name__}"
    suite, conformance = (importlib.import_module(f"kursk_pbem.audit.{name}") for name in ("suite", "conformance"))
    for case in cases:
        question = {key: value for key, value in case.items() if key not in suite.UNASKED}
        try:
            answer = conformance.answer_question(question)
        except Exception as error:  # noqa: BLE001
            return f"{case['id']}: {type(error).__name__}"
        if not suite.judge_line(case, json.dumps(answer).encode()).startswith("pass"):
            return str(case["id"])
    return ""


class _Loader(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Loads the changed source in place of the module."""

    def __init__(self, mutant: Mutant) -> None:
        self.path = RULESETS / mutant.system.replace("-", "_") / f"{mutant.module}.py"
        self.name = f"kursk_pbem.rulesets.{self.path.parent.name}.{mutant.module}"
        self.source = mutant.source

    def find_spec(self, fullname: str, _path: object, _target: object = None) -> Any:
        """Return how to load the module; None for the other modules."""
        return importlib.util.spec_from_loader(fullname, self, origin=str(self.path)) if fullname == self.name else None

    def exec_module(self, module: Any) -> None:
        """Run the changed source."""
        module.__file__ = str(self.path)
        exec(compile(self.source, module.__file__, "exec"), module.__dict__)  # noqa: S102
