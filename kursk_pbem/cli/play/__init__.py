"""The commands that play: propose, accept, draft, sign, offer, restore, status."""
