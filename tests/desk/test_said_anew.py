"""A changed order keeps the place in the draft, and replaced orders return."""

import pytest

from desk.sheets import order, sheet, text
from kursk_pbem.desk.draft import drafts, ordering
from kursk_pbem.errors import UsageError


def listed(player):
    return [words for _path, words in sheet(player).orders]


def anew(player, words, then):
    number = next(number for number, each in enumerate(listed(player), 1) if each.startswith(words))
    return ordering.replace_order(sheet(player), number, ordering.split_orders(then))


def test_a_move_that_is_said_anew_keeps_its_number(player):
    order(player, "move 24 pz 2219, move 40 pz 2320")
    before, had = listed(player), text(player)
    first = next(each for each in before if "g-24-pz" in each)
    anew(player, first, "move 24 pz 2218")
    after = listed(player)
    assert len(after) == len(before)
    assert [at for at, each in enumerate(after) if each != before[at]] == [before.index(first)]
    assert after[before.index(first)].endswith("2218")
    ordering.undo_command(sheet(player))
    assert text(player) == had


def test_an_attack_that_is_said_anew_keeps_its_number_and_its_name(player):
    order(player, "attack 2011 with 41 pz 47 pz as ponyri, attack 2015 with 48 pz 3 pz g-52 losses g-52")
    before = listed(player)
    anew(player, "attack 2011", "attack 2011 with 47 pz")
    after = listed(player)
    assert after[-1] == before[-1]
    assert [each for each in after if each.startswith("attack 2011")] == ["attack 2011 with g-47-pz as ponyri"]
    assert [each.split()[:2] for each in after] == [each.split()[:2] for each in before]


@pytest.fixture
def russian(later):
    """Return the draft of the Russian message 5 with a posture to seal."""
    drafts.write_draft(later.russian.desk, force=True)
    return later.russian


def test_what_the_former_words_displaced_comes_back_where_the_new_ones_leave_it(russian):
    sealed = [each for each in listed(russian) if "posture" in each]
    assert sealed
    order(russian, "attack 2218 with r-1-g")
    assert not [each for each in listed(russian) if "posture" in each]
    anew(russian, "attack 2218", "attack 2218 with r-57")
    assert not [each for each in listed(russian) if "posture" in each]
    anew(russian, "attack 2218", "march r-57 2416")
    assert [each for each in listed(russian) if "posture" in each] == sealed


def test_what_is_not_understood_changes_nothing(player):
    order(player, "move 24 pz 2219")
    had = text(player)
    with pytest.raises(UsageError):
        anew(player, listed(player)[-1], "move 24 pz nowhere")
    with pytest.raises(UsageError, match="there is no order 99"):
        ordering.replace_order(sheet(player), 99, ordering.split_orders("move 24 pz 2218"))
    assert text(player) == had
