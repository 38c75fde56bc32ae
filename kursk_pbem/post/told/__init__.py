"""What is told of what came."""
