"""The demonstration: players and folder."""
