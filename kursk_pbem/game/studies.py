"""Studies: a game in one file, with comments and with branches that were played by hand (docs/formats.md 5.7).

The messages of the game verify as ever. A branch has orders, dice and opened seals, without signatures: the rules check
that it is legal, and nobody can take its messages for turns or proofs.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from kursk_pbem.errors import FileError, RulesError, Where
from kursk_pbem.formats import files, schema
from kursk_pbem.formats.canonical import REFEREE, canon, is_too_deep, sha256_hex
from kursk_pbem.formats.strictyaml import Document
from kursk_pbem.formats.text import free_text_fault, show
from kursk_pbem.frozen import frozen
from kursk_pbem.game import folders, games, histories
from kursk_pbem.game import replay as replays
from kursk_pbem.game.games import CHOICE_FIELDS, Game
from kursk_pbem.game.histories import History, Step
from kursk_pbem.kernel.adjudicate import adjudicate, keep_position
from kursk_pbem.kernel.orders import filing
from kursk_pbem.kernel.state import OVER
from kursk_pbem.report.replay import Replay
from kursk_pbem.trust import messages
from kursk_pbem.trust.messages import Message

SUFFIX = ".study"
MAX_BYTES = 1_000_000
SEALED = "sealed/"
KEPT = (*(name for name in CHOICE_FIELDS if name != "seal"), "dice")
"""The fields of a message that a branch keeps as they are; of seals it keeps labels, and values when opened."""
BY_HAND = "Played by hand"


@frozen
class Study:
    """A study as read. ``messages``: the signed messages of the game as text.

    ``comments``: ``at`` (a message, or BRANCH/message), claimed ``name`` and ``text``. ``branches``: ``id``, ``name``,
    ``from`` (the message before) and ``messages``.
    """

    messages: tuple[str, ...]
    comments: tuple[Mapping[str, str], ...] = ()
    branches: tuple[Mapping[str, Any], ...] = ()

    def to_bytes(self) -> bytes:
        """Return the file. Raises FileError if the study is larger than a reader takes."""
        parts = {"messages": list(self.messages), "comments": list(self.comments), "branches": list(self.branches)}
        raw = canon({"kursk-study": "1", **parts}) + b"\n"
        parse(raw, "the study")
        return raw


@frozen
class Verified:
    """A study whose messages verify and whose branches are legal: the game, and each branch by id."""

    study: Study
    game: History
    branches: Mapping[str, History]


def begin(history: History) -> Study:
    """Return a study of a verified game, without comments."""
    agreed = "continues" in history.game.chain.head  # the position of no scenario
    texts = []
    for step in history.steps:
        message = step.message
        kept = message.state if agreed and message.seq == 0 else None
        texts.append(messages.emit_message(message.content, message.armour, kept))
    return Study(tuple(texts))


def read(path: Path) -> Study:
    """Read a study. Raises FileError for another form, or beyond the limits."""
    folders.need_one_line(path)
    try:
        return parse(files.read(path, MAX_BYTES), str(path))
    except OSError as error:
        raise FileError(f"cannot be read: {error.strerror}", Where(str(path))) from None


def parse(raw: bytes, name: str) -> Study:
    """Read the bytes of a study. Raises FileError."""
    if len(raw) > MAX_BYTES:
        raise FileError(f"a study has at most {MAX_BYTES} bytes: leave branches or comments out", Where(name))
    try:
        if is_too_deep(raw):
            raise FileError("the study is nested too deep", Where(name))
        data = json.loads(raw)
        same = isinstance(data, dict) and canon(data) == raw.rstrip(b"\n")
    except (ValueError, TypeError):
        same = False
    if not same:
        raise FileError("this is no study, or it was changed by hand: ask for the file again", Where(name))
    schema.check(data, "study", Document(data, name))
    texts = [entry[key] for entry in data["comments"] for key in ("name", "text")]
    for text in (*texts, *(branch["name"] for branch in data["branches"])):
        if fault := free_text_fault(text):
            raise FileError(f"{show(text)} contains the character {fault}; ask for the study again", Where(name))
    return Study(tuple(data["messages"]), tuple(data["comments"]), tuple(data["branches"]))


def verify(study: Study, name: str) -> Verified:
    """Verify the messages and play the branches. Raises KurskError."""
    history: History | None = None
    for number, text in enumerate(study.messages):
        message = messages.read_message(text.encode("utf-8"), f"{name}, message {number}")
        history = histories.begin(message) if history is None else history.extend(message)
    if history is None:
        raise FileError("the study has no message", Where(name))
    lines: dict[str, History] = {}
    for branch in study.branches:
        if branch["id"] in lines or int(branch["from"]) >= len(history.steps):
            raise FileError(f"branch {branch['id']} begins nowhere, or its id is repeated", Where(name))
        lines[branch["id"]] = _play_branch(history.steps[int(branch["from"])], branch, f"{name}, branch {branch['id']}")
    known = {"", *(f"{each}/" for each in lines)}
    for comment in study.comments:
        line, slash, seq = comment["at"].rpartition("/")
        steps = lines[line].steps if slash and line in lines else history.steps
        if line + slash not in known or not steps[0].message.seq <= int(seq) <= steps[-1].message.seq:
            raise FileError(f"no message {comment['at']} for a comment", Where(name))
    return Verified(study, history, lines)


def _play_branch(start: Step, branch: Mapping[str, Any], name: str) -> History:
    steps = [start]
    for content in branch["messages"]:
        steps.append(_play_message(steps[-1].after, content, f"{name}, message {steps[-1].after.chain.next_seq}"))
    return History(tuple(steps))


class _Recorded:
    """The dice of a branch, as written."""

    def __init__(self, dice: Mapping[str, str], seq: int) -> None:
        self.dice, self.seq = dice, seq

    def roll(self, label: str, n: int) -> str:
        """Return the digits of a label; '1' for a missing digit, which the comparison of all dice refuses."""
        return self.dice.get(label, "")[:n].ljust(n, "1")


def _play_message(game: Game, content: Mapping[str, Any], name: str) -> Step:
    """Return a step of a branch, if the rules allow it. Raises FileError or RulesError."""
    chain, where = game.chain, Where(name)
    seq, writer = chain.next_seq, chain.writer(chain.next_seq)
    agenda = game.state.agenda.items()
    seals = {key.removeprefix(SEALED): int(entry["seq"]) for key, entry in agenda if key.startswith(SEALED)}
    due = {label for label, sealed in seals.items() if chain.writer(sealed) == writer}
    if game.over or content["from"] != writer or set(content.get("reveal", {})) != due:
        raise FileError(f"it does not follow the message before: {writer or 'nobody'} is to write", where)
    secret: dict[str, Any] = dict.fromkeys(content.get("secret", ()), "0" * 64)
    reveal = {label: {"value": value} for label, value in content.get("reveal", {}).items()}
    whole: dict[str, Any] = {**content, "type": "turn", "seq": str(seq), "secret": secret, "reveal": reveal}
    document = Document(dict(content), name)
    games.check_choices(content, game.ruleset, document)
    dice = content.get("dice", {})
    if game.hands_on:
        result = keep_position(game.state)
    else:
        result = adjudicate(game.ruleset, game.setting, game.state, filing(whole), _Recorded(dice, seq))
    if result.violations:
        raise RulesError(games.locate_violations(result.violations, document), writer, received=True)
    if dict(result.dice) != dice:
        raise FileError("its dice are not those that the rules roll", where)
    id_ = sha256_hex(canon({"branch": chain.head_id, "message": dict(content)}))
    following = result.after.side if not chain.refereed or writer == REFEREE else REFEREE
    writers = (*chain.writers[: seq + 1], following) if chain.refereed else chain.writers
    ended = result.after.stage == OVER
    longer = replace(chain, ids=(*chain.ids, id_), writers=writers, seals={}, offer={}, declined="", ended=ended)
    after = replace(game, chain=longer, state=result.after, luck=game.luck.add(result.rolled))
    whole |= {"next": following} if writer == REFEREE else {}
    return Step(Message(whole, "", id_, b"", document), game, after, result)


def make_entry(step: Step) -> dict[str, Any]:
    """Return a message of a what-if game as a branch keeps it."""
    message = step.message
    kept: dict[str, Any] = {name: message.content[name] for name in KEPT if name in message.content}
    opened = {label: entry["value"] for label, entry in message.mapping("reveal").items()}
    kept |= {"reveal": opened} if opened else {}
    kept |= {"secret": sorted(message.mapping("secret"))} if message.mapping("secret") else {}
    return {"from": message.sender, **kept}


def make_pages(verified: Verified) -> tuple[Replay, list[Replay]]:
    """Return the page of the game, and a page for each branch, with the comments at their messages."""
    branches = []
    for branch in verified.study.branches:
        page = _comment(replays.make_replay(verified.branches[branch["id"]]), verified.study, f"{branch['id']}/")
        why = f"{BY_HAND} from message {branch['from']}: it is no part of the game, and proves nothing."
        branches.append(replace(page, title=f"{branch['id']}: {branch['name']}", verified=(BY_HAND, why)))
    return _comment(replays.make_replay(verified.game), verified.study, ""), branches


def _comment(page: Replay, study: Study, line: str) -> Replay:
    """Return a page with the comments of its messages."""
    noted = []
    for told in page.messages:
        here = [each for each in study.comments if each["at"] == f"{line}{told.seq}"]
        noted.append(replace(told, comments=tuple((each["name"], each["text"]) for each in here)))
    return replace(page, messages=tuple(noted))
