"""The board in the browser: a game to look at, a turn to compose with the mouse.

Every action of a player is an order in words. The board and ``kursk order`` write orders by one function of ``desk``.
"""
