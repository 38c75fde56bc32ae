"""Points, tie-breaks, ratings and tables in whole numbers and exact fractions."""
