"""The commands that show: reports, maps, tables, the board, replays, rules, scenarios."""
