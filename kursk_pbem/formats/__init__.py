"""Bytes to plain data and back: strict YAML, canonical JSON, schemas. Knows no game and no signature."""
