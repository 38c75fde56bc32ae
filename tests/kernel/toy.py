"""A minimal rule system with dice, and every way to spoil the dice if they can be foreseen.

================  =======  ============================================================================
stage             writer   message holds
================  =======  ============================================================================
opening           Russian  seals his guard
orders            German   one or two battles, each with a call; seals his plans
answer            Russian  shows his guard; answers each battle, or not
dice              German   dice; plans are shown; movement
decision          Russian  his open answer for the second battle; then ``dice`` again for it alone
over              -        the game has ended
================  =======  ============================================================================

A battle scores its die, or seven minus the die if an odd number of four choices say so: the call (``low``), the guard
(``flip``), the plan (``flip``), the answer (``flip``). A choice without knowledge of the die changes no chance. The die
depends on the battle's id; the battles are fought in the order written.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields, replace
from typing import Any

from kursk_pbem.kernel.events import Scheduled, Tracked
from kursk_pbem.kernel.orders import Filing
from kursk_pbem.kernel.ruleset import Phase, Play, Ruleset, Stage
from kursk_pbem.kernel.state import State
from kursk_pbem.kernel.umpire import Umpire

GERMAN, RUSSIAN = "german", "russian"
IDS = ("a", "b", "c")
SCORES = ("first", "second")  # tracks
FLIP, KEEP = "flip", "keep"


@dataclass(frozen=True)
class Setting:
    """The fields of a setting that the kernel needs."""

    scenario: Any = None
    refereed: bool = False
    sides: tuple[str, str] = (GERMAN, RUSSIAN)


Toy = Umpire[Setting]


def guard(umpire: Toy, filing: Filing) -> None:
    if "guard" not in filing.secret:
        umpire.refuse("opening", "a guard must be sealed", "guard", ("seal",))


def declare(umpire: Toy, filing: Filing) -> None:
    battles = filing.order("battles")
    ids = [each["id"] for each in battles]
    if not battles or len(battles) > len(SCORES) or len(set(ids)) < len(ids) or not {*ids} <= {*IDS}:
        umpire.refuse("orders", "one or two battles, of different ids", "battles", ("orders", "battles"))
    umpire.emit(Scheduled("orders", "battles", list(battles)), Scheduled("orders", "declared", str(filing.seq)))


def show(umpire: Toy, filing: Filing) -> None:
    if "guard" in filing.reveal:
        umpire.emit(Scheduled("answer", "guard", filing.reveal["guard"]))


def answer(umpire: Toy, filing: Filing) -> None:
    for bid in filing.policy.keys() - {each["id"] for each in umpire.state.agenda["battles"]}:
        umpire.refuse("answer", "no such battle is declared", bid, ("policy", bid))
    umpire.emit(Scheduled("answer", "answers", dict(filing.policy)))
    umpire.emit(Scheduled("answer", "answered", str(filing.seq)))


def resolve(umpire: Toy, filing: Filing) -> None:
    """Resolve the battles; a missing answer is ``keep`` for the first battle, and stops the dice before the second."""
    battles = umpire.state.agenda.get("battles", ())
    plans = umpire.state.agenda.get("plans", {})
    for label, value in filing.reveal.items():
        plans = value if label.startswith("plans/") else plans
    for score, battle in zip(SCORES, battles, strict=False):
        bid = battle["id"]
        if score in umpire.state.tracks:
            continue
        if score != SCORES[0] and bid not in umpire.state.agenda["answers"]:
            stop(umpire, bid, plans)
            return
        umpire.emit(Tracked("dice", score, score_battle(umpire, battle, die(umpire, bid), plans)))
    if battles:
        umpire.emit(Scheduled("dice", "battles", None))


def die(umpire: Toy, bid: str, name: str = "combat") -> int:
    return int(umpire.roll(f"{bid}/{name}", "dice", of="battles"))


def score_battle(umpire: Toy, battle: Mapping[str, str], face: int, plans: Any) -> int:
    said = [umpire.state.agenda.get("guard", {}).get("guard"), plans.get(battle["id"])]
    said += [umpire.state.agenda.get("answers", {}).get(battle["id"])]
    flips = said.count(FLIP) + (battle["call"] == "low")
    return 7 - face if flips % 2 else face


def stop(umpire: Toy, bid: str, plans: Any) -> None:
    owed = {"owner": RUSSIAN, "battle": bid, "kind": "answer", "options": [KEEP, FLIP]}
    umpire.emit(Scheduled("dice", "plans", plans), Scheduled("dice", "pending", owed))


def decide(umpire: Toy, filing: Filing) -> None:
    owed = umpire.state.agenda["pending"]
    chosen = filing.decisions.get(owed["battle"])
    if chosen not in owed["options"]:
        umpire.refuse("decision", "keep or flip", owed["battle"], ("decisions",))
        return
    answers = {**umpire.state.agenda["answers"], owed["battle"]: chosen}
    umpire.emit(Scheduled("decision", "pending", None), Scheduled("decision", "answers", answers))
    umpire.emit(Scheduled("decision", "answered", str(filing.seq)))


def move(umpire: Toy, filing: Filing) -> None:
    if filing.order("movement"):
        umpire.emit(Scheduled("dice", "moved", list(filing.order("movement"))))


def make_phase(run: Callable[[Toy, Filing], None], *reads: str, rolls: bool = False) -> Phase:
    return Phase(run.__name__, run.__name__, run, reads, rolls, announced=False)


def stage(key: str, writer: str, duties: tuple[Phase, ...], phases: tuple[Phase, ...], *then: str) -> Stage:
    return Stage(key, key, writer, duties, phases, key, then)


DICE = make_phase(resolve, rolls=True)
ANSWER = make_phase(answer, "policy")
_STAGES = (
    stage("opening", RUSSIAN, (), (make_phase(guard),), "orders"),
    stage("orders", GERMAN, (), (make_phase(declare, "orders/battles"),), "answer"),
    stage("answer", RUSSIAN, (make_phase(show),), (ANSWER,), "dice"),
    stage("dice", GERMAN, (DICE,), (make_phase(move, "orders/movement"),), "decision", "over"),
    stage("decision", RUSSIAN, (), (make_phase(decide, "decisions"),), "dice"),
    stage("over", "", (), ()),
)


def build(*others: Stage) -> Ruleset:
    """Return the toy; ``others`` replace stages with an equal key, or add stages."""
    stages = {each.key: each for each in (*_STAGES, *others)}

    def follow(umpire: Toy, _filing: Filing, key: str) -> str:
        return stages[key].then["pending" not in umpire.state.agenda and len(stages[key].then) > 1]

    play = {
        "stages": lambda _setting: stages,
        "follow": follow,
        "seals": lambda _umpire, _filing: None,
        "seal": lambda orders, _seq: (dict(orders), {}),
        "verdict": lambda _setting, _state: None,
    }
    used = {
        "id": "toy",
        "title": "Toy",
        "version": 1,
        "sides": (GERMAN, RUSSIAN),
        "options": (),
        "play": Play(**{each.name: play.get(each.name) for each in fields(Play)}),
    }
    return Ruleset(**{each.name: used.get(each.name) for each in fields(Ruleset)})


RULES = build()
SETTING = Setting()
START = State("1", RUSSIAN, "opening", {})


# Rules with choices after the dice are known: typical mistakes in a stage table.


def again(umpire: Toy, filing: Filing) -> None:
    """D2: let the attacker roll again, by a choice in the rolling message: both dice are visible before."""
    battle = umpire.state.agenda["battles"][0]
    face = die(umpire, battle["id"])
    if filing.policy.get("again") == "yes":
        face = die(umpire, battle["id"], "again")
    umpire.emit(Tracked("dice", SCORES[0], face), Scheduled("dice", "battles", None))


def first_throw(umpire: Toy, filing: Filing) -> None:
    """D2: let the defender demand another roll after seeing the die."""
    umpire.emit(Scheduled("dice", "thrown", str(die(umpire, umpire.state.agenda["battles"][0]["id"]))))


def waiver(umpire: Toy, filing: Filing) -> None:
    umpire.emit(Scheduled("waiver", "answered", str(filing.seq)))
    if filing.policy.get("again") != "yes":
        umpire.emit(Tracked("waiver", SCORES[0], int(umpire.state.agenda["thrown"])))


def second_throw(umpire: Toy, filing: Filing) -> None:
    if SCORES[0] not in umpire.state.tracks:
        umpire.emit(Tracked("dice", SCORES[0], die(umpire, umpire.state.agenda["battles"][0]["id"], "again")))


def at_once(umpire: Toy, filing: Filing) -> None:
    """Roll a message too early: in the defender's answer."""
    umpire.emit(Scheduled("answer", "answers", dict(filing.policy)))
    resolve(umpire, filing)


