"""The chain: the sample game passes, and every fault is refused by name; see also test_lies.py."""

from __future__ import annotations

import pytest
from helpers.signing_desk import (
    NONCE,
    SIDES,
    STATE,
    after,
    following,
    game,
    load_vectors,
    opening,
    propose,
    refused,
    refused_next,
    sample,
    sample_chain,
    seal,
    signed,
)

from kursk_pbem.trust import chains, commit

P = load_vectors()["sample-players"]


def test_T20_3_2_sample_has_its_ids_openings_commitments_seeds_and_dice():
    found = sample_chain(12)
    assert list(found.ids) == [P["id"][str(k)] for k in range(12)]
    assert (found.ended, found.agreed, found.next_seq, found.nonce.hex()) == (True, {}, 12, P["nonce"])
    assert [o.hex() for o in found.openings[1:]] == [P["r"][str(k)] for k in range(1, 12)]
    assert [c.hex() for c in found.commitments[2:]] == [P["commitment"][str(k)] for k in range(2, 14)]
    assert [found.seed(k).hex() for k in range(3, 8)] == [P["seed"][str(k)] for k in range(3, 8)]
    for die in P["dice"]:
        assert commit.roll_dice(found.seed(int(die["seq"])), die["label"], 20) == die["first-20"]
        claimed = sample(int(die["seq"])).mapping("dice")[die["label"]]
        assert die["first-20"].startswith(claimed)
    assert sample_chain(5).seed_with(bytes.fromhex(P["r"]["5"])).hex() == P["seed"]["5"]
    assert sample_chain(1).head["options"] == {"uncovered": "ask"}


def test_2_5_sample_seals_and_reveals():
    chain = [sample_chain(k + 1) for k in range(8)]
    hashes = {choice["label"]: choice["hash"] for choice in P["choices"]}
    assert chain[1].outstanding_seals("german") == chain[2].outstanding_seals("german")
    assert chain[2].outstanding_seals("german") == {"posture/turn-1": hashes["posture/turn-1"]}
    assert chain[3].outstanding_seals("german") == {"plans/3": hashes["plans/3"]}
    assert chain[3].reveals == {"posture/turn-1": {"posture": "engage", "reaction": "no"}}
    assert chain[7].outstanding_seals("german") == chain[7].outstanding_seals("russian") == chain[4].reveals == {}


def test_2_2_game_begins_with_a_proposal_of_either_side():
    found = chains.start_chain(signed(propose()))
    assert (found.next_seq, found.writers, found.nonce) == (1, SIDES, NONCE)
    assert chains.start_chain(signed(propose(from_="german"))).writers == ("german", "russian")
    refused(lambda: chains.start_chain(sample(1)), "chain", "message 0")
    refused(lambda: chains.start_chain(signed(propose(), armour=sample(0).armour)), "signature", "test.yaml:")


@pytest.mark.parametrize(
    ("length", "fault", "words", "changes"),
    [
        (3, "chain", "another game", {"game": STATE, "by": "stranger"}),
        (3, "signature", "this copy differs from the signed message", {"seq": "7", "by": "stranger"}),
        (3, "signature", "proves nothing", {"by": "russian"}),
        (3, "chain", "message 3 is missing", {"seq": "4", "from_": "russian"}),
        (3, "chain", "messages 3 to 5 are missing", {"seq": "6", "from_": "russian"}),
        (3, "chain", "compare both", {"prev": STATE}),
        (3, "sender", "german's to write", {"from_": "russian"}),
        (3, "sender", "this game has keys of", {"from_": "italian", "by": "stranger"}),
        (1, "order", "of type turn", {"type": "turn"}),
        (1, "order", "of type resign", {"type": "resign"}),
        (2, "order", "of type accept", {"type": "accept"}),
        (2, "order", "of type resign", {"type": "resign"}),
        (3, "order", "of type accept", {"type": "accept"}),
        (1, "order", "cannot hold dice", {"dice": {"weather/turn-1": "1"}}),
        *((3, "order", f"cannot hold {name}", {name: {}}) for name in ("seal", "options")),
        *(
            (3, "order", f"must hold {name.replace('_', '-')}", {name: None})
            for name in ("open", "commit", "state_in", "state_out")
        ),
        (3, "order", "cannot hold orders", {"type": "resign", "orders": {}}),
    ],
)
def test_T12_2_6_message_of_another_game_place_writer_or_form_is_refused(length, fault, words, changes):
    refused_next(game(length), fault, words, **changes)


def test_2_6_proposal_in_the_middle_has_no_slot():
    before = game(2)
    later = signed(propose(seq="2", game=before.game, prev=before.head_id))
    refused(lambda: before.extend(later), "order", "of type propose")


