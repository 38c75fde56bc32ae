"""Captions: the title, the figures and the story of a frame in lines of some pixels.

The lines contain only letters that the fonts of films have.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from kursk_pbem.kernel.picture import Point
from kursk_pbem.report.pictures.svgtext import escape, fit_letters
from kursk_pbem.report.replay import Frame, make_card

_LONGEST = 400
"""Maximum number of letters of a caption before the fitting: a longer name would only cost time."""
_STOP = re.compile(r"(?<=[a-z)])\. (?=[A-Z])")  # the full stop of 'II.' or '12.' belongs to a name
_SHORTENED = re.compile(r"\b[^\Waeiouy_]+$")  # a word without a vowel, such as 'schw', ends no sentence
_PLACE = re.compile(r"(?:At|(?:(?:North|South)(?:-east|-west)?|East|West) of) (?=([^,]{1,40}),)")
_LACKING = re.compile(
    "[^\n -~\u00a0-\u017f\u0218-\u021b\u0400-\u045f\u0490\u0491\u2010\u2013-\u2015\u2017-\u201e\u2020-\u2022\u2026"
    "\u2030\u2032\u2033\u2039\u203a\u20ac\u2116\u2190-\u2195\u2212\u2248\u2260\u2264\u2265]"
)
"""Letters outside the subsets of fonts in ``film/fonts`` (decision 105)."""


def name_frame(frame: Frame) -> str:
    """Return the title of a frame. For a battle it names the place in words, because the map shows no hex numbers."""
    title = str(make_card(frame)["title"])
    where = _PLACE.match(frame.told) if frame.clash else None
    return f"{title}, {where[0].lower()}{where[1]}" if where and where[1] not in title else title


def write_figures(frame: Frame, size: int, room: int, *, waits: bool = False) -> str:
    """Return one line about a battle (strengths, odds, dice, result), or about the dice of a shot or phase.

    ``waits``: whether dice and result are left out, because the dice have not fallen yet.
    """
    card, clash = make_card(frame), frame.clash
    odds = f"{'odds ' * (':' in card['odds'])}{card['odds']}"
    forces = f"{' : '.join(f'{side} {strength}' for side, _units, strength in card['forces'])}, {odds}"
    dice = () if waits else (clash.dice,) if clash and clash.dice else frame.dice  # perhaps of an earlier message
    thrown = [f"{who} {die}" for who, die in zip(card["whose"], dice, strict=False)] if not clash else []
    name = "dice " if len("".join(dice)) > 1 else "die " if dice else ""
    meant = clash.meaning if clash else ""
    for meaning in (
        f"{meant} (chance {clash.chance})" if clash and clash.chance else meant,
        meant,
        meant.partition(":")[0],
    ):
        means = "" if waits else f"{clash.result}, {meaning}" if clash and clash.result else card["result"]
        told = ": ".join(filter(None, (name + ", ".join(thrown or dice), means if dice or clash else "")))
        line = "; ".join(filter(None, (forces if clash else "", told)))
        if measure(line, size) <= room:
            break
    return next(iter(wrap(line[:1].upper() + line[1:], size, room, 1)), "")


def split_sentences(told: str) -> list[str]:
    """Return the sentences of a text, with the full stops."""
    sentences: list[str] = []
    for part in filter(None, _STOP.split(told.removesuffix("."))):
        if sentences and _SHORTENED.search(sentences[-1][:-1]):
            sentences[-1] += f" {part}."
        else:
            sentences.append(f"{part}.")
    return sentences


def escape_letters(text: str) -> str:
    """Return a text in which escapes such as '\\u05d0' replace letters that the fonts cannot draw."""
    return _LACKING.sub(lambda found: ascii(found[0])[1:-1], text)


def measure(text: str, size: int) -> int:
    """Return the most pixels that a line of text can need in any font."""
    return fit_letters(text, size * 100, 10_000_000)[1] // 100


def cut(text: str, size: int, room: int) -> str:
    """Return a text that fits into ``room`` pixels. In a longer text, an ellipsis replaces the end."""
    kept = escape_letters(text[:_LONGEST])
    if len(text) > _LONGEST or measure(kept, size) > room:
        while measure(f"{kept}\u2026", size) > room:
            kept = kept[:-1].rstrip()
        kept = f"{kept}\u2026"
    return kept


def draw_line(kind: str, text: str, at: Point, size: int) -> str:
    """Return a line of text as SVG, in the style ``kind``. The line is equally long in every font."""
    long = f'textLength="{measure(text, size)}" lengthAdjust="spacingAndGlyphs"'
    return f'<text class="{kind}" x="{at[0]}" y="{at[1]}" {long}>{escape(text)}</text>'


def wrap(text: str, size: int, room: int, most: int) -> list[str]:
    """Return a text as at most ``most`` lines of ``room`` pixels. An ellipsis replaces the end of a longer text."""
    lines: list[str] = []
    for word in escape_letters(text[: _LONGEST + 1]).split():
        if lines and (len(lines) == most or measure(f"{lines[-1]} {word}", size) <= room):
            lines[-1] += f" {word}"
        else:
            lines.append(word)
    return [cut(line, size, room) for line in lines]


def fit_sentences(sentences: Sequence[str], size: int, room: int, most: int) -> tuple[str, ...]:
    """Return lines with as many whole sentences as fit. If no sentence fits, return the beginning of the first."""
    told, lines = "", list[str]()
    for sentence in sentences:
        longer = wrap(f"{told} {sentence}", size, room, most)
        if not told or (longer and longer[-1][-1:] != "\u2026"):
            told, lines = f"{told} {sentence}".lstrip(), longer
    return tuple(lines)
