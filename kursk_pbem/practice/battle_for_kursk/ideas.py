"""The thoughts of the practice opponent: the worth of a position, and different plans.

This module decides no part of a game.
"""

from __future__ import annotations

from typing import Any

from kursk_pbem.kernel.ideas import Ideas, Seals, Solve, Whim, march_nearest
from kursk_pbem.kernel.state import State
from kursk_pbem.practice.battle_for_kursk.defence import Defence
from kursk_pbem.practice.battle_for_kursk.mind import CALM, PLANS, POLICY, Content, Mind, evaluate
from kursk_pbem.rulesets.battle_for_kursk import posture
from kursk_pbem.rulesets.battle_for_kursk.setting import RUSSIAN, Setting

EFFORTS = {2: 1_500}


def propose(
    setting: Setting, state: State, seq: int, plan: str, _own: Seals, whim: Whim, solve: Solve = march_nearest
) -> Content:
    """Return the content of the next message by a plan. In a refereed game, one policy covers all battles.

    A search improves the usual plan. In this plan the German holds cities, and fewer Russian units guard Moscow.
    """
    usual = plan == PLANS[0].key and solve is not march_nearest
    if usual and state.side != RUSSIAN:
        mind: Mind = Defence(setting, state, seq, solve)
    else:
        mind = Mind(setting, state, seq, CALM if usual else plan, whim)
    stands = setting.refereed and f"policy-{state.side}" not in state.agenda
    return mind.content() | ({"policy": dict(POLICY)} if stands else {})


def guess(_setting: Setting, _state: State, label: str, _whim: Whim) -> Any:
    """Return a guess at a sealed value: for a posture, Engage (even if too expensive); otherwise an empty plan."""
    return {"posture": "engage", "reaction": "no"} if label.startswith(posture.label("")) else {}


IDEAS = Ideas(PLANS, evaluate, propose, guess, EFFORTS)
