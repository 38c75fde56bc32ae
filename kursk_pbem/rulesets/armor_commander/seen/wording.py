"""Names, events and orders in words, and the table under a report."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from kursk_pbem.kernel.events import Event, Marked, Moved, Noted, Placed, Removed, Scheduled, StepsLost, Unmarked
from kursk_pbem.kernel.ruleset import Rows
from kursk_pbem.kernel.state import ANSWERED, DECLARED, State
from kursk_pbem.kernel.words import Names, flat, unit
from kursk_pbem.rulesets.armor_commander import orders, victory
from kursk_pbem.rulesets.armor_commander.position import DEPLOYMENT, INITIATIVE, OPEN, PINNED, PLOT, SHOWN, make_field
from kursk_pbem.rulesets.armor_commander.setting import GUN, SIDES, TANK, Setting

PHASES = {
    "seals": "Sealed",
    "place": "Deployment",
    "unveil": "The sealed deployment is shown",
    "initiative": "Initiative",
    "orders": "Orders",
    "show": "The sealed orders are shown",
    "action": "Action Phase",
    "move": "Moves of units with a green chip",
}


class Wording(Names):
    """The names and sentences of Armor Commander."""

    def __init__(self, setting: Setting) -> None:
        self._setting, self.things, self.phases = setting, {**setting.units, **setting.models}, PHASES
        self.places = {}

    def tell(self, event: Event) -> list[str] | None:
        """Return the sentences about an event, with inches, chips (orders) and hours of the clock."""
        match event:
            case Placed(unit=uid, place=place, how=how):
                return [f"{unit(self, uid)} stands at {place}{f', {how}' if how != 'deployed' else ''}"]
            case Marked(rule="2.2"):
                return []
            case Moved(unit=uid, start=start, path=path, mp=far):
                by = f" by {'; '.join(path[:-1])}" if path[1:] else ""
                return [f"{unit(self, uid)} moves {far} inches from {start}{by} to {path[-1]}"]
            case Removed(unit=uid):
                return [f"{unit(self, uid)} is destroyed"]
            case StepsLost(unit=uid, lost=lost, left=left):
                return [f"{unit(self, uid)} loses {lost} of the crew, {left} left"]
            case Marked(table=table, key=key, value=value):
                return self._marked(table, key, value)
            case Unmarked(rule=rule, table=table, key=key):
                return [f"{unit(self, key)} is no longer pinned"] if (rule, table) == ("7.4", PINNED) else []
            case Noted(text=text):
                named = text.partition(" ")[0] in {*self._setting.models, *self._setting.units}
                return [text if named else f"{text[:1].upper()}{text[1:]}"]
            case Scheduled(key=key, value=value) if key in (SHOWN, OPEN):
                return [self.order(order) for order in value or ()]
            case Scheduled(key=key) if key in (PLOT, DEPLOYMENT, DECLARED, ANSWERED):
                return []
            case _:
                return None

    def _marked(self, table: str, key: str, value: str) -> list[str] | None:
        match table:
            case "facing":
                return [f"{unit(self, key)} faces {value} o'clock"]
            case "immobile":
                return [f"{unit(self, key)} may no longer move: a yellow chip"]
            case "pinned":
                return [f"{unit(self, key)} is pinned and sits out turn {value}: a yellow chip"]
            case "wreck":
                return [f"The wreck of {unit(self, key)} stays at {value}"]
            case "initiative":
                return [f"The {self.side(value)} side acts first"]
            case _:
                return None

    def hidden(self, label: str, entries: Any) -> Iterator[str]:
        """Yield the sealed orders in words for their writer. A malformed entry is printed as it was written."""
        for entry in entries if isinstance(entries, list | tuple) else ():
            side = self._setting.sealer
            if label == DEPLOYMENT and isinstance(entry, Mapping):
                face = f" facing {entry['face']} o'clock" if "face" in entry else ""
                at = f" at {entry['at']}" if "at" in entry else ""
                yield f"{unit(self, str(entry.get('id')))}{at}{face}"
            elif label != DEPLOYMENT and orders.read_order(self._setting, side, entry)[0] is not None:
                yield self.order(entry)
            else:
                yield flat(entry)
        if not entries:
            yield "no unit gets a chip" if label != DEPLOYMENT else "the scenario's places apply"

    def order(self, entry: Mapping[str, Any]) -> str:
        """Return an order in one line, in the words that the player wrote."""
        who = f"{unit(self, entry['id'])}, {entry['chip']} chip: "
        if entry["chip"] == "green":
            return who + "; ".join(_describe_move(move) for move in entry["moves"])
        lists = [(shot["id"], shot) for shot in entry.get("shots", ())]
        lists += [("all others" if lists else "all", entry)] if entry.get("at") else []
        return who + "; ".join(f"{whose} at {' then '.join(shot['at'])}{_name_rounds(shot)}" for whose, shot in lists)


def describe_hidden(setting: Setting, _state: State, _side: str, label: str, value: Any) -> tuple[str, ...]:
    """Return the sealed orders in words for their writer."""
    return tuple(Wording(setting).hidden(label, value))


def _name_rounds(entry: Mapping[str, Any]) -> str:
    return f" with {entry['rounds'].upper()} rounds" if entry.get("rounds") else ""


def _describe_move(entry: Mapping[str, Any]) -> str:
    way = f" to {'; '.join(entry['path'])}" if entry.get("path") else ""
    face = f" facing {entry['face']} o'clock" if "face" in entry else ""
    return f"{entry['id']}{way}{face}"


def make_standing(setting: Setting, state: State) -> Rows:
    """Return the table below a report: remaining models, objectives and initiative."""
    table = make_field(setting, state)
    rows = [("", *(side.capitalize() for side in SIDES))]
    kinds, waiting = setting.models, table.list_undeployed()
    there = [*table.at, *waiting]  # undeployed models are not lost (2.2)
    of = {side: [mid for mid in there if kinds[mid].side == side] for side in SIDES}
    for text, count in (
        ("mobile tanks", lambda mid: kinds[mid].kind == TANK and table.is_mobile(mid)),
        ("immobile tanks", lambda mid: kinds[mid].kind == TANK and not table.is_mobile(mid)),
        ("guns", lambda mid: kinds[mid].kind == GUN),
        ("pinned guns", lambda mid: bool(state.mark(PINNED, mid))),
    ):
        rows.append((text, *(str(sum(map(count, of[side]))) for side in SIDES)))
    lost = {side: sum(model.side == side for model in kinds.values()) - len(of[side]) for side in SIDES}
    rows.append(("tanks and guns lost", *(str(lost[side]) for side in SIDES)))
    for objective in () if waiting else setting.objectives:
        side = victory.find_holder(table, objective)
        rows.append((objective.name, f"held by {f'the {side.capitalize()} side' if side else 'nobody'}"))
    if first := state.mark(INITIATIVE, "first"):
        rows.append(("acts first", first.capitalize()))
    return tuple(rows)
