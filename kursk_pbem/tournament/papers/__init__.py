"""Papers of a tournament: fields, signed and written form, and storage."""
