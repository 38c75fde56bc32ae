"""The cards of the conformance suite: our rules give the answer of each card. ``pytest -k 8.0-advance`` runs some."""

import gzip
import json
from functools import cache

import pytest
from helpers import paragraphs, registry

from kursk_pbem.audit import conformance, suite
from kursk_pbem.audit.cards import reading
from kursk_pbem.game import questions, scenarios

SUITE = registry.ROOT / "conformance"
SHOWN = {kit.id: paragraphs.find_cards(kit) for kit in registry.kits()}
"""System -> paragraph -> cards."""
PARAGRAPHS = [(system, rule) for system, found in SHOWN.items() for rule in found]


@pytest.fixture(autouse=True, scope="module")
def _read_once():
    """Read each scenario once, for some thousand cards."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(scenarios, "load", cache(scenarios.load))
        yield


@cache
def load_cards(system):
    """Return the words of a system and its cards by id."""
    header, cards = reading.split_cards(suite.read_cards(SUITE, system))
    return reading.read_words(system, header), cards


@cache
def load_case(system, name):
    """Return the case of a card. A worker reads the cards of its own tests alone."""
    known, cards = load_cards(system)
    return reading.read_card(known, cards[name])


@cache
def find_difference(system, name):
    """Return how our answer differs from the answer of a card, or ''. Most cards show several paragraphs.

    If the rules stop, pytest shows the file, the line and the text of the exception.
    """
    case = load_case(system, name)
    said = conformance.answer_question(case)
    verdict = suite.judge_answer(case, said.get("answer"))
    if verdict == "pass":
        return ""
    if "error" in said:
        questions.decide(case)
    return f"{load_cards(system)[1][name]}\n\n{verdict}; our answer: {json.dumps(said, indent=1)}"


@pytest.mark.parametrize("system", registry.KITS)
def test_the_published_cases_are_those_of_the_cards(system):
    published = gzip.decompress((SUITE / system / "hand.jsonl.gz").read_bytes()).splitlines()
    cases = {name: load_case(system, name) for name in load_cards(system)[1]}
    old = {case["id"]: case for case in map(json.loads, published)}
    changed = [name for name in {**old, **cases} if old.get(name) != cases.get(name)]
    assert not changed, f"the cards {', '.join(changed)} are newer than hand.jsonl.gz: type 'make conformance'"
    assert list(old) == list(cases)


@pytest.mark.parametrize(("system", "rule"), PARAGRAPHS, ids=[f"{system}-{rule}" for system, rule in PARAGRAPHS])
def test_our_rules_give_the_answers_of_the_cards(system, rule):
    differences = [text for name in SHOWN[system][rule] if (text := find_difference(system, name))]
    assert not differences, "\n\n".join(differences)
