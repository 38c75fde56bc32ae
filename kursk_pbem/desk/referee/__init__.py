"""The desk of a referee: what they roll and hand on, when messages came, when answers are due."""
