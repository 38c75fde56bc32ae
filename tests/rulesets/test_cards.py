"""The cards of the conformance suite: our rules give the answer of each card. ``pytest -k 8.0-advance`` runs some."""

import json
from functools import cache

import pytest
from helpers import paragraphs, registry

from kursk_pbem.audit import conformance, suite
from kursk_pbem.audit.cards import reading, words

SUITE = registry.ROOT / "conformance"
SHOWN = {kit.id: paragraphs.find_cards(kit) for kit in registry.kits()}
"""System -> paragraph -> cards."""
PARAGRAPHS = [(system, rule) for system, found in SHOWN.items() for rule in found]


@cache
def load_words(system):
    header, cards = reading.split_cards(suite.read_cards(SUITE, system))
    return words.read_words(system, header), cards


@cache
def find_difference(system, name):
    """Return how our answer differs from that of a card, or ''. Most cards show several paragraphs."""
    system_words, cards = load_words(system)
    case = reading.read_card(system_words, cards[name])
    said = conformance.answer_question(json.loads(json.dumps(case)))
    verdict = suite.judge_answer(case, said.get("answer"))
    return "" if verdict == "pass" else f"{cards[name]}\n\n{verdict}; our answer: {json.dumps(said, indent=1)}"


@pytest.mark.parametrize(("system", "rule"), PARAGRAPHS, ids=[f"{system}-{rule}" for system, rule in PARAGRAPHS])
def test_our_rules_give_the_answers_of_the_cards(system, rule):
    differences = [text for name in SHOWN[system][rule] if (text := find_difference(system, name))]
    assert not differences, "\n\n".join(differences)


@pytest.mark.parametrize("system", registry.KITS)
def test_the_published_cases_are_those_of_the_cards(system):
    """After a wanted change: ``make conformance``."""
    published = [case for case in suite.read_suite(SUITE, system).cases if "/" not in case["id"]]
    assert reading.read_cards(system, suite.read_cards(SUITE, system)) == published
