"""Events as prose for reading aloud: a paragraph for every phase with events."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial

from kursk_pbem.kernel.account.battles import clashes
from kursk_pbem.kernel.account.lines import joined, number, sentence, steps
from kursk_pbem.kernel.account.prose import Voice, tell_battle
from kursk_pbem.kernel.brief import Part, split_phases
from kursk_pbem.kernel.events import (
    Decided,
    Event,
    Fought,
    Marked,
    Moved,
    Placed,
    Removed,
    Scheduled,
    StepsLost,
    Unmarked,
)
from kursk_pbem.kernel.hexes.compass import locate
from kursk_pbem.kernel.hexes.policies import BATTLES, POLICY
from kursk_pbem.kernel.state import State
from kursk_pbem.rulesets.battle_for_kursk.posture import weather_due
from kursk_pbem.rulesets.battle_for_kursk.seen.wording import Wording
from kursk_pbem.rulesets.battle_for_kursk.setting import ENEMY, GERMAN, RUSSIAN, Setting
from kursk_pbem.rulesets.battle_for_kursk.victory import score

FEW = 3
"""So many units are named one by one; of more only their number, and the towns that they reached."""


def tell_story(setting: Setting, before: State, events: Sequence[Event], after: State) -> tuple[str, ...]:
    """Return paragraphs about the events between two positions, without the end of the game."""
    words, battles = Wording(setting), 2 * setting.turns.index(before.turn)
    lies = partial(locate, setting.board, setting.city_names)
    voice = Voice(words, lambda uid: f"the {words.unit(uid)}", lies, partial(_describe_lead, words))
    told: list[str] = []
    for part in split_phases(before, events):
        if part.phase == "combat":
            fought = clashes(part.events)
            for at, clash in enumerate(fought, battles):
                marks = _tell_marks(setting, voice, clash.events, clash.fought.place)
                told.append(" ".join((tell_battle(clash, voice, at), *marks)))
            battles += len(fought)
            continue
        teller = _PHASES.get(part.phase)
        lines = [*(teller(setting, voice, part) if teller else ()), *_tell_marks(setting, voice, part.events)]
        told += [" ".join(lines)] if lines else []
    was, now = score(setting, before).total, score(setting, after).total
    if was != now:
        ahead = f"the {_name_people(RUSSIAN if now > 0 else GERMAN)} were {number(abs(now), 'victory point')} ahead"
        told.append(sentence(f"now {ahead if now else 'the victory points were even'}"))
    return tuple(told)


def _describe_lead(words: Wording, fought: Fought) -> str:
    """9.2.1: describe leader and supporters of an Offensive."""
    if not fought.roles:
        return ""
    lead, *support = (joined([f"the {words.unit(uid)}" for uid in who]) for _what, who in fought.roles)
    leads = f", {lead} leading" if len(fought.attack.units) > 1 else " in"
    return f"{leads} an Offensive" + (f" with {support[0]} in support" if support else "")


def _tell_marks(setting: Setting, voice: Voice, events: Sequence[Event], told: str = "") -> Iterator[str]:
    """10.0, 12.1: yield cities with a new owner, except one already ``told``, and the objective."""
    taken: dict[str, list[str]] = {}
    for event in events:
        match event:
            case Marked(table="control", key=label) | Unmarked(table="control", key=label) if label == told:
                continue
            case Marked(table="control", key=label, value=side):
                taken.setdefault(side, []).append(voice.to(label))
            case Unmarked(table="control", key=label):
                taken.setdefault(setting.city_side[setting.board.index[label]], []).append(voice.to(label))
            case Marked(table="objective", key="won", value=side):
                yield f"The {_name_people(side)} had their Strategic Objective."
            case Marked(table="objective", key="hex", value=label):
                yield f"The Strategic Objective was now {voice.to(label)}."
    for side, towns in taken.items():
        yield f"{joined(towns)} {'was' if len(towns) == 1 else 'were'} now in {side.capitalize()} hands."


def _name_people(side: str) -> str:
    return f"{side.capitalize()}s"


def _tell_posture(_setting: Setting, _voice: Voice, part: Part) -> Iterator[str]:
    """12.0, 12.0-3: describe a posture, its price, a waived reveal, and Emergency Reaction."""
    waived, chosen = any(isinstance(event, Scheduled) and event.key == "waived" for event in part.events), False
    for event in part.events:
        match event:
            case Decided(owner=side, chosen=posture):
                yield f"Then the {_name_people(side)} reacted in an emergency, and counted as {_ING[posture]}."
                return
            case Marked(table=side, key="posture", value=posture) if not chosen:
                hurry = f" without waiting for the {_name_people(ENEMY[side])} to show their hand" if waived else ""
                yield f"The {_name_people(side)} chose to {posture}{hurry}."
                chosen = True


def _tell_gains(_setting: Setting, voice: Voice, part: Part) -> Iterator[str]:
    """10.0, 6.0: describe rebuilt, returned and strengthened units, and given-up steps."""
    placed = [event for event in part.events if isinstance(event, Placed)]
    for how, what in (("return", "came back"), ("place", "was formed again")):
        for event in placed:
            if event.how == how:
                yield sentence(f"{voice.name(event.unit)} {what} {voice.at(event.place)}")
    full = [event.unit for event in placed if event.how == "flip"]
    if full:
        who = voice.names(full) if len(full) <= FEW else f"{number(len(full), f'{part.side.capitalize()} unit')}"
        yield sentence(f"{who} {'was' if len(full) == 1 else 'were'} brought up to strength")
    lost = [
        (loss.unit, steps(loss.lost) if isinstance(loss, StepsLost) else "its last step")
        for loss in part.events
        if isinstance(loss, (StepsLost, Removed))
    ]
    for what in dict.fromkeys(what for _uid, what in lost):
        uids = [uid for uid, kind in lost if kind == what]
        yield sentence(f"{voice.names(uids)} gave up {what}{' each' if len(uids) > 1 else ''}")


def _tell_moves(setting: Setting, voice: Voice, part: Part) -> Iterator[str]:
    """8.0, 8.1: describe a few moves singly; of many moves, the number and the reached towns."""
    on_foot = _MARCHES[_turn(setting, part) % len(_MARCHES)]
    for rail in (False, True):
        moves = [moved for moved in part.events if isinstance(moved, Moved) and (moved.how == "rail") is rail]
        if 0 < len(moves) <= FEW:
            went = "travelled by rail" if rail else "moved"
            where = [f"{voice.name(moved.unit)} {went} to {voice.to(moved.path[-1])}" for moved in moves]
            yield sentence(joined(where))
        elif moves:
            towns = [moved for moved in moves if not locate(setting.board, setting.city_names, moved.path[-1])[0]]
            there = f"; {joined([f'{voice.name(moved.unit)} reached {voice.to(moved.path[-1])}' for moved in towns])}"
            went = "travelled by rail" if rail else on_foot
            yield sentence(f"{number(len(moves), f'{part.side.capitalize()} unit')} {went}{there if towns else ''}")


def _tell_battles(_setting: Setting, voice: Voice, part: Part) -> Iterator[str]:
    """9.0: describe the declared battles."""
    for event in part.events:
        if isinstance(event, Scheduled) and event.key == BATTLES and event.value:
            targets = [f"{voice.name(battle['defender'])} {voice.at(battle['hex'])}" for battle in event.value]
            yield f"The {_name_people(part.side)} prepared {number(len(targets), 'attack')}: on {joined(targets)}."


def _tell_answers(setting: Setting, _voice: Voice, part: Part) -> Iterator[str]:
    """9.3: say that the defenders have answered."""
    first, second = _ANSWERS[_turn(setting, part) % len(_ANSWERS)]
    if any(isinstance(event, Decided) for event in part.events):
        first, second = "took the decision while the dice waited", "The fighting went on"
    elif not any(isinstance(event, Scheduled) and event.key == POLICY for event in part.events):
        first = "gave the defenders no special orders"
    yield f"The {_name_people(part.side)} {first}. {second}."


def _tell_policy(_setting: Setting, _voice: Voice, part: Part) -> Iterator[str]:
    """K-88: describe open standing answers."""
    yield f"The {_name_people(part.side)} said openly how their defenders would act from now on."


def _tell_turn(setting: Setting, _voice: Voice, part: Part) -> Iterator[str]:
    """4.0, 11.0: describe a new turn with its weather if known, or the weather die."""
    date = setting.scenario.data["tables"]["turn-track"][part.after.turn]["label"]
    mud = "it was a turn of mud" if part.after.tracks["mud"] else "the ground was dry"
    if part.phase == "weather":
        yield f"The weather die was rolled: {mud}."
    else:
        came = _DATES[_turn(setting, part) % len(_DATES)].format(date)
        yield f"{came}." if weather_due(part.after) else f"{came}, and {mud}."


def _tell_seal(setting: Setting, _voice: Voice, part: Part) -> Iterator[str]:
    """12.0: mention the sealed posture of the next turn."""
    seals = [event.key for event in part.events if isinstance(event, Scheduled) and event.value]
    if any(key.startswith("sealed/posture") for key in seals):
        yield f"The {_name_people(part.side)} {_SECRETS[_turn(setting, part) % len(_SECRETS)]}."


def _turn(setting: Setting, part: Part) -> int:
    """Return the number of the turn, which varies the phrases."""
    return setting.turns.index(part.after.turn)


_MARCHES = ("moved", "were on the move", "changed their positions")
_ANSWERS = (
    ("gave the defenders orders", "The battles came next"),
    ("settled the conduct of the defenders", "Now came the time of the battles"),
    ("answered for the defenders", "Then the battles came"),
)
_DATES = ("{} came", "It was {} now", "The turn of {} began")
_SECRETS = (
    "made a choice for the turn and kept silent",
    "chose a posture in secret",
    "came to a decision and kept the secret",
)
_ING = {"pause": "pausing", "reposition": "repositioning", "deploy": "deploying", "engage": "engaging"}
_PHASES: Mapping[str, Callable[[Setting, Voice, Part], Iterator[str]]] = {
    "distribution": _tell_gains,
    "posture": _tell_posture,
    "replacement": _tell_gains,
    "armor-and-rail": _tell_moves,
    "declaration": _tell_battles,
    "answer": _tell_answers,
    "policy": _tell_policy,
    "movement": _tell_moves,
    "turn": _tell_turn,
    "weather": _tell_turn,
    "seals": _tell_seal,
}
