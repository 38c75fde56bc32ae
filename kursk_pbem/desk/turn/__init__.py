"""One turn of a player: sign, prepare, keep what proves a fraud."""
