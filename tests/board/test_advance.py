"""Who wins takes the hex: the form of a new attack names an advance, and the odds say who advances, or why nobody."""

import re

import pytest

from board.screens import enters, opened
from board.seats import Stranger
from kursk_pbem.demo import script
from kursk_pbem.desk.draft import ordering, preview
from kursk_pbem.desk.seat import advances, bothsides, forms, scene
from kursk_pbem.desk.turn import play
from kursk_pbem.game import entropy, scenario_files
from kursk_pbem.kernel.events import Moved

FIRST, MOST = 10, 40
"""Attacks of each scenario; games until an attack wins."""
QUICK = ("battle-for-kursk/citadel",)
HEXES = [each for each in scenario_files.list_ids() if not each.startswith("armor-commander/")]


@pytest.fixture
def begun(tmp_path):
    """Return a function that plays a scenario to the first message with an attack that ``find`` finds.

    The demonstration gives the orders; without a demonstration the drafts are signed as proposed.
    """

    def begin(scenario, find, seed=0):
        seat = Stranger("both", tmp_path / str(seed))
        seat.place.mkdir()
        with entropy.fix_random_bytes(f"{scenario} {seed}"):
            game = bothsides.start_practice(seat.room, scenario)
            while not find(current := scene.open_scene(seat.room, game)):
                told = script.load_script(scenario.partition("/")[0])
                filled = script.fill(told, current.desk)[1] if told.scenario == scenario else current.checked
                play.sign_shown(current.desk, filled, None)
        return seat, current

    return begin


def find_attacks(current):
    offered = {verb.name for verb in current.sheet.verbs}
    return [target for target in current.outlook.targets if target.verb == "attack" and target.verb in offered]


def fill(form):
    """Return the ticked rows of each clause."""
    return {clause["word"]: [row[0] for row in clause["rows"] if row[2]] for clause in form["clauses"]}


def write(form, **changed):
    """Return the words of a form, as the page writes them."""
    said = [form["verb"], form["words"]]
    for word, chosen in {**fill(form), **changed}.items():
        said += [word, *chosen] if chosen else []
    return " ".join(said)


@pytest.mark.parametrize(
    "scenario", [pytest.param(each, marks=() if each in QUICK else pytest.mark.long) for each in HEXES]
)
def test_a_new_attack_names_an_advance_or_says_why_nobody_can(begun, scenario):
    _seat, current = begun(scenario, find_attacks)
    named = 0
    for target in find_attacks(current)[:FIRST]:
        form = forms.make_form(current, target.verb, target.place)
        chosen = fill(form)
        words = write(form)
        done = ordering.try_orders(current.writable, [words.split()])
        if done.checked.result.violations:  # only with a second attack
            assert chosen["advance"] or not any(
                clause["rows"] for clause in form["clauses"] if clause["word"] == "advance"
            )
            continue
        able = []
        for uid in chosen["with"]:
            alone = write(form, advance=[uid]).split()
            cases = preview.list_declared(current.writable, ordering.try_orders(current.writable, [alone]), alone)
            able += [uid] * (uid in advances.list_advancing(cases))
        assert bool(chosen["advance"]) == bool(able), (target.place, able)
        assert {*chosen["advance"]} <= {*able}
        (order,) = done.sheet.choices["orders"]["battles"]
        assert [wish.split()[0] for wish in order.get("advance", ())] == chosen["advance"]
        told = forms.try_order(current, words)
        assert told["nobody"] == (not able)
        who = current.words.unit(chosen["advance"][0]) if able else "nobody"
        assert re.match(rf"{re.escape(who)} advances", told["advance"])
        if able:
            named += 1
            bare = forms.try_order(current, write(form, advance=[]))
            assert (bare["advance"], bare["nobody"]) == (
                "nobody advances: your units stay in place; tick a unit below",
                True,
            )
    assert named or scenario.startswith("kursk-1971/"), "no attack of the first ten can win"


@pytest.mark.some(3)
@pytest.mark.parametrize(
    ("scenario", "place", "first"),
    [
        ("battle-for-kursk/citadel", "1912", 0),
        ("kursk-1971/july4-historical", "1712", 9),
        ("juggernauts/july-1943", "B5", 0),
    ],
)
def test_a_won_attack_leaves_a_unit_in_the_hex(begun, scenario, place, first):
    """Play with other dice until the attack empties the hex: the unit that the form has named is there.

    ``first``: the first dice, chosen to save time.
    """

    def find(current):
        return [target for target in find_attacks(current) if target.place == place]

    for seed in range(first, first + MOST):
        seat, current = begun(scenario, find, seed)
        form = forms.make_form(current, "attack", place)
        (unit,) = fill(form)["advance"]
        enemies = {uid for uid, at in current.state.units.items() if at.place == place}
        with entropy.fix_random_bytes(f"{scenario} dice {seed}"):
            ordered = ordering.write_orders(current.writable, [write(form).split()])
            play.sign_shown(current.desk, ordered.checked, None)
            answer = scene.open_scene(seat.room, current.desk.game.chain.game)
            play.sign_shown(answer.desk, answer.checked, None)
        dice = scene.open_scene(seat.room, current.desk.game.chain.game)
        inside = {uid for uid, at in dice.state.units.items() if at.place == place}
        back = any(isinstance(event, Moved) and (event.unit, event.how) == (unit, "retreat") for event in dice.fallen)
        if not inside & enemies and not back:  # 8.0-br of Kursk (1971): both sides retreat
            assert unit in inside
            return
    pytest.fail(f"no die of {MOST} empties the hex")


@pytest.mark.parametrize(
    "scenario", [pytest.param(each, marks=() if each in QUICK else pytest.mark.long) for each in HEXES]
)
def test_order_names_an_advance_on_the_page_and_warns_in_red_without_one(browser, begun, scenario):
    """Press Order on the first possible attacks, once as the form opens and once without the tick."""
    seat, current = begun(scenario, find_attacks)
    game = current.desk.game.chain.game
    with opened(browser, seat) as screen:
        enters(screen)
        for target in find_attacks(current)[: FIRST if scenario not in QUICK else 3]:
            screen.verb("attack")
            screen.page.locator(f"#compose input[value='{target.place}']").click()
            screen.settled()
            strip = screen.page.locator("#strip .advance")
            ticked = screen.page.locator("#compose [data-word=advance] input:checked")
            unit = ticked.get_attribute("value") if ticked.count() else ""
            told = strip.inner_text() if strip.count() else ""  # an attack may be illegal without another attack
            screen.button("Order")
            screen.settled()
            (order,) = scene.open_scene(seat.room, game).sheet.choices["orders"]["battles"]
            assert order.get("advance", []) == ([unit] if unit else [])
            assert not told or told.startswith("Nobody advances") != bool(unit)
            screen.button("Undo")
            screen.settled()
            if not unit or not told:
                continue
            screen.verb("attack")
            screen.page.locator(f"#compose input[value='{target.place}']").click()
            screen.settled()
            ticked.click()
            screen.settled()
            assert strip.inner_text().startswith("Nobody advances: your units stay in place")
            assert "bad" in strip.get_attribute("class")
            screen.button("Cancel")
