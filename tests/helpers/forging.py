"""Games between two keys in memory. The tests write and sign every message by hand.

A :class:`Line` is a game with its messages so far. ``honest`` returns the content that a good program would write;
``signed`` signs the content after any change.
"""

from __future__ import annotations

import copy
import hashlib
import random
from dataclasses import dataclass, field, replace
from functools import cache
from typing import Any

from helpers import registry
from helpers.registry import Kit
from kursk_pbem.formats.canonical import canon
from kursk_pbem.game import games, scenarios
from kursk_pbem.game.games import Game
from kursk_pbem.kernel.adjudicate import Adjudication, keep_position
from kursk_pbem.kernel.orders import filing
from kursk_pbem.kernel.state import OVER, State
from kursk_pbem.trust import commit, keys, messages, sshsig
from kursk_pbem.trust.messages import Message

ZERO = "0" * 64
DRAW = {"kind": "draw"}


def digest(*parts: object) -> bytes:
    return hashlib.sha256(repr(parts).encode()).digest()


@cache
def make_signer(name: str) -> keys.Signer:
    """Return the key of a name: a side, a stranger, or any other person."""
    return keys.from_seed(digest("key", name))


@dataclass(frozen=True)
class Line:
    """A game after some messages. ``seals``: side -> label -> {salt, value} of sealed choices not revealed yet."""

    name: str
    message: Message
    game: Game
    before: Line | None = None
    result: Adjudication | None = None
    seals: dict[str, dict[str, Any]] = field(default_factory=dict)

    @property
    def seq(self) -> int:
        """The number of the next message."""
        return self.game.chain.next_seq

    @property
    def side(self) -> str:
        return self.game.chain.writer(self.seq)

    @property
    def kit(self) -> Kit:
        """The test kit of the played system."""
        return registry.kit(self.game.ruleset.id)

    @property
    def lines(self) -> list[Line]:
        """The game after each of its messages."""
        return [*(self.before.lines if self.before else []), self]

    @property
    def messages(self) -> list[Message]:
        return [line.message for line in self.lines]

    def opening(self, k: int) -> bytes:
        return digest("opening", self.name, k)

    def envelope(self, kind: str = "turn") -> dict[str, Any]:
        chain, k = self.game.chain, self.seq
        return {
            "kursk-pbem": "1",
            "type": kind,
            "game": chain.game,
            "seq": str(k),
            "from": self.side,
            "prev": chain.head_id,
            "open": self.opening(k).hex(),
            "commit": commit.commit_to_opening(chain.nonce, k + 2, self.opening(k + 2)).hex(),
        }

    def done(self, content: dict[str, Any]) -> Adjudication:
        """Return the effect of a content by the rules, without trust in its claims."""
        if content["type"] == "reply":
            return keep_position(self.game.state)
        return games.preview(self.game, self.opening(self.seq), filing(content))

    def duties(self) -> Adjudication:
        """Return the effect of the next message before any choice."""
        return self.done({**self.envelope("resign"), "reveal": self.seals.get(self.side, {})})

    def honest(self, kind: str = "turn", choices: dict[str, Any] | None = None, **fields: Any) -> dict[str, Any]:
        """Return the content of the next message with its duties done; ``choices`` may hold ``seal``."""
        choices = copy.deepcopy(choices or {})
        orders, plans = self.game.ruleset.seal(self.game.setting, choices.pop("orders", {}), self.seq)
        sealed = {**choices.pop("seal", {}), **plans}
        content = {**self.envelope(kind), **choices, **({"orders": orders} if orders else {}), **fields}
        due = self.seals.get(self.side, {})
        if due and kind != "reply":
            content["reveal"] = copy.deepcopy(due)
        if sealed:
            content["secret"] = {label: self.hidden(label, value) for label, value in sealed.items()}
        return self.settled(content)

    def settled(self, content: dict[str, Any]) -> dict[str, Any]:
        """Return a content with the resulting dice, stop and positions."""
        content = {key: value for key, value in content.items() if key not in ("dice", "pending")}
        result = self.done(content)
        if result.dice:
            content["dice"] = dict(sorted(result.dice.items()))
        if result.pending is not None:
            content["pending"] = result.pending
        return content | {"state-in": result.middle.sha256(), "state-out": result.after.sha256()}

    def hidden(self, label: str, value: Any) -> str:
        salt = digest("salt", label)[:16]
        return commit.choice_hash(self.game.chain.nonce, self.seq, label, salt, value).hex()

    def signed(self, content: dict[str, Any], by: str = "") -> Message:
        """Sign any content; return the message as an auditor reads it."""
        armour = make_signer(by or str(content.get("from", self.side))).sign(sshsig.NAMESPACE, canon(content))
        return messages.read_archive(canon(content), armour, "forged")

    def then(self, kind: str = "turn", choices: dict[str, Any] | None = None, **fields: Any) -> Line:
        """Return the game after another honest message."""
        sealed = dict((choices or {}).get("seal", {}))
        sealed |= self.game.ruleset.seal(self.game.setting, (choices or {}).get("orders", {}), self.seq)[1]
        message = self.signed(self.honest(kind, choices, **fields))
        game, result = games.extend(self.game, message)
        seals = {label: {"salt": digest("salt", label)[:16].hex(), "value": v} for label, v in sealed.items()}
        kept = self.seals.get(self.side, {}) if kind == "reply" else seals
        return Line(self.name, message, game, self, result, {**self.seals, self.side: kept})

    def offer(self, **what: str) -> Line:
        return self.then("offer", offer=what or DRAW)

    def reply(self, answer: str) -> Line:
        return self.then("reply", reply=answer)

    def declined(self) -> Line:
        """Make an offer and refuse it."""
        return self.offer().reply("decline")


