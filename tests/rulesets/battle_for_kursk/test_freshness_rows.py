"""Each row of the stage table of Battle for Kursk: dice fall in the message in which dice are due, and in no other."""

from __future__ import annotations

import pytest
from helpers.adversary import FIRST, Watch, begin, distribution, find_foresight, is_accepted, replay_mails, sign

from kursk_pbem.errors import TrustError
from kursk_pbem.game import games
from kursk_pbem.kernel.adjudicate import adjudicate
from kursk_pbem.kernel.events import Decided
from kursk_pbem.kernel.orders import Filing
from kursk_pbem.kernel.state import OVER
from kursk_pbem.rulesets.battle_for_kursk import posture, sequence
from kursk_pbem.trust import commit
from rulesets.battle_for_kursk.board import place
from rulesets.battle_for_kursk.watched_games import ASK, KURSK, SIEGES, kursk, written

pytestmark = pytest.mark.slow

ROWS = [key for key in sequence.STAGES if key != OVER]
ROLLING = [key for key in ROWS if sequence.STAGES[key].rolls]


def refused(sitting, content, words=".", faults=("dice",)):
    """Check that the other side takes no such message."""
    with pytest.raises(TrustError, match=words) as caught:
        games.extend(sitting.game, sign({key: value for key, value in content.items() if value}))
    assert caught.value.fault in faults


def awaited(state):
    """Return labels of the dice that a position waits for."""
    weather = {f"weather/turn-{state.turn.lower()}"} if posture.weather_due(state) else set()
    return weather | {f"{battle['id']}/combat" for battle in state.agenda.get("battles", ())}


def own_seed(sitting):
    """The seed of the message that is due, if it may roll or not."""
    return commit.derive_seed(sitting.opening(sitting.seq), bytes.fromhex(sitting.chain.head_id))


@pytest.mark.parametrize("row", ROWS)
def test_dice_a_message_too_early_are_refused(row):
    """Correct dice of the writer's seed, for battles declared or answered in this message, or due in the next
    message."""
    for sitting, draft in written()[row][:4]:
        sitting.post(draft)  # without dice the message is accepted
        rolled = draft.content.get("dice", {})
        early = (awaited(draft.result.middle) | awaited(draft.result.after) | {"b1/combat"}) - rolled.keys()
        for label in early:
            dice = {label: commit.roll_dice(own_seed(sitting), label, 1)}
            refused(sitting, {**draft.content, "dice": {**rolled, **dice}}, faults=("dice", "order"))


@pytest.mark.parametrize("row", ROLLING)
def test_dice_a_message_too_late_or_of_another_seed_are_refused(row):
    """Each die is left out, thrown again in the next two messages, and drawn from every near seed."""
    found = [(sitting, draft) for sitting, draft in written()[row] if "dice" in draft.content]
    for sitting, draft in found[:3]:
        chain, k, rolled = sitting.chain, sitting.seq, draft.content["dice"]
        after = sitting.post(draft)
        for label, face in rolled.items():
            left = {other: digits for other, digits in rolled.items() if other != label}
            refused(sitting, {**draft.content, "dice": left}, "is missing")
            if not after.game.over:
                again = {label: commit.roll_dice(own_seed(after), label, 1)}
                refused(after, {**after.draft().content, "dice": again}, "the rules roll no die")
            openings, ids = {sitting.opening(k), *chain.openings[k - 2 :]}, chain.ids[k - 3 :]
            seeds = {commit.derive_seed(opening, bytes.fromhex(mid)) for opening in openings for mid in ids}
            assert commit.roll_dice(own_seed(sitting), label, 1) == face
            for other in {commit.roll_dice(seed, label, 1) for seed in seeds} - {face}:
                refused(sitting, {**draft.content, "dice": {**rolled, label: other}}, "must be")
    assert found


@pytest.mark.parametrize("row", ROLLING)
def test_dice_that_fell_in_an_offer_do_not_fall_again(row):
    """A declined offer gives no other dice (2.10)."""
    found = 0
    for sitting, draft in written()[row]:
        if "dice" in draft.content and sitting.seq >= FIRST and not ({"pending", "note"} & draft.content.keys()):
            offer = sitting.draft({"offer": {"kind": "draw"}}, "offer")
            if offer.content["dice"] == draft.content["dice"] and is_accepted(sitting, offer):
                later = sitting.post(offer).turn({"reply": "decline"}, "reply")
                assert later.draft().result.dice == {}
                found += 1
    assert found


@pytest.mark.parametrize("row", ["german-dice", "russian-dice"])
def test_the_assert_stops_battles_that_are_rolled_a_message_too_early(row):
    """The same position, resolved in the message before: of the other side, who has just answered."""
    for sitting, draft in written()[row]:
        if draft.result.dice:
            k, state = sitting.seq - 1, sitting.game.state
            reveal = {label: entry["value"] for label, entry in sitting.kept.get(sitting.due, {}).items()}
            filing = Filing(k, state.side, reveal=reveal, resigns=True)
            with pytest.raises(AssertionError, match=f"a die of message {k} for inputs of messages"):
                adjudicate(KURSK, sitting.game.setting, state, filing, games.SeedDice(own_seed(sitting), k))


# An empty answer, and the option to be asked

