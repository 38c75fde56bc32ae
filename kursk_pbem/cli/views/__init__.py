"""The commands that look: reports, maps, tables, the board, replays, rules, scenarios."""
