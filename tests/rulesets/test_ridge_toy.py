"""Ridge Toy, a minimal hex system, played to the end in the kernel, with signatures, and by commands."""

import json
import random
from collections import Counter
from dataclasses import replace
from functools import reduce

import pytest
from helpers import registry, signed_play, sweeps
from ridge_toy import GAME

from kursk_pbem import testing
from kursk_pbem.cli import run
from kursk_pbem.kernel import events as kinds
from kursk_pbem.kernel.adjudicate import adjudicate, choose
from kursk_pbem.kernel.events import PhaseBegan, Removed, StepsLost, apply
from kursk_pbem.kernel.hexes.board import bits
from kursk_pbem.kernel.hexes.usual.game import HELD
from kursk_pbem.kernel.hexes.usual.position import position
from kursk_pbem.kernel.hexes.ways import ENDED, Slip
from kursk_pbem.kernel.orders import Filing
from kursk_pbem.kernel.state import ELIMINATED, OVER, Unit
from kursk_pbem.kernel.umpire import Umpire, other
from kursk_pbem.kernel.verbs import OrderContext, edit_draft
from kursk_pbem.rulebook import books, pages
from rulesets import toys
from rulesets.typed import one_line

RID = "ridge-toy"
each_mode = pytest.mark.parametrize("refereed", [False, True], ids=["players", "referee"])
pytestmark = pytest.mark.usefixtures("plugged")


@pytest.mark.some(2)
@each_mode
def test_random_games_come_to_their_end_in_every_way(refereed):
    kit = registry.kit(RID)
    setting = kit.setting(kit.scenarios[0], refereed=refereed)
    ends, results, ways, cited, declared = set(), Counter(), set(), set(), 0
    for seed in range(12):
        for before, result in toys.play(kit, setting, seed):
            fought = [event for event in result.events if isinstance(event, kinds.Fought)]
            results.update(event.result for event in fought)
            declared += len(result.after.agenda.get("battles", ())) if "battles" not in before.agenda else 0
            ways |= {event.how for event in result.events if isinstance(event, kinds.Moved)}
            cited |= {event.rule for event in result.events}
            after = result.after
        ends.add(kit.ruleset.play.verdict(setting, after).winner)
    assert ends == {"", "blue", "red"}
    assert results.keys() == GAME.meaning.keys()
    assert results.total() <= declared
    assert ways == {"movement", "retreat", "advance"}
    assert cited <= books.load(kit.ruleset.rulebook).paragraphs.keys()


@pytest.mark.long("test-all")
@pytest.mark.parametrize("seed", sweeps.some([4, 3], 2))
def test_signed_games_are_the_same_at_every_desk(tmp_path, seed):
    played = signed_play.play_game(registry.kit(RID), tmp_path / str(seed), seed)
    assert played.end not in ("", "unfinished")
    assert played.refereed == (seed == 4)


@pytest.mark.slow
@pytest.mark.parametrize("refereed", sweeps.some([False, True], 2), ids=["players", "referee"])
@pytest.mark.long
def test_played_by_commands_from_the_proposal_to_the_end(refereed, begun):
    players = begun(RID, refereed=refereed)
    looks = []
    while who := players.due:
        if len(looks) < 3:
            looks.append(players.look(who))
        players.turn()
    game = players.game()
    assert game.verdict
    for who in players.who:
        head = game.chain.head_id[:32]
        assert f"verified, {game.chain.next_seq} messages" in players.type(
            who, "verify", players.folder[who], "--head", head
        )
    assert "b-1 in 0202: 0101" in looks[0]["draft"]
    assert "Movement [2.0]" in one_line(looks[0]["moves"])
    told = one_line("\n".join(said for _who, _typed, said in players.told))
    assert "Attacks fought" in told
    assert "steps lost by the defender on average: " in told


ILLEGAL = [
    ({"movement": [{"unit": "b-1", "to": "1004"}]}, "2.0", "cannot reach 1004"),
    ({"movement": [{"unit": "r-1", "to": "0805"}]}, "2.0", "belongs to the red side"),
    ({"movement": [{"unit": "b-1", "to": "0303"}]}, "2.2", "0303 holds a friendly unit (b-4)"),
    ({"battles": [{"id": "a1", "hex": "0806", "units": ["b-1"]}]}, "3.0", "b-1 in 0202 is not adjacent to 0806"),
    ({"battles": [{"id": "a1", "hex": "0101", "units": ["b-1"]}]}, "3.0", "0101 contains no enemy"),
]


