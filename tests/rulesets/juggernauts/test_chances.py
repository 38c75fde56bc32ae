"""Odds: exact if cheap, otherwise bounded with a notice; the heaviest legal scenario."""

import time
from dataclasses import replace
from fractions import Fraction
from itertools import product

import pytest
from board import seats
from helpers import sweeps

from kursk_pbem.kernel.branches import EACH
from kursk_pbem.kernel.hexes import plans
from kursk_pbem.kernel.hexes.policies import BATTLES
from kursk_pbem.kernel.hexes.useless import SAME
from kursk_pbem.kernel.outlook import UNFOLLOWED
from kursk_pbem.kernel.state import ANSWERED
from kursk_pbem.kernel.umpire import Umpire
from kursk_pbem.report import odds as report
from kursk_pbem.rulesets.juggernauts import air, battles, check
from kursk_pbem.rulesets.juggernauts.seen import bombing, exact_odds, hints
from kursk_pbem.rulesets.juggernauts.seen.wording import Wording
from rulesets import toys
from rulesets.juggernauts import heavy, worst
from rulesets.juggernauts.board import (
    JULY,
    Faces,
    Filing,
    attack,
    declare_attacks,
    july,
    list_unused,
    order_moves,
    order_strikes,
    place,
)
from rulesets.juggernauts.kit import KIT

PANTHER = "T15: r-57a | R15: g-10bde | S16: g-48pzk"
TO_S15 = ("g-10bde", "R14 S15")


def by_outcome(found):
    return {(one.result, one.text): one.chance for one in found.outcomes}


def plain(monkeypatch, setting, state):
    """Return the odds with every face of every die followed separately."""
    with monkeypatch.context() as patched:
        patched.setattr(exact_odds.Case, "groups", lambda _case, _left: lambda _label: EACH)
        patched.setattr(exact_odds.Case, "ways", lambda _case, _left: 6**6)
        patched.setattr(exact_odds, "BUDGET", 10**9)
        return exact_odds.list_chances(setting, state, {})


@pytest.mark.some(4)
@pytest.mark.parametrize(
    "order",
    [
        attack("T15", "g-10bde g-48pzk", advance="g-10bde U15,g-48pzk"),
        attack("T15", "g-10bde", advance="g-10bde"),
        attack("T15", "g-10bde g-48pzk", advance="g-10bde only T16,g-10bde"),
        attack("T15", "g-48pzk g-10bde", pressed=True, losses="g-10bde", breakthrough="U15"),
    ],
)
def test_14_4_a_panther_followed_by_groups_of_faces_has_the_same_odds(monkeypatch, order):
    """J-25: half a die for the move, and a breakdown in each hex: groups of faces are exact."""
    state = declare_attacks(order_moves(place(PANTHER), TO_S15).state, order).state
    (panther, *cases), (_same, *faces) = exact_odds.list_chances(july(), state, {}), plain(monkeypatch, july(), state)
    assert sum(one.chance for one in panther.outcomes) == 1
    assert [by_outcome(each) for each in cases] == [by_outcome(each) for each in faces]
    assert all(sum(by_outcome(each).values()) == 1 for each in cases)
    for each, same in zip(cases, faces, strict=True):
        assert {one.faces and frozenset(one.faces) for one in each.outcomes} == {
            one.faces and frozenset(one.faces) for one in same.outcomes
        }


@pytest.mark.some(2)
@pytest.mark.parametrize("die_b", [False, True])
def test_20_1_a_strike_has_odds_and_falls_before_the_attack_on_its_hex(monkeypatch, die_b):
    """The strike changes the odds of an attack on its hex, and of no other attack."""
    setting = replace(july("historical", "flown"), die_b=die_b)
    state = place("I9: r-57a r-1tc | H9: g-48pzk | T15: r-6a | S16: g-2ss", setting)
    umpire = order_strikes(state, ("I9", "g-lf6"), setting=setting)
    state = declare_attacks(umpire.state, attack("I9", "g-48pzk"), attack("T15", "g-2ss"), setting=setting).state
    hit = [bombed(setting, state, throw) for throw in map("".join, product("123456", repeat=2))]
    strike, struck, _held, elsewhere, _stays = exact_odds.list_chances(setting, state, {})
    assert strike.sums == ((bombing.HIT, Fraction(len([*filter(None, hit)]), 36)),)
    assert {face for one in strike.outcomes if one.figures["hit"] == "yes" for face in one.faces} == {
        *filter(None, hit)
    }
    _same, *faces = plain(monkeypatch, setting, state)
    assert by_outcome(struck) == by_outcome(faces[0])
    assert "the dice of a throw, if rolled: the air strike s0, the attack" in struck.assumed
    assert not [text for text in elsewhere.assumed if "strike" in text]
    calm = declare_attacks(
        place("I9: r-57a r-1tc | H9: g-48pzk", setting), attack("I9", "g-48pzk"), setting=setting
    ).state
    assert struck.sums[0][1] > exact_odds.list_chances(setting, calm, {})[0].sums[0][1]


