"""The chain where a referee rolls: what is sealed and opened, what is offered and replied, runs of it for proofs."""

from __future__ import annotations

import pytest
from helpers.referee_desk import DRAW, FOLDER, OTHER_STATE, VALUE, after, following, game, opened, refused_next, seal
from helpers.signing_desk import STATE, opening, sample, signed

from kursk_pbem.trust import chains, commit, fragment


class TestReveals:
    """A player's next message may be 2, 4 or more later; what he sealed waits for it."""

    def sealed(self, others: int) -> chains.Chain:
        """The German seals in message 5; the Russian writes ``others`` messages; then the German is to write."""
        before = after(game(5), secret=seal(game(5), VALUE))
        for _ in range(others):
            before = after(after(before, next_="russian"))
        return after(before, next_="german")

    @pytest.mark.parametrize("others", [0, 1, 2])
    def test_opened_in_the_next_own_message(self, others):
        before = self.sealed(others)
        assert before.next_seq == 7 + 2 * others
        assert before.outstanding("german").keys() == {"posture/turn-1"}
        assert before.seals["german"].seq == 5
        found = after(before, reveal=opened(VALUE))
        assert found.reveals == {"posture/turn-1": VALUE}
        assert found.outstanding("german") == {}
        assert after(found).reveals == {}

    @pytest.mark.parametrize("others", [0, 1])
    def test_T24_T22_not_opened_or_otherwise(self, others):
        before = self.sealed(others)
        refused_next(before, "reveal", "does not open posture/turn-1, sealed in message 5")
        refused_next(before, "reveal", "not what was sealed in message 5", reveal=opened({**VALUE, "reaction": "yes"}))
        refused_next(before, "reveal", "not what was sealed", reveal=opened(VALUE, salt=b"x" * 16))
        two = opened(VALUE) | opened("x", "plans/5")
        refused_next(before, "reveal", "opens plans/5", reveal=two)

    def test_the_other_side_and_the_referee_owe_nothing(self):
        before = after(game(5), secret=seal(game(5), VALUE))
        assert before.outstanding("russian") == before.outstanding("referee") == {}
        after(after(before))

    def test_an_offer_and_a_resignation_owe_it_too(self):
        before = self.sealed(1)
        for kind, more in (("resign", {}), ("offer", {"offer": {"kind": "draw"}})):
            refused_next(before, "reveal", "does not open", type=kind, **more)
            assert after(before, type=kind, reveal=opened(VALUE), **more).outstanding("german") == {}


