"""Mutants of the rules: programs with one small change each, drawn by number. The conformance suite must find them.

A mutant changes a comparison, a bound, a quantifier, a filter, a step of a loop, a number or the order of two arguments
in a module of rules. No mutant is written to disk: a forked process replaces the code of the changed function, or the
changed table, and answers the cases (here) or runs the tests (``helpers.killers``).
"""

from __future__ import annotations

import ast
import gc
import importlib
import inspect
import json
import os
import random
import signal
import sys
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from types import CodeType, FrameType, FunctionType, ModuleType
from typing import Any

from kursk_pbem.audit import conformance, suite

ROOT = Path(__file__).resolve().parents[2]
RULESETS = ROOT / "kursk_pbem" / "rulesets"
SYSTEMS = ("armor-commander", "battle-for-kursk", "juggernauts", "kursk-1971")
NO_RULES = ("__init__", "check", "resume", "setting")
"""Modules that read data or hand games on, by the beginning of their name."""
SECONDS = 30
"""Maximum CPU of a mutant for all cases; a mutant without an end is found."""
DEAD, NO_ANSWER = "cannot be imported:", "no answer"
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
Lines = dict[str, frozenset[str]]
"""The lines of the rules that each case or test runs, as ``module:number``, by its id."""


@dataclass(frozen=True)
class Mutant:
    """One change of a module: its place, its kind, the code before and after, and the whole ``source`` after.

    ``function`` is the changed function or method, or the changed names of the module. ``before`` and ``after`` show
    the expression around a number or a name. ``again`` counts equal changes of a function, from 1. ``lines`` are those
    of the changed expression, none for a table or a default, which are made at the import.
    """

    system: str
    module: str
    function: str
    line: int
    kind: str
    before: str
    after: str
    source: str = field(repr=False)
    again: int = 1
    lines: frozenset[str] = frozenset()

    def __str__(self) -> str:
        return f"{self.system}/{self.module}.py:{self.line} {self.kind}: {self.before} -> {self.after}"

    @property
    def name(self) -> str:
        """Return the name of a survivor, which stays when lines move."""
        again = f" ({self.again})" if self.again > 1 else ""
        return f"{self.module}.{self.function}: {self.before} -> {self.after}{again}"

    def is_met(self, lines: Collection[str]) -> bool:
        """Return whether a case that runs these lines may find the mutant."""
        return not self.lines or not self.lines.isdisjoint(lines)


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
    tree = _parse_module(system, module)
    node, kind, change = [*list_points(tree)][number]
    around, function = _find_around(tree, node), _find_function(tree, node)
    before, lines = _show_change(node, around), _find_lines(tree, node, module)
    change()
    after = "left out" if kind == "filter" else _show_change(node, around)
    return Mutant(system, module, function, node.lineno, kind, before, after, ast.unparse(tree), lines=lines)


def _parse_module(system: str, module: str) -> ast.Module:
    return ast.parse((RULESETS / system.replace("-", "_") / f"{module}.py").read_text(encoding="utf-8"))


def _find_around(tree: ast.Module, node: ast.AST) -> ast.AST:
    """Return the node that shows a change: what is around a number, a ``break`` or a ``continue``."""
    if not isinstance(node, ast.Constant | ast.Break | ast.Continue):
        return node
    return next(above for above in ast.walk(tree) if node in ast.iter_child_nodes(above))


def _show_change(node: ast.AST, around: ast.AST) -> str:
    if isinstance(around, ast.If | ast.For | ast.While | ast.match_case):  # the statement, not all of its block
        return f"{ast.unparse(around).splitlines()[0]} {ast.unparse(node)}"
    return " ".join(ast.unparse(around).split())


def _find_lines(tree: ast.Module, node: ast.AST, module: str) -> frozenset[str]:
    """Return the lines of a node in the body of a function, none for others, and none where a cache spares calls."""
    functions = [above for above in ast.walk(tree) if isinstance(above, ast.FunctionDef)]
    kept = [above for above in functions if any(ast.unparse(sign) == "cache" for sign in above.decorator_list)]
    bodies = (part for above in functions if above not in kept for part in above.body)
    if not any(node in ast.walk(part) for part in bodies):
        return frozenset()
    return frozenset(f"{module}:{line}" for line in range(node.lineno, (node.end_lineno or node.lineno) + 1))


def _find_function(tree: ast.Module, node: ast.AST) -> str:
    """Return the function, method or table around a node, as ``name`` or ``Class.name``."""
    names, body = [], tree.body
    while around := [part for part in body if node in ast.walk(part)]:
        names.append(_name_statement(around[0]))
        body = around[0].body if isinstance(around[0], ast.ClassDef) else []
    return ".".join(names)


def _name_statement(part: ast.stmt) -> str:
    match part:
        case ast.FunctionDef(name=name) | ast.ClassDef(name=name):
            return name
        case ast.Assign(targets=[target]) | ast.AnnAssign(target=target):
            return ast.unparse(target).strip("()")
    return type(part).__name__


def draw_mutants(system: str, seed: str, number: int | None) -> Iterator[Mutant]:
    """Yield drawn mutants of a system, or all; the same seed draws the same mutants."""
    every = list_places(system)
    drawn = every if number is None else random.Random(f"{seed}/{system}").sample(every, min(number, len(every)))
    return (make_mutant(system, *place) for place in drawn)


def number_mutants(drawn: Iterable[Mutant]) -> Iterator[Mutant]:
    """Yield the mutants; equal changes of a function are counted, so that every name is unique."""
    met: Counter[str] = Counter()
    for mutant in drawn:
        met[mutant.name] += 1
        yield replace(mutant, again=met[mutant.name])