@pytest.mark.parametrize(
    ("text", "strikes", "listed", "met"),
    [
        ("H9: g-42k | H8: g-30k; stage russian-orders", ("H9 r-2va", "H8 r-5va"), "g-lf6 g-lf4", ("g-lf6", "g-lf4")),
        ("H9: g-42k; stage russian-orders", ("H9 r-2va",), "g-lf6 g-lf4", ("g-lf6, g-lf4",)),
        ("I9: r-57a | J9: r-1tc", ("I9 g-lf4", "J9 g-lf6"), "r-2va r-5va r-16va", ("r-2va", "r-5va")),
        ("I9: r-57a | J9: r-1tc", ("I9 g-lf4", "J9 g-lf6"), "r-2va", ("r-2va", "")),
    ],
)
def test_20_2_an_air_unit_that_meets_one_strike_is_not_in_the_odds_of_another(text, strikes, listed, met):
    """Bug: each listed air unit met every strike, so a hit of 1 in 9 became 1 in 27."""
    setting = july("historical", "flown")
    umpire = order_strikes(place(text, setting), *(each.split() for each in strikes))
    agenda = {**umpire.state.agenda, "policy": {"intercept": listed.split()}, ANSWERED: 1}
    found = exact_odds.list_chances(setting, umpire.state.with_(agenda=agenda), {})
    assert [one.assumed for one in found] == [
        (f"air units that intercept, by the answer: {who or 'none'}",) for who in met
    ]
    if len(strikes) == 2 and listed.startswith("g-"):
        assert [one.sums[0][1] for one in found] == [Fraction(1, 9), Fraction(1, 9)]


def test_14_4_the_die_of_a_panther_that_is_sure_to_arrive_is_named_with_the_others():
    """The umpire rolls this die before the die of the attack."""
    at_once = declare_attacks(
        order_moves(place("T15: r-57a | S14: g-10bde"), ("g-10bde", "S15")).state, attack("T15", "g-10bde")
    ).state
    _panther, case, _stays = exact_odds.list_chances(july(), at_once, {})
    assert "the dice of a throw, if rolled: the move of g-10bde, the attack" in case.assumed
    assert {len(face) for one in case.outcomes for face in one.faces} == {2}


def bombed(setting, state, throw):
    """Return the part of a throw of two dice that is rolled, '' if no die hits."""
    dice = Faces(3, throw)
    umpire = Umpire(setting, state, 3, dice)
    air.resolve_strikes(umpire, Filing(3, "german"))
    return throw[: len(dice.labels)] if any(getattr(event, "passed", False) for event in umpire.events) else ""


@pytest.mark.parametrize("most", sweeps.sizes(8, 99))
def test_every_attack_of_random_games_has_the_same_odds_as_face_by_face(monkeypatch, most):
    setting, seen = KIT.setting(KIT.scenarios[0]), 0
    for _before, result in toys.play(KIT, setting, 11):
        if BATTLES in result.after.agenda:
            found, faces = exact_odds.list_chances(setting, result.after, {}), plain(monkeypatch, setting, result.after)
            assert list(map(by_outcome, found)) == list(map(by_outcome, faces))
            seen += len(found)
            if seen >= most:
                break
    assert seen > min(most, 21) - 1


def test_a_page_of_the_board_draws_arrows_without_odds(monkeypatch, tmp_path):
    """M4: an arrow joins each attacker to the attacked hex, with the column; the odds come on request."""
    seat, _other = seats.by_turn(seats.begun(tmp_path, JULY))
    client = seats.Client(seat).enter()
    assert client.order("attack b7 with 53 k").status_code == 200
    monkeypatch.setattr(exact_odds, "run_branches", None)
    page = client.get(client.at())
    assert page.status_code == 200
    layer = page.get_data(as_text=True).partition('<g id="layer-battles"')[2].partition('<g id="layer-orders"')[0]
    assert "1:4" in layer


