"""The chain: the sample game passes, and each thing that may not be is refused for its fault; see also test_lies.py."""

from __future__ import annotations

import pytest
from helpers.signing_desk import (
    NONCE,
    SIDES,
    SIGNERS,
    STATE,
    following,
    game,
    opening,
    propose,
    refused,
    refused_next,
    sample,
    sample_chain,
    seal,
    signed,
    vectors,
)

from kursk_pbem.errors import FileError
from kursk_pbem.trust import chains, commit, messages, sshsig

V = vectors()
P = V["sample-players"]


class TestSample:
    def test_ids_openings_commitments_seeds_and_dice(self):
        found = sample_chain()
        assert list(found.ids) == [P["id"][str(k)] for k in range(8)]
        whole = sample_chain(12)
        assert list(whole.ids) == [P["id"][str(k)] for k in range(12)]
        assert (whole.ended, whole.agreed, whole.next_seq) == (True, {}, 12)
        assert [o.hex() for o in whole.openings[1:]] == [P["r"][str(k)] for k in range(1, 12)]
        assert [c.hex() for c in whole.commitments[2:]] == [P["commitment"][str(k)] for k in range(2, 14)]
        assert found.game == P["id"]["0"]
        assert found.head_id == P["id"]["7"]
        assert (found.next_seq, found.ended) == (8, False)
        assert found.nonce.hex() == P["nonce"]
        assert found.openings[0] is None
        assert [o.hex() for o in found.openings[1:]] == [P["r"][str(k)] for k in range(1, 8)]
        assert found.commitments[:2] == (None, None)
        assert [c.hex() for c in found.commitments[2:]] == [P["commitment"][str(k)] for k in range(2, 10)]
        assert [found.seed(k).hex() for k in range(3, 8)] == [P["seed"][str(k)] for k in range(3, 8)]
        for die in P["dice"]:
            assert found.dice(int(die["seq"]), die["label"], 20) == die["first-20"]

    def test_T20_the_dice_that_the_sample_claims(self):
        found = sample_chain()
        checked = 0
        for k in range(8):
            for label, claimed in sample(k).mapping("dice").items():
                assert found.dice(k, label, len(claimed)) == claimed
                checked += 1
        assert checked == 2

    def test_the_writer_of_the_next_message_knows_its_seed_first(self):
        assert sample_chain(5).seed_with(bytes.fromhex(P["r"]["5"])).hex() == P["seed"]["5"]

    def test_writers_seals_and_reveals(self):
        after = [sample_chain(k + 1) for k in range(8)]
        assert [after[7].writer(k) for k in range(4)] == ["russian", "german", "russian", "german"]
        hashes = {choice["label"]: choice["hash"] for choice in P["choices"]}
        assert after[1].outstanding("german") == {"posture/turn-1": hashes["posture/turn-1"]}
        assert after[1].seals["german"].seq == 1
        assert after[2].outstanding("german") == after[1].outstanding("german")
        assert after[3].outstanding("german") == {"plans/3": hashes["plans/3"]}
        assert after[3].reveals == {"posture/turn-1": {"posture": "engage", "reaction": "no"}}
        assert after[4].reveals == {}
        assert after[7].outstanding("german") == after[7].outstanding("russian") == {}

    def test_the_head_says_what_was_agreed(self):
        head = sample_chain(1).head
        assert head["options"] == {"uncovered": "ask"}
        assert set(sample_chain(1).keys) == {"german", "russian", "referee"}

    def test_a_chain_is_a_value(self):
        before = sample_chain(3)
        copy = sample_chain(3)
        one = before.extend(sample(3))
        assert before == copy
        assert one == sample_chain(4)


