"""Games of both players, started by typed commands, and the contents of their drafts."""

from kursk_pbem.formats import strictyaml


def play_deployment(begun):
    """Play up to the orders of turn 1: the Soviet orders are open, and both sides use the scenario's deployment."""
    players = begun("armor-commander")
    players.turn({"seal": {"deployment": []}})
    players.turn({})
    return players


def orders(players, who):
    data = strictyaml.read(players.draft(who).read_bytes(), "draft").data
    return next(iter(data.get("orders", data.get("seal", {})).values()))
