"""The content and the actions of the board's pages. Only the board imports this package."""
