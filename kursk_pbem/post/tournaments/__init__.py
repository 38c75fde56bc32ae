"""Tournaments by mail: their letters in the outbox, their papers out of mails, what their mailbox does by itself."""
