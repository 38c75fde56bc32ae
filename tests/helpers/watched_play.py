"""Random games in which each side tries alternatives before every message.

At every message: no choice moves a die or the position after the dice. The writer cannot compute the seed of a later
die, in the played branch or a tried branch. Reveals and dice do not read a choice of their own message. The positions
are small, so many games are played quickly.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

import pytest

from helpers.adversary import FIRST, Content, Draft, Sitting, Watch, begin, blind_duties, digest, find_foresight, sign
from kursk_pbem.errors import RulesError, TrustError
from kursk_pbem.game import games
from kursk_pbem.kernel.ruleset import Ruleset
from kursk_pbem.kernel.state import OVER, State
from kursk_pbem.trust import commit


@dataclass(frozen=True)
class Play:
    """The random play of a rule system: setting, first position, and choices of a message.

    ``misplaced(stage)``: choices that do not belong in a message of the stage.
    """

    ruleset: Ruleset
    setting: Any
    start: State
    content: Callable[[State, int, random.Random], Content]
    misplaced: Callable[[str], Content]


@dataclass
class Seen:
    """Counts of a watched game.

    ``written``: by stage, every position with its written message; ``thought``: the number of tried messages; ``dice``:
    the number of dice.
    """

    last: Sitting
    written: dict[str, list[tuple[Sitting, Draft]]] = field(default_factory=dict)
    thought: int = 0
    dice: int = 0


def watched(play: Play, seed: int, most: int) -> Seen:
    """Play a game of the seed, at most ``most`` messages. Raises AssertionError if a side can foresee dice."""
    rng = random.Random(seed)
    sitting = begin(blind_duties(play.ruleset), play.setting, play.start, seed)
    seen, watch = Seen(sitting), Watch(sitting.mailed)
    while not sitting.game.over and sitting.seq < most:
        drafts = list(_make_drafts(play, sitting, rng))
        party = watch.tries(sitting, drafts)
        _no_choice_moves_a_die(sitting, drafts)
        for draft in drafts:
            _check_unforeseen(sitting, draft, party.since)
        _replies_are_unforeseen(sitting, rng.choice(drafts), party.since)
        _void_first(play, sitting, drafts[0], watch)
        _no_other_reveal(sitting, drafts[0])
        taken = drafts[0] if rng.random() < 0.9 else rng.choice(drafts)
        if taken.content["type"] == "resign" or taken.content.get("reply") == "accept":
            taken = drafts[-1] if sitting.chain.offer else drafts[0]
        if taken.content["type"] in ("accept", "turn"):
            seen.written.setdefault(sitting.game.state.stage, []).append((sitting, taken))
        sitting = sitting.post(taken)
        watch.mailed(sitting.mailed[-1])
        seen.thought += len(drafts)
        seen.dice += len(taken.result.dice)
    found = find_foresight(sitting.chain, watch)
    assert not found, found
    seen.last = sitting
    return seen


def _make_drafts(play: Play, sitting: Sitting, rng: random.Random) -> Iterator[Draft]:
    """Yield legal drafts, the usual draft first."""
    if sitting.chain.offer:
        yield from (sitting.draft({"reply": answer}, "reply") for answer in ("accept", "decline"))
        return
    ahead, k = sitting.duties(), sitting.seq
    over = ahead.middle.stage == OVER
    usual = {} if over else play.content(ahead.middle, k, rng)
    others: list[Content] = [{**usual, "note": digest(k).hex()}, {}]
    others += [] if over else [play.content(ahead.middle, k, random.Random(rng.random())) for _ in range(2)]
    for number, choices in enumerate((usual, *others)):
        draft = sitting.draft(choices, following=digest("grind", k, number) if number == 1 else b"")
        assert number or draft.result.legal, [str(each) for each in draft.result.violations]
        if draft.result.legal:
            yield draft
    if k >= FIRST:
        if ahead.pending is None and not over and (sitting.due, sitting.game.state.turn) not in sitting.game.declined:
            yield sitting.draft({"offer": {"kind": "draw"}}, "offer")
        yield sitting.draft({}, "resign")


def _no_choice_moves_a_die(sitting: Sitting, drafts: list[Draft]) -> None:
    """Check that every draft has equal dice and effects of the dice."""
    found = {(tuple(draft.result.dice.items()), draft.content["state-in"]) for draft in drafts}
    assert len(found) == 1, f"message {sitting.seq}, {sitting.game.state.stage}: choices move dice: {found}"


def _check_unforeseen(sitting: Sitting, draft: Draft, since: Mapping[bytes, int]) -> None:
    """Check that the writer cannot compute the dice of the next message."""
    k = sitting.seq
    ahead = commit.derive_seed(sitting.opening(k + 1), bytes.fromhex(draft.id)) if k > 1 else b""
    assert ahead not in since, f"message {k}: its writer knows the seed of {k + 1} for what he thinks of"


def _replies_are_unforeseen(sitting: Sitting, draft: Draft, since: Mapping[bytes, int]) -> None:
    """Check that the writer cannot compute the dice of his own next message: they depend on the answer."""
    branch = sitting.post(draft)
    if branch.game.over:
        return
    kind, choices = ("reply", {"reply": "decline"}) if branch.chain.offer else ("turn", {})
    answer = branch.draft(choices, kind)
    own = commit.derive_seed(draft.following, bytes.fromhex(answer.id))
    assert own not in since, f"message {sitting.seq}: its writer knows his seed of {sitting.seq + 2}"


def _void_first(play: Play, sitting: Sitting, draft: Draft, watch: Watch) -> None:
    """Check that a void message reveals no more than its honest twin: every player may read the message (T8)."""
    if draft.content["type"] != "turn":
        return
    void = sign({**draft.content, **play.misplaced(sitting.game.state.stage)})
    with pytest.raises(RulesError):
        games.extend(sitting.game, void)
    watch.mailed(void)


def _no_other_reveal(sitting: Sitting, draft: Draft) -> None:
    """Check that a writer who sees the dice can neither change nor hide a sealed value (T22, T24)."""
    reveal = draft.content.get("reveal", {})
    for label, entry in reveal.items():
        others = {key: value for key, value in reveal.items() if key != label}
        for changed in ({"value": {}}, {"salt": "0" * 32}, {}):
            shown = {**others, label: {**entry, **changed}} if changed else others
            content = {**draft.content, "reveal": shown}
            with pytest.raises(TrustError) as caught:
                games.extend(sitting.game, sign({key: value for key, value in content.items() if value}))
            assert caught.value.fault == "reveal"
