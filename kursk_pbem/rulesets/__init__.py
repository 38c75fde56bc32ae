"""The rule systems that can be played, listed explicitly."""

from __future__ import annotations

from kursk_pbem.errors import UsageError
from kursk_pbem.kernel.ruleset import Ruleset
from kursk_pbem.rulesets import battle_for_kursk

RULESETS: tuple[Ruleset, ...] = (battle_for_kursk.RULESET,)


def ruleset(rid: str, *, refereed: bool = False) -> Ruleset:
    """The ruleset of an id, with the players' dice or a referee's; UsageError names those there are."""
    for each in RULESETS:
        if each.id == rid and not refereed:
            return each
        if each.id == rid and each.refereed is not None:
            return each.refereed
        if each.id == rid:
            raise UsageError(f"{rid} cannot be played with a referee's dice")
    raise UsageError(f"no ruleset {rid!r} in this version; there are: {', '.join(r.id for r in RULESETS)}")
