"""Templates, style and file names of the pages. Pages allow only the site's style and maps, and no scripts."""

from __future__ import annotations

from functools import lru_cache
from importlib.resources import files
from typing import Any

from kursk_pbem.formats import times
from kursk_pbem.report.replay import hash_source

INDEX, CROSS, PLAYERS, RULES = "index.html", "cross.html", "players.html", "rules.html"
DECISIONS, VERIFY = "decisions.html", "verify.html"
STYLES = ("site.css", "boards.css")
"""The styles of every page in order: the page, then boards and maps."""
FEED, CALENDAR, ARCHIVE = "feed.atom", "deadlines.ics", "archive.zip"
ROUND, PLAYER, BOARD, REPLAY = "round-{}.html", "player-{}.html", "board-{}.html", "replay-{}.html"
MAP, THUMB, FIGHT = "map-{}.svg", "thumb-{}.svg", "fight-{}.svg"
"""Names to format, with the round, the player's number or the board: pages, the maps of a board and of its fight."""
TURN, FILM = "turn-{}-{}.png", "game-{}-{}.gif"
"""Names to format, with the board and the beginning of the newest message's id: the newest turn, the finished game."""


@lru_cache(maxsize=1)
def _load_style() -> tuple[str, str]:
    """Return the style, and a policy that allows only the style and the maps."""
    palette = (files("kursk_pbem.report") / "page" / "palette.css").read_text(encoding="utf-8")  # shared with the board
    own = files("kursk_pbem.tournament.site")
    style = palette + "".join((own / name).read_text(encoding="utf-8") for name in STYLES)
    allowed = f"img-src 'self'; style-src {hash_source(style)}"
    policy = f"default-src 'none'; {allowed}; base-uri 'none'; form-action 'none'"
    return style, policy


@lru_cache(maxsize=1)
def load_templates() -> Any:
    """Return the templates of pages. Templates escape each text."""
    import jinja2  # noqa: PLC0415  only where a site is made
    from markupsafe import Markup  # noqa: PLC0415

    made = jinja2.Environment(
        loader=jinja2.PackageLoader("kursk_pbem.tournament.site"),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    style, policy = _load_style()
    made.globals |= {"style": Markup(style), "policy": policy}  # noqa: S704  our own file
    made.filters |= {"time": times.tell_day, "span": times.in_words}
    return made
