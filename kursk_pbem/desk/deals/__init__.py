"""Agreements between players: proposals, invitations, offers, successors, refereed games."""
