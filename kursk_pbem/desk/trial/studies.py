"""Studies: a game in one file, with comments, and with branches that were played by hand (docs/formats.md 5.8).

The messages of the game verify as usual. A branch is a what-if game: its message 0 says so, and no command takes it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from kursk_pbem.desk.own.desks import Desk
from kursk_pbem.desk.trial.what_if import SEALED, TERMS
from kursk_pbem.errors import FileError, UsageError, Where
from kursk_pbem.formats import schema
from kursk_pbem.formats.canonical import canon, parse_canonical
from kursk_pbem.formats.strictyaml import Document
from kursk_pbem.formats.text import free_text_fault, show
from kursk_pbem.frozen import frozen
from kursk_pbem.game import disk, folders, histories
from kursk_pbem.game import replay as replays
from kursk_pbem.game.histories import History
from kursk_pbem.kernel.state import State
from kursk_pbem.report.replay import Replay
from kursk_pbem.trust import messages

SUFFIX = ".study"
MAX_BYTES, MAX_BRANCH = 1_000_000, 200
BY_HAND = "Played by hand"


@frozen
class Study:
    """A study, which is a game with comments and branches. ``messages``: the signed messages of the game as text.

    ``comments``: ``at`` (message number, or BRANCH/number), claimed ``name``, and ``text``. ``branches``: ``id``,
    ``name``, and the ``messages`` of a what-if game.
    """

    messages: Sequence[str]
    comments: tuple[Mapping[str, str], ...] = ()
    branches: tuple[Mapping[str, Any], ...] = ()

    def to_bytes(self) -> bytes:
        """Return the study as the bytes of a file. Raises FileError if readers would refuse the file."""
        _check_texts(self.comments, self.branches, "the study")
        parts = {"messages": list(self.messages), "comments": list(self.comments), "branches": list(self.branches)}
        raw = canon({"kursk-study": "1", **parts}) + b"\n"
        parse(raw, "the study")
        return raw


@frozen
class Verified:
    """A verified study: the game, and its branches by id. A branch begins after a message of the game."""

    study: Study
    game: History
    branches: Mapping[str, History]


def begin(history: History) -> Study:
    """Return a study of a verified game, without comments."""
    return Study(_list_texts(history))


def _list_texts(history: History) -> list[str]:
    """Return the messages as text; message 0 keeps a position that follows from no scenario."""
    kept = {"continues", "what-if"} & history.game.chain.head.keys()
    return [
        messages.emit_message(
            step.message.content, step.message.armour, step.message.state if kept and not seq else None
        )
        for seq, step in enumerate(history.steps)
    ]


def read(path: Path) -> Study:
    """Read a study from a file. Raises FileError if its form is wrong or it exceeds the limits."""
    folders.need_one_line(path)
    return parse(folders.read_bytes(path, MAX_BYTES), str(path))


def parse(raw: bytes, name: str) -> Study:
    """Read the bytes of a study. Raises FileError."""
    if len(raw) > MAX_BYTES:
        raise FileError(f"the study has more than {MAX_BYTES} bytes: leave branches or comments out", Where(name))
    try:
        data: Any = parse_canonical(raw.removesuffix(b"\n"), name, MAX_BYTES)
    except FileError:
        why = "this is no study, or the file has been changed: ask for the file again"
        raise FileError(why, Where(name)) from None
    schema.check(data, "study", Document(data, name))
    _check_texts(data["comments"], data["branches"], name)
    return Study(data["messages"], tuple(data["comments"]), tuple(data["branches"]))


def _check_texts(comments: Sequence[Mapping[str, str]], branches: Sequence[Mapping[str, Any]], name: str) -> None:
    texts = [entry[key] for entry in comments for key in ("name", "text")]
    for text in (*texts, *(branch["name"] for branch in branches)):
        if fault := free_text_fault(text):
            raise FileError(f"{show(text)} contains the character {fault}: leave this character out", Where(name))


def verify(study: Study, name: str) -> Verified:
    """Verify a study: its form, the messages of the game, and the branches. Raises KurskError."""
    study.to_bytes()
    game = _read_history(study.messages, name)
    lines: dict[str, History] = {}
    for branch in study.branches:
        line = _read_history(branch["messages"], f"{name}, branch {branch['id']}", trial=True)
        start = _find_start(game, line)
        if branch["id"] in lines or start < 0 or not 0 < len(line.steps) - start - 1 <= MAX_BRANCH:
            raise FileError(
                f"branch {branch['id']} repeats an id, starts outside the game, or is empty or too long", Where(name)
            )
        lines[branch["id"]] = History((game.steps[start], *line.steps[start + 1 :]))
    for comment in study.comments:
        named, _slash, seq = comment["at"].rpartition("/")
        steps = {"": game, **lines}.get(named, History(())).steps
        if not steps or not steps[0].message.seq <= int(seq) <= steps[-1].message.seq:
            raise FileError(f"no message {comment['at']}, at which a comment is", Where(name))
    return Verified(study, game, lines)


def _read_history(texts: Sequence[str], name: str, *, trial: bool = False) -> History:
    history: History | None = None
    for number, text in enumerate(texts):
        message = messages.read_message(text.encode("utf-8"), f"{name}, message {number}")
        if history is None:
            start = message.content.get("what-if") if trial else None
            history = histories.begin(message, None if start is None else int(str(start)))
        else:
            history = history.extend(message)
    if history is None:
        raise FileError("the study has no message", Where(name))
    return history


def _find_start(game: History, line: History) -> int:
    """Return the message of the game after which a what-if game begins, -1 if position or terms are others."""
    start, heads = line.game.what_if, [history.game.chain.head for history in (game, line)]
    if start is None or start >= len(game.steps) or start >= len(line.steps):
        return -1
    if any(heads[0][term] != heads[1][term] for term in TERMS):
        return -1
    one, other = (_drop_seals(history.steps[start].after.state) for history in (game, line))
    return start if one == other else -1


def _drop_seals(state: State) -> State:
    return state.with_(agenda={key: value for key, value in state.agenda.items() if not key.startswith(SEALED)})


def make_pages(verified: Verified) -> tuple[Replay, list[Replay]]:
    """Return the page of the game and a page for each branch. A comment is shown with the commented message."""
    branches = []
    for branch in verified.study.branches:
        line = verified.branches[branch["id"]]
        page = _comment(replays.make_replay(line), verified.study, f"{branch['id']}/")
        why = f"{BY_HAND} from message {line.steps[0].message.seq}: it is no part of the game, and proves nothing."
        branches.append(replace(page, title=f"{branch['id']}: {branch['name']}", verified=(BY_HAND, why)))
    return _comment(replays.make_replay(verified.game), verified.study, ""), branches


def _comment(page: Replay, study: Study, line: str) -> Replay:
    """Return a page with the comments of its messages."""
    noted = []
    for told in page.messages:
        here = [each for each in study.comments if each["at"] == f"{line}{told.seq}"]
        noted.append(replace(told, comments=tuple((each["name"], each["text"]) for each in here)))
    return replace(page, messages=tuple(noted))


def save(path: Path, study: Study, former: Study | None = None) -> None:
    """Write a verified study. Replaces an old file only if its content is the study ``former``. Raises KurskError."""
    verify(study, str(path))
    if former is not None and read(path) != former:
        raise UsageError(f"{path} has changed meanwhile, and nothing was written: give the command again")
    folders.write(path, study.to_bytes().decode("utf-8"), force=former is not None, private=True)


def add_comment(study: Study, at: str, text: str, name: str) -> Study:
    """Return the study with a new comment at a message. ``at``: a number, or BRANCH/number. Raises UsageError."""
    if not text:
        raise UsageError("the comment has no text: write a sentence")
    return replace(study, comments=(*study.comments, {"at": at, "name": name, "text": text}))


def comment_at_board(home: Path, desk: Desk, at: int, text: str, name: str) -> None:
    """Add a comment to the private folder's study of a game, which gets all messages so far. Raises KurskError."""
    path, study = _locate(home, desk.game.chain.game), begin(desk.history)
    former = read(path) if path.exists() else None
    if former is not None:
        study = replace(study, comments=former.comments, branches=former.branches)
    disk.make_private(path.parent)
    save(path, add_comment(study, str(at), text, name), former)