def test_T10_2_6_replayed_message_is_a_copy():
    before, old = game(4), signed(following(game(2)))
    refused(lambda: before.extend(old), "chain", "message 2 is here already", "the next message is 4")
    refused(lambda: before.extend(signed(propose())), "chain", "message 0 is here already")


def test_T9_2_6_second_message_of_one_number_is_refused():
    twin = signed(following(game(2), note="another one"))
    refused(lambda: game(4).extend(twin), "chain", "another message 2", "and counts")
    one, other = (after(game(3), note=note) for note in ("one", "other"))
    assert one.ids[:3] == other.ids[:3]
    refused(lambda: one.extend(signed(following(other))), "chain", "follows another message 3")


def test_2_6_nothing_follows_a_resignation():
    over = after(game(3), type="resign")
    assert over.ended
    for kind in ("turn", "resign"):
        refused_next(over, "order", "ended with message 3", type=kind)


@pytest.mark.parametrize("length", [2, 3, 4])
def test_T2_2_4_another_opening_than_committed_is_refused(length):
    refused_next(game(length), "opening", f"in message {length - 2}", open=opening(99).hex())


def test_2_3_opening_of_message_1_is_free():
    assert after(game(1), open=opening(99).hex()).openings[1] == opening(99)


def test_T14_3_2_copied_commitment_cannot_be_opened():
    """It names the message, hence the sender."""
    before = game(3)
    copied = after(before, commit=commit.commit_to_opening(before.nonce, 4, opening(4)).hex())
    refused_next(after(copied), "opening", open=opening(4).hex())


def test_T35_2_3_no_dice_before_message_3():
    before = game(2)
    early = commit.roll_dice(commit.derive_seed(opening(2), bytes.fromhex(before.head_id)), "weather/turn-1", 1)
    refused_next(before, "dice", "the first dice can fall in message 3", dice={"weather/turn-1": early})
    for work in (lambda: game(3).seed(2), lambda: game(5).seed(5), lambda: before.seed_with(opening(2))):
        with pytest.raises(ValueError, match=r"seed .* is missing|rolls no dice"):
            work()
    die = commit.roll_dice(game(3).seed_with(opening(3)), "weather/turn-1", 1)
    assert commit.roll_dice(after(game(3), dice={"weather/turn-1": die}).seed(3), "weather/turn-1", 1) == die


SEALED = {"posture": "pause", "losses": ["g-1", []], "x": ""}
A, B = {"salt": bytes(16).hex(), "value": SEALED}, {"salt": "62" * 16, "value": "x"}
EXTRA = {"plans/c": {"salt": "00" * 16, "value": "x"}}


def sealed() -> chains.Chain:
    """M3 seals a and b, M4 answers; M5 must open both."""
    before = game(3)
    secret = seal(before, "plans/a", SEALED) | seal(before, "plans/b", "x", b"b" * 16)
    return after(after(before, secret=secret))


def test_2_5_all_seals_are_opened_in_the_next_own_message():
    before = sealed()
    again = seal(before, "plans/a", "again", b"c" * 16)
    turned = {"salt": bytes(16).hex(), "value": dict(reversed(SEALED.items()))}
    found = after(before, reveal={"plans/a": turned, "plans/b": B}, secret=again)
    assert found.reveals == {"plans/a": SEALED, "plans/b": "x"}
    assert (found.outstanding_seals("german"), found.seals["german"].seq) == (again, 5)
    assert after(before, type="resign", reveal={"plans/a": A, "plans/b": B}).ended


@pytest.mark.parametrize(
    ("reveal", "words"),
    [
        ({"plans/a": A}, "reveals no plans/b"),
        (None, "reveals no plans/a, plans/b"),
        ({"plans/a": A, "plans/b": B, **EXTRA}, "reveals plans/c"),
        ({"plans/a": B, "plans/b": A}, "sealed in message 3"),
        *(
            ({"plans/a": {**A, **entry}, "plans/b": B}, "plans/a sealed in message 3")
            for entry in (
                {"value": SEALED | {"posture": "deploy"}},
                {"value": SEALED | {"losses": [[], "g-1"]}},
                {"value": "pause"},
                {"salt": bytes(15).hex() + "01"},
            )
        ),
    ],
)
def test_T22_T24_2_5_other_reveals_are_refused(reveal, words):
    refused_next(sealed(), "reveal", words, reveal=reveal)
    refused_next(sealed(), "reveal", words, reveal=reveal, type="resign")


def test_T24_2_5_nobody_reveals_what_he_did_not_seal():
    for length in (1, 4):
        refused_next(game(length), "reveal", "sealed no such choice", reveal=EXTRA)
    refused_next(sealed(), "opening", open=opening(99).hex())  # the opening counts before the reveal
