"""Well signed messages that no honest program writes: every type in every place, honest except for one change.

``forged`` yields the forgeries of the next message of a :class:`forging.Line`; ``proposals`` yields forged messages
0."""

from __future__ import annotations

import copy
import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from helpers.forging import DRAW, ZERO, Line

from kursk_pbem.game.games import Game
from kursk_pbem.kernel.state import OVER
from kursk_pbem.trust import commit, messages
from kursk_pbem.trust.messages import Message
from rulesets.battle_for_kursk.first_turn import other

Content = dict[str, Any]
KINDS = ("propose", "accept", "turn", "offer", "reply", "resign")
STATES = ("state-in", "state-out")
FIELDS = (*messages.READING_ORDER, "win", "signature", "state")
DEEP: Any = "x"
for _ in range(13):
    DEEP = {"a": DEEP}
VALUES: tuple[Any, ...] = (
    "",
    ZERO,
    "f" * 64,
    "F" * 64,
    "x",
    "0",
    "1",
    "-1",
    "01",
    "999999999",
    "1000000000",
    "german",
    "russian",
    "referee",
    "accept",
    "decline",
    "draw",
    "engage",
    "\u202e",
    "\n",
    "a\nb",
    "\x1b[2J",
    "\u0429",
    [],
    {},
    ["a"],
    {"a": "b"},
    DEEP,
    DRAW,
    {"kind": "successor"},
    {"kind": "draw", "game": ZERO},
    {"kind": "successor", "game": ZERO},
    {"kind": "loss"},
    {"kind": "successor", "game": "AB" * 32},
    {"kind": "draw", "x": "y"},
    {"kind": ["draw"]},
    {"x/combat": "6"},
    {"x/combat": ""},
    {"x/combat": "7"},
    {"weather/turn-a": "1"},
    {"posture/turn-1": ZERO},
    {"Posture": ZERO},
    {"posture/turn-1": {"salt": "00" * 16, "value": "x"}},
    {"posture/turn-1": {"salt": "00" * 15, "value": "x"}},
    {"posture/turn-1": {"value": "x"}},
    {"owner": "german"},
)


def bases(line: Line, rng: random.Random) -> Iterator[Content]:
    """Yield an honest content of every type, legal here or not, and a content with choices."""
    shut = line.game.chain.offer or line.game.over
    yield dict(line.lines[0].message.content)
    for kind in KINDS[1:]:
        more = {
            "offer": {"offer": rng.choice([DRAW, {"kind": "successor", "game": "ab" * 32}])},
            "reply": {"reply": rng.choice(["accept", "decline"])},
        }.get(kind, {})
        if not shut or kind == "reply":
            yield line.honest(kind, **more)
            continue
        state = line.game.state.sha256()
        due = {"reveal": copy.deepcopy(line.seals[line.side])} if line.seals.get(line.side) else {}
        yield {**line.envelope(kind), **more, **due, **dict.fromkeys(STATES, state)}
    if not shut and line.duties().middle.stage != OVER:
        chooser = line.kit.chooser(line.game.setting, rng)
        yield line.honest("accept" if line.seq == 1 else "turn", chooser.content(line.duties().middle, line.seq))


@dataclass(frozen=True)
class Place:
    """A place in a played game. ``game``: the game before the place, ``played``: the messages from message 0,
    ``seq``: the number of the place."""

    game: Game
    played: Sequence[Message]
    seq: int

    @property
    def side(self) -> str:
        return self.game.chain.writer(self.seq) or "german"

    @property
    def content(self) -> Content:
        """Return the content played in the place; after the last message, return the content of the last message
        again."""
        if self.seq < len(self.played):
            return dict(self.played[self.seq].content)
        return {**self.played[-1].content, "seq": str(self.seq), "prev": self.game.chain.head_id}

    def opening(self, _k: int) -> bytes:
        return bytes.fromhex(str(self.content.get("open", ZERO)))


def replayed(place: Place, rng: random.Random) -> Iterator[Content]:
    """Yield the played message of a place, also in each other type, by other writers and with other successors."""
    now = place.content
    yield dict(place.played[0].content)
    yield now
    without = messages.CHOOSE | {"pending", "note", "reply", "offer"}
    kept = {key: value for key, value in now.items() if key not in without}
    for kind in KINDS[1:]:
        more = {"offer": {"offer": DRAW}, "reply": {"reply": rng.choice(["accept", "decline"])}}.get(kind, {})
        yield {**kept, "type": kind, "state-out": kept.get("state-in", ZERO), **more}
    for side in ("german", "russian", "referee"):
        yield {**now, "from": side}
        yield {**now, "next": side}


