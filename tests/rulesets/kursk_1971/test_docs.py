"""The page of this game: examples are valid messages, and every field of a message appears."""

from __future__ import annotations

import re

import pytest
from helpers.registry import ROOT

from kursk_pbem.formats import schema, strictyaml
from kursk_pbem.kernel.state import OVER
from kursk_pbem.rulesets.kursk_1971 import RULESET, air, sequence
from kursk_pbem.rulesets.kursk_1971.orders import Battle
from kursk_pbem.rulesets.kursk_1971.seen import useless_answers
from rulesets.kursk_1971.board import legal, ordered, pos, shipped
from rulesets.kursk_1971.kit import KIT

PAGE = (ROOT / "docs" / "games" / "kursk-1971.md").read_text(encoding="utf-8")
MISSIONS = ("interception", "patrol", "interdiction")
EXAMPLES = re.findall("```yaml\n(.*?)```", PAGE, re.DOTALL)


@pytest.mark.parametrize("text", EXAMPLES)
def test_an_example_fits_the_schema(text):
    document = strictyaml.read(text.encode("ascii"), "example", "scenario")
    schema.check(document.data, RULESET.schema, document)


def test_scenarios_options_stages_and_fields_are_all_there():
    wanted = {*KIT.scenarios}
    for option in RULESET.options:
        wanted |= {option.key, *(() if option.many else option.values)}
    stages = sequence.list_stages(shipped("july4")) | sequence.list_stages(shipped("august3"))
    wanted |= stages.keys() - {OVER}
    for stage in stages.values():
        wanted |= {field.rpartition("/")[2] for phase in stage.phases for field in phase.reads}
    assert [word for word in sorted(wanted) if not re.search(rf"`{word}`|{word}[:,`]", PAGE)] == []


def test_units_and_hexes_of_the_examples_are_real():
    game = shipped()
    words = set(re.findall(r"\b[gs]-[a-z0-9-]+\b", "".join(EXAMPLES)))
    assert [uid for uid in words if uid not in game.counters] == []
    assert all(hex_ in game.board.index for hex_ in re.findall(r"\b[0-9]{4}\b", "".join(EXAMPLES)))


def test_9_0_d_and_8_0_advance_of_the_examples_are_possible_in_the_historical_game():
    """Aircraft are in range, and no plan advances into an enemy fortified line."""
    game = shipped()
    where = pos(game, RULESET.data.setup(game))
    read = [strictyaml.read(text.encode("ascii"), "example", "scenario").data.get("orders", {}) for text in EXAMPLES]
    orders = {key: listed for found in read for key, listed in found.items()}
    (fight,), (raid,) = orders["battles"], orders["superiority"]
    flights = [(order["unit"], order["hex"]) for key in MISSIONS for order in orders[key]]
    flights += [(uid, where.state.units[raid["base"]].place) for uid in raid["aircraft"]]
    flights.append((fight["support"], fight["hex"]))
    assert [flown for flown in flights if not air.is_in_range(where, flown[0], game.board.index[flown[1]])] == []
    assert not game.forts["soviet"] >> game.board.index[fight["hex"]] & 1


def test_the_orders_in_words_of_the_page_can_be_typed():
    """Typed in order from the start of the historical game."""
    orders = re.findall("`kursk (attack [^`]+)`", PAGE)
    game = shipped()
    draft, _text = ordered(game, RULESET.data.setup(game), *orders)
    legal(game, RULESET.data.setup(game), draft["orders"])
    (order,) = draft["orders"]["battles"]
    where, battle = pos(game, RULESET.data.setup(game)), Battle.from_plain(order, game.board.index)
    found = useless_answers.check_plan(where, battle, useless_answers.ask_rules(where))
    assert [text.split(" ")[0] for _rule, text in found] == ["retreat"]  # the defenders have one way
    assert len(orders) == 2
