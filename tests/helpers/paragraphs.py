"""The functions that cite a paragraph of the rulebook, the cards that cite it, and the tests named after it.

``kursk_pbem.rulebook.citations`` defines a citation; ``conformance/cards.md`` describes cards. The name of a test
begins with the id of its paragraph, with ``_`` for every dot and dash; the longest fitting id counts.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Collection, Mapping

from helpers.registry import ROOT, Kit
from kursk_pbem.audit import suite
from kursk_pbem.audit.cards import reading
from kursk_pbem.rulebook import books
from kursk_pbem.rulebook import citations as citing
from kursk_pbem.rulebook import rulings as pages

_RULING = re.compile(r"\b[A-Z]+-[0-9]+\b")


def load_book(kit: Kit) -> books.Rulebook:
    """Return the rulebook of a kit."""
    return books.load(kit.ruleset.rulebook)


def list_coded(kit: Kit) -> list[str]:
    """Return the coded paragraphs."""
    return [rule for rule, paragraph in load_book(kit).paragraphs.items() if paragraph.status == "coded"]


def find_citations(kit: Kit) -> dict[str, list[str]]:
    """Return the citing functions by paragraph id, as ``module.function``."""
    return {
        rule: [f"{place.file.stem}.{place.name}".rstrip(".") for place in places]
        for rule, places in citing.find_in_folder(kit.code).items()
    }


def find_tests(kit: Kit) -> dict[str, list[str]]:
    """Return the tests by paragraph id; tests without a paragraph are under ''."""
    prefixes = {re.sub(r"[.-]", "_", rule): rule for rule in load_book(kit).paragraphs}
    found: dict[str, list[str]] = {}
    for name in test_docstrings(kit):
        words = name.removeprefix("test_")
        fits = [prefix for prefix in prefixes if words == prefix or words.startswith(f"{prefix}_")]
        rule = prefixes[max(fits, key=len)] if fits else ""
        if rule or re.match("[0-9]", words):
            found.setdefault(rule, []).append(name)
    return found


def load_cards(kit: Kit) -> dict[str, str]:
    """Return id -> card of a system; a toy has no cards."""
    _header, cards = reading.split_cards(suite.read_cards(ROOT / "conformance", kit.id))
    return cards


def find_cards(kit: Kit) -> dict[str, list[str]]:
    """Return the cards by paragraph id; a card stands under each paragraph of its heading."""
    found: dict[str, list[str]] = {}
    for name, card in load_cards(kit).items():
        for rule in reading.read_heading(card)[2]:
            found.setdefault(rule, []).append(name)
    return found


def test_docstrings(kit: Kit) -> Mapping[str, str]:
    """Return the docstrings of all tests of the rules, by test name."""
    found = {}
    for file in sorted(kit.tests.glob("test_*.py")):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.FunctionDef) and node.name.startswith("test_"):
                found[node.name] = ast.get_docstring(node) or ""
    return found


def find_rulings(kit: Kit) -> dict[str, list[str]]:
    """Return the cards that name a ruling, and the tests with it in their docstring, by ruling."""
    found: dict[str, list[str]] = {}
    for name, text in [*test_docstrings(kit).items(), *load_cards(kit).items()]:
        for ruling in sorted(set(_RULING.findall(text.removeprefix(name)))):
            found.setdefault(ruling, []).append(name)
    return found


def find_unlisted(title: str, listing: Collection[str], book: Collection[str]) -> list[str]:
    """Return the paragraphs that a ruling's title names, if neither the paragraph nor one below it is listing it."""
    named = [rule for rule in re.split("[(), ]+", title) if rule in book]
    return [
        rule
        for rule in named
        if not any(below == rule or below.startswith((f"{rule}-", f"{rule}.")) for below in listing)
    ]


def find_disagreements(book: Mapping[str, books.Paragraph], decided: Mapping[str, pages.Ruling]) -> list[str]:
    """Return where only a paragraph or only a ruling says that we depart from the text, a sentence each."""
    wrong = []
    departing = [uid for uid, ruling in decided.items() if ruling.ground and ruling.ground.kind == "departs"]
    for uid in departing:
        listing = [rule for rule, paragraph in book.items() if uid in paragraph.departs]
        missing = find_unlisted(decided[uid].title, listing, book) or ([] if listing else ["a paragraph"])
        wrong += [f"{uid} departs; {rule} should list it in departs" for rule in missing]
    for rule, paragraph in book.items():
        false = [uid for uid in paragraph.departs if uid not in departing]
        wrong += [f"{rule} departs by {uid}, a ruling that does not" for uid in false]
    return wrong


def find_faults(kit: Kit) -> list[str]:
    """Return all faults in the coverage of the rules, a sentence for each."""
    paragraphs, cited, tested = load_book(kit).paragraphs, find_citations(kit), find_tests(kit)
    shown = find_cards(kit)
    wrong = [f"{rule} is coded and cited by no function" for rule in list_coded(kit) if rule not in cited]
    wrong += [
        f"{rule} is coded and has neither a card nor a test named after it"
        for rule in list_coded(kit)
        if rule not in tested and rule not in shown
    ]
    wrong += [f"{rule} is cited by {cited[rule][0]} and is no paragraph" for rule in cited if rule not in paragraphs]
    wrong += [f"{name} is named after no paragraph" for name in tested.get("", [])]
    wrong += find_disagreements(paragraphs, pages.load(kit.id))
    return wrong + [f"{rule} is open" for rule, paragraph in paragraphs.items() if paragraph.status == "open"]
