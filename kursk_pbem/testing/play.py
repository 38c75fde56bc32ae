"""The unsigned play of a whole random game."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from typing import Any, Protocol

from kursk_pbem.kernel.adjudicate import Adjudication, adjudicate, keep_position
from kursk_pbem.kernel.forms import TRIES, Content, FormPlayer
from kursk_pbem.kernel.orders import Filing
from kursk_pbem.kernel.ruleset import REFEREE, Ruleset
from kursk_pbem.kernel.state import OVER, State


class Mind(Protocol):
    """A player that chooses legal content for messages."""

    def content(self, state: State, seq: int) -> Content:
        """Return the choices for message ``seq``. ``state``: the position after the message's duties."""


MakePlayer = Callable[[Any, random.Random], Mind]


def make_form_player(ruleset: Ruleset, tries: Sequence[int] = TRIES) -> MakePlayer:
    """Return a function that makes test players. They only fill in the forms of orders (``kernel.forms``)."""
    return lambda setting, rng: FormPlayer(ruleset, setting, rng.randrange, tries)


class SeededDice:
    """Dice from a seed. The same label always gives the same digits."""

    def __init__(self, rng: random.Random, seq: int) -> None:
        self.rng, self.seq = rng, seq
        self.fallen: dict[str, str] = {}

    def roll(self, label: str, n: int) -> str:
        """Return ``n`` die rolls as digits from 1 to 6."""
        return self.fallen.setdefault(label, "".join(str(self.rng.randint(1, 6)) for _ in range(n)))


def play_game(
    ruleset: Ruleset, make_player: MakePlayer, setting: Any, seed: int, most: int = 200
) -> Iterator[tuple[State, Adjudication]]:
    """Yield (position before, result) for each message of a random unsigned game. Raises AssertionError."""
    rng = random.Random(seed)  # noqa: S311  a game of a seed, not a secret
    player, state = make_player(setting, rng), ruleset.data.setup(setting)
    sealed: dict[str, Content] = {side: {} for side in ruleset.sides}
    for seq in range(1, most):
        if state.stage == OVER:
            return
        side, dice = ruleset.writer(setting, state), SeededDice(rng, seq)
        if setting.refereed and seq % 2 == 0:
            rolls = side == REFEREE
            result = adjudicate(ruleset, setting, state, Filing(seq, REFEREE), dice) if rolls else keep_position(state)
        else:
            require_condition(side != REFEREE, f"seed {seed}, message {seq}: {state.stage} is the referee's")
            reveal = sealed[side]
            result = adjudicate(ruleset, setting, state, Filing(seq, side, reveal=reveal, resigns=True), dice)
            content = {} if result.middle.stage == OVER else player.content(result.middle, seq)
            orders, plans = ruleset.seal(setting, content.pop("orders", {}), seq)
            hidden = {**content.pop("seal", {}), **plans}
            secret = dict.fromkeys(hidden, "0" * 64)
            filing = Filing(seq, side, reveal, orders=orders, secret=secret, sealed=hidden, **content)
            result = adjudicate(ruleset, setting, state, filing, dice)
            sealed[side] = hidden
        faults = [*map(str, result.violations), *ruleset.play.invariants(setting, result.after)]
        require_condition(not faults, f"seed {seed}, message {seq}: {faults}")
        yield state, result
        state = result.after
    raise AssertionError(f"seed {seed}: the game does not end")


def require_condition(condition: object, text: str) -> None:
    """Raise AssertionError with the text if the condition is false."""
    if not condition:
        raise AssertionError(text)
