"""Messages as files: the samples byte for byte, there and back for everything allowed, what mail may do to them."""

from __future__ import annotations

import time

import pytest
from helpers.signing_desk import NONCE, PLAYERS, SIGNERS, VECTORS, sample, vectors
from hypothesis import given, settings
from hypothesis import strategies as st

from kursk_pbem.errors import FileError
from kursk_pbem.formats import strictyaml
from kursk_pbem.formats.canonical import canon
from kursk_pbem.formats.strictyaml import Document
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


def refused(text: str, *words: str, reader=messages.read) -> FileError:
    with pytest.raises(FileError) as caught:
        reader(text.encode(), "f.yaml")
    for word in words:
        assert word in str(caught.value)
    return caught.value


@pytest.mark.parametrize("path", SAMPLES, ids=lambda p: f"{p.parent.name}-{p.stem}")
def test_the_samples_are_reproduced_byte_for_byte(path):
    content = dict(strictyaml.read(path.read_bytes(), path.name).data)
    armour, state = content.pop("signature"), content.pop("state", None)
    assert messages.emit(content, armour, state).encode("ascii") == path.read_bytes()
    assert canon(content) == path.with_suffix(".json").read_bytes()


def test_there_are_samples():
    assert len(SAMPLES) == 24


@pytest.mark.parametrize("k", range(12))
def test_a_sample_says_who_what_and_which(k):
    found = sample(k)
    assert (found.seq, found.sender) == (k, ("russian", "german")[k % 2])
    assert found.type == ["propose", "accept", *["turn"] * 6, "offer", "reply", "turn", "resign"][k]
    assert found.id == vectors()["sample-players"]["id"][str(k)]
    assert found.signed == (PLAYERS / f"{k:04}.json").read_bytes()
    assert found.state == vectors()["sample-players"]["states"][k]["state-out"]


def test_the_archived_form_says_the_same():
    data = (PLAYERS / "0005.json").read_bytes()
    archived = messages.read_archive(data, (PLAYERS / "0005.json.sig").read_text(encoding="ascii"), "0005.json")
    assert (archived.content, archived.id, archived.armour) == (sample(5).content, sample(5).id, sample(5).armour)


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
def test_reading_what_was_written_gives_it_back(content, state):
    text = messages.emit(content, ARMOUR, state)
    found = messages.read(text.encode("ascii"), "f")
    assert (found.content, found.armour, found.state) == (content, ARMOUR, state)
    assert messages.emit(found.content, found.armour, found.state) == text
    assert found.signed == canon(content)


@pytest.mark.slow
@settings(deadline=None)
@given(contents)
def test_the_archived_form_of_any_message_reads_alike(content):
    assert messages.read_archive(canon(content), ARMOUR, "f").content == content


@pytest.mark.parametrize(
    "change",
    [
        lambda t: t.replace("\n", "\r\n"),
        lambda t: t.replace("\n", "\r"),
        lambda t: t.replace("\n", "   \n"),
        lambda t: t.replace("\n", "\n\n"),
        lambda t: "".join(f"    {line}\n" for line in t.splitlines()),
        lambda t: t.rstrip("\n"),
        lambda t: "# a comment of a mail program\n" + t,
    ],
)
def test_what_mail_does_to_white_space_does_not_change_what_is_said(change):
    text = (PLAYERS / "0005.yaml").read_text(encoding="ascii")
    assert change(text) != text
    found = messages.read(change(text).encode("ascii"), "f")
    assert found.id == sample(5).id
    sshsig.verify(SIGNERS["german"].public, sshsig.NAMESPACE, found.signed, found.armour)


@pytest.mark.parametrize(
    "change",
    [
        lambda t: "".join(f"> {line}\n" for line in t.splitlines()),
        lambda t: t.replace("  ", " "),
        lambda t: t.replace("  ", "\t"),
        lambda t: t.replace("  ", "\xa0 "),
        lambda t: t.replace("'", "\u2019"),
        lambda t: "Hello Bob,\n\n" + t,
        lambda t: t + "-- \nAlice\n",
        lambda t: "".join(line.lstrip() for line in t.splitlines(keepends=True)),
    ],
)
def test_what_else_mail_does_is_refused_and_never_read_as_something_else(change):
    text = change((PLAYERS / "0005.yaml").read_text(encoding="ascii"))
    try:
        found = messages.read(text.encode("utf-8"), "f")
    except FileError:
        return
    assert found.id == sample(5).id  # the snapshot may suffer: it is bound by its hash, not by the signature


def test_an_unsigned_file_is_sent_back():
    refused(messages.emit(BASE), "not signed", "kursk sign")


def test_a_signed_file_is_no_draft():
    refused(messages.emit(BASE, ARMOUR), "signed already", reader=messages.read_draft)


def test_a_draft_needs_neither_openings_nor_hashes():
    text = (
        "kursk-pbem: '1'\ntype: turn\nseq: '2'\nfrom: german\norders: {moves: []}\n"
        "seal: {posture/turn-1: {posture: pause}}\n"
    )
    found = messages.read_draft(text.encode(), "f.yaml")
    assert (found.seq, found.type, found.armour, found.id) == (2, "turn", None, "")
    assert str(found.where("seal", "posture/turn-1", "posture")) == "f.yaml:6"


