"""An entrant's desk: the copy of the log, the entrant's papers, and automatic papers."""
