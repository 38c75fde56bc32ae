"""Signatures: RFC 8032, what we refuse and other verifiers accept, and both directions with stock ssh-keygen."""

from __future__ import annotations

import base64
import hashlib
import os
import shutil
import subprocess

import pytest
from helpers import ed25519_reference as reference
from helpers import sweeps
from helpers.signing_desk import PLAYERS, SIGNERS, sample, vectors
from hypothesis import given
from hypothesis import strategies as st

from kursk_pbem.errors import TrustError
from kursk_pbem.trust import keys, sshsig
from kursk_pbem.trust.sshsig import BEGIN, END, NAMESPACE

SEED = hashlib.sha256(b"kursk-pbem test key german").digest()
ALICE = SIGNERS["german"]
DATA = b'{"a":"b"}'
needs_ssh_keygen = pytest.mark.skipif(shutil.which("ssh-keygen") is None, reason="ssh-keygen is not installed")

RFC_8032 = [  # §7.1: secret key, public key, message, signature
    (
        "9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60",
        "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a",
        "",
        (
            "e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e06522490155"
            "5fb8821590a33bacc61e39701cf9b46bd25bf5f0595bbe24655141438e7a100b"
        ),
    ),
    (
        "4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb",
        "3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c",
        "72",
        (
            "92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da"
            "085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00"
        ),
    ),
    (
        "c5aa8df43f9f837bedb7442f31dcb7b166d38535076f094b85ce3a2e0b4458f7",
        "fc51cd8e6218a1a38da47ed00230f0580816ed13ba3303ac5deb911548908025",
        "af82",
        (
            "6291d657deec24024827e69c3abe01a30ce548a284743a445e3680d7db5ac3ac"
            "18ff9b538d16f290ae67f760984dc6594a7c15e9716ed28dc027beceea1ec40a"
        ),
    ),
]


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


@pytest.mark.parametrize(("seed", "public", "message", "signature"), RFC_8032)
def test_the_oracle_of_these_tests_keeps_to_rfc_8032(seed, public, message, signature):
    seed, message = bytes.fromhex(seed), bytes.fromhex(message)
    assert reference.public(seed).hex() == public
    assert reference.sign(seed, message).hex() == signature
    assert reference.verify(bytes.fromhex(public), message, bytes.fromhex(signature))


@sweeps.tries(15)
@given(st.binary(min_size=32, max_size=32), st.binary(max_size=200))
def test_our_signatures_are_those_of_rfc_8032_over_the_sshsig_blob(seed, data):
    signer = keys.from_seed(seed)
    assert signer.public == sshsig.public_text(reference.public(seed))
    raw = sshsig.verify(signer.public, NAMESPACE, data, signer.sign(NAMESPACE, data))
    assert raw == reference.sign(seed, sshsig.signed_data(NAMESPACE, data))


def test_the_samples_signatures_are_reproduced_byte_for_byte():
    for k in range(12):
        data = (PLAYERS / f"{k:04}.json").read_bytes()
        written = (PLAYERS / f"{k:04}.json.sig").read_text(encoding="ascii")
        signer = SIGNERS[("russian", "german")[k % 2]]
        assert signer.sign(NAMESPACE, data) == written
        assert len(sshsig.verify(signer.public, NAMESPACE, data, written)) == 64


def test_sizes_are_those_of_the_protocol():
    assert len(sshsig.signed_data(NAMESPACE, DATA)) == 102
    assert len(sshsig.dearmour(ALICE.sign(NAMESPACE, DATA))) == 180
    assert len(ALICE.public) == 80


def test_T3_a_second_signature_of_the_same_message_is_accepted_and_is_another():
    """Nothing may ever be derived from signature bytes: their owner has as many as he likes."""
    second = reference.sign(SEED, sshsig.signed_data(NAMESPACE, DATA), nonce=12345)
    text = sshsig.armour(sshsig.public_key(ALICE.public), NAMESPACE, second)
    assert sshsig.verify(ALICE.public, NAMESPACE, DATA, text) == second != raw_signature()


def test_T17_s_plus_l_is_refused_although_older_ssh_keygens_take_it():
    raw = raw_signature()
    s = int.from_bytes(raw[32:], "little") + reference.L
    text = sshsig.armour(sshsig.public_key(ALICE.public), NAMESPACE, raw[:32] + s.to_bytes(32, "little"))
    assert "not reduced" in refused(text).message


