"""Announced absences of players, noted for the director. Only the director extends terms."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from pathlib import Path

from kursk_pbem.desk.ground import clock
from kursk_pbem.errors import OwnWordsError
from kursk_pbem.formats import times
from kursk_pbem.post.mailbox import people, store
from kursk_pbem.post.round.game_mail import GameMail
from kursk_pbem.post.tournaments import directing

EXAMPLE = "say the first and the last day, such as ABSENT 2026-12-24 2027-01-02"
_MOST = 20
"""Maximum absences of one player in one game."""


def save_absence(home: Path, game: str, marks: Iterable[str], first: str, last: str) -> None:
    """Save the days of players' absence. ``marks``: marks of the players' keys. Raises OwnWordsError for wrong days."""
    if not all(times.is_time(f"{day}T00:00:00Z") for day in (first, last)) or last < first:
        raise OwnWordsError(EXAMPLE)
    if not clock.now()[:10] <= last <= times.add_days(clock.now(), 366)[:10]:
        raise OwnWordsError("the days are over, or more than a year away: give days within a year")
    with store.open_writing(home) as found:
        for mark in marks:
            count = "select count(*) from absence where game = ? and mark = ?"
            if found.execute(count, (game, mark)).fetchone()[0] >= _MOST:
                raise OwnWordsError(f"too many absences of yours are noted in game {game[:8]}: write to the director")
            found.execute("insert or ignore into absence values (?, ?, ?, ?)", (game, mark, first, last))


def list_absences(home: Path, games: Collection[GameMail]) -> Iterator[str]:
    """Yield a line for each absence, with the command that grants more time. Delete past absences. Raises DiskError."""
    with store.open_writing(home) as found:
        found.execute("delete from absence where last < ?", (clock.now()[:10],))
        there = found.execute("select game, mark, first, last from absence order by 1, 2, 3, 4").fetchall()
    for game, mark, first, last in there:
        until = times.add_days(f"{last}T00:00:00Z", 1)
        person = next((person for person in people.load_people(home) if person.mark == mark), None)
        who = f"the player {person.typed}" if person is not None else f"the player with key {mark[:8]}"
        gives = directing.make_grant_command(home, games, game[:16], until)
        says = f"an unsigned mail says that {who} will be away from {first} to {last}"
        yield f"game {game[:8]}: {says}; if a message is due, {gives}"


def list_player_absences(home: Path, game: str, mark: str, since: str) -> Iterator[str]:
    """Yield a line for each absence that a player has announced since a time. Raises DiskError."""
    asked = "select first, last from absence where game = ? and mark = ? and last >= ?"
    with store.open_reading(home) as found:
        there = found.execute(asked, (game, mark, since[:10])).fetchall()
    yield from (f"by a mail, the player is away from {first} to {last}" for first, last in there)
