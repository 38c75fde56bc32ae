"""Offers and replies in the chain: who may say what when, what is revealed when, what ends a game (protocol 2.9)."""

from __future__ import annotations

import pytest
from helpers.signing_desk import PLAYERS, following, game, opening, refused_next, sample, sample_chain, seal, signed

from kursk_pbem.trust import chains, commit

DRAW = {"kind": "draw"}
OPENED = {"plans/a": {"salt": "00" * 16, "value": "x"}}
OTHER = "cd" * 32
SUCCESSOR = {"kind": "successor", "game": OTHER}
ANOTHER_STATE = "ef" * 32


def after(before: chains.Chain, **changes) -> chains.Chain:
    return before.extend(signed(following(before, **changes)))


def offered(length: int = 3, offer=None, **changes) -> chains.Chain:
    return after(game(length), type="offer", offer=offer or DRAW, **changes)


def answered(before: chains.Chain, answer: str, **changes) -> chains.Chain:
    return after(before, type="reply", reply=answer, **changes)


def test_the_sample_with_its_offer_and_reply():
    before = sample_chain(8)
    open_ = before.extend(sample(8))
    assert open_.offer == {"kind": "successor", "game": sample(0, PLAYERS / "offered").id}
    assert (open_.ended, open_.declined) == (False, "")
    closed = open_.extend(sample(9))
    assert (closed.offer, closed.declined, closed.agreed, closed.ended) == ({}, "russian", {}, False)
    assert closed.extend(sample(10)).declined == ""


def test_the_proposal_that_the_sample_offers_names_the_message_before_the_offer():
    head = chains.start(sample(0, PLAYERS / "offered")).head
    assert head["continues"] == {"game": sample(0).id, "seq": "7", "id": sample(7).id}
    assert head["state-out"] == sample(7).text("state-out")


@pytest.mark.parametrize("length", [3, 4])
@pytest.mark.parametrize("offer", [DRAW, SUCCESSOR])
def test_accepted_it_ends_the_game(length, offer):
    before = offered(length, offer)
    assert before.offer == offer
    found = answered(before, "accept")
    assert (found.ended, found.agreed, found.offer, found.declined) == (True, offer, {}, "")
    for kind, more in (("turn", {}), ("resign", {}), ("offer", {"offer": DRAW}), ("reply", {"reply": "accept"})):
        refused_next(found, "order", f"ended with message {length + 1}", type=kind, **more)


def test_declined_the_game_goes_on():
    found = answered(offered(), "decline")
    assert (found.ended, found.agreed, found.declined) == (False, {}, "german")
    assert after(found).next_seq == 6


@pytest.mark.parametrize(("length", "kind"), [(1, "offer"), (2, "offer"), (1, "reply"), (3, "reply"), (4, "reply")])
def test_where_neither_has_its_place(length, kind):
    value = {"offer": DRAW} if kind == "offer" else {"reply": "accept"}
    refused_next(game(length), "order", f"of type {kind}", type=kind, **value)


@pytest.mark.parametrize(("kind", "more"), [("turn", {}), ("resign", {}), ("offer", {"offer": DRAW})])
def test_only_a_reply_follows_an_offer(kind, more):
    refused_next(offered(), "order", f"of type {kind}, where reply is due", type=kind, **more)


@pytest.mark.parametrize("answer", ["accept", "decline"])
def test_T36_nothing_is_accepted_later_than_in_the_next_message(answer):
    declined = answered(offered(), "decline")
    refused_next(declined, "order", "of type reply", type="reply", reply=answer)
    gone_on = after(declined)
    refused_next(gone_on, "order", "of type reply", type="reply", reply=answer)
    refused_next(after(gone_on), "order", "of type reply", type="reply", reply=answer)


def test_T36_the_side_that_made_the_offer_cannot_accept_it():
    refused_next(offered(), "sender", "russian's to write", type="reply", reply="accept", from_="german")


