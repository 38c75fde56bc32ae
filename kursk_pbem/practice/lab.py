"""Programs play a scenario against each other: winners, margins, and points for an even game.

A game depends on the seed alone, and games count in order, so a seed always gives the same page.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict
from fractions import Fraction
from functools import partial
from math import comb, isqrt
from pathlib import Path
from typing import Any

from kursk_pbem.errors import UsageError
from kursk_pbem.frozen import frozen
from kursk_pbem.game import scenario_files, scenarios
from kursk_pbem.game.scenario_files import Contents
from kursk_pbem.kernel.forecast import estimate
from kursk_pbem.kernel.ruleset import PLAYERS, Ruleset
from kursk_pbem.kernel.scenario import Scenario
from kursk_pbem.kernel.state import ELIMINATED, State
from kursk_pbem.practice.levels import check_level, name_level, think
from kursk_pbem.practice.play import HashedDice, IllegalContentError, Table
from kursk_pbem.report.luck import show_per_cent
from kursk_pbem.rulesets import ruleset

MOST_MESSAGES = 1_000
MOST_GIVEN = 99
MOST_MARGINS, BAND = 40, 50
"""Maximum number of margins in a table one by one, and the width of a band of more margins."""
SURE = Fraction(196, 100)
"""Standard deviations of an interval of 95 %."""
FAIR = (Fraction(43, 100), Fraction(57, 100))
"""Between these shares a scenario counts as even."""


@frozen
class Played:
    """A game between programs. ``margin``: points of the first side minus the second's, None without points.

    ``by_points``: the points decided at the end of the last turn. ``lost``: 'side/kind' -> number of eliminated units.
    """

    winner: str
    how: str
    margin: int | None
    by_points: bool
    messages: int
    turn: str
    lost: Mapping[str, int]


@frozen
class Job:
    """A game to play: scenario files, level of both sides, and seed. A job can run in any process."""

    contents: Contents
    level: int
    seed: str

    def run(self) -> str:
        """Play the game; return the result as JSON. Raises UsageError for illegal orders, or for a game without end."""
        rules, setting = open_scenario(self.contents)
        own = {side: f"{self.seed}/{side}" for side in rules.sides}
        minds = {side: partial(think, rules, setting, level=self.level, seed=own[side]) for side in rules.sides}
        first = rules.data.setup(setting)
        table = Table(rules, setting, first)
        try:
            while not table.is_over and table.seq <= MOST_MESSAGES:
                table = table.play_message(HashedDice(table.seq, self.seed), minds)
        except IllegalContentError as error:
            raise UsageError(f"the practice opponent broke a rule; report the bug, seed {self.seed}: {error}") from None
        if rules.play.verdict(setting, table.state) is None:
            raise UsageError(f"the game with the seed {self.seed} does not end: report the bug with this seed")
        return json.dumps(asdict(_record_game(rules, setting, first, table)), sort_keys=True)


def open_scenario(contents: Contents) -> tuple[Ruleset, Any]:
    """Return the rules and the setting of a scenario."""
    scenario = scenario_files.load_contents(contents)
    rules = ruleset(scenario.ruleset)
    return rules, scenarios.make_setting(rules, scenario, {}, PLAYERS)


def read_scenario(named: str) -> Contents:
    """Return the files of a scenario. Its id or its folder names it. Raises UsageError or FileError."""
    folder = Path(named) if Path(named).is_dir() else scenario_files.find(scenario_files.resolve_id(named))
    scenarios.load_folder(folder)
    return scenario_files.read_contents(folder)


def _record_game(rules: Ruleset, setting: Any, first: State, table: Table) -> Played:
    verdict, margin = rules.play.verdict(setting, table.state), rules.play.margin(setting, table.state)
    assert verdict is not None  # noqa: S101  the game is over
    words, kinds = rules.seen.words(setting), _find_kinds(setting.scenario)
    lost = Counter(
        f"{words.owner(uid)}/{kinds.get(uid, 'unit')}"
        for uid, unit in table.state.units.items()
        if unit.place == ELIMINATED and first.units[uid].place != ELIMINATED
    )
    last = table.state.turn == getattr(setting, "turns", ("",))[-1]
    agrees = margin is not None and verdict.winner in ("", rules.sides[margin < 0])
    return Played(verdict.winner, verdict.how, margin, agrees and last, table.seq - 1, table.state.turn, dict(lost))


def _find_kinds(scenario: Scenario) -> dict[str, str]:
    """Return the kind of each unit by the data of a scenario."""
    tables = [entries for entries in scenario.data["units"].values() if isinstance(entries, dict)]
    listed = {uid: entry for entries in tables for uid, entry in entries.items() if isinstance(entry, dict)}
    kinds = {uid: str(entry.get("type") or entry.get("kind") or "unit") for uid, entry in listed.items()}
    models = {model: kinds[uid] for uid, entry in listed.items() for model in entry.get("models", ())}
    return kinds | models


def list_jobs(contents: Contents, level: int, seed: str, games: int) -> list[Job]:
    """Return the games that remain to be played. Raises UsageError if the system lacks the practice level."""
    check_level(open_scenario(contents)[0], level)
    return [Job(contents, level, f"lab/{seed}/{number}") for number in range(games)]


def read_result(line: str) -> Played:
    """Return a played game from the JSON line that its job returned."""
    return Played(**json.loads(line))


def share(games: Sequence[Played], side: str, sides: tuple[str, str], given: int = 0) -> Fraction:
    """Return the share of a side: its wins and half of the draws. ``given``: points added for the first side.

    A game gets no added points if its kind of end (``how``) can come before the last turn.
    """
    early = {game.how for game in games if not game.by_points}
    scores = [_score_game(game, side, sides, 0 if game.how in early else given) for game in games]
    return Fraction(sum(scores), 2 * len(games))


def _score_game(game: Played, side: str, sides: tuple[str, str], given: int) -> int:
    """Return 2 for a win, 1 for a draw, 0 for a loss. Points count only where points decided."""
    winner = game.winner
    if given and game.by_points and game.margin is not None:
        margin = game.margin + given
        giver = sides[given > 0]
        winner = sides[margin < 0] if margin else giver
    return 2 if winner == side else 0 if winner else 1


def find_even(games: Sequence[Played], sides: tuple[str, str]) -> list[tuple[int, Fraction]]:
    """Return the points for the first side that make the games most even, and its share with these points.

    Points below 0 go to the second side. If no number is fair, return the two nearest. Games without points give [].
    """
    if not any(game.by_points for game in games):
        return []
    found = [(given, share(games, sides[0], sides, given)) for given in range(-MOST_GIVEN, MOST_GIVEN + 1)]
    ranked = sorted(found, key=lambda each: (abs(each[1] - Fraction(1, 2)), abs(each[0])))
    if FAIR[0] <= ranked[0][1] <= FAIR[1]:
        return ranked[:1]
    below = [each for each in found if each[1] < Fraction(1, 2)]
    return below[-1:] + found[len(below) : len(below) + 1]


@frozen
class Difference:
    """A comparison of pairs of games with equal dice: in ``more`` pairs a figure has grown, in ``fewer`` it has fallen.

    ``chance``: how probable this is by luck alone: the two-sided sign test, times the number of comparisons.
    """

    what: str
    more: int
    fewer: int
    chance: Fraction


def compare(games: Sequence[Played], others: Sequence[Played], sides: tuple[str, str]) -> list[Difference]:
    """Compare games of a scenario before and after a change: their results, and each side's eliminated units."""
    measures: list[tuple[str, Callable[[Played], tuple[int, int]]]] = [
        (f"result of {sides[0]}", lambda game: (_score_game(game, sides[0], sides, 0), game.margin or 0))
    ]
    measures += [(f"units lost by {side}", partial(_count_lost, side)) for side in sides]
    found = []
    for what, measure in measures:
        marks = [(measure(one), measure(other)) for one, other in zip(games, others, strict=True)]
        more, fewer = sum(other > one for one, other in marks), sum(other < one for one, other in marks)
        tail = sum(comb(more + fewer, each) for each in range(min(more, fewer) + 1))
        chance = Fraction(2 * tail * len(measures), 2 ** (more + fewer))
        found.append(Difference(what, more, fewer, min(Fraction(1), chance)))
    return found


