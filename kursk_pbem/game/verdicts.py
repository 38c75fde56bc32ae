"""The verdict on turn files from these files alone: no private folder, key or record is read."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from kursk_pbem.errors import FileError, UsageError
from kursk_pbem.formats import files
from kursk_pbem.formats.canonical import REFEREE
from kursk_pbem.frozen import frozen
from kursk_pbem.game import copies, folders, inbox
from kursk_pbem.game.copies import Copies
from kursk_pbem.game.games import Game
from kursk_pbem.game.histories import History
from kursk_pbem.kernel.adjudicate import adjudicate
from kursk_pbem.kernel.orders import Filing
from kursk_pbem.kernel.state import State
from kursk_pbem.trust import earlier, messages, reader


class _ClosedError(Exception):
    """Raised for dice that only the writer of the message can open."""


@frozen
class _ClosedDice:
    """The dice of a message before its writer opens them."""

    seq: int

    def roll(self, label: str, _n: int) -> str:
        """Raise _ClosedError."""
        raise _ClosedError(label)


@frozen
class Verdict:
    """A legal message, the last of ``history``. ``left_out``: why other copies and files do not count."""

    history: History
    left_out: tuple[str, ...]


def judge_things(things: Sequence[Path], beside: Path | None) -> Verdict:
    """Judge the newest message of the things, after the earlier messages.

    The earlier messages are in the things, or in numbered turn files of the folder ``beside``. Raises RulesError for
    illegal orders, TrustError for two valid messages of one number or a wrong signature, opening or position, and
    UsageError or FileError if messages are missing or unreadable.
    """
    found, single = Copies(), list[Copies]()
    for thing in things:
        held = _read_thing(thing)
        found.messages += held.messages
        found.papers += held.papers
        found.faults += held.faults
        found.others += held.others
        if thing.is_file() and len(held.messages) + len(held.faults) == 1:
            single.append(held)
    game = _choose_game(found, things)
    newest = max(message.seq for message in found.of_game(game))
    if beside is not None:
        _add_numbered(found, _list_beside(beside, newest))
    found.open_blocks()
    history = copies.judge_messages(found, game)
    for held in single:
        _need_counted(held, history)
    return Verdict(history, tuple(dict.fromkeys(found.faults)))


def _list_beside(folder: Path, newest: int = 9999) -> list[Path]:
    """Return the turn files of a folder with the numbers 0 to ``newest``, in the form of its message 0."""
    suffix = folders.proposal_path(folder).suffix
    return [path for path in sorted(folder.glob(f"[0-9][0-9][0-9][0-9]{suffix}")) if int(path.stem) <= newest]


def _need_counted(held: Copies, history: History) -> None:
    """Raise FileError if the single turn of a file does not count, and is unreadable or newer than the judged message.

    Otherwise a verdict on an earlier message would pass for a verdict on this turn.
    """
    if held.faults:
        raise FileError(held.faults[0])
    (message,) = held.messages
    if message.seq > history.last.seq or held.list_games() != [history.game.chain.game]:
        why = f"message {message.seq} cannot be decided: its signature does not fit the text, or the key of the writer"
        raise FileError(f"{why}; ask for the file again", message.where("signature"))


def _read_thing(thing: Path) -> Copies:
    """Return the turns of a thing: a turn file in any wrapping, the archive form, or a folder."""
    found = Copies()
    found.add([thing], copies.make_filter())
    for folder in folders.find_games(thing) if thing.is_dir() else ():
        _add_numbered(found, _list_beside(folder))
    return found


def _add_numbered(found: Copies, paths: Iterable[Path]) -> None:
    """Add the messages of numbered turn files."""
    for path in paths:
        try:
            found.messages.append(folders.read_message(path))
        except FileError as fault:
            found.faults.append(str(fault))


def _choose_game(found: Copies, things: Sequence[Path]) -> str:
    """Return the game of the messages. Raises FileError without a message, UsageError for several games."""
    known = found.list_games()
    if len(known) > 1:
        listed = ", ".join(sorted(game[:8] for game in known))
        raise UsageError(f"the files belong to {len(known)} games, {listed}: name the files of one game")
    if known:
        return known[0]
    for thing in things:
        if thing.is_file():
            inbox.list_turns(reader.read_thing(inbox.read_bytes(thing), str(thing)))
    raise UsageError(f"{things[0]} holds no turn of a game{found.hint()}")


def preview_choices(game: Game) -> State | None:
    """Return the position in which the writer of the next message chooses.

    Return None if dice or sealed values come first that only the writer can open.
    """
    chain = game.chain
    writer = chain.writer(chain.next_seq)
    if chain.outstanding_seals(writer):
        return None
    before_choices = Filing(chain.next_seq, writer, reveal={}, resigns=True)
    try:
        return adjudicate(game.ruleset, game.setting, game.state, before_choices, _ClosedDice(chain.next_seq)).middle
    except _ClosedError:
        return None


def list_texts(history: History, report: str, folder: Path) -> dict[Path, str]:
    """Return the paths and texts of the last message, with the game so far, and of its report in a folder."""
    message = history.last
    text = messages.emit_for_mail(message.content, message.armour, message.state)
    text = earlier.attach(text, [step.message for step in history.steps[:-1]])
    return {folders.message_path(folder, message.seq): text, folders.report_path(folder, message.seq): report}


def write_texts(texts: Mapping[Path, str]) -> None:
    """Write files, never over a file with another text. Raises UsageError before the first file is written."""
    for path, text in texts.items():
        data = text.encode()
        if path.exists() and files.read(path, len(data)) != data:
            raise UsageError(f"{path} exists already and differs; nothing was written: choose another folder with -o")
    for path, text in texts.items():
        folders.make(path.parent)
        folders.write(path, text)


def is_draft_due(game: Game) -> bool:
    """Return whether a player writes orders next; a reply to an offer and a referee's message have no draft."""
    chain = game.chain
    return not game.over and not chain.offer and chain.writer(chain.next_seq) != REFEREE
