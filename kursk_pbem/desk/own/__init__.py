"""A player's own games: the register, the private records, notes, and the games that lie elsewhere."""
