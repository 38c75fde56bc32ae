"""The maps of a board: the decisive fight, the newest position, and a small map for lists."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from kursk_pbem.frozen import frozen
from kursk_pbem.report.pictures import svg, svgcounters, svgstyle
from kursk_pbem.tournament.records import Board
from kursk_pbem.tournament.site import layout
from kursk_pbem.tournament.site.view import Match, View

# for a whole map: large figures in place of symbols, and on a small screen counters without figures
_LARGE = """.kursk-map{--fine:none;--body:none;--block:inline;--more:inline;--spread:translateY(-650px) scaleY(2.1)}
@media(max-width:479px){.strength{display:none}}</style>"""


@frozen
class Figure:
    """A map of a board with its text. ``fight``: whether the map shows the decisive fight, not the newest position."""

    match: Match
    file: str
    turn: str
    told: str
    fight: bool


def build_maps(shown: View, board: Board) -> Iterator[tuple[str, str]]:
    """Yield the names and texts of the maps of a board. Without a public game there are none."""
    if (history := shown.game(board)) is None:
        return
    game = history.game
    sides, title = game.ruleset.sides, f"{game.title}, turn {game.state.turn}"
    picture = game.ruleset.seen.picture(game.setting, game.state)
    yield layout.MAP.format(board.name), svg.draw_figure(picture, sides, title=title).replace("</style>", _LARGE, 1)
    yield layout.THUMB.format(board.name), svg.draw_thumbnail(picture, sides)
    if (fight := shown.fights.get(board.name)) is not None:
        looks: dict[str, Any] = {"around": fight.at, "arrows": fight.arrows, "bursts": fight.bursts}
        title = f"{game.title}, turn {fight.turn}"
        yield layout.FIGHT.format(board.name), svg.draw_figure(fight.picture, sides, title=title, **looks)


def make_figure(shown: View, board: Board) -> Figure | None:
    """Return the map for a board's page: the decisive fight, or the newest position; None without a public game."""
    match, history, fight = shown.matches[board.name], shown.game(board), shown.fights.get(board.name)
    if history is None:
        return None
    if fight is not None:
        return Figure(match, layout.FIGHT.format(board.name), fight.turn, fight.told, fight=True)
    return Figure(match, layout.MAP.format(board.name), history.game.state.turn, "", fight=False)


def choose_figure(shown: View, number: int) -> Figure | None:
    """Return the map for a round: of the last decided board with a fight, otherwise of the longest game."""
    ranked: list[tuple[tuple[bool, int, int], Board]] = []
    for board in shown.book.of_round(number):
        if (history := shown.game(board)) is not None:
            decided = board.outcome.seq if board.outcome is not None else -1
            ranked.append(((board.name in shown.fights, decided, len(history.steps)), board))
    return make_figure(shown, max(ranked, key=lambda one: one[0])[1]) if ranked else None


def draw_crests() -> str:
    """Return inline SVG with a sign for each side, by id: an infantry counter that has the outline of the side."""
    symbol = f'<g transform="scale(1.5)">{svgstyle.SYMBOLS["infantry"]}</g>'
    cards = (f'<path class="card" d="{svgcounters.draw_outline(f"side-{color}")}"/>' for color in range(2))
    crests = (f'<g id="crest-{color}">{card}{symbol}</g>' for color, card in enumerate(cards))
    return f'<svg class="crests" aria-hidden="true"><defs>{"".join(crests)}</defs></svg>'
