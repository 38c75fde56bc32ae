"""Every derivation against the protocol's vectors, and each once more from nothing but hashlib."""

from __future__ import annotations

import hashlib
import hmac
import json

import pytest
from helpers.signing_desk import PLAYERS, SIGNERS, VECTORS, vectors
from hypothesis import given
from hypothesis import strategies as st

from kursk_pbem.trust import commit, sshsig

V = vectors()
SAMPLES = ("sample-players", "sample-referee")
x = bytes.fromhex


def writer(sample: str, k: int) -> str:
    if sample == "sample-referee":
        return "referee"
    return ("russian", "german")[k % 2]


def message(sample: str, k: int):
    return json.loads((VECTORS / sample / f"{k:04}.json").read_text(encoding="utf-8"))


@pytest.mark.parametrize("sample", SAMPLES)
def test_commitments(sample):
    v = V[sample]
    assert len(v["commitment"]) >= 5
    for k, expected in v["commitment"].items():
        assert commit.commitment(x(v["nonce"]), int(k), x(v["r"][k])).hex() == expected


def test_a_commitment_from_hashlib_alone():
    v = V["sample-players"]
    data = b"kursk-pbem/v1/commit\0" + x(v["nonce"]) + bytes(7) + b"\5" + x(v["r"]["5"])
    assert hashlib.sha256(data).hexdigest() == commit.commitment(x(v["nonce"]), 5, x(v["r"]["5"])).hex()


@pytest.mark.parametrize("sample", SAMPLES)
def test_seeds(sample):
    v = V[sample]
    assert len(v["seed"]) >= 4
    for k, expected in v["seed"].items():
        assert commit.seed(x(v["r"][k]), x(v["id"][str(int(k) - 1)])).hex() == expected


@pytest.mark.parametrize("sample", SAMPLES)
def test_secrets_come_from_the_key_alone(sample):
    v = V[sample]
    for side, expected in v["secret"].items():
        signer = SIGNERS[side]
        armoured = signer.sign(commit.SECRET_NAMESPACE, x(v["nonce"]))
        raw = sshsig.verify(signer.public, commit.SECRET_NAMESPACE, x(v["nonce"]), armoured)
        assert commit.secret(raw).hex() == expected


@pytest.mark.parametrize("sample", SAMPLES)
def test_T13_openings_follow_from_secret_prev_and_the_opening_before(sample):
    v = V[sample]
    checked = 0
    for k, expected in v["r"].items():
        if k == "1":
            continue  # random
        before = message(sample, int(k) - 2)
        prev = x(before["prev"]) if int(k) > 2 else commit.NO_PREV
        opened = x(before["open"]) if int(k) > 2 else x(v["nonce"])
        secret = x(v["secret"][writer(sample, int(k))])
        assert commit.next_opening(secret, int(k), prev, opened).hex() == expected
        checked += 1
    assert checked >= 5


@pytest.mark.parametrize("sample", SAMPLES)
def test_sealed_choices_and_T34_their_salts(sample):
    v = V[sample]
    assert v["choices"] or sample == "sample-referee"
    for choice in v["choices"]:
        seq = int(choice["seq"])
        sealing = message(sample, seq)
        salt = commit.salt(
            x(v["secret"][choice["from"]]), x(v["nonce"]), seq, x(sealing["prev"]), x(sealing["open"]), choice["label"]
        )
        assert salt.hex() == choice["salt"]
        assert commit.choice_hash(x(v["nonce"]), seq, choice["label"], salt, choice["value"]).hex() == choice["hash"]
        assert sealing["secret"][choice["label"]] == choice["hash"]