@pytest.mark.parametrize("bit", range(0, 512, 37))
def test_T17_no_bit_of_the_signature_is_free(bit):
    raw = bytearray(raw_signature())
    raw[bit // 8] ^= 1 << bit % 8
    refused(sshsig.armour(sshsig.public_key(ALICE.public), NAMESPACE, bytes(raw)))


@pytest.mark.parametrize("position", range(180 - 64))
def test_T17_no_byte_before_the_signature_is_free(position):
    blob = bytearray(sshsig.dearmour(ALICE.sign(NAMESPACE, DATA)))
    blob[position] ^= 1
    assert "another key, or of another kind or purpose" in refused(armoured(bytes(blob))).message


@pytest.mark.parametrize(
    "change",
    [
        lambda t: t.replace(BEGIN, BEGIN + "x"),
        lambda t: t.replace("-----END SSH", "-----END PGP"),
        lambda t: t[: len(t) // 2],
        lambda t: "x" + t,
        lambda t: t + "x",
        lambda t: t + t,
        lambda t: t.replace("U1NI", "U1N!"),
        lambda t: t.replace("U1NI", "U1N-"),
        lambda t: t.replace("\n" + END, "A\n" + END),
        lambda t: t.replace("\n" + END, "AAAA\n" + END),
        lambda t: t.replace("\n" + END, "=\n" + END),
        lambda t: t.replace("\n" + END, "====\n" + END),
        lambda t: t.replace("U1NI", "U1\xa0NI"),
        lambda t: t.replace("U1NI", "U1\x0bNI"),
        lambda t: t.replace("\n", ""),
        lambda _: "",
        lambda _: BEGIN + "\n" + END,
        lambda _: BEGIN + END,
        lambda _: f"{BEGIN}\n\n{END}\n",
        lambda _: "\u0411",
    ],
)
def test_T17_other_armour_is_refused(change):
    text = ALICE.sign(NAMESPACE, DATA)
    assert change(text) != text
    refused(change(text))


@pytest.mark.parametrize(
    "change",
    [
        lambda t: t.replace("\n", "\r\n"),
        lambda t: t.replace("\n", "\r"),
        lambda t: t.replace("\n", "  \n"),
        lambda t: t.replace("\n", "\n\n"),
        lambda t: t.replace("\n", "\n    "),
        lambda t: t.rstrip("\n"),
        lambda t: "\n\n" + t,
    ],
)
def test_white_space_that_mail_adds_between_the_lines_is_free(change):
    assert sshsig.verify(ALICE.public, NAMESPACE, DATA, change(ALICE.sign(NAMESPACE, DATA))) == raw_signature()


def test_other_base64_spellings_of_the_same_bytes_are_refused():
    """With a namespace of another length the blob ends in padding, whose unused bits a decoder overlooks."""
    text = ALICE.sign("ab", DATA)
    assert text.rstrip("\n").split("\n")[-2].endswith("=")
    assert sshsig.verify(ALICE.public, "ab", DATA, text)
    body, pad = text[: text.index("=")], text[text.index("=") :]
    with pytest.raises(TrustError, match="spelled"):
        sshsig.verify(ALICE.public, "ab", DATA, body[:-1] + chr(ord(body[-1]) + 1) + pad)


def test_T31_a_signature_for_another_purpose_is_refused():
    for namespace in ("git", "file", "kursk-pbem-secret", "kursk-pbe"):
        refused(ALICE.sign(namespace, DATA))


def test_another_text_or_another_key_is_refused_and_nobody_accused():
    text = ALICE.sign(NAMESPACE, DATA)
    assert "accuses nobody" in refused(text, b'{"a":"c"}').message
    refused(text, public=SIGNERS["russian"].public)


def test_T16_fourteen_weak_keys_are_refused():
    assert len(sshsig.WEAK_KEYS) == 14
    for key in sshsig.WEAK_KEYS:
        with pytest.raises(TrustError, match="small order") as caught:
            sshsig.public_key(sshsig.public_text(key))
        assert caught.value.fault == "head"


def test_T16_the_weak_keys_are_the_points_of_small_order():
    for key in sshsig.WEAK_KEYS:
        x = reference.recover_x((int.from_bytes(key, "little") & (1 << 255) - 1) % reference.P, 0)
        y = (int.from_bytes(key, "little") & (1 << 255) - 1) % reference.P
        _, y8, z8, _ = reference.mul(8, (x, y, 1, x * y % reference.P))
        assert y8 == z8  # eight times the point is the neutral element
    listed = [
        "00" * 32,
        "00" * 31 + "80",
        "01" + "00" * 31,
        "01" + "00" * 30 + "80",
        "ec" + "ff" * 30 + "7f",
        "ec" + "ff" * 31,
        "ed" + "ff" * 30 + "7f",
        "ed" + "ff" * 31,
        "ee" + "ff" * 30 + "7f",
        "ee" + "ff" * 31,
        "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05",
        "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc85",
        "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a",
        "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac03fa",
    ]
    assert sorted(key.hex() for key in sshsig.WEAK_KEYS) == sorted(listed)


def test_T16_a_weak_key_would_otherwise_sign_everything():
    """Why they are refused: under the neutral element one signature fits any message."""
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey  # noqa: PLC0415

    forged = reference.compress(reference.B) + (1).to_bytes(32, "little")
    weak = (1).to_bytes(32, "little")
    for data in (b"one", b"two"):
        Ed25519PublicKey.from_public_bytes(weak).verify(forged, sshsig.signed_data(NAMESPACE, data))
        refused(sshsig.armour(weak, NAMESPACE, forged), data, sshsig.public_text(weak), fault="head")


@pytest.mark.parametrize(
    "change",
    [
        lambda t: t + " comment",
        lambda t: t + " ",
        lambda t: t.replace(" ", "  "),
        lambda t: " " + t,
        lambda t: t + "\n",
        lambda t: t.replace("ssh-ed25519 ", "ssh-rsa "),
        lambda t: t.replace("ssh-ed25519 ", "sk-ssh-ed25519@openssh.com "),
        lambda t: t.replace("AAAAC3", "AAAAC4"),
        lambda t: t[:-1],
        lambda t: t + "=",
        lambda t: t + "AAAA",
        lambda t: t[:-1] + "!",
        lambda t: t.replace("AAAA", "AA\nAA"),
        lambda _: "",
        lambda _: "ssh-ed25519",
        lambda _: "ssh-ed25519 \u0411",
    ],
)
def test_T16_public_keys_have_one_spelling(change):
    with pytest.raises(TrustError) as caught:
        sshsig.public_key(change(ALICE.public))
    assert caught.value.fault == "head"
    assert caught.value.message.isascii()


def test_T17_a_receipt_edited_by_one_second_is_refused():
    entry = next(e for e in vectors()["tampered"] if e["name"] == "receipt-edited")
    text = (PLAYERS / "receipt-0010.json.sig").read_text(encoding="ascii")
    public = SIGNERS["referee"].public
    assert sshsig.verify(public, NAMESPACE, (PLAYERS / "receipt-0010.json").read_bytes(), text)
    refused(text, entry["replace"]["receipt-0010.json"].encode(), public)


@needs_ssh_keygen
def test_ssh_keygen_verifies_what_we_sign(tmp_path):
    (tmp_path / "allowed").write_text(f'german namespaces="{NAMESPACE}" {ALICE.public}\n', encoding="ascii")
    (tmp_path / "m.sig").write_text(ALICE.sign(NAMESPACE, DATA), encoding="ascii")

    def check(data: bytes, namespace: str) -> int:
        command = ["ssh-keygen", "-Y", "verify", "-f", str(tmp_path / "allowed"), "-I", "german", "-n", namespace]
        return subprocess.run(
            [*command, "-s", str(tmp_path / "m.sig")], input=data, capture_output=True, check=False
        ).returncode

    assert check(DATA, NAMESPACE) == 0
    assert check(DATA + b" ", NAMESPACE) != 0
    assert check(DATA, "git") != 0


@needs_ssh_keygen
def test_ssh_keygen_signs_the_same_bytes(tmp_path):
    keys.generate(tmp_path / "key", os.urandom(32))
    signer = keys.load(tmp_path / "key")
    done = subprocess.run(
        ["ssh-keygen", "-Y", "sign", "-f", str(tmp_path / "key"), "-n", NAMESPACE],
        input=DATA,
        capture_output=True,
        check=True,
    )
    assert done.stdout.decode() == signer.sign(NAMESPACE, DATA)


@needs_ssh_keygen
def test_fingerprints_are_those_people_read_to_each_other(tmp_path):
    (tmp_path / "k.pub").write_text(ALICE.public + " alice\n", encoding="ascii")
    done = subprocess.run(["ssh-keygen", "-lf", str(tmp_path / "k.pub")], capture_output=True, check=True)
    assert done.stdout.decode().split()[1] == sshsig.fingerprint(ALICE.public)


def test_a_sample_message_verifies_as_mailed():
    message = sample(5)
    assert sshsig.verify(ALICE.public, NAMESPACE, message.signed, message.armour or "")
