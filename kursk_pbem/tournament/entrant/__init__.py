"""An entrant's desk: their copy of the log, their papers, what follows by itself."""
