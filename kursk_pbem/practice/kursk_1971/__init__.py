"""The practice opponent of Kursk (1971)."""
