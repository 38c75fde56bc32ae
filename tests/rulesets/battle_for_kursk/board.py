"""The vocabulary of the rules tests: set up a position, submit orders, read the results.

``place`` reads one line, with ``;`` between clauses::

    place("1507: g-3-pz | 1508: r-6-g reduced; turn 3; mud; control 1808 russian; posture german engage russian pause")

=================================  ====================================================================
``HEX: UNIT [reduced]`` with ``|``  units on the map (default full); ``off-map: UNIT`` is a place, too
``stage KEY``                       the next message; default german-orders
``turn T``, ``mud``, ``clear``      default turn B, weather of the turn track
``posture SIDE P ...``              this turn's postures, default engage for both; ``posture none``
``previous SIDE P ...``             last turn's postures, default reposition
``offensives SIDE N ...``           available markers, default 0
``control HEX SIDE``                a captured city
``objective HEX SIDE`` / ``won``    the Strategic Objective, default as at the start; ``objective won SIDE``
``engaged SIDE``                    a side with an earlier Engage that counts for 12.1
``others stay``                     other units are as at set-up; default: eliminated
=================================  ====================================================================

``play`` also checks every adjudicated message against the laws of all messages.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from types import SimpleNamespace
from typing import Any, TypeVar

from kursk_pbem.desk.draft import wording
from kursk_pbem.formats import schema, strictyaml
from kursk_pbem.game import scenario_files as scenario
from kursk_pbem.kernel.adjudicate import Adjudication, adjudicate
from kursk_pbem.kernel.events import Event, Fought, Moved, apply
from kursk_pbem.kernel.hexes import ways
from kursk_pbem.kernel.orders import Filing
from kursk_pbem.kernel.state import ELIMINATED, OVER, State, Unit, from_plain
from kursk_pbem.kernel.verbs import Edit, OrderContext
from kursk_pbem.rulesets.battle_for_kursk import RULESET, movement, posture, replacements, sequence, setting
from kursk_pbem.rulesets.battle_for_kursk.odds import Battle, Odds, assess
from kursk_pbem.rulesets.battle_for_kursk.position import Position, position
from kursk_pbem.rulesets.battle_for_kursk.setting import FULL, REDUCED, SIDES, Setting

E = TypeVar("E")

SEQ = 10  # the number of the message that is written first in a test


@cache
def kursk(name: str = "campaign") -> Setting:
    """Load one of the shipped scenarios."""
    return setting.load(scenario.load(scenario.find(f"battle-for-kursk/{name}")))


def place(text: str, scene: str = "campaign") -> State:
    """A position from one line; see the module."""
    game = kursk(scene)
    setup = _Setup()
    for clause in text.split(";"):
        setup.read(clause.strip())
    named = setup.units
    units = {uid: Unit(c.hex, c.starts) if setup.stay else Unit(ELIMINATED, 0) for uid, c in game.counters.items()}
    assert set(named) <= set(units), f"no such units: {set(named) - set(units)}"
    mud = {"mud": True, "clear": False}.get(setup.weather, game.boxes[setup.turn].mud)
    tracks = {**setup.tracks, "mud": int(mud)}
    side = sequence.STAGES[setup.stage].writer
    state = State(setup.turn, side, setup.stage, {**units, **named}, setup.marks, tracks)
    assert RULESET.play.invariants(game, state) == []
    return state


class _Setup:
    """The clauses of a position during reading."""

    def __init__(self) -> None:
        self.units: dict[str, Unit] = {}
        self.marks = {side: {"previous": "reposition", "posture": "engage"} for side in SIDES}
        self.marks["objective"] = {"hex": "2113", "side": "german"}
        self.tracks = {f"{name}-{side}": 0 for name in ("offensives", "engaged") for side in SIDES}
        self.turn, self.stage, self.weather, self.stay = "B", "german-orders", "", False

    def read(self, clause: str) -> None:
        """Read one clause; a clause without a keyword names units."""
        key, _, rest = clause.partition(" ")
        if key in ("turn", "stage"):
            setattr(self, key, rest)
        elif key in ("mud", "clear"):
            self.weather = key
        elif clause == "others stay":
            self.stay = True
        elif key in ("posture", "previous", "offensives", "control", "objective", "engaged"):
            self._tables(key, rest.split())
        elif clause:
            self.units.update(_units(clause))

    def _tables(self, key: str, words: list[str]) -> None:
        pairs = dict(zip(words[::2], words[1::2], strict=False))
        if words == ["none"]:
            for side in SIDES:
                del self.marks[side]["posture"]
        elif key in ("posture", "previous"):
            for side, value in pairs.items():
                self.marks[side][key] = value
        elif key == "offensives":
            self.tracks.update({f"offensives-{side}": int(number) for side, number in pairs.items()})
        elif key == "engaged":
            self.tracks[f"engaged-{words[0]}"] = 1
        elif key == "control":
            self.marks.setdefault("control", {}).update(pairs)
        else:
            won = words[0] == "won"
            self.marks["objective"] = {"side": words[1], "won" if won else "hex": words[1 if won else 0]}


def _units(clause: str) -> dict[str, Unit]:
    found: dict[str, Unit] = {}
    for item in clause.split("|"):
        spot, _, unit = item.partition(":")
        uid, _, side_up = unit.strip().partition(" ")
        assert uid, f"not understood: {item!r}"
        assert side_up in ("", "full", "reduced"), f"not understood: {item!r}"
        found[uid] = Unit(spot.strip(), REDUCED if side_up == "reduced" else FULL)
    return found


class Dice:
    """Dice as a test wants them, by battle; asking for another, or leaving one unrolled, is an error."""

    def __init__(self, faces: Mapping[str, int], seq: int) -> None:
        self.faces, self.seq = faces, seq

    def roll(self, label: str, n: int) -> str:
        """The face set for a battle; KeyError where the test expects no die."""
        assert n == 1
        return str(self.faces[label.removesuffix("/combat")])


@dataclass
class Played:
    """The results of one or several messages."""

    game: Setting
    after: State
    events: list[Event] = field(default_factory=list)
    steps_taken: list[Adjudication] = field(default_factory=list)

    def at(self, uid: str) -> str:
        """Return the place of a unit: hex label, eliminated or off-map."""
        return self.after.units[uid].place

    def steps(self, uid: str) -> int:
        """2 full, 1 reduced, 0 eliminated."""
        return self.after.units[uid].steps

    def of(self, kind: type[E], **fields: Any) -> list[E]:
        """Return the events of one kind with the given values."""
        return [
            e
            for e in self.events
            if isinstance(e, kind) and all(getattr(e, key) == value for key, value in fields.items())
        ]

    def fought(self, battle: str = "b1") -> Fought:
        """The computation of one battle."""
        (found,) = self.of(Fought, battle=battle)
        return found

    def path(self, uid: str) -> tuple[str, ...]:
        """Return the hexes that a unit entered with its last movement of any kind."""
        return self.of(Moved, unit=uid)[-1].path

    def mp(self, uid: str) -> str:
        """Movement points of its last movement."""
        return self.of(Moved, unit=uid)[-1].mp

    def offensives(self, side: str) -> int:
        """Available Offensive markers."""
        return self.after.tracks[f"offensives-{side}"]


def read(text: str | Mapping[str, Any]) -> dict[str, Any]:
    """Read a player's text strictly and check the schema of the ruleset."""
    if not isinstance(text, str):
        return dict(text)
    if not text.strip():
        return {}
    lines = text.strip("\n").splitlines()
    indent = min(len(line) - len(line.lstrip()) for line in lines if line.strip())
    document = strictyaml.read(("\n".join(line[indent:] for line in lines) + "\n").encode("ascii"), "test.yaml")
    schema.check(document.data, RULESET.schema, document)
    return document.data


