"""The seat at the board: what a page shows and what its forms do. The board alone imports it."""
