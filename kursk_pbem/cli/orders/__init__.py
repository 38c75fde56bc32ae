"""The commands that compose a message: orders in words, possible moves, standing answers."""
