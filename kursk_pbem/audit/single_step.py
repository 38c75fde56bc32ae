"""One message adjudicated from the position before it, without the history: what a single link of a game does."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from kursk_pbem.errors import FileError
from kursk_pbem.formats.canonical import REFEREE, state_hash
from kursk_pbem.game import games
from kursk_pbem.game.games import Game
from kursk_pbem.kernel.adjudicate import Adjudication
from kursk_pbem.kernel.state import State, from_plain
from kursk_pbem.trust import fragment
from kursk_pbem.trust.messages import Message

_BROKEN = (ArithmeticError, AssertionError, AttributeError, LookupError, RecursionError, TypeError, ValueError)


def snapshot(message: Message) -> State | None:
    """The position that travels with a message; None if there is none, or if it is not the one that was signed."""
    if message.state is None or state_hash(message.state) != message.content.get("state-out"):
        return None
    try:
        state = from_plain(message.state, message.document.name)
    except FileError:
        return None
    return state if state.sha256() == message.content["state-out"] else None


def adjudicate(begun: Game, run: Sequence[Message], state: State, message: Message) -> Adjudication:
    """Verify and adjudicate ``message`` from ``state``, the position that the last message of ``run`` left.

    ``begun`` is the game as message 0 begins it. ``run`` is contiguous and holds the sender's own message before, which
    has the commitment; it is empty where ``message`` is message 1. Raises as :func:`kursk_pbem.game.games.extend` does,
    and FileError if no game can stand at this position.
    """
    wrong = "the rules cannot go on from the position before it, which no game can come to"
    game = replace(begun, chain=fragment.follow_run(begun.chain, run), state=state)
    try:
        if begun.ruleset.play.invariants(begun.setting, state) or not _waits(game, message):
            raise FileError(wrong, message.where())
        return games.extend(game, replace(message, state=None))[1]
    except _BROKEN:
        # Two players together can sign any position. What it does to the rules is no fault of theirs, nor evidence.
        raise FileError(wrong, message.where()) from None


def _waits(game: Game, message: Message) -> bool:
    """Whether the position waits for a message of this side, or for none any more; a reply it does not wait for."""
    if game.over:
        return True
    if game.state.stage not in game.ruleset.play.stages(game.setting):
        return False
    if message.type == "reply":
        return game.state.side == game.ruleset.other(message.sender)
    return message.sender == REFEREE or game.ruleset.writer(game.setting, game.state) == message.sender