def message(
    state: State,
    text: str | Mapping[str, Any] = "",
    *,
    seq: int = SEQ,
    dice: Mapping[str, int] | None = None,
    reveal: Mapping[str, Any] | None = None,
    scene: str = "campaign",
    resigns: bool = False,
) -> Adjudication:
    """Adjudicate one message, and check the laws of every message."""
    content = read(text)
    hidden = content.get("seal", {})
    stage = sequence.STAGES[state.stage]
    shown = {posture.label(state.turn): value for value in [reveal] if value is not None}
    filing = Filing(
        seq,
        state.side,
        reveal=shown,
        choice=content.get("choice", {}),
        waive=content.get("waive", ""),
        orders=content.get("orders", {}),
        policy=content.get("policy", {}),
        secret=dict.fromkeys(hidden, "0" * 64),
        sealed=hidden,
        resigns=resigns,
    )
    result = adjudicate(RULESET, kursk(scene), state, filing, Dice(dice or {}, seq))
    if stage.rolls:
        assert set(result.dice) == {f"{battle}/combat" for battle in dice or {}}
    laws(kursk(scene), result)
    assert adjudicate(RULESET, kursk(scene), state, filing, Dice(dice or {}, seq)) == result
    return result


def laws(game: Setting, result: Adjudication) -> None:
    """Check the laws of every adjudication: events fold, states survive their plain form, positions are possible."""
    folded = result.before
    for number, event in enumerate(result.events):
        if number == result.duties:
            assert folded == result.middle
        folded = apply(folded, event)
        assert RULESET.play.invariants(game, folded) == [], event
    assert folded == result.after
    for state in (result.before, result.middle, result.after):
        assert from_plain(state.to_plain()) == state
    for violation in result.violations:
        assert violation.message
        assert violation.path