def too_many(umpire: Toy, filing: Filing) -> None:
    """Roll all dice before the stop for the decision on the second battle, and use its old die."""
    for score, battle in zip(SCORES, umpire.state.agenda["battles"], strict=True):
        face = score_battle(umpire, battle, die(umpire, battle["id"]), {})
        umpire.emit(Tracked("dice", score, face))
    stop(umpire, umpire.state.agenda["battles"][1]["id"], {})


def decide_late(umpire: Toy, filing: Filing) -> None:
    score = umpire.state.tracks[SCORES[1]]
    umpire.emit(Scheduled("decision", "pending", None))
    umpire.emit(Tracked("decision", SCORES[1], 7 - score if FLIP in filing.decisions.values() else score))


def not_in_offers(umpire: Toy, filing: Filing) -> None:
    """Roll the due dice not in an offer, but in the message after the refusal."""
    if not filing.resigns:
        resolve(umpire, filing)


def roll(run: Callable[[Toy, Filing], None]) -> Phase:
    return replace(make_phase(run), rolls=True)


BOTH_SEEN = build(stage("dice", GERMAN, (roll(again),), (make_phase(move, "policy"),), "over"))
FIRST_SEEN = build(
    stage("dice", GERMAN, (roll(first_throw),), (), "waiver"),
    stage("waiver", RUSSIAN, (), (make_phase(waiver, "policy"),), "last"),
    stage("last", GERMAN, (roll(second_throw),), (), "over"),
)
TOO_EARLY = build(stage("answer", RUSSIAN, (make_phase(show), roll(at_once)), (make_phase(move, "policy"),), "over"))
TOO_MANY = build(
    stage("dice", GERMAN, (roll(too_many),), (), "decision"),
    stage("decision", RUSSIAN, (), (make_phase(decide_late, "decisions"),), "over"),
)
NOT_IN_OFFERS = build(stage("dice", GERMAN, (roll(not_in_offers),), (make_phase(move, "orders/movement"),), "over"))
