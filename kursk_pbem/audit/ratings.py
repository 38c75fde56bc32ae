"""Ratings over several events, equal on every machine: Elo in whole numbers, Glicko-2 in decimals of 28 digits.

Elo: all games of an event use the ratings before the event. Glicko-2: all games of a quarter use the ratings before
the quarter, so other people's events age nobody. Squares are products: Python promises exact rounding of products,
roots, exponentials and logarithms, but not of powers.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass  # not frozen: any Python runs this module alone
from decimal import Context, Decimal, localcontext
from functools import lru_cache
from typing import NamedTuple, TypeAlias

START, K = 1500, 20
"""Elo: the rating of a new player, and the maximum gain from one game."""
CONTEXT = Context(prec=28)
SCALE, PI = Decimal("173.7178"), Decimal("3.141592653589793238462643383")
TAU, NEAR = Decimal("0.5"), Decimal("1e-12")
"""Glicko-2: the constant that limits changes of volatility, and the precision of the search for its value."""

Result: TypeAlias = tuple[str, str, int, str]
"""A game: two keys, the first key's score in half points, and the log paper's time ('2027-04-30T20:00:00Z')."""
Score: TypeAlias = tuple[str, str, int]
"""A game: two persons, and the first person's score in half points."""


@dataclass(frozen=True)
class Event:
    """The rated games of a tournament. ``changed``: (old key, new key) in order. ``names``: key -> name, perhaps ''."""

    id: str
    title: str
    end: str
    results: tuple[Result, ...]
    changed: tuple[tuple[str, str], ...]
    names: Mapping[str, str]


@dataclass(frozen=True)
class Rated:
    """A rated player, named by the player's newest key. ``deviation`` and ``volatility`` are '' in Elo."""

    key: str
    name: str
    games: int
    rating: str
    deviation: str = ""
    volatility: str = ""


def sort_events(events: Iterable[Event]) -> list[Event]:
    """Return events sorted by the time of their end."""
    return sorted(events, key=lambda event: (event.end, event.id))


def rate(events: Iterable[Event], *, glicko: bool) -> list[Rated]:
    """Return all rated players, the best first: by Glicko-2 if ``glicko`` is set, otherwise by Elo."""
    found = list(rate_quarters(events))[-1:] if glicko else [("", _rate_events(events))]
    rows = [row for _quarter, rated in found for row in rated.values()]
    return sorted(rows, key=lambda row: (-Decimal(row.rating), row.key))


def rate_quarters(events: Iterable[Event]) -> Iterator[tuple[str, dict[str, Rated]]]:
    """Yield each quarter, such as '2027-Q2', with the Glicko-2 ratings at its end: person -> rated player.

    Quarters without games count too, because they make ratings less certain.
    """
    events = sort_events(events)
    owner, newest = find_people(events)
    periods: dict[int, list[Score]] = {}
    for one, other, score, time in (result for event in events for result in event.results):
        periods.setdefault(_count_quarters(time), []).append((owner[one], owner[other], score))
    now: dict[str, State] = {}
    games: Counter[str] = Counter()
    for quarter in range(min(periods, default=0), max(periods, default=-1) + 1):
        period = periods.get(quarter, [])
        now = _rate_quarter(now, period)
        games.update(who for game in period for who in game[:2])
        rated = {who: Rated(*newest[who], games[who], *format_player(state)) for who, state in now.items()}
        yield f"{quarter // 4}-Q{quarter % 4 + 1}", rated


def _count_quarters(time: str) -> int:
    """Return the number of quarters since the beginning of year 0."""
    return 4 * int(time[:4]) + (int(time[5:7]) - 1) // 3


def find_people(events: Sequence[Event]) -> tuple[dict[str, str], dict[str, tuple[str, str]]]:
    """Return two mappings: key -> person, and person -> newest key and name. A person's id is the person's first key.

    ``events``: tournaments, sorted by the time of their end.
    """
    owner: dict[str, str] = {}
    for event in events:
        owner |= {key: key for key in event.names if key not in owner}
        for old, new in event.changed:
            one, other = owner.setdefault(old, old), owner.setdefault(new, new)
            owner |= {key: one for key, person in owner.items() if person == other}
    newest: dict[str, tuple[str, str]] = {}
    for event in events:
        newest |= {owner[key]: (key, name) for key, name in event.names.items()}
        newest |= {owner[new]: (new, newest[owner[new]][1]) for _old, new in event.changed}
    return owner, newest


def _rate_events(events: Iterable[Event]) -> dict[str, Rated]:
    """Return person -> player by Elo after all events. The change of an event is rounded once."""
    events = sort_events(events)
    owner, newest = find_people(events)
    now: dict[str, int] = {}
    games: Counter[str] = Counter()
    for event in events:
        period = [(owner[one], owner[other], score) for one, other, score, _time in event.results]
        gained = Counter({who: 0 for game in period for who in game[:2]})
        now = dict.fromkeys(gained, START) | now
        for one, other, score in period:
            moved = K * (1000 * score - 2 * expect_score(now[one] - now[other]))
            gained[one] += moved
            gained[other] -= moved
        now |= {who: now[who] + round_quotient(change, 2000) for who, change in gained.items()}
        games.update(who for game in period for who in game[:2])
    return {who: Rated(*newest[who], games[who], str(rating)) for who, rating in now.items()}


