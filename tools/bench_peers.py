"""A decision of a random game: in our rules, in python-chess and in diplomacy. Rows of ``tools/targets.py``.

The packages of the peers are not pinned: ``pip install chess diplomacy`` adds their rows.
"""

from __future__ import annotations

import random
import sys
from collections.abc import Iterator
from importlib import metadata
from typing import Any
from unittest.mock import patch

from bench_search import Fallen

CHOICES = ("choice", "orders", "policy", "decisions", "sealed")


def make_rows(kit: Any, row: Any, timed: Any) -> Iterator[Any]:
    """Yield a row: the messages of a random game, judged by the rules alone. An order, a choice is a decision.

    ``row``, ``timed``: the row and the timer of `targets`.
    """
    from rulesets import toys

    from kursk_pbem.testing import play

    setting, judged, adjudicate = kit.setting(kit.scenarios[0]), list[Any](), play.adjudicate

    def record(ruleset: Any, setting: Any, state: Any, filed: Any, dice: Any) -> Any:
        result = adjudicate(ruleset, setting, state, filed, dice)
        if not filed.resigns:
            judged.append((state, filed, Fallen(filed.seq, result.dice)))
        return result

    with patch.object(play, "adjudicate", record):
        list(toys.play(kit, setting, 1))
    values = [getattr(filed, each) for _state, filed, _dice in judged for each in CHOICES]
    decisions = sum(len(each) if isinstance(each, list) else 1 for value in values for each in value.values())

    def judge() -> None:
        for state, filed, dice in judged:
            adjudicate(kit.ruleset, setting, state.with_(), filed, dice)

    first = judged[0][0]
    yield row(f"{kit.id}: a decision", 0.3, timed(judge, decisions), timed(lambda: first.with_().sha256()))


def make_peer_rows(row: Any, timed: Any) -> Iterator[Any]:
    """Yield a row for each installed peer, and name the others. A figure of a peer has no target."""
    for name, prepare in (("chess", _prepare_chess), ("diplomacy", _prepare_diplomacy)):
        try:
            begin, play, decisions = prepare()
        except ImportError as error:
            print(f"{name} is left out: {error}", file=sys.stderr)
            continue
        yield row(f"{name} {metadata.version(name)}: a decision", 0, timed(play, decisions), timed(begin))


def _prepare_chess() -> tuple[Any, Any, int]:
    """Return the start and the play of a random game of python-chess, with its number of moves."""
    import chess

    def play() -> int:
        rng, board = random.Random(1), chess.Board()
        while not board.is_game_over():
            board.push(rng.choice(list(board.legal_moves)))
        return len(board.move_stack)

    return chess.Board, play, play()


def _prepare_diplomacy(phases: int = 60) -> tuple[Any, Any, int]:
    """Return the start and the play of a random game of diplomacy, with its number of orders, each chosen before."""
    from diplomacy import Game

    rng, game, chosen = random.Random(1), Game(), list[list[tuple[str, list[str]]]]()

    def judge(game: Any, orders: list[tuple[str, list[str]]]) -> None:
        for power, given in orders:
            game.set_orders(power, given)
        game.process()

    for _phase in range(phases):
        possible = game.get_all_possible_orders()
        places = ((power, game.get_orderable_locations(power)) for power in game.powers)
        chosen.append([(power, [rng.choice(possible[place]) for place in own]) for power, own in places])
        judge(game, chosen[-1])

    def play() -> None:
        game = Game()
        for orders in chosen:
            judge(game, orders)

    return Game, play, sum(len(given) for orders in chosen for _power, given in orders)
