"""The data of each page's template."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from kursk_pbem.film.stage import draw_turn
from kursk_pbem.formats import times
from kursk_pbem.game import chapters
from kursk_pbem.game import folders as game_folders
from kursk_pbem.game import replay as replays
from kursk_pbem.game.histories import History
from kursk_pbem.report import replay as replay_pages
from kursk_pbem.tournament import summary
from kursk_pbem.tournament.book import clocks, plan
from kursk_pbem.tournament.book.people import find_open_draw
from kursk_pbem.tournament.papers.forms import Paper
from kursk_pbem.tournament.records import PLAYED, SPENT, Board, Entrant
from kursk_pbem.tournament.rules import ROUND_ROBIN
from kursk_pbem.tournament.score.counted import find_spent
from kursk_pbem.tournament.site import feed, figures, layout, pictures, view, words
from kursk_pbem.tournament.site.view import Match, View
from kursk_pbem.trust import sshsig

MATRIX = 16
"""The maximum number of entrants for a square cross table; larger tables are by rounds."""
NEWS = 8


def build_pages(shown: View) -> Iterator[tuple[str, str]]:
    """Yield the pages, maps and replays of a site, as (file name, text)."""
    book = shown.book
    entries = [_describe_paper(shown, paper) for paper in book.log]
    news = [entry for entry in reversed(entries) if entry["type"] in words.NEWS][:NEWS]
    facts: dict[str, Any] = {
        "next": list(_next_events(shown)),
        "news": news,
        "figure": figures.choose_figure(shown, book.round),
    }
    yield _render_page(shown, layout.INDEX, "index", _choose_heading(shown), **facts)
    square = book.rules.format == ROUND_ROBIN and len(shown.table.rows) <= MATRIX
    grid = {row.number: list(_table_cells(shown, row.number, square=square)) for row in shown.table.rows}
    yield _render_page(shown, layout.CROSS, "cross", "Cross table", square=square, cells=grid)
    for number in range(1, book.round + 1):
        rounds, due = [each for each in book.rounds if each.number == number], clocks.round_due(book, number)
        facts = {"number": number, "rounds": rounds, "due": due, "SPENT": SPENT}
        facts["figure"] = figures.choose_figure(shown, number)
        yield _render_page(shown, layout.ROUND.format(number), "round", f"Round {number}", **facts)
    yield from _player_pages(shown)
    for board in book.boards.values():
        yield from _board_pages(shown, board)
    skipped = ("systems: ", "points: ")  # tables show these lines
    lines = [line for line in summary.summarize_rules(book.rules)[1:] if not line.startswith(skipped)]
    yield _render_page(shown, layout.RULES, "rules", "Rules", lines=lines)
    yield _render_page(shown, layout.DECISIONS, "decisions", "Decisions", entries=entries)
    yield _render_page(shown, layout.VERIFY, "verify", "Verify it yourself")


def _player_pages(shown: View) -> Iterator[tuple[str, str]]:
    """Yield the page of all players, then the page of each."""
    book = shown.book
    ranked = [book.entrant(row.number) for row in shown.table.rows]
    entrants = [*ranked, *book.guests()] or [entrant for entrant in book.entrants.values() if not entrant.out]
    states = {entrant.entry: _describe_state(shown, entrant) for entrant in entrants}
    yield _render_page(shown, layout.PLAYERS, "players", "Players", entrants=entrants, states=states)
    for row in shown.table.rows:
        entrant = book.entrant(row.number)
        cells = enumerate(_table_cells(shown, row.number, square=False), 1)
        spends = [(round_, met, how) for round_, (met, how) in cells if met or how]
        file, state = layout.PLAYER.format(row.number), states[entrant.entry]
        yield _render_page(shown, file, "player", entrant.called, row=row, state=state, rounds=spends)


def _render_page(shown: View, file: str, template: str, title: str, **facts: Any) -> tuple[str, str]:
    """Return the name and text of a page; ``title``: its heading."""
    library = {"words": words, "fingerprint": sshsig.fingerprint, "layout": layout, "crests": figures.draw_crests()}
    page = layout.load_templates().get_template(f"{template}.html")
    return file, page.render(view=shown, book=shown.book, file=file, title=title, **library, **facts)


def _choose_heading(shown: View) -> str:
    book = shown.book
    if not book.round:
        return "Before the first round"
    return "Final standings" if book.ended else f"Standings {'in' if book.undecided() else 'after'} round {book.round}"


def _next_events(shown: View) -> Iterator[str]:
    """Yield the next events with their deadlines."""
    book = shown.book
    if not book.draws:
        yield "People can enter until the director closes the field of entrants."
    elif not book.ended and find_open_draw(book) is None and not book.undecided():
        why = plan.find_hindrance(book)
        yield "The end." if why == plan.NO_ROUND else f"Round {book.round + 1} needs lots and pairs."
    yield from (f"{deadline.title}: {times.tell_day(deadline.time)}." for deadline in feed.list_deadlines(book))


def _describe_paper(shown: View, paper: Paper) -> dict[str, Any]:
    """Return a log paper in words, with its page and corrections."""
    said = {"seq": paper.seq, "time": paper.text("time"), "type": paper.type, "page": words.page_of_paper(paper)}
    return {**said, "words": words.describe_paper(shown, paper), "corrected": shown.corrections.get(paper.seq, [])}


def _table_cells(shown: View, number: str, *, square: bool) -> Iterator[tuple[list[Match], str]]:
    """Yield the cells of a row of the cross table: games, or the way a round was spent."""
    own = [match for match in shown.matches.values() if number in match.board.sides.values()]
    if square:
        for row in shown.table.rows:
            met = [match for match in own if match.board.against(number) == row.number and match.score]
            yield met, "X" if row.number == number else ""
        return
    for round_ in range(1, shown.book.round + 1):
        met = [match for match in own if match.board.round == round_]
        how = find_spent(shown.book, number, round_)
        points = shown.counted.lone.get(number, {}).get(round_, 0)
        yield met, "" if met or how == PLAYED else f"{points} {SPENT.get(how, how)}"


def _describe_state(shown: View, entrant: Entrant) -> str:
    if entrant.guest:
        return "guest"
    if entrant.left >= 0:
        return f"withdrew after round {entrant.left}" if entrant.left else "withdrew"
    late = f", joined in round {entrant.joined}" if entrant.joined > 1 else ""
    away = [clock.until for clock in shown.book.clocks if clock.who == entrant.number and clock.until > shown.now]
    holiday = f", on holiday until {times.tell_day(max(away))}" if away and times.is_time(max(away)) else ""
    return f"{'a substitute ' * bool(entrant.substituted)}{'played' if shown.book.ended else 'plays'}{late}{holiday}"


def _board_pages(shown: View, board: Board) -> Iterator[tuple[str, str]]:
    """Yield the page of a board, its map and its replays."""
    history, match = shown.game(board), shown.matches[board.name]
    facts: dict[str, Any] = {"match": match, "history": history, "folder_name": game_folders.folder_name}
    if history is not None:
        facts |= {"replay": replays.make_replay(history), "story": list(_tell_story(history))}
        facts |= {"turn": pictures.name_turn(board, history), "film": pictures.name_film(board, history)}
        yield layout.REPLAY.format(board.name), replay_pages.render_page(facts["replay"], turn=draw_turn(history))
    yield from figures.build_maps(shown, board)
    facts |= {"figure": figures.make_figure(shown, board), "why_not": _explain_hidden(shown, board)}
    yield _render_page(shown, layout.BOARD.format(board.name), "board", match.title, **facts)


def _tell_story(history: History) -> Iterator[tuple[str, list[str]]]:
    """Yield the turns of a game with the paragraphs of their story."""
    for turn, steps in chapters.split_turns(history.steps):
        blocks = (" ".join(block.split()) for block in chapters.tell_story(steps).split("\n\n")[1:])
        yield turn, [block for block in blocks if block]


def _explain_hidden(shown: View, board: Board) -> str:
    """Return why a board shows no game."""
    if not board.game:
        return "This board has no game yet." if board.outcome is None else "No game was played on this board."
    publish = shown.book.rules.publish
    rule = {view.AT_ONCE: "at once", view.AFTER_TURN: f"once its turn {publish.get('turn', '1')} is over"}.get(
        publish["games"], f"once round {board.round} is over"
    )
    return f"By the rules a game is public {rule}. The game is not public yet, or its files are missing."
