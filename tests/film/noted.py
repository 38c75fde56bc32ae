"""Two games with equal dice: one with a hidden plan and notes, one without."""

from helpers.signed_play import Table
from rulesets.battle_for_kursk.first_turn import OPENING, ORDERS, PLANLESS_ORDERS

from kursk_pbem.game import entropy


def begin_pair(root):
    """Return the tables of both games; the Russian answers the German orders with message 3."""
    note = {"note": "a note for you"}
    return _begin(root / "noted", ORDERS, note), _begin(root / "bare", PLANLESS_ORDERS, {})


def _begin(root, orders, note):
    with entropy.fix_random_bytes("pictures"):
        table = Table(root).begin()
        table.turn({**OPENING, **note})
        table.turn({**orders, **note})
    return table
