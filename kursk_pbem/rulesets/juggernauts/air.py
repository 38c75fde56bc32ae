"""20.0 The air rules, which the text offers for discussion only: an option. Strikes, interception, what they do."""

from __future__ import annotations

from kursk_pbem.kernel.orders import Filing
from kursk_pbem.kernel.umpire import Umpire
from kursk_pbem.rulesets.juggernauts.setting import Setting

STRIKES = "strikes"  # agenda


def ordered(_umpire: Umpire[Setting], filing: Filing) -> bool:
    return bool(filing.order("air"))


def declare(umpire: Umpire[Setting], filing: Filing) -> None:
    for order, path in umpire.each(filing, "air", "20.1", "two strikes have this id"):
        umpire.refuse("20.1", "no aircraft fly in this game", order["id"], path)


def waits(umpire: Umpire[Setting], _filing: Filing) -> bool:
    return STRIKES in umpire.state.agenda


def resolve(umpire: Umpire[Setting], filing: Filing) -> None:
    pass


FLOWN = "flown"


def check_flown(setting: Setting, state: object) -> list[str]:
    return []
DOWN = "down"
