"""Composing a draft: orders written into it, what they mean, what is wrong, what is left to do."""
