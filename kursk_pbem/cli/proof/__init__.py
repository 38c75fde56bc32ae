"""The commands for checking: verify games, prove fraud, write archives."""
