"""A referee's mailbox: receipts, reminders, answers in words, and open decisions of the director."""