def forged(
    line: Line | Place, rng: random.Random, each: int, pool: Sequence[Message]
) -> Iterator[tuple[str, Content, str]]:
    """Yield description, content and signer: each base unchanged, with a wrong key, and with ``each`` random
    changes. ``pool``: messages of games, as a source of values."""
    for base in bases(line, rng) if isinstance(line, Line) else replayed(line, rng):
        yield "nothing", base, base["from"]
        yield "another's signature", base, other(base["from"]) if base["from"] != "referee" else "german"
        for _ in range(each):
            content = copy.deepcopy(base)
            what = rng.choice(CHANGES)(line, content, rng, pool)
            side = content.get("from")
            yield f"{base['type']}: {what}", content, side if side in ("german", "russian", "referee") else line.side


def _delete(line: Line | Place, content: Content, rng: random.Random, pool: Sequence[Message]) -> str:
    del content[(name := rng.choice(list(content)))]
    return f"without {name}"


def _set(line: Line | Place, content: Content, rng: random.Random, pool: Sequence[Message]) -> str:
    name = rng.choice([rng.choice(FIELDS), rng.choice(list(content))])
    content[name] = copy.deepcopy(rng.choice(VALUES))
    return f"{name} is {content[name]!r:.60}"


def _take(line: Line | Place, content: Content, rng: random.Random, pool: Sequence[Message]) -> str:
    there = rng.choice(pool).content
    name = rng.choice(list(there))
    content[name] = copy.deepcopy(there[name])
    return f"{name} of another message"


def _retype(line: Line | Place, content: Content, rng: random.Random, pool: Sequence[Message]) -> str:
    content["type"] = rng.choice(KINDS)
    return f"as {content['type']}"


def _shift(line: Line | Place, content: Content, rng: random.Random, pool: Sequence[Message]) -> str:
    chain = line.game.chain
    ids = [*chain.ids, *(each.id for each in pool)]
    some: Content = {
        "seq": str(line.seq + rng.choice([-2, -1, 1, 2])),
        "from": rng.choice(["german", "russian", "referee", "x"]),
        "prev": rng.choice(ids),
        "game": rng.choice(ids),
        "open": rng.choice([o for o in chain.openings if o] or [b""]),
        "commit": rng.choice([c for c in chain.commitments if c]),
    }
    name = rng.choice(list(some))
    content[name] = some[name] if isinstance(some[name], str) else some[name].hex()
    return f"another {name}"


def _move(line: Line | Place, content: Content, rng: random.Random, pool: Sequence[Message]) -> str:
    names = rng.choice([STATES, STATES[:1], STATES[1:]])
    content.update(dict.fromkeys(names, str(rng.choice(pool).content["state-out"])))
    return f"another position in {' and '.join(names)}"


def _throw(line: Line | Place, content: Content, rng: random.Random, pool: Sequence[Message]) -> str:
    """Dice too few, too many or others; those too many are right by the seed."""
    due = content.setdefault("dice", {})
    chain = line.game.chain
    seed = chain.seed_with(line.opening(line.seq)) if chain.may_roll(line.seq) else bytes(32)
    if not isinstance(due, dict) or not due or rng.random() < 0.3:
        content["dice"] = {**(due if isinstance(due, dict) else {}), "x/y": commit.roll_dice(seed, "x/y", 1)}
        return "a die too many"
    name = rng.choice(list(due))
    match rng.randrange(3):
        case 0:
            due[name] = str(int(due[name][0]) % 6 + 1)
            return "another die"
        case 1:
            del due[name]
            return "a die too few"
        case _:
            due[name] = commit.roll_dice(seed, name, 2)
            return "two dice for one"


def _show(line: Line | Place, content: Content, rng: random.Random, pool: Sequence[Message]) -> str:
    due = content.get("reveal") or {}
    if not isinstance(due, dict) or not due or rng.random() < 0.2:
        content["reveal"] = {**due, "posture/turn-1x": {"salt": "00" * 16, "value": "x"}}
        return "a reveal too many"
    name = rng.choice(list(due))
    match rng.randrange(3):
        case 0:
            due[name]["value"] = {"posture": "pause"}
            return "another value revealed"
        case 1:
            del due[name]
            return "a reveal too few"
        case _:
            due[name]["salt"] = "11" * 16
            return "another salt"


CHANGES = (_delete, _set, _set, _take, _retype, _shift, _move, _throw, _show)
