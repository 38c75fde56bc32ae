"""The environment of PettingZoo, and the runner."""

import json
import random
import warnings
from contextlib import suppress
from itertools import count

import pytest
from helpers import registry, sweeps
from helpers.person import choose

from agents.assistants import MARK, find_battles, rename, walk
from kursk_pbem.audit import verify
from kursk_pbem.desk.draft import drafts

pytest.importorskip("pettingzoo", reason="the extra 'agents' is not installed: pip install mcp pettingzoo")
from pettingzoo.test import api_test

from kursk_pbem.arena import runner
from kursk_pbem.arena.environment import SIGN, Arena

KITS = [pytest.param(kit, id=kit.id) for kit in reversed([*registry.kits()])]  # the fastest system first


@pytest.fixture
def make_arena(tmp_path):
    """Return a maker of environments, which are closed at the end."""
    made, numbers = [], count()

    def make(kit, **more):
        made.append(Arena(kit.scenarios[0], tmp_path / f"arena-{next(numbers)}", **more))
        return made[-1]

    yield make
    for arena in made:
        arena.close()


@pytest.mark.some(4)
@pytest.mark.parametrize("kit", KITS)
def test_the_environment_passes_the_test_of_its_library(kit, make_arena):
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", module="pettingzoo")
        warnings.filterwarnings("ignore", module="gymnasium")
        api_test(make_arena(kit, draws=16), num_cycles=4)


@pytest.mark.some(4)
@pytest.mark.parametrize("longest", sweeps.sizes(4, 400))
@pytest.mark.parametrize("kit", KITS)
def test_equal_seeds_give_equal_bytes_that_verify(kit, longest, make_arena):
    """The second game stops after some messages; later the agent only signs, because a prompt is dear."""
    files, side = [], kit.sides[0]
    for last in (longest, 4):
        arena, mind = make_arena(kit, levels={kit.sides[1]: 1}, draws=8), runner.make_random_mind("one", often=2)

        def answer(prompt, actions, arena=arena, mind=mind, last=last):
            if arena.game.chain.next_seq >= last:
                raise InterruptedError
            return mind(prompt, actions) if arena.game.chain.next_seq < 8 or SIGN not in actions else runner.SIGNS

        with suppress(InterruptedError):
            assert runner.play_match(arena, {side: answer}, seed=7).keys() == {side}
        assert arena.game.over or arena.game.chain.next_seq >= last
        folder = arena.desks[side].folder
        assert verify.verify_game(folder, arena.game.chain.head_id).status == 0
        files.append([path.read_bytes() for path in sorted(folder.glob("[0-9][0-9][0-9][0-9].yaml"))])
    assert files[0][: len(files[1])] == files[1]


def test_a_refused_action_costs_nothing_and_is_told(make_arena):
    arena = make_arena(registry.kit("armor-commander"), draws=4)
    arena.reset(1)
    side, seq = arena.agent_selection, arena.game.chain.next_seq
    arena.step(SIGN - 1)
    assert "no order has the number" in arena.infos[side]["refused"]
    assert "refused" in arena.order("no such order")
    assert (arena.agent_selection, arena.game.chain.next_seq) == (side, seq)
    assert arena.rewards == dict.fromkeys(arena.possible_agents, 0)


@pytest.mark.some(3)
@pytest.mark.parametrize("kit", KITS[1:])  # Armor Commander has no names of battles
def test_words_of_an_opponent_are_in_fields_of_their_own(kit, make_arena):
    """An agent names its battles; the other agent meets the names in no offer, order or text of ours."""
    arena, rng, seen = make_arena(kit, draws=40), random.Random(3), set()
    arena.reset(3)
    mind = kit.chooser(arena.game.setting, rng)
    while arena.game.chain.next_seq < 8:
        side, seq = arena.agent_selection, arena.game.chain.next_seq
        for agent in arena.possible_agents:
            told = read_data(arena.observe(agent))
            for text, foreign in walk([told, [arena.offers, arena.infos[agent]] if agent == side else []]):
                assert foreign or MARK.lower() not in text.lower(), text
                seen |= {text} if MARK.lower() in text else set()
        content = choose(arena.desks[side], mind)
        labels = [f"{MARK.lower()}-{seq}-{number}" for number, _name in enumerate(find_battles(content))]
        sign_content(arena, rename(content, dict(zip(find_battles(content), labels, strict=True))))
    assert seen


def read_data(observation):
    """Return the data of an observation."""
    return json.loads(bytes(observation["observation"]).rstrip(b"\0"))


def sign_content(arena, content):
    """Sign content that no agent has typed."""
    arena.checked = drafts.fill_draft(arena.desks[arena.agent_selection], content)
    assert "signed" in arena.sign(), arena.checked.result.violations