def load_rules(system: str) -> None:
    """Import all modules of rules of a system, so that each changed module is loaded."""
    for module, _number in list_places(system):
        importlib.import_module(_full_name(system, module))


def _full_name(system: str, module: str) -> str:
    return f"kursk_pbem.rulesets.{system.replace('-', '_')}.{module}"


def apply_mutant(mutant: Mutant) -> str:
    """Replace a function or a table by that of a mutant; return why the mutant cannot be imported, or ''."""
    module = sys.modules[_full_name(mutant.system, mutant.module)]
    changed = ModuleType(module.__name__)
    changed.__file__ = module.__file__
    try:
        exec(compile(mutant.source, str(module.__file__), "exec"), changed.__dict__)  # noqa: S102
    except Exception as error:  # noqa: BLE001 - a mutant may raise anything
        return f"{DEAD} {type(error).__name__}"
    for name in mutant.function.split(", "):
        old, new = _find_thing(module, name), _find_thing(changed, name)
        if isinstance(old, FunctionType):
            _replace_code(dict(_pair_codes(old.__code__, new.__code__)))
            old.__defaults__, old.__kwdefaults__ = new.__defaults__, new.__kwdefaults__
        else:
            for other in [*sys.modules.values()]:  # a table is imported by name
                if getattr(other, "__dict__", {}).get(name) is old:
                    setattr(other, name, new)
    return ""


def _pair_codes(old: CodeType, new: CodeType) -> Iterator[tuple[CodeType, CodeType]]:
    """Yield the code of a function and of the functions inside, each with the changed code."""
    yield old, new
    for one, other in zip(old.co_consts, new.co_consts, strict=False):
        if isinstance(one, CodeType) and isinstance(other, CodeType):
            yield from _pair_codes(one, other)


def _replace_code(codes: dict[CodeType, CodeType]) -> None:
    """Change every living function with one of these codes, also those that a call at the import has made."""
    gc.unfreeze()  # pytest hides objects from the collector
    for thing in gc.get_objects():
        if isinstance(thing, FunctionType) and thing.__code__ in codes:
            thing.__code__ = codes[thing.__code__]


def _find_thing(module: ModuleType, name: str) -> Any:
    """Return a function, a method without its decorators, or a table of a module."""
    thing: Any = module
    for part in name.split("."):
        thing = vars(thing)[part]
    match thing:
        case property(fget=function):
            thing = function
        case classmethod() | staticmethod():
            thing = thing.__func__
        case cached_property():
            thing = thing.func
    return inspect.unwrap(thing) if callable(thing) else thing


def ask_forked(seconds: int, question: Callable[[], Any]) -> Any:
    """Return the answer of a function in a process of its own, None without an answer in its CPU seconds."""
    reading, writing = os.pipe()
    if not (child := os.fork()):
        os.close(reading)
        signal.setitimer(signal.ITIMER_PROF, seconds)
        with os.fdopen(writing, "w", encoding="utf-8") as file:
            json.dump(question(), file)
        os._exit(0)
    os.close(writing)
    with os.fdopen(reading, encoding="utf-8") as file:
        said = file.read()
    return json.loads(said) if os.waitpid(child, 0)[1] == 0 else None


def watch_lines(system: str, thing: Callable[[], Any]) -> tuple[Any, list[str]]:
    """Return the answer of a function, and the lines of the rules that it runs."""
    folder, met = str(RULESETS / system.replace("-", "_")) + os.sep, set()

    def note(frame: FrameType, event: str, _value: object) -> Any:
        if event == "call":
            return note if frame.f_code.co_filename.startswith(folder) else None
        met.add((frame.f_code.co_filename, frame.f_lineno))
        return note

    sys.settrace(note)
    try:
        answer = thing()
    finally:
        sys.settrace(None)
    return answer, sorted(f"{Path(file).stem}:{line}" for file, line in met)


def list_lines(system: str, cases: Sequence[dict[str, Any]]) -> Lines:
    """Return the lines that each case runs. The program fails no case."""

    def ask() -> dict[str, list[str]]:
        answers = {case["id"]: watch_lines(system, lambda case=case: _fails(case)) for case in cases}
        return {uid: met for uid, (failed, met) in answers.items() if not failed}

    return {uid: frozenset(met) for uid, met in ask_forked(20 * SECONDS, ask).items()}


def find_case(mutant: Mutant, cases: Sequence[dict[str, Any]], *, ours: bool = False) -> str:
    """Return the id of the first case that a mutant fails, '' if all pass. The rules are loaded.

    ``ours``: a case that passes by an alternative reading has failed, because our engine has one reading.
    """

    def ask() -> str:
        return apply_mutant(mutant) or next((why for case in cases if (why := _fails(case, ours=ours))), "")

    answer = ask_forked(SECONDS, ask)
    return NO_ANSWER if answer is None else str(answer)


def _fails(case: dict[str, Any], *, ours: bool = False) -> str:
    """Return the id of a case that fails, '' if it passes."""
    question = {key: value for key, value in case.items() if key not in suite.UNASKED}
    try:
        answer = conformance.answer_question(question)
    except Exception as error:  # noqa: BLE001 - a mutant may raise anything
        return f"{case['id']}: {type(error).__name__}"
    verdict = suite.judge_line(case, json.dumps(answer).encode())
    return "" if verdict == "pass" or (verdict.startswith("pass") and not ours) else str(case["id"])
