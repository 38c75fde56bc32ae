"""The sentences of scripts, templates, guides and Markdown pages, for the meter of plain English."""

from __future__ import annotations

import re
from pathlib import Path

import yaml
from plain_texts import Room, is_prose

_SCRIPT_STRING = re.compile(r"(?<![\w\\])(\"(?:[^\"\\\n]|\\.)*\"|'(?:[^'\\\n]|\\.)*'|`(?:[^`\\]|\\.)*`)")
_SCRIPT_COMMENT = re.compile(r"(?m)^\s*(?://|\*|/\*\*?) ?(.*?)(?:\*/)?$")
_UNSEEN = re.compile(r"(?s)\{#.*?#\}|<!--.*?-->|<(script|style|svg)\b.*?</\1>")
_FILLED = re.compile(r"(?s)\{\{.*?\}\}")
_INLINE = re.compile(r"</?(?:a|abbr|b|code|em|i|kbd|small|span|strong|time)\b[^>]*>")
_SPLIT = re.compile(r"(?s)\{%.*?%\}|<[^>]*>")


def read_script(room: Room, path: Path, file: str) -> None:
    """Rate the comments and messages of a JavaScript file."""
    source = path.read_text(encoding="utf-8")
    for match in _SCRIPT_STRING.finditer(source):
        text = re.sub(r"\$\{[^}]*\}", "X", match[1][1:-1])
        if is_prose(text):
            room.rate(file, source.count("\n", 0, match.start()) + 1, "message", text)
    for match in _SCRIPT_COMMENT.finditer(source):
        if match[1].strip():
            room.rate(file, source.count("\n", 0, match.start(1)) + 1, "comment", match[1])


def read_template(room: Room, path: Path, file: str) -> None:
    """Rate the texts of an HTML template, and the texts in its expressions."""
    text = _UNSEEN.sub(_blank, path.read_text(encoding="utf-8"))
    filled = [(place.start(), place[0]) for place in _FILLED.finditer(text)]
    found = [(start, each[1][1:-1]) for start, place in filled for each in _SCRIPT_STRING.finditer(place)]
    text = _INLINE.sub(_blank, _FILLED.sub(lambda match: "X" + _blank(match)[1:], text))
    text = _SPLIT.sub(lambda match: "\0" + _blank(match)[1:], text)
    found += [(match.start(), match[0]) for match in re.finditer(r"[^\0\s][^\0]*", text)]
    for start, words in found:
        if is_prose(" ".join(words.split())):
            room.rate(file, text.count("\n", 0, start) + 1, "message", words)


def _blank(match: re.Match[str]) -> str:
    """Return spaces in place of a text. Line ends stay."""
    return re.sub(r"[^\n]", " ", match[0])


def read_guide(room: Room, path: Path, file: str) -> None:
    """Rate the sentences of a YAML guide."""
    nodes = [yaml.compose(path.read_text(encoding="utf-8"), yaml.SafeLoader)]
    while nodes:
        node = nodes.pop()
        if isinstance(node, yaml.ScalarNode) and is_prose(node.value):
            room.rate(file, node.start_mark.line + 1, "message", node.value)
        elif isinstance(node, yaml.SequenceNode):
            nodes += node.value
        elif isinstance(node, yaml.MappingNode):
            nodes += [value for _key, value in node.value]


def read_page(room: Room, path: Path, file: str) -> None:
    """Rate a Markdown page: paragraphs, list items and table cells, but no code, block quotes and headings."""
    block: list[str] = []
    first, fenced = 1, False

    def end_block() -> None:
        if block:
            room.rate(file, first, "page", "\n".join(block))
            block.clear()

    for number, line in enumerate(path.read_text(encoding="utf-8").split("\n"), 1):
        bare = line.strip()
        if bare.startswith(("```", "~~~")):
            fenced = not fenced
            bare = ""
        if fenced or not bare or bare.startswith((">", "#", "<", "---")) or (line.startswith("    ") and not block):
            end_block()
        elif bare.startswith("|"):
            end_block()
            for cell in bare.strip("|").split("|"):
                room.rate(file, number, "page", cell)
        else:
            if not block or re.match(r"[-*+] |\d+\. ", bare):
                end_block()
                first = number
            block.append(re.sub(r"\*\*|__", "", re.sub(r"^(?:[-*+]|\d+\.) ", "", bare)))
    end_block()
