"""What systems with hexes share: labels and geometry, masks, map data, paths and reach, odds and losses, plans."""
