"""The told battles of all finished games against their events: retreats, advances and new units."""

from __future__ import annotations

import re

import pytest
from helpers import finished_games
from helpers.replays import replayed

from kursk_pbem.kernel.account import prose
from kursk_pbem.kernel.account.battles import clashes, write_headline
from kursk_pbem.kernel.events import Moved, Placed, Removed
from kursk_pbem.rulesets import MODULES

BACK = "(fell back to|gave way and retreated to|went back to)"
UP = "(moved into the hex|followed|took the ground|entered|advanced to)"
NEW = "now stood"


class Ids:
    """Words with units in angles and places unchanged."""

    def __init__(self, words):
        self.owner, self.side = words.owner, words.side

    def unit(self, uid):
        return f"<{uid}>"

    def place(self, label):
        return label


def battles_of(folder):
    """Yield the battles of a game, with its words for units."""
    for step in replayed(folder):
        for clash in clashes(step.result.events) if step.result else ():
            yield clash, Ids(step.game.ruleset.seen.words(step.game.setting))


def last_moves(clash):
    """Return how and where each surviving unit moved last, from the events alone: unit -> (how, place)."""
    found = {}
    for event in clash.events:
        match event:
            case Moved(unit=uid, how=how, path=(*_, place)):
                found[uid] = how, place
            case Placed(unit=uid, place=place):
                found[uid] = NEW, place
            case Removed(unit=uid):
                found.pop(uid, None)
    return found


@pytest.mark.some(5)
@pytest.mark.parametrize(
    "folder", finished_games.list_folders(), ids=lambda folder: f"{folder.parent.name}-{folder.name}"
)
def test_who_retreats_is_told_as_falling_back_and_who_advances_as_moving_up(folder):
    """The test reads headline and all variants of the text, in towns and outside."""
    for clash, words in battles_of(folder):
        moves, (_rank, short) = last_moves(clash), write_headline(clash, words)
        parts = re.split("; |: ", short)
        tales = [
            prose.tell_battle(clash, prose.Voice(words, words.unit, near), count)
            for count in range(15)
            for near in (lambda label: ("", label), lambda label: ("north of", label))
        ]
        for uid, (how, place) in moves.items():
            said = {
                "retreat": f"<{uid}> falls back to {place}",
                "advance": f"<{uid}> in {place}",
                NEW: f"<{uid}> placed in {place}",
            }[how]
            assert any(part.partition(", ")[0] == said for part in parts), short
            own = f"<{uid}>(, weaker by [a-z ]+,|((,| and) <[^>]+>)+)? "
            for tale in tales:
                for what, pattern in (("retreat", BACK), ("advance", UP), (NEW, NEW)):
                    assert bool(re.search(own + pattern, tale)) is (what == how), tale


def test_all_of_them_are_met():
    """Otherwise the test above proves nothing."""
    met = set()
    for folder in finished_games.list_folders():
        for clash, words in battles_of(folder):
            for uid, (how, _place) in last_moves(clash).items():
                met.add((how, words.owner(uid) == clash.fought.defence.side))
    assert met >= {("retreat", False), ("retreat", True), ("advance", False), (NEW, False), (NEW, True)}
    assert len(MODULES) == len({folder.parent.name for folder in finished_games.list_folders()})
