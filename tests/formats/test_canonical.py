"""Canonical JSON: the only readable spelling of a content (T28)."""

from __future__ import annotations

import json
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kursk_pbem.errors import FileError
from kursk_pbem.formats.canonical import (
    MAX_DEPTH,
    canon,
    parse_canonical,
    scenario_hash,
    sha256_hex,
    shorten,
    state_hash,
)

letters = st.text(st.characters(exclude_categories=["Cs"]), max_size=8)
plain = st.recursive(
    letters, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(letters, inner, max_size=3), max_leaves=12
)


def check_refused(raw: bytes, *words: str) -> None:
    with pytest.raises(FileError) as caught:
        parse_canonical(raw, "f.json")
    assert str(caught.value).startswith("f.json: this is not canonical JSON")
    for word in words:
        assert word in str(caught.value)
    assert str(caught.value).isascii()


def test_keys_are_sorted_and_nothing_is_escaped_needlessly():
    assert canon({"b": ["x", {}], "a": '\u0423\n"\\/\x7f'}) == '{"a":"\u0423\\n\\"\\\\/\x7f","b":["x",{}]}'.encode()


@given(st.dictionaries(letters, plain, max_size=4))
def test_T28_parsing_what_was_written_gives_it_back(data):
    assert parse_canonical(canon(data), "f") == data


@pytest.mark.parametrize(
    ("raw", "word"),
    [
        (b'{"a": "b"}', "spelling"),
        (b'{"a":"b"}\n', "before or after"),
        (b'{"b":"a","a":"b"}', "spelling"),
        (b'{"a":"\\u0041"}', "spelling"),
        (b'{"a":"\\/"}', "spelling"),
        (b'{"a":"b","a":"b"}', "twice"),
        (b'{"a":{"b":"c","b":"d"}}', "twice"),
        (b'{"a":1}', "number"),
        (b'{"a":1.0}', "number"),
        (b'{"a":[-0]}', "number"),
        (b'{"a":NaN}', "number"),
        (b'{"a":Infinity}', "number"),
        (b'{"a":true}', "true, false or null"),
        (b'{"a":{"b":[null]}}', "true, false or null"),
        (b'["a"]', "mapping"),
        (b'"a"', "mapping"),
        (b"", "cannot be read"),
        (b'{"a":"b"', "cannot be read"),
        (b'{"a":"b"}{}', "cannot be read"),
        (b'{"a":"\xff"}', "cannot be read"),
        (b'\xef\xbb\xbf{"a":"b"}', "cannot be read"),
        (b'{"a":"\\ud800"}', "cannot be read"),
        (b'{"a":"\x01"}', "cannot be read"),
        (b'{"a":' + b"9" * 5000 + b"}", "number"),
        (b'{"a":' + b"[" * 130_000 + b"]" * 130_000 + b"}", "nested"),
        (b'{"a":' + b"[" * MAX_DEPTH + b"]" * MAX_DEPTH + b"}", "nested"),
        (b'{"a":"' + b"b" * 262_144 + b'"}', "262152 bytes"),
    ],
)
def test_T28_any_other_spelling_is_refused(raw, word):
    began = time.perf_counter()
    check_refused(raw, word)
    assert time.perf_counter() - began < 0.5


def test_the_deepest_allowed_nesting_is_read():
    text = b'"' + b"[{" * MAX_DEPTH + b'\\""'  # brackets in a text are not counted
    raw = b'{"a":' + b"[" * (MAX_DEPTH - 1) + text + b"]" * (MAX_DEPTH - 1) + b"}"
    assert canon(parse_canonical(raw, "f")) == raw


def test_sha256_is_lower_case_hex():
    assert sha256_hex(b"abc") == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"


def test_T18_the_scenario_hash_leaves_out_what_is_never_adjudicated(vectors):
    sample = vectors["scenario-hash"]
    assert scenario_hash(sample["data"]) == sample["sha256"] == sha256_hex(sample["hashed"].encode())


def test_T18_the_scenario_hash_covers_everything_else(vectors):
    data = json.loads(json.dumps(vectors["scenario-hash"]["data"]))
    data["units"]["g-1"]["name"] = "another name"
    assert scenario_hash(data) == vectors["scenario-hash"]["sha256"]
    data["units"]["g-1"]["steps"] = "3"
    assert scenario_hash(data) != vectors["scenario-hash"]["sha256"]


@pytest.mark.parametrize("sample", ["sample-players", "sample-referee"])
def test_state_hashes_of_the_samples(vectors, messages, sample):
    states = vectors[sample]["states"]
    assert len(states) >= 10
    for state in states:
        content = messages[sample][int(state["seq"])]
        assert state_hash(state["state-out"]) == content["state-out"]
        if state["state-in"]:
            assert state_hash(state["state-in"]) == content["state-in"]


def test_a_state_says_that_it_is_one():
    with pytest.raises(ValueError, match="type"):
        state_hash({"turn": "1"})


@pytest.mark.parametrize(("at", "shown"), [(0, 16), (15, 16), (16, 32), (40, 48), (63, 64)])
def test_T40_two_hashes_are_shown_so_far_that_their_difference_shows(at, shown):
    one = "ab" * 32
    other = one[:at] + "0" + one[at + 1 :]
    assert shorten(one, other) == (one[:shown], other[:shown])
    assert shorten(one, one) == (one[:16], one[:16])
    assert shorten("None", one) == ("None", one[:16])
