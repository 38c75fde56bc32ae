"""The law of order: the same signed bytes never give two results.

Canonical JSON sorts keys, so the order of keys in a file is not signed; whatever order a mail program, an archive or a
player gives them, rules and reports make the same of it. Every message of every finished game is taken with the keys of
its mappings reversed and shuffled, and gives the same events, positions and reports.
"""

import random
from dataclasses import replace
from functools import cache

import pytest
from helpers import finished_games

from kursk_pbem.game import folder as folders
from kursk_pbem.game import game as games
from kursk_pbem.game import reports
from kursk_pbem.kernel.state import from_plain
from kursk_pbem.trust import message as messages

pytestmark = pytest.mark.slow

ORDERS = ("reversed", 1, 2)
"""Seeds of the shuffled orders."""


def reordered(value, order):
    """The same plain value with the keys of its mappings in another order; lists stay as they are."""
    if isinstance(value, dict):
        keys = list(value)
        if order == "reversed":
            keys.reverse()
        else:
            random.Random(f"{order} {keys}").shuffle(keys)
        return {key: reordered(value[key], order) for key in keys}
    return [reordered(each, order) for each in value] if isinstance(value, list) else value


def again(message, order):
    """A message with the same id and signature, and its keys in another order."""
    other = replace(
        message,
        content=reordered(dict(message.content), order),
        document=replace(message.document, data=reordered(message.document.data, order)),
        state=None if message.state is None else reordered(dict(message.state), order),
    )
    assert messages.signed_bytes(other.content) == message.signed, "the signed bytes are the same"
    return other


def told(written):
    """What comes of a game: of each message events, positions, and the report."""
    game = games.begin(written[0])
    found = [(game.state.sha256(), reports.of_proposal(game, written[0]))]
    for message in written[1:]:
        before = game
        game, result = games.extend(before, message)
        report = reports.of_message(before, game, message, result)
        found.append((result.events, result.middle.sha256(), game.state.sha256(), game.luck, report))
    return found


@cache
def usual(folder):
    written = [folders.read_message(path) for path in folders.message_files(folder)]
    return written, told(written)


@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize("folder", finished_games.played(), ids=lambda folder: folder.name)
def test_keys_in_another_order_say_the_same(folder, order):
    written, expected = usual(folder)
    found = told([again(message, order) for message in written])
    for message, one, other in zip(written, expected, found, strict=True):
        assert other == one, f"message {message.seq} of {folder.name}"


@pytest.mark.parametrize("order", ORDERS)
def test_a_position_is_read_in_one_order(order):
    """One that lies in a file, for a game that goes on from it: rules that go through its units see them sorted."""
    for folder in finished_games.played():
        for written in usual(folder)[0][::10]:
            plain = at(folder, written.seq).to_plain()
            assert repr(from_plain(reordered(plain, order))) == repr(from_plain(plain)), folder.name


@cache
def positions(folder):
    first, *others = usual(folder)[0]
    found = [games.begin(first)]
    for message in others:
        found.append(games.extend(found[-1], message)[0])
    return [game.state for game in found]


def at(folder, seq):
    """The position after a message."""
    return positions(folder)[seq]


def test_keys_are_really_in_another_order():
    nested = {"a": {"x": "1", "y": [{"p": "1", "q": "2"}]}, "b": "3"}
    other = reordered(nested, "reversed")
    assert other == nested
    assert (list(other), list(other["a"]), list(other["a"]["y"][0])) == (["b", "a"], ["y", "x"], ["q", "p"])
    written, _found = usual(finished_games.played()[0])
    keys = [list(again(message, 1).content) for message in written]
    assert sum(one != list(message.content) for one, message in zip(keys, written, strict=True)) > len(written) // 2
