"""A player with a real key who signs what no honest program would: refused, or read as the rules say, and soon.

The numbers are threats (docs/auditors.md, section 6). Each message has a single fault, as in the name.
Opening, reveals, dice and positions are honest otherwise.
"""

import time
from dataclasses import replace

import pytest
from helpers import sweeps
from helpers.cheating import write_text
from hypothesis import HealthCheck, given
from hypothesis import strategies as st
from rulesets.battle_for_kursk.first_turn import ENGAGE, sealed_plans
from rulesets.battle_for_kursk.first_turn import PLANLESS as BATTLE
from rulesets.battle_for_kursk.first_turn import PLANLESS_ORDERS as ORDERS

from kursk_pbem.audit import prove
from kursk_pbem.cli.proof import proving
from kursk_pbem.errors import FileError
from kursk_pbem.formats.canonical import MAX_BYTES
from kursk_pbem.game import folders, games
from kursk_pbem.kernel.hexes.plans import LONGEST_WISH, MOST_WISHES
from kursk_pbem.kernel.orders import filing
from kursk_pbem.rulesets.battle_for_kursk.orders import Plan
from kursk_pbem.trust import messages

pytestmark = pytest.mark.slow

ZERO = "0" * 64


def test_the_honest_neighbour_is_accepted(second):
    assert second.heard(second.text(second.content(ORDERS))) == (0, "")


MISFITS = {
    "T20 dice before they may fall": ({"dice": {"ponyri/combat": "6"}}, 3),
    "T20 a decision that nothing waits for": ({"pending": {"owner": "german"}}, 3),
    "T20 another position before": ({"state-in": ZERO}, 3),
    "T20 another position after": ({"state-out": ZERO}, 3),
    "T2 another opening": ({"open": "11" * 32}, 3),
    "T9 another predecessor": ({"prev": ZERO}, 3),
    "T12 another game": ({"game": ZERO}, 3),
    "T15 the other side's name": ({"from": "russian"}, 3),
    "T15 a referee who is none": ({"from": "referee"}, 3),
    "T10 a number that has been": ({"seq": "0"}, 3),
    "T10 a number to come": ({"seq": "999999999"}, 3),
    "T28 a number with a zero": ({"seq": "02"}, 2),
    "T28 a number with a sign": ({"seq": "+2"}, 2),
    "T28 large letters in a hash": ({"prev": "A" * 64}, 2),
    "T21 resigning before the game is bound": ({"type": "resign"}, 3),
    "T21 accepting once more": ({"type": "accept"}, 3),
    "T23 plain text of a seal": ({"seal": {"plans/2": {}}}, 3),
    "T22 a reveal of nothing": ({"reveal": {"posture/turn-1": {"salt": "00" * 16, "value": ENGAGE}}}, 3),
    "T15 keys": ({"keys": {"german": "ssh-ed25519 " + "A" * 68, "russian": "ssh-ed25519 " + "A" * 68}}, 3),
    "T26 a list as type": ({"type": ["turn"]}, 2),
    "T29 a note that turns the writing": ({"note": "a\u202eb"}, 2),
    "T29 a note that moves the cursor": ({"note": "\x1b[2J"}, 2),
    "T21 an unknown field": ({"win": "yes"}, 2),
}


@pytest.mark.parametrize("what", MISFITS)
def test_a_signed_message_with_one_thing_wrong_is_refused(second, what):
    change, status = MISFITS[what]
    content = {**second.content(ORDERS), **change}
    assert second.heard(second.text(content))[0] == status


ILLEGAL = {
    "T21 orders/distribution": {"orders": {"distribution": ["r-13"]}},
    "T21 policy": {"policy": {"stand-fast": "always"}},
    "T21 decisions": {"decisions": {"ponyri": "accept"}},
    "T21 a second posture": {"choice": {"posture/turn-1": ENGAGE, "posture/turn-2": ENGAGE}},
    "T21 orders that wait for what was not waived": {"waive": ""},
    "T22 a seal of a strange name": {"secret": {"ponyri/combat": ZERO}},
    "T22 a seal of another message": {"secret": {"plans/4": ZERO}},
    "T22 two thousand seals": {"secret": {f"plans/x{n}": ZERO for n in range(2000)}},
    "T21 the same battle twice": {"orders": {"battles": [BATTLE, BATTLE]}},
    "T21 nobody attacks": {"orders": {"battles": [{**BATTLE, "attackers": []}]}},
    "T21 one attacker twenty times": {"orders": {"battles": [{**BATTLE, "attackers": ["g-41-pz"] * 20}]}},
    "T21 a lead of the enemy": {"orders": {"battles": [{**BATTLE, "offensive": {"lead": "r-13", "support": []}}]}},
    "T21 a hex nowhere": {"orders": {"battles": [{**BATTLE, "hex": "9999"}]}},
    "T27 two hundred battles": {"orders": {"battles": [{**BATTLE, "id": f"b{n}"} for n in range(200)]}},
    "T27 five hundred moves": {"orders": {"armor-and-rail": [{"unit": "g-41-pz", "to": "2010"}] * 500}},
    "T27 three thousand replacements": {"orders": {"replacements": [{"unit": "g-41-pz", "gain": "flip"}] * 3000}},
    "T27 two thousand choices": {"choice": {f"posture/turn-{n}": ENGAGE for n in range(2000)}},
}


@pytest.mark.parametrize("what", ILLEGAL)
def test_signed_orders_against_the_rules_are_void_and_found_soon(second, what):
    content = second.content({**ORDERS, **ILLEGAL[what]})
    began = time.monotonic()
    assert second.heard(second.text(content))[0] == 1
    assert time.monotonic() - began < 3


