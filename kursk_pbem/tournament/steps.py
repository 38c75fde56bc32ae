"""The director's next steps: commands to paste, each with its effect and reason."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from kursk_pbem.audit import played as accounts
from kursk_pbem.audit.played import Played
from kursk_pbem.errors import KurskError, shell_word
from kursk_pbem.formats import times
from kursk_pbem.frozen import frozen
from kursk_pbem.game import folders
from kursk_pbem.kernel.words import plural
from kursk_pbem.tournament import boards, open_papers
from kursk_pbem.tournament.book import bidding, clocks, draws, outcomes, people, plan
from kursk_pbem.tournament.book.people import find_open_draw
from kursk_pbem.tournament.papers import fields
from kursk_pbem.tournament.papers.store import GAMES
from kursk_pbem.tournament.records import POINTS, Board, Book, Draw, Entrant
from kursk_pbem.tournament.rules import SWISS
from kursk_pbem.trust import sshsig

_MOST = 300


@frozen
class Step:
    """A step in ``words``, with a ``command`` or ''. ``mails``: 'kursk post' does it. ``waits``: others must act."""

    words: str
    command: str = ""
    mails: bool = False
    waits: bool = False

    def __str__(self) -> str:
        return f"{self.words}: '{self.command}'" if self.command else self.words

    @property
    def lines(self) -> list[str]:
        """The step in lines for a terminal. The command has its own line."""
        return [f"{self.words}:", f"    {self.command}"] if self.command else [self.words]


@frozen
class Line:
    """The state of a board. ``over``: the game has ended, but its result is not logged yet."""

    board: str
    players: str
    stands: str
    waits_for: str = ""  # name of a player
    due: str = ""
    late: bool = False  # the deadline is over
    over: bool = False
    now: str = ""  # the present time

    @property
    def term(self) -> str:
        """The deadline of the board in words, or ''."""
        return times.show_deadline(self.due, self.now) if self.due else ""


def format_command(*words: object) -> str:
    """Return a ``kursk tournament`` command, quoted for a shell."""
    return " ".join(["kursk tournament", *map(shell_word, words)])


def list_decisions(book: Book, folder: Path, now: str, rows: Sequence[Line] = ()) -> Iterator[Step]:
    """Yield the steps that now need a decision of the director. ``rows``: the boards, for missed deadlines."""
    here = ("--in", folder)
    for claim in open_papers.list_claims(book):
        said = f"claim about board {claim.text('board')}: {claim.text('note')!a}; decide, or refuse"
        yield Step(said, format_command("refuse", claim.id[:8], "no decision is needed", *here))
    for entrant, paper in open_papers.list_absences(book, now):
        first, last = paper.text("first"), paper.text("last")
        away = f"{entrant.name} is absent from {times.tell(first)} to {times.tell(last)}"
        days = min(-(-times.seconds_between(now, last) // times.DAY), clocks.count_holidays_left(book, entrant.number))
        if not days:
            yield Step(f"{away}; the holidays of paper 0 are used up")
            continue
        grant = format_command("grant", entrant.number, days, "an announced absence", "--holiday", *here)
        yield Step(f"{away}; to grant a holiday", grant) if first <= now else Step(f"{away}; grant the holiday then")
    for entrant in (*book.ranked(), *book.guests()):
        yield from _suggest_changes(book, folder, entrant)
    late = {row.board for row in rows if row.late and row.waits_for}
    for board in book.going():
        if (words := _suggest_judgement(book, folder, board, now, late=board.name in late)) is not None:
            yield Step(words[0], format_command(*words[1:], *here))


def _suggest_changes(book: Book, folder: Path, entrant: Entrant) -> Iterator[Step]:
    """Yield a step for each open paper about an entrant: a withdrawal, an offer of a substitute, a new key."""
    who, here = f"number {entrant.number} ({entrant.name})", ("--in", folder)
    if entrant.left < 0 and open_papers.find_withdrawal(book, entrant) is not None:
        yield Step(f"{who} has signed a withdrawal", format_command("withdraw", entrant.number, *here))
    offered, why = open_papers.list_offers(book, entrant), people.find_vacancy_obstacle(book, entrant)
    offers = {paper.sender: paper for paper in offered}
    for key, paper in offers.items():
        named = ("--name", sshsig.fingerprint(key)) if len(offers) > 1 else ()
        takes = format_command("substitute", entrant.number, "offered and taken", *named, *here)
        offer = f"{paper.text('name')} offers to take over {who}"
        yield Step(f"{offer}, but {why}") if why else Step(offer, takes)
    changes = [paper for paper in book.of_entrant(fields.NEW_KEY, entrant) if paper.sender == entrant.key]
    if changes and changes[-1].number("draw") == book.next_draw and find_open_draw(book) is None:
        yield Step(f"{who} has signed a new key", format_command("key", entrant.number, *here))


def _suggest_judgement(book: Book, folder: Path, board: Board, now: str, *, late: bool) -> tuple[str, ...] | None:
    """Return the reason to judge a board now, and the words of the command; None if play continues."""
    if outcomes.find_agreement(book, board) is not None:
        return f"both players of board {board.name} have signed the result", "judge", board.name, "agree"
    if board.decided or not board.sides_known:
        return None
    sides = f"the winner is {', '.join(board.sides)} or"
    if not board.game:
        if now <= clocks.begin_by(book, board):
            return None
        proposer = boards.find_proposer(book, board) or board.numbers[0]
        silent = f"board {board.name} did not begin in time, and {book.entrant(proposer).name} did not propose the game"
        winner = board.side_of(board.against(proposer))
        return f"{silent}; {sides} nobody", "judge", board.name, "silence", winner
    if now > clocks.round_due(book, board.round):
        ends = book.rules.terms.ends
        there = _read_result(folder, board) if POINTS in ends else None
        winner_of = {by: outcomes.find_winner(book, board, by, there.margin if there else None) for by in ends}
        by = next((by for by, winner in winner_of.items() if winner is not None), "")
        over = f"the time of board {board.name} is over, and unfinished games end by {', '.join(ends)}"
        word = (f"{over}; {sides} draw", "judge", board.name, by, "draw")
        return word if winner_of.get(by) == "" else (over, "judge", board.name, by) if by else None
    there = _read_result(folder, board) if late else None
    if there is not None and there.bound:
        return f"a deadline of board {board.name} was missed; to end the game", "forfeit", board.name
    if there is None or there.owes not in board.sides or now <= clocks.begin_by(book, board):
        return None
    silent, winner = there.owes, next(side for side in board.sides if side != there.owes)
    return f"board {board.name} did not begin in time: {silent} is silent", "judge", board.name, "silence", winner


def _read_result(folder: Path, board: Board) -> Played | None:
    """Return the result by the files of a board's game, or None if the files cannot be read."""
    try:
        return accounts.collect_facts(boards.load_game(board, folder / GAMES / folders.folder_name(board.game)))
    except KurskError:
        return None


