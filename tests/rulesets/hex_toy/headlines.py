"""Summary and prose for events of Hex Toy."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from kursk_pbem.kernel.account.battles import clashes, write_headline
from kursk_pbem.kernel.account.lines import ORDERS, TAKEN, Line, joined, number, rank_lines, sentence, spot
from kursk_pbem.kernel.account.prose import Voice, tell_battle
from kursk_pbem.kernel.brief import split_phases
from kursk_pbem.kernel.events import Event, Moved
from kursk_pbem.kernel.hexes.compass import locate
from kursk_pbem.kernel.state import ANSWERED, State
from kursk_pbem.kernel.words import plural
from rulesets.hex_toy.assaults import ASSAULTS
from rulesets.hex_toy.setting import HELD, Setting
from rulesets.hex_toy.wording import Wording


def headlines(setting: Setting, before: State, events: Sequence[Event], after: State) -> tuple[str, ...]:
    """Return assaults, fords, declarations and the number of marches."""
    words = Wording(setting)
    found: list[Line] = [write_headline(clash, words) for clash in clashes(events)]
    for label in setting.fords:
        now = after.mark(HELD, label)
        if now != before.mark(HELD, label):
            found.append((TAKEN, f"{words.side(now)} holds {spot(words, label)}"))
    if waiting := after.agenda.get(ASSAULTS, ()) if ASSAULTS not in before.agenda else ():
        names = ", ".join(spot(words, each["hex"]) for each in waiting)
        found.append((ORDERS, f"{plural(len(waiting), 'assault')} declared: {names}"))
    if ANSWERED in after.agenda and ANSWERED not in before.agenda:
        found.append((ORDERS, "The volleys are answered"))
    marches = sum(
        isinstance(event, Moved)
        for part in split_phases(before, events)
        if part.phase == "march"
        for event in part.events
    )
    if before.stage.endswith("-dice"):
        moves = [event for event in events if isinstance(event, Moved) and event.how == "pursuit"]
        pursued = [f"{words.unit(each.unit)} pursues to {spot(words, each.path[-1])}" for each in moves]
        found += [(ORDERS, line) for line in pursued or ["nobody pursues"]]
    if marches:
        found.append((ORDERS, plural(marches, "march").replace("marchs", "marches")))
    return rank_lines(found)


def story(setting: Setting, before: State, events: Sequence[Event], _after: State) -> tuple[str, ...]:
    """Return a paragraph for each phase with moves, and for each assault."""
    words, told = Wording(setting), []
    fords = {setting.board.index[label]: name for label, name in setting.fords.items()}
    lies = partial(locate, setting.board, fords)
    voice = Voice(words, lambda uid: f"the {words.unit(uid)}", lies, weak="nobody went in")
    for part in split_phases(before, events):
        told += [tell_battle(clash, voice, at) for at, clash in enumerate(clashes(part.events))]
        moves = [event for event in part.events if isinstance(event, Moved) and part.phase != "fight"]
        if len(moves) > 3:
            told.append(sentence(f"{number(len(moves), 'unit')} marched"))
        elif moves:
            went = (f"{voice.name(each.unit)} went to {voice.to(each.path[-1])}" for each in moves)
            told.append(sentence(joined([*went])))
    return tuple(told)