def _count_lost(side: str, game: Played) -> tuple[int, int]:
    return sum(number for key, number in game.lost.items() if key.startswith(f"{side}/")), 0


def is_found(found: Sequence[Difference]) -> bool:
    """Return whether a comparison finds a real change: by luck alone its probability is below 1 %."""
    return any(each.chance < Fraction(1, 100) for each in found)


@frozen
class Effect:
    """The first side's share before and after a change. ``wide``: half the width of the difference's 95 % interval."""

    before: Fraction
    after: Fraction
    wide: Fraction


def measure_effect(games: Sequence[Played], others: Sequence[Played], sides: tuple[str, str]) -> Effect:
    """Return the effect of a change. The games form pairs, and both games of a pair have equal dice."""
    before, after = (share(each, sides[0], sides) for each in (games, others))
    pairs = zip(games, others, strict=True)
    gains = [
        Fraction(_score_game(other, sides[0], sides, 0) - _score_game(one, sides[0], sides, 0), 2)
        for one, other in pairs
    ]
    spread = sum((gain - after + before) ** 2 for gain in gains) / Fraction(max(len(gains) - 1, 1) * len(gains))
    return Effect(before, after, Fraction(isqrt(int(spread * SURE**2 * 10**8)), 10**4))


def count_wins(games: Sequence[Played], sides: tuple[str, str]) -> dict[str, int]:
    """Return the number of wins of each side, and the number of draws under the key ``draw``."""
    return {side or "draw": sum(game.winner == side for game in games) for side in (*sides, "")}


