"""What a mailbox holds and remembers: mails, letters, people, and the store that knows what became of each."""
