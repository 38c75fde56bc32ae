"""Choices that the rules give a player between dice, and the sources of the answers.

An answer comes from the player's earlier filing, otherwise from the ruleset's default. A player who knows a die must
not choose the effect of the die. So the umpire asks only for answers that the player could not file before.
"""

from __future__ import annotations

from kursk_pbem.frozen import frozen


@frozen(slots=True)
class Decision:
    """A choice of a player: ``options`` are the legal answers, ``filed`` is the answer of the ``owner``, or ''.

    ``default``: the answer of the ruleset if no answer is filed; '' if the players agreed that the dice stop for a
    decision. ``subject``: the battle or unit.
    """

    rule: str
    kind: str
    owner: str
    subject: str
    options: tuple[str, ...]
    default: str
    filed: str = ""


class Pending(Exception):  # noqa: N818 - not an error: the game waits for an answer
    """Raised to stop the resolution until the owner of ``decision`` answers in a later message."""

    def __init__(self, decision: Decision) -> None:
        super().__init__(decision.kind)
        self.decision = decision


def settle_decision(decision: Decision) -> tuple[str, str]:
    """Return the chosen option and the source: ``filed`` by the owner, or ``default``. Ignore an illegal answer.

    Raises Pending if the answer is missing and the players agreed to ask.
    """
    if decision.filed in decision.options:
        return decision.filed, "filed"
    if not decision.default:
        raise Pending(decision)
    if decision.default not in decision.options:
        raise AssertionError(f"the default of {decision.kind} is not among its options")
    return decision.default, "default"
