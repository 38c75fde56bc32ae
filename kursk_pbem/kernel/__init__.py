"""Shared code of every rule system: hexes, positions, events, the umpire. Independent of rulesets and signatures."""