class TestStart:
    def test_an_ordinary_proposal(self):
        found = chains.start(signed(propose()))
        assert (found.next_seq, found.writers, found.nonce) == (1, SIDES, NONCE)

    def test_the_other_side_may_propose_as_well(self):
        assert chains.start(signed(propose(from_="german"))).writers == ("german", "russian")

    @pytest.mark.parametrize(
        ("changes", "by", "fault", "word"),
        [
            ({"seq": "1"}, "", "chain", "message 0"),
            ({"from_": "referee"}, "", "sender", "no side"),
            ({"from_": "italian"}, "stranger", "sender", "no side"),
            ({}, "german", "signature", "accuses nobody"),
            ({"orders": {}}, "", "order", "cannot hold orders"),
            ({"game": "ab" * 32}, "", "order", "cannot hold game"),
            ({"dice": {"a": "1"}}, "", "order", "cannot hold dice"),
            ({"state_in": STATE}, "", "order", "cannot hold state-in"),
            ({"open": STATE}, "", "order", "cannot hold open"),
            ({"nonce": None}, "", "order", "must hold nonce"),
            ({"keys": None}, "", "order", "must hold keys"),
            ({"commit": None}, "", "order", "must hold commit"),
            ({"options": None}, "", "order", "must hold options"),
            ({"state_out": None}, "", "order", "must hold state-out"),
            ({"keys": {s: SIGNERS[s].public for s in ("russian", "referee")}}, "", "head", "two sides"),
            ({"keys": {s: SIGNERS[s].public for s in ("russian", "german", "stranger")}}, "", "head", "two sides"),
            ({"keys": dict.fromkeys(SIDES, SIGNERS["russian"].public)}, "", "head", "twice"),
            (
                {"keys": {"russian": SIGNERS["russian"].public, "german": sshsig.public_text(bytes(32))}},
                "",
                "head",
                "small order",
            ),
            (
                {"keys": {"russian": SIGNERS["russian"].public, "german": "ssh-ed25519 " + "A" * 68}},
                "",
                "head",
                "not written as",
            ),
        ],
    )
    def test_other_proposals_are_refused(self, changes, by, fault, word):
        found = signed(propose(**changes), by)
        assert refused(lambda: chains.start(found), fault, word).where is not None

    def test_a_game_begins_with_its_proposal(self):
        refused(lambda: chains.start(sample(1)), "chain", "message 0")

    def test_the_signature_of_the_proposal_is_checked(self):
        found = signed(propose(), armour=sample(0).armour)
        refused(lambda: chains.start(found), "signature", "test.yaml:")


