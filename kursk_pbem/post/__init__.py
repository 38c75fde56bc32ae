"""Play by mail: people, letters, received mails, the outbox, servers. The room may import all but commands."""
