"""The earlier messages and papers of a game, from the block below a turn, and for it (docs/formats.md 3.1).

The block is a help, never a condition: whatever is wrong, the turn counts alone. It needs no trust, because the signed
``prev`` of a turn names its predecessor by hash, and so on back to message 0.
"""

from __future__ import annotations

import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Any, TypeAlias

from kursk_pbem.errors import KurskError
from kursk_pbem.formats.canonical import MAX_BYTES, REFEREE, canon, state_hash
from kursk_pbem.trust import messages, papers, sofar
from kursk_pbem.trust.messages import Message
from kursk_pbem.trust.papers import Paper

Turn: TypeAlias = Message | Paper


def attach(text: str, before: Iterable[Message], beside: Iterable[Paper] = ()) -> str:
    """Return a turn file with a block of earlier messages and papers. If too long for a file, omit the block."""
    held = [_to_plain(message) for message in before]
    block = sofar.pack(held, [{**paper.content, "signature": paper.armour} for paper in beside])
    return text + block if len(text) + len(block) <= MAX_BYTES else text


def _to_plain(message: Message) -> dict[str, Any]:
    """Return a message as in its file, without the position; an agreed first position is nowhere else."""
    plain: dict[str, Any] = {**message.content, "signature": message.armour}
    return plain | {"state": message.state} if "continues" in message.content and message.state is not None else plain


def name_predecessor(turn: Message | Paper) -> str:
    """Return the id of a message's predecessor ('' for message 0), or of the message that a paper is about."""
    return str(turn.content.get("id" if isinstance(turn, Paper) else "prev", ""))


def open_block(turn: Message | Paper) -> tuple[Message | Paper, ...]:
    """Return the messages in the block below a turn, in order, then the papers. A bad or missing block gives ()."""
    if turn.below is None or not name_predecessor(turn):
        return ()
    try:
        lists = turn.below.unpack()
        line = _read_line(turn, lists["messages"])
        return (*line, *_read_papers(turn, line, lists.get("papers", ())))
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError, KurskError, zlib.error):
        return ()


def open_blocks(
    turns: Iterable[Turn], known: Iterable[str], signed: Callable[[Turn], bool] = lambda _turn: True
) -> Iterator[tuple[Turn, list[Turn]]]:
    """Yield the ``signed`` turns that lack their predecessor, newest first, with new messages from a turn's block."""
    there = set(known)
    for turn in sorted(turns, key=lambda turn: -turn.seq):
        lacks = turn.below is not None and name_predecessor(turn) not in there and signed(turn)
        if new := [each for each in open_block(turn) if each.id not in there] if lacks else []:
            there |= {each.id for each in new}
            yield turn, new


def _read_line(turn: Message | Paper, listed: list[Mapping[str, Any]]) -> list[Message]:
    """Return the messages whose hashes lead from the turn back to message 0. Raises KurskError or ValueError."""
    wanted, line = name_predecessor(turn), list[Message]()
    for plain in reversed(listed):
        content = {name: value for name, value in plain.items() if name not in ("signature", "state")}
        message = messages.read_archive(canon(content), str(plain["signature"]), _name(turn))
        if message.id != wanted or message.seq != len(listed) - 1 - len(line):
            raise ValueError("another game")
        state = plain.get("state")
        state = state if state is not None and state_hash(state) == message.content.get("state-out") else None
        wanted = name_predecessor(message)
        line.insert(0, replace(message, content=content, state=state))
    if len(line) != turn.seq + isinstance(turn, Paper) or line[0].id != turn.content.get("game"):
        raise ValueError("not all messages before the turn")
    return line


def _read_papers(turn: Message | Paper, line: list[Message], listed: Iterable[Mapping[str, Any]]) -> Iterator[Paper]:
    """Yield the papers that the referee has signed about a message of the line, or about the turn."""
    key, ids = str(line[0].mapping("keys").get(REFEREE, "")), [message.id for message in line]
    ids += [turn.id] if isinstance(turn, Message) else []
    for plain in listed:
        content = {name: value for name, value in plain.items() if name != "signature"}
        paper = papers.read_archive(canon(content), str(plain["signature"]), _name(turn))
        about = paper.text("game") == ids[0] and paper.text("id") in ids[paper.seq : paper.seq + 1]
        if about and paper.id != turn.id and paper.is_signed_by(key):
            yield paper


def _name(turn: Message | Paper) -> str:
    return f"{turn.document.name}, so far"