def round_quotient(dividend: int, divisor: int) -> int:
    """Return a quotient rounded to a whole number, with halves rounded away from zero. ``divisor``: above 0."""
    whole, rest = divmod(abs(dividend), divisor)
    whole += 2 * rest >= divisor
    return whole if dividend >= 0 else -whole


@lru_cache(maxsize=4096)
def expect_score(lead: int) -> int:
    """Return the score in per mille that Elo expects for a lead in rating points, rounded exactly; 500 without lead.

    The score is the greatest p with 1000 / (1 + 10^(-lead/400)) >= p - 1/2, so 10^lead >= ((2p-1)/(2001-2p))^400.
    """
    if lead < 0:
        return 1000 - expect_score(-lead)
    low, high = 500, 1000
    while low < high:  # the greatest p that satisfies the inequality
        middle = (low + high + 1) // 2
        if 10**lead * (2001 - 2 * middle) ** 400 >= (2 * middle - 1) ** 400:
            low = middle
        else:
            high = middle - 1
    return low


class State(NamedTuple):
    """A player's values in the internal scale of Glicko-2, unrounded: rating, square of the deviation, volatility."""

    mu: Decimal
    variance: Decimal
    sigma: Decimal


def parse_player(rating: str, deviation: str, sigma: str) -> State:
    """Return a player's internal Glicko-2 values from the printed rating, deviation and volatility."""
    with localcontext(CONTEXT):
        phi = Decimal(deviation) / SCALE
        return State((Decimal(rating) - START) / SCALE, phi * phi, Decimal(sigma))


def format_player(state: State) -> tuple[str, str, str]:
    """Return a player's rating, deviation and volatility as rounded figures for people."""
    with localcontext(CONTEXT):
        rating, deviation = SCALE * state.mu + START, SCALE * state.variance.sqrt()
        return f"{rating:.2f}", f"{deviation:.2f}", f"{state.sigma:.6f}"


def _rate_quarter(now: dict[str, State], period: Sequence[Score]) -> dict[str, State]:
    """Return all players after a quarter. New players begin with 1500, 350 and 0.06."""
    games: dict[str, list[tuple[str, int]]] = {}
    for one, other, score in period:
        games.setdefault(one, []).append((other, score))
        games.setdefault(other, []).append((one, 2 - score))
    before = dict.fromkeys(games, parse_player("1500", "350", "0.06")) | now
    return {
        who: rate_period(old, [(before[foe], score) for foe, score in games.get(who, ())])
        for who, old in before.items()
    }


def rate_period(old: State, games: Sequence[tuple[State, int]]) -> State:
    """Return a player's Glicko-2 values after a rating period.

    Source: M. Glickman, Example of the Glicko-2 system (2022), steps 3 to 8. ``games``: the opponent's values before
    the period, and the score in half points, for every game. Without games, the rating only gets less certain.
    """
    with localcontext(CONTEXT):
        if not games:
            return old._replace(variance=old.variance + old.sigma * old.sigma)
        precision = surplus = Decimal(0)
        for foe, score in games:
            weight = 1 / (1 + 3 * foe.variance / (PI * PI)).sqrt()
            odds = (weight * (foe.mu - old.mu)).exp()
            chance = 1 / (1 + odds)
            precision += weight * weight * odds * chance * chance
            surplus += weight * (Decimal(score) / 2 - chance)
        sigma = _find_volatility(old, 1 / precision, surplus / precision)
        variance = 1 / (1 / (old.variance + sigma * sigma) + precision)
        return State(old.mu + variance * surplus, variance, sigma)


def _find_volatility(old: State, v: Decimal, delta: Decimal) -> Decimal:
    """Return the new volatility: step 5, by the Illinois algorithm."""
    spread, start, square = old.variance + v, (old.sigma * old.sigma).ln(), delta * delta

    def f(x: Decimal) -> Decimal:
        grown = x.exp()
        whole = spread + grown
        return grown * (square - whole) / (2 * whole * whole) - (x - start) / (TAU * TAU)

    low, high = start, start - TAU
    if square > spread:
        high = (square - spread).ln()
    else:
        while f(high) < 0:
            high -= TAU
    at_low, at_high = f(low), f(high)
    while abs(high - low) > NEAR:
        between = low + (low - high) * at_low / (at_high - at_low)
        at_between = f(between)
        if at_between * at_high <= 0:
            low, at_low = high, at_high
        else:
            at_low /= 2
        high, at_high = between, at_between
    return (low / 2).exp()
