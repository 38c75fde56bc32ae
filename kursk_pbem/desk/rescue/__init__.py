"""A lost folder or private record, made anew from what others hold."""
