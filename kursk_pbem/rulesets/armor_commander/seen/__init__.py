"""Views of Armor Commander for people. No module of the rules imports this package."""
