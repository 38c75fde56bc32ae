"""Changed message files, their verdict and the expected verdict.

:class:`Record` holds a game as mailed with the verified game before each message, so judging a change of message k
starts at message k. The *meaning* of a file is found independently of the program: by PyYAML's loader and base64.
"""

from __future__ import annotations

import base64
import random
import re
import shutil
import traceback
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

import yaml

from helpers import alone
from kursk_pbem.audit import verify
from kursk_pbem.errors import KurskError
from kursk_pbem.game import folders
from kursk_pbem.game import games as record
from kursk_pbem.game.games import Game

PRINTABLE = [chr(code) for code in range(0x20, 0x7F)]
KINDS = ("replaced", "deleted", "doubled")
OURS = 70
_ARMOUR = re.compile(r"\s*-----BEGIN SSH SIGNATURE-----\s([^-]*)\s-----END SSH SIGNATURE-----\s*")


@dataclass(frozen=True)
class Judgement:
    """A verdict of the program: exit status, words of a refusal, or head of the chain."""

    status: int
    text: str = ""
    head: str = ""


@dataclass(frozen=True)
class Change:
    """Message ``seq`` with a changed character: ``kind`` at position ``at`` of its text."""

    seq: int
    at: int
    kind: str

    def __str__(self) -> str:
        return f"message {self.seq}, character {self.at} {self.kind}"


class Record:
    """A copy of a game folder, for changing, judging and restoring one file at a time."""

    def __init__(self, source: Path, scratch: Path) -> None:
        self.folder = Path(shutil.copytree(source, scratch, ignore=shutil.ignore_patterns("*.txt", "*.draft.yaml")))
        self.paths = folders.message_files(self.folder)
        alone.cut_blocks(*self.paths)
        self.texts = [path.read_text(encoding="ascii") for path in self.paths]
        self.meanings = [parse(text) for text in self.texts]
        self.games = [record.begin(folders.read_numbered(self.paths[0], 0))]
        """The verified game after each message."""
        for seq, path in enumerate(self.paths[1:], 1):
            self.games.append(record.extend(self.games[-1], folders.read_numbered(path, seq))[0])

    @property
    def head(self) -> str:
        return self.games[-1].chain.head_id

    def judge(self, seq: int, text: str) -> Judgement:
        """Judge the folder with message ``seq`` replaced by ``text``; the messages before count as verified.

        For an accepted message, the head is the head of the whole game.
        """
        path = self.paths[seq]
        path.write_text(text, encoding="ascii", newline="")
        try:
            message = folders.read_numbered(path, seq)
            game = record.begin(message) if seq == 0 else record.extend(self.games[seq - 1], message)[0]
        except KurskError as error:
            return Judgement(error.exit_status, str(error))
        except Exception:  # noqa: BLE001  every other exception is a find
            return Judgement(OURS, traceback.format_exc())
        finally:
            path.write_text(self.texts[seq], encoding="ascii", newline="")
        return Judgement(0, head=self.head if same_game(game, self.games[seq]) else game.chain.head_id)

    def judge_whole(self, seq: int, text: str) -> Judgement:
        """Judge the changed folder by a verification of the whole folder."""
        self.paths[seq].write_text(text, encoding="ascii", newline="")
        try:
            found = verify.verify_game(self.folder)
        finally:
            self.paths[seq].write_text(self.texts[seq], encoding="ascii", newline="")
        return Judgement(found.status, found.text if found.status else "", found.head)

    def changes(self) -> Iterator[Change]:
        """Yield every change of a single character, message by message."""
        for seq, text in enumerate(self.texts):
            for at in range(len(text)):
                for kind in KINDS:
                    yield Change(seq, at, kind)

    def sample(self, count: int, seed: int) -> list[Change]:
        """Return a random sample of the changes, in order."""
        found = list(self.changes())
        return [found[n] for n in sorted(random.Random(seed).sample(range(len(found)), min(count, len(found))))]

    def altered(self, change: Change) -> str:
        """Return the text of the message after a change."""
        text, at = self.texts[change.seq], change.at
        new = {"deleted": "", "doubled": text[at] * 2}.get(change.kind)
        return text[:at] + (pick_another(text[at], at) if new is None else new) + text[at + 1 :]

    def fault(self, seq: int, text: str, judged: Judgement) -> str:
        """Return the fault of a verdict; '' if the verdict is correct."""
        if judged.status == 0:
            if judged.head != self.head:
                return f"accepted with another head, {judged.head}"
            return "" if same_meaning(parse(text), self.meanings[seq]) else "accepted though it means something else"
        if judged.status not in (1, 2, 3):
            return f"status {judged.status}: {judged.text}"
        return complaint_fault(judged.text, self.paths[seq])


def pick_another(character: str, at: int) -> str:
    """Return another printable character that depends on the position."""
    found = PRINTABLE[(at * 37 + 11) % len(PRINTABLE)]
    return found if found != character else PRINTABLE[(at * 37 + 12) % len(PRINTABLE)]


