"""The chain where a referee rolls the dice: who writes what, whom he names next, what only he may (protocol 2.11)."""

from __future__ import annotations

import pytest
from helpers import signing_desk as desk
from helpers.referee_desk import (
    FOLDER,
    KEYS,
    LENGTH,
    OTHER_STATE,
    P,
    after,
    following,
    game,
    mix,
    opened,
    proposed,
    refused_next,
)
from helpers.signing_desk import NONCE, STATE, opening, refused, sample, signed

from kursk_pbem.trust import chains, commit, sshsig


class TestSample:
    def sample(self, length: int = LENGTH) -> chains.Chain:
        found = chains.start(sample(0, FOLDER))
        for k in range(1, length):
            found = found.extend(sample(k, FOLDER))
        return found

    def test_ids_openings_commitments_seeds_and_dice(self):
        found = self.sample()
        assert list(found.ids) == [P["id"][str(k)] for k in range(LENGTH)]
        for k in range(LENGTH):
            opened_ = found.openings[k]
            assert (opened_.hex() if opened_ else None) == (P["r"][str(k)] if k in (2, 4, 6, 8) else None)
            committed = found.commitments[k]
            assert (committed.hex() if committed else None) == (P["commitment"].get(str(k)) if k % 2 == 0 else None)
        assert found.commitments[10].hex() == P["commitment"]["10"]
        assert [found.seed(k).hex() for k in (4, 6, 8)] == [P["seed"][k] for k in ("4", "6", "8")]
        for die in P["dice"]:
            assert found.dice(int(die["seq"]), die["label"], 20) == die["first-20"]

    def test_T20_the_dice_that_the_sample_claims(self):
        found, checked = self.sample(), 0
        for k in range(LENGTH):
            for label, claimed in sample(k, FOLDER).mapping("dice").items():
                assert found.dice(k, label, len(claimed)) == claimed
                checked += 1
        assert checked == 2

    def test_the_referee_knows_a_seed_first(self):
        assert self.sample(6).seed_with(bytes.fromhex(P["r"]["6"])).hex() == P["seed"]["6"]

    def test_who_writes_and_how_it_ends(self):
        found = self.sample()
        assert found.writers[:4] == ("referee", "german", "referee", "russian")
        assert all(found.writers[k] == sample(k, FOLDER).sender for k in range(LENGTH))
        assert (found.refereed, found.bound, found.first_dice, found.first_offer) == (True, 4, 4, 5)
        assert [found.may_write(k, "referee") for k in range(3)] == [True, False, True]
        assert not found.may_write(4, "german")
        assert found.may_write(5, "german") is found.may_write(5, "russian") is True
        assert not found.may_write(5, "italian")


class TestStart:
    def test_an_ordinary_proposal(self):
        found = chains.start(signed(proposed()))
        assert (found.refereed, found.writers, found.next_seq) == (True, ("referee", "german"), 1)
        assert found.nonce == NONCE

    def test_either_side_may_accept_first(self):
        assert chains.start(signed(proposed(next_="russian"))).writers == ("referee", "russian")

    @pytest.mark.parametrize(
        ("changes", "by", "fault", "word"),
        [
            ({"keys": {s: KEYS[s] for s in ("german", "russian")}}, "referee", "head", "key stands among the keys"),
            ({"from_": "german"}, "", "head", "the referee proposes"),
            ({"from_": "russian", "next_": "russian"}, "", "head", "the referee proposes"),
            ({"next_": None}, "", "order", "must hold next"),
            ({"next_": "referee"}, "", "head", "it names referee to accept first"),
            ({"next_": "italian"}, "", "head", "it names italian to accept first"),
            ({"dice_from": "players"}, "", "sender", "no side"),
            ({"dice_from": "players", "from_": "russian"}, "", "order", "cannot hold next"),
            ({"mix": STATE}, "", "order", "cannot hold mix"),
            ({"open": STATE}, "", "order", "cannot hold open"),
            ({"dice": {"weather/turn-1": "1"}}, "", "order", "cannot hold dice"),
            ({"policy": {"stand-fast": "always"}}, "", "order", "cannot hold policy"),
            ({"commit": None}, "", "order", "must hold commit"),
            ({"nonce": None}, "", "order", "must hold nonce"),
            ({"keys": {**KEYS, "german": KEYS["referee"]}}, "", "head", "twice"),
            ({"keys": {**KEYS, "referee": KEYS["german"]}}, "german", "head", "twice"),
            ({"keys": {**KEYS, "referee": sshsig.public_text(bytes(32))}}, "", "head", "small order"),
            ({"keys": {s: KEYS[s] for s in ("german", "referee")}}, "", "head", "two sides"),
            ({}, "russian", "signature", "accuses nobody"),
        ],
    )
    def test_other_proposals_are_refused(self, changes, by, fault, word):
        found = signed(proposed(**changes), by)
        assert refused(lambda: chains.start(found), fault, word).where is not None


