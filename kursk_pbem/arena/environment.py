"""A scenario as an environment of PettingZoo (AEC): two agents order and sign in turn, at two desks with two keys.

An action is the number of an offered order, or ``SIGN``. A refused order costs nothing; ``infos`` has the reason. The
seed gives keys and dice, so only the runner may know the seed, and no agent.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
from gymnasium import spaces
from pettingzoo import AECEnv

from kursk_pbem.agents.assistant import Assistant, find_labels
from kursk_pbem.agents.foreign import finish_result, refuse_call
from kursk_pbem.desk.deals import begin
from kursk_pbem.desk.draft import drafts, ordering, wording
from kursk_pbem.desk.draft.wording import DraftFile
from kursk_pbem.desk.own import desks
from kursk_pbem.desk.own.desks import Desk
from kursk_pbem.desk.turn import play
from kursk_pbem.errors import KurskError
from kursk_pbem.game import entropy, folders, keyring
from kursk_pbem.game.games import Game
from kursk_pbem.kernel.forms import FormPlayer
from kursk_pbem.kernel.verbs import OrderContext, Verb
from kursk_pbem.practice import opponent
from kursk_pbem.practice.levels import make_draw
from kursk_pbem.rulesets import ruleset
from kursk_pbem.trust import keys, messages

SIGN = 512
"""The maximum number of offered orders, and the action that signs the message."""
LONGEST = 1 << 17
"""Maximum number of characters of an observation, as text and as data."""
MOST_TRIES = 500
"""Maximum number of actions in a message; then the game is truncated."""
_SIGNS = "".join(map(chr, range(32, 127))) + "\n"


class Arena(AECEnv):  # type: ignore[misc]  # the library has no types
    """An environment for agents, with one scenario. Each side is an agent.

    ``root``: an empty folder for the games. ``levels``: side -> level of the practice opponent that ``play_level`` lets
    play this side. ``draws``: how many random orders the agent can choose from.
    """

    metadata: ClassVar[dict[str, Any]] = {"name": "kursk_v0", "render_modes": ["ansi"], "is_parallelizable": False}
    render_mode = "ansi"

    def __init__(self, scenario: str, root: Path, levels: Mapping[str, int] | None = None, draws: int = 48) -> None:
        super().__init__()
        self.scenario, self.root, self.levels, self.draws = scenario, root, levels or {}, draws
        self._games, self.possible_agents = 0, [*ruleset(scenario.partition("/")[0]).sides]
        seen = {
            "observation": spaces.Box(0, 255, (LONGEST,), np.uint8),
            "text": spaces.Text(LONGEST, min_length=0, charset=_SIGNS),
            "action_mask": spaces.Box(0, 1, (SIGN + 1,), np.int8),
        }
        self.observation_spaces = {agent: spaces.Dict(seen) for agent in self.possible_agents}
        self.action_spaces = {agent: spaces.Discrete(SIGN + 1) for agent in self.possible_agents}
        self.observation_space, self.action_space = self.observation_spaces.__getitem__, self.action_spaces.__getitem__

    @property
    def game(self) -> Game:
        """The game that is played now."""
        return self.desks[self.possible_agents[0]].game

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:  # noqa: ARG002
        """Begin a new game. Equal seeds and actions give equal files. Without a seed, 128 random bits are the seed."""
        self._games += 1
        self.seed = f"arena {entropy.random_bytes()[:16].hex() if seed is None else seed}"
        self.folder = self.root / f"{self._games:04d}"
        self.desks = self._begin_game()
        self.agents = [*self.possible_agents]
        self.rewards, self._cumulative_rewards = dict.fromkeys(self.agents, 0), dict.fromkeys(self.agents, 0)
        self.terminations, self.truncations = dict.fromkeys(self.agents, False), dict.fromkeys(self.agents, False)
        self.infos = {agent: dict[str, Any]() for agent in self.agents}
        self._open_message()

    def step(self, action: int | None) -> None:
        """Carry out an action of the selected agent: the number of an order in the list of offers, or ``SIGN``."""
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
        elif action == SIGN:
            self.sign()
        elif action is not None and action < len(self.offers):
            self.order(self.offers[action])
        else:
            self.infos[agent] = {"refused": f"no order has the number {action}"}

    def order(self, typed: str) -> dict[str, Any]:
        """Write orders typed by the selected agent into the draft. Return the result, or why the orders are refused."""
        agent = self._begin_action()
        try:
            self.infos[agent] = self._make_assistant(agent).write_orders(self.game.chain.game, [typed])
        except KurskError as error:
            self.infos[agent] = refuse_call(error)
        if "refused" not in self.infos[agent]:
            self._open_draft()
        return self.infos[agent]

    def sign(self) -> dict[str, Any]:
        """Sign the message of the selected agent. Return the result, or why signing is refused."""
        agent, seq = self._begin_action(), self.game.chain.next_seq
        if self.checked.result.violations:
            self.infos[agent] = {"refused": self._make_assistant(agent).check_draft(self.game.chain.game)}
        else:
            with entropy.fix_random_bytes(f"{self.seed} {seq}"):
                self._hand_over(play.sign_shown(self.desks[agent], self.checked, None))
            self.infos[agent] = {"signed": str(seq)}
        return self.infos[agent]

    def play_level(self) -> None:
        """Let the practice opponent of the selected side write the orders and sign the message."""
        agent = self._begin_action()
        with entropy.fix_random_bytes(f"{self.seed} {self.game.chain.next_seq}"):
            self._hand_over(opponent.write_due(self.desks[agent]))

    def observe(self, agent: str) -> dict[str, Any]:
        """Return what an agent may know: position, last report, own orders. The selected agent also gets the offers."""
        if agent not in self._seen:
            self._seen[agent] = self._make_observation(agent)
        return self._seen[agent]

    def render(self) -> str:
        """Return the text that describes the game to the selected agent."""
        return str(self.observe(self.agent_selection)["text"])

    def close(self) -> None:
        """Do nothing. The files of the games stay, because they are the result."""

    def _begin_game(self) -> dict[str, Desk]:
        """Return side -> desk of a new game."""
        rules = ruleset(self.scenario.partition("/")[0])
        homes, names, public = {side: self.folder / side for side in rules.sides}, dict[str, str](), dict[str, str]()
        with entropy.fix_random_bytes(self.seed):
            for side, home in homes.items():
                if (level := self.levels.get(side)) is None:
                    names[side], key = f"agent {side}", keyring.find_or_make(home)
                    public[side] = keys.read_public(key.with_suffix(".pub"))
                else:
                    names[side], public[side] = opponent.name_opponent(level, rules), opponent.open_home(home, level)
            one = begin.find_proposer(self.scenario, {})
            two = rules.other(one)
            home, other, proposal = homes[one], homes[two], begin.Proposal(self.scenario, one, public[two], names, {})
            first = begin.propose_game(proposal, home / keyring.KEY, home, home)
            accepted = begin.accept_proposal(first.newest, other / keyring.KEY, other, other)
        return {one: desks.open_desk(first.folder, home), two: accepted}

    def _make_assistant(self, agent: str) -> Assistant:
        return Assistant(self.folder / agent)

    def _make_observation(self, agent: str) -> dict[str, Any]:
        desk, assistant = self.desks[agent], self._make_assistant(agent)
        mine = agent == self.agent_selection and agent not in self.levels and not self.game.over
        able, mask = self.offers if mine else [], np.zeros(SIGN + 1, np.int8)
        told = {**assistant.show_position(self.game.chain.game), "offers": able, "orders": self.orders if mine else []}
        told = finish_result(told, find_labels(desk, desk.history.last_step))
        told["report"] = assistant.show_report(self.game.chain.game)
        mask[: len(able)], mask[SIGN] = 1, mine and not self.checked.result.violations
        text = "\n".join((str(told.pop("map")), json.dumps({**told, "position": ""}, indent=1, sort_keys=True)))
        data = json.dumps(told, sort_keys=True).encode("ascii").ljust(LONGEST, b"\0")[:LONGEST]
        return {"observation": np.frombuffer(data, np.uint8), "text": text[:LONGEST], "action_mask": mask}

    def _open_message(self) -> None:
        """Select the writer of the due message, and open the draft."""
        self.tries, self.offers, self.orders = 0, list[str](), list[str]()
        self._seen: dict[str, dict[str, Any]] = {}
        self.agent_selection = self.agents[0] if self.game.over else self.game.chain.writer(self.game.chain.next_seq)
        if self.agent_selection not in self.levels and not self.game.over:
            self._open_draft()

    def _open_draft(self) -> None:
        desk = self.desks[self.agent_selection]
        sheet, labels = ordering.open_draft(desk), find_labels(desk, desk.history.last_step)
        self.checked = drafts.check_draft(desk, sheet.message)
        drawn = list_offers(sheet, f"{self.seed}/{desk.seq}/{self.tries}", self.draws)
        self.offers, self.orders = labels.hide((drawn, [words for _path, words in sheet.orders]))

    def _begin_action(self) -> str:
        """Count an action; return the selected agent."""
        self._seen, agent = {}, str(self.agent_selection)
        self._cumulative_rewards[agent] = 0
        self._clear_rewards()
        self.tries += 1
        if self.tries > MOST_TRIES:
            self.truncations = dict.fromkeys(self.agents, True)
        return agent

    def _hand_over(self, desk: Desk) -> None:
        """Give the signed message to the other side; select the next agent; after the end give the rewards."""
        other = desk.game.ruleset.other(desk.own_side)
        message = messages.read_message(folders.read_bytes(desk.newest), str(desk.newest))
        self.desks |= {desk.own_side: desk, other: play.take_message(self.desks[other], message).desk}
        if self.game.over:
            winner = self.game.verdict.winner if self.game.verdict else ""
            self.rewards = {agent: bool(winner) * (1 if agent == winner else -1) for agent in self.agents}
            self.terminations = dict.fromkeys(self.agents, True)
            self._accumulate_rewards()
        self._open_message()


def list_offers(sheet: DraftFile, seed: str, draws: int) -> list[str]:
    """Return up to ``draws`` random orders as text, from each possible verb in turn, then 'undo' if possible.

    The rules may refuse an offered order, because the form of an order does not express all rules.
    """
    game, found = sheet.desk.game, dict[str, None]()
    player = FormPlayer(game.ruleset, game.setting, make_draw(seed))
    ask = wording.make_order_context(sheet, sheet.choices)
    verbs = [_keep_forms(ask, verb) for verb in sheet.verbs if wording.is_possible(sheet, verb)]
    for draw in range(min(draws, SIGN - 1) if verbs else 0):
        verb = verbs[draw % len(verbs)]
        words = player.choose_words(ask, verb)
        if words is not None:
            found[" ".join((verb.name, *words))] = None
    return [*found, *["undo"][: len(wording.open_history(sheet).steps())]]


def _keep_forms(ask: OrderContext, verb: Verb) -> Verb:
    """Return a verb that computes each form once, because a form of a move costs a search on the map."""
    if (ask_form := verb.clauses) is None:
        return verb
    known = cache(lambda words: ask_form(ask, words))
    return replace(verb, clauses=lambda _ask, words: known(tuple(words)))
