"""What the practice opponent thinks about: the worth of a position, and plans that differ in kind.

Nothing here decides anything of a game.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from kursk_pbem.kernel.ideas import Ideas, Solve, Whim
from kursk_pbem.kernel.state import State
from kursk_pbem.rulesets.battle_for_kursk import posture
from kursk_pbem.rulesets.battle_for_kursk.defence import Defence
from kursk_pbem.rulesets.battle_for_kursk.mind import PLANS, POLICY, Content, Mind, evaluate
from kursk_pbem.rulesets.battle_for_kursk.setting import RUSSIAN, Setting

EFFORTS = {2: 1_500}


def propose(setting: Setting, state: State, seq: int, plan: str, _own: Mapping[str, Any], whim: Whim) -> Content:
    """Return the content of the next message by a plan. With a referee one policy serves for all battles."""
    return Mind(setting, state, seq, plan, whim).content() | _stand(setting, state)


def _stand(setting: Setting, state: State) -> Content:
    return {"policy": dict(POLICY)} if setting.refereed and f"policy-{state.side}" not in state.agenda else {}


def guess(_setting: Setting, _state: State, label: str, _whim: Whim) -> Any:
    """Return a likely value of a sealed label: Engage, which the rules lower to what can be paid; no plans."""
    return {"posture": "engage", "reaction": "no"} if label.startswith(posture.label("")) else {}


def search(
    setting: Setting, state: State, seq: int, plan: str, own: Mapping[str, Any], whim: Whim, solve: Solve
) -> Content:
    """Return the content of the next message. By the usual plan the German holds cities; only this needs a search."""
    if plan != PLANS[0].key or state.side == RUSSIAN:
        return propose(setting, state, seq, plan, own, whim)
    return Defence(setting, state, seq, solve).content() | _stand(setting, state)


IDEAS = Ideas(PLANS, evaluate, propose, guess, search, EFFORTS)