class TestWriters:
    def test_after_each_message_of_a_player_comes_one_of_the_referee(self):
        found = game(9)
        assert found.writers == (*("referee", "german", "referee", "russian") * 2, "referee", "german")
        assert [found.writer(k) for k in (8, 9, 10)] == ["referee", "german", ""]

    def test_the_same_side_may_be_named_several_times_running(self):
        before = game(4)  # the Russian has accepted
        for k in (4, 6, 8):
            before = after(before, next_="german")
            before = after(before, note=f"once more, {k}")
        assert before.writers[3:] == ("russian", *("referee", "german") * 3, "referee")
        before = after(before, next_="russian")
        assert before.writer(11) == "russian"

    @pytest.mark.parametrize(
        ("length", "writer"),
        [
            (1, "russian"),
            (1, "referee"),
            (2, "german"),
            (2, "russian"),
            (3, "german"),
            (3, "referee"),
            (4, "german"),
            (4, "russian"),
            (5, "russian"),
            (5, "referee"),
        ],
    )
    def test_nobody_else_writes(self, length, writer):
        refused_next(game(length), "sender", "to write", from_=writer)

    def test_a_stranger_writes_nothing(self):
        refused_next(game(5), "sender", "no key in this game", from_="italian", by="stranger")

    @pytest.mark.parametrize(
        ("length", "kinds"),
        [
            (1, ("turn", "resign", "offer", "reply")),
            (2, ("accept", "resign", "offer", "reply")),
            (3, ("turn", "resign", "offer", "reply")),
            (4, ("accept", "resign", "offer", "reply")),
            (5, ("accept", "reply")),
            (6, ("accept", "resign", "offer", "reply")),
        ],
    )
    def test_types_have_their_slots(self, length, kinds):
        """Both sides accept (2.3); offers and resignations come from message 5 on; a referee's are turns."""
        for kind in kinds:
            refused_next(game(length), "order", f"of type {kind}", type=kind)
        for kind in {5: ("turn", "offer", "resign")}.get(length, ()):
            assert after(game(length), type=kind, offer={"kind": "draw"} if kind == "offer" else None).next_seq == 6

    @pytest.mark.parametrize(
        ("named", "words"), [("referee", "names referee to write next"), ("italian", "names italian to write next")]
    )
    @pytest.mark.parametrize("length", [2, 4, 6])
    def test_next_is_a_side(self, length, named, words):
        refused_next(game(length), "order", words, next_=named)

    def test_message_2_names_the_side_that_has_not_accepted(self):
        refused_next(game(2), "order", "has accepted already", next_="german")
        refused_next(game(2), "order", "must name the side that writes next", next_=None)
        assert after(game(2)).writer(3) == "russian"

    @pytest.mark.parametrize("length", [4, 6])
    def test_who_names_nobody_ends_the_game(self, length):
        over = after(game(length), next_=None)
        assert (over.ended, over.agreed, over.writer(length + 1)) == (True, {}, "")
        for side in ("german", "russian", "referee"):
            late = following(over, from_=side, type="turn", mix=mix(9), open=None, commit=None, next_=None)
            odd = signed(late, side)
            refused(lambda odd=odd: over.extend(odd), "order", f"ended with message {length}")


