"""Random, signed and hostile games of a ruleset, and the faults of its package."""

from __future__ import annotations

import random
from copy import deepcopy
from pathlib import Path
from typing import Any

from kursk_pbem.audit import verify
from kursk_pbem.desk.deals import begin
from kursk_pbem.desk.draft import drafts
from kursk_pbem.desk.own import desks
from kursk_pbem.desk.own.desks import Desk
from kursk_pbem.desk.turn import play
from kursk_pbem.formats import precheck
from kursk_pbem.frozen import frozen
from kursk_pbem.game import entropy, folders, keyring, scenarios
from kursk_pbem.kernel.adjudicate import Adjudication, choose
from kursk_pbem.kernel.forms import Content
from kursk_pbem.kernel.orders import Filing
from kursk_pbem.kernel.ruleset import PLAYERS, REFEREE, Ruleset
from kursk_pbem.kernel.state import OVER, State
from kursk_pbem.rulebook import books
from kursk_pbem.testing.laws import find_breaches
from kursk_pbem.testing.play import MakePlayer, Mind, make_form_player, play_game, require_condition
from kursk_pbem.trust import keys, messages

KEY, HOME = "me", "private"
"""The names of a player's key and private folder."""


@frozen
class Bench:
    """A ruleset under test. ``scenario``: the id of a scenario, '' for the first one.

    ``make_player(setting, rng)``: return a random player. None: the player only fills in the forms of orders.
    """

    ruleset: Ruleset
    make_player: MakePlayer | None = None
    scenario: str = ""

    @property
    def maker(self) -> MakePlayer:
        """The function that makes the players of test games."""
        return self.make_player or make_form_player(self.ruleset)

    @property
    def folder(self) -> Path:
        """The folder with the Python code of the rules."""
        return self.ruleset.rulebook.parent

    def find_scenario_id(self) -> str:
        """Return the id of the scenario under test."""
        first = sorted(path.parent.name for path in self.folder.glob("scenarios/*/*/scenario.yaml"))
        return self.scenario or f"{self.ruleset.id}/{first[0]}"

    def play(self, seed: int, *, refereed: bool = False) -> list[Adjudication]:
        """Play a random unsigned game. Raises AssertionError, also if a cited rule is not in the rulebook."""
        setting = self._load_setting(refereed=refereed)
        results = [result for _before, result in play_game(self.ruleset, self.maker, setting, seed)]
        self.ruleset.play.verdict(setting, results[-1].after)
        self._require_paragraphs(event.rule for result in results for event in result.events)
        return results

    def fuzz(self, seed: int) -> int:
        """Play a game with randomly changed orders; return how many orders were refused. Raises AssertionError."""
        setting, refused = self._load_setting(), list[str]()

        def make_hostile(setting: Any, rng: random.Random) -> Mind:
            return _Hostile(self.ruleset, setting, rng, self.maker(setting, rng), refused)

        for _message in play_game(self.ruleset, make_hostile, setting, seed):
            pass
        self._require_paragraphs(refused)
        return len(refused)

    def verify(self, root: Path, seed: int) -> str:
        """Play a signed game between two players, and verify both folders. Return how the game ended."""
        with entropy.fix_random_bytes(f"signed game {seed}"):
            for side in self.ruleset.sides:
                folders.make(root / side)
                keyring.make(root / side / KEY)
            public = {side: keys.read_public(root / side / f"{KEY}.pub") for side in self.ruleset.sides}
            one = begin.find_proposer(self.find_scenario_id(), {})
            two = self.ruleset.other(one)
            names = {side: side.capitalize() for side in public}
            proposal = begin.Proposal(self.find_scenario_id(), one, public[two], names, {})
            proposed = begin.propose_game(proposal, root / one / KEY, root / one, root / one / HOME)
            accepted = begin.accept_proposal(proposed.newest, root / two / KEY, root / two, root / two / HOME)
            at = {one: desks.open_desk(proposed.folder, root / one / HOME), two: accepted}
            mind = self.maker(accepted.game.setting, random.Random(seed))  # noqa: S311
            while not (game := at[one].game).over:
                side = game.chain.writer(game.chain.next_seq)
                at[side], other = _write_message(at[side], mind), self.ruleset.other(side)
                letter = at[side].newest
                message = messages.read_message(folders.read_bytes(letter), str(letter))
                at[other] = play.take_message(at[other], message).desk
        for desk in at.values():
            found = verify.verify_game(desk.folder, game.chain.head_id)
            require_condition(found.status == 0, found.text)
        return game.verdict.how if game.verdict else ""

    def find_faults(self) -> list[str]:
        """Return the faults of a ruleset's package: laws that its code breaks, errors in scenarios, wrong files."""
        verbs = " ".join(sorted(verb.name for verb in self.ruleset.seen.verbs(self._load_setting())))
        files = ("words.txt", "page.md", "guide.yaml")
        faults = [f"{name} is missing" for name in files if not (self.folder / name).is_file()]
        if not faults and (self.folder / files[0]).read_text("ascii").split() != verbs.split():
            faults = [f"words.txt should have the words of the orders: {verbs}"]
        for path in sorted(self.folder.glob("scenarios/*/*/scenario.yaml")):
            faults += map(str, scenarios.check(path.parent)[1])
        return [*faults, *find_breaches(self.folder)]

    def _load_setting(self, *, refereed: bool = False) -> Any:
        return self.ruleset.data.load(scenarios.load(self.find_scenario_id()), {}, REFEREE if refereed else PLAYERS)

    def _require_paragraphs(self, cited: Any) -> None:
        unknown = sorted({*cited} - books.load(self.ruleset.rulebook).paragraphs.keys())
        require_condition(not unknown, f"the rulebook has no paragraph {', '.join(unknown)}")