@pytest.mark.some(9)
@pytest.mark.parametrize(("number", "cut"), [(1, 0), sweeps.long((2, 0)), (3, 2), sweeps.long((6, 8))])
def test_14_4_attacks_with_many_panthers_have_odds_within_seconds(number, cut):
    """M4: six Panthers took minutes and ended in an error; now the odds leave out some dice, with a notice."""
    panthers = ("g-10bde", "g-12pz", "g-4pz", "g-5pz", "g-10pzg", "g-323i")[:number]
    kind = {"kind": "panther", "size": "detachment", "zone": "none", "move": 4}
    made = {uid: replace(july().counters[uid], **kind) for uid in panthers}
    setting = replace(july(), counters={**july().counters, **made})
    state = place(f"T15: r-57a | R17: {' '.join(panthers)} | S15: g-48pzk", setting)
    state = order_moves(state, *((uid, "R16 S16") for uid in panthers), setting=setting).state
    order = attack("T15", " ".join((*panthers, "g-48pzk")), advance=",".join([f"{uid} U15" for uid in panthers]))
    begin = time.process_time()
    *_moves, case, held = exact_odds.list_chances(setting, declare_attacks(state, order, setting=setting).state, {})
    assert time.process_time() - begin < 6
    assert sum(one.chance for one in case.outcomes) == sum(one.chance for one in held.outcomes) == 1
    told = [text for text in case.assumed if text.startswith("not followed")]
    assert sum(text.count(uid) for text in told for uid in panthers) == cut


def waiting(where, only=""):
    """Declare the attacks of the heaviest scenario, or only the attack on one hex."""
    setting, state = heavy.load_heavy(where)
    orders = heavy.make_attacks(setting, state, only)
    umpire = Umpire(setting, state, 1)
    battles.declare_attacks(umpire, Filing(1, "german", orders={BATTLES: orders}))
    assert not umpire.violations
    return setting, umpire.state


@pytest.mark.long
@pytest.mark.parametrize("where", sweeps.some([heavy.front, heavy.heap], 2))
def test_the_heaviest_scenario_has_odds_that_say_what_they_leave_out(where):
    """M4: six Panthers in a stack and sixty attacks with breakthroughs need little time."""
    setting, state = waiting(where)
    begin = time.process_time()
    found = exact_odds.list_chances(setting, state, {})
    assert time.process_time() - begin < 4  # half a second on an idle machine
    assert {sum(one.chance for one in each.outcomes) for each in found} == {Fraction(1)}
    cut = [each for each in found if any("not followed, for too many" in text for text in each.assumed)]
    assert bool(cut) == (where is heavy.heap)  # breakthroughs at the front meet other attacks
    assert all(not one.faces for each in cut for one in each.outcomes)
    text = " ".join(report.render_odds("Battles", found, Wording(setting)).split())
    assert ("Not followed, for too many dice would fall: " in text) == (where is heavy.heap)
    assert text.count("die chance") == sum(any(one.faces for one in each.outcomes) for each in found)  # no empty column
    assert "by another attack is not followed" in text


def test_what_is_left_out_first_is_what_matters_least():
    """For an attack with six Panthers: first the advances, then the moves, the breakthrough, and all dice."""
    setting, state = waiting(heavy.heap, "M10")
    (case, *_others) = [
        *exact_odds._cases(
            exact_odds.movement.place_panthers(setting, state),
            state,
            exact_odds.read_battles(setting, state.agenda)[0],
            {},
        )
    ]
    assert [extra.what for extra in case.extras] == ["advance"] * check.MOST_PANTHERS + ["breakthrough"]
    costs = [case.cost(left) for left in range(len(case.extras) + 2)]
    assert costs == sorted(costs, reverse=True)
    assert costs[-2:] == [6 * (exact_odds.IDLE + len(case.battle.attackers) + len(case.defenders)), 0]
    assert case.left_out(0) == []
    assert case.left_out(2) == ["whether g-0, g-1 break down in the advance: they are taken to run on"]
    assert case.left_out(len(case.extras))[-1] == "the breakthrough"
    table = exact_odds._chances(exact_odds.movement.place_panthers(setting, state), case, len(case.extras) + 1)
    assert table.assumed[-1] == UNFOLLOWED
    assert sum(one.chance for one in table.outcomes) == 1
    assert (table.sums, table.means) == ((), ())


@pytest.mark.parametrize("name", worst.BEYOND)
def test_a_scenario_beyond_its_limits_is_told_so(name):
    whole = heavy.make_data(heavy.front)
    change, words = worst.BEYOND[name]
    change(whole)
    (finding,) = check.check_scenario(whole)
    assert finding.severity == "error"
    assert words in finding.text


def test_the_draft_of_the_heaviest_scenario_can_be_read_again():
    """A draft lists a limited number of moves; 'kursk moves' lists the others."""
    setting, state = heavy.load_heavy(heavy.depth)
    lines = [line for hint in hints.make_hints(setting, state, 1) for line in hint.lines]
    assert sum(map(len, lines)) < 100_000
    assert any("hexes; 'kursk moves' lists them" in line for line in lines)