def make_proposal(
    name: str = "a game", scenario: str = "", side: str = "", state: State | None = None, **changes: Any
) -> Message:
    """Return the signed message 0 with its position, if given. Default: the sample system."""
    scenario = scenario or registry.kit().scenarios[0]
    kit = registry.of_scenario(scenario)
    nonce = digest("nonce", name)
    found = scenarios.load(scenario)
    options = changes.pop("options", {})
    side = side or kit.proposer(scenario, options)
    content: dict[str, Any] = {
        "kursk-pbem": "1",
        "type": "propose",
        "seq": "0",
        "from": side,
        "commit": commit.commit_to_opening(nonce, 2, digest("opening", name, 2)).hex(),
        "nonce": nonce.hex(),
        "dice-from": "players",
        "keys": {each: make_signer(each).public for each in kit.sides},
        "names": kit.names,
        "ruleset": {"id": kit.id, "version": str(kit.ruleset.version)},
        "scenario": {"id": scenario, "sha256": found.sha256},
        "options": options,
        "state-out": (state or kit.setup(kit.setting(scenario, options))).sha256(),
    }
    content |= {key.replace("_", "-"): value for key, value in changes.items()}
    armour = make_signer(side).sign(sshsig.NAMESPACE, canon(content))
    message = messages.read_archive(canon(content), armour, "proposal")
    return replace(message, state=state.to_plain()) if state else message


def begin(name: str = "a game", scenario: str = "", **changes: Any) -> Line:
    message = make_proposal(name, scenario, **changes)
    return Line(name, message, games.begin(message))


def random_game(name: str, most: int, chance: float = 0.3, line: Line | None = None, **changes: Any) -> Line:
    """Play a random game of at most ``most`` messages with some offers, all declined."""
    rng = random.Random(name)
    line = line or begin(name, **changes)
    chooser = line.kit.chooser(line.game.setting, rng)
    while not line.game.over and line.seq < most:
        if line.game.chain.offer:
            line = line.reply("decline")
            continue
        ahead = line.duties()
        over = ahead.middle.stage == OVER
        open_ = line.seq >= 3 and (line.side, line.game.state.turn) not in line.game.declined
        if open_ and not over and ahead.pending is None and rng.random() < chance:
            line = line.offer()
        else:
            content = {} if over else chooser.content(ahead.middle, line.seq)
            line = line.then("accept" if line.seq == 1 else "turn", content)
    return line
