"""Actions of a player or a director in a game: propose, check, sign, offer, restore, roll, keep time."""