def test_a_draft_is_told_which_fields_its_type_cannot_hold():
    head = "kursk-pbem: '1'\nseq: '2'\nfrom: german\n"
    refused(
        head + "type: resign\norders: {}\n", "f.yaml:5", "resign holds no field 'orders'", reader=messages.read_draft
    )
    refused(head + "type: resign\nseal: {}\n", "f.yaml:5", reader=messages.read_draft)
    refused(head + "type: accept\ndice: {a: '1'}\n", "f.yaml:5", reader=messages.read_draft)
    refused(head + f"type: turn\nnonce: {NONCE.hex()}\n", "f.yaml:5", reader=messages.read_draft)


@pytest.mark.parametrize("kind", ["receipt", "forfeit"])
def test_a_referees_paper_is_no_message(kind):
    refused(messages.emit(BASE | {"type": kind}, ARMOUR), f"a referee's {kind}, no message")


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"offer": {"kind": "peace"}}, "found 'peace', expected 'draw' or 'successor'"),
        ({"offer": {"game": ID}}, "missing here: kind"),
        ({"offer": {"kind": "successor", "game": "x"}}, "expected a hash"),
        ({"reply": "perhaps"}, "found 'perhaps', expected 'accept' or 'decline'"),
        ({"continues": {"game": ID, "seq": "7"}}, "missing here: id"),
        ({"continues": {"game": ID, "seq": "07", "id": ID}}, "expected a whole number"),
        ({"continues": {"game": ID.upper(), "seq": "7", "id": ID}}, "expected a hash"),
        ({"offer": {"kind": "Draw"}}, "expected 'draw' or 'successor'"),
        ({"offer": {"kind": "draw", "note": "x"}}, "is not known here"),
    ],
)
def test_T28_offers_and_replies_have_one_spelling(change, words):
    refused(messages.emit(BASE | change, ARMOUR), words)


def test_T28_archives_hold_machine_text_where_files_do():
    good = dict(BASE)
    assert messages.read_archive(canon(good | {"note": "\u0423"}), ARMOUR, "f").text("note") == "\u0423"
    for bad in ({"orders": {"a": "\u0423"}}, {"orders": {"a": ["x\n"]}}, {"note": "\u202e"}, {"waive": "\x7f"}):
        with pytest.raises(FileError, match=r"U\+"):
            messages.read_archive(canon(good | bad), ARMOUR, "f")


def test_archives_keep_to_the_limits_of_files():
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
            lambda: messages.read(messages.emit(content, ARMOUR).encode(), "f"),  # noqa: B023
        ):
            if nodes:
                assert read().content == content
            else:
                with pytest.raises(FileError, match=r"the most|more than"):
                    read()


def test_an_archive_with_unsigned_parts_inside_is_refused():
    for key in ("signature", "state"):
        extra = {key: "x" if key == "signature" else {"type": "state"}}
        with pytest.raises(FileError, match="neither"):
            messages.read_archive(canon(BASE | extra), ARMOUR, "f")


def test_misfits_are_named():
    assert messages.misfits(BASE) == ([], [])
    lacking = {key: value for key, value in BASE.items() if key not in ("open", "commit")}
    assert messages.misfits(lacking | {"nonce": ID, "keys": {}}) == (["commit", "open"], ["keys", "nonce"])


def test_every_field_has_its_place_in_the_reading_order():
    for required, optional in messages.FIELDS.values():
        assert required | optional <= set(messages.READING_ORDER)
    assert len(set(messages.READING_ORDER)) == len(messages.READING_ORDER)


def test_a_turn_with_a_big_state_is_read_and_written_quickly():
    units = {f"unit-{i}": {"place": f"{i:04}", "steps": "2", "marks": ["a", "b"]} for i in range(250)}
    text = messages.emit(BASE, ARMOUR, {"type": "state", "units": units})
    raw = text.encode("ascii")
    messages.read(raw, "f")
    assert best(lambda: messages.read(raw, "f")) < 0.02  # 3 ms measured
    assert best(lambda: messages.emit(BASE, ARMOUR, {"type": "state", "units": units})) < 0.005  # 0.5 ms measured


def best(work) -> float:
    times = []
    for _ in range(5):
        began = time.perf_counter()
        work()
        times.append(time.perf_counter() - began)
    return min(times)


def faulty(data):
    """Whether the walk through all values finds something, as JSON that an archive may hold."""
    try:
        messages._check_texts(Document(data, "f"))
    except FileError:
        return True
    return False


TEXTS = st.text(st.characters(codec="utf-8"), max_size=12) | st.sampled_from(["", "plain", "x" * 4096, "x" * 4097, '"'])


@given(st.recursive(TEXTS, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(TEXTS, inner, max_size=4)))
def test_what_is_seen_to_be_plain_at_once_has_no_fault(value):
    for name in ("note", "orders"):
        data = {name: value}
        assert not (messages._is_plain(canon(data)) and faulty(data))


@pytest.mark.parametrize("value", [["x"] * 19_996, ["x"] * 20_000, [[] for _ in range(20_000)]])
def test_many_values_are_never_plain(value):
    assert not messages._is_plain(canon({"orders": value}))


def test_a_message_as_it_is_mailed_is_plain():
    assert messages._is_plain((PLAYERS / "0005.json").read_bytes())
    assert not messages._is_plain(canon({"note": "x" * 4097}))
    assert messages._is_plain(canon({"note": "x" * 4096}))
