"""The strict YAML reader against hostile or careless files (T26, T27, T29)."""

from __future__ import annotations

import time
import unicodedata
from itertools import product

import pytest
import yaml
from helpers import sweeps
from hypothesis import given
from hypothesis import strategies as st

from kursk_pbem.errors import FileError
from kursk_pbem.formats import strictyaml
from kursk_pbem.formats.strictyaml import MAX_NODES, MAX_SCALAR, read
from kursk_pbem.formats.text import free_text_fault

BIG = 262_000


@pytest.fixture(params=["libyaml", "pure Python"])
def parser(request, monkeypatch):
    """Run a test with both parsers, because an installation may lack libyaml."""
    strictyaml.event_parser.cache_clear()
    if request.param == "pure Python":
        monkeypatch.delattr(yaml, "CBaseLoader")
    elif not hasattr(yaml, "CBaseLoader"):
        pytest.skip("PyYAML was built without libyaml")
    yield request.param
    strictyaml.event_parser.cache_clear()


def load(text: str, **kind):
    return read(text.encode(), "f.yaml", **kind).data


def refuse(text: str | bytes, *words: str, **kind) -> FileError:
    with pytest.raises(FileError) as caught:
        read(text if isinstance(text, bytes) else text.encode(), "f.yaml", **kind)
    for word in words:
        assert word in str(caught.value)
    assert str(caught.value).isascii()
    assert str(caught.value).isprintable()
    return caught.value


@pytest.mark.usefixtures("parser")
class TestScalarsStayText:
    @pytest.mark.parametrize(
        "text",
        [
            "0113",
            "08",
            "NO",
            "on",
            "~",
            "null",
            "12:30",
            "190:20:30",
            "1_000",
            "0x1F",
            "0b11",
            "+5",
            "-0",
            "0.",
            "1.0e+3",
            ".inf",
            ".NaN",
            "1943-07-05",
            "1943-07-05 03:00:00",
            "true",
            "y",
            "=",
            "1e3",
        ],
    )
    def test_T26_typed_scalars_stay_the_text_they_are(self, text):
        assert load(f"a: {text}\n") == {"a": text}

    def test_hex_labels_in_flow_lists_and_as_keys(self):
        assert load("path: [0113, 0114]\n0115: {0116: 2}\n") == {"path": ["0113", "0114"], "0115": {"0116": "2"}}

    def test_an_empty_value_is_empty_text(self):
        assert load("a:\nb: ''\n") == {"a": "", "b": ""}

    def test_T26_a_merge_key_is_an_ordinary_key(self):
        assert load("<<: {a: b}\n") == {"<<": {"a": "b"}}

    def test_quotes_blocks_and_comments_are_usable(self):
        text = "# first\na: 'it''s'\nb: \"x\\x41\"\nc: >-\n  one\n  two\nd:\n- x\n-\n  - y\n"
        assert load(text) == {"a": "it's", "b": "xA", "c": "one two", "d": ["x", ["y"]]}

    def test_line_ends_of_every_system(self):
        assert load("a: b\r\nc: d\r\n") == load("a: b\rc: d\r") == load("a: b\nc: d") == {"a": "b", "c": "d"}

    def test_explicit_document_marks_around_one_document(self):
        assert load("---\na: b\n...\n") == {"a": "b"}


ALIKE = {  # files of the public YAML test suite, by number, with different results of the two parsers
    "4ABK, the colon": "a: [b:]\n",
    "4ABK": '{\nunquoted : "separate",\nhttp://foo.com,\nomitted value:,\n}\n',
    "JR7V": "k:\n- a?string\n- {key: value?}\n",
    "JR7V, lists": "k: [a?string]\n",
    "JR7V, mappings": "k: {key?: value}\n",
    "X4QW": "block: ># comment\n  scalar\n",
    "X4QW, in a note": "note: ># comment\n  scalar\n",
    "X4QW, one line": "block: >-# comment\n  scalar\n",
}


@pytest.mark.usefixtures("parser")
@pytest.mark.parametrize("name", ALIKE)
def test_T26_machines_with_and_without_libyaml_give_the_same_verdict(name):
    assert len(refuse(ALIKE[name]).message) > 20


