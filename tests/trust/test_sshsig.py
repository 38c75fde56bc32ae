"""Signatures: RFC 8032, what we refuse and other verifiers accept, and both directions with stock ssh-keygen."""

from __future__ import annotations

import base64
import hashlib
import itertools
import json
import os
import shutil
import subprocess

import pytest
from helpers import sweeps
from helpers.signing_desk import SIGNERS, VECTORS
from hypothesis import given
from hypothesis import strategies as st

from kursk_pbem.errors import TrustError
from kursk_pbem.trust import ed25519, keys, sshsig
from kursk_pbem.trust.sshsig import BEGIN, END, NAMESPACE
from trust import auditors
from trust import ed25519_reference as reference

SEED = hashlib.sha256(b"kursk-pbem test key german").digest()
ALICE = SIGNERS["german"]
DATA = b'{"a":"b"}'
needs_ssh_keygen = pytest.mark.skipif(shutil.which("ssh-keygen") is None, reason="ssh-keygen is not installed")

RFC_8032 = (  # section 7.1, test 3: secret key, public key, message, signature
    "c5aa8df43f9f837bedb7442f31dcb7b166d38535076f094b85ce3a2e0b4458f7",
    "fc51cd8e6218a1a38da47ed00230f0580816ed13ba3303ac5deb911548908025",
    "af82",
    (
        "6291d657deec24024827e69c3abe01a30ce548a284743a445e3680d7db5ac3ac"
        "18ff9b538d16f290ae67f760984dc6594a7c15e9716ed28dc027beceea1ec40a"
    ),
)


def refused(armoured: str, data: bytes = DATA, public: str = ALICE.public, fault: str = "signature") -> TrustError:
    with pytest.raises(TrustError) as caught:
        sshsig.verify(public, NAMESPACE, data, armoured)
    assert caught.value.fault == fault
    assert caught.value.exit_status == 3
    assert str(caught.value).isascii()
    return caught.value


def raw_signature() -> bytes:
    return sshsig.verify(ALICE.public, NAMESPACE, DATA, ALICE.sign(NAMESPACE, DATA))


def armoured(blob: bytes) -> str:
    text = base64.b64encode(blob).decode()
    return "\n".join([BEGIN, *(text[i : i + 70] for i in range(0, len(text), 70)), END, ""])


@sweeps.tries(15)
@given(st.binary(min_size=32, max_size=32), st.binary(max_size=200))
def test_3_4_our_signatures_are_those_of_rfc_8032_over_the_sshsig_blob(seed, data):
    signer = keys.from_seed(seed)
    assert signer.public == sshsig.public_text(reference.derive_public_key(seed))
    raw = sshsig.verify(signer.public, NAMESPACE, data, signer.sign(NAMESPACE, data))
    assert raw == reference.sign(seed, sshsig.signed_data(NAMESPACE, data))


def test_T3_3_4_second_signature_of_the_same_message_is_accepted_and_is_another():
    """Signature bytes must derive no values, because the owner can make many signatures."""
    second = reference.sign(SEED, sshsig.signed_data(NAMESPACE, DATA), nonce=12345)
    text = sshsig.armour_signature(sshsig.public_key(ALICE.public), NAMESPACE, second)
    assert sshsig.verify(ALICE.public, NAMESPACE, DATA, text) == second != raw_signature()


CRAFTED = json.loads((VECTORS / "signatures.json").read_text("ascii"))


def test_3_4_crafted_signatures_are_verified_without_cofactor():
    """Keys and R with a part of small order, or not reduced: with cofactor, a verifier accepts more of them."""
    for case in CRAFTED:
        key, message, signature = (bytes.fromhex(case[name]) for name in ("key", "message", "signature"))
        valid = case["valid"] == "yes"
        assert message == sshsig.signed_data(NAMESPACE, case["text"].encode())
        assert (ed25519.verify(key, signature, message), reference.verify(key, message, signature)) == (valid, valid), (
            case
        )
    assert (len(CRAFTED), sum(case["valid"] == "yes" for case in CRAFTED)) == (158, 37)


