"""Signed papers from entrants and assistants to the director."""

from __future__ import annotations

import os
from pathlib import Path

from kursk_pbem.desk.referee import timekeeper
from kursk_pbem.errors import UsageError
from kursk_pbem.formats import times
from kursk_pbem.game import histories, journal
from kursk_pbem.tournament import boards, private
from kursk_pbem.tournament.entrant import desk as desks
from kursk_pbem.tournament.entrant import games
from kursk_pbem.tournament.entrant.desk import EntrantDesk
from kursk_pbem.tournament.papers import fields
from kursk_pbem.tournament.papers.forms import Paper
from kursk_pbem.tournament.records import DRAWN_GAME
from kursk_pbem.trust import keys


def sign_agreement(desk: EntrantDesk, called: str, winner: str) -> Paper:
    """Sign the agreed result of an unfinished game: a side or a draw. The opponent must sign an equal result."""
    place = boards.find_board(desk.book, called)
    if winner not in (*place.sides, DRAWN_GAME):
        raise UsageError(f"the winner of board {called} is {', '.join(place.sides)} or {DRAWN_GAME}")
    game, head = games.find_newest(desk, place)
    said = {"board": called, "game": game, "head": head, "winner": winner}
    return desk.sign(fields.AGREE, f"{called}-{winner}-{head[:8]}", said, f"board {called}: {winner}")


def sign_absence(desk: EntrantDesk, first: str, last: str, note: str) -> Paper:
    """Sign an announcement of absence from one time or day to another."""
    first, last = _parse_moment(first, "T00:00:00Z"), _parse_moment(last, "T23:59:59Z")
    if last <= first:
        raise UsageError(f"the first day, {first}, is after the last day, {last}: type the earlier day first")
    said = {"first": first, "last": last, **({"note": note} if note else {})}
    return desk.sign(fields.ABSENT, first[:10], said, f"absent from {first[:10]} to {last[:10]}")


def _parse_moment(said: str, of_day: str) -> str:
    """Return a time from a time or a day. Raises UsageError for a wrong form."""
    text = f"{said}{of_day}"
    moment = text if times.is_time(text) else said
    timekeeper.check_time("an absence begins and ends at a day or a time, and", moment)
    return moment


def sign_claim(desk: EntrantDesk, called: str, note: str) -> Paper:
    """Sign a claim, which asks the director to decide a question about a board."""
    number = sum(name.startswith(f"{fields.CLAIM}-") for name in desk.record.entries()) + 1
    boards.find_board(desk.book, called)
    return desk.sign(fields.CLAIM, str(number), {"board": called, "note": note}, f"a claim about board {called}")


def sign_offer(desk: EntrantDesk, number: str, name: str) -> Paper:
    """Sign an offer to take over an entrant's number. Raises UsageError for an unknown number."""
    if number not in desk.book.numbers:
        raise UsageError(f"no entrant has the number {number}")
    draw = desk.book.next_draw
    said = {"number": number, "name": name, "draw": str(draw), "commit": desks.make_commitment(desk, draw)}
    return desk.sign(fields.STAND_IN, f"{number}-{draw}", said, f"stands in for number {number}")


def sign_new_key(desk: EntrantDesk, path: Path) -> Paper:
    """Sign a change of key with the old and the new key. It is valid after the director has logged it."""
    new = keys.load_key(path)
    draw = desk.book.next_draw
    commit = desks.make_commitment(desk, draw, new, private.derive_secret(new, desk.book.id))
    desk.record.wants(os.path.realpath(path), draw)
    said = {"new": new.public, "draw": str(draw), "commit": commit}
    return desk.sign(fields.NEW_KEY, str(draw), said, "a new key", new)


def sign_ruling(desk: EntrantDesk, called: str, winner: str, note: str, folder: Path | None = None) -> Paper:
    """Sign an assistant's judgement on a game that the director plays. ``folder``: the assistant's copy of the game."""
    place = boards.find_board(desk.book, called)
    if desk.signer.public not in desk.book.rules.assistants:
        raise UsageError("only an assistant named in paper 0 can judge a game")
    own = journal.find(desk.home, place.game) if place.game else None
    where = folder or (Path(own.folder) if own else None)
    if where is None:
        raise UsageError(f"give your folder of the game of board {called} with --game")
    head = histories.load(where).game.chain.head_id
    said = {"board": called, "game": place.game, "head": head, "winner": winner, "note": note}
    return desk.sign(fields.RULING, f"{called}-{head[:8]}", said, f"a ruling on board {called}")
