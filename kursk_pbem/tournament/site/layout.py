"""The frame of every page: title, ways to the others, the head of the log. It allows its own style and nothing else."""

from __future__ import annotations

import base64
import hashlib
from functools import lru_cache
from importlib.resources import files

from kursk_pbem.formats import times
from kursk_pbem.tournament.site import html
from kursk_pbem.tournament.site.html import Html
from kursk_pbem.tournament.site.view import View

INDEX, CROSS, PLAYERS, RULES, DECISIONS, VERIFY = (
    "index.html",
    "cross.html",
    "players.html",
    "rules.html",
    "decisions.html",
    "verify.html",
)
FEED, CALENDAR, ARCHIVE = "feed.atom", "deadlines.ics", "archive.zip"


def round_page(number: int) -> str:
    """The page of a round."""
    return f"round-{number}.html"


def player_page(number: str) -> str:
    """The page of an entrant."""
    return f"player-{number}.html"


def board_page(name: str) -> str:
    """The page of a board."""
    return f"board-{name}.html"


def replay_page(name: str, place: int) -> str:
    """The replay of a board's game; ``place`` counts them from 0 where a substitute took over."""
    return f"replay-{name}{f'-{place + 1}' if place else ''}.html"


@lru_cache(maxsize=1)
def _style() -> tuple[str, str]:
    """The style, and the policy that allows it alone."""
    palette = (files("kursk_pbem.report") / "page" / "palette.css").read_text(encoding="utf-8")  # the board's
    style = palette + (files("kursk_pbem.tournament.site") / "site.css").read_text(encoding="utf-8")
    digest = base64.b64encode(hashlib.sha256(style.encode("utf-8")).digest()).decode("ascii")
    return style, f"default-src 'none'; style-src 'sha256-{digest}'; base-uri 'none'; form-action 'none'"


def page(view: View, file: str, title: str, *body: Html) -> str:
    """A whole page, a text that ends in a newline; ``title`` is its heading."""
    style, policy = _style()
    rules = view.book.rules
    whole = rules.title if file == INDEX else f"{title} - {rules.title}"
    head = html.tag(
        "head",
        html.tag("meta", charset="utf-8"),
        html.tag("meta", http_equiv="Content-Security-Policy", content=policy),
        html.tag("meta", name="viewport", content="width=device-width, initial-scale=1"),
        html.tag("title", html.text(whole)),
        html.tag("link", rel="alternate", type="application/atom+xml", title="News", href=FEED),
        html.tag("style", Html(style)),
    )
    jump = html.link("#main", html.text("To the text"), class_="jump")
    inside = html.tag("main", html.tag("h1", html.text(title)), html.lines(body), id="main")
    shell = html.tag("body", jump, _top(view, file), inside, _foot(view))
    return f"<!doctype html>\n{html.tag('html', head, shell, lang='en')}\n"


def _top(view: View, file: str) -> Html:
    ways = [(INDEX, "Standings"), (CROSS, "Cross table")]
    if view.book.rounds:
        ways.append((round_page(view.book.round), "Rounds"))
    ways += [(PLAYERS, "Players"), (RULES, "Rules"), (DECISIONS, "Decisions"), (VERIFY, "Verify")]
    here = {"round": "Rounds", "player": "Players"}.get(file.partition("-")[0], "")
    tabs = [
        html.tag(
            "li",
            html.link(to, html.text(words), aria_current="page" if file == to else "true" if words == here else ""),
        )
        for to, words in ways
    ]
    title = html.tag("p", html.link(INDEX, html.text(view.book.rules.title)), class_="title")
    nav = html.tag("nav", html.tag("ul", *tabs), aria_label="Pages")
    return html.tag("header", title, html.tag("p", html.text(in_short(view))), nav, class_="top")


def in_short(view: View) -> str:
    """The tournament in a line."""
    book = view.book
    rules = book.rules
    entrants = len(book.ranked()) or sum(not entrant.out for entrant in book.entrants.values())
    state = "ended" if book.ended else f"round {book.round}" if book.round else "not begun"
    mirrored = ", mirrored" if rules.mirror else ""
    return f"{rules.format}{mirrored}, {entrants} entrants, {state}"


def _foot(view: View) -> Html:
    head = view.book.head
    about = html.text(f"As of log paper {head.seq}, {times.said(head.text('time'))}. Newest log paper: ")
    files_ = [
        html.link(FEED, html.text("news as a feed")),
        html.link(CALENDAR, html.text("deadlines as a calendar")),
        html.link("standings.csv", html.text("standings as CSV")),
        html.link("standings.json", html.text("as JSON")),
        html.link("standings.txt", html.text("as text")),
        html.link("tournament.trf", html.text("as TRF")),
        html.link(ARCHIVE, html.text("everything for auditors")),
    ]
    digits = html.tag("span", html.text(head.id[:32]), class_="hash")
    return html.tag("footer", html.tag("p", about, digits), html.tag("p", html.join(files_, ", ")))
