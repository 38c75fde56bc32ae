"""Composing a draft: orders of the draft, their meaning, violations, and missing orders."""
