"""One palette for board, replay and tournament site, light and dark, defined once."""

import re

from helpers.registry import ROOT

from kursk_pbem.report import replay
from kursk_pbem.tournament.site import layout

PACKAGE = ROOT / "kursk_pbem"
PALETTE = (PACKAGE / "report" / "page" / "palette.css").read_text(encoding="utf-8")


def test_the_colours_of_pages_are_written_down_once():
    owners = [
        path
        for path in sorted(PACKAGE.rglob("*.css"))
        if re.search(r"--(back|fore|line):", path.read_text(encoding="utf-8"))
    ]
    assert [path.name for path in owners] == ["palette.css"]


def test_replay_and_tournament_bring_it_and_the_board_links_it():
    assert replay.STYLES[0] == "palette.css"
    style, _policy = layout._load_style()
    assert style.startswith(PALETTE)
    page = (PACKAGE / "board" / "templates" / "base.html").read_text(encoding="utf-8")
    assert page.index("palette.css") < page.index("sheet.css") < page.index("board.css")


def test_every_colour_that_a_style_asks_for_is_there():
    known = set(re.findall(r"(--[a-z0-9-]+):", PALETTE))
    for path in [PACKAGE / "tournament" / "site" / "site.css", *(PACKAGE / "report" / "page").glob("*.css")]:
        asked = set(re.findall(r"var\((--[a-z0-9-]+)", path.read_text(encoding="utf-8")))
        assert asked - known - {"--lit", "--per"} == set(), path.name  # the map's own