def play(
    state: State,
    text: str | Mapping[str, Any] = "",
    *,
    dice: Mapping[str, int] | None = None,
    answer: str = "",
    then: str | Mapping[str, Any] = "",
    reveal: Mapping[str, Any] | None = None,
    scene: str = "campaign",
) -> Played:
    """Play a legal message, and for battles also the defender's ``answer`` and the dice message with ``then``.

    ``dice``: battle to face; other battles must not roll. The Russian seals a posture in every message that needs a
    seal."""
    result = Played(kursk(scene), state)
    _next(result, text, SEQ, None, reveal)
    if "battles" in result.after.agenda and dice is not None:
        _next(result, answer, SEQ + 1, None, None)
        _next(result, then, SEQ + 2, dice, None)
    return result


def _next(
    played: Played,
    text: str | Mapping[str, Any],
    seq: int,
    dice: Mapping[str, int] | None,
    reveal: Mapping[str, Any] | None,
) -> None:
    content, state = read(text), played.after
    scene = played.game.scenario.id.partition("/")[2]
    ended = message(state, seq=seq, dice=dice, reveal=reveal, scene=scene).middle.stage == OVER  # by the dice
    fighting = bool(content.get("orders", {}).get("battles"))
    if not ended and "seal" not in content and _seals(played.game, state, fighting):
        turns = played.game.turns
        turn = state.turn if state.stage == "opening" else turns[turns.index(state.turn) + 1]
        content["seal"] = {posture.label(turn): {"posture": "pause"}}
    done = message(state, content, seq=seq, dice=dice, reveal=reveal, scene=scene)
    assert done.legal, [str(violation) for violation in done.violations]
    played.events += done.events
    played.steps_taken.append(done)
    played.after = done.after


def _seals(game: Setting, state: State, fighting: bool) -> bool:
    if state.stage == "opening":
        return True
    last = state.turn == game.turns[-1]
    return state.stage in ("russian-dice", "russian-orders") and not last and not fighting


