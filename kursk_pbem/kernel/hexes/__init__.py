"""Shared code of systems with hexes: geometry, masks, map data, stacks, reach, odds, losses, plans, policies."""
