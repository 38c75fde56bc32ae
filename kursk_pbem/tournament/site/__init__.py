"""The pages of a tournament: a folder of files that needs no server, made from the tournament's folder alone."""