def read_at_board(home: Path, game: str) -> Study:
    """Return the study of a game in the private folder. Raises UsageError without a study."""
    path = _locate(home, game)
    if not path.exists():
        raise UsageError("the game has no study yet: write a comment under Notes")
    return read(path)


def _locate(home: Path, game: str) -> Path:
    return home / "studies" / f"{folders.folder_name(game)}{SUFFIX}"


def add_branch(verified: Verified, trial: History, name: str, newest: History | None = None) -> Study:
    """Return the study with a what-if game as a new branch. Raises UsageError if ``trial`` began in another game.

    ``newest``: the whole game, if the study ends earlier. If the game is running, the branch shows neither the values
    that the game still seals nor guesses of them.
    """
    game, study = verified.game, verified.study
    if (start := _find_start(game, trial)) < 0:
        raise UsageError("this what-if game is from another game than the study: type 'kursk play --from GAME/N'")
    played = trial.steps[start + 1 :]
    if not played:
        raise UsageError("the what-if game has no message yet: play a message first")
    newest = newest or game
    if not newest.game.over:
        opened = {label for step in played for label in step.message.mapping("reveal")}
        if shown := sorted(opened & _find_hidden(newest, start)):
            why = "the game is running, and no message of the game has revealed the value"
            raise UsageError(f"the branch would show {', '.join(shown)}: {why}. Add the branch when the game is over")
    used = {branch["id"] for branch in study.branches}
    id_ = next(f"b{number}" for number in range(1, 100) if f"b{number}" not in used)
    return replace(study, branches=(*study.branches, {"id": id_, "name": name, "messages": _list_texts(trial)}))


def _find_hidden(game: History, start: int) -> set[str]:
    """Return the labels that were sealed at or after a message, and that the game has not opened."""
    agendas = [step.after.state.agenda for step in game.steps[start:]]
    sealed = {key.removeprefix(SEALED) for agenda in agendas for key in agenda if key.startswith(SEALED)}
    return sealed - {label for step in game.steps[start + 1 :] for label in step.message.mapping("reveal")}


def describe_shown(verified: Verified) -> Iterator[str]:
    """Yield sentences about what the opponent in a running game could learn from a study."""
    study = verified.study
    if not verified.game.game.over:
        names = ", ".join(branch["name"] or branch["id"] for branch in study.branches) or "no branch"
        yield "the game is running, and every reader of the file sees your comments and your branches"
        yield f"the study shows {len(study.comments)} comments, and these branches: {names}"
