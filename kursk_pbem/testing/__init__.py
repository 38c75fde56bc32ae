"""The test bench for rulesets: random games, signed games, hostile orders, and the laws of rules code.

A package's tests need a few lines: ``Bench(RULESET)`` and calls of its methods.
"""

from kursk_pbem.kernel.forms import Content, FormPlayer
from kursk_pbem.testing.bench import Bench
from kursk_pbem.testing.laws import find_breaches, find_trespasses
from kursk_pbem.testing.play import Mind, SeededDice, make_form_player, play_game

__all__ = [
    "Bench",
    "Content",
    "FormPlayer",
    "Mind",
    "SeededDice",
    "find_breaches",
    "find_trespasses",
    "make_form_player",
    "play_game",
]