def test_T34_a_salt_changes_with_every_input():
    base = {
        "secret_": b"a" * 32,
        "nonce": b"b" * 32,
        "seq": 3,
        "prev": b"c" * 32,
        "opening": b"d" * 32,
        "label": "plans/3",
        "attempt": 0,
    }
    other = {
        "secret_": b"z" * 32,
        "nonce": b"z" * 32,
        "seq": 4,
        "prev": b"z" * 32,
        "opening": b"z" * 32,
        "label": "plans/4",
        "attempt": 1,
    }
    salts = [commit.salt(**base)] + [commit.salt(**(base | {name: other[name]})) for name in base]
    assert len(set(salts)) == 8
    assert {len(s) for s in salts} == {16}


@pytest.mark.parametrize("sample", SAMPLES)
def test_dice_of_the_samples(sample):
    assert V[sample]["dice"]
    for die in V[sample]["dice"]:
        assert commit.block(x(die["seed"]), die["label"], 0).hex() == die["block-0"]
        assert commit.dice(x(die["seed"]), die["label"], 20) == die["first-20"]
        assert message(sample, int(die["seq"]))["dice"][die["label"]] == die["used"]


def test_the_long_stream_skips_what_would_bias_it():
    v = V["long-stream"]
    blocks = [commit.block(x(v["seed"]), v["label"], j) for j in range(3)]
    assert [b.hex() for b in blocks] == v["blocks"]
    assert commit.dice(x(v["seed"]), v["label"], 80) == v["first-80"]
    by_hand = [str(b % 6 + 1) for b in b"".join(blocks) if b < 252]
    assert any(b >= 252 for b in b"".join(blocks))
    assert v["first-80"] == "".join(by_hand)[:80]


@given(st.binary(min_size=32, max_size=32), st.integers(0, 100), st.integers(0, 100))
def test_a_stream_is_read_from_its_beginning_however_long_the_request(seed, short, more):
    assert commit.dice(seed, "a/b", short + more).startswith(commit.dice(seed, "a/b", short))
    assert len(commit.dice(seed, "a/b", short)) == short


def test_the_dice_are_fair_enough():
    rolls = commit.dice(hashlib.sha256(b"fair").digest(), "fair", 60_000)
    chi2 = sum((rolls.count(face) - 10_000) ** 2 / 10_000 for face in "123456")
    assert chi2 < 25  # 5 degrees of freedom: exceeded once in 7000 streams; this one is fixed


def test_labels_are_streams_of_their_own():
    seed = bytes(32)
    assert len({commit.dice(seed, label, 20) for label in ("battle-1/combat", "battle-2/combat", "battle-1/loss")}) == 3


def test_T14_a_commitment_is_bound_to_game_number_and_opening():
    found = {commit.commitment(n * 32, k, r * 32) for n in (b"a", b"b") for k in (2, 3) for r in (b"c", b"d")}
    assert len(found) == 8


@pytest.mark.parametrize(
    "call",
    [
        lambda: commit.commitment(bytes(31), 2, bytes(32)),
        lambda: commit.commitment(bytes(32), 2, bytes(33)),
        lambda: commit.seed(bytes(16), bytes(32)),
        lambda: commit.seed(bytes(32), b""),
        lambda: commit.choice_hash(bytes(32), 1, "a", bytes(15), "x"),
        lambda: commit.secret(bytes(63)),
        lambda: commit.next_opening(bytes(32), 2, b"", bytes(32)),
    ],
)
def test_fields_of_another_length_are_a_defect_of_ours(call):
    with pytest.raises(ValueError, match="bytes"):
        call()


def test_ids_are_plain_hashes_of_the_signed_bytes():
    for k, expected in V["sample-players"]["id"].items():
        assert hashlib.sha256((PLAYERS / f"{int(k):04}.json").read_bytes()).hexdigest() == expected


def test_hmac_is_the_key_first():
    # A slip here would still be consistent with itself.
    assert (
        commit.seed(b"k" * 32, b"i" * 32)
        == hmac.new(b"k" * 32, b"kursk-pbem/v1/seed\0" + b"i" * 32, hashlib.sha256).digest()
    )
