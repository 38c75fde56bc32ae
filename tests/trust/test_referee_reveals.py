"""The chain with a referee's dice: seals, reveals, offers, replies, and runs for proofs."""

from __future__ import annotations

import pytest
from helpers.signing_desk import STATE, after, following, opening, refused_next, sample, sample_chain, seal, signed

from kursk_pbem.trust import chains, commit, fragment
from trust.referee_desk import DRAW, FOLDER, OTHER_STATE, VALUE, game, opened

OFFER = {"type": "offer", "offer": DRAW}


def sealed(others: int) -> chains.Chain:
    """The German seals in message 5; the Russian writes ``others`` messages; then the German is to write."""
    before = after(game(5), secret=seal(game(5), "posture/turn-1", VALUE))
    for _ in range(others):
        before = after(after(before, next_="russian"))
    return after(before, next_="german")


@pytest.mark.parametrize("others", [0, 1, 2])
def test_T22_T24_2_11_seals_are_opened_in_the_next_own_message(others):
    before = sealed(others)
    assert before.next_seq == 7 + 2 * others
    assert before.outstanding_seals("german").keys() == {"posture/turn-1"}
    assert before.outstanding_seals("russian") == before.outstanding_seals("referee") == {}
    found = after(before, reveal=opened(VALUE))
    assert (found.reveals, found.outstanding_seals("german")) == ({"posture/turn-1": VALUE}, {})
    assert after(found).reveals == {}
    for more in ({}, {"type": "resign"}, OFFER):
        refused_next(before, "reveal", "reveals no posture/turn-1, sealed in message 5", **more)
        assert after(before, reveal=opened(VALUE), **more).outstanding_seals("german") == {}
    refused_next(before, "reveal", "sealed in message 5", reveal=opened({**VALUE, "reaction": "yes"}))
    refused_next(before, "reveal", "differs from the", reveal=opened(VALUE, salt=b"x" * 16))
    refused_next(before, "reveal", "reveals plans/5", reveal=opened(VALUE) | opened("x", "plans/5"))


def offered() -> chains.Chain:
    """The German offers in message 5; the referee is to hand on."""
    return after(game(5), **OFFER)


def handed() -> chains.Chain:
    return after(offered(), next_="russian")


def replied(answer: str) -> chains.Chain:
    return after(handed(), type="reply", reply=answer)


def test_2_11_referee_hands_the_offer_on_and_the_reply_back():
    open_ = handed()
    assert (open_.offer, open_.offerer, open_.writer(7)) == (DRAW, "german", "russian")
    closed = replied("decline")
    assert (closed.offer, closed.declined, closed.ended) == ({}, "german", False)
    back = after(closed, next_="german")
    assert (back.declined, back.writer(9)) == ("german", "german")
    refused_next(back, "order", "has just been declined", **OFFER)
    assert after(back).declined == ""
    assert after(after(after(back), next_="german"), **OFFER).offerer == "german"


@pytest.mark.parametrize(
    ("before", "fault", "words", "changes"),
    [
        (offered(), "order", "is the other side's", {"next_": "german"}),
        (offered(), "order", "must name the side", {"next_": None}),
        (replied("decline"), "order", "after a decline german plays on", {"next_": "russian"}),
        (replied("decline"), "order", "must name the side", {"next_": None}),
        *((handed(), "order", "where reply is due", {"type": kind}) for kind in ("turn", "resign", "accept")),
        (handed(), "order", "where reply is due", OFFER),
        (handed(), "order", "", {"type": "reply", "reply": "decline", "reveal": opened("x")}),
        (handed(), "order", "", {"type": "reply", "reply": "decline", "orders": {}}),
        (handed(), "order", "", {"type": "reply", "reply": "decline", "open": STATE}),
        (handed(), "order", "", {"type": "reply", "reply": "accept", "mix": None}),
        (handed(), "state", "", {"type": "reply", "reply": "accept", "state_out": OTHER_STATE}),
        (replied("accept"), "order", "the game ended with message 7", {}),
        (replied("accept"), "order", "the game ended with message 7", {"next_": None}),
        (after(game(5), type="resign"), "order", "the game ended with message 5", {}),
    ],
)
def test_2_11_other_messages_around_an_offer_are_refused(before, fault, words, changes):
    refused_next(before, fault, words, **changes)


def test_T36_2_11_reply_comes_at_once_or_never():
    over = replied("accept")
    assert (over.ended, over.agreed, over.offer) == (True, DRAW, {})
    late = after(replied("decline"), next_="german")
    for before in (game(5), late, after(after(late), next_="russian")):
        refused_next(before, "order", "of type reply", type="reply", reply="accept")


def test_2_11_seal_stays_sealed_in_a_reply():
    """The Russian seals in message 3 and replies in 7; he opens in his next message after that."""
    before = after(after(game(3), secret=seal(game(3), "posture/turn-1", "x")), next_="german")
    before = after(after(before, **OFFER), next_="russian")
    before = after(before, type="reply", reply="decline")
    before = after(after(after(before, next_="german")), next_="russian")
    refused_next(before, "reveal", "sealed in message 3")
    assert after(before, reveal=opened("x")).outstanding_seals("russian") == {}


@pytest.mark.parametrize("begins", range(1, 8))
def test_2_7_run_from_the_middle_ends_where_the_game_does(begins):
    first, whole = sample_chain(1, FOLDER), sample_chain(9, FOLDER)
    part = fragment.follow_run(first, [sample(k, FOLDER) for k in range(begins, 9)])
    assert (part.next_seq, part.head_id, part.ended) == (9, whole.head_id, False)
    assert (part.writer(9), part.offer, part.offerer) == (whole.writer(9), whole.offer, whole.offerer)
    assert part.extend(sample(9, FOLDER)).next_seq == 10


def test_T32_2_7_false_opening_dice_and_reveals_are_lies_of_their_writer():
    def judged(before, **changes):
        return fragment.find_lie(before, signed(following(before, **changes)))

    good = commit.roll_dice(game(6).seed_with(opening(6)), "b/combat", 1)
    wrong = str(int(good) % 6 + 1)
    assert judged(game(6), dice={"b/combat": good}) == judged(game(6)) == ("", "")
    assert judged(game(6), dice={"b/combat": wrong})[0] == "dice"
    assert judged(game(6), dice={"b/combat": good}, open=opening(99).hex())[0] == "opening"
    early = commit.roll_dice(commit.derive_seed(opening(2), bytes.fromhex(game(2).head_id)), "weather/turn-1", 1)
    told = ("dice", "the message rolls dice, but the first dice can fall in message 4")
    assert judged(game(2), dice={"weather/turn-1": early}) == told
    assert judged(sealed(1), reveal=opened(VALUE)) == ("", "")
    assert judged(sealed(1), reveal=opened("x"))[0] == "reveal"
