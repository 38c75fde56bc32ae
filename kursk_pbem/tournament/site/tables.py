"""The first page, with the standings and what is next, and the cross table."""

from __future__ import annotations

from collections.abc import Iterator

from kursk_pbem.formats import times
from kursk_pbem.tournament.book import bidding, clocks, draws, plan
from kursk_pbem.tournament.book.people import open_draw
from kursk_pbem.tournament.book.records import PLAYED, SPENT
from kursk_pbem.tournament.rules import ROUND_ROBIN
from kursk_pbem.tournament.score.counted import Game, spent
from kursk_pbem.tournament.score.table import Row
from kursk_pbem.tournament.site import html, layout, words
from kursk_pbem.tournament.site.html import Column, Html
from kursk_pbem.tournament.site.view import View

MATRIX = 16
"""Entrants up to whom a round robin has a square cross table; more are told by rounds."""

_BREAKS = {
    "direct": "direct encounter",
    "buchholz": "sum of the opponents' points",
    "buchholz-1": "sum of the opponents' points without the smallest",
    "berger": "points won times the opponents' points",
    "wins": "games won on the board",
    "weak": "games won with the weaker side",
    "margin": "sum of margins",
    "par": "margins beyond those of all others with the same side",
    "first-loss": "round of the first loss",
    "lot": "drawn lots",
}


def index(view: View) -> str:
    """The first page."""
    left = html.tag("div", *_standings(view))
    right = html.tag("div", html.tag("h2", html.text("What is next")), *next_steps(view), *_news(view))
    book = view.book
    title = f"Standings {'in' if book.undecided() else 'after'} round {book.round}"
    if not book.round:
        title = "Before the first round"
    return layout.page(view, layout.INDEX, title, html.tag("div", left, right, class_="columns"))


def _standings(view: View) -> Iterator[Html]:
    book = view.book
    if not book.numbers:
        there = [entrant for entrant in book.entrants.values() if not entrant.out]
        yield html.tag("p", html.text(f"{len(there)} have entered; places follow from the games."))
        return
    if book.ended:
        best = html.link(layout.player_page(view.table.rows[0].number), html.name(view.name(view.table.rows[0].number)))
        yield html.tag("p", html.text("The tournament has ended. First is "), best, html.text("."), class_="lead")
    if book.undecided():
        yield html.tag("p", html.text(f"{len(book.undecided())} games of it are not decided."), class_="note")
    columns = [
        Column("#", "number", "place"),
        Column("No.", "number more", "number, by the draw"),
        Column("Player"),
        Column("Points", "number"),
        Column("Games", "number more"),
        Column("+", "number", "won"),
        Column("=", "number", "drawn"),
        Column("-", "number", "lost"),
        *(Column(name, "number more", _BREAKS[name]) for name in book.rules.breaks),
    ]
    if view.ratings:
        columns.append(Column("Rating", "number more"))
    yield html.table("Standings", columns, (_row(view, row) for row in view.table.rows), named=2)
    digest = html.tag("span", html.text(view.table.sha256), class_="hash")
    yield html.tag("p", html.text("Hash of this table: "), digest, class_="note")


def _row(view: View, row: Row) -> list[Html]:
    player = html.link(layout.player_page(row.number), html.name(view.name(row.number)))
    gone = html.text(" (withdrawn)") if view.book.entrant(row.number).left >= 0 else html.NOTHING
    cells = [html.text(row.place), html.text(row.number), html.join([player, gone])]
    cells += [html.text(figure) for figure in (row.points, row.games, row.won, row.drawn, row.lost)]
    cells += [html.text(row.breaks[name]) for name in view.book.rules.breaks]
    return [*cells, html.text(view.ratings[row.number])] if view.ratings else cells


def next_steps(view: View) -> Iterator[Html]:
    """What comes next, and until when."""
    steps = [html.text(step) for step in _next(view)]
    yield html.items(steps) if steps else html.tag("p", html.text("Nothing: the tournament has ended."))


def _next(view: View) -> Iterator[str]:
    book = view.book
    if book.ended:
        return
    if not book.draws:
        yield "Entries may come until the director closes the field."
        return
    draw = open_draw(book)
    if draw is not None:
        until = draws.closes_at(book, draw)
        there = len(draw.opened())
        yield f"Draw {draw.number}: {there} of {len(draw.entries)} have opened, until {times.said(until)}."
    for number in sorted({board.round for board in book.undecided()}):
        boards = [board for board in book.undecided() if board.round == number]
        due = times.said(clocks.round_due(book, number))
        yield f"Round {number}: {len(boards)} of {len(list(book.of_round(number)))} games are not decided, due {due}."
    waiting = [board for board in book.undecided() if not board.sides_known]
    if waiting:
        until = max(bidding.until(book, board) for board in waiting)
        yield f"Bids for sides of {len(waiting)} boards, until {times.said(until)}."
    if draw is None and not book.undecided():
        why = plan.hindrance(book)
        yield "The prizes." if why == plan.NO_ROUND else f"Round {book.round + 1} is to be drawn and paired."


