"""A referee's desk: dice, receipts and deadlines."""
