"""Choices that the rules give a player between dice, and the sources of the answers.

An answer comes from the player's earlier filing, otherwise from the ruleset's default. A player who knows a die must
not choose the effect of the die. So the umpire asks only for answers that the player could not file before.
"""

from __future__ import annotations

from kursk_pbem.frozen import frozen


@frozen(slots=True)
class Decision:
    """A choice that a player must make after a message's dice are rolled."""

    rule: str
    kind: str
    owner: str
    subject: str  # the battle or the unit
    options: tuple[str, ...]  # the legal answers
    default: str  # the ruleset's answer if ``filed`` is ''; '' if the players agreed to stop the dice
    filed: str = ""  # the answer of the ``owner``, or ''


class Pending(Exception):  # noqa: N818 - not an error: the game waits for an answer
    """An exception that stops the dice until the owner of ``decision`` answers in a later message."""

    def __init__(self, decision: Decision) -> None:
        super().__init__(decision.kind)
        self.decision = decision


def settle_decision(decision: Decision) -> tuple[str, str]:
    """Return the chosen option and its source: ``filed`` by the owner, or ``default``. Ignore an illegal answer.

    Raises Pending if the answer is missing and the players agreed that the program asks.
    """
    if decision.filed in decision.options:
        return decision.filed, "filed"
    if not decision.default:
        raise Pending(decision)
    if decision.default not in decision.options:
        raise AssertionError(f"the default of {decision.kind} is not among its options")
    return decision.default, "default"
