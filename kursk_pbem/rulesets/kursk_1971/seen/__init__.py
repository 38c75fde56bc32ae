"""Views of Kursk (1971) for players. No rule imports this package."""
