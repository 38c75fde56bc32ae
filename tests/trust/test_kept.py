"""Openings, salts and ``mix`` from content, and sealed values that only their writer can read (protocol 2.5, 3.7).

The vectors come from a program that was written from docs/auditors.md alone.
"""

import json

import pytest
from helpers.signing_desk import SIGNERS, VECTORS, load_vectors, sample, sample_chain

from kursk_pbem.desk.own import desks, seals
from kursk_pbem.formats.canonical import canon
from kursk_pbem.trust import commit, messages

V = load_vectors("kept.json")
each_sample = pytest.mark.parametrize("name", ["sample-kept", "sample-kept-referee"])
LENGTHS = {"posture": 48, "plans": 1008}
x = bytes.fromhex


def chain_of(name):
    """Return the chain of a sample, and its messages."""
    said = [sample(int(k), VECTORS / name) for k in V[name]["id"]]
    return sample_chain(len(said), VECTORS / name), said


@each_sample
def test_3_7_openings_and_mix_are_those_of_the_vectors(name):
    v, (chain, said) = V[name], chain_of(name)
    secrets = {side: x(secret) for side, secret in v["secret"].items()}
    assert all(desks.derive_secret(SIGNERS[side], chain.nonce) == secret for side, secret in secrets.items())
    assert {str(k): chain.contents[int(k)].hex() for k in v["content"]} == v["content"]
    numbers = [int(k) for k in v["r"] if k != "1"]  # number 1 is random
    assert len(numbers) >= 3
    for k in numbers:
        assert desks.derive_opening(chain, secrets[chain.writer(k)], k).hex() == v["r"][str(k)]
    for k, mix in v["mix"].items():
        content = said[int(k)].content
        choices = seals.hash_choices(content, {})
        assert commit.derive_mix(secrets[content["from"]], choices).hex() == mix["mix"] == content["mix"]
    assert bool(v["mix"]) == chain.refereed


def test_3_7_seals_and_kept_values_are_those_of_the_vectors_and_are_read_again():
    v, (chain, said) = V["sample-kept"], chain_of("sample-kept")
    assert {choice["label"].partition("/")[0] for choice in v["choices"]} == {"posture", "plans"}
    for choice in v["choices"]:
        message, label, secret = said[int(choice["seq"])], choice["label"], x(v["secret"][choice["from"]])
        hidden = {label: choice["value"]}
        opened = {label: {"salt": choice["salt"], "value": choice["value"]}}
        before = sample_chain(message.seq, VECTORS / "sample-kept")
        made = {"secret": {label: choice["seal"]}, "kept": {label: choice["kept"]}}
        assert seals.seal_values(before, message.content, hidden, secret, LENGTHS) == (opened, made)
        assert seals.read_kept(chain, message, secret) == opened
        assert {len(line) for line in choice["kept"]} == {64}
        assert 48 * len(choice["kept"]) == LENGTHS[label.partition("/")[0]]


def test_T25_3_7_another_secret_or_a_changed_byte_gives_no_value():
    """The key of another game, the opponent's key, and a text changed by its writer: nothing is read, nothing fails."""
    v, (chain, said) = V["sample-kept"], chain_of("sample-kept")
    for secret in (*V["sample-kept-referee"]["secret"].values(), v["secret"]["russian"], "00" * 32):
        assert seals.read_kept(chain, said[3], x(secret)) == {}
    lost = json.loads(V["lost"]["replace"]["0003.json"])
    assert seals.read_kept(chain, messages.make_draft(lost), x(v["secret"]["german"])) == {}


def test_3_7_a_longer_value_takes_a_multiple_of_the_length():
    long = V["long"]
    made = commit.keep_value(x(long["secret"]), x(long["seal"]), long["value"], int(long["length"]))
    assert made == long["kept"]
    assert 48 * len(made) == 96 * -(-len(canon(long["value"])) // 96) > 96
    assert commit.open_kept(x(long["secret"]), x(long["seal"]), made) == long["value"]


def test_P8_T34_two_messages_of_one_number_share_no_opening_mix_or_salt():
    chain, said = chain_of("sample-kept")
    secret = x(V["sample-kept"]["secret"]["german"])
    content = {key: value for key, value in said[3].content.items() if key not in seals.ADDED}
    plans = {"plans/3": {"battle-1": {"losses": ["g-1"]}}, "plans/4": {"battle-1": {"losses": ["g-1"]}}}
    others = [{}, {"note": "x"}, {"prev": "ab" * 32}, {"open": "cd" * 32}, {"orders": {}}]
    made, mixes = [], set()
    for hidden in (plans, {**plans, "plans/4": {}}):
        for other in others:
            changed = {**content, **other}
            found, fields = seals.seal_values(chain, changed, hidden, secret, LENGTHS)
            made.append((found, changed | fields))
            mixes.add(commit.derive_mix(secret, seals.hash_choices(changed, hidden)))
    salts = {entry["salt"] for found, _whole in made for entry in found.values()}
    assert (len(salts), len(mixes)) == (2 * len(made), len(made))
    nexts = {
        commit.next_opening(
            secret, 5, x(said[3].text("prev")), x(said[3].text("open")), commit.hash_content(whole, keeps=True)
        )
        for _found, whole in made
    }
    assert len(nexts) == len(made)
