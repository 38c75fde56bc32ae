"""Offers and replies in the chain: writers, reveals, ends of games (protocol 2.9)."""

from __future__ import annotations

import pytest
from helpers.signing_desk import PLAYERS, after, game, opening, refused_next, sample, sample_chain, seal

from kursk_pbem.trust import chains, commit

DRAW = {"kind": "draw"}
OPENED = {"plans/a": {"salt": "00" * 16, "value": "x"}}
SUCCESSOR = {"kind": "successor", "game": "cd" * 32}
OFFER = {"type": "offer", "offer": DRAW}
REPLY = {"type": "reply", "reply": "decline"}
ANOTHER_STATE = "ef" * 32
CHOICES = ("pending", "choice", "waive", "orders", "decisions", "policy", "secret")


def offered(length: int = 3, offer=DRAW) -> chains.Chain:
    return after(game(length), type="offer", offer=offer)


def answered(before: chains.Chain, answer: str = "decline", **changes) -> chains.Chain:
    return after(before, type="reply", reply=answer, **changes)


def test_2_9_sample_has_an_offer_and_a_reply():
    open_ = sample_chain(9)
    assert (open_.offer, open_.ended) == ({"kind": "successor", "game": sample(0, PLAYERS / "offered").id}, False)
    closed = open_.extend(sample(9))
    assert (closed.offer, closed.declined, closed.agreed, closed.ended) == ({}, "russian", {}, False)
    assert closed.extend(sample(10)).declined == ""
    head = chains.start_chain(sample(0, PLAYERS / "offered")).head
    assert head["continues"] == {"game": sample(0).id, "seq": "7", "id": sample(7).id}
    assert head["state-out"] == sample(7).text("state-out")


@pytest.mark.parametrize(("length", "offer"), [(3, DRAW), (4, SUCCESSOR)])
def test_2_9_accepted_offer_ends_the_game(length, offer):
    before = offered(length, offer)
    assert before.offer == offer
    found = answered(before, "accept")
    assert (found.ended, found.agreed, found.offer, found.declined) == (True, offer, {}, "")
    for more in ({}, {"type": "resign"}, OFFER, REPLY):
        refused_next(found, "order", f"ended with message {length + 1}", **more)


def test_2_9_game_goes_on_after_a_decline():
    found = answered(offered())
    assert (found.ended, found.agreed, found.declined) == (False, {}, "german")
    refused_next(found, "order", "has just been declined", type="offer", offer=SUCCESSOR)
    assert answered(after(after(found), **OFFER)).declined == "russian"  # the other side may offer


@pytest.mark.parametrize(
    ("before", "fault", "words", "changes"),
    [
        *((game(length), "order", "of type offer", OFFER) for length in (1, 2)),
        *((game(length), "order", "of type reply", REPLY) for length in (1, 3)),
        *((offered(), "order", "where reply is due", more) for more in ({}, {"type": "resign"}, OFFER)),
        (game(3), "order", "must hold offer", {"type": "offer"}),
        (game(3), "order", "cannot hold offer", {"offer": DRAW}),
        (game(3), "order", "names its game", {**OFFER, "offer": {**SUCCESSOR, "kind": "draw"}}),
        (game(3), "order", "names its game", {**OFFER, "offer": {"kind": "successor"}}),
        *((game(3), "order", f"cannot hold {field}", {**OFFER, field: {}}) for field in ("seal", *CHOICES)),
        (offered(), "order", "must hold reply", {"type": "reply"}),
        *(
            (offered(), "order", f"cannot hold {field}", {**REPLY, field: DRAW if field == "offer" else {}})
            for field in (
                "reveal",
                "dice",
                "orders",
                "policy",
                "choice",
                "decisions",
                "waive",
                "secret",
                "pending",
                "offer",
            )
        ),
        (game(3), "state", "chooses nothing", {**OFFER, "state_out": ANOTHER_STATE}),
        (offered(), "state", "chooses nothing", {**REPLY, "state_out": ANOTHER_STATE}),
        (game(3), "opening", "", {**OFFER, "open": opening(99).hex()}),
        (offered(), "opening", "", {**REPLY, "open": opening(99).hex()}),
        (answered(offered()), "opening", "in message 3", {"open": opening(99).hex()}),
    ],
)
def test_2_9_other_offers_and_replies_are_refused(before, fault, words, changes):
    refused_next(before, fault, words, **changes)


@pytest.mark.parametrize("answer", ["accept", "decline"])
def test_T36_2_9_nothing_is_accepted_later_than_in_the_next_message(answer):
    declined = answered(offered())
    for late in (declined, after(declined), after(after(declined))):
        refused_next(late, "order", "of type reply", type="reply", reply=answer)
    refused_next(offered(), "sender", "russian's to write", type="reply", reply=answer, from_="german")


def sealed() -> chains.Chain:
    """The German seals in message 3, the Russian writes message 4."""
    return after(game(3), secret=seal(game(3), "plans/a", "x"))


def test_2_9_offer_owes_its_reveals():
    before = after(sealed())
    refused_next(before, "reveal", "reveals no plans/a", **OFFER)
    found = after(before, **OFFER, reveal=OPENED)
    assert (found.reveals, answered(found).reveals) == ({"plans/a": "x"}, {})


def test_2_9_reply_owes_no_reveal_and_the_message_after_it_does():
    found = answered(after(sealed(), **OFFER))
    assert found.outstanding_seals("german") == sealed().outstanding_seals("german")
    found = after(found)  # the Russian's choices, replaced by his offer
    refused_next(found, "reveal", "sealed in message 3")
    other = {"plans/a": {"salt": "00" * 16, "value": "y"}}
    refused_next(found, "reveal", "sealed in message 3", reveal=other)
    shown = after(found, reveal=OPENED)
    assert (shown.reveals, shown.outstanding_seals("german")) == ({"plans/a": "x"}, {})


def test_2_9_no_two_dice_depend_on_one_seed_around_an_offer():
    """Dice of an offer come from the seed of the offer. Dice after a decline come from a later seed."""
    before = offered(5)
    found = after(answered(before))
    assert found.commitments[8] == commit.commit_to_opening(found.nonce, 8, opening(8))
    assert len({before.seed(5), found.seed(6), found.seed(7)}) == 3
    assert answered(before, "accept").seed(6) == found.seed(6)  # depends on the offer, not on the reply
    assert after(answered(before, note="other words")).seed(7) != found.seed(7)  # this case depends on the reply
