"""The demonstration: its players and its folder."""
