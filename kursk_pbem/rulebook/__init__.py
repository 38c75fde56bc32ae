"""The texts of the rules: paragraphs, rulings, and the citing code. No game depends on this package."""