@pytest.mark.usefixtures("parser")
@pytest.mark.parametrize(
    ("text", "words"), [("a: [b:]\n", "directly before a comma"), ("a: |-#\n  b\n", "a comment directly after")]
)
def test_T26_and_the_same_words(text, words):
    refuse(text, words)


@pytest.mark.usefixtures("parser")
@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("a: b?\n", "b?"),
        ("a: b ? c\n", "b ? c"),
        ("a: ?b\n", "?b"),
        ("a: ['b?', \"?\"]\n", ["b?", "?"]),
        ('a: {"b":[c]}\n', {"b": ["c"]}),
        ("a: >- # x\n  b:,\n", "b:,"),
        ("a: '|#'\n", "|#"),
        ("a: b:,c\n", "b:,c"),
        ("a: [b:c]\n", ["b:c"]),
        ("# why? ># {?\na: b\n", "b"),
        ("a: >-\n  b?\n", "b?"),
    ],
)
def test_T26_question_marks_and_colons_that_both_parsers_read_alike_are_read(text, value):
    assert load(text)["a"] == value


@pytest.mark.usefixtures("parser")
@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("note: |\n  a", "a"),
        ("note: |\n  a\n", "a\n"),
        ("note: |\n  a\n\n", "a\n"),
        ("note: |\n  a\n...", "a\n"),
        ("note: |+\n  a", "a"),
        ("note: |+\n  a\n", "a\n"),
        ("note: |+\n  a\n\n", "a\n\n"),
        ("note: |+\n  a\n  ", "a\n"),
        ("note: |+\n  a\n   ", "a\n "),
        ("note: |+\n  ", ""),
        ("note: |+\n  \n", "\n"),
        ("note: |-\n  a", "a"),
        ("note: >\n  a\n  b", "a b"),
        ("note: >+\n  a\n  b", "a b"),
        ("note: |", ""),
        ("note: |\r\n  a\r\n  b", "a\nb"),
        ("note: |\r\n  a\r", "a\n"),
        ("note: |\n  a\n# end", "a\n"),
    ],
)
def test_T26_what_the_end_of_a_file_cuts_off_has_no_line_end(text, value):
    """4.2: both parsers read the text so, and signed texts must always read so."""
    assert load(text) == {"note": value}


def test_T26_both_parsers_agree_on_every_small_block_at_the_end_of_a_file():
    """Three lines of blanks and letters after each sign, with and without a last line end."""
    pieces = ["  a", "   a", "", " ", "  ", "    "]
    for sign, one, two, three, end in product(
        ["|", ">", "|-", ">-", "|+", ">+", "|2", ">1+"], pieces, pieces, pieces, ["", "\n", "\r\n"]
    ):
        text = f"note: {sign}\n{one}\n{two}\n{three}{end}"
        found = [list(_parse_events(text, loader)) for loader in (yaml.CBaseLoader, yaml.BaseLoader)]
        assert found[0] == found[1], text


def _parse_events(text, loader):
    """Yield kinds and values of events, or a fault."""
    try:
        for event in yaml.parse(text, Loader=loader):
            yield type(event), getattr(event, "value", "")
    except yaml.YAMLError:
        yield "fault"


