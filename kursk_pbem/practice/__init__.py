"""Practise against the program: levels of play, an opponent with a desk of its own, hints and an analysis."""
