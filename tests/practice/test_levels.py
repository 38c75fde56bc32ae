"""The levels of the practice opponent: blind to sealed values, repeatable, and each with its own judgement."""

import random
from dataclasses import replace
from functools import partial
from itertools import islice

import pytest
from helpers import busiest, registry, sweeps

from kursk_pbem.kernel.ideas import be_calm
from kursk_pbem.practice import levels
from kursk_pbem.practice.play import HashedDice, Table
from kursk_pbem.practice.search import Search
from kursk_pbem.practice.systems import find_ideas

PLAYED = [*registry.KITS]


def find_messages(kit, seed, most=30):
    """Yield the tables of a random game after the duties of each message, and the content of the message."""
    setting = kit.setting(kit.scenarios[0])
    chooser = kit.chooser(setting, random.Random(seed))
    table = Table(kit.ruleset, setting, kit.setup(setting))
    while not table.is_over and table.seq < most:
        table = table.show_duties(HashedDice(table.seq, str(seed)))
        if not table.is_over:
            content = chooser.content(table.state, table.seq)
            yield table, content
            table = table.take_choices(content)


def ask(table, level, state=None):
    own = table.sealed.get(table.state.side, {})
    return levels.think(table.ruleset, table.setting, state or table.state, table.seq, own, level, "seed")


@pytest.mark.some(4)
@pytest.mark.parametrize("rid", PLAYED)
def test_orders_do_not_depend_on_what_the_opponent_has_sealed(rid):
    messages = find_messages(registry.kit(rid), 1)
    waiting = [table for table, _content in messages if any(key.startswith("sealed/") for key in table.state.agenda)]
    for table in waiting[:2]:
        agenda = {
            key: {**value, "hash": "f" * 64} if key.startswith("sealed/") else value
            for key, value in table.state.agenda.items()
        }
        for level in levels.list_levels(table.ruleset.levels):
            assert ask(table, level) == ask(table, level, table.state.with_(agenda=agenda))


@pytest.mark.some(4)
@pytest.mark.parametrize("rid", sweeps.some(PLAYED, 2))
def test_every_level_answers_every_stage_of_a_random_game(rid):
    """The test of a system's ideas plays more stages; here the levels must take all contents of the ideas."""
    for number, (table, _content) in enumerate(islice(find_messages(registry.kit(rid), 2), 4)):
        for level in levels.list_levels(table.ruleset.levels):
            content = ask(table, level)
            assert number % 4 != 1 or content == ask(table, level)
            table.take_choices(content)


@pytest.mark.parametrize("rid", sweeps.some(PLAYED, 3))
def test_any_legal_orders_are_the_same_for_the_same_seed(rid):
    """A system without ideas: orders from the forms alone, not from the opponent's sealed values."""
    for table, _content in islice(find_messages(registry.kit(rid), 3), 1, 4):
        plain = replace(table, ruleset=replace(table.ruleset, id="unknown"))
        agenda = {
            key: {**value, "hash": "f" * 64} if key.startswith("sealed/") else value
            for key, value in table.state.agenda.items()
        }
        content = ask(plain, 1)
        assert content == ask(plain, 2, table.state.with_(agenda=agenda))
        plain.take_choices(content)


@pytest.mark.some(4)
@pytest.mark.parametrize("every", sweeps.sizes(4, 1))
@pytest.mark.parametrize("rid", busiest.list_searching())
def test_level_2_answers_the_busiest_positions_within_its_effort(rid, every):
    """The effort is a number of positions. The search finishes with a unit, so it may exceed it by a unit's places.

    ``tools/practice.py --busiest`` measures the times.
    """
    ruleset = registry.kit(rid).ruleset
    ideas, widest, found = find_ideas(ruleset), 0, busiest.list_busiest(rid)
    assert len(found) == busiest.MOST
    for step in found[::every]:
        search, state = Search(ideas.efforts[2]), levels.hide_seals(step.result.middle)

        def solve(places, search=search):
            nonlocal widest
            widest = max(widest, *(len(places.list_ends(unit)) for unit in places.list_units()), 0)
            search.solve(places)

        content = ideas.propose(step.after.setting, state, step.message.seq, ideas.plans[0].key, {}, be_calm, solve)
        table = Table(ruleset, step.after.setting, state, step.message.seq, {side: {} for side in ruleset.sides})
        assert table.take_choices(content).seq == step.message.seq + 1
        assert search.spent <= ideas.efforts[2] + widest


@pytest.mark.long("test-all")
def test_the_german_of_level_2_chooses_a_posture_each_turn():
    """Bug: Engage in the first and the last turn and Reposition between, in all games."""
    kit, sequences = registry.kit("battle-for-kursk"), set()
    setting = kit.setting("battle-for-kursk/citadel")
    for seed in ("0", "1", "2"):
        table, chosen = Table(kit.ruleset, setting, kit.setup(setting)), {}
        while not table.is_over:
            minds = {
                side: partial(levels.think, kit.ruleset, setting, level=level, seed=f"{seed}/{side}")
                for level, side in enumerate(reversed(kit.sides), 1)
            }
            table = table.play_message(HashedDice(table.seq, seed), minds)
            chosen[table.state.turn] = table.state.mark("german", "posture")
        sequences.add((*chosen.values(),))
    assert len(sequences) > 1
    assert max(sequence.count("engage") for sequence in sequences) > 2
