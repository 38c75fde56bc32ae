"""A player of the toy who cheats as far as the protocol allows, by trying every possible message.

The schemer knows how the opponent plays, but not the opponent's secrets. Before a message the schemer computes the
result of every possible draft, from known openings, mailed messages and the ids of drafts.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cache
from itertools import permutations, product
from typing import Any

from helpers.adversary import FIRST, Content, Draft, Knowledge, Sitting, Watch, begin, digest

from kernel.toy import FLIP, GERMAN, IDS, KEEP, RUSSIAN, SCORES, SETTING, START
from kursk_pbem.game.games import SeedDice
from kursk_pbem.kernel.adjudicate import adjudicate
from kursk_pbem.kernel.orders import Filing
from kursk_pbem.kernel.ruleset import Ruleset
from kursk_pbem.kernel.state import OVER, State
from kursk_pbem.trust import commit

DRAW = "draw"
Option = tuple[str, Content]  # type of message, choices
Worth = Callable[[int], Fraction]  # a score; high is best

WORTHS: dict[str, Worth] = {
    "mean": Fraction,
    "1 in 2": lambda score: Fraction(score >= 4),
    "1 in 6": lambda score: Fraction(score == 6),
}


@cache
def mean(worth: Worth) -> Fraction:
    """Return the mean worth of a fair die."""
    return sum((worth(face) for face in range(1, 7)), Fraction(0)) / 6


def make_battles(*ids: str) -> list[dict[str, str]]:
    """Return battles with these ids, called high; ``b-`` is called low."""
    return [{"id": each[0], "call": "low" if each.endswith("-") else "high"} for each in ids]


@dataclass(frozen=True)
class Habits:
    """The fixed play of the honest side, also assumed by the schemer for later messages; no score is turned round.

    ``ids``: the declared battles. An answer leaves the second battle open, so the dice stop for a decision.
    """

    ids: tuple[str, ...] = ("a",)

    def choices(self, state: State) -> Content:
        match state.stage:
            case "opening":
                return {"seal": {"guard": {"guard": KEEP}}}
            case "orders":
                return {"orders": {"battles": make_battles(*self.ids)}}
            case "answer":
                return {"policy": {state.agenda["battles"][0]["id"]: KEEP}}
            case "decision":
                return {"decisions": {state.agenda["pending"]["battle"]: KEEP}}
        return {}


def find_options(sitting: Sitting) -> Iterator[Option]:
    """Yield every option of the side to move by rules and protocol."""
    state, notes = sitting.game.state, ({}, {"note": "a"}, {"note": "b"})
    for choices, note in product(_find_choices(state, sitting.seq), notes):
        yield "turn", {**choices, **note}
    if sitting.seq >= FIRST and (sitting.due, state.turn) not in sitting.game.declined:
        if "pending" not in sitting.duties().middle.agenda or state.stage == "decision":
            yield "offer", {"offer": {"kind": "draw"}}
        yield "resign", {}


def make_drafts(sitting: Sitting, options: Iterable[Option], nonces: int = 1) -> Iterator[Draft]:
    """Yield drafts of the options, with ``nonces`` different openings to commit to."""
    for (kind, choices), number in product(options, range(nonces)):
        yield sitting.draft(choices, kind, digest("another opening", sitting.seq, number) if number else b"")


def _find_choices(state: State, seq: int) -> Iterator[Content]:
    match state.stage:
        case "opening":
            yield from ({"seal": {"guard": {"guard": word}}} for word in (KEEP, FLIP))
        case "orders":
            for ids, calls, plan in product(permutations(IDS, 2), product(("", "-"), repeat=2), (KEEP, FLIP)):
                names = [bid + call for bid, call in zip(ids, calls, strict=True)]
                yield {"orders": {"battles": make_battles(*names)}, "seal": {f"plans/{seq}": {ids[0]: plan}}}
        case "answer":
            first, second = (each["id"] for each in state.agenda["battles"])
            for one, other in product((KEEP, FLIP, ""), repeat=2):
                yield {"policy": {bid: word for bid, word in ((first, one), (second, other)) if word}}
        case "decision":
            yield from ({"decisions": {state.agenda["pending"]["battle"]: word}} for word in (KEEP, FLIP))
        case "dice":
            yield {}
            yield {"orders": {"movement": ["on"]}} if "pending" not in state.agenda else {}


@dataclass
class Schemer:
    """The cheating player. ``tries``: the messages considered.

    Among equally good messages, ``taste`` decides; '' takes the first.
    """

    side: str
    worth: Worth
    habits: Habits
    tries: Callable[[Sitting], Iterable[Draft]] = lambda sitting: make_drafts(sitting, find_options(sitting))
    taste: str = ""
    _thought: dict[str, list[Draft]] = field(default_factory=dict)

    def writes(self, sitting: Sitting, watch: Watch) -> Draft:
        """Return the best message found."""
        found = self._thought.get(sitting.chain.head_id) or list(self.tries(sitting))
        if not sitting.game.stage.rolls:  # otherwise the dice matter
            self._thought[sitting.chain.head_id] = found
        party = watch.thinks(sitting, found)
        best = max(found, key=lambda draft: (self._value(sitting, party, draft), self._rank(draft)))
        watch.tries(sitting, [best])
        return best

    def _rank(self, draft: Draft) -> bytes:
        return digest(self.taste, draft.id) if self.taste else b""

    def _value(self, sitting: Sitting, party: Knowledge, draft: Draft) -> Fraction:
        """Return the worth of a message: the computable scores, and the mean for every other score."""
        if draft.content["type"] == "resign":
            return Fraction(-1)
        drawn = draft.content.get("reply") == "accept"
        tracks = {} if drawn else self._ahead(sitting, party, draft).tracks
        found = [tracks[score] if self.side == GERMAN else 7 - tracks[score] for score in SCORES if score in tracks]
        return sum(map(self.worth, found), mean(self.worth) * (len(self.habits.ids) - len(found)))

    def _ahead(self, sitting: Sitting, party: Knowledge, draft: Draft) -> State:
        """Return the position before the first die that the party cannot compute."""
        game, state = sitting.game, draft.result.after
        sealed = {**sitting.kept, sitting.due: draft.seals}
        k = sitting.seq + (2 if draft.content["type"] == "offer" else 1)  # an offer is declined
        while state.stage != OVER:
            seed = self._seed(sitting, party, draft, k)
            if game.ruleset.play.stages(game.setting)[state.stage].rolls and seed is None:
                break
            choices = self.habits.choices(state)
            secret = dict.fromkeys(choices.pop("seal", {}), "")
            reveal = {label: entry["value"] for label, entry in sealed.pop(state.side, {}).items()}
            written = Filing(k, state.side, reveal=reveal, secret=secret, **choices)
            state = adjudicate(game.ruleset, game.setting, state, written, seed and SeedDice(seed, k)).after
            k += 1
        return state

    def _seed(self, sitting: Sitting, party: Knowledge, draft: Draft, k: int) -> bytes | None:
        """Return seed_k if the party knows the opening and, if needed, the id of the message before."""
        committed = (*sitting.chain.commitments, bytes.fromhex(draft.content["commit"]))
        opening = party.opens(sitting.chain.nonce, k, committed[k]) if k < len(committed) else None
        if opening is None:
            return None
        if k == sitting.seq + 1:
            return commit.derive_seed(opening, bytes.fromhex(draft.id))
        one, other = (commit.derive_seed(opening, digest("any id", number)) for number in (1, 2))
        return one if one == other else None


@dataclass
class Match:
    """A game between a schemer and an honest player.

    ``honest``: the honest side's choices instead of its habits; ``leaks``: additional content of its messages.
    """

    ruleset: Ruleset
    schemer: Schemer
    honest: Callable[[Sitting], Option | None] = lambda _sitting: None
    leaks: Callable[[Sitting], Content] = lambda _sitting: {}
    tag: object = ""
    _posted: dict[str, Sitting] = field(default_factory=dict)

    def play(self) -> Any:
        """Play to the end; return the scores, or ``draw``."""
        sitting, _watch = self.played()
        return DRAW if sitting.chain.ended else tuple(sitting.game.state.tracks[score] for score in self.scores)

    @property
    def scores(self) -> tuple[str, ...]:
        return SCORES[: len(self.schemer.habits.ids)]

    def played(self) -> tuple[Sitting, Watch]:
        """Play to the end; return the game and the knowledge of both sides."""
        honest = RUSSIAN if self.schemer.side == GERMAN else GERMAN
        sitting = begin(self.ruleset, SETTING, START, self.schemer.taste, {honest: self.tag})
        watch = Watch(sitting.mailed)
        while not sitting.game.over:
            if sitting.chain.offer and sitting.due == honest:
                draft = sitting.draft({"reply": "decline"}, "reply")
            elif sitting.due == self.schemer.side:
                draft = self.schemer.writes(sitting, watch)
            else:
                kind, choices = self.honest(sitting) or ("turn", self.schemer.habits.choices(sitting.game.state))
                draft = sitting.draft({**choices, **self.leaks(sitting)}, kind)
                watch.tries(sitting, [draft])
            # An id fixes the earlier game with its dice, so a posted message is valid for every fall.
            sitting = self._posted.setdefault(draft.id, self._posted.get(draft.id) or sitting.post(draft))
            watch.mailed(sitting.mailed[-1])
        return sitting, watch