def test_twice_running_is_refused_but_the_other_side_may_offer():
    declined = answered(offered(), "decline")
    refused_next(declined, "order", "has just been declined", type="offer", offer=SUCCESSOR)
    theirs = after(after(declined), type="offer", offer=DRAW)
    assert theirs.offer == DRAW
    assert answered(theirs, "decline").declined == "russian"


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"type": "offer"}, "must hold offer"),
        ({"type": "turn", "offer": DRAW}, "cannot hold offer"),
        ({"type": "offer", "offer": SUCCESSOR | {"kind": "draw"}}, "names a game"),
        ({"type": "offer", "offer": {"kind": "successor"}}, "names a game"),
        ({"type": "offer", "offer": DRAW, "pending": {"owner": "german"}}, "cannot hold pending"),
        ({"type": "offer", "offer": DRAW, "reply": "accept"}, "cannot hold reply"),
        *(
            ({"type": "offer", "offer": DRAW, field: {}}, f"cannot hold {field}")
            for field in ("choice", "orders", "decisions", "policy", "secret", "seal")
        ),
    ],
)
def test_an_offer_holds_duties_and_nothing_else(changes, words):
    refused_next(game(3), "order", words, **changes)


@pytest.mark.parametrize("field", ["reveal", "dice", "orders", "policy", "secret", "pending", "offer"])
def test_a_reply_holds_nothing_but_the_answer(field):
    value = DRAW if field == "offer" else {}
    refused_next(offered(), "order", f"cannot hold {field}", type="reply", reply="decline", **{field: value})
    refused_next(offered(), "order", "must hold reply", type="reply")


def test_neither_changes_the_position():
    refused_next(game(3), "state", "chooses nothing", type="offer", offer=DRAW, state_out=ANOTHER_STATE)
    refused_next(offered(), "state", "chooses nothing", type="reply", reply="decline", state_out=ANOTHER_STATE)


def test_both_open_and_commit_as_ever():
    refused_next(game(3), "opening", type="offer", offer=DRAW, open=opening(99).hex())
    refused_next(offered(), "opening", type="reply", reply="accept", open=opening(99).hex())
    found = answered(offered(), "decline")
    refused_next(found, "opening", "in message 3", open=opening(99).hex())
    assert found.commitments[6] == commit.commitment(found.nonce, 6, opening(6))


class TestReveals:
    """What is sealed is shown in its owner's next message that is no reply."""

    def sealed(self) -> chains.Chain:
        """The German seals in message 3, the Russian writes message 4."""
        before = game(3)
        return after(before, secret=seal(before, "plans/a", "x"))

    def test_an_offer_owes_its_reveals(self):
        before = after(self.sealed())
        refused_next(before, "reveal", "does not open plans/a", type="offer", offer=DRAW)
        found = after(before, type="offer", offer=DRAW, reveal=OPENED)
        assert found.reveals == {"plans/a": "x"}
        assert answered(found, "decline").reveals == {}

    def test_a_reply_owes_none_and_the_message_after_it_does(self):
        found = answered(after(self.sealed(), type="offer", offer=DRAW), "decline")
        assert found.outstanding("german") == self.sealed().outstanding("german")
        assert found.seals["german"].seq == 3
        found = after(found)  # the Russian's choices, in whose place his offer stood
        refused_next(found, "reveal", "sealed in message 3")
        shown = after(found, reveal=OPENED)
        assert (shown.reveals, shown.outstanding("german")) == ({"plans/a": "x"}, {})

    def test_what_was_sealed_before_the_reply_is_bound_to_its_message(self):
        found = after(answered(after(self.sealed(), type="offer", offer=DRAW), "decline"))
        assert found.next_seq == 7
        other = {"plans/a": {"salt": "00" * 16, "value": "y"}}
        refused_next(found, "reveal", "not what was sealed in message 3", reveal=other)


def test_no_two_dice_depend_on_one_seed_around_an_offer():
    """Dice of an offer come from its own seed; those after a decline from one that nobody knew when it was offered."""
    before = offered(5)
    found = after(answered(before, "decline"))
    assert len({before.seed(5), found.seed(6), found.seed(7)}) == 3
    accepted = answered(before, "accept")
    assert accepted.seed(6) == found.seed(6)  # it hangs on the offer, not on the answer to it
    late = after(answered(before, "decline", note="other words"))
    assert late.seed(7) != found.seed(7)  # the seed of the message after hangs on the reply
