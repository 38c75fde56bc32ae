"""A player at a desk, and the unsigned play of a whole game."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol

from kursk_pbem.desk import desks, play
from kursk_pbem.desk.desks import Desk
from kursk_pbem.desk.draft import drafts
from kursk_pbem.game import entropy, folders, games
from kursk_pbem.kernel.adjudicate import Adjudication, adjudicate, keep_position
from kursk_pbem.kernel.orders import Filing
from kursk_pbem.kernel.ruleset import REFEREE, Ruleset
from kursk_pbem.kernel.state import OVER, State
from kursk_pbem.trust import keys, messages

Content = dict[str, Any]


class Mind(Protocol):
    """A player who chooses legal content for messages."""

    def content(self, state: State, seq: int) -> Content:
        """Return the choices of message ``seq``; ``state`` is the position after its duties."""


MakePlayer = Callable[[Any, random.Random], Mind]


class SeededDice:
    """Dice from a seeded generator; a repeated label has an equal result."""

    def __init__(self, rng: random.Random, seq: int) -> None:
        self.rng, self.seq = rng, seq
        self.fallen: dict[str, str] = {}

    def roll(self, label: str, n: int) -> str:
        """Return ``n`` digits from 1 to 6."""
        return self.fallen.setdefault(label, "".join(str(self.rng.randint(1, 6)) for _ in range(n)))


def play_game(
    ruleset: Ruleset, make_player: MakePlayer, setting: Any, seed: int, most: int = 200
) -> Iterator[tuple[State, Adjudication]]:
    """Yield the position before and the result of every message in a random unsigned game. Raises AssertionError."""
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
    """Raise AssertionError with the text if a condition is false."""
    if not condition:
        raise AssertionError(text)


@dataclass
class Player:
    """A side with key, private folder, drafts and signatures: ``place`` holds key and game folder."""

    side: str
    place: Path
    desk: Desk = field(init=False, repr=False)

    @property
    def home(self) -> Path:
        """The private folder."""
        return self.place / "private"

    @property
    def key(self) -> Path:
        """The file of the key."""
        return self.place / "me"

    @property
    def folder(self) -> Path:
        """The folder of the game."""
        return self.desk.folder

    def make_key(self) -> str:
        """Make the key; return its public half."""
        self.place.mkdir(parents=True)
        keys.generate_key_pair(self.key, entropy.random_bytes())
        return keys.read_public(self.place / "me.pub")

    def draft(self) -> Path:
        """Return the file of the due draft."""
        return folders.draft_path(self.folder, self.desk.seq)

    def fill(self, content: Content | str) -> Path:
        """Write choices (a mapping, or YAML text) into the due draft."""
        path = self.draft()
        draft = messages.read_draft(folders.read_bytes(path), str(path))
        kept = messages.emit_message({k: v for k, v in draft.content.items() if k not in games.CHOICE_FIELDS})
        said = content if isinstance(content, str) else messages.emit_message(content)
        path.write_text(kept + said, encoding="ascii")
        return path

    def choose(self, player: Mind) -> Path:
        """Write the choices of a random player into the due draft."""
        state = desks.preview_duties(self.desk, self.desk.record_of_writer()).middle
        return self.fill({} if state.stage == OVER else player.content(state, self.desk.seq))

    def check(self) -> drafts.Checked:
        """Check the saved draft."""
        path = self.draft()
        return drafts.check_draft(self.desk, drafts.read_draft(self.desk, folders.read_bytes(path), str(path)))

    def sign(self, checked: drafts.Checked | None = None) -> Path:
        """Sign the saved draft; return the file to mail."""
        self.desk = play.sign_message(self.desk, checked or self.check(), None)
        return self.desk.newest

    def take(self, letter: Path) -> play.Received:
        """Take a letter at the open desk."""
        got = play.take_message(self.desk, messages.read_message(folders.read_bytes(letter), str(letter)))
        self.desk = got.desk
        return got
