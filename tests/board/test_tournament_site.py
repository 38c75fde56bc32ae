"""The site of a tournament in a browser: accessible, on a phone and on a wide screen, without cut text."""

import re

import pytest

from board.screens import opened, violations
from board.seats import Seat
from kursk_pbem.tournament.proof import verify
from kursk_pbem.tournament.site import publication

WIDTHS = (390, 1920)


@pytest.fixture(scope="module")
def site(ended, tmp_path_factory):
    out = tmp_path_factory.mktemp("site") / "site"
    publication.write_site(
        out, publication.build_files(publication.load_view(ended.folder, verify.verify_tournament(ended.folder)))
    )
    return out


@pytest.mark.some(6)
@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", WIDTHS)
def test_every_page_can_be_read_by_everybody(browser, site, width, scheme):
    context = browser.new_context(viewport={"width": width, "height": 900}, color_scheme=scheme)
    page = context.new_page()
    wrong = []
    page.on("console", lambda said: wrong.append(said.text))
    page.on("request", lambda asked: wrong.append(asked.url) if not asked.url.startswith("file:") else None)
    for path in sorted(site.glob("*.html")):
        if path.name.startswith("replay"):
            continue
        page.goto(path.as_uri())
        beyond = page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
        assert beyond <= 0, (path.name, width)
        assert not wrong, path.name
        assert violations(page) == [], (path.name, width)
        wrong.clear()  # the checker adds a script, but the page refuses scripts
    context.close()


def test_the_whole_site_is_reached_by_its_links(browser, site):
    page = browser.new_context().new_page()
    page.goto((site / "index.html").as_uri())
    page.get_by_role("link", name="Rounds", exact=True).click()
    page.get_by_role("link", name="Board 2-1", exact=True).click()
    page.get_by_role("link", name="Step through the game on its map").click()
    page.locator("#check").get_by_text("verified").wait_for()  # the script runs after loading
    page.context.close()


@pytest.mark.parametrize("width", WIDTHS)
def test_the_home_page_shows_the_tournament_to_director_and_entrant(browser, ended, width):
    anna = ended.entrants["anna"]
    for who, words in ((ended.director, "has ended|undecided"), (anna, "(?i)you (have won|are in place)")):
        with opened(browser, Seat("german", who.place), viewport={"width": width, "height": 900}) as screen:
            shown = screen.page.get_by_role("region", name="Tournament")
            assert re.search(words, shown.inner_text())
            beyond = screen.page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
            assert beyond <= 0
            assert violations(screen.page) == []
