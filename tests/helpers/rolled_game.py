"""Shared parts of the tests of games with a referee's dice."""

from __future__ import annotations

from kursk_pbem.game import folders


def game_of(table):
    return table.referee.desk.game


def sent(table, seq):
    return folders.read_message(table.referee.folder / f"{seq:04d}.yaml")
