"""Measure how plain the English of the project is, list the worst sentences, check limits.

python tools/plain.py                             figures of every room and page
python tools/plain.py --in kursk_pbem/post        figures of one folder or file
python tools/plain.py --worst 40 --in PATH        the 40 worst sentences, as file:line
python tools/plain.py --words                     how often each banned phrase occurs
python tools/plain.py --limits tools/plain.toml   exit with status 1 if a figure exceeds its limit
python tools/plain.py --freeze tools/plain.toml   write the present figures as limits
python tools/plain.py --commits 200               figures of the last 200 commit subjects

Rooms are the folders of the package, ``tests``, ``tools`` and groups of Markdown pages. Messages are string literals
that read like prose, and the texts of templates and guides. A comment above a function without a docstring counts as
its docstring. Code, quotations and data do not count. The counted words are in ``plain_words.toml``.

The meter does not know whether a sentence is true, or whether a sentence contains the noun of a pronoun.
"""

from __future__ import annotations

import argparse
import re
import subprocess
import sys
import tomllib
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path

from plain_pages import read_guide, read_page, read_script, read_template
from plain_texts import BANNED, PRONOUNS, VERBS, WHOLE, Room, is_bare, read_python

ROOT = Path(__file__).resolve().parent.parent
SLACK = 0.3
"""Slack of frozen limits: other work in a room must not fail by a tenth."""
COLUMNS = (
    ("doc_words", "docs", "words of docstrings"),
    ("doc_pronouns", "pron", "pronouns and relative words, % of docstring words"),
    ("openers", "open", "docstrings of functions that begin with an imperative or a noun, %"),
    ("imperative", "imp", "docstrings of functions that begin with an imperative, %"),
    ("doc_mean", "w/s", "words per sentence"),
    ("doc_long", ">28", "sentences of docstrings above 28 words, %"),
    ("doc_banned", "ban", "banned phrases per 1,000 words of docstrings"),
    ("comment_pronouns", "#pron", "pronouns in comments, %"),
    ("comment_banned", "#ban", "banned phrases per 1,000 words of comments"),
    ("message_words", "msgs", "words of messages"),
    ("message_pronouns", "mpron", "pronouns in messages, %"),
    ("message_long", "m>28", "sentences of messages above 28 words, %"),
    ("message_banned", "mban", "banned phrases per 1,000 words of messages"),
    ("message_passive", "mpass", "sentences of messages in the passive voice, %"),
    ("name_length", "name", "letters of a function's name, mean"),
    ("name_bare", "bare", "functions named by one word that is no verb, %"),
)
PAGE_COLUMNS = (
    ("page_words", "words", "words of pages"),
    ("page_pronouns", "pron", "pronouns, %"),
    ("page_mean", "w/s", "words per sentence"),
    ("page_long", ">28", "sentences above 28 words, %"),
    ("page_banned", "ban", "banned phrases per 1,000 words"),
    ("page_passive", "pass", "sentences in the passive voice, %"),
)
UPPER = (
    *("doc_pronouns", "doc_mean", "doc_long", "doc_banned", "comment_pronouns", "comment_banned", "message_pronouns"),
    *("message_long", "message_banned", "name_bare", "page_pronouns", "page_mean", "page_long", "page_banned"),
)
LOWER = ("openers", "name_length")
LIMITED = dict.fromkeys(UPPER, 1) | dict.fromkeys(LOWER, -1)
"""Figures with a limit: 1 for an upper limit, -1 for a lower limit."""
GOAL = Path(__file__).with_name("plain_goal.toml")
READERS = {".js": read_script, ".html": read_template, ".yaml": read_guide, ".md": read_page}
"""Readers by the ending of a file's name. Python files have their own."""
Limits = Mapping[str, Mapping[str, float]]
"""Limits by room and figure."""


