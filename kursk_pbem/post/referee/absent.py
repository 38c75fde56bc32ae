"""Who will be away, as players say in words: put down for the director, who alone gives them time."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from contextlib import suppress
from pathlib import Path

from kursk_pbem.desk import clock
from kursk_pbem.errors import KurskError, OwnWordsError, UsageError
from kursk_pbem.formats import times
from kursk_pbem.formats.text import show
from kursk_pbem.post import people, place
from kursk_pbem.post.referee import deadlines
from kursk_pbem.post.seat import Seat

_REPLY = "-reply"
_MOST = 20
"""Absences that are kept of one player in one game."""


def _folder(home: Path) -> Path:
    return place.root(home) / "referee" / "absent"


def note(
    home: Path, game: str, marks: Iterable[str], first: str, last: str, *, reply: bool = False, sure: bool = True
) -> None:
    """Put down for the director that the owners of some keys will be away. UsageError for days that are none.

    ``reply``: they say so in a reply to our letter; what anybody can have written takes no room of that. ``sure``:
    today is today; otherwise the days may be any.
    """
    for day in (first, last):
        if not times.is_time(f"{day}T00:00:00Z"):
            raise UsageError(f"{show(day)} is no day, such as 2026-12-24")
    today = clock.now()
    if last < first:
        raise UsageError(f"{last} is before {first}")
    if sure and not today[:10] <= last <= _far(today):
        raise UsageError(f"{last} is over, or more than a year away: say it when it is near")
    for mark in marks:
        theirs = f"{game[:16]}-{mark[:16]}-"
        name = f"{theirs}{first}-{last}{_REPLY if reply else ''}"
        noted = [there for there in place.names(_folder(home)) if there.startswith(theirs)]
        if name not in noted and sum(there.endswith(_REPLY) == reply for there in noted) >= _MOST:
            way = "write to the director" if reply else "say it in a reply to this letter"
            raise OwnWordsError(f"too many absences of yours are noted in game {game[:8]}: {way}")
        place.once(_folder(home) / name, b"")


def _far(now: str) -> str:
    """The last day that is near enough to be told of."""
    return times.after(now, 366)[:10]


def listed(
    home: Path, today: str, gives: Callable[[str, str, str], str], games: Collection[Seat] = (), *, sure: bool = True
) -> list[str]:
    """Who will be away, a line each; those whose last day is over are forgotten, if it is ``sure`` that today is today.

    ``gives``: what gives them time, in words, by the first 16 digits of the game and of their mark, until when.
    """
    lines, names = [], dict.fromkeys(place.names(_folder(home)))
    for name in names:
        game, mark, first, last = name[:16], name[17:33], name[34:44], name[45:55]
        if not today <= last <= _far(f"{today}T00:00:00Z"):
            if sure:
                (_folder(home) / name).unlink(missing_ok=True)
            continue
        if f"{name}{_REPLY}" in names:
            continue
        until = times.after(f"{last}T00:00:00Z", 1)
        who = "" if name.endswith(_REPLY) else "a mail, which anybody can have written, says that "
        if any(_covered(seat, mark, until) for seat in games if seat.game.startswith(game)):
            then = f"what they owe is due no earlier than {until}"
        else:
            then = f"while they owe a message, {gives(game, mark, until)}"
        lines.append(f"game {game[:8]}: {who}{_player(home, mark)} will be away from {first} to {last}; {then}")
    return lines


def _player(home: Path, begins: str) -> str:
    """What a player is called in the list of people, by the first digits of their mark."""
    with suppress(KurskError):  # a damaged file of theirs is told of elsewhere
        found = (one for name in people.beginning(home, begins) if (one := people.marked(home, name)))
        if (one := next(found, None)) is not None:
            return one.typed if one.typed == one.name else f"the player with key {one.typed}"
    return f"the player with key {begins[:8]}"


def _covered(seat: Seat, mark: str, until: str) -> bool:
    """Whether the owner of a key owes the next message, and the term that runs is no shorter than that."""
    owes = seat.keys.get(seat.known.writer, "")
    with suppress(KurskError, OSError):  # a damaged paper is told of its own game
        term = deadlines.running(seat) if owes and people.mark(owes).startswith(mark) else None
        return term is not None and term.due >= until
    return False