@pytest.mark.parametrize(("orders", "rule", "why"), ILLEGAL)
def test_what_breaks_the_rules_is_refused(orders, rule, why):
    kit = registry.kit(RID)
    setting = kit.setting(kit.scenarios[0])
    state = kit.setup(setting)
    umpire = Umpire(setting, state, 1)
    for phase in kit.ruleset.stage(setting, state).phases[:2]:
        phase.run(umpire, Filing(1, "blue", orders=orders))
    (slip,) = umpire.violations
    assert slip.rule == rule
    assert why in slip.message


def test_whatever_is_offered_is_understood_and_legal():
    """Choices from the board's forms give typed orders and a legal draft."""
    kit = registry.kit(RID)
    setting, said = kit.setting(kit.scenarios[0]), Counter()
    for before, result in toys.play(kit, setting, 4):
        state = result.middle
        for verb in kit.ruleset.seen.verbs(setting):
            if not {field for phase in kit.ruleset.stage(setting, before).phases for field in phase.reads} & {
                *verb.fields
            }:
                continue
            ask = OrderContext(setting, state, 3, {}, lambda _draft, _phase, state=state: state)
            (first,) = verb.clauses(ask, ())
            for name, text in first.among:
                assert text
                (clause,) = verb.clauses(ask, (name,))
                chosen = [word for word, _text in clause.among][:1]
                words = [name, *([clause.word] if verb.name != "move" else []), *chosen]
                draft = edit_draft({}, verb.write(ask, words)) if chosen else {}
                umpire = Umpire(setting, state, 3)
                for phase in kit.ruleset.stage(setting, state).phases:
                    if draft and set(phase.reads) & {*verb.fields}:
                        phase.run(umpire, Filing(3, state.side, **draft))
                        said[verb.name] += 1
                assert not umpire.violations, umpire.violations
    assert said.keys() == {"move", "attack", "answer"}


def test_the_scenario_is_checked(begun, tmp_path):
    players = begun(RID)
    folder = toys.FOLDERS[RID] / "scenarios" / players.kit.scenarios[0]
    assert "0 errors, 0 warnings" in players.type("blue", "scenario", "check", folder)
    broken = tmp_path / players.kit.scenarios[0]
    broken.mkdir(parents=True)
    for part in folder.iterdir():
        text = part.read_text(encoding="ascii").replace("hex: '0204'", "hex: '0202'")
        (broken / part.name).write_text(text, encoding="ascii")
    said = players.type("blue", "scenario", "check", broken, status=1)
    assert "b-2 is one unit too many in 0202 [1.1]" in said
    moves = json.loads(players.type("blue", "moves", players.folder["blue"], "--json"))
    assert {unit["unit"] for phase in moves["phases"] for unit in phase["units"]} == {f"b-{at}" for at in range(1, 6)}


FAULTS = [
    ("['1:2', A, A, A, 'N', 'N', R]", "['1:2', A, A, A, 'N', 'N']", "odds, entry 1: found a list of 6, expected"),
    (
        "['1:2', A, A, A, 'N', 'N', R]",
        "['1:2', A, A, A, 'N', 'N', X]",
        "column 1:2 has the result 'X'; the results are",
    ),
    ("['3:2', A", "['3-2', A", "the column '3-2' should be odds such as '3:2'"),
    ("['3:2', A", "['1:3', A", "higher than the column before"),
    ("hill: ['0504'", "hlil: ['0504'", "the tables have no ground 'hlil'"),
    ("  forest: {cost: '2', shift: '1'}\n", "", "the tables have no ground 'forest'"),
    ("clear", "ice", "a map cannot show 'ice'; it shows clear"),
    ("{name: Mill}", "{name: Mill, owner: rde}", "'rde' is no side; the sides are blue and red"),
    ("'0707': {", "'0108': {", "0108 is no playable hex"),
    ("towns:", "home: {green: []}\ntowns:", "'green' is no side"),
    ("side: blue, strength: '3'", "side: blue, strength: 'x'", "strength of b-1 is 'x', but should be a number"),
    ("side: red, strength: '3', ", "side: red, ", "r-1 has no 'strength'"),
    ("side: red, strength", "side: rde, strength", "r-1 belongs to 'rde'"),
    ("side: red, strength", "side: red, range: '2', strength", "no counter has 'range'"),
    ("grid: {columns: '01-10'", "grid: {columns: '01-99', west-rows: odd", "grid: found"),
]