def complaint_fault(text: str, path: Path) -> str:
    """Return the fault of a refusal's words; each line must name the file and a fault in plain characters."""
    lines = text.split("\n")
    if len(lines) > 1 and re.fullmatch(r"and [0-9]+ more", lines[-1]):
        lines.pop()
    for line in lines:
        place = re.match(re.escape(str(path)) + r"(:[1-9][0-9]*)?: ", line)
        if not place:
            return f"a refusal that does not begin with the file: {line!r}"
        if len(line) - place.end() < 12 or not line.isascii() or not line.isprintable():
            return f"a refusal in no words or with odd characters: {line!r}"
    return ""


def parse(text: str) -> tuple[Any, bytes, Any] | None:
    """Return signed mapping, signature bytes and position of a file; None if the file has another form."""
    try:
        data = yaml.load(text, Loader=yaml.BaseLoader)  # noqa: S506  plain strings, independent of the program
        found = _ARMOUR.fullmatch(data.pop("signature"))
        blob = base64.b64decode("".join(found[1].split()), validate=True) if found else b""
        return data, blob, data.pop("state", None)
    except (yaml.YAMLError, AttributeError, KeyError, TypeError, ValueError):
        return None


def same_meaning(one: tuple[Any, bytes, Any] | None, two: tuple[Any, bytes, Any] | None) -> bool:
    """Return whether two files mean the same; an omitted position fits every position."""
    if one is None or two is None:
        return False
    return one[:2] == two[:2] and (one[2] == two[2] or one[2] is None or two[2] is None)


def same_game(one: Game, two: Game) -> bool:
    """Return whether all data used by later messages is equal."""
    return (one.chain, one.state, one.luck, one.resigned) == (two.chain, two.state, two.luck, two.resigned)


def _quote_scalars(style: str) -> Callable[[str], str]:
    """Return a layout: the whole file written by PyYAML, every scalar in the same style."""

    def layout(text: str) -> str:
        data = yaml.load(text, Loader=yaml.BaseLoader)  # noqa: S506
        return yaml.dump(data, default_style=style, sort_keys=False, width=72)

    return layout


def _write_flow_style(text: str) -> str:
    data = yaml.load(text, Loader=yaml.BaseLoader)  # noqa: S506
    return yaml.dump(data, default_style='"', default_flow_style=True, sort_keys=True, width=72)


def _add_comments(text: str) -> str:
    head, mark, rest = text.partition("signature: |\n")
    lines = [f"{line} # {number}: 'a' {{remark\n# - another" for number, line in enumerate(head.splitlines())]
    return "# game: nothing\n\n" + "\n".join(lines) + f"\n{mark}{rest}# the end"


LAYOUTS: dict[str, Callable[[str], str]] = {
    "CRLF": lambda text: text.replace("\n", "\r\n"),
    "CR": lambda text: text.replace("\n", "\r"),
    "indented": lambda text: "".join(f"    {line}\n" for line in text.splitlines()),
    "trailing blanks": lambda text: text.replace("\n", "   \n"),
    "no last newline": lambda text: text.rstrip("\n"),
    "comments": _add_comments,
    "single quotes": _quote_scalars("'"),
    "double quotes": _quote_scalars('"'),
    "flow style, keys sorted": _write_flow_style,
    "end of document": lambda text: f"---\n{text}...\n",
}
"""Other layouts of a file: the program must verify them, with an equal head."""


def cut(text: str) -> dict[str, str]:
    """Return a file with lost parts."""
    lines = text.splitlines(keepends=True)
    signature = lines.index("signature: |\n")
    return {
        "nothing": "",
        "one line": lines[0],
        "half": text[: len(text) // 2],
        "no signature": "".join(lines[:signature]),
        "half a signature": "".join(lines[: signature + 4]),
        "no last line": "".join(lines[:-1]),
        "no first line": "".join(lines[1:]),
    }


def folders_gone_wrong(source: Path, stranger: Path, scratch: Path) -> Iterator[tuple[str, Path, Path]]:
    """Yield folders with messages dropped, swapped, doubled or taken from another game.

    Yields (change, folder, file to be named); every folder is deleted when the next is requested.
    """
    names = [path.name for path in folders.message_files(source)]

    def fresh() -> Path:
        shutil.rmtree(scratch, ignore_errors=True)
        return Path(shutil.copytree(source, scratch, ignore=shutil.ignore_patterns("*.txt", "*.draft.yaml")))

    for name in names[:-1]:
        folder = fresh()
        (folder / name).unlink()
        yield f"{name} dropped", folder, folder / name
    for number, name in enumerate(names[1:-1], 1):
        folder = fresh()
        for later in range(number, len(names) - 1):
            (folder / names[later + 1]).replace(folder / names[later])
        yield f"{name} dropped, the others renamed", folder, folder / name
    for one, two in pairwise(names):
        folder = fresh()
        text = (folder / one).read_bytes()
        (folder / two).replace(folder / one)
        (folder / two).write_bytes(text)
        yield f"{one} and {two} swapped", folder, folder / one
    for name in names[1:]:
        folder = fresh()
        shutil.copyfile(stranger / name, folder / name)
        yield f"{name} of another game", folder, folder / name
    folder = fresh()
    following = folder / f"{len(names):04d}.yaml"
    shutil.copyfile(folder / names[-1], following)
    yield "the last message twice", folder, following
    folder = fresh()
    shutil.copyfile(stranger / names[-1], following)
    yield "a message of another game appended", folder, following
    shutil.rmtree(scratch, ignore_errors=True)
