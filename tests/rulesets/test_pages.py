"""The pages of the games have equal headings, so that readers find their way in a new game."""

import re

import pytest
from helpers.registry import ROOT

from kursk_pbem import rulesets
from kursk_pbem.desk.deals.begin import find_proposer
from kursk_pbem.rulebook import pages


@pytest.mark.parametrize("rid", [ruleset.id for ruleset in rulesets.every()])
def test_every_game_has_a_page_with_the_same_headings(rid):
    page = (ROOT / "docs" / "games" / f"{rid}.md").read_text(encoding="utf-8")
    assert re.findall(r"^## (.*)$", page, re.MULTILINE) == ["1. A turn", "2. Its files", "3. Its data"]
    assert f"(../rulings/{rid}.md)" in page


@pytest.mark.parametrize("scenario", ["battle-for-kursk/citadel", "juggernauts/july-1943"])
def test_a_page_says_who_proposes(scenario):
    page = (ROOT / "docs" / "games" / f"{scenario.partition('/')[0]}.md").read_text(encoding="utf-8")
    (said,) = re.findall(r"^The (\w+)(?: side)? proposes", page, re.MULTILINE)
    assert said.lower() == find_proposer(scenario, {})


def test_the_pages_for_any_game_show_nothing_of_one_alone():
    """Section 2 of the formats refers to the game's page for stages and orders."""
    formats = (ROOT / "docs" / "formats.md").read_text(encoding="utf-8")
    draft = formats.split("\n## 2. ")[1].split("\n## 3. ")[0]
    stages = {
        stage for ruleset in rulesets.every() for stage in re.findall(r"\b(?:german|soviet|russian)-\w+\b", draft)
    }
    assert stages == set()


def test_a_page_is_found_by_its_file():
    """The README names files; 'kursk help' accepts file names, too."""
    named = ("docs/players.md", "formats.md", "docs/games/juggernauts.md", "games/kursk-1971", "docs/rulings/x.md")
    found = [pages.match_page([name, "4"])[0] for name in named]
    assert found == ["players", "formats", "juggernauts", "kursk-1971", ""]


def test_help_shows_every_page_that_the_handbook_names():
    """A player without the sources reads 'kursk help players', and types the words of this page."""
    handbook = (ROOT / "docs" / "players.md").read_text(encoding="utf-8")
    named = set(re.findall(r"\]\((?:games/)?([a-z0-9-]+)\.md\)", handbook))
    assert len(named) >= 5
    assert named <= set(pages.list_pages())


@pytest.mark.parametrize("name", list(pages.list_pages()))
def test_every_row_of_a_table_is_shown_in_a_line_of_its_own(name):
    """Text between backticks may be longer than a line, but never joins two rows."""
    for section in pages.load(name):
        lines = section.text.split("\n")
        rows = [row for row in lines if row.startswith("|") and not re.fullmatch(r"\|[|: -]+\|", row)]
        shown = [item for text, _fixed in pages.split_blocks(section.text) for item in pages.split_items(text)]
        assert sum(item.startswith("|") for item in shown) == len(rows)
        for item in shown:
            for span in re.findall("`[^`]+`", item):
                assert "\n" not in span
