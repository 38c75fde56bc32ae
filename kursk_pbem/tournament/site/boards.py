"""A page for each board: who played, how it ended, its story, its luck; and the replay of its game."""

from __future__ import annotations

from collections.abc import Iterator

from kursk_pbem.game import chapters
from kursk_pbem.game import folders as game_folders
from kursk_pbem.game import replay as replays
from kursk_pbem.game.histories import History
from kursk_pbem.report import replay as replay_pages
from kursk_pbem.report.replay import Replay
from kursk_pbem.tournament.book.records import Board
from kursk_pbem.tournament.papers import fields
from kursk_pbem.tournament.site import html, layout, rounds, view
from kursk_pbem.tournament.site.html import Html
from kursk_pbem.tournament.site.view import View


def pages(shown: View, board: Board) -> Iterator[tuple[str, str]]:
    """The page of a board, and the replays of its games: names of files and texts."""
    games = shown.games(board)
    told = [replays.of(history) for history in games]
    for place, replay in enumerate(told):
        yield layout.replay_page(board.name, place), replay_pages.page(replay)
    body: list[Html] = [_facts(shown, board)]
    for place, (history, replay) in enumerate(zip(games, told, strict=True)):
        if len(games) > 1:
            body.append(html.tag("h2", html.text(f"Game {place + 1} of {len(games)}")))
        body += _game(board, place, history, replay)
    if not games:
        body.append(html.tag("p", html.text(_why_not(shown, board))))
    yield layout.board_page(board.name), layout.page(shown, layout.board_page(board.name), _title(shown, board), *body)


def _title(shown: View, board: Board) -> str:
    first, second = (shown.name(number) for number in board.numbers)
    return f"Board {board.name}: {first} - {second}"


def _facts(shown: View, board: Board) -> Html:
    book = shown.book
    system = book.rules.systems[board.system - 1]
    facts = [
        ("Round", html.link(layout.round_page(board.round), html.text(board.round))),
        ("Game", html.text(system.scenario)),
        *((side if board.sides_known else "plays", rounds.player(shown, board, side)) for side in board.sides),
        ("Result", html.text(view.result(board))),
    ]
    if points := view.score(shown, board):
        facts.append(("Points", html.text(points)))
    if board.paid:
        paid = ", ".join(f"{side} {price}" for side, price in board.paid.items())
        facts.append(("Bid", html.text(f"{paid} victory points given away")))
    if board.outcome is not None and board.outcome.by:
        paper = book.log[board.outcome.seq]
        why = paper.said("why") if paper.type == fields.JUDGED else paper.text("why")
        facts.append(("Judged", html.link(f"{layout.DECISIONS}#p{paper.seq}", html.text(str(why)))))
    return html.pairs(facts)


def _game(board: Board, place: int, history: History, replay: Replay) -> Iterator[Html]:
    map_ = html.link(layout.replay_page(board.name, place), html.text("Step through the game on its map"), class_="big")
    yield html.tag("p", map_)
    story = html.tag("div", html.tag("h2", html.text("The story")), *_story(history), class_="story")
    yield html.tag("div", story, html.tag("div", *_beside(history, replay)), class_="columns")


def _beside(history: History, replay: Replay) -> Iterator[Html]:
    """What stands beside the story: luck, the messages in a line each, how they are verified."""
    yield html.tag("h2", html.text("The luck of the dice"))
    luck = html.items(html.text(line) for line in replay.messages[-1].luck)
    yield luck or html.tag("p", html.text("No dice have fallen."))
    yield html.tag("h2", html.text("Messages"))
    yield html.items(
        html.text(f"{told.seq}, {told.sender}, turn {told.turn}: {told.headlines[0]}") for told in replay.messages
    )
    folder = game_folders.folder_name(history.game.chain.game)
    where = html.tag("code", html.text(f"kursk verify games/{folder}"))
    proof = [html.text(f"{len(replay.messages)} messages, verified when this page was made. In "), _archive()]
    yield html.tag("p", *proof, html.text(" the files prove it again: "), where, class_="note")


def _archive() -> Html:
    return html.link(layout.ARCHIVE, html.text(layout.ARCHIVE))


def _story(history: History) -> Iterator[Html]:
    """The story by turns; a paragraph of it is a text of lines."""
    for turn, steps in chapters.turns(history.steps):
        yield html.tag("h3", html.text(f"Turn {turn}"))
        blocks = chapters.story(steps).split("\n\n")[1:]
        for block in blocks:
            if words := " ".join(block.split()):
                yield html.tag("p", html.text(words))


def _why_not(shown: View, board: Board) -> str:
    if not board.games:
        return "This board has no game yet." if board.outcome is None else "No game was played on this board."
    publish = shown.book.rules.publish
    rule = {view.AT_ONCE: "at once", view.AFTER_TURN: f"once its turn {publish.get('turn', '1')} is over"}.get(
        publish["games"], f"once round {board.round} is over"
    )
    return f"By the rules of this tournament a game is shown {rule}; this one is not yet, or its files are not here."