POSTURES = {"german": {"choice": {"posture/turn-1": {"posture": "engage"}}, "waive": "posture"}, "russian": {}}
BATTLES = {
    "german": [
        {"id": "b1", "hex": "2406", "attackers": ["g-47-pz", "g-48-pz", "g-2-ss"]},
        {"id": "b2", "hex": "2213", "attackers": ["g-24-pz", "g-11"]},
    ],
    "russian": [
        {"id": "b1", "hex": "1808", "attackers": ["r-4-t", "r-1-t", "r-3-gt"]},
        {"id": "b2", "hex": "1606", "attackers": ["r-5-gt", "r-6-g"]},
    ],
}
SEAL = {"seal": {"posture/turn-1": {"posture": "pause"}}}
SEALED = {"german": {}, "russian": SEAL}  # with the dice


def declared(side, tag=0, **options):
    """A side has declared two battles; the answer is due."""
    state = place(f"{SIEGES}; turn D; 1605: r-5-gt | 1506: r-6-g")
    sitting = begin(KURSK, kursk(**options), state, "rows", {"german": tag, "russian": tag})
    if side == "german":
        sitting = sitting.turn(SEAL)
    return sitting.turn({**POSTURES[side], "orders": {"battles": BATTLES[side]}})


@pytest.mark.parametrize("side", BATTLES)
def test_an_empty_answer_closes_all_rights(side):
    """For all dice, the fallback takes every right of the defender and the dice do not stop. No later message
    accepts an answer or a second answer."""
    before = declared(side)
    sitting = before.turn()

    def play():
        result = sitting.draft().result
        return result.pending, tuple(event.source for event in result.events if isinstance(event, Decided))

    assert {pending for pending, _sources in distribution(play)} == {None}
    assert {source for _pending, sources in distribution(play) for source in sources} == {"default"}
    refused(sitting, before.draft({"policy": {"stand-fast": "always"}}).content, "another message", ("chain",))
    for now in (sitting, sitting.turn(SEALED[side])):
        for late in ({"policy": {"stand-fast": "always"}}, {"decisions": {"b1": "accept"}}):
            said = now.draft(late).result.violations
            assert ["has no place in this message" in each.message for each in said if each.order in late] == [True]


def stopped(side):
    """Return a game with ``uncovered: ask`` and an empty answer: the dice of the first battle will stop."""
    for tag in range(60):
        sitting = declared(side, tag, **ASK).turn()
        if sitting.draft().result.pending and other_faces(sitting):
            return sitting
    raise AssertionError("no dice stop")


def other_faces(sitting):
    """Return whether the second battle's die would differ at once, at its earliest place, or after an offer."""
    faces = [commit.roll_dice(own_seed(sitting), "b2/combat", 1)]
    later = sitting.turn()
    for middle in (None, "offer"):
        now = later
        if middle:
            now = now.turn({"offer": {"kind": "draw"}}, "offer").turn({"reply": "decline"}, "reply")
        now = now.turn({"decisions": {"b1": "accept"}})
        faces.append(commit.roll_dice(own_seed(now), "b2/combat", 1))
    return len(set(faces)) == 3


@pytest.mark.parametrize("offers", [False, True], ids=["", "and an offer before it"])
@pytest.mark.parametrize("side", BATTLES)
def test_asked_the_owner_decides_before_every_later_die_is_in_anybodys_sight(side, offers):
    """The second battle is far away but waits, too. Its die comes from the first seed after the decision and an
    answer, and every earlier message with the die is refused."""
    sitting = stopped(side)
    watch = Watch(sitting.mailed)
    first, first_seq = sitting.draft(), sitting.seq
    assert first.content["dice"].keys() == {"b1/combat"}
    at_once = commit.roll_dice(own_seed(sitting), "b2/combat", 1)
    refused(
        sitting, {**first.content, "dice": {**first.content["dice"], "b2/combat": at_once}}, "the rules roll no die"
    )
    refused(sitting, {**first.content, "pending": None}, "must name the decision")
    script = [({}, "turn"), *([({"offer": {"kind": "draw"}}, "offer"), ({"reply": "decline"}, "reply")] * offers)]
    for choices, kind in (*script, ({"decisions": {"b1": "accept"}}, "turn")):
        if "decisions" in choices:
            every = [sitting.draft({"decisions": {"b1": option}}) for option in first.result.pending["options"]]
            party = watch.tries(sitting, every)
            assert not any(own_seed(sitting.post(draft)) in party.since for draft in every)
        content = sitting.draft(choices, kind).content
        if sitting.seq > first_seq:
            early = {"b2/combat": commit.roll_dice(own_seed(sitting), "b2/combat", 1)}
            refused(sitting, {**content, "dice": early}, faults=("dice", "order"))
        sitting = sitting.turn(choices, kind)
        watch.mailed(sitting.mailed[-1])
    last = sitting.draft()
    assert last.content["dice"] == {"b2/combat": commit.roll_dice(own_seed(sitting), "b2/combat", 1)}
    refused(sitting, {**last.content, "dice": {"b2/combat": at_once}}, "must be")
    assert sitting.seq == FIRST + (4 if offers else 2) + (side == "german")
    assert find_foresight(*replay_mails(sitting.turn(SEALED[side]).mailed)) == []


def test_asked_nothing_waits_that_has_been_answered():
    """The same battle with every right used or waived in so many words: all dice fall at once."""
    words = {"stand-fast": "never", "exchange-dr": "never", "exchange-drl": "never"}
    sitting = declared("german", **ASK).turn({"policy": words})
    assert distribution(lambda: len(sitting.draft().result.dice)) == {2: 1}
    silent = declared("german", **ASK).turn()
    assert distribution(lambda: len(silent.draft().result.dice)).keys() == {1, 2}
