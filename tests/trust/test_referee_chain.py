"""The chain with a referee's dice: writers, the next side, rights of the referee (protocol 2.11)."""

from __future__ import annotations

import pytest
from helpers.signing_desk import STATE, after, following, make_mix, opening, refused, refused_next, sample, signed

from kursk_pbem.trust import chains, commit, sshsig
from trust.referee_desk import FOLDER, KEYS, LENGTH, OTHER_STATE, P, game, make_proposal, opened


def test_T20_2_11_sample_has_its_ids_openings_commitments_seeds_and_dice():
    found = chains.start_chain(sample(0, FOLDER))
    for k in range(1, LENGTH):
        if k == 6:
            assert found.seed_with(bytes.fromhex(P["r"]["6"])).hex() == P["seed"]["6"]
        found = found.extend(sample(k, FOLDER))
    assert list(found.ids) == [P["id"][str(k)] for k in range(LENGTH)]
    for k in range(LENGTH):
        opened_, committed = found.openings[k], found.commitments[k]
        assert (opened_.hex() if opened_ else None) == (P["r"][str(k)] if k in (2, 4, 6, 8) else None)
        assert (committed.hex() if committed else None) == (P["commitment"].get(str(k)) if k % 2 == 0 else None)
    assert [found.seed(k).hex() for k in (4, 6, 8)] == [P["seed"][k] for k in ("4", "6", "8")]
    for die in P["dice"]:
        assert commit.roll_dice(found.seed(int(die["seq"])), die["label"], 20) == die["first-20"]
        assert die["first-20"].startswith(sample(int(die["seq"]), FOLDER).mapping("dice")[die["label"]])
    assert all(found.writers[k] == sample(k, FOLDER).sender for k in range(LENGTH))
    assert (found.refereed, found.bound, found.first_dice, found.first_offer) == (True, 4, 4, 5)
    assert [found.may_write(k, "referee") for k in range(3)] == [True, False, True]
    assert [found.may_write(5, side) for side in ("german", "russian", "italian")] == [True, True, False]


@pytest.mark.parametrize(
    ("changes", "by", "fault", "word"),
    [
        ({"keys": {s: KEYS[s] for s in ("german", "russian")}}, "referee", "head", "key stands among the keys"),
        ({"from_": "german"}, "", "head", "the referee proposes"),
        ({"next_": None}, "", "order", "must hold next"),
        ({"next_": "referee"}, "", "head", "next writer is referee"),
        ({"next_": "italian"}, "", "head", "next writer is italian"),
        ({"dice_from": "players"}, "", "sender", "no side"),
        ({"dice_from": "players", "from_": "russian"}, "", "order", "cannot hold next"),
        *(({name: STATE}, "", "order", f"cannot hold {name}") for name in ("mix", "open")),
        *(({name: {}}, "", "order", f"cannot hold {name}") for name in ("dice", "policy")),
        *(({name: None}, "", "order", f"must hold {name}") for name in ("commit", "nonce")),
        ({"keys": {**KEYS, "german": KEYS["referee"]}}, "", "head", "the same key"),
        ({"keys": {**KEYS, "referee": sshsig.public_text(bytes(32))}}, "", "head", "small order"),
        ({"keys": {s: KEYS[s] for s in ("german", "referee")}}, "", "head", "two sides"),
        ({}, "russian", "signature", "proves nothing"),
    ],
)
def test_2_11_other_proposals_are_refused(changes, by, fault, word):
    found = signed(make_proposal(**changes), by)
    assert refused(lambda: chains.start_chain(found), fault, word).where is not None


def test_2_11_either_side_is_named_however_often():
    assert chains.start_chain(signed(make_proposal(next_="russian"))).writers == ("referee", "russian")
    assert game(9).writers == (*("referee", "german", "referee", "russian") * 2, "referee", "german")
    before = game(4)  # the Russian has accepted
    for k in (4, 6, 8):
        before = after(after(before, next_="german"), note=f"once more, {k}")
    assert before.writers[3:] == ("russian", *("referee", "german") * 3, "referee")
    assert after(before, next_="russian").writer(11) == "russian"


