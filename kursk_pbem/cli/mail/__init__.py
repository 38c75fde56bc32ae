"""The commands of post: fetch, take, list, send, and who is reached where."""
