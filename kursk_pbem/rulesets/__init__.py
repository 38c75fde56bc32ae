"""The rule systems that can be played, listed explicitly."""

from __future__ import annotations

from kursk_pbem.errors import UsageError
from kursk_pbem.kernel.ruleset import Ruleset
from kursk_pbem.rulesets import battle_for_kursk

RULESETS: tuple[Ruleset, ...] = (battle_for_kursk.RULESET,)


def ruleset(rid: str, *, refereed: bool = False) -> Ruleset:
    """The ruleset of an id, with the players' dice or a referee's; UsageError names those there are."""
    named = next((each for each in RULESETS if each.id == rid), None)
    if named is None:
        raise UsageError(f"no ruleset {rid!r} in this version; there are: {', '.join(r.id for r in RULESETS)}")
    found = named.refereed if refereed else named
    if found is None:
        raise UsageError(f"{rid} cannot be played with a referee's dice")
    return found
