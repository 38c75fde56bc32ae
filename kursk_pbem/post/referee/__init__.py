"""A mailbox that referees: receipts, reminders, answers in words, and what waits for the director's word."""
