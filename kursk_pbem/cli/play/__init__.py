"""The commands that play: propose, take a mail, draft, sign, offer, restore, and where one stands."""
