"""Games that go on as another one: the proposal that came by mail, and what a player wants changed.

A proposal of a successor that was dropped is kept in the private record of the game that it continues, one at a time:
the player looks at its terms there, and offers it or accepts the offer of it.
"""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

from kursk_pbem.desk import locks, offers
from kursk_pbem.desk.desks import Desk
from kursk_pbem.errors import KurskError, UsageError
from kursk_pbem.game import folders, journal, successor
from kursk_pbem.game.games import Game
from kursk_pbem.game.successor import Terms

_KEPT = "successor.yaml"


def kept(desk: Desk) -> Path | None:
    """The proposal that is kept for this game, None without one that is for this moment."""
    path = _path(desk)
    try:
        here = path.exists() and successor.standing(desk.history.games, successor.read(path)) == successor.OPEN
    except KurskError:
        return None
    return path if here else None


def keep(desk: Desk, text: str) -> list[str]:
    """Keep a proposal that came by mail; its terms, and what to do with it. KurskError if it is not for this game."""
    path = _path(desk)
    arrived = path.with_name("successor-new.yaml")
    with locks.held(path.parent):
        try:
            folders.write(arrived, text, force=True, private=True)
            # before it takes the place of one that is good
            terms = offers.seen(desk, arrived, "the proposal that came")
            folders.write(path, text, force=True, private=True)
        finally:
            arrived.unlink(missing_ok=True)
    if not desk.mine:
        then = "It counts for nothing before it is offered in the game and accepted there."
    elif desk.game.chain.offer:
        then = "It is offered in the game: accept or decline it there, under Offers."
    else:
        then = "Your message is due: to agree, offer it in the game, under Offers. It counts for nothing before."
    return [*terms, then]


def every(home: Path, digits: str) -> list[Path]:
    """The proposals that are kept for the games of a private folder and whose id begins so."""
    paths = (own.path / _KEPT for own in journal.every(home)[0])
    return [path for path in paths if path.is_file() and _id(path).startswith(digits)]


def _id(path: Path) -> str:
    with suppress(KurskError):
        return folders.read_message(path).id
    return ""


def gives_way(desk: Desk, new: Game) -> bool:
    """Whether a proposal that came takes no place of the one that is kept: a player's before that of a new key.

    Nor of the one that is offered in the game.
    """
    there, keys = kept(desk), desk.game.chain.keys.values()
    if there is None:
        return False
    old = successor.read(there).chain
    if old.game == desk.game.chain.offer.get("game"):
        return new.chain.game != old.game
    return new.chain.keys[new.chain.writer(0)] not in keys and old.keys[old.writer(0)] in keys


def _path(desk: Desk) -> Path:
    if desk.own is None:
        raise UsageError("this machine keeps no private record of this game")
    return desk.own.path / _KEPT


def wanted(desk: Desk, said: Mapping[str, str]) -> Terms:
    """What a page asks for: ``at`` a message, and ``option/KEY`` for those that are to change. UsageError."""
    at = said.get("at", "").strip()
    if at and not (at.isascii() and at.isdigit() and len(at) < 6):
        raise UsageError("name a message by its number, or leave it empty")
    now = dict(options(desk.game))
    asked = {key: said.get(f"option/{key}", "") for key in now}
    changed = {key: value for key, value in asked.items() if value and value != now[key][0]}
    return Terms(changed, {}, int(at) if at else None)


def options(game: Game) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """The options of a game with their values, the one it is played with first."""
    now = game.chain.head["options"]
    first = ((option, now.get(option.key, option.values[0])) for option in game.ruleset.options)
    return tuple(
        (option.key, (value, *(other for other in option.values if other != value))) for option, value in first
    )
