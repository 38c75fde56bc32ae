"""What a player or a director does with a game: propose, check, sign, offer, restore, roll, keep time."""
