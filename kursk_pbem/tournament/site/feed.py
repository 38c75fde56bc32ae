"""News as an Atom feed (RFC 4287) and deadlines as a calendar (RFC 5545), with permanent ids."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any
from xml.etree import ElementTree as ET

from kursk_pbem.errors import load_library
from kursk_pbem.frozen import frozen
from kursk_pbem.report.pictures.svgtext import escape
from kursk_pbem.tournament.book import bidding, clocks, draws
from kursk_pbem.tournament.book.people import find_open_draw
from kursk_pbem.tournament.records import Book
from kursk_pbem.tournament.site import layout, words
from kursk_pbem.tournament.site.view import View, make_urn

ATOM = "http://www.w3.org/2005/Atom"
MOST = 50
"""The maximum number of entries of the feed."""


def build_feed(view: View) -> str:
    """Return the feed of a site (news), the newest entry first."""
    ET.register_namespace("", ATOM)
    feed = ET.Element(f"{{{ATOM}}}feed")
    _add_text(feed, "title", view.book.rules.title)
    _add_text(feed, "id", make_urn(view.book.id))
    _add_text(feed, "updated", view.now)
    _add_text(ET.SubElement(feed, f"{{{ATOM}}}author"), "name", "the director")
    ET.SubElement(feed, f"{{{ATOM}}}link", {"rel": "self", "href": layout.FEED})
    ET.SubElement(feed, f"{{{ATOM}}}link", {"rel": "alternate", "href": layout.INDEX})
    told = [paper for paper in reversed(view.book.log) if paper.type in words.NEWS]
    for paper in told[:MOST]:
        entry = ET.SubElement(feed, f"{{{ATOM}}}entry")
        _add_text(entry, "title", words.describe_paper(view, paper))
        _add_text(entry, "id", make_urn(paper.id))
        _add_text(entry, "updated", paper.text("time"))
        ET.SubElement(entry, f"{{{ATOM}}}link", {"rel": "alternate", "href": words.page_of_paper(paper)})
    ET.indent(feed, " ")
    body = ET.tostring(feed, encoding="unicode")
    return f"<?xml version='1.0' encoding='utf-8'?>\n{body}\n"


def _add_text(parent: ET.Element, name: str, inner: str) -> None:
    # replace characters that XML forbids; ElementTree escapes the rest
    clean = "".join("?" if escape(letter) == "?" else letter for letter in inner)
    ET.SubElement(parent, f"{{{ATOM}}}{name}").text = clean


@frozen
class Deadline:
    """A deadline for the calendar: the log ``paper`` that set it, its subject (``about``), and how often it changed."""

    paper: str
    about: str
    title: str
    time: str
    changed: int


def list_deadlines(book: Book) -> Iterator[Deadline]:
    """Yield the deadlines of all entrants: reveals, bids, rounds. Deadlines of single players are not public."""
    given = [clock for clock in book.clocks if clock.who == clocks.ALL]
    draw = find_open_draw(book)
    if draw is not None:
        title = f"Reveals for lots {draw.number}"
        yield Deadline(book.log[draw.seq].id, "open", title, draws.answers_until(book, draw), 0)
    for round_ in book.rounds:
        id_ = book.log[round_.seq].id
        later = sum(max(clock.seq, clock.said) > round_.seq for clock in given)
        boards = [book.boards[name] for name in round_.boards]
        waiting = [board for board in boards if not board.sides_known]
        if waiting:
            until = max(bidding.bids_until(book, board) for board in waiting)
            yield Deadline(id_, "bids", f"Bids for sides of round {round_.number}", until, later)
        begin = [clocks.begin_by(book, board) for board in boards if not board.game and not board.decided]
        if begin:
            yield Deadline(id_, "begin", f"Games of round {round_.number} must have begun", max(begin), later)
        if any(not board.decided for board in boards):
            due = clocks.round_due(book, round_.number)
            yield Deadline(id_, "due", f"End of round {round_.number}", due, later)


def build_calendar(view: View) -> bytes:
    """Return the deadlines as a calendar. Raises MissingError if the library is not installed."""
    library = load_library("icalendar", "the calendar of the site", "tournament")
    ical = library.Calendar()
    ical.add("prodid", "-//kursk-pbem//tournament//EN")
    ical.add("version", "2.0")
    ical.add("name", view.book.rules.title)
    for deadline in list_deadlines(view.book):
        event = library.Event()
        event.add("uid", make_urn(deadline.paper, deadline.about))
        event.add("dtstamp", _make_time(library, view.now))
        event.add("dtstart", _make_time(library, deadline.time))
        event.add("summary", f"{view.book.rules.title}: {deadline.title}")
        event.add("sequence", deadline.changed)
        event.add("transp", "TRANSPARENT")
        ical.add_component(event)
    raw: bytes = ical.to_ical(sorted=True)
    return raw


def _make_time(library: Any, text: str) -> object:
    """Return a time as an object of the library."""
    return library.vDatetime.from_ical(text.replace("-", "").replace(":", ""))
