"""Signed papers from entrants and assistants to the director."""

from __future__ import annotations

import os
from pathlib import Path

from kursk_pbem.desk.referee import timekeeper
from kursk_pbem.errors import UsageError
from kursk_pbem.formats import times
from kursk_pbem.game import histories, journal
from kursk_pbem.tournament import boards, private
from kursk_pbem.tournament.book.records import DRAWN_GAME
from kursk_pbem.tournament.entrant import games
from kursk_pbem.tournament.entrant import seat as seats
from kursk_pbem.tournament.entrant.seat import Seat
from kursk_pbem.tournament.papers import fields
from kursk_pbem.tournament.papers.forms import Paper
from kursk_pbem.trust import keys


def agree(seat: Seat, called: str, winner: str) -> Paper:
    """Sign the result of an unfinished game: a side or a draw. The opponent signs the same result."""
    place = boards.find(seat.book, called)
    if winner not in (*place.sides, DRAWN_GAME):
        raise UsageError(f"the winner of board {called} is {', '.join(place.sides)} or {DRAWN_GAME}")
    head = games.head_of(seat, place)
    said = {"board": called, "game": place.game, "head": head, "winner": winner}
    return seat.sign(fields.AGREE, f"{called}-{winner}-{head[:8]}", said, f"board {called}: {winner}")


def absent(seat: Seat, first: str, last: str, note: str) -> Paper:
    """Announce an absence between two times or days."""
    first, last = _moment(first, "T00:00:00Z"), _moment(last, "T23:59:59Z")
    if last <= first:
        raise UsageError(f"you cannot be away from {first} to {last}: say first when it begins")
    said = {"first": first, "last": last, **({"note": note} if note else {})}
    return seat.sign(fields.ABSENT, first[:10], said, f"absent from {first[:10]} to {last[:10]}")


def _moment(said: str, of_day: str) -> str:
    """Return a time from a time or a day. Raises UsageError for a wrong form."""
    text = f"{said}{of_day}"
    moment = text if times.is_time(text) else said
    timekeeper.check_time("an absence begins and ends at a day or a time, and", moment)
    return moment


def claim(seat: Seat, called: str, note: str) -> Paper:
    """Ask the director to decide a question about a board."""
    number = sum(name.startswith(f"{fields.CLAIM}-") for name in seat.record.entries()) + 1
    boards.find(seat.book, called)
    return seat.sign(fields.CLAIM, str(number), {"board": called, "note": note}, f"a claim about board {called}")


def stand_in(seat: Seat, number: str, name: str) -> Paper:
    """Offer to take over a number. Raises UsageError for an unknown number."""
    if number not in seat.book.numbers:
        raise UsageError(f"nobody has the number {number}")
    draw = seat.book.next_draw
    said = {"number": number, "name": name, "draw": str(draw), "commit": seats.commitment(seat, draw)}
    return seat.sign(fields.STAND_IN, f"{number}-{draw}", said, f"stands in for number {number}")


def new_key(seat: Seat, path: Path) -> Paper:
    """Sign a change of key with both keys. The new key is valid after the director has logged the change."""
    new = keys.load_key(path)
    draw = seat.book.next_draw
    commit = seats.commitment(seat, draw, new, private.secret(new, seat.book.id))
    seat.record.wants(os.path.realpath(path), draw)
    said = {"new": new.public, "draw": str(draw), "commit": commit}
    return seat.sign(fields.NEW_KEY, str(draw), said, "a new key", new)


def rule_on(seat: Seat, called: str, winner: str, note: str, folder: Path | None = None) -> Paper:
    """Judge a game of the director as an assistant. ``folder``: the assistant's folder of the game."""
    place = boards.find(seat.book, called)
    if seat.signer.public not in seat.book.rules.assistants:
        raise UsageError("only an assistant whom paper 0 names rules on a game")
    own = journal.find(seat.home, place.game) if place.game else None
    where = folder or (Path(own.folder) if own else None)
    if where is None:
        raise UsageError(f"name your folder of the game of board {called} with --game")
    head = histories.load(where).game.chain.head_id
    said = {"board": called, "game": place.game, "head": head, "winner": winner, "note": note}
    return seat.sign(fields.RULING, f"{called}-{head[:8]}", said, f"a ruling on board {called}")
