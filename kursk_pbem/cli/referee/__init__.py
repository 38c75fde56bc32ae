"""The commands of a referee: receipts and forfeits."""
