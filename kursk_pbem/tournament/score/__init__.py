"""Points, tie-breaks, ratings and tables: whole numbers and exact fractions of them, rounded nowhere."""
