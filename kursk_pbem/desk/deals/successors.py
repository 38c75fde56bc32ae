"""Successor games: a proposal received by mail, and the changes that a player wants.

The private record of the earlier game keeps one proposal. The player reads its terms, then offers the proposal or
accepts the offer.
"""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

from kursk_pbem.desk.deals import offers
from kursk_pbem.desk.ground import locks
from kursk_pbem.desk.own.desks import Desk
from kursk_pbem.errors import KurskError, UsageError
from kursk_pbem.game import folders, journal, successor
from kursk_pbem.game.games import Game
from kursk_pbem.game.successor import Terms

_KEPT = "successor.yaml"


def find_kept(desk: Desk) -> Path | None:
    """Return the path of the saved proposal of a successor game if it fits the current position, otherwise None."""
    path = _make_path(desk)
    try:
        here = path.exists() and successor.find_agreement(desk.history.games, successor.read(path)) == successor.OPEN
    except KurskError:
        return None
    return path if here else None


def keep_proposal(desk: Desk, text: str) -> list[str]:
    """Save a successor game's proposal. Return lines with terms and next step. Raises KurskError for another game."""
    path = _make_path(desk)
    arrived = path.with_name("successor-new.yaml")
    with locks.hold_lock(path.parent):
        try:
            folders.write(arrived, text, force=True, private=True)
            # check before replacing a good proposal
            terms = offers.describe_proposal(desk, arrived, "the received proposal")
            folders.write(path, text, force=True, private=True)
        finally:
            arrived.unlink(missing_ok=True)
    if not desk.mine:
        then = "The proposal has no effect before you offer it in the game and your opponent accepts."
    elif desk.game.chain.offer:
        then = "Your opponent offers this proposal in the game: accept or decline under Offers."
    else:
        then = "To agree, offer the proposal with your message, under Offers. Without an offer it has no effect."
    return [*terms, then]


def list_kept(home: Path, digits: str) -> list[Path]:
    """Return the saved proposals of successor games with an id that begins with ``digits``."""
    paths = (own.path / _KEPT for own in journal.load_records(home)[0])
    return [path for path in paths if path.is_file() and _read_id(path).startswith(digits)]


def _read_id(path: Path) -> str:
    with suppress(KurskError):
        return folders.read_message(path).id
    return ""


def is_outranked(desk: Desk, new: Game) -> bool:
    """Return whether the saved proposal of a successor game has priority over the proposal ``new``.

    A proposal with the key of a current player has priority over a proposal with an unknown key. A proposal offered
    in a message of the game always has priority.
    """
    there, keys = find_kept(desk), desk.game.chain.keys.values()
    if there is None:
        return False
    old = successor.read(there).chain
    if old.game == desk.game.chain.offer.get("game"):
        return new.chain.game != old.game
    return new.chain.keys[new.chain.writer(0)] not in keys and old.keys[old.writer(0)] in keys


def _make_path(desk: Desk) -> Path:
    return desk.need_record().path / _KEPT


def read_terms(desk: Desk, said: Mapping[str, str]) -> Terms:
    """Return the terms from a page's form: ``at`` is a message number, ``option/KEY`` a value. Raises UsageError."""
    at = said.get("at", "").strip()
    if at and not (at.isascii() and at.isdigit() and len(at) < 6):
        raise UsageError("type the number of a message, or leave the field empty")
    now = dict(list_options(desk.game))
    asked = {key: said.get(f"option/{key}", "") for key in now}
    changed = {key: value for key, value in asked.items() if value and value != now[key][0]}
    return Terms(changed, {}, int(at) if at else None)


def list_options(game: Game) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """Return the options of a game with their values, the current value first."""
    now = game.chain.head["options"]
    few = (option for option in game.ruleset.options if not option.many)
    first = ((option, now.get(option.key, option.values[0])) for option in few)
    return tuple(
        (option.key, (value, *(other for other in option.values if other != value))) for option, value in first
    )
