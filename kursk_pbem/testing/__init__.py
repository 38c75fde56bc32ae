"""The test bench for rulesets: random games, signed games, hostile orders, and the laws of rules code.

A package's tests need a few lines: ``Bench(RULESET, GAME.make_player)`` and calls of its methods.
"""

from kursk_pbem.testing.bench import Bench
from kursk_pbem.testing.laws import find_breaches, find_trespasses
from kursk_pbem.testing.play import Content, Mind, SeededDice, play_game

__all__ = ["Bench", "Content", "Mind", "SeededDice", "find_breaches", "find_trespasses", "play_game"]
