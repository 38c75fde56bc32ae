"""Published pages of a tournament and of a ladder: nothing is too wide, and axe finds no faults, light and dark."""

from __future__ import annotations

import pytest
from helpers.tourney import World

from board.screens import SIDEWAYS, violations
from kursk_pbem.cli import run


@pytest.fixture(scope="module")
def sites(tmp_path_factory):
    """Return the site of a cup of two players, and a ladder of this cup."""
    root = tmp_path_factory.mktemp("cup")
    world = World(root)
    world.new("--knock-out", "--system", "battle-for-kursk/citadel", "--title", "Spring " + "w" * 50)
    world.enter(["anna", "b" * 60])
    world.begin()
    world.play_round()
    world.inbox()
    world.director.kursk("tournament", "end", world.folder)
    world.director.kursk("tournament", "publish", "--no-pictures", world.folder, "-o", root / "site")
    assert run(["rating", "--site", str(root / "ladder"), str(root / "site" / "archive.zip")]) == 0
    return root / "site", root / "ladder"


@pytest.mark.parametrize(("scheme", "width"), [("light", 1280), ("dark", 390)])
def test_axe_finds_nothing_on_published_pages(browser, sites, scheme, width):
    with browser.new_context(color_scheme=scheme, viewport={"width": width, "height": 800}) as context:
        page = context.new_page()
        for path in sorted(path for site in sites for path in site.glob("[!r]*.html")):
            page.goto(path.as_uri())
            assert page.evaluate(SIDEWAYS) == 0, path
            assert violations(page) == [], path.name
