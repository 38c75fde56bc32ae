"""Sentences of a project with their ratings; the sentences of Python files: docstrings, comments, messages."""

from __future__ import annotations

import ast
import re
import tomllib
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

LONG = 28
"""Maximum number of words of a sentence that does not count as long."""
_WORDS = tomllib.loads(Path(__file__).with_name("plain_words.toml").read_text(encoding="utf-8"))
PRONOUNS, VERBS, BAD_OPENERS = (frozenset(_WORDS[key].split()) for key in ("pronouns", "verbs", "bad_openers"))
BANNED: dict[str, str] = _WORDS["banned"]
"""Regular expressions of banned phrases, each with the words to write instead."""
WHOLE = r"(?<![\w-])(?:{})(?![\w-])"
"""The regular expression of a phrase as whole words."""
_ANY_BANNED = re.compile(WHOLE.format("|".join(f"(?:{pattern})" for pattern in BANNED)), re.IGNORECASE)
_CITED = re.compile(
    r"^(?:(?:[A-Z]{1,3}-\d+[a-z]?|\d+(?:\.\d+)*[\w.-]*|T\d+)(?: ?\([\w, ]+\))?(?:, | to | and |; )?)+: "
)
"""The citation at the beginning of a docstring of the rules, such as '9.3-stand-fast, K-54: '."""
_MASKED = (
    r"(?m)^\s*(?:>>>|\.\.\.).*$",
    r"(?s)```.*?```",
    r"``[^`]*``|`[^`\n]*`",
    r":\w+:`[^`]*`",
    r"(?m)^\s*\.\. [\w-]+::.*$",
    r"(?m)^\s*(?::\w+.*?:|@\w+)",
    r"(?ms)^\s*={3,}(?: +={3,})+ *$.*^\s*={3,}(?: +={3,})+ *$",
    r"https?://\S+",
    '\u201c[^\u201d]*\u201d|"[^"\\n]{12,}"|\u201e[^\u201c]*\u201c',
    r"(?<![\w])'[^'\n]{2,60}'(?![\w])",
)
"""Regular expressions of code, links and quotations."""
_SECTIONS = r"Args|Arguments|Returns|Raises|Yields|Attributes|Example|Examples|Usage|Note|Notes|See|Warning"
_HEADS = re.compile(rf"(?m)^\s*(?:{_SECTIONS})s?:?\s*$")
_SENTENCE_END = re.compile(r"(?<=[.!?])[)\]'\"]*\s+(?=[A-Z`'\"(\[0-9])|\n\s*\n|\n\s*[-*] |\n\s*\d+\. |;\s+(?=X[ ,:])")
_WORD = re.compile("[A-Za-z][A-Za-z'\u2019-]*")
_PASSIVE = re.compile(
    r"\b(?:is|are|was|were|be|been|being)(?: \w+ly| not| no| never| also)* "
    r"(?:\w{2,}ed|given|taken|told|said|written|kept|held|known|seen|done|made|sent|put|read|found|left|lost|shown|gone"
    r"|laid|let|cut|got|set|met|heard|thrown|chosen|drawn)\b",
    re.IGNORECASE,
)
_PROSE = re.compile(r"[a-z]{2,}(?:,|;|:|\.)? [a-z]{1,}(?:,|;|:|\.)? [a-z]{2,}")
_NO_PROSE = re.compile(r"[\\^$|{}]{2,}|</|/>|\(\?|\bSELECT\b|^\s*[.#]?[\w-]+\s*\{|: \[|^--|\w+:\n")
_NO_COMMENT = re.compile(r"!|type:|noqa|pragma|fmt:|mypy:|pylint|ruff:")
Function = ast.FunctionDef | ast.AsyncFunctionDef
Spans = Mapping[int, Iterable[tuple[int, int]]]
"""Columns of the strings of a module, by line."""


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence with its place and its rating."""

    file: str
    line: int
    kind: str
    text: str
    words: int = 0
    pronouns: int = 0
    banned: int = 0
    passive: bool = False

    @property
    def score(self) -> float:
        """The need of a new wording; 0 is plain."""
        pronouns = max(0.0, self.pronouns / max(self.words, 8) - 0.06)
        return 12 * pronouns + 1.5 * self.banned + max(0, self.words - LONG) / 6 + (0.4 if self.passive else 0)


@dataclass
class Room:
    """The sentences and names of a room. ``bad_openers``: docstrings with a bad first word."""

    sentences: list[Sentence] = field(default_factory=list)
    openers: Counter[str] = field(default_factory=Counter)
    bad_openers: list[Sentence] = field(default_factory=list)
    names: list[tuple[str, int, str]] = field(default_factory=list)

    def rate(self, file: str, line: int, kind: str, raw: str) -> None:
        """Add the sentences of a text to the room."""
        lines = raw.split("\n")
        for offset, sentence in _split_sentences(_HEADS.sub("", mask(raw))):
            words = [word.lower() for word in _WORD.findall(sentence) if word != "X"]
            if not words:
                continue
            flat = " ".join(sentence.split())
            height = sentence.count("\n") + 1
            shown = flat if "X" not in flat else " ".join(" ".join(lines[offset : offset + height]).split())
            pronouns = sum(word in PRONOUNS for word in words)
            banned = len(_ANY_BANNED.findall(flat))
            passive = bool(_PASSIVE.search(flat))
            self.sentences.append(Sentence(file, line + offset, kind, shown, len(words), pronouns, banned, passive))

    def compute_figures(self) -> dict[str, float]:
        """Return the figures by name, as in a file of limits."""
        found: dict[str, float] = {}
        for kind in ("doc", "comment", "message", "page"):
            texts = [text for text in self.sentences if text.kind == kind]
            if words := sum(text.words for text in texts):
                counted = [text for text in texts if text.words >= 3]
                count = max(len(counted), 1)
                found[f"{kind}_words"] = words
                found[f"{kind}_pronouns"] = 100 * sum(text.pronouns for text in texts) / words
                found[f"{kind}_mean"] = sum(text.words for text in counted) / count
                found[f"{kind}_long"] = 100 * sum(text.words > LONG for text in counted) / count
                found[f"{kind}_banned"] = 1000 * sum(text.banned for text in texts) / words
                found[f"{kind}_passive"] = 100 * sum(text.passive for text in counted) / count
        if total := sum(self.openers.values()):
            found["openers"] = 100 * (self.openers["imperative"] + self.openers["noun"]) / total
            found["imperative"] = 100 * self.openers["imperative"] / total
        if self.names:
            found["name_length"] = sum(len(name.strip("_")) for name, _line, _file in self.names) / len(self.names)
            found["name_bare"] = 100 * sum(is_bare(name) for name, _line, _file in self.names) / len(self.names)
        return found


def is_bare(name: str) -> bool:
    """Return whether a function's name is a single word and no verb, such as 'told' or 'one'."""
    bare = name.strip("_")
    return "_" not in bare and not re.search(r"[a-z][A-Z]", bare) and bare.lower() not in VERBS


