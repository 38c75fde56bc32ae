"""The lowest room of the desk: locks, the clock, JSON files, what this machine and its player have seen."""
