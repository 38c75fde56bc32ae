"""A page for each round: its boards, who has a bye, who is absent."""

from __future__ import annotations

from kursk_pbem.formats import times
from kursk_pbem.tournament import boards
from kursk_pbem.tournament.book import clocks
from kursk_pbem.tournament.book.records import SPENT, Board
from kursk_pbem.tournament.site import html, layout, view
from kursk_pbem.tournament.site.html import Column, Html
from kursk_pbem.tournament.site.view import View


def page(shown: View, number: int) -> str:
    """The page of a round."""
    book = shown.book
    ways = [
        html.link(
            layout.round_page(round_number),
            html.text(f"Round {round_number}"),
            aria_current="page" if round_number == number else "",
        )
        for round_number in range(1, book.round + 1)
    ]
    rounds = [round_ for round_ in book.rounds if round_.number == number]
    due = times.said(clocks.round_due(book, number))
    paired = f"Paired by {rounds[0].method} on {times.said(rounds[0].time)}, due {due}."
    systems = sorted({board.system for board in book.of_round(number)})
    played = ", ".join(book.rules.systems[system - 1].scenario for system in systems)
    table = html.table(
        f"Boards of round {number}: {played}" if played else f"Boards of round {number}",
        [Column("Board"), Column("First side"), Column("Second side"), Column("Points", "number"), Column("Result")],
        (_board(shown, board) for board in book.of_round(number)),
    )
    others = [_spends(shown, who, how) for round_ in rounds for who, how in round_.spent.items()]
    lonely = [html.tag("h2", html.text("Without a game")), html.items(others)] if others else []
    nav = html.tag("p", html.join(ways, " · "))
    return layout.page(
        shown, layout.round_page(number), f"Round {number}", nav, html.tag("p", html.text(paired)), table, *lonely
    )


def _board(shown: View, board: Board) -> list[Html]:
    name = html.link(layout.board_page(board.name), html.text(board.name))
    players = [html.join([player(shown, board, side), _side(board, side)]) for side in board.sides]
    return [name, *players, html.text(view.score(shown, board)), html.text(view.result(board))]


def player(shown: View, board: Board, side: str) -> Html:
    """Who plays a side of a board; in bold if they have won."""
    number = board.sides[side]
    who = html.name(boards.names(shown.book, board)[side])
    if not number.startswith("g"):
        who = html.link(layout.player_page(number), who)
    won = board.outcome is not None and board.outcome.final and board.outcome.winner == side
    return html.tag("span", who, class_="won") if won else who


def _side(board: Board, side: str) -> Html:
    return html.text(f" ({side})" if board.sides_known else "")


def _spends(shown: View, number: str, how: str) -> Html:
    who = html.link(layout.player_page(number), html.name(shown.name(number)))
    return html.join([who, html.text(f": {SPENT.get(how, how)}")])
