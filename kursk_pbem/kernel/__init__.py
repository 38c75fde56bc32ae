"""What every rule system shares: hexes, positions, events, the umpire. Knows no ruleset and no signature."""
