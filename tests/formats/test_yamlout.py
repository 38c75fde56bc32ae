"""The writer of mailed YAML: ASCII, narrow, and read without loss (protocol 3.6)."""

from __future__ import annotations

import string
import time

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from kursk_pbem.formats.strictyaml import read
from kursk_pbem.formats.text import free_text_fault
from kursk_pbem.formats.yamlout import WIDTH, escape, form_lines, yaml_lines

letters = string.ascii_letters + string.digits
keys = st.builds(
    str.__add__, st.sampled_from(letters), st.text(st.sampled_from(f"{letters}./-"), max_size=12)
) | st.sampled_from(["no", "Y", "0113", "1e3"])
machine = st.text(st.characters(min_codepoint=0x20, max_codepoint=0x7E), max_size=90) | st.sampled_from(
    [
        "",
        "0113",
        "no",
        "Off",
        "~",
        "-",
        "- a",
        "a: b",
        "#x",
        "a #b",
        "1e3",
        "'",
        '"',
        "\\",
        "ab" * 32,
        "1" * 64,
        "=",
        "<<",
        " a",
        "a ",
        "ssh-ed25519 " + "A" * 68,
        "x" * 200,
        "x " * 100,
    ]
)
free = st.text(max_size=200).filter(lambda t: free_text_fault(t) is None)
plain = st.recursive(
    machine, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(keys, inner, max_size=4), max_leaves=12
)


def there_and_back(data):
    text = "\n".join(yaml_lines(data))
    assert text.isascii()
    return read(text.encode(), "f").data


@pytest.mark.slow
@given(st.dictionaries(keys, plain, min_size=1, max_size=3))
@example({"a": [[]]})
@example({"a": [[["b", {}], {}], {"c": [{"d": []}]}]})
@example({"a": [{"b": {"c": "x" * 80}}, ["y" * 80, "z"]]})
def test_machine_data_comes_back(data):
    found = there_and_back(data)
    assert found == data
    assert list(found) == list(data)


@pytest.mark.slow
@given(free, st.dictionaries(keys, free, min_size=1, max_size=3))
@example("a" * 30 + " " * 80 + "b", {"german": "\n\n  x"})
@example("\\" * 100 + '"' * 100, {"german": "\u0423" * 100})
def test_free_text_comes_back(note, names):
    assert there_and_back({"note": note, "names": names}) == {"note": note, "names": names}


@given(st.dictionaries(st.sampled_from(["note", "orders", "a"]), plain, min_size=1), free)
def test_lines_are_narrow_enough_for_mail(data, note):
    for line in yaml_lines({**data, "note": note}):
        if len(line) > WIDTH:  # people copy SSH keys, so a key is never broken; keys of mappings cannot be broken
            assert "ssh-ed25519 " in line
        assert line == line.rstrip()


@pytest.mark.parametrize(
    ("value", "written"),
    [
        ("german", "a: german"),
        ("battle-1/combat", "a: battle-1/combat"),
        ("0113", "a: '0113'"),
        ("J8", "a: J8"),
        ("no", "a: 'no'"),
        ("YES", "a: 'YES'"),
        ("y", "a: 'y'"),
        ("null", "a: 'null'"),
        ("", "a: ''"),
        ("2ss", "a: '2ss'"),
        ("1e5", "a: '1e5'"),
        ("it's", "a: 'it''s'"),
        ("\u0423\u0434", 'a: "\\u0423\\u0434"'),
        ("\U0001f600", 'a: "\\U0001f600"'),
        ("0e" * 16, f"a: '{'0e' * 16}'"),
        ("0f" * 16, f"a: {'0f' * 16}"),
        ("1" * 64, f"a: '{'1' * 64}'"),
        ("ab" * 32, f"a: {'ab' * 32}"),
        ([], "a: []"),
        ({}, "a: {}"),
        (["0113", "b"], "a: ['0113', b]"),
    ],
)
def test_how_single_values_are_written(value, written):
    assert yaml_lines({"a": value}) == [written]


def test_what_does_not_fit_goes_on_the_next_line():
    assert yaml_lines({"state-out": "ab" * 32}) == ["state-out:", "  " + "ab" * 32]


def test_a_long_list_fills_lines_in_brackets():
    lines = yaml_lines({"path": [f"{i:04}" for i in range(20)]})
    assert lines[0] == "path:"
    assert lines[1].startswith("  ['0000', '0001',")
    assert lines[2].startswith("   '00")
    assert len(lines) == 4


@pytest.mark.parametrize(
    "data",
    [
        {"note": "'" * 60},
        {"a": {"b": "it's 'so'" * 6 + "'" * 12}},
        {"a": [["'" * 40], "''" * 30]},
        *({"a": {"b": {"k" * length: []}}} for length in range(62, 72)),
        {"a": [{"b": [{"k" * 64: [], "l" * 64: {}}]}]},
    ],
    ids=lambda data: str(data)[:30],
)
def test_T27_what_just_does_not_fit_comes_back(data):
    """A text shorter with escapes than with doubled quotes; no space after a long key."""
    assert there_and_back(data) == data


def test_long_text_is_folded_at_blanks():
    lines = yaml_lines({"note": "word " * 40})
    assert lines[:2] == ["note:", '  "' + "word " * 13 + "\\"]


def by_letters(text, indent, width):
    """Fold a text by the documented rule, letter after letter."""
    room = max(width - indent - 3, 20)
    lines, line = [], ""
    for piece in map(escape, text):
        if len(line) + len(piece) > room:
            cut = line.rfind(" ") + 1
            cut = cut if cut > room // 2 else len(line)
            lines, line = [*lines, line[:cut]], line[cut:]
        line += piece
    first, *rest = [*lines, line]
    parts = [first, *("\\" + part if part.startswith(" ") else part for part in rest)]
    return [" " * indent + part for part in ('"' + "\\\n".join(parts) + '"').split("\n")]


dense = st.lists(
    st.sampled_from(["a", "b" * 9, " ", "   ", "\\", '"', "\n", "n", "u", "\u0423", "\U0001f600"]), max_size=150
)


@given(dense.map("".join), st.integers(0, 60), st.sampled_from([WIDTH, 30, 100]))
@example("\\" * 200, 0, WIDTH)
@example("\u0423" * 200, 2, WIDTH)
@example("a" * 66 + "\U0001f600 b", 0, WIDTH)
def test_where_text_is_folded_no_escape_is_broken(text, indent, width):
    """The fold works line by line; letter by letter, a hostile mail took three seconds."""
    head, *lines = form_lines("a", text + "x" * width, indent, width)
    assert head == " " * indent + "a:"
    assert lines == by_letters(text + "x" * width, indent + 2, width)


def test_writing_a_position_is_fast():
    units = {f"g-{i}": {"place": f"{i:04}", "steps": "2", "marks": "no", "x": ["a", "b"]} for i in range(250)}
    best = min(measure_time(lambda: yaml_lines(units)) for _ in range(5))
    assert best < 0.006  # 250 units; 0.6 ms measured


def measure_time(work) -> float:
    began = time.perf_counter()
    work()
    return time.perf_counter() - began
