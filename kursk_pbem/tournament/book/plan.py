"""The next round and the input of its pairing (docs/directors.md 8)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from kursk_pbem.formats.canonical import canon, sha256_hex
from kursk_pbem.tournament import chance
from kursk_pbem.tournament.book.people import has_unpaired_draw
from kursk_pbem.tournament.pairing import matching
from kursk_pbem.tournament.pairing.bracket import NOBODY
from kursk_pbem.tournament.pairing.sides import number_order
from kursk_pbem.tournament.pairing.solve import DECIDER
from kursk_pbem.tournament.records import ASKED, BYE, FREE, WALKOVER, Book, Entrant
from kursk_pbem.tournament.rules import BERGER, BRACKET, KNOCK_OUT, SNAKE, SWISS
from kursk_pbem.tournament.score import stages
from kursk_pbem.tournament.score.counted import Counted, count_games, find_spent, list_sides, make_groups
from kursk_pbem.tournament.score.table import find_finalists

NO_ROUND = "all rounds are paired"
MOST = 500
"""Maximum number of entrants in a Swiss tournament, because larger pairings take too long."""


def find_hindrance(book: Book) -> str:
    """Return why no round can be paired now, or ''."""
    if book.begun is None:
        return "the first lots must come first"
    final = stages.first_final_round(book)
    if book.rules.format == SWISS and not has_unpaired_draw(book) and not (final and book.round + 1 >= final):
        return NO_ROUND if book.round >= book.rules.rounds else f"round {book.round + 1} needs lots"
    if book.rules.format == SWISS and len(book.numbers) > MOST:
        return f"a Swiss has at most {MOST} entrants, not {len(book.numbers)}"
    waits = book.rules.format in (SWISS, KNOCK_OUT) or (final and book.round + 1 >= final)
    if waits and (open_ := [board for board in book.undecided() if board.round <= book.round]):
        return f"board {open_[0].name} is not decided"
    adjourned = [board.name for board in book.going() if board.decided]
    if _next_knock_out(book) and adjourned:
        return f"board {adjourned[0]} is adjourned, and the next round depends on its result"
    if find_level_ties(book):
        return ""
    return NO_ROUND if book.round >= stages.count_rounds(book) else ""


def _next_knock_out(book: Book) -> tuple[list[str], int] | None:
    """Return the seeds and first round of the next knock-out, or None."""
    if book.rules.format == KNOCK_OUT:
        return [entrant.number for entrant in book.ranked()], 1
    start = stages.first_final_round(book)
    if start and book.round + 1 >= start and book.rules.pods.get("final") != stages.POD:
        return find_finalists(book), start
    return None


def find_level_ties(book: Book) -> list[tuple[str, str]]:
    """Return the pairs with equal points in the newest knock-out round. Each pair needs a deciding game."""
    ladder = _next_knock_out(book)
    if ladder is None or book.round < ladder[1]:
        return []
    rounds = stages.knock_out_ties(book, *ladder)
    newest = rounds[book.round - ladder[1]] if book.round - ladder[1] < len(rounds) else []
    return [(tie.one, tie.other) for tie in newest if tie.level]


def make_input(book: Book) -> dict[str, Any]:
    """Return the data for the next pairing as plain data. Call this only if :func:`find_hindrance` returns ''."""
    if ties := find_level_ties(book):
        return _ties_input(book, DECIDER, book.round, ties)
    round_ = book.round + 1
    ladder = _next_knock_out(book)
    if book.rules.format == SWISS and ladder is None:
        return _swiss_input(book, round_)
    if ladder is not None and round_ >= ladder[1]:
        numbers, start = ladder
        pairs = stages.knock_out_ties(book, numbers, start)[round_ - start]
        given_ = _ties_input(book, BRACKET, round_, [(tie.one, tie.other) for tie in pairs])
        lost = [tie.one or tie.other for tie in pairs if round_ > start and NOBODY in (tie.one, tie.other)]
        return {**given_, "walkovers": [number for number in lost if number]} if lost else given_
    start = stages.first_final_round(book)
    groups, turn, method = make_groups(book), round_, SNAKE if round_ < start else BERGER
    if start and round_ >= start:
        groups, turn = [find_finalists(book)], round_ - start + 1
    gone = _list_gone(book, [number for group in groups for number in group])
    return {**_input_head(book, method, round_), "groups": groups, "turn": str(turn), "gone": gone}


def _input_head(book: Book, method: str, round_: int) -> dict[str, Any]:
    return {"method": method, "round": str(round_), "system": str(book.rules.system(round_))}


def hash_input(data: dict[str, Any]) -> str:
    """Return the paper's field ``input``: the hash of the pairing's data as canonical JSON."""
    return sha256_hex(canon(data))


def _swiss_input(book: Book, round_: int) -> dict[str, Any]:
    seed = book.draws[-1].seed
    counted = count_games(book)
    guests = list_present(book, book.guests())
    lots = chance.order_by_lot(seed, "guest", [entrant.number for entrant in guests])
    guests.sort(key=lambda entrant: (len(counted.of(entrant.number)), lots.index(entrant.number)))
    return {
        **_input_head(book, book.rules.method, round_),
        "seed": seed.hex(),
        "players": _list_players(book, list_present(book, book.ranked()), counted, round_),
        "guests": _list_players(book, guests, counted, round_),
    }


def _ties_input(book: Book, method: str, round_: int, ties: Sequence[tuple[str, str]]) -> dict[str, Any]:
    numbers = sorted({number for tie in ties for number in tie if number}, key=number_order)
    return {
        **_input_head(book, method, round_),
        "seed": chance.draw_lot(book.seed, "round", str(round_), method).hex(),
        "ties": [list(tie) for tie in ties],
        "players": _list_players(book, [book.entrant(number) for number in numbers], count_games(book), round_),
        "gone": _list_gone(book, numbers),
    }


def _list_gone(book: Book, numbers: Iterable[str]) -> list[str]:
    """Return the numbers who have left. Leaving after the field is closed takes effect after the round of the draw."""
    return [number for number in numbers if book.entrant(number).gone(book.round + 1)]


def list_present(book: Book, entrants: Iterable[Entrant]) -> list[Entrant]:
    """Return the entrants who play the next round: a secret revealed, a wish to play, and not withdrawn."""
    draw = book.draws[-1]
    there = (entrant for entrant in entrants if entrant.entry in draw.openings and not entrant.gone(book.round + 1))
    return [entrant for entrant in there if entrant.plays.get(draw.number, "yes") == "yes"]


def _list_players(book: Book, entrants: Iterable[Entrant], counted: Counted, round_: int) -> list[dict[str, Any]]:
    return [_describe_player(book, entrant, counted, round_) for entrant in entrants]


def _describe_player(book: Book, entrant: Entrant, counted: Counted, round_: int) -> dict[str, Any]:
    number = entrant.number
    sides = "" if book.rules.mirror else "".join(list_sides(book, number, book.rules.system(round_)))
    met = {other: str(times) for other, times in sorted(_count_meetings(book, number, counted).items())}
    said = {"number": number, "points": str(counted.points(number)), "met": met, "sides": sides}
    if not book.rules.apart:
        return said
    first = entrant.keys[0][1]
    apart = [other.number for other in book.ranked() if frozenset((first, other.keys[0][1])) in book.rules.apart]
    return {**said, "apart": apart} if apart else said


def _count_meetings(book: Book, number: str, counted: Counted) -> dict[str, int]:
    """Return the number of meetings by opponent. Byes, guests and unplayed wins count as a bye."""
    times_met: dict[str, int] = {}
    for meeting in {board.meeting: board for board in book.boards.values() if number in board.sides.values()}.values():
        other = meeting.against(number)
        times_met[other] = times_met.get(other, 0) + 1
    rounds = range(1, book.round + 1)
    barred = sum(find_spent(book, number, round_) in (BYE, ASKED, FREE, WALKOVER) for round_ in rounds)
    barred += sum(other.startswith("g") for other in times_met)
    barred += sum(not game.played and game.winner == number for game in counted.of(number))
    if barred:
        times_met[matching.BYE] = barred
    return {other: times for other, times in times_met.items() if not other.startswith("g")}