def mask(text: str) -> str:
    """Replace code, links and quotations by the neutral word X."""
    for pattern in _MASKED:
        text = re.sub(pattern, " X ", text)
    return re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", text)


def is_prose(text: str) -> bool:
    """Return whether a string literal reads like a sentence of at least four words."""
    if not 16 <= len(text) <= 4000 or _NO_PROSE.search(text):
        return False
    words = _WORD.findall(text)
    return len(words) >= 4 and bool(_PROSE.search(text)) and sum(map(len, words)) > 0.55 * len(text)


def classify_opener(doc: str) -> str:
    """Classify the first word of a function's docstring: 'imperative', 'noun', 'third' or 'bad'."""
    words = [word.lower() for word in _WORD.findall(mask(_CITED.sub("", doc.strip())[:160]))]
    if not words:
        return "noun"
    first = words[0]
    if first in VERBS:
        return "imperative"
    if first.endswith("s") and VERBS & {first[:-1], first[:-2], first[:-3] + "y"} and len(words) > 1:
        return "third"
    return "bad" if first in BAD_OPENERS or words[:2] == ["the", "same"] else "noun"


def read_python(room: Room, path: Path, file: str, *, messages: bool) -> None:
    """Rate the docstrings, comments, names and, if wanted, the messages of a module."""
    source = path.read_text(encoding="utf-8")
    tree = ast.parse(source)
    docs: set[int] = set()
    lines = source.split("\n")
    strings: list[ast.Constant | ast.JoinedStr] = []
    parts: set[int] = set()
    for node in ast.walk(tree):
        docs |= _read_docstrings(room, node, file)
        _read_comment_above(room, node, lines, file)
        if isinstance(node, Function) and not (node.name.strip("_") == "" or _is_special(node)):
            room.names.append((node.name, node.lineno, file))
        elif isinstance(node, ast.JoinedStr):
            parts |= {id(part) for part in ast.walk(node) if part is not node}
            strings.append(node)
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            strings.append(node)
    for string in strings if messages else ():
        text = _join_parts(string) if isinstance(string, ast.JoinedStr) else str(string.value)
        if id(string) not in docs | parts and is_prose(text):
            room.rate(file, string.lineno, "message", text)
    spans = _find_spans(strings)
    for number, line in enumerate(lines, 1):
        text = _find_comment(line, spans.get(number, ())) if "#" in line else ""
        if text and not _NO_COMMENT.match(text):
            room.rate(file, number, "comment", text)


