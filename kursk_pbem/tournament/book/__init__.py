"""The book of a tournament: its log, read and checked paper by paper."""
