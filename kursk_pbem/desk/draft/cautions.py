"""What a draft declares that is allowed and brings nothing: an attack without a die, a shift above the last column."""

from __future__ import annotations

from collections.abc import Iterator

from kursk_pbem.desk.desks import Desk
from kursk_pbem.desk.draft import prospects
from kursk_pbem.desk.draft.drafts import Checked
from kursk_pbem.kernel.brief import Left
from kursk_pbem.kernel.events import Fought


def of(desk: Desk, checked: Checked) -> tuple[Left, ...]:
    """What is to be said of each battle that the draft declares; nothing where all is as it should be."""
    if not checked.declares:
        return ()
    game, after = desk.game, checked.result.after
    sealed = {**prospects.known(game, after, desk.own), **checked.hidden}
    declared = game.ruleset.seen.declared(game.setting, after, sealed)
    return tuple(told for fought in declared for told in _told(fought))


def _told(fought: Fought) -> Iterator[Left]:
    if not fought.column:
        why = fought.note.rpartition(" [")[0] or fought.note or "no attack takes place"
        yield Left(fought.rule, f"{fought.battle} in {fought.place} is no attack: {why}")
        return
    over = _level(fought.reached) - _level(fought.column)
    helped = [shift for shift in fought.shifts if shift.by > 0 and shift.on == "column"]
    if over > 0 and helped:
        unused = "brings nothing" if over >= helped[-1].by else f"brings {over} less than it says"
        yield Left(
            helped[-1].rule, f"{fought.battle}: {fought.reached} counts as {fought.column}; {helped[-1].why} {unused}"
        )


def _level(odds: str) -> int:
    """How far a column lies above 1:1, in whole numbers; 0 for one that is not written N:1."""
    one, _colon, other = odds.partition(":")
    return int(one) if other == "1" and one.isdigit() else 0
