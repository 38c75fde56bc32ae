"""Where rules and trust meet: what a game is, its folder and its private journal, one message in and the next out."""
