"""The pages of a tournament: static files, made from the tournament's folder alone."""