def _write_message(desk: Desk, mind: Mind) -> Desk:
    """Sign the choices of a player; return the desk after the message."""
    state = desks.preview_duties(desk, desk.record_of_writer()).middle
    content = {} if state.stage == OVER else mind.content(state, desk.seq)
    return play.sign_message(desk, drafts.fill_draft(desk, content), None)


@frozen
class _Hostile:
    """A player who also files changed choices, to be judged without effect; ``refused`` gets their paragraphs."""

    ruleset: Ruleset
    setting: Any
    rng: random.Random
    player: Mind
    refused: list[str]

    def content(self, state: State, seq: int) -> Content:
        """Return the choices of the player, after the trial of changed choices."""
        content = self.player.content(state, seq)
        pool = [*state.units, *(unit.place for unit in state.units.values()), "A1", "0000", "x"]
        for _trial in range(8):
            changed = deepcopy(content)
            for _change in range(self.rng.randint(1, 3)):
                self._change_random_part(changed, pool)
            if precheck.is_accepted(changed, self.ruleset.schema):
                after, violations = choose(self.ruleset, self.setting, state, Filing(seq, state.side, **changed))
                self.refused.extend(each.rule for each in violations)
                require_condition(
                    violations or not self.ruleset.play.invariants(self.setting, after), f"accepted: {changed}"
                )
        return content

    def _change_random_part(self, tree: Any, pool: list[str]) -> None:
        """Replace, repeat or remove a random part of a tree."""
        spots = [*tree] if isinstance(tree, dict) else [*range(len(tree))]
        if not spots:
            return
        spot = self.rng.choice(spots)
        if isinstance(tree[spot], dict | list) and self.rng.randrange(4):
            self._change_random_part(tree[spot], pool)
        elif isinstance(tree, list) and self.rng.randrange(2):
            tree.insert(0, deepcopy(tree[spot]))
        elif isinstance(tree[spot], str):
            tree[spot] = self.rng.choice(pool)
        else:
            del tree[spot]
