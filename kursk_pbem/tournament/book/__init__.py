"""The book of a tournament: its log read paper by paper, each held against all before it."""
