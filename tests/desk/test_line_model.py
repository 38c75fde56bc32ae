"""All orders of a few messages with accidents, over the real desk: nobody is stuck, nobody is accused (2.6).

A line is a tuple of versions: of message 0, message 1, and so on. A desk is its line. A mail carries a whole line. The
real desk decides which line counts after a mail; each pair of line and mail is tried once. Accidents: a desk is set
back to any earlier message, and has forgotten everything after it; a side has a second machine. Mails are lost, late
and doubled, because each state chooses among all mails that were ever sent.
"""

import random
import shutil

import pytest
from helpers import postal
from rulesets import toys

from kursk_pbem.audit import verify
from kursk_pbem.desk.draft import drafts
from kursk_pbem.desk.turn import play
from kursk_pbem.errors import VoidError
from kursk_pbem.game import entropy, folders


class RealDesks:
    """Desks of both sides for each line; ``sides``: the players, the proposer first."""

    def __init__(self, root, sides, game):
        self.root, self.game, self.number = root, game, 0
        self.start = ("a",)
        self.built = {(side, self.start): player for side, player in enumerate(sides)}
        self.ids, self.taken = {}, {}

    def copy(self, player):
        self.number += 1
        return player.copy(self.root / f"desk-{self.number}")

    def build(self, side, line):
        """Return a player whose desk has a line."""
        if (side, line) not in self.built:
            player = self.copy(self.build(side, line[:-1]))
            if (len(line) - 1) % 2 != side:
                play.take_message(player.desk(self.game), self.message(line))
            else:
                self.sign(player, line)
            self.built[side, line] = player
        return self.built[side, line]

    def sign(self, player, line):
        desk, _checked = player.fill(self.game, random.Random(str(line)))
        path = folders.draft_path(desk.folder, desk.seq)
        path.write_text(path.read_text("ascii") + f"note: {line[-1]}\n", "ascii")
        checked = drafts.check_draft(desk, drafts.read_draft(desk, folders.read_bytes(path), str(path)))
        self.ids[play.sign_message(desk, checked, None).last.id] = line

    def message(self, line):
        """Return the last message of a line, signed by its writer."""
        player = self.build((len(line) - 1) % 2, line)
        return folders.read_message(folders.message_path(player.folder(self.game), len(line) - 1))

    def take(self, side, here, mail):
        """Return the line of a desk after a mail with another line; nobody is accused."""
        if here[: len(mail)] == mail:
            return here
        if (side, here, mail) not in self.taken:
            player = self.copy(self.build(side, here))
            carried = [self.message(mail[:length]) for length in range(2, len(mail) + 1)]
            for message in carried:
                try:
                    play.take_message(player.desk(self.game), message, beside=carried)
                except VoidError:
                    continue
            found = verify.verify_game(player.folder(self.game))
            assert found.status == 0, (here, mail, found)
            last = player.desk(self.game).last
            self.taken[side, here, mail] = self.ids[last.id] if last.seq else self.start
            shutil.rmtree(player.place)
        return self.taken[side, here, mail]


def explore(desks, length, machines, setbacks):
    """Return all states, and the states from which no desk of each side can end with one line.

    ``length``: of the game; ``machines``: of each side; ``setbacks``: how often each side is set back.
    """
    start = (tuple((side, desks.start) for side in (0, 1) for _machine in range(machines[side])), frozenset(), setbacks)
    edges, todo = {}, [start]
    while todo:
        state = todo.pop()
        if state not in edges:
            edges[state] = list(_follow(desks, state, length))
            todo += [after for after, _calm in edges[state]]
    before = {}
    for state, after in edges.items():
        for each, calm in after:
            if calm:
                before.setdefault(each, []).append(state)
    good, todo = set(), [state for state in edges if _has_ended(state, length)]
    while todo:
        if (state := todo.pop()) not in good:
            good.add(state)
            todo += before.get(state, ())
    return len(edges), [state for state in edges if state not in good]


def _follow(desks, state, length):
    """Yield the next states. ``calm``: without an accident, and with newest mails only."""
    there, mails, left = state
    for at, (side, line) in enumerate(there):
        if len(line) % 2 == side and len(line) <= length:
            new = (*line, f"{at}-{sum(left)}")
            yield (_put(there, at, new), mails | {new}, left), True
        newest = {other for number, (_side, other) in enumerate(there) if number != at}
        for mail in sorted(mails | newest):
            if (got := desks.take(side, line, mail)) != line:
                yield (_put(there, at, got), mails, left), mail in newest
        for cut in range(1, len(line)) if left[side] else ():
            fewer = tuple(count - (number == side) for number, count in enumerate(left))
            yield (_put(there, at, line[:cut]), mails, fewer), False


def _put(there, at, line):
    return (*there[:at], (there[at][0], line), *there[at + 1 :])


def _has_ended(state, length):
    """Return whether a desk of each side has one whole line."""
    whole = [{line for each, line in state[0] if each == side and len(line) > length} for side in (0, 1)]
    return bool(whole[0] & whole[1])


def begin(root):
    """Return the desks of a new game of two friends."""
    anna, boris = postal.make_friends(root, "anna", "boris")
    game = postal.began(anna, boris)
    desks = RealDesks(root, (anna, boris), game)
    desks.ids[game] = desks.start
    return desks


@pytest.mark.parametrize(
    ("length", "machines", "setbacks"),
    [
        (3, (1, 1), (1, 0)),
        pytest.param(5, (1, 1), (1, 0), marks=pytest.mark.long),
        pytest.param(5, (1, 1), (0, 1), marks=pytest.mark.long),
        pytest.param(5, (1, 1), (1, 1), marks=pytest.mark.long),
        pytest.param(4, (2, 1), (0, 1), marks=pytest.mark.long),
    ],
)
def test_2_6_every_order_of_messages_with_accidents_can_end(tmp_path, monkeypatch, length, machines, setbacks):
    monkeypatch.delenv("KURSK_KEY", raising=False)
    toys.plug(monkeypatch)
    with entropy.fix_random_bytes("line model"):
        states, stuck = explore(begin(tmp_path), length, machines, setbacks)
    assert states > 10
    assert stuck == []
