"""A lost folder or private record, made again from the copies of others."""