@pytest.mark.parametrize(("old", "new", "why"), FAULTS)
def test_data_that_would_stop_a_game_are_refused_before_it(old, new, why, begun, tmp_path):
    """Bug: a short row of the table passed, and the game stopped when its die fell."""
    players = begun(RID)
    folder = toys.FOLDERS[RID] / "scenarios" / players.kit.scenarios[0]
    broken = tmp_path / players.kit.scenarios[0]
    broken.mkdir(parents=True)
    for part in folder.iterdir():
        (broken / part.name).write_text(part.read_text(encoding="ascii").replace(old, new), encoding="ascii")
    assert why in one_line(players.type("blue", "scenario", "check", broken, status=1))


def test_a_missing_number_of_the_tables_is_refused():
    kit = registry.kit(RID)
    data = kit.setting(kit.scenarios[0]).scenario.data
    (fault,) = replace(GAME, numbers=("supply",)).ruleset.data.check(data)
    assert fault.text == "the tables have no number 'supply'"


def test_reasons_for_a_strength_are_in_the_odds(begun):
    """Bug: a reduced or unsupplied unit attacked with less, and no display said why."""
    kit = registry.kit(RID)
    setting = kit.setting(kit.scenarios[0])
    state = kit.setup(setting)
    state = state.with_(units={**state.units, "b-1": Unit("0805", 1)})
    told = GAME.attacks.assess(position(setting, state), {"id": "a", "hex": "0806", "units": ["b-1"]})
    (row,) = told.attack.rows
    assert (row.printed, row.changes, row.counts) == ("3", ("reduced to 1 step",), "3")


def test_a_move_that_wins_the_game_leaves_nothing_over():
    """Bug: a draft that ended the game named hexes without an attack."""
    kit, game = registry.kit(RID), replace(GAME, ended=lambda _umpire, _side: "towns")
    setting = kit.setting(kit.scenarios[0])
    orders = {"movement": [{"unit": "b-5", "to": "0404"}]}
    state = kit.setup(setting)
    after, violations = choose(game.ruleset, setting, state, filing := Filing(1, "blue", orders=orders))
    assert not violations
    assert after.stage == OVER
    dice = testing.SeededDice(random.Random(1), 1)
    events = adjudicate(game.ruleset, setting, state, filing, dice).events
    assert game.ruleset.seen.unused(setting, state, events, filing) == ()
    assert GAME.ruleset.seen.unused(setting, state, [event for event in events if event.rule == "2.0"], filing)


def test_what_is_refused_is_left_out_of_what_is_looked_at(begun):
    players = begun(RID)
    for orders, _rule, why in ILLEGAL:
        path = players.fill("blue", {"orders": orders})
        for command in ("odds", "moves", "map"):
            told = one_line(players.type("blue", command, path))
            assert "Left out, because it is not allowed: line" in told
            assert why in told


def test_orders_in_words_write_the_same_orders():
    kit = registry.kit(RID)
    setting, typed = kit.setting(kit.scenarios[0]), Counter()
    verbs = {verb.name: verb for verb in kit.ruleset.seen.verbs(setting)}
    for seed in range(3):
        mind = kit.chooser(setting, random.Random(seed))
        for _before, result in toys.play(kit, setting, seed):
            state, again = result.middle, {}
            choices = {} if state.stage == OVER else mind.content(state, 3)
            orders = choices["orders"] = {key: listed for key, listed in choices.get("orders", {}).items() if listed}
            places = [("orders", key, at) for key, listed in orders.items() for at in range(len(listed))]
            for path in (*places, *(("policy", key) for key in choices.get("policy", {}))):
                here = choices[path[0]][path[1]] if path[0] == "policy" else orders[path[1]][path[2]]
                name, *words = kit.ruleset.seen.command(choices, path, here).split()
                ask = OrderContext(setting, state, 3, again, lambda _draft, _phase, state=state: state)
                again = edit_draft(again, verbs[name].write(ask, words))
                typed[name] += 1
            assert again == {key: part for key, part in choices.items() if part}
    assert typed.keys() == {"move", "attack", "answer"}


def test_1_2_a_game_goes_on_from_wherever_a_side_is_to_move():
    """Entered towns are accepted, although first positions have none; impossible marks are refused."""
    kit = registry.kit(RID)
    setting, asked = kit.setting(kit.scenarios[0]), 0
    for before, _result in toys.play(kit, setting, 3):
        if before.stage.endswith("-orders") and not before.agenda:
            assert kit.ruleset.data.resume(setting, before) == before
            asked += HELD in before.marks
            strange = before.with_(marks={**before.marks, "strange": {"x": "y"}})
            assert kit.ruleset.data.resume(setting, strange) == "it is no position of this scenario"
    assert asked > 2


