"""Which paragraph of the rulebook is cited by which function, and which test is named after it.

A function cites a paragraph by its id as a string (events, refusals), or by naming it in a docstring or comment:
``9.3-stand-fast``, ``12.0 (2)`` for the second step of 12.0, ``4.0 Phase 10``. A test is named after the paragraph
whose id, with ``_`` for every dot and dash, its name begins with; of several the longest.
"""

from __future__ import annotations

import ast
import io
import re
import tokenize
from collections.abc import Iterator, Mapping
from pathlib import Path

from helpers.registry import Kit
from kursk_pbem.game import rulebook

ID = r"[0-9]{1,2}\.[0-9]{1,2}(?:\.[0-9]{1,2})?(?:-[a-z0-9]+)*"
_WHOLE = re.compile(ID)
_PROSE = re.compile(rf"(?<![\w.:])({ID})(?: \(([0-9])\)| (Phase [0-9]+))?(?![\w-])")
_RULING = re.compile(r"\b[A-Z]+-[0-9]+\b")


def book(kit: Kit) -> rulebook.Rulebook:
    """The paragraphs."""
    return rulebook.load(kit.ruleset.rulebook)


def coded(kit: Kit) -> list[str]:
    """The paragraphs that the program plays."""
    return [rule for rule, paragraph in book(kit).paragraphs.items() if paragraph.status == "coded"]


def citations(kit: Kit) -> dict[str, list[str]]:
    """Paragraph id -> the functions that cite it, as ``module.function``."""
    found: dict[str, set[str]] = {}
    for file in sorted(kit.code.glob("*.py")):
        for rule, where in _cited(file):
            found.setdefault(rule, set()).add(where)
    return {rule: sorted(places) for rule, places in found.items()}


def _cited(file: Path) -> Iterator[tuple[str, str]]:
    source = file.read_text(encoding="utf-8")
    tree = ast.parse(source)
    owners = _owners(tree)
    prose = _docstrings(tree)
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in prose:
            if _WHOLE.fullmatch(node.value):
                yield node.value, _name(file, owners, node.lineno)
        elif isinstance(node, ast.Constant) and id(node) in prose:
            for rule in _in_prose(str(node.value)):
                yield rule, _name(file, owners, node.lineno)
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type == tokenize.COMMENT:
            for rule in _in_prose(token.string):
                yield rule, _name(file, owners, token.start[0])


def _in_prose(text: str) -> Iterator[str]:
    for rule, step, phase in _PROSE.findall(text):
        yield f"{rule}-{step}" if step else f"{rule}-{phase.lower().replace(' ', '-')}" if phase else rule


def _docstrings(tree: ast.Module) -> set[int]:
    holders = (ast.Module, ast.FunctionDef, ast.ClassDef)
    return {
        id(node.body[0].value)
        for node in ast.walk(tree)
        if isinstance(node, holders) and node.body and isinstance(node.body[0], ast.Expr)
    }


def _owners(tree: ast.Module) -> list[tuple[int, int, str]]:
    return [
        (node.lineno, node.end_lineno or node.lineno, node.name)
        for node in ast.walk(tree)
        if isinstance(node, (ast.FunctionDef, ast.ClassDef))
    ]


def _name(file: Path, owners: list[tuple[int, int, str]], line: int) -> str:
    inside = [(start, name) for start, end, name in owners if start <= line <= end]
    return f"{file.stem}.{max(inside)[1]}" if inside else file.stem


def tests(kit: Kit) -> dict[str, list[str]]:
    """Paragraph id -> the tests named after it; tests named after none are under ''."""
    prefixes = {re.sub(r"[.-]", "_", rule): rule for rule in book(kit).paragraphs}
    found: dict[str, list[str]] = {}
    for name in test_docstrings(kit):
        words = name.removeprefix("test_")
        fits = [prefix for prefix in prefixes if words == prefix or words.startswith(f"{prefix}_")]
        rule = prefixes[max(fits, key=len)] if fits else ""
        if rule or re.match("[0-9]", words):
            found.setdefault(rule, []).append(name)
    return found


def test_docstrings(kit: Kit) -> Mapping[str, str]:
    """Test name -> its docstring, of all tests of the rules."""
    found = {}
    for file in sorted(kit.tests.glob("test_*.py")):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.FunctionDef) and node.name.startswith("test_"):
                found[node.name] = ast.get_docstring(node) or ""
    return found


def rulings(kit: Kit) -> dict[str, list[str]]:
    """Ruling -> the tests that name it in their docstring."""
    found: dict[str, list[str]] = {}
    for name, text in test_docstrings(kit).items():
        for ruling in sorted(set(_RULING.findall(text))):
            found.setdefault(ruling, []).append(name)
    return found


def faults(kit: Kit) -> list[str]:
    """Everything that keeps the rules from being covered, a sentence each."""
    paragraphs, cited, tested = book(kit).paragraphs, citations(kit), tests(kit)
    wrong = [f"{rule} is coded and cited by no function" for rule in coded(kit) if rule not in cited]
    wrong += [f"{rule} is coded and no test is named after it" for rule in coded(kit) if rule not in tested]
    wrong += [f"{rule} is cited by {cited[rule][0]} and is no paragraph" for rule in cited if rule not in paragraphs]
    wrong += [f"{name} is named after no paragraph" for name in tested.get("", [])]
    return wrong + [f"{rule} is open" for rule, paragraph in paragraphs.items() if paragraph.status == "open"]
