"""Cases of the conformance suite as cards: text that a player can read and write (conformance/cards.md)."""
