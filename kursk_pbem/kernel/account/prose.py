"""A battle in prose: without ids, paragraphs and inventions, with phrases chosen by a fixed rule."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence

from kursk_pbem.frozen import frozen
from kursk_pbem.kernel.account.battles import Clash, Fate
from kursk_pbem.kernel.account.lines import PLACED, RETREAT, joined, sentence, spell_number, steps
from kursk_pbem.kernel.events import Fought, Marked
from kursk_pbem.kernel.state import ELIMINATED
from kursk_pbem.kernel.words import Words


@frozen
class Voice:
    """The words of a rule system for telling a battle as a story."""

    words: Words
    name: Callable[[str], str]  # a unit's name with the article
    near: Callable[[str], tuple[str, str]]  # a hex by the nearest town: ('south of', 'Orel'), or ('', 'Orel')
    manner: Callable[[Fought], str] = lambda _fought: ""  # a further fact about an attack, such as its leader
    weak: str = "the odds were too poor"  # why an ordered attack did not take place

    def names(self, units: Iterable[str]) -> str:
        """Return names in a sentence: 'the 70th Army and the 13th Army'."""
        return joined([*map(self.name, units)])

    def at(self, label: str) -> str:
        """Return a location: 'at Orel', 'south of Orel'."""
        way, town = self.near(label)
        return f"{way or 'at'} {town}"

    def to(self, label: str) -> str:
        """Return a destination: 'Orel', 'a hex south of Orel'."""
        way, town = self.near(label)
        return f"a hex {way} {town}" if way else town


_OPENINGS = (
    "{at}, {own} attacked {foe}{odds}{manner}",
    "{own} struck at {foe} {at}{odds}{manner}",
    "{at}, {foe} came under attack by {own}{odds}{manner}",
    "{own} attacked {foe} {at}{odds}{manner}",
    "{at}, {own} went in against {foe}{odds}{manner}",
)
_DESTROYED = ("{} was destroyed", "{} was wiped out", "it was the end of {}")
# neutral phrases, because the retreat may be voluntary
_RETREATS = ("{} fell back to {}", "{} gave way and retreated to {}", "{} went back to {}")
_HELD = ("{} held", "{} stood firm", "{} did not give way")
_FELL = ("{} fell",)
_ENTERED = ("{} moved into the hex", "{} followed up", "{} took the ground")


def tell_battle(clash: Clash, voice: Voice, count: int) -> str:
    """Return a battle in sentences. ``count``, the number of earlier battles, selects one of several wordings."""
    fought = clash.fought
    own, foe, at = voice.names(fought.attack.units), voice.names(fought.defence.units), voice.at(fought.place)
    if not fought.column:
        nobody = f"{own} did not attack" if own else "nobody attacked"
        return sentence(f"{nobody} {foe} {at} after all, for {voice.weak}")
    odds, manner = _describe_odds(fought.column), voice.manner(fought)
    opening = _OPENINGS[count % len(_OPENINGS)].format(at=at, own=own, foe=foe, odds=odds, manner=manner)
    if clash.waits:
        return f"{sentence(opening)} There the battle stopped until a decision was taken."
    ends = _tell_results(clash, voice, count)
    told = ", and ".join(filter(None, ("; ".join(ends[:-1]), ends[-1])))
    return f"{sentence(opening)} {sentence(told)}"


def _tell_results(clash: Clash, voice: Voice, count: int) -> list[str]:
    """Return the results of a battle: defenders' fates, costs, retreats, advances."""
    fought, (theirs, ours) = clash.fought, clash.fates(voice.words)
    ends = [_tell_fate(fate, voice, count) for fate in theirs]
    spent = {fate.unit: steps(fate.lost) for fate in ours if fate.lost and not fate.gone}
    here = [fate for fate in ours if fate.to and not fate.gone]
    up = [fate for fate in here if fate.how not in (RETREAT, PLACED)]
    if not ends and not any(fate.unit in fought.attack.units for fate in up):  # the defenders held
        # a marker on the place: a line is lost, although no unit moved in
        marked = any(isinstance(event, Marked) and event.key == fought.place for event in clash.events)
        held = _FELL if marked else _HELD
        ends.append(held[count % len(held)].format(voice.names(fought.defence.units)))
    weak = f"{{}}, weaker by {spent.popitem()[1]}," if up and [fate.unit for fate in up] == [*spent] else "{}"
    ends += [f"the attack cost {joined([f'{voice.name(uid)} {cost}' for uid, cost in spent.items()])}"] if spent else []
    if lost := [fate.unit for fate in ours if fate.gone]:
        ends.append(f"{voice.names(lost)} {'was' if len(lost) == 1 else 'were'} lost")
    back = [fate for fate in here if fate.how == RETREAT]
    for place in dict.fromkeys(fate.to for fate in back):
        ends.append(_tell_retreat([fate.unit for fate in back if fate.to == place], place, voice, count))
    ends += [_tell_fate(fate, voice, count) for fate in here if fate.how == PLACED]
    for fate in up:
        way, town = voice.near(fate.to)
        entered = _ENTERED[count % len(_ENTERED)] if way else f"{{}} entered {town}"
        if fate.unit in fought.attack.units and fate.to != fought.place:  # an advance may end elsewhere
            entered = f"{{}} advanced to {voice.to(fate.to)}"
        ends.append(entered.format(weak.format(voice.name(fate.unit))))
    return ends


def _tell_retreat(units: Sequence[str], place: str, voice: Voice, count: int) -> str:
    return _RETREATS[count % len(_RETREATS)].format(voice.names(units), voice.to(place))


def _tell_fate(fate: Fate, voice: Voice, count: int) -> str:
    name = voice.name(fate.unit)
    if fate.gone:
        lost = _DESTROYED[count % len(_DESTROYED)] if fate.gone == ELIMINATED else "{} was driven off the map"
        return lost.format(name)
    if fate.how == PLACED:
        return f"{name} now stood {voice.at(fate.to)}"
    cost = f" at the cost of {steps(fate.lost)}" if fate.lost else ""
    return (_tell_retreat([fate.unit], fate.to, voice, count) if fate.to else f"{name} held") + cost


def _describe_odds(column: str) -> str:
    """Return words such as ' at odds of three to one' for a column that is a ratio, otherwise ''."""
    if not (ratio := re.fullmatch("([0-9]+):([0-9]+)", column)):
        return ""
    one, other = (spell_number(int(part)) for part in ratio.groups())
    return " at even odds" if one == other else f" at odds of {one} to {other}"