def _read_docstrings(room: Room, node: ast.AST, file: str) -> set[int]:
    """Rate the docstrings in a node's body, including docstrings of constants; return their ids."""
    found: set[int] = set()
    body = getattr(node, "body", ())
    body = body if isinstance(body, list) else []
    for place, child in enumerate(body):
        if not (isinstance(child, ast.Expr) and isinstance(child.value, ast.Constant)):
            continue
        documented = isinstance(node, ast.Module | ast.ClassDef | Function) if place == 0 else None
        if isinstance(child.value.value, str) and (
            documented or isinstance(body[place - 1], ast.Assign | ast.AnnAssign)
        ):
            found.add(id(child.value))
            doc = child.value.value
            room.rate(file, child.value.lineno, "doc", _CITED.sub("", doc))
            if place == 0:
                _rate_opener(room, node, child.value.lineno, doc, file)
    return found


def _rate_opener(room: Room, node: ast.AST, line: int, doc: str, file: str) -> None:
    """Rate the first word of a function's description."""
    if isinstance(node, Function) and not _is_special(node) and node.name[:5] != "test_":
        kind = classify_opener(doc)
        room.openers[kind] += 1
        if kind in ("bad", "third"):
            room.bad_openers.append(Sentence(file, line, "opener", f"{node.name}: {doc.strip().splitlines()[0]}"))


def _read_comment_above(room: Room, node: ast.AST, lines: Sequence[str], file: str) -> None:
    """Rate the comment above a function or class without a docstring like a docstring."""
    if not isinstance(node, Function | ast.ClassDef) or ast.get_docstring(node) is not None:
        return
    last = first = min([node.lineno, *(each.lineno for each in node.decorator_list)]) - 1
    while first and lines[first - 1].strip().startswith("#"):
        first -= 1
    if doc := "\n".join(line.strip(" #") for line in lines[first:last]):
        room.rate(file, first + 1, "doc", doc)
        _rate_opener(room, node, first + 1, doc, file)


def _is_special(node: Function) -> bool:
    """Return whether a function is a property, an overload or a magic method: named and described like a value."""
    plain = [each for each in node.decorator_list if isinstance(each, ast.Name | ast.Attribute)]
    names = {ast.unparse(each).rpartition(".")[2] for each in plain}
    return bool(names & {"property", "cached_property", "setter", "overload"}) or node.name.startswith("__")


def _split_sentences(text: str) -> Iterator[tuple[int, str]]:
    """Yield each sentence of a masked text with its offset in lines."""
    start = 0
    for end, following in [*((match.start(), match.end()) for match in _SENTENCE_END.finditer(text)), (len(text), 0)]:
        part = text[start:end]
        yield text.count("\n", 0, start + len(part) - len(part.lstrip())), part
        start = following


def _join_parts(node: ast.JoinedStr) -> str:
    """Return the text of an f-string, with X for each value."""
    texts = (part.value if isinstance(part, ast.Constant) else "X" for part in node.values)
    return "".join(text if isinstance(text, str) else "X" for text in texts)


def _find_spans(strings: Iterable[ast.Constant | ast.JoinedStr]) -> dict[int, list[tuple[int, int]]]:
    """Return the columns in bytes of all strings, by line."""
    spans: dict[int, list[tuple[int, int]]] = {}
    for node in strings:
        last = node.end_lineno or node.lineno
        for line in range(node.lineno, last + 1):
            left = node.col_offset if line == node.lineno else 0
            right = (node.end_col_offset or 0) if line == last else 1 << 20
            spans.setdefault(line, []).append((left, right))
    return spans


def _find_comment(line: str, spans: Iterable[tuple[int, int]]) -> str:
    """Return the comment of a line, or ''. ``spans``: columns of the strings in the line."""
    raw = line.encode()
    for match in re.finditer(b"#", raw):
        if not any(left <= match.start() < right for left, right in spans):
            return raw[match.end() :].decode().strip()
    return ""
