"""Derivations compared with the protocol's vectors, and with code that uses only hashlib (protocol 3.2)."""

from __future__ import annotations

import hashlib
import hmac
import json

import pytest
from helpers.signing_desk import PLAYERS, SIGNERS, VECTORS, load_vectors
from hypothesis import given
from hypothesis import strategies as st

from kursk_pbem.trust import commit, sshsig

V = load_vectors()
each_sample = pytest.mark.parametrize("sample", ["sample-players", "sample-referee"])
x = bytes.fromhex


def message(sample: str, k: int):
    return json.loads((VECTORS / sample / f"{k:04}.json").read_text(encoding="utf-8"))


def test_3_2_commitment_seed_and_id_from_hashlib_alone():
    """A slip in the order of key and text would still be consistent with itself."""
    v = V["sample-players"]
    data = b"kursk-pbem/v1/commit\0" + x(v["nonce"]) + bytes(7) + b"\5" + x(v["r"]["5"])
    assert hashlib.sha256(data).hexdigest() == commit.commit_to_opening(x(v["nonce"]), 5, x(v["r"]["5"])).hex()
    seed = hmac.new(b"k" * 32, b"kursk-pbem/v1/seed\0" + b"i" * 32, hashlib.sha256).digest()
    assert commit.derive_seed(b"k" * 32, b"i" * 32) == seed
    for k, expected in v["id"].items():
        assert hashlib.sha256((PLAYERS / f"{int(k):04}.json").read_bytes()).hexdigest() == expected


@each_sample
def test_T13_3_7_openings_follow_from_the_key_and_the_messages_before(sample):
    v = V[sample]
    for side, expected in v["secret"].items():
        signer = SIGNERS[side]
        armoured = signer.sign(commit.SECRET_NAMESPACE, x(v["nonce"]))
        raw = sshsig.verify(signer.public, commit.SECRET_NAMESPACE, x(v["nonce"]), armoured)
        assert commit.derive_secret(raw).hex() == expected
    numbers = [int(k) for k in v["r"] if k != "1"]  # number 1 is random
    assert len(numbers) >= 5
    for k in numbers:
        before = message(sample, k - 2)
        prev, opened = (x(before["prev"]), x(before["open"])) if k > 2 else (commit.NO_PREV, x(v["nonce"]))
        writer = "referee" if sample == "sample-referee" else ("russian", "german")[k % 2]
        assert commit.next_opening(x(v["secret"][writer]), k, prev, opened).hex() == v["r"][str(k)]


def test_T34_3_7_sealed_choices_have_their_salts():
    v = V["sample-players"]
    assert v["choices"]
    for choice in v["choices"]:
        seq, label = int(choice["seq"]), choice["label"]
        sealing = message("sample-players", seq)
        secret, nonce = x(v["secret"][choice["from"]]), x(v["nonce"])
        salt = commit.derive_salt(secret, nonce, seq, x(sealing["prev"]), x(sealing["open"]), label)
        assert salt.hex() == choice["salt"]
        found = commit.choice_hash(nonce, seq, label, salt, choice["value"]).hex()
        assert found == choice["hash"] == sealing["secret"][label]


def test_T14_T34_3_2_hash_changes_with_every_input():
    base = (b"a" * 32, b"b" * 32, 3, b"c" * 32, b"d" * 32, "plans/3", 0)
    other = (b"z" * 32, b"z" * 32, 4, b"z" * 32, b"z" * 32, "plans/4", 1)
    salts = {commit.derive_salt(*base)} | {commit.derive_salt(*base[:n], other[n], *base[n + 1 :]) for n in range(7)}
    assert (len(salts), {len(s) for s in salts}) == (8, {16})
    assert (
        len({commit.commit_to_opening(n * 32, k, r * 32) for n in (b"a", b"b") for k in (2, 3) for r in (b"c", b"d")})
        == 8
    )
    assert len({commit.roll_dice(bytes(32), label, 20) for label in ("b-1/combat", "b-2/combat", "b-1/loss")}) == 3


def test_3_2_stream_skips_what_would_bias_it():
    v = V["long-stream"]
    blocks = [commit.derive_block(x(v["seed"]), v["label"], j) for j in range(3)]
    assert [b.hex() for b in blocks] == v["blocks"]
    by_hand = [str(b % 6 + 1) for b in b"".join(blocks) if b < 252]
    assert any(b >= 252 for b in b"".join(blocks))
    assert commit.roll_dice(x(v["seed"]), v["label"], 80) == v["first-80"] == "".join(by_hand)[:80]


@given(st.binary(min_size=32, max_size=32), st.integers(0, 100), st.integers(0, 100))
def test_3_2_stream_is_read_from_its_beginning_however_long_the_request(seed, short, more):
    assert commit.roll_dice(seed, "a/b", short + more).startswith(commit.roll_dice(seed, "a/b", short))
    assert len(commit.roll_dice(seed, "a/b", short)) == short


def test_3_2_fields_have_their_length():
    for call in (lambda: commit.commit_to_opening(bytes(31), 2, bytes(32)), lambda: commit.derive_secret(bytes(63))):
        with pytest.raises(ValueError, match="bytes"):
            call()
    with pytest.raises(ValueError, match="bytes"):
        commit.choice_hash(bytes(32), 1, "a", bytes(15), "x")
