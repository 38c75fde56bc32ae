"""What happened, in few words and in prose, whatever is played: every word follows from the events."""
