"""Mail in, mail out: people, letters, what came, what is to send, servers. It may use everything but commands."""
