"""The rule of a tournament about the help of programs: the field ``assistance`` of paper 0 (docs/directors.md 6.2)."""

from __future__ import annotations

from pathlib import Path

from kursk_pbem.desk.own import decided
from kursk_pbem.errors import UsageError
from kursk_pbem.game import journal
from kursk_pbem.game.games import Game
from kursk_pbem.tournament import private
from kursk_pbem.tournament.papers import store

FIELD = "assistance"
ALLOWED, TOLD, FORBIDDEN = "allowed", "told", "forbidden"
VALUES = (ALLOWED, TOLD, FORBIDDEN)
POSSIBLE = "Moves, odds of declared attacks and the rules stay; ideas and analyses are possible after the end"


def find_assistance(home: Path, game: Game, near: Path | None = None) -> str:
    """Return if a game's tournament now lets programs help: allowed, told (allowed if the player says so) or forbidden.

    Finished games, and games outside tournaments, allow all help. ``near``: the folder or file of the game, which may
    be inside the tournament's folder. Raises UsageError if paper 0 (the rules) is missing on this machine.
    """
    named = game.chain.head.get("tournament")
    played = journal.find(home, game.chain.game)
    if named is None or game.over or (played is not None and decided.explain_decided(played)):
        return ALLOWED
    id_ = str(named["id"])
    own = private.find_record(home, id_)
    places = ([Path(own.folder)] if own else []) + (list(near.resolve().parents) if near else [])
    for folder in filter(store.is_tournament, places):
        if (paper := store.read_paper(store.log_path(folder, 0))).id == id_:
            return str(paper.content.get(FIELD, ALLOWED))
    wanted = f"copy it to {store.log_path(places[0], 0)}" if own else "type 'kursk tournament enter' with it"
    why = f"paper 0 of tournament {id_[:16]} is missing here and may forbid help by programs: {wanted}"
    raise UsageError(f"{why}. {POSSIBLE}")


def need_allowed(home: Path, game: Game, near: Path | None = None) -> None:
    """Raise UsageError if a game's tournament forbids help by programs now, or if its paper 0 is missing."""
    if find_assistance(home, game, near) == FORBIDDEN:
        why = f"paper 0 of the tournament says '{FIELD}: {FORBIDDEN}', and the game is not over"
        raise UsageError(f"no help by programs: {why}. {POSSIBLE}")
