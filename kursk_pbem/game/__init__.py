"""Where rules and trust meet: whole games, game folders, private folders, one message in and the next one out."""