def make_facts(games: Sequence[Played], sides: tuple[str, str]) -> dict[str, object]:
    """Return the figures of a page as plain data for programs."""
    margins = [game.margin for game in games if game.margin is not None]
    even = [{"side": sides[given < 0], "points": abs(given)} for given, _part in find_even(games, sides)]
    mean = _show_decimal(Fraction(sum(margins), len(margins))) if margins else ""
    sizes = sorted(game.messages for game in games)
    tail = len(sizes) // 20
    messages = {"median": sizes[len(sizes) // 2], "nine-in-ten": [sizes[tail], sizes[-1 - tail]]}
    return {"wins": count_wins(games, sides), "margin": mean, "even": even, "messages": messages}


def describe_effect(games: Sequence[Played], others: Sequence[Played], sides: tuple[str, str]) -> dict[str, object]:
    """Return as plain data the wins after a change, and the change's effect in percentage points (95 % interval)."""
    effect = measure_effect(games, others, sides)
    gain = effect.after - effect.before
    interval = [_show_decimal(100 * (gain + wide)) for wide in (-effect.wide, effect.wide)]
    return {"wins": count_wins(others, sides), "effect": _show_decimal(100 * gain), "interval": interval}


def write_page(contents: Contents, level: int, seed: str, games: Sequence[Played]) -> str:
    """Return a page in Markdown about the games of a scenario."""
    rules, setting = open_scenario(contents)
    words, sides = rules.seen.words(setting), rules.sides
    names = {side: words.side(side) for side in sides} | {"": "draw"}
    wins = []
    for side, name in names.items():
        found = estimate(sum(game.winner == side for game in games), len(games))
        interval = f"{show_per_cent(found.low)} to {show_per_cent(found.high)}"
        wins.append((name, f"{found.chance * len(games)}, {show_per_cent(found.chance)}", interval))
    ends = Counter((f"{names[game.winner]}, {game.how}, turn {game.turn}",) for game in games)
    lost: Counter[str] = Counter()
    for game in games:
        lost.update(game.lost)
    lost_units = [
        (names[side], _escape(kind), _show_decimal(Fraction(number, len(games))))
        for (side, _slash, kind), number in sorted((key.partition("/"), number) for key, number in lost.items())
    ]
    data = f"data {setting.scenario.sha256[:16]}, adjudication {rules.version}"
    parts = [
        f"Programs played both sides ({name_level(level)}); people may find other results.",
        f"# {_escape(scenarios.full_title(rules, str(setting.scenario.title)))}",
        f"{len(games)} games, seed {seed}, {data}.",
        _make_table(("side", "wins", "95 % interval"), wins),
        *_list_margins(games, sides, names),
        f"Messages: {_describe_spread([game.messages for game in games])}.",
        _make_table(("end", "games"), [(*end, number) for end, number in sorted(ends.items(), key=_sort_ends)]),
        _make_table(("side", "kind", "lost units a game"), lost_units),
    ]
    return "\n\n".join(parts) + "\n"


def _sort_ends(end: tuple[tuple[str], int]) -> tuple[int, tuple[str]]:
    return -end[1], end[0]


def _escape(text: str) -> str:
    """Return a stranger's words for Markdown."""
    return re.sub(r"[\\`*_{}\[\]<>#|!&~]", r"\\\g<0>", text)


def _make_table(head: Sequence[str], rows: Sequence[Sequence[object]]) -> str:
    lines = (head, ["---"] * len(head), *rows)
    return "\n".join(f"| {' | '.join(map(str, line))} |" for line in lines)


def _list_margins(games: Sequence[Played], sides: tuple[str, str], names: Mapping[str, str]) -> Iterator[str]:
    margins = [game.margin for game in games if game.margin is not None]
    if not margins:
        return
    first = names[sides[0]]
    yield f"Margin of the {first} side, in victory points: {_describe_spread(margins)}."
    yield _make_table(("margin", "games"), count_margins(games))
    even = find_even(games, sides)
    told = [f"{names[sides[by < 0]]} {abs(by)} ({first} {show_per_cent(part)})" for by, part in even]
    if len(told) == 1:
        yield f"Points for one side that make the game even: {told[0]}."
    elif told:
        yield f"No whole number of points makes the game even. The two nearest numbers: {'; '.join(told)}."


def count_margins(games: Sequence[Played]) -> list[tuple[str, int]]:
    """Return each margin of victory (points) with its number of games, ascending. Many margins form bands."""
    counts = Counter(game.margin for game in games if game.margin is not None)
    if len(counts) <= MOST_MARGINS:
        return [(f"{margin:+d}", number) for margin, number in sorted(counts.items())]
    bands: Counter[int] = Counter()
    for margin, number in counts.items():
        bands[margin // BAND * BAND] += number
    return [(f"{low:+d} to {low + BAND - 1:+d}", number) for low, number in sorted(bands.items())]


def write_comparison(games: Sequence[Played], others: Sequence[Played], sides: tuple[str, str]) -> str:
    """Return a paragraph that compares a scenario's games before and after a change. Pairs of games have equal dice."""
    found = compare(games, others, sides)
    told = "the change is found" if is_found(found) else "no difference is found"
    rows = [(each.what, each.more, each.fewer, show_per_cent(each.chance)) for each in found]
    head = f"Of {len(games)} pairs with the same dice, after the change: {told} (below 1 %)."
    effect = measure_effect(games, others, sides)
    gain, wide = (f"{float(100 * value):.1f}" for value in (effect.after - effect.before, effect.wide))
    shares = [f"{show_per_cent(part)}" for part in (effect.before, effect.after)]
    text = (
        f"Wins and half of the draws of {sides[0].capitalize()}: {shares[0]} before and {shares[1]} after the change, "
        f"an effect of {gain} percentage points, with an interval of {wide} to both sides (95 %). The games can show "
        f"an effect from about {wide} points on."
    )
    return f"{head}\n\n{text}\n\n{_make_table(('measure', 'more', 'fewer', 'by luck'), rows)}\n"


def _describe_spread(numbers: Sequence[int]) -> str:
    """Return the mean, the standard deviation and the extremes."""
    mean = Fraction(sum(numbers), len(numbers))
    variance = Fraction(sum(number * number for number in numbers), len(numbers)) - mean**2
    root = Fraction(isqrt(int(variance * 10_000)), 100)
    return f"mean {_show_decimal(mean)}, spread {_show_decimal(root)}, from {min(numbers)} to {max(numbers)}"


def _show_decimal(value: Fraction) -> str:
    return f"{float(round(value, 2)):.2f}"
