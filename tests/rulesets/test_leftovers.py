"""Unused possibilities of every system, for played messages and for unchanged drafts."""

from __future__ import annotations

import random
import re
from pathlib import Path

import pytest
from helpers import registry, sweeps
from helpers.registry import Kit
from helpers.signed_play import Table

from kursk_pbem.desk.draft import defaults, drafts, leftovers
from kursk_pbem.kernel.state import OVER

pytestmark = pytest.mark.usefixtures("plugged")
ALL = (*registry.kits(), *map(registry.kit, registry.TOYS))
EACH = pytest.mark.parametrize("kit", ALL, ids=lambda kit: kit.id)


def played(kit: Kit, root: Path, messages: int) -> list[tuple[str, ...]]:
    """Yield the unused possibilities of a game by message: of the new draft, and of the played message."""
    table, rng = Table(root, kit.scenarios[0]).begin(), random.Random(7)
    seen = []
    mind = kit.chooser(table.game.setting, rng)
    for _ in range(messages):
        if table.game.over:
            return seen
        player = table.due
        untouched = player.check()
        if untouched.result.legal:
            seen.append(tuple(each.text for each in leftovers.list_unused(player.desk, untouched)))
        middle = untouched.result.middle
        if middle.stage == OVER:
            return seen
        player.fill(mind.content(middle, player.desk.seq))
        checked = player.check()
        seen.append(tuple(each.text for each in leftovers.list_unused(player.desk, checked)))
        table.send(checked)
    return seen


@EACH
@pytest.mark.parametrize("messages", sweeps.sizes(1, 12))
def test_what_is_left_over_is_said_of_every_draft_once_and_on_lines_of_its_own(
    kit: Kit, tmp_path: Path, messages: int
) -> None:
    """Entries are not empty, repeated, or broken into lines; every game has entries."""
    seen = played(kit, tmp_path, messages)
    for found in seen:
        assert len(set(found)) == len(found)
        assert all(text and text.isprintable() for text in found)
    assert any(seen)


@EACH
def test_what_is_proposed_and_left_as_it_was_is_said(kit: Kit, tmp_path: Path) -> None:
    """The list names every default value of a draft as typed, until the player changes the value."""
    table = Table(tmp_path, kit.scenarios[0]).begin()
    checked = table.due.check()
    game = table.due.desk.game
    hints = game.ruleset.seen.hints(game.setting, checked.result.middle, table.due.desk.seq)
    proposed = [defaults.describe_default(game, hint.path, hint.value) for hint in hints if hint.value]
    said = leftovers.format_unused(leftovers.list_unused(table.due.desk, checked))
    said = " ".join(said.split())
    assert [words for words in proposed if f"- as proposed: {words}" not in said] == []
    assert not re.search(r"[a-z]+/(turn-)?\d|\b[a-z]+_[a-z]+|[{}]", said)
    assert said.startswith("Left over: - ") or not (proposed or said)


def test_nothing_is_left_over_where_nobody_chose(tmp_path: Path) -> None:
    """A resignation has no unused possibilities."""
    table = Table(tmp_path).begin()
    for _ in range(2):
        table.send()
    checked = drafts.make_resignation(table.due.desk)
    assert leftovers.list_unused(table.due.desk, checked) == ()
    assert leftovers.format_unused(()) == ""
