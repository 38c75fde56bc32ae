"""The commands that compose a message: orders in words, what may be done, standing answers."""
