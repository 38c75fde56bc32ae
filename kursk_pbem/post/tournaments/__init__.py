"""Tournaments by mail: accepted papers, waiting entries, and the director's automatic work."""
