"""Draft files for orders in words."""

from kursk_pbem.desk.draft import ordering


def sheet(player):
    return ordering.open_draft(player.desk)


def order(player, text):
    return ordering.write_orders(sheet(player), ordering.split_orders(text))


def text(player):
    return player.draft().read_text(encoding="ascii")
