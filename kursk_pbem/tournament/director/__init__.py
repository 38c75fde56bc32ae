"""The director's desk: incoming papers, decisions, signatures and letters."""
