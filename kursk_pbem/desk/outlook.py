"""A position as a player asks about it before deciding: of a folder, of a signed message, of a draft.

Only what is known at this desk goes into it: the own sealed plans from the journal, the own dice that have fallen.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from kursk_pbem.desk import desk as desks
from kursk_pbem.desk import drafts
from kursk_pbem.desk.desk import Desk
from kursk_pbem.errors import RulesError
from kursk_pbem.formats import strictyaml
from kursk_pbem.game import folder as folders
from kursk_pbem.game import history, journal
from kursk_pbem.game.game import Game
from kursk_pbem.kernel.outlook import Chances, Outlook
from kursk_pbem.kernel.state import State


@dataclass(frozen=True)
class Seen:
    """A position and what is known of it here: ``sealed`` label -> value, ``what`` names it in a few words."""

    game: Game
    state: State
    sealed: Mapping[str, Any]
    what: str


def look(path: Path, home: Path, *, ahead: bool) -> Seen:
    """The position of a game folder, after a signed message, or after the orders of a draft.

    ``ahead``: of a folder in which this player writes next, the position after their duties, before their orders; of a
    draft the same, whatever it orders. Raises KurskError, for an illegal draft RulesError with every violation.
    """
    if path.is_dir():
        return _of_desk(desks.sit(path, home), ahead=ahead)
    if path.suffix == ".json":
        return _of_message(path, home)
    raw = folders.read_bytes(path)
    if "signature" in strictyaml.read(raw, str(path)).data:
        return _of_message(path, home)
    desk = desks.sit(path.parent, home)
    draft = drafts.read(desk, raw, str(path))
    if ahead:
        return _of_desk(desk, ahead=True)
    checked = drafts.check(desk, draft)
    if checked.result.violations:
        raise RulesError(checked.result.violations, desk.game.chain.writer(desk.seq))
    sealed = {**_known(desk.game, checked.result.after, desk.own), **checked.hidden}
    return Seen(desk.game, checked.result.after, sealed, f"the draft of message {desk.seq}")


def _of_desk(desk: Desk, *, ahead: bool) -> Seen:
    state, what = desk.game.state, f"after message {desk.seq - 1}"
    if ahead and desk.mine:
        duties = desks.duties(desk, desk.record_of_writer())
        state, what = duties.middle, f"{what} and your own dice" if duties.dice else what
    return Seen(desk.game, state, _known(desk.game, state, desk.own), what)


def _of_message(path: Path, home: Path) -> Seen:
    found = history.at(path)
    game = found.game
    own = journal.find(home, game.chain.game)
    return Seen(game, game.state, _known(game, game.state, own), f"after message {found.last.seq}")


def _known(game: Game, state: State, own: journal.Record | None) -> dict[str, Any]:
    """What this player has sealed and what waits hidden in the position."""
    known: dict[str, Any] = {}
    for key, entry in state.agenda.items():
        if key.startswith("sealed/") and own is not None and int(entry["seq"]) < game.chain.next_seq:
            slot = own.slot(int(entry["seq"]))
            label = key.removeprefix("sealed/")
            if slot is not None and label in slot.seals:
                known[label] = slot.seals[label]["value"]
    return known


def odds(seen: Seen) -> tuple[Chances, ...]:
    """The chances of every battle that is declared in the position."""
    return seen.game.ruleset.seen.odds(seen.game.setting, seen.state, seen.sealed)


def outlook(seen: Seen, unit: str) -> Outlook:
    """What the side that writes next may do, or one unit."""
    return seen.game.ruleset.seen.outlook(seen.game.setting, seen.state, unit)
