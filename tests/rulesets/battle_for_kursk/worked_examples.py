"""Positions and orders of worked examples that several tests look at."""

from rulesets.battle_for_kursk.board import attack, battles

CX5 = "1301: r-43 reduced | 1200: r-3-sh | 1400: r-4-sh | 1201: g-59 | 1302: g-6 reduced | 1401: g-39-pz reduced"
ATTACK5 = battles(attack("1301", "g-59 g-6 g-39-pz", advance="g-39-pz"))
CX6 = (
    "1301: r-43 reduced | 1400: r-4-sh | 1402: r-68 | 1401: g-39-pz reduced | 1302: g-6 reduced | 1201: g-59"
    "; stage russian-orders"
)