class TestSlots:
    def test_T12_a_message_of_another_game(self):
        refused_next(game(3), "chain", "another game", game="ab" * 32)

    def test_T12_another_game_counts_before_the_signature(self):
        refused_next(game(3), "chain", "another game", game="ab" * 32, by="stranger")

    def test_the_signature_counts_before_the_slot(self):
        refused_next(game(3), "signature", "this copy is not what was signed", seq="7", by="stranger")

    def test_another_sides_key_does_not_do(self):
        refused_next(game(3), "signature", "accuses nobody", by="russian")

    def test_T10_a_replayed_message(self):
        before = game(4)
        old = signed(following(game(2)))
        assert old.id == before.ids[2]
        refused(lambda: before.extend(old), "chain", "message 2 is a copy", "the next is 4")

    def test_the_proposal_once_more(self):
        before = game(2)
        refused(lambda: before.extend(signed(propose())), "chain", "message 0 is a copy")

    def test_T9_another_message_for_a_slot_that_is_taken(self):
        twin = signed(following(game(2), note="another one"))
        refused(lambda: game(4).extend(twin), "chain", "another message 2", "evidence")

    def test_T9_a_value_lets_both_branches_be_looked_at(self):
        before = game(3)
        one, other = (before.extend(signed(following(before, note=note))) for note in ("one", "other"))
        assert one.ids[:3] == other.ids[:3]
        assert one.head_id != other.head_id
        refused(lambda: one.extend(signed(following(other))), "chain", "follows another message 3")

    @pytest.mark.parametrize(("seq", "words"), [("4", "message 3 is missing"), ("6", "messages 3 to 5 are missing")])
    def test_a_gap_names_what_is_missing(self, seq, words):
        refused_next(game(3), "chain", words, seq=seq, from_=SIDES[int(seq) % 2])

    def test_another_predecessor(self):
        refused_next(game(3), "chain", "compare both copies", prev="ab" * 32)

    def test_a_side_writes_only_in_its_own_slots(self):
        refused_next(game(3), "sender", "german's to write", from_="russian")

    def test_a_stranger_writes_nothing(self):
        refused_next(game(3), "sender", "no key in this game", from_="italian", by="stranger")

    @pytest.mark.parametrize(
        ("length", "kind"), [(1, "turn"), (1, "resign"), (2, "accept"), (2, "resign"), (3, "accept")]
    )
    def test_types_have_their_slots(self, length, kind):
        refused_next(game(length), "order", f"of type {kind}", type=kind)

    def test_a_proposal_in_the_middle_has_no_slot(self):
        before = game(2)
        later = signed(propose(seq="2", game=before.game, prev=before.head_id))
        refused(lambda: before.extend(later), "order", "of type propose")

    def test_after_a_resignation_nothing_is_valid(self):
        before = game(3)
        over = before.extend(signed(following(before, type="resign")))
        assert over.ended
        refused_next(over, "order", "ended with message 3")
        refused_next(over, "order", "ended with message 3", type="resign")

    @pytest.mark.parametrize(
        ("changes", "words"),
        [
            ({"nonce": STATE}, "cannot hold nonce"),
            ({"seal": {}}, "cannot hold seal"),
            ({"options": {}}, "cannot hold options"),
            ({"open": None}, "must hold open"),
            ({"commit": None}, "must hold commit"),
            ({"state_in": None}, "must hold state-in"),
            ({"state_out": None}, "must hold state-out"),
            ({"type": "resign", "orders": {}}, "cannot hold orders"),
            ({"type": "resign", "secret": {"a": STATE}}, "cannot hold secret"),
        ],
    )
    def test_fields_that_the_type_does_not_hold_or_lacks(self, changes, words):
        refused_next(game(3), "order", words, **changes)

    def test_an_acceptance_rolls_nothing(self):
        refused_next(game(1), "order", "cannot hold dice", dice={"weather/turn-1": "1"})

    @pytest.mark.parametrize("change", [{"type": "receipt"}, {"type": "forfeit"}])
    def test_messages_made_elsewhere_for_a_later_version_are_refused(self, change):
        before = game(3)
        content = following(before) | change
        odd = messages.Message(content, sample(3).armour, None, "ab" * 32, b"", sample(3).document)
        with pytest.raises(FileError, match="not in this version"):
            before.extend(odd)


class TestOpenings:
    @pytest.mark.parametrize("length", [2, 3, 4, 5])
    def test_T2_another_opening_than_committed(self, length):
        refused_next(game(length), "opening", f"in message {length - 2}", open=opening(99).hex())

    def test_r_1_is_free(self):
        before = game(1)
        assert before.extend(signed(following(before, open=opening(99).hex()))).openings[1] == opening(99)

    def test_T14_the_other_sides_commitment_copied(self):
        """Whoever copies a commitment cannot open it: it names the message, hence the sender."""
        before = game(3)
        theirs = commit.commitment(before.nonce, 4, opening(4)).hex()
        copied = before.extend(signed(following(before, commit=theirs)))
        after = copied.extend(signed(following(copied)))
        refused_next(after, "opening", open=opening(4).hex())

    def test_T35_dice_before_the_game_is_bound(self):
        before = game(2)
        early = commit.dice(commit.seed(opening(2), bytes.fromhex(before.head_id)), "weather/turn-1", 1)
        refused_next(before, "dice", "the first that may is message 3", dice={"weather/turn-1": early})
        with pytest.raises(ValueError, match="no seed 2"):
            game(3).seed(2)
        with pytest.raises(ValueError, match="rolls nothing"):
            before.seed_with(opening(2))

    def test_the_third_message_may_roll(self):
        before = game(3)
        die = commit.dice(before.seed_with(opening(3)), "weather/turn-1", 1)
        after = before.extend(signed(following(before, dice={"weather/turn-1": die})))
        assert after.dice(3, "weather/turn-1", 1) == die

    def test_no_seed_of_a_message_that_is_not_there(self):
        with pytest.raises(ValueError, match="no seed 5"):
            game(5).seed(5)