@pytest.mark.parametrize("note", ["\U0001f600" * 4096, "a\u0300\u0301" * 1365, "\n" * 4096, "\u0429" * 4096])
def test_T27_a_long_note_in_other_letters_is_reported_soon(second, note):
    content = second.content(ORDERS) | {"note": note}
    began = time.monotonic()
    assert second.heard(second.text(content)) == (0, "")
    assert time.monotonic() - began < 3


def flow(value):
    """A value in as few characters as YAML allows."""
    if isinstance(value, str):
        return value if value.isalnum() and value[0].isalpha() else '"' + value.replace("\\", "\\\\") + '"'
    if isinstance(value, list):
        return f"[{','.join(map(flow, value))}]"
    return "{" + ",".join(f"{key}: {flow(inner)}" for key, inner in value.items()) + "}"


def nested(depth, entries):
    value = {f"k{number}": "x" for number in range(entries)}
    for _ in range(depth):
        value = {"a": value}
    return value


@pytest.mark.parametrize("value", [nested(8, 9000), {"a": ["'" * 4090] * 55}], ids=["nested", "quotes"])
def test_T27_a_message_that_would_grow_beyond_reading_is_refused(tmp_path, value):
    """Short as mailed, but too long as kept by the receiver: if accepted, the message would stop the game."""
    cheat = sealed_plans(tmp_path / "table", value)
    content = cheat.content({})
    lines = [f"{key}: {flow(each)}" for key, each in content.items()]
    armour = [f"  {line}" for line in cheat.armour(content).splitlines()]
    letter = write_text(tmp_path / "letter.yaml", "\n".join([*lines, "signature: |", *armour, ""]))
    assert letter.stat().st_size < MAX_BYTES
    with pytest.raises(FileError, match="written line by line"):
        cheat.victim.take(letter)
    assert cheat.victim.sit().seq == 4


def test_T27_a_position_that_does_not_fit_is_left_out():
    content = {"kursk-pbem": "1", "note": "n"}
    position = {"type": "state", "agenda": {f"k{number}": "x" * 60 for number in range(4000)}}
    assert "state:" in messages.emit_for_mail(content, "armour", {"type": "state"})
    assert messages.emit_for_mail(content, "armour", position) == messages.emit_message(content, "armour")


def test_T27_of_a_sealed_plan_only_what_an_open_one_may_hold_is_read():
    long = {"retreat": ["toward 2113"] * 10_000, "losses": "x" * (LONGEST_WISH + 1), "advance": {"a": "b"}}
    plan = Plan.from_plain(long)
    assert plan.retreat == ("toward 2113",) * MOST_WISHES
    assert plan.losses == plan.advance == ()
    assert Plan.from_plain({"losses": "x" * LONGEST_WISH}).losses == ("x" * LONGEST_WISH,)


# Sealed data may have any shape, but must not stop a game.

WORDS = st.sampled_from(
    [
        "2011",
        "2113",
        "toward 2113",
        "away 9999",
        "toward",
        "2010-2011",
        "-",
        " ",
        "g-41-pz",
        "yes",
        "g-46-pz if-free",
        "g-46-pz if-",
        "r-13",
        "engage",
        "pause",
        "x" * 4096,
        "",
    ]
)
NAMES = st.sampled_from(["ponyri", "retreat", "losses", "advance", "posture", "reaction", "plan", "0"])
PLAINS = st.recursive(WORDS, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(NAMES, inner, max_size=4))
PLANS = st.fixed_dictionaries(
    {"ponyri": st.fixed_dictionaries({}, optional={"retreat": PLAINS, "losses": PLAINS, "advance": PLAINS})}
)


@sweeps.tries(150, suppress_health_check=[HealthCheck.too_slow])
@given(value=PLAINS | PLANS, face=st.integers(1, 6))
def test_T24_a_revealed_plan_of_any_shape_stops_nothing(fourth, value, face):
    game, seq = fourth.victim.desk.game, fourth.desk.seq

    class Die:
        def __init__(self):
            self.seq = seq

        def roll(self, _label, n):
            return str(face) * n

    asked = replace(filing(fourth.envelope() | {"reveal": {}}), reveal={"plans/2": value})
    done = games.adjudicate(game.ruleset, game.setting, game.state, asked, Die())
    assert done.legal
    assert not game.ruleset.play.invariants(game.setting, done.after)


@sweeps.tries(60)
@given(value=PLAINS | st.fixed_dictionaries({"posture": PLAINS}, optional={"reaction": PLAINS}))
def test_T24_a_revealed_posture_of_any_shape_stops_nothing(second, value):
    game = second.desk.game
    marks = {**game.state.marks, "german": {"previous": "pause", "posture": "engage"}}
    state = game.state.with_(stage="reveal", side="russian", marks=marks)
    asked = replace(filing(second.envelope() | {"from": "russian"}), reveal={"posture/turn-1": value})
    done = games.adjudicate(game.ruleset, game.setting, state, asked, None)
    assert done.legal
    assert done.after.mark("russian", "posture") in ("pause", "reposition", "deploy", "engage")


def test_T29_a_name_of_two_lines_begins_no_line_in_what_is_said_of_a_proof(second):
    head = messages.read_message(folders.read_bytes(second.player.folder / "0000.yaml"), "0000.yaml")
    names = {"german": "Anna)\nrussian is convicted of false dice", "russian": "Boris"}
    named = replace(head, content={**head.content, "names": names})
    said = proving._describe_conviction(prove.Conviction(named, "german", "dice", "why", (head,)))
    assert not any(line.startswith("russian") for line in said.splitlines())
