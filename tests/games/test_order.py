"""The law of order: equal signed bytes give equal results.

Canonical JSON sorts keys, so the order of keys in a file is not signed. A mail program, an archive or a player may
change the order, but not rules and reports. The tests replay every finished game with the keys of its mappings reversed
or shuffled, and compare events, positions and reports.
"""

import random
from dataclasses import replace

import pytest
from helpers import finished_games, registry, sweeps
from helpers.replays import replayed

from kursk_pbem.game import games, reports
from kursk_pbem.kernel.state import from_plain
from kursk_pbem.trust import messages

pytestmark = pytest.mark.slow

ORDERS = ("reversed", 1, 2)
"""``reversed``, and seeds of shuffled orders."""


def reorder_keys(value, order):
    """Return a plain value with reordered keys in its mappings; lists stay."""
    if isinstance(value, dict):
        keys = list(value)
        if order == "reversed":
            keys.reverse()
        else:
            random.Random(f"{order} {keys}").shuffle(keys)
        return {key: reorder_keys(value[key], order) for key in keys}
    return [reorder_keys(each, order) for each in value] if isinstance(value, list) else value


def reorder_message(message, order):
    """Return a message with reordered keys, and equal id and signature."""
    other = replace(
        message,
        content=reorder_keys(dict(message.content), order),
        document=replace(message.document, data=reorder_keys(message.document.data, order)),
        state=None if message.state is None else reorder_keys(dict(message.state), order),
    )
    assert messages.signed_bytes(other.content) == message.signed, "the signed bytes are the same"
    return other


def order_of(folder):
    """Return an order for a game by its name; about a dozen games share an order."""
    return ORDERS[sum(map(ord, folder.name)) % len(ORDERS)]


def replay_results(steps):
    """Yield the results of a game: the events, positions and report of each message."""
    (first, begun, _none), *others = steps
    before = begun
    yield begun.state.sha256(), reports.report_proposal(begun, first)
    for message, game, result in others:
        report = reports.report_message(before, game, message, result)
        yield result.events, result.middle.sha256(), game.state.sha256(), game.luck, report
        before = game


def extend_game(written):
    """Yield the steps of a game."""
    game = games.begin(written[0])
    yield written[0], game, None
    for message in written[1:]:
        game, result = games.extend(game, message)
        yield message, game, result


@pytest.mark.some(4)
@pytest.mark.parametrize("folder", sweeps.some(finished_games.list_folders(), 5), ids=lambda folder: folder.name)
def test_keys_in_another_order_say_the_same(folder):
    steps = replayed(folder)
    found = replay_results(extend_game([reorder_message(step.message, order_of(folder)) for step in steps]))
    for step, one, other in zip(steps, replay_results(steps), found, strict=True):
        assert other == one, f"message {step.message.seq} of {folder.name}"


def test_each_order_is_taken_in_every_system():
    for rid in registry.KITS:
        folders_of = [folder for folder in finished_games.list_folders() if folder.parent.name == rid]
        assert {order_of(folder) for folder in folders_of} == {*ORDERS}, rid


@pytest.mark.parametrize("folder", finished_games.list_folders(), ids=lambda folder: folder.name)
def test_a_position_is_read_in_one_order(folder):
    """A game can start from a position in a file; rules over its units need a fixed order."""
    for step in replayed(folder)[::10]:
        plain = step.game.state.to_plain()
        assert repr(from_plain(reorder_keys(plain, order_of(folder)))) == repr(from_plain(plain))


def test_keys_are_really_in_another_order():
    nested = {"a": {"x": "1", "y": [{"p": "1", "q": "2"}]}, "b": "3"}
    other = reorder_keys(nested, "reversed")
    assert other == nested
    assert (list(other), list(other["a"]), list(other["a"]["y"][0])) == (["b", "a"], ["y", "x"], ["q", "p"])
    written = [step.message for step in replayed(finished_games.list_folders()[0])]
    keys = [list(reorder_message(message, 1).content) for message in written]
    assert sum(one != list(message.content) for one, message in zip(keys, written, strict=True)) > len(written) // 2
