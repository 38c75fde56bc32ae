"""Choices that the rules give a player while dice are being rolled, and where their answers come from.

An answer is looked for in what its owner filed for the occasion, then in the ruleset's default. Nobody who can know
a die may still choose what it leads to, so nothing is asked that could have been filed before.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Decision:
    """One choice: ``options`` are all legal answers, ``filed`` the owner's answer if there is one ('' if not).

    ``default`` is what the ruleset takes where nothing was filed ('' where the players agreed to ask); ``subject``
    names the battle or unit.
    """

    rule: str
    kind: str
    owner: str
    subject: str
    options: tuple[str, ...]
    default: str
    filed: str = ""


class Pending(Exception):  # noqa: N818 - not an error: the game waits for an answer
    """Resolution stops here until the owner of ``decision`` has answered in a message of their own."""

    def __init__(self, decision: Decision) -> None:
        super().__init__(decision.kind)
        self.decision = decision


def settle(decision: Decision) -> tuple[str, str]:
    """The chosen option and its source, ``filed`` or ``default``; an answer that is no option counts as none.

    Raises Pending where nothing was filed and the players agreed to ask.
    """
    if decision.filed in decision.options:
        return decision.filed, "filed"
    if not decision.default:
        raise Pending(decision)
    if decision.default not in decision.options:
        raise AssertionError(f"the default of {decision.kind} is not among its options")
    return decision.default, "default"
