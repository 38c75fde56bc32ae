"""An assistant or agent knows what its player knows: two games that differ in sealed orders alone look equal."""

import copy
import functools
import json
import operator
import random
import re

import pytest
from helpers import registry
from helpers.person import choose

from agents import assistants
from agents.assistants import ask_all
from kursk_pbem.desk.draft import drafts

pytest.importorskip("pettingzoo", reason="the extra 'agents' is not installed: pip install mcp pettingzoo")

from kursk_pbem.arena.environment import Arena

KITS = [pytest.param(kit, id=kit.id) for kit in registry.kits()]
LAST = 30
pytestmark = pytest.mark.usefixtures("sooner")


def choose_content(desk, kit, seed):
    """Return random legal content of the due message."""
    return choose(desk, kit.chooser(desk.game.setting, random.Random(seed)))


def find_twin(desk, kit, content):
    """Return legal content that differs in sealed values alone, or None."""
    seals = [choose_content(desk, kit, seed).get("seal") for seed in range(100, 108)] if content.get("seal") else []
    public, hidden = split_content(desk, content)
    for twin in [*drop_items(content), *({**content, "seal": seal} for seal in seals if seal)]:
        parts = split_content(desk, twin)
        if parts[0] == public and parts[1].keys() == hidden.keys() and parts[1] != hidden and is_legal(desk, twin):
            return twin
    return None


def split_content(desk, content):
    """Return the public part of content, and the sealed values by label."""
    orders, plans = desk.game.ruleset.seal(desk.game.setting, content.get("orders", {}), desk.seq)
    return {**content, "orders": orders, "seal": ""}, {**content.get("seal", {}), **plans}


def drop_items(content):
    """Yield the content without one item of a list in its orders."""

    def walk(data, path):
        inner = data.items() if isinstance(data, dict) else enumerate(data) if isinstance(data, list) else ()
        for key, value in inner:
            yield from [(*path, key)] * (isinstance(data, list) and len(data) > 1)
            yield from walk(value, (*path, key))

    for *path, key in [*walk(content.get("orders", {}), ())]:
        made = copy.deepcopy(content)
        del functools.reduce(operator.getitem, path, made["orders"])[key]
        yield made


def is_legal(desk, content):
    drafts.write_draft(desk, force=True)
    return not drafts.fill_draft(desk, content).result.violations


def blur(told):
    """Return data as text without hashes."""
    return re.sub("[0-9a-f]{64}", "#", json.dumps(told, sort_keys=True))


@pytest.mark.some(4)
@pytest.mark.parametrize("kit", KITS)
def test_the_opponents_sealed_orders_are_in_no_answer(kit, tmp_path):
    table, twin = assistants.begin_table(tmp_path / "one", kit), None
    while table.game.chain.next_seq < LAST:
        content = choose_content(table.due.desk, kit, table.game.chain.next_seq)
        if twin := find_twin(table.due.desk, kit, content):
            break
        table.turn(content)
    assert twin, "no message has sealed values"
    other, answers = table.copy(tmp_path / "two"), []
    reader = table.other(table.due.side)
    for each, sealed in ((table, content), (other, twin)):
        each.turn(sealed)
        answers.append(blur(ask_all(each.players[reader], each.game.chain.game)))
    one, two = (each.players[reader].desk.newest.read_bytes() for each in (table, other))
    assert one != two
    assert answers[0] == answers[1]


@pytest.mark.some(4)
@pytest.mark.parametrize("kit", KITS)
def test_the_opponents_sealed_orders_are_in_no_observation(kit, tmp_path):
    arenas = [Arena(kit.scenarios[0], tmp_path / name, draws=20) for name in ("one", "two")]
    for arena in arenas:
        arena.reset(5)
    twin = None
    while twin is None and arenas[0].game.chain.next_seq < LAST:
        side, seq = arenas[0].agent_selection, arenas[0].game.chain.next_seq
        desk = arenas[0].desks[side]
        content = choose_content(desk, kit, seq)
        twin = find_twin(desk, kit, content)
        for arena, chosen in zip(arenas, (content, twin or content), strict=True):
            drafts.write_draft(arena.desks[side], force=True)
            arena.checked = drafts.fill_draft(arena.desks[side], chosen)
            assert "signed" in arena.sign()
    assert twin, "no message has sealed values"
    assert len({arena.game.chain.head_id for arena in arenas}) == 2
    reader = arenas[0].game.ruleset.other(side)
    assert arenas[0].agent_selection == reader
    answers = []
    for arena in arenas:
        seen, data = [], arena.observe(reader)
        for typed in ("no such order", *arena.offers[:5]):
            seen.append(arena.order(typed))
            seen.append(arena.offers)
        told = bytes(data["observation"]).decode("ascii"), data["text"], data["action_mask"].tolist(), seen
        answers.append(blur([told, arena.infos[reader]]))
    assert answers[0] == answers[1]
