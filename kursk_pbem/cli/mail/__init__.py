"""The mail commands: inbox, outbox, mail account, address book."""