@pytest.mark.parametrize(
    ("length", "writers", "kinds"),
    [
        (1, ("russian", "referee"), ("turn", "resign", "offer", "reply")),
        (2, ("german", "russian"), ("accept", "resign", "offer", "reply")),
        (3, ("german", "referee"), ("turn", "resign", "offer", "reply")),
        (4, ("german", "russian"), ("accept", "resign", "offer", "reply")),
        (5, ("russian", "referee"), ("accept", "reply")),
    ],
)
def test_2_11_other_writers_and_types_are_refused(length, writers, kinds):
    """Both sides accept (2.3); offers and resignations come from message 5 on; a referee's are turns."""
    for writer in writers:
        refused_next(game(length), "sender", "to write", from_=writer)
    refused_next(game(length), "sender", "this game has keys of", from_="italian", by="stranger")
    for kind in kinds:
        refused_next(game(length), "order", f"of type {kind}", type=kind)


@pytest.mark.parametrize("length", [2, 4, 6])
def test_2_11_next_is_a_side(length):
    for named in ("referee", "italian"):
        refused_next(game(length), "order", f"next writer is {named}", next_=named)


def test_2_11_message_2_names_the_side_that_has_not_accepted():
    refused_next(game(2), "order", "has accepted already", next_="german")
    refused_next(game(2), "order", "must name the side of the next message", next_=None)
    assert after(game(2)).writer(3) == "russian"


@pytest.mark.parametrize("length", [4, 6])
def test_2_11_referee_who_names_nobody_ends_the_game(length):
    over = after(game(length), next_=None)
    assert (over.ended, over.agreed, over.writer(length + 1)) == (True, {}, "")
    for side in ("german", "russian", "referee"):
        late = following(over, from_=side, type="turn", mix=make_mix(9), open=None, commit=None, next_=None)
        odd = signed(late, side)
        refused(lambda odd=odd: over.extend(odd), "order", f"ended with message {length}")


@pytest.mark.parametrize(
    ("length", "changes", "words"),
    [
        *(
            (length, {name: value}, f"cannot hold {name.rstrip('_')}")
            for length in (1, 5)
            for name, value in {"open": STATE, "commit": STATE, "dice": {}, "pending": {}, "next_": "russian"}.items()
        ),
        *((length, {"mix": None}, "must hold mix") for length in (1, 5)),
        *(
            (length, change, f"cannot hold {next(iter(change))}")
            for length in (2, 6)
            for change in (
                {"mix": STATE},
                {"reveal": opened("x")},
                {"secret": {"posture/turn-1": STATE}},
                {"waive": "posture"},
                {"offer": {"kind": "draw"}},
                {"reply": "accept"},
                *({name: {}} for name in ("orders", "policy", "choice", "decisions")),
            )
        ),
        *(
            (length, {name: None}, f"must hold {name.replace('_', '-')}")
            for length in (2, 4)
            for name in ("open", "commit", "state_in", "state_out")
        ),
    ],
)
def test_T41_2_11_player_only_mixes_and_referee_only_rolls(length, changes, words):
    refused_next(game(length), "order", words, **changes)


def test_2_11_referee_leaves_the_position_as_it_is():
    refused_next(game(4), "state", "the referee chooses nothing", state_out=OTHER_STATE)
    assert after(game(4), state_in=OTHER_STATE, state_out=OTHER_STATE).next_seq == 5
    assert after(game(5), state_out=OTHER_STATE).next_seq == 6


@pytest.mark.parametrize("length", [2, 4, 6])
def test_T32_2_11_referee_opens_what_he_committed_to_in_his_last_message(length):
    refused_next(game(length), "opening", f"in message {length - 2}", open=opening(99).hex())


def test_T35_2_11_no_dice_before_message_4():
    before = game(2)
    early = commit.roll_dice(commit.derive_seed(opening(2), bytes.fromhex(before.head_id)), "weather/turn-1", 1)
    refused_next(before, "dice", "the first dice can fall in message 4", dice={"weather/turn-1": early})
    die = commit.roll_dice(game(4).seed_with(opening(4)), "weather/turn-1", 1)
    assert commit.roll_dice(after(game(4), dice={"weather/turn-1": die}).seed(4), "weather/turn-1", 1) == die
    for work in (lambda: before.seed_with(opening(2)), lambda: game(5).seed_with(opening(5))):
        with pytest.raises(ValueError, match="rolls no dice"):
            work()
    for k in (2, 3, 5):
        with pytest.raises(ValueError, match=f"seed {k} is missing"):
            game(6).seed(k)


def test_T41_2_11_seed_hangs_on_the_mix_of_the_message_before():
    one, other = (after(game(5), mix=value) for value in (STATE, OTHER_STATE))
    assert one.seed_with(opening(6)) != other.seed_with(opening(6))
