"""Orders as the rules read them: typed, each with its place in the file."""

from __future__ import annotations

from kursk_pbem.kernel.hexes.ways import Move
from kursk_pbem.kernel.orders import Filing


def moves(filing: Filing, key: str) -> list[Move]:
    """The moves under ``orders: key``, in the order in which they are written."""
    return [Move.from_plain(order, ("orders", key, number)) for number, order in enumerate(filing.order(key))]
