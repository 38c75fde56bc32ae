"""The practice opponent of Armor Commander."""
