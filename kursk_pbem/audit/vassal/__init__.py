"""A game as files of VASSAL, a program that shows wargames: a module, a saved position and a log of the whole game."""
