"""The verdict on turn files. A player's own game supplies earlier messages; no key and no secret is read."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from kursk_pbem.errors import UsageError
from kursk_pbem.formats import files
from kursk_pbem.formats.canonical import REFEREE
from kursk_pbem.frozen import frozen
from kursk_pbem.game import copies, folders, histories, receipts
from kursk_pbem.game.copies import Copies
from kursk_pbem.game.games import Game
from kursk_pbem.game.histories import History
from kursk_pbem.kernel.adjudicate import adjudicate
from kursk_pbem.kernel.orders import Filing
from kursk_pbem.kernel.state import State
from kursk_pbem.kernel.words import plural
from kursk_pbem.trust import earlier, messages, papers
from kursk_pbem.trust.messages import Message


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
    """The verdict on a legal message, the last of ``history``. ``left_out``: why other copies and files do not count.

    ``uncounted``: why damaged turns do not count. A damaged turn may be the newest message. ``helped``: the messages
    that came from a turn's block of earlier messages, or from the player's own game.
    """

    history: History
    left_out: tuple[str, ...]
    uncounted: tuple[str, ...]
    helped: tuple[str, ...]


def judge_things(things: Sequence[Path], beside: Path | None, home: Path | None) -> Verdict:
    """Verify the newest message in files and mails, after the earlier messages. Return the verdict.

    The earlier messages may be in these files, in turn files of the folder ``beside``, in a turn's block of earlier
    messages, or in a player's game in the private folder ``home``. Raises RulesError for illegal orders, VoidError if
    another message counts, and TrustError for a wrong signature, opening or position. Raises UsageError or FileError if
    messages are missing or unreadable.
    """
    found, single = Copies(), list[Message]()
    for thing in things:
        held = _read_thing(thing)
        single += held.need_whole(thing)
        found.merge(held)
    game = _choose_game(found, things)
    newest = max(turn.seq for turn in (*found.of_game(game), *found.papers))
    if beside is not None:
        found.add_numbered(beside, newest)
    here = len(found.messages)
    found.open_blocks()
    if below := found.messages[here:]:
        name = below[0].document.name.removesuffix(", so far")
        found.helped.append(f"{plural(len(below), 'earlier message')} from the game so far below {name}")
    found.add_desk(home, things[0])
    history = histories.judge_messages(found, game)
    history = replace(history, papers=found.weigh_papers(history.game))
    for message in single:
        histories.need_counted(message, [step.message for step in history.steps])
    uncounted = found.list_uncounted(history.steps[0].message, range(history.game.chain.next_seq))
    told = tuple(map(str, uncounted))
    left_out = tuple(fault for fault in dict.fromkeys(found.faults) if fault not in told)
    return Verdict(history, left_out, told, tuple(found.helped))


def _read_thing(thing: Path) -> Copies:
    """Return the turns of a thing: a turn file in any wrapping, the archive form, or a folder."""
    found = Copies()
    found.add([thing], copies.make_filter())
    for folder in folders.find_games(thing) if thing.is_dir() else ():
        found.add_numbered(folder)
    return found


def _choose_game(found: Copies, things: Sequence[Path]) -> str:
    """Return the game of the turns. Raises UsageError without a turn, or for several games."""
    known = found.list_games()
    if len(known) > 1:
        listed = ", ".join(sorted(game[:8] for game in known))
        remedy = "name the files of one game, or type 'kursk verify', which verifies each game"
        raise UsageError(f"the files belong to {len(known)} games, {listed}: {remedy}")
    if known:
        return known[0]
    raise UsageError(f"{things[0]} contains no turn of a game{found.hint()}")


def preview_choices(game: Game) -> State | None:
    """Return the position in which the writer of the next message chooses.

    Return None if dice or sealed values come before the choices, because only the writer can reveal them.
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
    """Return path -> text of the files to write: the last message with the game so far, the report, and the papers."""
    message = history.last
    text = messages.emit_for_mail(message.content, message.armour, message.state)
    before = [paper for paper in history.papers.all if paper.seq < message.seq]
    text = earlier.attach(text, [step.message for step in history.steps[:-1]], before)
    about = [paper for paper in history.papers.all if paper.seq == message.seq]
    return {
        folders.message_path(folder, message.seq): text,
        folders.report_path(folder, message.seq): report,
        **{receipts.paper_path(folder, paper): papers.emit_paper(paper) for paper in about},
    }


def write_texts(texts: Mapping[Path, str]) -> None:
    """Write files. Raises UsageError, before any writing, if a file exists with another text."""
    for path, text in texts.items():
        data = text.encode()
        if path.exists() and files.read(path, len(data)) != data:
            raise UsageError(f"{path} exists with other contents; nothing was written: choose another folder with -o")
    for path, text in texts.items():
        folders.make(path.parent)
        folders.write(path, text)


def is_draft_due(game: Game) -> bool:
    """Return whether the next message needs a draft. Replies to offers and referee's messages need none."""
    chain = game.chain
    return not game.over and not chain.offer and chain.writer(chain.next_seq) != REFEREE