@pytest.mark.slow
@needs_ssh_keygen
def test_3_4_other_checkers_agree_on_crafted_signatures(tmp_path):
    """docs/verify_game.py and the second auditor ask ssh-keygen."""
    checkers = [auditors.load(script) for script in (auditors.SHORT, auditors.SECOND)]
    for case, checker in zip(CRAFTED[:82], itertools.cycle(checkers), strict=False):
        key, signature = bytes.fromhex(case["key"]), bytes.fromhex(case["signature"])
        (tmp_path / "0.sig").write_text(sshsig.armour_signature(key, NAMESPACE, signature), encoding="ascii")
        try:
            checker.check_signature(tmp_path / "0", case["text"].encode(), "german", sshsig.public_text(key))
        except (ValueError, checkers[1].FaultError):
            assert case["valid"] == "no", case
        else:
            assert case["valid"] == "yes", case


def test_T17_3_4_s_plus_l_is_refused_although_older_ssh_keygens_take_it():
    raw = raw_signature()
    s = int.from_bytes(raw[32:], "little") + reference.L
    text = sshsig.armour_signature(sshsig.public_key(ALICE.public), NAMESPACE, raw[:32] + s.to_bytes(32, "little"))
    assert "not reduced" in refused(text).message


def test_T17_3_4_other_base64_spellings_of_the_same_bytes_are_refused():
    """With a namespace of another length the blob ends in padding, whose unused bits a decoder overlooks."""
    text = ALICE.sign("ab", DATA)
    assert text.rstrip("\n").split("\n")[-2].endswith("=")
    assert sshsig.verify(ALICE.public, "ab", DATA, text)
    body, pad = text[: text.index("=")], text[text.index("=") :]
    with pytest.raises(TrustError, match="spelled"):
        sshsig.verify(ALICE.public, "ab", DATA, body[:-1] + chr(ord(body[-1]) + 1) + pad)


def test_T16_3_4_the_weak_keys_are_the_points_of_small_order():
    for key in sshsig.WEAK_KEYS:
        x = reference.recover_x((int.from_bytes(key, "little") & (1 << 255) - 1) % reference.P, 0)
        y = (int.from_bytes(key, "little") & (1 << 255) - 1) % reference.P
        _, y8, z8, _ = reference.multiply_point(8, (x, y, 1, x * y % reference.P))
        assert y8 == z8  # eight times the point is the neutral element
        with pytest.raises(TrustError, match="small order"):
            sshsig.public_key(sshsig.public_text(key))
    assert len(sshsig.WEAK_KEYS) == 14


def test_3_4_oracle_of_these_tests_keeps_to_rfc_8032():
    seed, public, message, signature = map(bytes.fromhex, RFC_8032)
    assert (reference.derive_public_key(seed), reference.sign(seed, message)) == (public, signature)
    assert reference.verify(public, message, signature)


def test_T17_3_4_no_bit_of_the_signature_and_no_byte_before_it_is_free():
    text = ALICE.sign(NAMESPACE, DATA)
    for position in range(180):
        blob = bytearray(sshsig.read_armour(text))
        blob[position] ^= 1 << position % 8
        told = refused(armoured(bytes(blob))).message
        assert position >= 180 - 64 or "another key, or of another kind or purpose" in told


def test_T31_3_4_signature_of_another_text_key_or_purpose_accuses_nobody():
    text = ALICE.sign(NAMESPACE, DATA)
    assert "proves nothing" in refused(text, b'{"a":"c"}').message
    refused(text, public=SIGNERS["russian"].public)
    for namespace in ("git", "file", "kursk-pbem-secret", "kursk-pbe"):
        refused(ALICE.sign(namespace, DATA))
    for other in ("", BEGIN + "\n" + END, text + "x", text.replace("U1NI", "U1N!"), "\u0411"):
        refused(other)
    for public in ("", "ssh-ed25519 \u0411", ALICE.public + "=", ALICE.public[:-1] + "!"):
        refused(text, public=public, fault="head")


@needs_ssh_keygen
def test_3_4_ssh_keygen_signs_the_same_bytes_and_prints_the_same_fingerprint(tmp_path):
    keys.generate_key_pair(tmp_path / "key", os.urandom(32))
    signer = keys.load_key(tmp_path / "key")
    command = ["ssh-keygen", "-Y", "sign", "-f", str(tmp_path / "key"), "-n", NAMESPACE]
    done = subprocess.run(command, input=DATA, capture_output=True, check=True)
    assert done.stdout.decode() == signer.sign(NAMESPACE, DATA)
    done = subprocess.run(["ssh-keygen", "-lf", str(tmp_path / "key.pub")], capture_output=True, check=True)
    assert done.stdout.decode().split()[1] == sshsig.fingerprint(signer.public)
