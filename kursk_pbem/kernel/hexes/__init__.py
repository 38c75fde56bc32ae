"""What systems with hexes share: geometry, masks, map data, who stands where, reach, odds, losses, plans, policies."""
