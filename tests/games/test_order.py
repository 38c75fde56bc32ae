"""The law of order: the same signed bytes never give two results.

Canonical JSON sorts keys, so the order of keys in a file is not signed; whatever order a mail program, an archive or a
player gives them, rules and reports make the same of it. Every message of every finished game is taken with the keys of
its mappings reversed or shuffled, and gives the same events, positions and reports.
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


def order_of(folder):
    """One of the orders for each game, chosen by its name: each of them is taken by a dozen games."""
    return ORDERS[sum(map(ord, folder.name)) % len(ORDERS)]


def told(steps):
    """What comes of a game: of each message events, positions, and the report."""
    (first, begun, _none), *others = steps
    before = begun
    yield begun.state.sha256(), reports.report_proposal(begun, first)
    for message, game, result in others:
        report = reports.report_message(before, game, message, result)
        yield result.events, result.middle.sha256(), game.state.sha256(), game.luck, report
        before = game


def extended(written):
    """The steps of a game, message by message."""
    game = games.begin(written[0])
    yield written[0], game, None
    for message in written[1:]:
        game, result = games.extend(game, message)
        yield message, game, result


@pytest.mark.some(4)
@pytest.mark.parametrize("folder", sweeps.some(finished_games.played(), 5), ids=lambda folder: folder.name)
def test_keys_in_another_order_say_the_same(folder):
    steps = replayed(folder)
    found = told(extended([again(step.message, order_of(folder)) for step in steps]))
    for step, one, other in zip(steps, told(steps), found, strict=True):
        assert other == one, f"message {step.message.seq} of {folder.name}"


def test_each_order_is_taken_in_every_system():
    for rid in registry.KITS:
        folders_of = [folder for folder in finished_games.played() if folder.parent.name == rid]
        assert {order_of(folder) for folder in folders_of} == {*ORDERS}, rid


@pytest.mark.parametrize("folder", finished_games.played(), ids=lambda folder: folder.name)
def test_a_position_is_read_in_one_order(folder):
    """One that lies in a file, for a game that goes on from it: rules that go through its units see them sorted."""
    for step in replayed(folder)[::10]:
        plain = step.game.state.to_plain()
        assert repr(from_plain(reordered(plain, order_of(folder)))) == repr(from_plain(plain))


def test_keys_are_really_in_another_order():
    nested = {"a": {"x": "1", "y": [{"p": "1", "q": "2"}]}, "b": "3"}
    other = reordered(nested, "reversed")
    assert other == nested
    assert (list(other), list(other["a"]), list(other["a"]["y"][0])) == (["b", "a"], ["y", "x"], ["q", "p"])
    written = [step.message for step in replayed(finished_games.played()[0])]
    keys = [list(again(message, 1).content) for message in written]
    assert sum(one != list(message.content) for one, message in zip(keys, written, strict=True)) > len(written) // 2
