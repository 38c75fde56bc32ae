"""Coverage of the rules: code cites every coded paragraph, and a card or a test shows every paragraph and ruling."""

import re
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "tools"))

import rules
from helpers import paragraphs, registry, sweeps

from kursk_pbem.rulebook import rulings
from kursk_pbem.rulesets import every as rulesets

each_kit = pytest.mark.parametrize("kit", registry.kits(), ids=lambda kit: kit.id)


def test_every_ruleset_of_the_program_is_tested():
    assert {ruleset.id for ruleset in rulesets()} <= registry.KITS.keys()
    for rid in registry.KITS:
        assert registry.kit(rid).id == rid


@pytest.mark.parametrize("kit", sweeps.some(registry.kits(), 4), ids=lambda kit: kit.id)
def test_every_coded_paragraph_is_cited_and_shown_and_every_citation_exists(kit):
    """See ``make rules`` for the whole table. No paragraph is open."""
    assert paragraphs.find_faults(kit) == []


@pytest.mark.some(9)
@each_kit
def test_every_ruling_is_shown_by_a_card_or_a_test(kit):
    """A card names the ruling, or the docstring of a test does."""
    numbered = re.findall(r"^### ([A-Z]+-[0-9]+): ", kit.rulings.read_text(encoding="utf-8"), re.MULTILINE)
    shown = paragraphs.find_rulings(kit)
    assert numbered
    assert [ruling for ruling in numbered if ruling not in shown] == []


@each_kit
def test_a_ruling_rests_on_the_paragraphs_that_its_heading_names(kit):
    """Bug: ``kursk rule J-69`` found no code. A paragraph below the named paragraph is enough."""
    book = paragraphs.load_book(kit).paragraphs
    loose = []
    for uid, ruling in rulings.load(kit.id).items():
        resting = [rule for rule, paragraph in book.items() if uid in paragraph.rulings]
        loose += [] if resting and not paragraphs.find_unlisted(ruling.title, resting, book) else [uid]
    assert loose == []


def test_the_longest_paragraph_that_fits_owns_a_test():
    """``test_9_3_dr_off_the_map`` belongs to 9.3-dr-off-the-map, not to 9.3-dr or 9.3."""
    found = paragraphs.find_tests(registry.kit("battle-for-kursk"))
    assert "test_9_3_dr_off_the_map_is_not_counted_on_it" in found["9.3-dr-off-the-map"]
    assert "test_9_3_dr_off_the_map_is_not_counted_on_it" not in found["9.3-dr"]


def test_of_a_toy_the_same_is_told_and_nothing_asked(capsys, monkeypatch):
    """``make rules RULESET=ridge-toy`` works for a new system without tests by paragraph."""
    monkeypatch.setattr(sys, "argv", ["rules.py", "ridge-toy"])
    assert rules.main() == 0
    told = capsys.readouterr().out
    assert "ridge-toy: " in told
    assert "is coded and has neither a card nor a test named after it" in told
