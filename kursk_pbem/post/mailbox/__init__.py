"""The contents of a mailbox: mails, letters, people, and the store with the result of each mail and letter."""