@pytest.mark.usefixtures("parser")
class TestRefused:
    @pytest.mark.parametrize(
        ("text", "words"),
        [
            ("a: &x b\n", ["f.yaml:1", "anchor"]),
            ("b: c\na: *x\n", ["f.yaml:2", "alias"]),
            ("*x : b\n", ["f.yaml:1", "alias"]),
            ("a: !!int '3'\n", ["f.yaml:1", "tag"]),
            ("a: !!set {b}\n", ["tag"]),
            ("a: !!python/object/apply:os.system [ls]\n", ["tag"]),
            ("a: ! b\n", ["tag"]),
            ("&x {a: b}\n", ["anchor"]),
            ("!!map {a: b}\n", ["tag"]),
            ("a: b\nc: d\na: e\n", ["f.yaml:3", "'a'", "twice"]),
            ("c: {a: b, 'a': d}\n", ["f.yaml:1", "twice"]),
            ("a: b\n---\nc: d\n", ["f.yaml:2", "second document"]),
            ("%YAML 1.2\n---\na: b\n", ["f.yaml:1", "directive"]),
            ("%TAG ! tag:x,2000:\n---\na: b\n", ["f.yaml:1", "directive"]),
            ("a: b\n...\n%FOO bar\n---\n", ["f.yaml:3", "directive"]),
            ("", ["empty"]),
            ("# only a comment\n", ["empty"]),
            ("- a\n", ["f.yaml:1", "right file"]),
            ("just words\n", ["right file"]),
            ("---\n", ["right file"]),
            ("? [a]\n: b\n", ["key"]),
            ("? a\n: b\n", ["f.yaml:1", "?"]),
            ("a: {? foo: 1}\n", ["f.yaml:1"]),
            ("x: y\na: {?foo: 1}\n", ["f.yaml:2"]),
            ("a: [?x]\n", ["f.yaml:1"]),
            ("a: [x, ?]\n", []),
            ("{{a: b}: c}\n", ["key"]),
            ("x: y\na:\tb\n", ["f.yaml:2", "column 3", "TAB"]),
            (b"x: y\r\na: b\xc3\xa9\n", ["f.yaml:2", "column 5", "U+00E9", "ASCII"]),
            (b"\xef\xbb\xbfa: b\n", ["f.yaml:1", "byte order mark"]),
            ("a: b\n".encode("utf-16"), ["UTF-16"]),
            ("a: b\n".encode("utf-16-le"), ["UTF-16"]),
            (b"a: b\0\n", ["0x00"]),
            (b"a: \x1b[2J\n", ["0x1b"]),
            (b"a: b\x7f\n", ["0x7f"]),
            ('a: "\\x00"\n', ["U+0000", "f.yaml:1"]),
            ('a: "\\u202e"\n', ["U+202E"]),
            ('a: "x\\ny"\n', ["U+000A"]),
            ("a: |\n  two\n  lines\n", ["U+000A"]),
            ("a: b\n\n  c\n", ["U+000A", "indented"]),
            ('"\\u0430": b\n', ["U+0430"]),
            ('a: {note: "\\u0430"}\n', ["U+0430"]),
            ('a: "\\UFFFFFFFF"\n', []),
            ("a: [b\n", ["f.yaml", "bracket of line 1"]),
            ("a: b: c\n", ["f.yaml:1", "in quotes"]),
            ("b: c\na: 'b\n\n", ["f.yaml:2", "quote that begins here"]),
            ('a: "\\q"\n', ["escape"]),
            ("a: @b\n", ["in quotes"]),
            ("a: " + "x" * (MAX_SCALAR + 1), [str(MAX_SCALAR)]),
            ("a: [" + "b, " * MAX_NODES + "b]\n", [str(MAX_NODES), "f.yaml:1"]),
            ("#" * 262_145, ["262144 bytes"]),
        ],
    )
    def test_T26_refused_with_its_place(self, text, words):
        refuse(text, *words)

    def test_depth_twelve_is_read_and_thirteen_is_not(self):
        assert load("a: " + "[" * 11 + "b" + "]" * 11)
        refuse("a: " + "[" * 12 + "b" + "]" * 12, "12 deep")

    @pytest.mark.slow
    @pytest.mark.parametrize("start", ["a: ", *map(sweeps.long, ["", "a:\n"])])
    @pytest.mark.parametrize(
        "unit",
        sweeps.some(
            [
                "[",
                "{",
                "- ",
                "- - - ",
                "? ",
                "? ? ",
                " [\n",
                "{a: ",
                "[[],",
                "1:",
                "1,",
                "!a ",
                "&a ",
                "*a ",
                "'",
                '"',
                "|\n",
                "#",
                "a: ",
                "\n",
                " ",
                "%",
                "\\",
                "--- ",
                "[a: ",
            ],
            3,
        ),
    )
    def test_T27_nesting_and_repetition_are_refused_or_harmless_at_once(self, start, unit, parser):
        raw = (start + unit * (BIG // len(unit))).encode()
        began = time.perf_counter()
        try:
            found = read(raw, "f.yaml").data
        except FileError:
            found = {}
        assert time.perf_counter() - began < (0.5 if parser == "libyaml" else 8)
        assert len(found) <= 1

    def test_T26_a_bomb_of_aliases_is_refused_at_its_first_anchor(self):
        bomb = "a: &a [x,x]\n" + "".join(f"{c}: &{c} [*{p},*{p}]\n" for p, c in zip("abcdefg", "bcdefgh", strict=True))
        refuse(bomb, "f.yaml:1", "anchor")


class TestFreeText:
    def test_notes_names_and_the_signature_hold_lines_and_letters(self):
        text = 'note: "\\u0423\\n\\U0001F600"\nnames:\n  german: "J\\u00fcrgen"\nsignature: |\n  a\n  b\n'
        assert load(text) == {"note": "\u0423\n\U0001f600", "names": {"german": "J\u00fcrgen"}, "signature": "a\nb\n"}

    @pytest.mark.parametrize(
        "code",
        [
            "x00",
            "x09",
            "x1b",
            "x7f",
            "x85",
            "xad",
            "u0600",
            "u061c",
            "u06dd",
            "u070f",
            "u180e",
            "u200b",
            "u200f",
            "u2028",
            "u202e",
            "u2066",
            "ue000",
            "uf8ff",
            "ufdd0",
            "ufeff",
            "ufff9",
            "uffff",
            "U000e0001",
            "U0010ffff",
        ],
    )
    def test_T29_what_is_invisible_or_turns_the_line_is_refused_in_names(self, code):
        refuse(f'names: {{german: "a\\{code}b"}}\n')

    @pytest.mark.long
    def test_T29_every_format_character_selector_and_filler_is_refused_and_right_to_left_letters_are_not(self):
        """Only this test asks the Unicode database of this Python, never the reader."""
        words = (
            "VARIATION SELECTOR",
            "HANGUL FILLER",
            "HANGUL CHOSEONG FILLER",
            "HANGUL JUNGSEONG FILLER",
            "SCRIPT FILLER",
            "PATTERN BLANK",
            "GRAPHEME JOINER",
            "VOWEL INHERENT",
            "NULL NOTEHEAD",
        )
        for code in range(0xA0, 0x110000):
            letter, name = chr(code), unicodedata.name(chr(code), "")
            if unicodedata.category(letter) in ("Cf", "Zl", "Zp") or any(word in name for word in words):
                assert free_text_fault(letter), hex(code)
        for letter in "\u05d0\u0627\u0660\u07ca\ufb1d\U0001e900\u00e9\u0423\u3042\u00a0":
            assert load(f'note: "\\U{ord(letter):08x}"\n') == {"note": letter}

    @pytest.mark.parametrize("letter", ["\u0605", "\u061d", "\u2027", "\u2030", "\u205f", "\u2070", "\ufdf0", "\ufffd"])
    def test_T29_ranges_end_where_they_end(self, letter):
        text = f'note: "\\u{ord(letter):04x}"\n'
        if letter in "\u0605\ufffd":
            refuse(text, f"U+{ord(letter):04X}")
        else:
            assert load(text) == {"note": letter}

    def test_keys_inside_names_are_never_free(self):
        refuse('names: {"\\u0430": b}\n', "U+0430")

    def test_the_same_words_deeper_down_are_machine_text(self):
        refuse('orders:\n  note: "\\u0430"\n', "f.yaml:2", "U+0430")
        refuse('orders:\n  names: {a: "\\u0430"}\n', "U+0430")

    def test_scenario_files_have_their_free_places_at_any_depth(self):
        text = 'map:\n  "0113": {name: "\\u0411", notes: ["\\u0413\\n"]}\n'
        assert load(text, kind="scenario") == {"map": {"0113": {"name": "\u0411", "notes": ["\u0413\n"]}}}
        refuse('map: {terrain: "\\u0411"}\n', "U+0411", kind="scenario")
        refuse('signature: "\\u0411"\n', kind="scenario")

    def test_free_text_ends_with_its_container(self):
        refuse('map:\n  name: "\\u0411"\n  terrain: "\\u0411"\n', "f.yaml:3", kind="scenario")
        refuse('names: {a: b}\nfrom: "\\u0411"\n', "f.yaml:2")


class TestPlaces:
    document = read(b"a: b\nc:\n  d: [x,\n      y]\n  e:\n  - f: g\n    h:\n      i\n", "dir/f.yaml")

    @pytest.mark.parametrize(
        ("path", "line"),
        [
            (("a",), 1),
            (("c", "d"), 3),
            (("c", "d", 0), 3),
            (("c", "d", 1), 4),
            (("c", "e", 0, "f"), 6),
            (("c", "e", 0, "h"), 8),
            ((), 1),
            (("c", "d", 7), 3),
            (("c", "d", "x"), 3),
            (("c", "nothing", "there"), 3),
            (("a", "b", "c"), 1),
            (("zz",), 1),
        ],
    )
    def test_the_line_of_a_value_or_of_its_nearest_ancestor(self, path, line):
        assert str(self.document.where(path)) == f"dir/f.yaml:{line}"

    def test_places_after_a_nested_container_are_right(self):
        document = read(b"a: {b: {c: d}, e: [f, {g: h}]}\ni: j\n", "f")
        assert document.data == {"a": {"b": {"c": "d"}, "e": ["f", {"g": "h"}]}, "i": "j"}
        assert document.where(("i",)).line == 2

    def test_T27_the_line_of_a_field_is_seen_without_a_second_reading(self, monkeypatch):
        """Bug: the fault of a signature needs its line, so each of 30 papers in a mail was read twice."""
        document = read(b"a: [b,\n  c]\nsignature: |\n  d\n", "f")
        monkeypatch.setattr(strictyaml, "_find_lines", None)
        assert document.where(("signature",)).line == 3

    @pytest.mark.parametrize(
        ("text", "line"),
        [
            ("b: c\na:\n  d\n", 3),
            ("b: c\na: # e\n  d\n", 3),
            ("b: c\n'a': d\n", 2),
            ("b: c\na : d\n", 2),
            ("b: 'x\na: c'\na : d\n", 3),
            ("b: 'x\na: c'\n\"a\": d\n", 3),
            ("# e\n\n b: 'x\na: c'\n a: d\n", 5),
            ("{b: 'x\na: c', e: f,\n a: d}", 3),
            ("note: |\n  a: c\na: d\n", 3),
            ("b: 'x\na: c'\na: d\n", 3),
            ("b: c\r\na: d\r", 2),
            ("{b: c,\n\na: d}", 3),
            ("---\n# a: c\naa: c\na:   d\n", 4),
        ],
    )
    def test_the_line_of_a_field_however_it_is_written(self, text, line):
        assert read(text.encode(), "f").where(("a",)).line == line


def test_T29_an_error_shows_foreign_text_escaped_and_cut():
    error = refuse('a: "\\u001b]0;owned\\u0007' + "x" * 500 + '"\n')
    assert "\\x1b]0;owned" in error.message
    assert len(error.message) < 250


@given(st.binary(max_size=300))
def test_T26_any_bytes_give_plain_data_or_our_own_refusal(raw):
    try:
        found = read(raw, "f").data
    except FileError:
        return
    assert only_plain(found)


@given(st.text(st.sampled_from("ab:-?[]{},&*!|>'\"%@`#\n ~\\0x"), max_size=60))
def test_T26_any_yaml_like_text_reads_alike_with_both_parsers(text):
    found = []
    for loader in (yaml.CBaseLoader, yaml.BaseLoader):
        strictyaml.event_parser.cache_clear()
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(yaml, "CBaseLoader", loader)
            try:
                found.append(load(text))
            except FileError:
                found.append({})
    strictyaml.event_parser.cache_clear()
    assert found[0] == found[1]


def only_plain(value) -> bool:
    if isinstance(value, dict):
        return all(isinstance(k, str) and only_plain(v) for k, v in value.items())
    return all(map(only_plain, value)) if isinstance(value, list) else isinstance(value, str)
