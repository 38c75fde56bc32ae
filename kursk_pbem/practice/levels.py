"""The levels of a practice opponent. Hashes replace chance, so the same files give the same orders on every computer.

Level 1 draws a plan for every turn, the usual plan most often, and follows the plan with whims. A recruit follows
a plan in half of the messages, and gives any legal orders in the rest. Levels 2 and 3 keep to the usual plan and search
for the places of units. In a system without ideas the opponent draws any legal orders from the forms of the orders.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from hashlib import sha256
from itertools import count
from typing import Any

from kursk_pbem.errors import UsageError
from kursk_pbem.formats.canonical import canon
from kursk_pbem.frozen import frozen
from kursk_pbem.kernel.forecast import spread
from kursk_pbem.kernel.forms import Draw, FormPlayer
from kursk_pbem.kernel.ideas import Idea, Ideas, Seals, Whim, be_calm, march_nearest
from kursk_pbem.kernel.ruleset import Ruleset
from kursk_pbem.kernel.state import OVER, State
from kursk_pbem.practice.play import Content, HashedDice
from kursk_pbem.practice.search import Search
from kursk_pbem.practice.systems import find_ideas

RECRUIT = 0
LEVELS = (RECRUIT, 1, 2, 3)
MOOD, SLIPS = 4, 50
"""Level 1: strength of the whims. Recruits: messages of 100 without a plan."""
EXACT, PLAYS = 60, 10
"""Maximum number of runs of an exact forecast, and number of plays beyond the maximum."""
SEALED = "sealed/"


def think(ruleset: Ruleset, setting: Any, state: State, seq: int, own: Seals, level: int, seed: str) -> Content:
    """Return the content of message ``seq``. ``state``: the position before the choices. ``own``: own sealed values.

    The content never depends on the opponent's sealed values, nor on the hashes of these values.
    """
    hidden = hide_seals(state)
    slips = level == RECRUIT and make_whim(f"{seed}/{seq}")("slip") < SLIPS
    if (ideas := find_ideas(ruleset)) is None or slips:
        return FormPlayer(ruleset, setting, make_draw(f"{seed}/{seq}")).content(hidden, seq)
    mind = Thoughts(ruleset, setting, ideas, f"{seed}/{seq}")
    plans, mood = mind.ideas.plans, make_whim(mind.seed)
    if level > 1:
        return mind.propose(hidden, seq, plans[0], own, be_calm, level)
    drawn = make_whim(f"{seed}/turn {state.turn}")("plan") % (2 * len(plans))
    plan = plans[drawn if drawn < len(plans) else 0]
    return mind.propose(hidden, seq, plan, own, lambda choice: MOOD * mood(choice), level)


def name_level(level: int) -> str:
    """Return the name of a practice level."""
    return f"level {level}" if level else "recruit"


def list_levels(better: Sequence[int]) -> tuple[int, ...]:
    """Return a system's practice levels: recruit and the ``better`` levels. Without better levels return ()."""
    return (RECRUIT, *better) if better else ()


def check_level(rules: Ruleset, level: int) -> None:
    """Raise UsageError if a system lacks a practice level."""
    if level not in list_levels(rules.levels):
        offered = ", ".join(map(name_level, list_levels(rules.levels)))
        raise UsageError(f"{rules.title} has no level {level}, which would play no better; choose from: {offered}")


def make_whim(seed: str) -> Whim:
    """Return a function that gives every choice a random-looking number from 0 to 99. It hashes seed and choice."""

    def draw_number(choice: str) -> int:
        return int.from_bytes(sha256(f"{seed}/{choice}".encode()).digest()[:4], "big") % 100

    return draw_number


def make_draw(seed: str) -> Draw:
    """Return a source of random numbers for a seed. Every computer gets the same numbers."""
    numbers = count()
    return lambda most: int.from_bytes(sha256(f"{seed}/{next(numbers)}".encode()).digest(), "big") % most


def hide_seals(state: State) -> State:
    """Return the position without the hashes of sealed values. So no orders can depend on the hashes."""
    agenda = {
        key: {**value, "hash": "0" * 64} if key.startswith(SEALED) else value for key, value in state.agenda.items()
    }
    return state if agenda == state.agenda else state.with_(agenda=agenda)


@frozen
class Thoughts:
    """The practice opponent's work on one message, also used for hints and analyses."""

    ruleset: Ruleset
    setting: Any
    ideas: Ideas
    seed: str

    def propose(self, state: State, seq: int, plan: Idea, own: Seals, whim: Whim, level: int) -> Content:
        """Return the content of a message, chosen by a plan. If the system has a search, it improves the content."""
        effort = self.ideas.efforts.get(level)
        solve = march_nearest if effort is None else Search(effort).solve
        return self.ideas.propose(self.setting, state, seq, plan.key, own, whim, solve)

    def make_drafts(self, state: State, seq: int, own: Seals, level: int = 2) -> list[tuple[Idea, Content]]:
        """Return the content that each plan proposes for a message, with the plan. Repeated contents are left out."""
        found: dict[bytes, tuple[Idea, Content]] = {}
        for plan in self.ideas.plans:
            content = self.propose(state, seq, plan, own, be_calm, level)
            found.setdefault(canon(content), (plan, content))
        return [*found.values()]

    def look_ahead(self, before: State, after: State, own: Seals) -> tuple[Fraction, bool]:
        """Return the expected worth of the position after the next dice for the writer, and whether it is exact.

        ``before``: the position before the writer's choices, used to guess the opponent's sealed values.
        """

        def measure_worth(state: State) -> int:
            return self.ideas.evaluate(self.setting, state, before.side)

        labels = [key.removeprefix(SEALED) for key in before.agenda if key.startswith(SEALED)]
        sealed = {label: self.ideas.guess(self.setting, before, label, be_calm) for label in labels} | {**own}
        turn = None if after.stage == OVER else self.ruleset.seen.turn(self.setting, after, sealed)
        if turn is None:
            return Fraction(measure_worth(after)), True
        chances: Mapping[Any, Fraction] | None = spread(turn, measure_worth, EXACT)
        if chances is not None:
            return sum((value * chance for value, chance in chances.items()), Fraction(0)), True
        dice = (HashedDice(turn.start.seq, f"{self.seed}/{number}") for number in range(PLAYS))
        return Fraction(sum(measure_worth(turn.play(each)) for each in dice), PLAYS), False
