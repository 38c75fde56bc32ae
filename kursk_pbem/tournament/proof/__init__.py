"""Proofs of a tournament from its folder: complete, or up to the first difference."""