class TestOffers:
    def offered(self, **changes) -> chains.Chain:
        """The German offers in message 5; the referee is to hand on."""
        return after(game(5), type="offer", offer=DRAW, **changes)

    def handed(self, **changes) -> chains.Chain:
        return after(self.offered(**changes), next_="russian")

    def replied(self, answer: str, **changes) -> chains.Chain:
        return after(self.handed(), type="reply", reply=answer, **changes)

    def test_the_referee_hands_the_offer_on_and_the_reply_back(self):
        open_ = self.handed()
        assert (open_.offer, open_.offerer, open_.writer(7)) == (DRAW, "german", "russian")
        closed = self.replied("decline")
        assert (closed.offer, closed.declined, closed.ended) == ({}, "german", False)
        back = after(closed, next_="german")
        assert (back.declined, back.writer(9)) == ("german", "german")
        assert after(back).declined == ""

    def test_the_reply_to_an_offer_is_the_other_sides(self):
        refused_next(self.offered(), "order", "is the other side's", next_="german")
        refused_next(self.offered(), "order", "must name the side", next_=None)

    def test_after_a_decline_the_offerer_plays_on(self):
        refused_next(self.replied("decline"), "order", "after a decline german plays on", next_="russian")
        refused_next(self.replied("decline"), "order", "must name the side", next_=None)

    @pytest.mark.parametrize("kind", ["turn", "resign", "offer", "accept"])
    def test_nothing_but_a_reply_follows_what_was_handed_on(self, kind):
        offer = DRAW if kind == "offer" else None
        refused_next(self.handed(), "order", "where reply is due", type=kind, offer=offer)

    def test_T36_a_reply_comes_at_once_or_never(self):
        refused_next(game(5), "order", "of type reply", type="reply", reply="accept")
        late = after(self.replied("decline"), next_="german")
        refused_next(late, "order", "of type reply", type="reply", reply="accept")
        later = after(after(late), next_="russian")
        refused_next(later, "order", "of type reply", type="reply", reply="accept")

    def test_no_second_offer_after_a_decline(self):
        before = after(self.replied("decline"), next_="german")
        refused_next(before, "order", "has just been declined", type="offer", offer=DRAW)
        on = after(after(before), next_="german")
        assert after(on, type="offer", offer=DRAW).offerer == "german"

    def test_an_accept_ends_the_chain(self):
        over = self.replied("accept")
        assert (over.ended, over.agreed, over.offer) == (True, DRAW, {})
        refused_next(over, "order", "the game ended with message 7")
        refused_next(over, "order", "the game ended with message 7", next_=None)

    def test_a_resignation_ends_it_without_a_word_of_the_referee(self):
        over = after(game(5), type="resign")
        assert over.ended
        refused_next(over, "order", "the game ended with message 5")

    @pytest.mark.parametrize(
        ("answer", "more", "fault"),
        [
            ("decline", {"reveal": opened("x")}, "order"),
            ("decline", {"orders": {}}, "order"),
            ("accept", {"mix": None}, "order"),
            ("accept", {"state_out": OTHER_STATE}, "state"),
            ("decline", {"open": STATE}, "order"),
        ],
    )
    def test_a_reply_is_nothing_more(self, answer, more, fault):
        refused_next(self.handed(), fault, type="reply", reply=answer, **more)

    def test_what_is_sealed_stays_sealed_in_a_reply(self):
        """The Russian seals in message 3 and replies in 7; he opens in his next message after that."""
        before = after(game(3), secret=seal(game(3), "x"))
        before = after(before, next_="german")
        before = after(before, type="offer", offer=DRAW)
        before = after(after(before, next_="russian"), type="reply", reply="decline")
        assert before.seals["russian"].seq == 3
        before = after(after(before, next_="german"))
        before = after(before, next_="russian")
        refused_next(before, "reveal", "sealed in message 3")
        assert after(before, reveal=opened("x")).outstanding("russian") == {}


class TestRuns:
    """The same checks for a run that begins in the middle, for proofs (2.7)."""

    @pytest.mark.parametrize("begins", range(1, 8))
    def test_a_run_ends_where_the_game_does(self, begins):
        first, whole = chains.start(sample(0, FOLDER)), chains.start(sample(0, FOLDER))
        for k in range(1, 9):
            whole = whole.extend(sample(k, FOLDER))
        part = fragment.follow(first, [sample(k, FOLDER) for k in range(begins, 9)])
        assert (part.next_seq, part.head_id, part.ended) == (9, whole.head_id, False)
        assert (part.writer(9), part.offer, part.offerer) == (whole.writer(9), whole.offer, whole.offerer)
        assert part.extend(sample(9, FOLDER)).next_seq == 10

    def test_T32_false_opening_and_false_dice_are_lies_of_the_referee(self):
        before = game(6)
        good = commit.dice(before.seed_with(opening(6)), "b/combat", 1)
        wrong = str(int(good) % 6 + 1)

        def judged(**changes):
            return fragment.lie(before, signed(following(before, **changes)))[0]

        assert judged(dice={"b/combat": good}) == judged() == ""
        assert judged(dice={"b/combat": wrong}) == "dice"
        assert judged(dice={"b/combat": good}, open=opening(99).hex()) == "opening"

    def test_early_dice_are_a_lie_of_the_referee(self):
        before = game(2)
        early = commit.dice(commit.seed(opening(2), bytes.fromhex(before.head_id)), "weather/turn-1", 1)
        found = fragment.lie(before, signed(following(before, dice={"weather/turn-1": early})))
        assert found == ("dice", "it rolls dice, and before message 4 none may fall")

    def test_a_false_reveal_is_a_lie_of_its_owner(self):
        before = TestReveals().sealed(1)
        assert fragment.lie(before, signed(following(before, reveal=opened(VALUE)))) == ("", "")
        assert fragment.lie(before, signed(following(before, reveal=opened("x"))))[0] == "reveal"
