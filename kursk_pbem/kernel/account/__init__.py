"""Accounts of events, in few words and in prose, for any ruleset: every word follows from the events."""
