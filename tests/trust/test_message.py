"""Messages as files: samples byte for byte, round trips, changes by mail."""

from __future__ import annotations

import pytest
from helpers.signing_desk import SIGNERS, VECTORS
from hypothesis import given, settings
from hypothesis import strategies as st

from kursk_pbem.errors import FileError
from kursk_pbem.formats import strictyaml
from kursk_pbem.formats.canonical import canon
from kursk_pbem.formats.text import free_text_fault
from kursk_pbem.trust import messages, sshsig

SAMPLES = sorted(VECTORS.glob("sample-*/**/*.yaml"))
ID = "ab" * 32
BASE = {
    "kursk-pbem": "1",
    "type": "turn",
    "seq": "2",
    "from": "german",
    "game": ID,
    "prev": ID,
    "open": ID,
    "commit": ID,
    "state-in": ID,
    "state-out": ID,
}
ARMOUR = SIGNERS["german"].sign(sshsig.NAMESPACE, b"")


@pytest.mark.parametrize("path", SAMPLES, ids=lambda p: f"{p.parent.name}-{p.stem}")
def test_3_6_sample_is_reproduced_byte_for_byte(path):
    content = dict(strictyaml.read(path.read_bytes(), path.name).data)
    armour, state = content.pop("signature"), content.pop("state", None)
    assert messages.emit_message(content, armour, state).encode("ascii") == path.read_bytes()
    assert canon(content) == path.with_suffix(".json").read_bytes()


keys = st.from_regex(r"[A-Za-z0-9][A-Za-z0-9./-]{0,11}", fullmatch=True)
labels = st.from_regex(r"[a-z0-9][a-z0-9./-]{0,11}", fullmatch=True)
machine = st.text(st.characters(min_codepoint=0x20, max_codepoint=0x7E), max_size=80)
plain = st.recursive(
    machine, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(keys, inner, max_size=4), max_leaves=15
)
mappings = st.dictionaries(keys, plain, max_size=4)
hexes = st.binary(min_size=32, max_size=32).map(bytes.hex)
free = st.text(max_size=120).filter(lambda t: free_text_fault(t) is None)
contents = st.fixed_dictionaries(
    {key: st.just(value) for key, value in BASE.items()} | {"open": hexes},
    optional={
        "reveal": st.dictionaries(
            labels, st.fixed_dictionaries({"salt": st.just("cd" * 16), "value": plain}), max_size=2
        ),
        "dice": st.dictionaries(labels, st.text("123456", min_size=1, max_size=90), max_size=3),
        "pending": mappings,
        "choice": mappings,
        "waive": plain,
        "orders": mappings,
        "decisions": mappings,
        "policy": mappings,
        "secret": st.dictionaries(labels, hexes, max_size=3),
        "note": free,
    },
)


@pytest.mark.slow
@settings(deadline=None)
@given(contents, st.none() | mappings.map(lambda m: {"type": "state"} | m | {"type": "state"}))
def test_3_6_reading_what_was_written_gives_it_back(content, state):
    text = messages.emit_message(content, ARMOUR, state)
    found = messages.read_message(text.encode("ascii"), "f")
    assert (found.content, found.armour, found.state) == (content, ARMOUR, state)
    assert messages.emit_message(found.content, found.armour, found.state) == text
    assert found.signed == canon(content)
    assert messages.read_archive(canon(content), ARMOUR, "f").content == content


def test_T28_4_2_archives_hold_machine_text_where_files_do():
    good = dict(BASE)
    assert messages.read_archive(canon(good | {"note": "\u0423"}), ARMOUR, "f").text("note") == "\u0423"
    for bad in ({"orders": {"a": "\u0423"}}, {"orders": {"a": ["x\n"]}}, {"note": "\u202e"}, {"waive": "\x7f"}):
        with pytest.raises(FileError, match=r"U\+"):
            messages.read_archive(canon(good | bad), ARMOUR, "f")
    for unsigned in ({"signature": "x"}, {"state": {"type": "state"}}):
        with pytest.raises(FileError, match="delete the fields 'signature' and 'state'"):
            messages.read_archive(canon(good | unsigned), ARMOUR, "f")


def test_4_2_archives_keep_to_the_limits_of_files():
    for orders, nodes in (
        ({"a": ["b"] * 19_900}, True),
        ({"a": ["b"] * 20_000}, False),
        ({"a": ["b"] * 19_973}, True),
        ({"a": ["b"] * 19_974}, False),
        ({"a": "x" * 4096}, True),
        ({"a": "x" * 4097}, False),
        ({"a": ['"' * 60] * 1900}, True),
        ({"a": ['"' * 60] * 2200}, False),
    ):
        content = BASE | {"orders": orders}
        for read in (
            lambda: messages.read_archive(canon(content), ARMOUR, "f"),  # noqa: B023  called at once
            lambda: messages.read_message(messages.emit_message(content, ARMOUR).encode(), "f"),  # noqa: B023
        ):
            if nodes:
                assert read().content == content
            else:
                with pytest.raises(FileError, match=r"at most|the most|more than"):
                    read()


def test_2_6_draft_and_message_are_not_taken_for_each_other():
    draft = b"kursk-pbem: '1'\nseq: '2'\nfrom: german\ntype: resign\norders: {}\n"
    for text, reader in ((messages.emit_message(BASE).encode(), messages.read_message), (draft, messages.read_draft)):
        with pytest.raises(FileError, match=r"unsigned|holds no"):
            reader(text, "f.yaml")
    with pytest.raises(FileError, match="this file is signed"):
        messages.read_draft(messages.emit_message(BASE, ARMOUR).encode(), "f.yaml")