def test_2_2_the_zone_that_ends_a_move_is_an_enemy_s():
    """A friendly unit beyond the end of the move is not named."""
    kit = registry.kit(RID)
    setting, told = kit.setting(kit.scenarios[0]), 0
    for before, _result in (step for seed in range(4) for step in toys.play(kit, setting, seed)):
        pos = position(setting, before)
        for uid in pos.units(before.side):
            foe = other(setting.sides, before.side)
            zone = pos.zone(foe) & setting.board.near[pos.where[uid]] & ~pos.enemies(before.side)
            for here in bits(zone):
                for there in bits(setting.board.near[here] & pos.occupied[before.side] & ~(1 << pos.where[uid])):
                    why = GAME.movement.refusal(pos, uid, GAME.movement.march(pos, uid), Slip(ENDED, here, there)).why
                    assert why.endswith(f"that of {', '.join(pos.beside(foe, here))}: the move ends there")
                    told += 1
    assert told


def test_2_2_a_map_has_the_zones_of_both_sides():
    kit = registry.kit(RID)
    setting = kit.setting(kit.scenarios[0])
    state = kit.setup(setting)
    zones = {zone.side: zone.at for zone in GAME.ruleset.seen.picture(setting, state).zones}
    pos = position(setting, state)
    assert zones == {side: tuple(setting.board.names(pos.zone(side))) for side in setting.sides}


def test_3_4_what_defenders_say_moves_no_attacker():
    """A retreating attacker goes to the first hex, because the answer belongs to the defender."""
    kit = registry.kit(RID)
    setting = kit.setting(kit.scenarios[0])
    pos = position(setting, kit.ruleset.data.setup(setting))
    one, foe = setting.sides
    attacker, hexes = pos.units(one)[0], [*bits(setting.board.all)][:3]
    wish = setting.board.labels[hexes[2]]
    answered = pos.state.with_(agenda={"policy": {"retreat": [wish]}})
    order = {"id": "a1", "hex": wish, "units": [attacker]}
    assert GAME.retreats.choose(position(setting, answered), foe, order, hexes) == hexes[2]
    assert GAME.retreats.choose(position(setting, answered), one, order, hexes) == hexes[0]


def test_attacks_that_follow_fought_ones_are_in_the_headlines():
    kit = registry.kit(RID)
    setting = kit.setting(kit.scenarios[0])
    state, (one, two) = kit.ruleset.data.setup(setting), [*filter(None, setting.board.labels)][:2]
    first, second = (state.with_(agenda={"battles": [{"id": "a1", "hex": hex_, "units": []}]}) for hex_ in (one, two))
    told = kit.ruleset.seen.headlines(setting, first, (), second)
    assert [line.partition(":")[0] for line in told] == ["1 attack declared"]
    assert kit.ruleset.seen.headlines(setting, second, (), second) == ()


def test_losses_outside_battles_are_in_headlines_and_story():
    """Bug: headlines and stories omitted units eliminated by missing supply."""
    kit = registry.kit(RID)
    setting = kit.setting(kit.scenarios[0])
    state = kit.ruleset.data.setup(setting)
    first, second = position(setting, state).units(setting.sides[0])[:2]
    events = (
        PhaseBegan("2.0", "reckoning", "", "1"),
        Removed("2.1", first, ELIMINATED, "out of supply"),
        StepsLost("2.1", second, 1, 1, "out of supply"),
    )
    after = reduce(apply, events[1:], state)
    one, two = (setting.counters[uid].name for uid in (first, second))
    assert kit.ruleset.seen.headlines(setting, state, events, after) == (
        f"{one} is eliminated: out of supply",
        f"{two} loses a step: out of supply",
    )
    assert kit.ruleset.seen.story(setting, state, events, after) == (
        f"The {one} is eliminated: out of supply.",
        f"The {two} loses a step: out of supply.",
    )


def test_a_system_without_a_page_breaks_no_help(capsys):
    """Bug: 'kursk help supply' looked for the page of every system, and always failed."""
    assert RID not in pages.list_pages()
    assert run(["help", "supply"]) == 0
    assert "kursk-1971" in capsys.readouterr().out
