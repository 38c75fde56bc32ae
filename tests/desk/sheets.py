"""Draft files for orders in words, and messages that are signed unasked."""

from kursk_pbem.desk.deals import passing
from kursk_pbem.desk.draft import ordering
from kursk_pbem.desk.own import desks


def sheet(player):
    return ordering.open_draft(player.desk)


def order(player, text):
    return ordering.write_orders(sheet(player), ordering.split_orders(text))


def text(player):
    return player.draft().read_text(encoding="ascii")


def passes(player):
    """Sign the messages that the player's machine may sign; return each desk and the reason."""
    return [*passing.sign_passes(player.home, player.place, lambda at: desks.open_desk(at, player.home), print)]
