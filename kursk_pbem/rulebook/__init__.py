"""The texts of the rules: paragraphs, rulings, and the code that cites them. Games are played without it."""
