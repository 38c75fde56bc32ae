"""The program of ``on-turn`` in ``account.toml``: it runs when a message makes it the owner's turn."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterable, Iterator
from pathlib import Path

from kursk_pbem.desk.games import overview
from kursk_pbem.desk.own.desks import Desk
from kursk_pbem.formats.text import show
from kursk_pbem.post.mailbox import people
from kursk_pbem.post.round.outcome import TAKEN, GameTaken
from kursk_pbem.post.wire import account as accounts

_SECONDS, _LENGTH = 10, 80


def call_programs(home: Path, games: Iterable[GameTaken]) -> Iterator[str]:
    """Run the player's program for each accepted message if the player must move next.

    Yields a sentence for each failure. A message is saved before the program runs, so the program never runs twice. The
    caller holds the lock of the post. Raises UsageError for a wrong account file, DiskError.
    """
    account = accounts.load_account(home)
    if account is None or not account.on_turn:
        return
    last = {game.game: game.desk for game in games}
    for game in games:
        for outcome in game.outcomes:
            desk, turn = last[game.game], outcome.piece.turn
            if outcome.state == TAKEN and desk is not None and desk.mine and turn.id == desk.last.id:
                yield from _run(account.on_turn, _describe(home, desk))


def _describe(home: Path, desk: Desk) -> dict[str, str]:
    """Return the environment of the program: no text of a message, and no name that the opponent has chosen.

    The name is a plain word that the player has typed into the address book, with an address.
    """
    game = desk.game
    opponent = people.person_of(home, game.chain.keys[game.ruleset.other(desk.own_side)])
    typed = any(entry.state == people.SAID for entry in opponent.addresses) and opponent.typed == opponent.name
    named = {
        "KURSK_GAME": game.chain.game,
        "KURSK_OPPONENT": opponent.name if typed else "",
        "KURSK_DEADLINE": overview.read_papers(home, desk.game)[1],
    }
    return {name: "".join(letter for letter in text if " " <= letter <= "~")[:_LENGTH] for name, text in named.items()}


def _run(command: tuple[str, ...], about: dict[str, str]) -> Iterator[str]:
    """Run the program without a shell; yield a line if it fails."""
    null, environment = subprocess.DEVNULL, {**os.environ, **about}
    try:
        done = subprocess.run(
            command, env=environment, stdin=null, stdout=null, stderr=null, timeout=_SECONDS, check=False
        )
        failed = f"it ended with status {done.returncode}" if done.returncode else ""
    except subprocess.TimeoutExpired:
        failed = f"it had not ended after {_SECONDS} seconds, and was stopped"
    except (OSError, ValueError) as error:
        failed = f"it could not be run ({type(error).__name__})"
    if failed:
        yield f"the on-turn command {show(command[0])} failed: {failed}. No game is affected; see account.toml"
