"""The players of several tournaments: ratings by quarter, games, reply times, and first places."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from decimal import Decimal

from kursk_pbem.audit import ratings
from kursk_pbem.audit.ratings import Rated
from kursk_pbem.formats import times
from kursk_pbem.formats.canonical import sha256_hex
from kursk_pbem.frozen import frozen
from kursk_pbem.game import pins
from kursk_pbem.tournament import boards
from kursk_pbem.tournament.ladder.archives import Archive
from kursk_pbem.tournament.pace import Pace
from kursk_pbem.tournament.score.counted import count_games
from kursk_pbem.tournament.score.rating import find_time, rate_games
from kursk_pbem.tournament.score.table import compute_standings
from kursk_pbem.trust import sshsig

FEW = 12
"""Minimum number of rated games; a player with fewer has a provisional rating."""
YEAR = 365
"""Number of days; a player without a rated game in this time is inactive."""
ESTABLISHED, PROVISIONAL, INACTIVE, UNRATED = range(4)
"""The states of a player, in the order of the ladder."""
PLACES = 3
"""The number of places in the hall of fame."""


@frozen
class Meeting:
    """A counted game of a player. ``foe``: the opponent's id as a person; ``result``: won, drawn or lost."""

    archive: Archive
    board: str
    time: str  # of the log paper with the result
    scenario: str
    side: str
    foe: str
    result: str
    forfeit: bool
    rated: bool


@frozen
class Player:
    """A person with all their keys. ``quarters``: the ratings after each quarter; ``now``: the newest paper's time."""

    name: str
    key: str  # the newest key
    page: str
    now: str
    quarters: tuple[tuple[str, Rated], ...]
    meetings: tuple[Meeting, ...]
    replies: tuple[int, ...]  # seconds
    honors: tuple[tuple[int, Archive], ...]  # places up to PLACES

    @property
    def rating(self) -> Rated | None:
        """The newest rating, or None if no game of the player is rated."""
        return self.quarters[-1][1] if self.quarters else None

    @property
    def last(self) -> str:
        """The time of the player's last rated game, or ''."""
        return max((meeting.time for meeting in self.meetings if meeting.rated), default="")

    @property
    def state(self) -> int:
        """The player's state: ESTABLISHED, PROVISIONAL, INACTIVE or UNRATED."""
        if self.rating is None:
            return UNRATED
        if times.days(self.last, self.now) > YEAR:
            return INACTIVE
        return PROVISIONAL if self.rating.games < FEW else ESTABLISHED

    @property
    def medals(self) -> tuple[int, ...]:
        """How many first, second and third places the player has."""
        return tuple(sum(place == each for each, _archive in self.honors) for place in range(1, PLACES + 1))

    def count_results(self, *names: str) -> list[tuple[tuple[str, ...], Counter[str]]]:
        """Return the results of played games in groups, largest first. ``names``: fields such as scenario and side."""
        found: dict[tuple[str, ...], Counter[str]] = defaultdict(Counter)
        for meeting in self.meetings:
            if not meeting.forfeit:
                found[tuple(getattr(meeting, name) for name in names)][meeting.result] += 1
        return sorted(found.items(), key=lambda one: (-one[1].total(), one[0]))


def compute_players(archives: Sequence[Archive], paces: Mapping[str, Mapping[str, Pace]]) -> dict[str, Player]:
    """Return the players by person, in the sequence of the ladder: by state, then best rating first.

    ``paces``: the reply times by tournament and board.
    """
    events = [archive.event for archive in archives]
    owner, newest = ratings.find_people(events)
    quarters = list(ratings.rate_quarters(events))
    now = max((archive.book.head.text("time") for archive in archives), default="")
    games: dict[str, list[Meeting]] = defaultdict(list)
    replies: dict[str, list[int]] = defaultdict(list)
    honors: dict[str, list[tuple[int, Archive]]] = defaultdict(list)
    for archive in archives:
        person_of = {number: owner[archive.book.entrant(number).key] for number in archive.book.numbers}
        for person, meeting in _list_meetings(archive, owner):
            games[person].append(meeting)
        for number, seconds in (reply for pace in paces[archive.book.id].values() for reply in pace.replies):
            replies[person_of[number]].append(seconds)
        for row in compute_standings(archive.book).rows[:PLACES]:
            honors[person_of[row.number]].append((row.place, archive))
    found = {
        person: Player(
            name,
            newest[person][0],
            f"player-{sha256_hex(person.encode('ascii'))[:16]}.html",
            now,
            tuple((quarter, rated[person]) for quarter, rated in quarters if person in rated),
            tuple(games[person]),
            tuple(replies[person]),
            tuple(honors[person]),
        )
        for person, name in _make_names(newest).items()
    }
    return dict(sorted(found.items(), key=lambda one: _rank_player(one[1])))


def _rank_player(player: Player) -> tuple[int, Decimal, str]:
    return player.state, -Decimal(player.rating.rating if player.rating else 0), player.key


def _make_names(newest: Mapping[str, tuple[str, str]]) -> dict[str, str]:
    """Return the public name of each person, with a part of the key's fingerprint if the name is not enough."""
    shared = Counter(name for _key, name in newest.values())
    return {
        person: name if name and shared[name] == 1 else f"{name or 'Player'} {sshsig.fingerprint(key)[7:15]}"
        for person, (key, name) in newest.items()
    }


def _list_meetings(archive: Archive, owner: Mapping[str, str]) -> Iterator[tuple[str, Meeting]]:
    """Yield each counted game for both players, with the person of the player."""
    book = archive.book
    rated = {board.name for board, _result in rate_games(book, archive.findings)}
    for game in count_games(book).games:
        board, time = book.boards[game.board], find_time(book, book.boards[game.board])
        scenario = pins.make_title(book.rules.systems[game.system - 1].scenario)
        keys = boards.player_keys(book, board, len(book.log))
        people = [owner[key] for key in keys.values()]
        for (side, number), person, foe in zip(board.sides.items(), people, people[::-1], strict=True):
            result = "won" if game.winner == number else "lost" if game.lost_by(number) else "drawn"
            is_rated = board.name in rated
            yield person, Meeting(archive, board.name, time, scenario, side, foe, result, not game.played, is_rated)