def find_files(root: Path) -> Iterator[tuple[str, Path]]:
    """Yield the room and path of every rated file of a project."""
    for name in ("kursk_pbem", "tests", "tools"):
        for path in sorted((root / name).rglob("*.*")):
            inner = path.relative_to(root / name).parts
            if path.suffix in (".py", ".js", ".html") or path.name == "guide.yaml":
                yield f"{name}/{inner[0]}" if name == "kursk_pbem" and len(inner) > 1 else name, path
    for path in sorted([*root.glob("*.md"), *(root / "docs").rglob("*.md")]):
        parts = path.relative_to(root).parts
        yield "/".join(parts[:2]), path


def measure(root: Path, only: str = "") -> dict[str, Room]:
    """Rate the files of a project, or the files below a folder; return the rooms by name."""
    rooms: dict[str, Room] = {}
    for name, path in find_files(root):
        file = path.relative_to(root).as_posix()
        if only and file != only and not file.startswith(f"{only.rstrip('/')}/"):
            continue
        room = rooms.setdefault(name, Room())
        if path.suffix == ".py":
            read_python(room, path, file, messages=name not in ("tests", "tools"))
        else:
            READERS[path.suffix](room, path, file)
    return rooms


def print_table(rooms: Mapping[str, Room], columns: Sequence[tuple[str, str, str]]) -> None:
    """Print one line for each room with one of the columns."""
    rows = [(name, room.compute_figures()) for name, room in rooms.items()]
    rows = [(name, figures) for name, figures in rows if any(key in figures for key, _head, _text in columns)]
    if not rows:
        return
    width = max(len(name) for name, _figures in rows)
    print(" " * width, *(f"{head:>6}" for _key, head, _text in columns))
    for name, figures in rows:
        cells = []
        for key, _head, _text in columns:
            digits = 0 if key.endswith("words") else 1
            cells.append(f"{figures[key]:6.{digits}f}" if key in figures else "     -")
        print(f"{name:{width}}", *cells)


def print_worst(rooms: Mapping[str, Room], number: int, kind: str) -> None:
    """Print the worst sentences, docstrings with a bad first word, and bare names."""
    texts = [text for room in rooms.values() for text in room.sentences if kind in ("", text.kind)]
    texts = [text for text in texts if text.words >= 5 and text.score > 1]
    for text in sorted(texts, key=lambda text: (-text.score, text.file, text.line))[:number]:
        print(f"{text.file}:{text.line}: {text.kind} {text.score:.1f}: {text.text}")
        if advice := sorted({BANNED[pattern] for pattern in _find_banned(text.text)}):
            print(f"    -> {'; '.join(advice)}")
    if kind in ("", "opener"):
        for text in [text for room in rooms.values() for text in room.bad_openers][:number]:
            print(f"{text.file}:{text.line}: opener: {text.text}")
    if kind in ("", "name"):
        for name, line, file in [each for room in rooms.values() for each in room.names if is_bare(each[0])][:number]:
            print(f"{file}:{line}: name: {name}")


def _find_banned(text: str) -> Iterable[str]:
    """Yield the pattern of each banned phrase in a text."""
    for pattern in BANNED:
        yield from [pattern] * len(re.findall(WHOLE.format(pattern), text, re.IGNORECASE))


def print_phrases(rooms: Mapping[str, Room]) -> None:
    """Print how often each banned phrase occurs, and the words to write instead."""
    texts = [text for room in rooms.values() for text in room.sentences if text.banned]
    counts = Counter(pattern for text in texts for pattern in _find_banned(text.text))
    for pattern, number in counts.most_common():
        print(f"{number:6} {pattern[:70]:70} -> {BANNED[pattern]}")