def test_of_a_plan_that_is_not_known_nobody_says_how_often_the_attackers_enter_9_0():
    """A hidden plan may contain an advance, so a chance of zero would be wrong."""
    state = declare_attacks(place("T15: r-57a | S15: g-48pzk | S16: g-2ss"), attack("T15", "g-48pzk g-2ss")).state
    hidden = {**state.agenda, f"sealed/{plans.label(state.agenda['declared'])}": {"hash": "", "seq": "1"}}
    (known, *_more), (unknown, *_others) = (
        exact_odds.list_chances(july(), given, {}) for given in (state, state.with_(agenda=hidden))
    )
    assert [what for what, _chance in known.sums] == [
        "the defenders leave the hex",
        "the attackers enter the hex (no advance is planned)",
    ]
    assert [what for what, _chance in unknown.sums] == ["the defenders leave the hex"]
    assert any("sealed and not known here" in text for text in unknown.assumed)
    (answered,) = exact_odds.list_chances(july(), state.with_(agenda=hidden | {ANSWERED: 1}), {})
    assert [what for what, _chance in answered.sums] == ["the defenders leave the hex"]
    assert answered.assumed == ("nothing was answered: they withdraw nowhere", exact_odds.UNKNOWN)


def test_6_0_an_exchange_that_is_forced_is_told_as_one():
    """Bug: the row of a D1 with a Forced Exchange named only D1 and the losses."""
    order = attack("T15", "g-46pzk g-20k g-7k", forced="D1,AD")
    _free, held = exact_odds.list_chances(
        july(), declare_attacks(place("T15: r-10a | S15: g-46pzk g-20k g-7k"), order).state, {}
    )
    told = {outcome.result: outcome.text for outcome in held.outcomes}
    assert told["D1"] == ("a Forced Exchange", "lost: g-20k (German)", "lost: r-10a (Russian)")
    assert told["D"] == ("Disrupted: r-10a",)


@pytest.mark.parametrize(("forced", "told"), [([], [f"losses r-4ta has no effect in b1: {SAME}"]), (["D1"], [])])
def test_6_0_forced_a_russian_who_lists_no_result_forces_none(forced, told):
    """J-17: bug: useless wishes for losses were accepted, as if every Russian attack forced exchanges."""
    order = {**attack("T15", "r-4ta r-1ta r-11ga"), "losses": ["r-4ta"], "forced": forced}
    state = place("T15: g-7k | S15: r-4ta r-1ta r-11ga; stage russian-orders")
    left = list_unused(state, orders={"battles": [order]})
    assert [note.text for note in left if note.rule == "2.0"] == told


@pytest.mark.parametrize(("wish", "followed"), [("U15", True), ("U16", False), ("join b2", False), ("U16,U15", False)])
def test_2_0_breakthrough_is_not_followed_where_another_attack_decides_it(wish, followed):
    """J-66: alone, the attack would enter a hex of a waiting attack, which it can only join."""
    state = place("T15: r-1tc | S15: g-3pzk g-503 | U15: r-2tc | U16: r-38a | V15: g-48pzk; keil g-3pzk SE")
    first = attack("T15", "g-3pzk g-503", advance="g-3pzk,g-503", breakthrough=wish)
    waiting = declare_attacks(state, first, attack("U16", "g-48pzk", name="b2")).state
    told = [found for found in exact_odds.list_chances(july(), waiting, {}) if found.subject == "b1"]
    assert all(any("by another attack" in text for text in found.assumed) != followed for found in told)
    lost = " ".join(text for found in told for outcome in found.outcomes for text in outcome.text)
    assert ("r-2tc" in lost, "r-38a" in lost) == (followed, False)


def test_2_0_breakthrough_tells_where_it_drives_those_whom_it_attacks():
    """Bug: the odds reported the Disruption but not the retreat."""
    state = place("T15: r-1tc | S15: g-3pzk g-503 | U15: r-57a; keil g-3pzk SE")
    first = attack("T15", "g-3pzk g-503", advance="g-3pzk,g-503", breakthrough="U15")
    told = " ".join(
        text
        for found in exact_odds.list_chances(july(), declare_attacks(state, first).state, {})
        for outcome in found.outcomes
        for text in outcome.text
    )
    assert "r-57a goes back to" in told


def test_j_64_an_attack_that_is_fought_after_another_says_so():
    """Panthers on the move are assumed to arrive, so they do not change these odds."""
    state = place(f"{PANTHER} | T12: r-6a | S12: g-3pzk")
    orders = (attack("T15", "g-48pzk g-10bde", name="west"), attack("T12", "g-3pzk", name="north"))
    _panther, *cases = exact_odds.list_chances(
        july(), declare_attacks(order_moves(state, TO_S15).state, *orders).state, {}
    )
    told = {(one.subject, one.caveat) for one in cases}
    assert told == {
        ("west", "fought first: later battles do not change the odds"),
        ("north", "as the position stands now; west is fought earlier and may change the odds"),
    }
