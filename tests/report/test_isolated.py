"""T29: words written from right to left are enclosed in U+2068 and U+2069, and do not reorder the line."""

import pytest

from kursk_pbem.cli.common import plain
from kursk_pbem.formats.text import isolated
from kursk_pbem.report.layout import quote_text

SHALOM, OLAM = "\u05e9\u05dc\u05d5\u05dd", "\u05e2\u05d5\u05dc\u05dd"


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("Odds 5:1", "Odds 5:1"),
        (f'from German, "{SHALOM} {OLAM}" 5:1', f'from German, "\u2068{SHALOM} {OLAM}\u2069" 5:1'),
        (f"{SHALOM} 12 {OLAM}", f"\u2068{SHALOM}\u2069 12 \u2068{OLAM}\u2069"),
        (f'"{SHALOM}", "{OLAM}"', f'"\u2068{SHALOM}\u2069", "\u2068{OLAM}\u2069"'),
        ("J\u00fcrgen \u0423", "J\u00fcrgen \u0423"),
        (f"{SHALOM}\n{OLAM}", f"\u2068{SHALOM}\u2069\n\u2068{OLAM}\u2069"),
    ],
)
def test_T29_words_from_right_to_left_are_isolated_and_only_once(text, shown):
    assert isolated(text) == shown
    assert isolated(isolated(text)) == shown
    assert plain(text) == plain(shown) == shown


def test_T29_each_line_of_a_note_is_isolated_as_one():
    assert quote_text(f"{SHALOM}, {OLAM} 12!\nplain\n\n") == [
        f"> \u2068{SHALOM}, {OLAM} 12!\u2069",
        "> plain",
        ">",
        ">",
    ]


@pytest.mark.parametrize(
    "text",
    [
        "a\u2068b",
        "a\u2069b",
        f"\u2067{SHALOM}",
        f"\u2068{SHALOM}\u202e\u2069",
        "\u200b",
        "\u2068a\n\u2069",
        "\u2068\u2068a\u2069",
        "a\x1bb",
        "\ufeff",
    ],
)
def test_T29_what_turns_a_line_by_itself_is_written_out(text):
    shown = plain(text)
    assert "\\" in shown
    assert shown.count("\u2068") == shown.count("\u2069")
    for letter in "\u2067\u202e\u200b\x1b\ufeff":
        assert letter not in shown


def test_T27_a_long_line_of_such_words_costs_its_length():
    text = f"{SHALOM} ' " * 50_000
    assert len(isolated(text + "x")) < 2 * len(text)
