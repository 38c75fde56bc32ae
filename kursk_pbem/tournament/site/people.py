"""A list of those who take part, and a page for each."""

from __future__ import annotations

from collections.abc import Iterator

from kursk_pbem.formats import times
from kursk_pbem.tournament.book.records import PLAYED, SPENT, Board, Entrant
from kursk_pbem.tournament.score.counted import spent
from kursk_pbem.tournament.site import html, layout, rounds, view
from kursk_pbem.tournament.site.html import Column, Html
from kursk_pbem.tournament.site.view import View
from kursk_pbem.trust import sshsig


def page(shown: View) -> str:
    """The list of everybody."""
    book = shown.book
    entrants = [*book.ranked(), *book.guests()] or [entrant for entrant in book.entrants.values() if not entrant.out]
    columns = [
        Column("No.", "number"),
        Column("Player"),
        Column("Place", "number"),
        Column("State"),
        Column("Key", "more"),
    ]
    table = html.table("Everybody who takes part", columns, (_line(shown, entrant) for entrant in entrants), named=1)
    out = [entrant for entrant in book.entrants.values() if entrant.out]
    left = html.items(html.join([html.name(view.called(entrant)), html.text(f": {entrant.out}")]) for entrant in out)
    more = [html.tag("h2", html.text("Did not take part")), left] if out else []
    return layout.page(shown, layout.PLAYERS, "Players", table, *more)


def _line(shown: View, entrant: Entrant) -> list[Html]:
    who = html.name(view.called(entrant))
    ranked = entrant.number in shown.places
    name = html.link(layout.player_page(entrant.number), who) if ranked else who
    place = str(shown.places[entrant.number]) if ranked and shown.book.round else ""
    key = html.tag("span", html.text(sshsig.fingerprint(entrant.key)), class_="hash")
    return [html.text(entrant.number), name, html.text(place), html.text(_state(shown, entrant)), key]


def _state(shown: View, entrant: Entrant) -> str:
    if entrant.guest:
        return "guest"
    if entrant.left >= 0:
        return f"withdrew after round {entrant.left}" if entrant.left else "withdrew"
    late = f", joined in round {entrant.joined}" if entrant.joined > 1 else ""
    away = [clock.until for clock in shown.book.clocks if clock.who == entrant.number and clock.until > shown.now]
    holiday = f", on holiday until {times.said(max(away))}" if away and times.is_time(max(away)) else ""
    return f"{'a substitute plays' if entrant.substituted else 'plays'}{late}{holiday}"


def player(shown: View, number: str) -> str:
    """The page of one entrant: place, points, every round."""
    entrant = shown.book.entrant(number)
    row = next(row for row in shown.table.rows if row.number == number)
    facts = [
        ("Number", html.text(number)),
        ("Place", html.text(f"{row.place} of {len(shown.table.rows)}" if shown.book.round else "none yet")),
        ("Points", html.text(f"{row.points}: {row.won} won, {row.drawn} drawn, {row.lost} lost")),
        ("State", html.text(_state(shown, entrant))),
        ("Key", html.tag("span", html.text(sshsig.fingerprint(entrant.key)), class_="hash")),
    ]
    facts[3:3] = [(name, html.text(row.breaks[name])) for name in shown.book.rules.breaks if shown.book.round]
    if shown.ratings:
        facts.append(("Rating", html.text(shown.ratings[number])))
    columns = [
        Column("Round", "number"),
        Column("Board"),
        Column("Side", "more"),
        Column("Opponent"),
        Column("Points", "number"),
        Column("Result"),
    ]
    table = html.table("Round by round", columns, list(_rounds(shown, number)))
    return layout.page(shown, layout.player_page(number), view.called(entrant), html.pairs(facts), table)


def _rounds(shown: View, number: str) -> Iterator[list[Html]]:
    for round_ in range(1, shown.book.round + 1):
        own = [board for board in shown.book.of_round(round_) if number in board.sides.values()]
        for board in own:
            yield [html.text(round_), *_played(shown, number, board)]
        how = spent(shown.book, number, round_)
        if not own and how != PLAYED:
            points = shown.counted.lone.get(number, {}).get(round_, 0)
            said = html.text(SPENT.get(how, how))
            yield [html.text(round_), html.NOTHING, html.NOTHING, html.NOTHING, html.text(points), said]


def _played(shown: View, number: str, board: Board) -> list[Html]:
    game = next((game for game in shown.counted.games if game.board == board.name), None)
    other = board.against(number)
    against = next(side for side, who in board.sides.items() if who == other)
    return [
        html.link(layout.board_page(board.name), html.text(board.name)),
        html.text(board.side_of(number) if board.sides_known else ""),
        rounds.player(shown, board, against),
        html.text(game.of(number) if game else ""),
        html.text(view.result(board)),
    ]