def refused(
    state: State,
    text: str | Mapping[str, Any],
    rule: str,
    says: str = "",
    *,
    number: int = 1,
    reveal: Mapping[str, Any] | None = None,
    scene: str = "campaign",
) -> None:
    """Check that the message is void: exactly ``number`` violations, each with this paragraph and these words."""
    content = read(text)
    if "seal" not in content and _seals(kursk(scene), state, bool(content.get("orders", {}).get("battles"))):
        turns = kursk(scene).turns
        turn = state.turn if state.stage == "opening" else turns[turns.index(state.turn) + 1]
        content["seal"] = {posture.label(turn): {"posture": "pause"}}
    found = message(state, content, reveal=reveal, scene=scene).violations
    assert [violation.rule for violation in found] == [rule] * number, [str(violation) for violation in found]
    assert all(says in str(violation) for violation in found), [str(violation) for violation in found]


def asking(state: State, draft: Mapping[str, Any] | None = None) -> OrderContext:
    """Return the context of ``kursk order`` for a position and a draft."""
    game: Any = SimpleNamespace(setting=kursk(), ruleset=RULESET, stage=sequence.STAGES[state.stage])
    sheet: Any = SimpleNamespace(desk=SimpleNamespace(game=game, seq=SEQ), state=state)
    return wording.make_order_context(sheet, draft or {})


def ordered(
    state: State, verb: str, text: str, draft: Mapping[str, Any] | None = None
) -> tuple[tuple[Edit, ...], list[str]]:
    """Return the order that a word of ``kursk order`` writes in a position, and the possible names."""
    (word,) = (each for each in RULESET.seen.verbs(kursk()) if each.name == verb)
    ask = asking(state, draft)
    return word.write(ask, text.split()), [named for named, _more in word.clauses(ask, ())[0].among]


def moves(text: str, key: str = "movement") -> str:
    """Movement orders in short: ``"g-3-pz 2015 2014, g-11 to 2118"`` as the YAML a player would write."""
    lines = []
    for item in text.split(","):
        uid, *hexes = item.split()
        if hexes[0] == "to":
            lines.append(f"  - {{unit: {uid}, to: '{hexes[1]}'}}")
        else:
            lines.append(f"  - {{unit: {uid}, path: [{', '.join(repr(label) for label in hexes)}]}}")
    return "\n".join(["orders:", f"  {key}:", *lines])


def attack(hex_: str, attackers: str, *, lead: str = "", support: str = "", bid: str = "b1", **plan: str) -> str:
    """Return one battle as a list entry of YAML, with plans (``retreat``, ``losses``, ``advance``) as comma lists."""
    parts = [f"id: {bid}", f"hex: '{hex_}'", f"attackers: [{', '.join(attackers.split())}]"]
    if lead:
        parts.append(f"offensive: {{lead: {lead}, support: [{', '.join(support.split())}]}}")
    for key, wishes in plan.items():
        parts.append(f"{key}: [{', '.join(repr(wish.strip()) for wish in wishes.split(','))}]")
    return f"  - {{{', '.join(parts)}}}"


def battles(*entries: str) -> str:
    """Several ``attack`` entries as orders."""
    return "\n".join(["orders:", "  battles:", *entries])


def view(state: State, scene: str = "campaign") -> Position:
    """The position seen through the board."""
    return position(kursk(scene), state)


def names(mask: int) -> list[str]:
    """The hexes of a mask by label."""
    return kursk().board.names(mask)


def walked(pos: Position, uid: str, path: tuple[int, ...], how: str) -> int | ways.Slip:
    """Return the points spent by a declared path of hexes, or the first violation of the path."""
    way = ways.check_path(pos.setting.board, movement.make_march(pos, uid, how), path)
    return way if isinstance(way, ways.Slip) else way.mp


def odds(state: State, hex_: str, attackers: str, support: str = "") -> Odds:
    """Return the arithmetic of a battle in a position."""
    spot = kursk().board.index[hex_]
    pos, listed = view(state), tuple(attackers.split())
    return assess(pos, Battle("b1", spot, pos.unit(spot), listed, listed[0] if support else "", tuple(support.split())))


def placements(state: State, uid: str) -> list[str]:
    """Return the permitted hexes for an eliminated or returning unit."""
    return [kursk().board.labels[hex_] for hex_ in replacements.find_placements(view(state), uid)]
