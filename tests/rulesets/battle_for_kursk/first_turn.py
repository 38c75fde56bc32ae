"""The first messages of a game of Citadel, as tests play them, and the files on a player's disk."""

from helpers.cheating import Cheat, write_text
from helpers.signed_play import Table

from kursk_pbem.demo import players
from kursk_pbem.game import entropy

CITADEL, CAMPAIGN = "battle-for-kursk/citadel", "battle-for-kursk/campaign"
SIDES = ("german", "russian")
PAUSE = {"posture": "pause", "reaction": "no"}
SEAL_2 = {"seal": {"posture/turn-2": PAUSE}}

ENGAGE = {"posture": "engage", "reaction": "no"}
OPENING = {"orders": {"distribution": sorted(players.DISTRIBUTION)}, "seal": {"posture/turn-1": ENGAGE}}
BATTLE = {
    "id": "ponyri",
    "hex": "2011",
    "attackers": ["g-41-pz", "g-46-pz", "g-47-pz"],
    "retreat": ["away 2713"],
    "losses": ["g-47-pz"],
    "advance": ["g-46-pz if-supplied"],
}
ORDERS = {"choice": {"posture/turn-1": ENGAGE}, "waive": "posture", "orders": {"battles": [BATTLE]}}

PLANLESS = {"id": "ponyri", "hex": "2011", "attackers": ["g-41-pz", "g-46-pz", "g-47-pz"]}
PLANLESS_ORDERS = {**ORDERS, "orders": {"battles": [PLANLESS]}}

OPEN_ORDERS = {**ORDERS, "orders": {"battles": [{"id": "izyum", "hex": "2218", "attackers": ["g-42", "g-57-pz"]}]}}
"""Orders whose answer has no choice."""


def other(side):
    return SIDES[1 - SIDES.index(side)]


def fought(table):
    """Battle ordered, answered and fought: message 5, Russian orders, is due."""
    table.turn(OPENING)
    table.turn(ORDERS)
    table.turn({})
    table.turn({})
    assert table.due.side == "russian"
    return table


def sealed_plans(root, value):
    """Message 4 is due, which must show ``value`` as the plan of the battle declared in message 2."""
    with entropy.fix_random_bytes("hostile plans"):
        table = Table(root).begin()
        table.turn(OPENING)
        cheat = Cheat(table)
        text = cheat.text(cheat.content({**PLANLESS_ORDERS, **cheat.seal("plans/2", value)}))
        cheat.victim.take(table.mail(write_text(root / "letter", text), cheat.victim.side))
        cheat.keep(text, {"plans/2": value})
        table.turn({})
    return Cheat(table)
