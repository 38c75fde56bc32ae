"""The pages on the games: the same headings in each, so that whoever knows one finds their way in the next."""

import re

import pytest
from helpers.registry import ROOT

from kursk_pbem import rulesets


@pytest.mark.parametrize("rid", [ruleset.id for ruleset in rulesets.every()])
def test_every_game_has_a_page_with_the_same_headings(rid):
    page = (ROOT / "docs" / "games" / f"{rid}.md").read_text(encoding="utf-8")
    assert re.findall(r"^## (.*)$", page, re.MULTILINE) == ["1. A turn", "2. Its files", "3. Its data"]
    assert f"(../rulings/{rid}.md)" in page


def test_the_pages_for_any_game_show_nothing_of_one_alone():
    """Section 2 of the formats: stages and orders stand on the page of the game."""
    formats = (ROOT / "docs" / "formats.md").read_text(encoding="utf-8")
    draft = formats.split("\n## 2. ")[1].split("\n## 3. ")[0]
    stages = {
        stage for ruleset in rulesets.every() for stage in re.findall(r"\b(?:german|soviet|russian)-\w+\b", draft)
    }
    assert stages == set()