def _news(view: View) -> Iterator[Html]:
    entries = [words.news(view, paper) for paper in reversed(view.book.log)]
    newest = [entry for entry in entries if entry][:8]
    yield html.tag("h2", html.text("News"))
    yield html.items(newest)
    yield html.tag("p", html.link(layout.DECISIONS, html.text("All papers of the log")), class_="note")


def cross(view: View) -> str:
    """The cross table: on a phone a list."""
    if not view.book.rounds:
        return layout.page(view, layout.CROSS, "Cross table", html.tag("p", html.text("No round is paired yet.")))
    square = view.book.rules.format == ROUND_ROBIN and len(view.table.rows) <= MATRIX
    table = _square(view) if square else _by_rounds(view)
    region = html.tag("div", table, class_="wide scroll", role="region", aria_label="Cross table", tabindex="0")
    note = (
        "Points, the side, and the opponent's place." if not square else "Points of each meeting, row against column."
    )
    return layout.page(
        view, layout.CROSS, "Cross table", html.tag("p", html.text(note), class_="note"), region, _list(view)
    )


def _square(view: View) -> Html:
    rows = view.table.rows
    columns = [Column("#", "number", "place"), Column("Player")]
    columns += [Column(str(row.place), "number", view.name(row.number)) for row in rows]
    columns.append(Column("Points", "number"))
    return html.table("Everybody against everybody", columns, (_against_all(view, row) for row in rows), named=1)


def _against_all(view: View, row: Row) -> list[Html]:
    cells = [html.text(row.place), html.link(layout.player_page(row.number), html.name(view.name(row.number)))]
    for other in view.table.rows:
        met = [game for game in view.counted.of(row.number) if game.against(row.number) == other.number]
        shown = [html.link(layout.board_page(game.board), html.text(game.of(row.number))) for game in met]
        cells.append(html.text("X") if other.number == row.number else html.join(shown, "+"))
    return [*cells, html.text(row.points)]


def _by_rounds(view: View) -> Html:
    columns = [Column("#", "number", "place"), Column("Player")]
    columns += [Column(f"Round {number}") for number in range(1, view.book.round + 1)]
    columns.append(Column("Points", "number"))
    return html.table("Everybody, round by round", columns, (_line(view, row) for row in view.table.rows), named=1)


def _line(view: View, row: Row) -> list[Html]:
    cells = [html.text(row.place), html.link(layout.player_page(row.number), html.name(view.name(row.number)))]
    cells += [html.join(_meetings(view, row.number, number), "; ") for number in range(1, view.book.round + 1)]
    return [*cells, html.text(row.points)]


def _meetings(view: View, number: str, round_: int) -> list[Html]:
    """What somebody did in a round: each game with points, side, and the opponent's place; or how it was spent."""
    links = []
    for board in view.book.of_round(round_):
        if number not in board.sides.values():
            continue
        game = next((game for game in view.counted.games if game.board == board.name), None)
        other = board.against(number)
        against = f"place {view.places[other]}" if other in view.places else f"guest {other}"
        got = str(game.of(number)) if game else "?"
        said = html.text(f"{got} {board.side_of(number)}, {against}")
        links.append(html.link(layout.board_page(board.name), said))
    if links:
        return links
    how = spent(view.book, number, round_)
    points = view.counted.lone.get(number, {}).get(round_, 0)
    return [html.text(f"{points} {SPENT.get(how, how)}")] if how != PLAYED else []


def _list(view: View) -> Html:
    """The same for a narrow screen."""
    entries = []
    for row in view.table.rows:
        player = html.link(layout.player_page(row.number), html.name(view.name(row.number)))
        games = view.counted.of(row.number)
        inner = html.items(_told(view, row.number, game) for game in games)
        entries.append(html.join([html.text(f"{row.place}. "), player, html.text(f", {row.points} points"), inner]))
    return html.tag("div", html.items(entries), class_="narrow")


def _told(view: View, number: str, game: Game) -> Html:
    other = game.against(number)
    board = html.link(layout.board_page(game.board), html.text(f"board {game.board}"))
    return html.join([html.text(f"{game.of(number)} against "), html.name(view.name(other)), html.text(", "), board])
