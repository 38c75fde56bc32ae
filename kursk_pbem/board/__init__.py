"""The board in the browser: a game to look at, a turn to compose with the mouse.

Views parse a request, call ``desk`` and render; none of them decides anything. Every action is an order in words, the
same that ``kursk order`` takes, written into the draft by the same function.
"""
