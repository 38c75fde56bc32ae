"""The first messages of a game of Citadel, as tests play them, and what lies on the disk of whoever plays it."""

from kursk_pbem.demo import players

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


def tree(*places):
    """Every file below: path -> bytes."""
    return {path: path.read_bytes() for place in places for path in place.rglob("*") if path.is_file()}
