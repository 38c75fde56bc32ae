"""The turning points of a game: the swing of the dice in every message, and the points lost by orders.

The chances of the dice are exact. The worth of a position is the program's opinion. So are the points lost by orders.
All figures are hundredths of a victory point of the first side.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from heapq import nlargest
from itertools import pairwise
from math import isqrt
from pathlib import Path
from typing import Any

from kursk_pbem.desk.draft import preview, prospects
from kursk_pbem.errors import UsageError
from kursk_pbem.formats.canonical import REFEREE
from kursk_pbem.frozen import frozen
from kursk_pbem.game.games import Game
from kursk_pbem.game.histories import History, Step
from kursk_pbem.game.questions import CaseDice
from kursk_pbem.kernel.adjudicate import Adjudication
from kursk_pbem.kernel.forecast import Turn, spread
from kursk_pbem.kernel.ideas import POINT
from kursk_pbem.kernel.state import OVER, State
from kursk_pbem.practice.levels import SEALED, Thoughts, hide_seals
from kursk_pbem.practice.play import Table
from kursk_pbem.practice.systems import find_ideas

MOMENTS, BATTLES, QUICK = 3, 4, 1
"""Moments of a game, and described battles of a plan; the level whose plans choose the moments."""
MOST = 1_300
"""Maximum number of runs of the rules for the dice of a message; beyond the limit each battle is compared alone."""
TITLE = "Where was it lost"
OPINION = (
    "The chances of the dice are exact. The worth of a position, in victory points, is an opinion of the program. "
    "The points given away by orders are an opinion, too: the program's best plan for the message was better by these "
    "points. The program may be wrong and does not understand bluff."
)


@frozen
class Swing:
    """How a message changed the game. ``worth``: the worth of the position after the message.

    ``dice``: the worth after the dice minus the worth expected before; ``variance``: of this difference. ``alone``: the
    sum over single battles, because the whole turn has too many results. ``uncounted``: the number of dice left out.
    ``given``: points that the orders gave away, compared with the plan ``better``. For the worst messages also the
    ``forecast`` of that plan for the writer, and the chances of its first ``battles``.
    """

    seq: int
    turn: str
    sender: str
    worth: int
    dice: Fraction = Fraction(0)
    variance: Fraction = Fraction(0)
    alone: bool = False
    uncounted: int = 0
    given: Fraction = Fraction(0)
    better: str = ""
    text: str = ""
    forecast: Fraction = Fraction(0)
    battles: tuple[str, ...] = ()


def need_allowed(home: Path, game: Game, near: Path) -> None:
    """Raise UsageError if a game's tournament forbids help. ``near``: the game's folder or a file in the folder."""
    if "tournament" in game.chain.head:
        from kursk_pbem.tournament import assistance  # noqa: PLC0415  few games need the modules

        assistance.need_allowed(home, game, near)


def analyze_game(history: History, home: Path, near: Path) -> Iterator[Swing]:
    """Yield the analysis of every message of a game. ``home``: private folder. ``near``: the game's folder or file.

    Raises UsageError if the game system has no practice opponent, or if the game's tournament forbids help.
    """
    for analyst in _list_analysts(history, home, near):
        yield analyst.analyze_message()


def find_moments(history: History, home: Path, near: Path, side: str) -> list[Swing]:
    """Return the messages in which a side lost the most points by its orders, worst first.

    A quick search first selects messages, so that few need a long search. Raises the errors of :func:`analyze_game`.
    """
    found = [each for each in _list_analysts(history, home, near) if each.chooses and each.step.message.sender == side]
    worst = nlargest(MOMENTS, found, key=lambda each: each.add_orders(each.begin(), QUICK).given)
    swings = [each.add_orders(each.begin(), battles=True) for each in worst]
    return sorted((swing for swing in swings if swing.given), key=lambda swing: -swing.given)


def describe_moment(swing: Swing) -> list[str]:
    """Return sentences for the writer of a message: the points that the orders lost, and a better plan."""
    given, less = show_points(swing.given, signed=False), show_points(swing.forecast - swing.given)
    return [
        f"Message {swing.seq}, turn {swing.turn}: your orders gave away about {given} points.",
        f"Better: {swing.text}",
        *swing.battles,
        f"Forecast for the position after the dice: {show_points(swing.forecast)} instead of {less} points.",
    ]


def _list_analysts(history: History, home: Path, near: Path) -> Iterator[_Analyst]:
    need_allowed(home, history.game, near)
    ruleset, setting = history.game.ruleset, history.game.setting
    if (ideas := find_ideas(ruleset)) is None:
        raise UsageError(f"no analysis: the program cannot play {ruleset.title} yet")
    opened = {}
    for step in history.steps:
        for label, entry in step.message.mapping("reveal").items():
            opened[step.before.state.agenda[f"{SEALED}{label}"]["seq"], label] = entry["value"]
    for step in history.steps:
        thoughts = Thoughts(ruleset, setting, ideas, f"analysis/{step.message.seq}")
        yield _Analyst(thoughts, step, opened)


@frozen
class _Analyst:
    """The analysis of one message. ``opened``: (message, label) -> value of the seals revealed in the game."""

    thoughts: Thoughts
    step: Step
    opened: Mapping[tuple[str, str], Any]

    @property
    def chooses(self) -> bool:
        """Whether the writer had a choice."""
        message, result = self.step.message, self.step.result
        if result is None or message.type not in ("accept", "turn") or message.sender == REFEREE:
            return False
        return result.middle.stage != OVER and not self.thoughts.ruleset.quiet(self.thoughts.setting, result.middle)

    def begin(self) -> Swing:
        message, state = self.step.message, self.step.after.state
        return Swing(message.seq, state.turn, message.sender, self.measure_worth(state))

    def analyze_message(self) -> Swing:
        swing, result = self.begin(), self.step.result
        if result is not None and result.dice:
            swing = self.add_dice(swing, result)
        return self.add_orders(swing) if self.chooses else swing

    def measure_worth(self, state: State) -> int:
        return self.thoughts.ideas.evaluate(self.thoughts.setting, state, self.thoughts.ruleset.sides[0])

    def list_opened(self, state: State, side: str = "") -> dict[str, Any]:
        """Return the values under the seals of a position, if the game revealed them; ``side``: seals of the side."""
        sealed = {key.removeprefix(SEALED): at["seq"] for key, at in state.agenda.items() if key.startswith(SEALED)}
        writer = self.step.after.chain.writer
        mine = {label: seq for label, seq in sealed.items() if not side or writer(int(seq)) == side}
        return {label: self.opened[seq, label] for label, seq in mine.items() if (seq, label) in self.opened}

    def add_dice(self, swing: Swing, result: Adjudication) -> Swing:
        """Return the swing with the dice."""
        thoughts = self.thoughts
        turn = thoughts.ruleset.seen.turn(thoughts.setting, result.before, self.list_opened(result.before))
        whole = sum(map(len, result.dice.values()))
        if turn is None:
            return replace(swing, uncounted=whole)
        way, rolled = _follow_dice(turn, result.dice)
        spreads = [] if way[-1].left else [(spread(turn, self.measure_worth, MOST), way[-1])]
        if alone := not spreads or spreads[0][0] is None:
            battles = pairwise(way)
            spreads = [(spread(_stop_after_one(here), self.measure_worth, MOST), there) for here, there in battles]
        for chances, there in spreads:
            if chances is None:
                rolled = 0
            else:
                dice, variance = _compare_worths(chances, self.measure_worth(there.start.state))
                swing = replace(swing, dice=swing.dice + dice, variance=swing.variance + variance)
        return replace(swing, alone=alone, uncounted=whole - rolled)

    def add_orders(self, swing: Swing, level: int = 2, *, battles: bool = False) -> Swing:
        """Return the swing with the points that the orders gave away, from the knowledge of the writer.

        ``level``: the level whose search finds the plans; ``battles``: also compute the chances of the battles.
        """
        thoughts, side, result = self.thoughts, swing.sender, self.step.result
        if result is None:
            return swing
        hidden, after = hide_seals(result.middle), hide_seals(result.after)
        own = self.list_opened(hidden, side)
        mine, _exact = thoughts.look_ahead(hidden, after, own | self.list_opened(after, side))
        table, plans = Table(thoughts.ruleset, thoughts.setting, hidden, swing.seq), []
        for idea, content in thoughts.make_drafts(hidden, swing.seq, own, level):
            then = table.take_choices(content)
            worth, _exact = thoughts.look_ahead(hidden, then.state, own | {**then.sealed[side]})
            plans.append((worth, idea, then))
        best, idea, then = max(plans, key=lambda plan: plan[0])
        if best <= mine:
            return swing
        odds, told = tuple(self.list_battles(then, side)) if battles else (), f"{idea.title}. {idea.text}"
        return replace(swing, given=best - mine, better=idea.title, text=told, forecast=best, battles=odds)

    def list_battles(self, table: Table, side: str) -> Iterator[str]:
        """Yield the battles that a side has ordered, with their chances."""
        words = self.thoughts.ruleset.seen.words(self.thoughts.setting)
        seen = prospects.Prospect(self.step.before, hide_seals(table.state), table.sealed[side], "")
        for one in prospects.compute_odds(seen)[:BATTLES]:
            name = f"Attack {words.place(one.fought.place)}" if one.fought else one.title
            yield f"{name}: {', '.join(preview.summarize_chances(one))}"


def _follow_dice(turn: Turn, dice: Mapping[str, str]) -> tuple[list[Turn], int]:
    """Return the turn before each action and at the end, with the dice of a message; and the number of dice used.

    The way ends early if the dice stopped for a decision.
    """
    way, rolled = [turn], 0
    while way[-1].left:
        umpire = way[-1].start.goes_on(CaseDice(dice, turn.start.seq))
        try:
            left = turn.run(umpire, way[-1].left)
        except UsageError:  # the message lacks the dice
            break
        rolled += sum(map(len, umpire.rolled.values()))
        way.append(replace(turn, start=umpire, left=left))
    return way, rolled


def _stop_after_one(turn: Turn) -> Turn:
    def resolve(umpire: Any, left: Any) -> tuple[()]:
        turn.resolve(umpire, left)
        return ()

    return replace(turn, resolve=resolve)


def _compare_worths(chances: Mapping[Any, Fraction], got: int) -> tuple[Fraction, Fraction]:
    """Return a value minus its expectation, and the variance."""
    mean = sum((value * chance for value, chance in chances.items()), Fraction(0))
    return got - mean, sum(((value - mean) ** 2 * chance for value, chance in chances.items()), Fraction(0))


def show_points(value: Fraction | int, *, signed: bool = True) -> str:
    """Return hundredths of a point as text: '+1.25', '0.00'."""
    hundredths = round(value)
    sign = "-" if hundredths < 0 else "+" * (signed and hundredths > 0)
    return f"{sign}{abs(hundredths) // POINT}.{abs(hundredths) % POINT:02}"


def describe_sums(history: History, swings: Sequence[Swing]) -> list[str]:
    """Return sentences about a whole game: luck of the dice, points lost by orders, and dice not counted."""
    sides, words = history.game.ruleset.sides, history.game.ruleset.seen.words(history.game.setting)
    dice = sum((swing.dice for swing in swings), Fraction(0))
    deviation = isqrt(int(sum((swing.variance for swing in swings), Fraction(0))))
    tenths = round(abs(dice) * 10 / deviation) if deviation else 0
    far = f"{tenths // 10}.{tenths % 10} standard deviations from the expected 0"
    lucky = f"{show_points(abs(dice), signed=False)} points for the {words.side(sides[dice < 0])} side"
    lines = [
        f"All dice together brought {lucky}, {far}.",
        f"One standard deviation is {show_points(deviation, signed=False)} points.",
    ]
    for side in sides:
        given = sum((swing.given for swing in swings if swing.sender == side), Fraction(0))
        lines.append(f"Orders of the {words.side(side)} side gave away {show_points(given, signed=False)} points.")
    if uncounted := sum(swing.uncounted for swing in swings):
        lines.append(f"{uncounted} dice are not counted: they fell outside of fights, or have too many results.")
    if any(swing.alone for swing in swings):
        lines.append("*: the turn has too many results or stopped for a decision, so each battle is compared alone.")
    return [*lines, OPINION]


def list_rows(history: History, swings: Sequence[Swing]) -> list[tuple[str, ...]]:
    """Return a table: headings, then for each message number, turn, writer, worth, dice, lost points and plan."""
    game, words = history.game, history.game.ruleset.seen.words(history.game.setting)
    first = words.side(game.ruleset.sides[0])
    rows: list[tuple[str, ...]] = [("no.", "turn", "from", first, "dice", "gave away", "better plan")]
    for swing in swings:
        name = words.side(swing.sender) if swing.sender != REFEREE else REFEREE
        dice = f"{show_points(swing.dice)}{'*' if swing.alone else ''}" if swing.variance else ""
        given = show_points(swing.given, signed=False) if swing.given else ""
        rows.append((str(swing.seq), swing.turn, name, show_points(swing.worth), dice, given, swing.better))
    return rows


def make_page(history: History, swings: Sequence[Swing]) -> dict[str, Any]:
    """Return the analysis for a replay's page. Its ``curve`` has the worth of each position with and without luck."""
    dice, curve = Fraction(0), []
    for swing in swings:
        dice += swing.dice
        curve.append([swing.worth, round(swing.worth - dice)])
    rows, sums = list_rows(history, swings), describe_sums(history, swings)
    return {"title": f"{TITLE}: points of the {rows[0][3]} side", "rows": rows, "sums": sums, "curve": curve}


def to_plain(swing: Swing) -> dict[str, Any]:
    """Return the analysis of a message as plain data, in points."""
    points = {key: str(Fraction(getattr(swing, key), POINT)) for key in ("worth", "dice", "given")}
    more = {"variance": str(swing.variance / POINT**2), "alone": swing.alone, "uncounted": str(swing.uncounted)}
    return {**points, **more, "better": swing.better}
