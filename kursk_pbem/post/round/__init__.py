"""A round of post: fetch, take, send, again and again."""