def _log_results(book: Book, folder: Path, over: Sequence[str], pair: str) -> Step:
    """Return the step that logs results. While other games go on, the step waits."""
    if len(over) < (games := len(book.undecided())):
        return Step(f"{len(over)} of {games} games have ended; to log their results now", pair, waits=True)
    ended = list[str]()
    for name in over:
        there, names = _read_result(folder, book.boards[name]), boards.player_names(book, book.boards[name])
        first, second = sorted(names, key=lambda side: there is not None and side != there.winner)
        how = "and" if there is None else "won against" if there.winner else "drew with"
        ended.append(f"{name}: {names[first]} {how} {names[second]}")
    return Step(f"all games have ended. {'; '.join(ended)}. To log the results and continue", pair)


def next_step(book: Book, folder: Path, now: str, rows: Sequence[Line]) -> Step:
    """Return the next automatic step, or why there is none now."""
    pair = format_command("pair", folder)
    if book.ended:
        return Step("the tournament has ended; to write its pages", format_command("publish", folder, "-o", "site"))
    if not book.draws:
        if why := draws.close_obstacle(book):
            entry = "" if book.entrants else "; mail log/0000.yaml, with which people enter"
            return Step(f"before the field is closed: {why}{entry}", waits=True)
        return Step("next, after the last entry", format_command("close", folder))
    if (draw := find_open_draw(book)) is not None:
        return _draw_step(book, draw, now, pair)
    if over := [row.board for row in rows if row.over]:
        return _log_results(book, folder, over, pair)
    going = book.going()
    if left := [board.name for board in going if book.absent_from(board)]:
        return Step(f"next: judge {', '.join(left)}, because a player has left"[:_MOST], pair)
    if any(bidding.due_bids(book, now).values()):
        return Step("next: log bids", pair)
    if open_ := book.undecided():
        return Step(f"not yet: {plural(len(open_), 'undecided board')}, the first is {open_[0].name}", waits=True)
    why = plan.find_hindrance(book)
    if why == plan.NO_ROUND and going:
        return Step(f"before the end: adjourned boards, the first is {going[0].name}")
    if why == plan.NO_ROUND:
        return Step("next: end the tournament", format_command("end", folder))
    late = now <= open_papers.answer_until(book)
    if late or (why and not (book.rules.format == SWISS and not draws.close_obstacle(book))):
        return Step(f"not yet: {'a late entrant can still answer yes' if late else why}", waits=True)
    return Step("next: announce the standings and continue", pair)


def _draw_step(book: Book, draw: Draw, now: str, pair: str) -> Step:
    """Return the next step of an open draw."""
    missing = [book.entrants[entry].name for entry in draw.entries if entry not in draw.openings]
    until = times.tell(draws.closes_at(book, draw))
    if kind := draws.next_paper(book, draw, now):
        if kind == fields.MISSING:
            named = f"no answer of {', '.join(missing)} for round {book.round + 1} has come"[:_MOST]
            return Step(f"{named}. To warn them in the log (the deadline stays {until})", pair)
        there = f"{len(draw.openings)} of {len(draw.entries)} entrants have answered for round {book.round + 1}"
        return Step(
            f"{there}. To draw the round now, {'as the time is over' if missing else 'before the deadline'}", pair
        )
    if draw.closed >= 0:
        until = times.tell(draws.witness_until(book, draw))
        return Step(f"lots {draw.number} wait for the witness, until {until}", waits=True)
    waits = f"lots {draw.number} wait for {plural(len(missing), 'reveal')}"
    return Step(f"{waits}, until {until}: {', '.join(missing)}"[:_MOST], waits=True)
