"""The board in the browser: view a game, compose a turn with the mouse.

Views parse a request, call ``desk`` and render; ``desk`` decides. Every action is an order in the words of ``kursk
order``, written to the draft by the same function.
"""