class TestFields:
    @pytest.mark.parametrize("length", [1, 3, 5])
    @pytest.mark.parametrize(
        ("changes", "words"),
        [
            ({"open": STATE}, "cannot hold open"),
            ({"commit": STATE}, "cannot hold commit"),
            ({"dice": {"weather/turn-1": "1"}}, "cannot hold dice"),
            (
                {"pending": {"owner": "german", "battle": "b", "kind": "conversion", "options": ["accept"]}},
                "cannot hold pending",
            ),
            ({"next_": "russian"}, "cannot hold next"),
            ({"mix": None}, "must hold mix"),
            ({"state_in": None}, "must hold state-in"),
        ],
    )
    def test_T41_a_player_has_mix_and_nothing_that_rolls(self, length, changes, words):
        refused_next(game(length), "order", words, **changes)

    @pytest.mark.parametrize("length", [2, 4, 6])
    @pytest.mark.parametrize(
        "changes",
        [
            {"mix": STATE},
            {"orders": {"movement": []}},
            {"reveal": opened("x")},
            {"secret": {"posture/turn-1": STATE}},
            {"policy": {"stand-fast": "always"}},
            {"choice": {"posture/turn-1": "x"}},
            {"waive": "posture"},
            {"decisions": {"b": "accept"}},
            {"offer": {"kind": "draw"}},
            {"reply": "accept"},
        ],
    )
    def test_a_referee_chooses_nothing(self, length, changes):
        (name,) = changes
        refused_next(game(length), "order", f"cannot hold {name}", **changes)

    @pytest.mark.parametrize("length", [2, 4])
    @pytest.mark.parametrize("missing", ["open", "commit", "state_in", "state_out"])
    def test_a_referee_opens_and_commits(self, length, missing):
        refused_next(game(length), "order", f"must hold {missing.replace('_', '-')}", **{missing: None})

    @pytest.mark.parametrize("length", [2, 4, 6])
    def test_a_referees_message_leaves_the_position_as_it_is(self, length):
        refused_next(game(length), "state", "the referee chooses nothing", state_out=OTHER_STATE)
        assert after(game(length), state_in=OTHER_STATE, state_out=OTHER_STATE).next_seq == length + 1

    def test_a_player_changes_it(self):
        assert after(game(5), state_out=OTHER_STATE).next_seq == 6

    def test_players_games_know_neither_mix_nor_next(self):
        before = desk.game(3)
        for name in ("mix", "next_"):
            odd = signed(desk.following(before, **{name: STATE if name == "mix" else "german"}))
            refused(lambda odd=odd: before.extend(odd), "order", f"cannot hold {name.rstrip('_')}")


class TestDice:
    @pytest.mark.parametrize("length", [2, 4, 6, 8])
    def test_T32_the_referee_opens_what_he_committed_to_in_his_last_message(self, length):
        refused_next(game(length), "opening", f"in message {length - 2}", open=opening(99).hex())

    def test_T35_no_dice_before_message_4(self):
        before = game(2)
        early = commit.dice(commit.seed(opening(2), bytes.fromhex(before.head_id)), "weather/turn-1", 1)
        refused_next(before, "dice", "the first that may is message 4", dice={"weather/turn-1": early})
        with pytest.raises(ValueError, match="rolls nothing"):
            before.seed_with(opening(2))
        with pytest.raises(ValueError, match="no seed 2"):
            game(6).seed(2)

    def test_message_4_may_roll(self):
        before = game(4)
        die = commit.dice(before.seed_with(opening(4)), "weather/turn-1", 1)
        assert after(before, dice={"weather/turn-1": die}).dice(4, "weather/turn-1", 1) == die

    def test_messages_of_players_have_no_seed(self):
        found = game(8)
        for k in (3, 5, 7, 9):
            assert not found.rolls(k)
            with pytest.raises(ValueError, match=f"no seed {k}"):
                found.seed(k)
        with pytest.raises(ValueError, match="rolls nothing"):
            game(5).seed_with(opening(5))

    def test_T41_the_seed_hangs_on_the_mix_of_the_message_before(self):
        before = game(5)
        one, other = (after(before, mix=value) for value in (STATE, OTHER_STATE))
        assert one.seed_with(opening(6)) != other.seed_with(opening(6))

    def test_commitments_stand_in_every_second_message(self):
        found = game(7)
        assert [k for k, opening_ in enumerate(found.openings) if opening_] == [2, 4, 6]
        assert [k for k, committed in enumerate(found.commitments) if committed] == [2, 4, 6, 8]
        assert found.openings[4] == opening(4)
