"""The gate: what is coded is cited by the code and tested, what is cited exists, every ruling is shown by a test."""

import re

import pytest

from rulesets.battle_for_kursk import paragraphs


def test_every_coded_paragraph_is_cited_and_tested_and_every_citation_exists():
    """See ``make rules`` for the whole table."""
    assert paragraphs.faults() == []


def test_no_paragraph_is_open():
    """What is still open would have to be named, with a reason; nothing is."""
    assert paragraphs.ALLOWED_OPEN == {}


@pytest.mark.skipif(not paragraphs.RULINGS.exists(), reason="the rulings are part of a checkout only")
def test_every_ruling_is_shown_by_a_test():
    """Each of our rulings is named in the docstring of at least one test."""
    numbered = re.findall(r"^### (K-[0-9]+): ", paragraphs.RULINGS.read_text(encoding="utf-8"), re.MULTILINE)
    shown = paragraphs.rulings()
    assert [ruling for ruling in numbered if ruling not in shown] == []


def test_the_longest_paragraph_that_fits_owns_a_test():
    """``test_9_3_dr_two_hexes_away`` belongs to 9.3-dr-two-hexes, not to 9.3-dr or 9.3."""
    found = paragraphs.tests()
    assert "test_9_3_dr_two_hexes_away_and_no_zigzag" in found["9.3-dr-two-hexes"]
    assert "test_9_3_dr_two_hexes_away_and_no_zigzag" not in found["9.3-dr"]
