"""Tournaments that prove their own standings: signed papers, pairings and tables that anybody computes again."""

FOLDER = "tournaments"
"""Where their records lie in the private folder."""