def print_commits(root: Path, number: int) -> None:
    """Print figures of the last commit subjects: length, imperative mood, pronouns."""
    command = ["git", "log", "--no-merges", f"-{number}", "--format=%s"]
    subjects = subprocess.run(command, cwd=root, capture_output=True, text=True, check=True).stdout.splitlines()
    texts = [(subject.partition(": ")[2] or subject).lower().split() or [""] for subject in subjects]
    imperative = sum(words[0] in VERBS for words in texts)
    pronouns = sum(word in PRONOUNS for words in texts for word in words)
    long = sum(len(subject) > 60 for subject in subjects)
    print(
        f"{len(subjects)} subjects: {100 * long / len(subjects):.0f} % above 60 characters, "
        f"{100 * imperative / len(subjects):.0f} % imperative, "
        f"{100 * pronouns / sum(map(len, texts)):.1f} % pronouns"
    )


def find_exceeded(rooms: Mapping[str, Room], limits: Limits) -> list[str]:
    """Return a line for each figure beyond its limit; the goal applies to rooms without limits."""
    lines = []
    goal: Limits = tomllib.loads(GOAL.read_text(encoding="utf-8"))
    for name, room in rooms.items():
        figures = room.compute_figures()
        for key, limit in {**goal["default"], **goal.get(name, {}), **limits.get(name, {})}.items():
            if key in figures and LIMITED[key] * (figures[key] - limit) > 0.05:
                advice = f"see: python tools/plain.py --worst 20 --in {name}"
                lines.append(f"{name}: {key} is {figures[key]:.1f}, the limit is {limit}; {advice}")
    return lines


def freeze(rooms: Mapping[str, Room], file: Path) -> None:
    """Write the present figures as limits, with a slack: removing good text changes a share, too.

    No limit is stronger than the goal.
    """
    lines = [
        "# Limits of rooms and pages that are not rewritten yet. Figures may only improve. The commit that rewrites a",
        "# room deletes the section of the room here: then the limits of plain_goal.toml apply.",
    ]
    goal: Limits = tomllib.loads(GOAL.read_text(encoding="utf-8"))
    for name, room in rooms.items():
        figures = room.compute_figures()
        lines += ["", f'["{name}"]']
        for key, way in LIMITED.items():
            if key in figures:
                limit = figures[key] + way * (SLACK + 0.02 * figures[key])
                aim = goal.get(name, {}).get(key, goal["default"][key])
                if way * (limit - aim) > 0:
                    lines.append(f"{key} = {limit:.1f}")
    file.write_text("\n".join(lines) + "\n", encoding="utf-8")


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the meter; return the exit status."""
    legend = "\n".join(f"{head:>6}  {text}" for _key, head, text in (*COLUMNS, *PAGE_COLUMNS))
    parser = argparse.ArgumentParser(epilog=legend, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("root", nargs="?", type=Path, default=ROOT, help="the folder of the project")
    parser.add_argument("--in", dest="only", default="", metavar="PATH", help="only this folder or file")
    parser.add_argument("--worst", type=int, default=0, metavar="N", help="list the N worst sentences")
    parser.add_argument("--kind", default="", help="with --worst: doc, comment, message, page, opener or name")
    parser.add_argument("--words", action="store_true", help="count each banned phrase")
    parser.add_argument("--commits", type=int, default=0, metavar="N", help="rate the last N commit subjects")
    parser.add_argument("--limits", type=Path, metavar="FILE", help="exit with status 1 if a figure exceeds its limit")
    parser.add_argument("--freeze", type=Path, metavar="FILE", help="write the present figures as limits")
    asked = parser.parse_args(arguments)
    if asked.commits:
        print_commits(asked.root, asked.commits)
        return 0
    rooms = measure(asked.root, asked.only)
    if asked.freeze:
        freeze(rooms, asked.freeze)
    elif asked.limits:
        lines = find_exceeded(rooms, tomllib.loads(asked.limits.read_text(encoding="utf-8")))
        print("\n".join(lines) or "plain words: all figures are within their limits")
        return 1 if lines else 0
    elif asked.worst:
        print_worst(rooms, asked.worst, asked.kind)
    elif asked.words:
        print_phrases(rooms)
    else:
        print_table(rooms, COLUMNS)
        print_table(rooms, PAGE_COLUMNS)
    return 0


if __name__ == "__main__":
    sys.exit(main())
