"""Adjudicate one message from the position before, without the history."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from kursk_pbem.errors import FileError
from kursk_pbem.formats.canonical import REFEREE
from kursk_pbem.game import games
from kursk_pbem.game.games import Game
from kursk_pbem.kernel.adjudicate import Adjudication
from kursk_pbem.kernel.state import State, from_plain
from kursk_pbem.trust import fragment
from kursk_pbem.trust.messages import Message

_BROKEN = (ArithmeticError, AssertionError, AttributeError, LookupError, RecursionError, TypeError, ValueError)


def read_position(message: Message) -> State | None:
    """Return the position attached to a message; ``None`` if no position is attached, or its hash is not as signed."""
    if message.state is None or not message.is_whole:
        return None
    try:
        state = from_plain(message.state, message.document.name)
    except FileError:
        return None
    return state if state.sha256() == message.content["state-out"] else None


def adjudicate(begun: Game, run: Sequence[Message], state: State, message: Message) -> Adjudication:
    """Verify ``message`` and adjudicate its orders from ``state``, the position before the message.

    ``begun``: the game after message 0. ``run``: the messages from the sender's last commitment to ``state``, if any.
    Raises the errors of :func:`kursk_pbem.game.games.extend`, and FileError if ``state`` is impossible.
    """
    wrong = "the position before the message is impossible under the rules"
    game = replace(begun, chain=fragment.follow_run(begun.chain, run), state=state)
    try:
        if begun.ruleset.play.invariants(begun.setting, state) or not _expects(game, message):
            raise FileError(wrong, message.where())
        return games.extend(game, replace(message, state=None))[1]
    except _BROKEN:
        # Two cheating players can sign any position. A crash of the rules is no evidence against a player.
        raise FileError(wrong, message.where()) from None


def _expects(game: Game, message: Message) -> bool:
    """Return whether the position waits for a message of this side. A reply comes from the waiting side's opponent."""
    if game.over:
        return True
    if game.state.stage not in game.ruleset.play.stages(game.setting):
        return False
    if message.type == "reply":
        return game.state.side == game.ruleset.other(message.sender)
    return message.sender == REFEREE or game.ruleset.writer(game.setting, game.state) == message.sender