SEALED = {"posture": "pause", "losses": ["g-1", []], "x": ""}


class TestReveals:
    def sealed(self, length: int = 3) -> chains.Chain:
        """M3 seals a and b, M4 answers; M5 must open both."""
        before = game(length)
        secret = seal(before, "plans/a", SEALED) | seal(before, "plans/b", "x", b"b" * 16)
        before = before.extend(signed(following(before, secret=secret)))
        return before.extend(signed(following(before)))

    def opened(self, **changes):
        good = {"plans/a": {"salt": bytes(16).hex(), "value": SEALED}, "plans/b": {"salt": "62" * 16, "value": "x"}}
        return {label: entry for label, entry in (good | changes).items() if entry}

    def test_all_seals_opened(self):
        before = self.sealed()
        after = before.extend(signed(following(before, reveal=self.opened())))
        assert after.reveals == {"plans/a": SEALED, "plans/b": "x"}
        assert after.outstanding("german") == {}

    def test_T24_one_seal_not_opened(self):
        refused_next(self.sealed(), "reveal", "does not open plans/b", reveal=self.opened(**{"plans/b": None}))
        refused_next(self.sealed(), "reveal", "does not open plans/a, plans/b")

    def test_one_too_many(self):
        extra = {"plans/c": {"salt": "00" * 16, "value": "x"}}
        refused_next(self.sealed(), "reveal", "opens plans/c", reveal=self.opened(**extra))
        refused_next(game(4), "reveal", "did not seal", reveal=extra)
        refused_next(game(1), "reveal", "did not seal", reveal=extra)

    @pytest.mark.parametrize(
        "entry",
        [
            {"salt": bytes(16).hex(), "value": SEALED | {"posture": "deploy"}},
            {"salt": bytes(16).hex(), "value": SEALED | {"losses": [[], "g-1"]}},
            {"salt": bytes(15).hex() + "01", "value": SEALED},
            {"salt": bytes(16).hex(), "value": "pause"},
        ],
    )
    def test_T22_another_value_or_salt(self, entry):
        refused_next(
            self.sealed(),
            "reveal",
            "plans/a is not what was sealed in message 3",
            reveal=self.opened(**{"plans/a": entry}),
        )

    def test_the_order_of_keys_in_a_value_is_free(self):
        before = self.sealed()
        turned = {"salt": bytes(16).hex(), "value": dict(reversed(SEALED.items()))}
        assert before.extend(signed(following(before, reveal=self.opened(**{"plans/a": turned})))).next_seq == 6

    def test_the_two_seals_cannot_be_exchanged(self):
        good = self.opened()
        refused_next(self.sealed(), "reveal", reveal={"plans/a": good["plans/b"], "plans/b": good["plans/a"]})

    def test_the_other_side_owes_nothing(self):
        before = game(3)
        before = before.extend(signed(following(before, secret=seal(before, "plans/a", "x"))))
        assert before.extend(signed(following(before))).next_seq == 5

    def test_a_resignation_owes_its_reveals_too(self):
        refused_next(self.sealed(), "reveal", type="resign")
        before = self.sealed()
        assert before.extend(signed(following(before, type="resign", reveal=self.opened()))).ended

    def test_seals_made_while_opening_are_due_next(self):
        before = self.sealed()
        secret = seal(before, "plans/a", "again", b"c" * 16)
        after = before.extend(signed(following(before, reveal=self.opened(), secret=secret)))
        assert after.outstanding("german") == secret
        assert after.seals["german"].seq == 5

    def test_the_opening_counts_before_the_reveal(self):
        refused_next(self.sealed(), "opening", open=opening(99).hex())
