"""An entrant's desk: the copy of the log, own papers, and automatic papers."""
