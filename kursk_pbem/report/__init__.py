"""What people read: reports made from events, drafts made from hints, maps made from cells."""
