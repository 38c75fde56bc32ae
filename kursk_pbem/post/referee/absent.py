"""Who will be away, as players say in words: put down for the director, who alone gives them time."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator
from contextlib import suppress
from pathlib import Path

from kursk_pbem.desk import clock
from kursk_pbem.errors import KurskError, OwnWordsError, UsageError
from kursk_pbem.formats import times
from kursk_pbem.formats.text import show
from kursk_pbem.post.mailbox import people, store
from kursk_pbem.post.referee import deadlines
from kursk_pbem.post.round.seat import Seat

_MOST = 20
"""Absences that are kept of one player in one game, of those in replies and of others."""


def note(home: Path, game: str, marks: Iterable[str], first: str, last: str, *, reply: bool = False) -> None:
    """Put down for the director that the owners of some keys will be away. UsageError for days that are none.

    ``reply``: they say so in a reply to our letter; what anybody can have written takes no room of that.
    """
    for day in (first, last):
        if not times.is_time(f"{day}T00:00:00Z"):
            raise UsageError(f"{show(day)} is no day, such as 2026-12-24")
    today = clock.now()
    if last < first:
        raise UsageError(f"{last} is before {first}")
    if not today[:10] <= last <= _far(today):
        raise UsageError(f"{last} is over, or more than a year away: say it when it is near")
    with store.writing(home) as found:
        for mark in marks:
            found.execute("insert or ignore into absence values (?, ?, ?, ?, ?)", (game, mark, first, last, reply))
            count = "select count(*) from absence where game = ? and mark = ? and reply = ?"
            if found.execute(count, (game, mark, reply)).fetchone()[0] > _MOST:
                way = "write to the director" if reply else "say it in a reply to this letter"
                raise OwnWordsError(f"too many absences of yours are noted in game {game[:8]}: {way}")


def _far(now: str) -> str:
    """The last day that is near enough to be told of."""
    return times.after(now, 366)[:10]


def listed(home: Path, today: str, gives: Callable[[str, str, str], str], games: Collection[Seat] = ()) -> list[str]:
    """Who will be away, a line each; those whose last day is over are forgotten.

    ``gives``: what gives them time, in words, by the first 16 digits of the game and of their mark, until when.
    """
    far, lines = _far(f"{today}T00:00:00Z"), []
    with store.writing(home) as found:
        asked = "select game, mark, first, last, max(reply) from absence where last between ? and ? group by 1, 2, 3, 4"
        there = found.execute(asked, (today, far)).fetchall()
        found.execute("delete from absence where last not between ? and ?", (today, far))
    for game, mark, first, last, reply in there:
        until = times.after(f"{last}T00:00:00Z", 1)
        who = "" if reply else "a mail, which anybody can have written, says that "
        if any(_covered(seat, mark, until) for seat in games if seat.game == game):
            then = f"what they owe is due no earlier than {until}"
        else:
            then = f"while they owe a message, {gives(game[:16], mark[:16], until)}"
        lines.append(f"game {game[:8]}: {who}{_player(home, mark)} will be away from {first} to {last}; {then}")
    return lines


def of(home: Path, game: str, mark: str, since: str) -> Iterator[str]:
    """Yield the absences since a time of the player with a key of this mark, a line each. Raises DiskError."""
    asked = "select distinct first, last from absence where game = ? and mark = ? and last >= ?"
    with store.reading(home) as found:
        there = found.execute(asked, (game, mark, since[:10])).fetchall()
    yield from (f"a mail says that they are away from {first} to {last}" for first, last in there)


def _player(home: Path, mark: str) -> str:
    """What a player is called in the list of people."""
    if (one := next(iter(people.marked(home, mark)), None)) is not None:
        return one.typed if one.typed == one.name else f"the player with key {one.typed}"
    return f"the player with key {mark[:8]}"


def _covered(seat: Seat, mark: str, until: str) -> bool:
    """Whether the owner of a key owes the next message, and the term that runs is no shorter than that."""
    owes = seat.keys.get(seat.known.writer, "")
    with suppress(KurskError, OSError):  # a damaged paper is told of its own game
        term = deadlines.running(seat) if owes and people.mark(owes).startswith(mark) else None
        return term is not None and term.due >= until
    return False
