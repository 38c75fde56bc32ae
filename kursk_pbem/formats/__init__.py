"""Conversion between bytes and plain data: strict YAML, canonical JSON, schemas. Independent of games, signatures."""
