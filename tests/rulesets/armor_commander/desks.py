"""Games at the desks of both players, begun by typing, and what stands in their drafts."""

from kursk_pbem.formats import strictyaml


def deployed(begun):
    """A game in which the Soviet side orders in the clear, and both stand where the scenario puts them."""
    players = begun("armor-commander")
    players.turn({"seal": {"deployment": []}})
    players.turn({})
    return players


def orders(players, who):
    data = strictyaml.read(players.draft(who).read_bytes(), "draft").data
    return next(iter(data.get("orders", data.get("seal", {})).values()))
