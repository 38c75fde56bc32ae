"""What is told of what came: of a run, and of one that was broken off before it had told."""
