"""A position as a player asks about it before deciding: of a folder, of a signed message, of a draft.

Only what is known at this desk goes into it: the own sealed plans from the journal, the own dice that have fallen.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial, reduce
from itertools import takewhile
from pathlib import Path
from typing import TYPE_CHECKING, Any

from kursk_pbem.desk import desks
from kursk_pbem.desk.desks import Desk
from kursk_pbem.desk.draft import drafts
from kursk_pbem.desk.draft.drafts import Checked
from kursk_pbem.errors import FileError, Violation
from kursk_pbem.formats import strictyaml
from kursk_pbem.game import folders, journal, verified
from kursk_pbem.game.games import Game
from kursk_pbem.kernel import names
from kursk_pbem.kernel.brief import Part, parts
from kursk_pbem.kernel.events import Advanced, Event, Fought, Moved, PhaseBegan, apply
from kursk_pbem.kernel.orders import filing
from kursk_pbem.kernel.outlook import Chances, MovePhase, Outlook
from kursk_pbem.kernel.state import ELIMINATED, OFF_MAP, OVER, State
from kursk_pbem.kernel.umpire import Umpire
from kursk_pbem.trust.messages import Message

if TYPE_CHECKING:
    from kursk_pbem.kernel.picture import Picture


@dataclass(frozen=True)
class Prospect:
    """A position and what is known of it here: ``sealed`` label -> value, ``what`` names it in a few words.

    Of a draft ``parts`` are its phases with what they ordered, and ``left_out`` says in a line what of it is wrong and
    therefore not carried out. ``first`` is the position before its orders.
    """

    game: Game
    state: State
    sealed: Mapping[str, Any]
    what: str
    first: State | None = None
    parts: tuple[Part, ...] = ()
    left_out: str = ""

    @property
    def over(self) -> bool:
        """Whether nothing more is ordered: the game is over, or dice that this player alone knows end it."""
        return self.game.over or self.state.stage == OVER


def look(path: Path, home: Path, *, ahead: bool, without: str = "") -> Prospect:
    """The position of a game folder, after a signed message, or after the orders of a draft.

    ``ahead``: as the player who writes next finds it, after their duties; of a draft after its orders too, but before
    the other side has its turn. Moves that a draft orders for the unit ``without`` are not carried out. What is wrong
    in a draft is left out. Raises KurskError for a file that is none of them.
    """
    if path.is_dir():
        return _of_desk(desks.sit(path, home), ahead=ahead)
    if path.suffix == ".json":
        return _of_message(path, home)
    raw = folders.read_bytes(path)
    if "signature" in strictyaml.read_edited(raw, str(path)).data:
        return _of_message(path, home)
    desk = desks.sit(path.parent, home)
    return of_draft(desk, drafts.read(desk, raw, str(path)), ahead=ahead, without=without)


def of_draft(desk: Desk, draft: Message, *, ahead: bool, without: str, kept: Collection[str] = frozenset()) -> Prospect:
    """After the orders of a draft, but for those that are wrong; after its duties alone if it cannot be read.

    ``without``: a unit whose moves are left out, but for those in the lists of orders ``kept``.
    """
    what = f"after message {desk.seq - 1} and the orders of the draft"
    try:
        checked = drafts.check(desk, draft)
    except FileError as error:
        left = f"No order of the draft is carried out, because its form is wrong: {error}"
        return replace(_of_desk(desk, ahead=True), left_out=left)
    left = in_a_line(checked.result.violations)
    fewer = _without(draft, without, kept) if without else draft
    if fewer is not draft:
        checked = drafts.check(desk, fewer)
        what += f" but the move of {without}"
    result = checked.result
    sealed = {**known(desk.game, result.after, desk.own), **checked.hidden}
    if not ahead:
        return Prospect(desk.game, result.after, sealed, f"the draft of message {desk.seq}", left_out=left)
    chosen = list(takewhile(lambda event: not isinstance(event, Advanced), result.events[result.duties :]))
    phases = tuple(parts(result.middle, chosen))
    state = phases[-1].after if phases else result.middle
    if fewer is draft and (state.units, state.marks) == (result.middle.units, result.middle.marks):
        what = _of_desk(desk, ahead=True).what  # sealed, or carried out later: all stand as without the orders
    return Prospect(desk.game, state, sealed, what, result.middle, phases, left)


def as_ordered(events: tuple[Event, ...], ordering: Collection[str]) -> tuple[Event, ...]:
    """The events of a message up to the end of the last phase in which something is ordered, by such phases' keys.

    What closes a turn, such as recovery, comes after every order: whoever still orders stands before it.
    """
    titles = {number: event.phase for number, event in enumerate(events) if isinstance(event, PhaseBegan)}
    last = max((number for number, phase in titles.items() if phase in ordering), default=len(events))
    return events[: min((number for number in titles if number > last), default=len(events))]


def in_a_line(violations: Sequence[Violation]) -> str:
    """What is wrong in a draft, in a line: the first of it, and how much more there is.

    What only waits for another order may be looked at with the rest: nobody says then that it is left out.
    """
    if not violations:
        return ""
    first, others = min(violations, key=lambda violation: violation.waits), len(violations) - 1
    line = f"line {first.where.line}: " if first.where else ""
    more = f"; and {others} more" if others else ""
    what = "Not allowed as it stands" if first.waits else "Left out, because it is not allowed"
    return f"{what}: {line}{replace(first, where=None)}{more}; 'kursk check' says all"


def _without(draft: Message, unit: str, kept: Collection[str]) -> Message:
    """The same draft without the moves of one unit in any list but those ``kept``; the very same if it orders none."""
    orders = draft.mapping("orders")
    fewer = {
        key: [order for order in listed if not _moves(order, unit)]
        if isinstance(listed, list) and key not in kept
        else listed
        for key, listed in orders.items()
    }
    return draft if fewer == orders else replace(draft, content={**draft.content, "orders": fewer})


def _moves(order: Any, unit: str) -> bool:
    """Whether an order moves a unit: it names it and says where to, or by which way."""
    return isinstance(order, dict) and order.get("unit") == unit and ("to" in order or "path" in order)


def _of_desk(desk: Desk, *, ahead: bool) -> Prospect:
    state, what = desk.game.state, f"after message {desk.seq - 1}"
    if ahead and desk.mine:
        duties = desks.duties(desk, desk.record_of_writer())
        state, what = duties.middle, f"{what} and your own dice" if duties.dice else what
    elif ahead and desk.game.stage.rolls:
        what += ", before the dice that are due"
    return Prospect(desk.game, state, known(desk.game, state, desk.own), what)


def _of_message(path: Path, home: Path) -> Prospect:
    history = verified.at(path, home)
    game = history.game
    own = journal.find(home, game.chain.game)
    return Prospect(game, game.state, known(game, game.state, own), f"after message {history.last.seq}")


def known(game: Game, state: State, own: journal.Record | None) -> dict[str, Any]:
    """What this player has sealed and what waits hidden in the position."""
    values: dict[str, Any] = {}
    for key, entry in state.agenda.items():
        if key.startswith("sealed/") and own is not None and int(entry["seq"]) < game.chain.next_seq:
            slot = own.slot(int(entry["seq"]))
            label = key.removeprefix("sealed/")
            if slot is not None and label in slot.seals:
                values[label] = slot.seals[label]["value"]
    return values


def odds(seen: Prospect) -> tuple[Chances, ...]:
    """The chances of every battle that is declared in the position."""
    return seen.game.ruleset.seen.odds(seen.game.setting, seen.state, seen.sealed)


def declared(seen: Prospect) -> tuple[Fought, ...]:
    """The arithmetic of every battle that is declared in the position; no die is followed for it."""
    return seen.game.ruleset.seen.declared(seen.game.setting, seen.state, seen.sealed)


def outlook(seen: Prospect, unit: str) -> Outlook:
    """What the side that writes next may do, or one unit; of a draft in each phase, after what it orders till then."""
    answers: list[tuple[State, Outlook]] = []

    def ask(state: State) -> Outlook:
        """What may be done from a position; several phases often begin in the same one."""
        for had, answer in answers:
            if had == state:
                return answer
        answers.append((state, seen.game.ruleset.seen.outlook(seen.game.setting, state, unit)))
        return answers[-1][1]

    now = ask(seen.state)
    if seen.first is None:
        return now
    phases = tuple(_phase(seen, move_phase, ask) for move_phase in now.phases)
    targets = ask(_at(seen, now.attacks) if now.attacks else seen.state).targets
    return replace(now, phases=phases, targets=targets)


def _phase(seen: Prospect, phase: MovePhase, ask: Callable[[State], Outlook]) -> MovePhase:
    """A phase as its orders leave it, without those whom they have moved in it already."""
    phase = next((move_phase for move_phase in ask(_at(seen, phase.key)).phases if move_phase.key == phase.key), phase)
    events = [event for part in seen.parts if part.phase == phase.key for event in part.events]
    moved = {event.unit: event.path[-1] for event in events if isinstance(event, Moved)}
    if not moved:
        return phase
    note = f"Moved by the draft: {', '.join(f'{uid} to {place}' for uid, place in moved.items())}."
    movers = tuple(mover for mover in phase.movers if mover.unit not in moved)
    return replace(phase, notes=(*phase.notes, note), movers=movers)


def _at(seen: Prospect, key: str) -> State:
    """The position at the end of a phase of the draft: after all that is ordered until then, as it is asked about."""
    keys = ["", *(phase.key for phase in seen.game.stage.phases)]
    if seen.first is None or key not in keys:
        return seen.state
    till = keys[: keys.index(key) + 1]
    part = next((part for part in reversed(seen.parts) if part.phase in till), None)
    if part is None:
        return seen.first
    return seen.game.ruleset.seen.begun(seen.game.setting, part) if part.phase == key else part.after


def unit(seen: Prospect, said: str) -> str:
    """The id of the unit that is meant, by its id or a part of its name, '' for '', first of those in play. UsageError.

    Of a unit of several models the id is needed, also without its first word: parts of a name find the models.
    """
    words, known = seen.game.ruleset.seen.words(seen.game.setting), _known(seen)
    heads = sorted({uid.partition("-")[0] for uid in known})
    ids = (said.lower(), *(f"{head}-{said.lower()}" for head in heads))
    if several := next((uid for uid in ids if uid not in known and words.unit(uid) != uid), ""):
        return several
    here = {uid: known[uid] for uid, unit in seen.state.units.items() if unit.place not in (OFF_MAP, ELIMINATED)}
    return names.find(said, known, "unit", here) if said else ""


def units_called(seen: Prospect, said: str) -> Sequence[str]:
    """The ids of all units with such a name."""
    return names.match(said, _known(seen))


def _known(seen: Prospect) -> dict[str, tuple[str, ...]]:
    words = seen.game.ruleset.seen.words(seen.game.setting)
    return {uid: (words.unit(uid),) for uid in seen.state.units}


def why(seen: Prospect, unit: str, place: str, key: str = "") -> tuple[str, ...]:
    """Why a unit may not end a move in a place, phase by phase, or in the phase ``key`` alone; () if it may.

    The positions of the phases say so, not that behind all orders of a draft: there a turn may have ended, and who has
    moved, or was disrupted, may move again.
    """
    reasons = partial(seen.game.ruleset.seen.why, seen.game.setting)
    phases = [phase for phase in outlook(seen, unit).phases if key in ("", phase.key)]
    if any(end.place == place for phase in phases for mover in phase.movers for end in mover.ends):
        return ()
    told = (tuple(reasons(_at(seen, phase.key), unit, place)) for phase in phases)
    return next(filter(None, told), ()) or tuple(reasons(seen.state, unit, place))


def hindered(seen: Prospect, reach: Outlook, picture: Picture, place: str) -> list[str]:
    """Why the nearest units do not get to a place, or beside an enemy there; nothing if somebody of their side does."""
    from kursk_pbem.report import moves  # noqa: PLC0415  a draft that is checked needs no maps

    where = {piece.id: piece.at for piece in picture.pieces}
    near = moves.nearest(reach, picture, place)
    lines = [f"{uid} stands in {goal} already" for uid, goal in near if where[uid] == goal]
    for uid, goal in (go for go in near if where[go[0]] != go[1]):
        to = f", to {goal}" if goal != place else ""
        lines += [f"{uid} in {where[uid]}{to}: {told}" for told in why(seen, uid, goal)]
    return lines


def lacking(game: Game, checked: Checked) -> frozenset[str]:
    """The phases of a message that do not take place whatever a draft orders in them; a posture may have no battles."""
    result, written = checked.result, filing(checked.message.content)
    chosen = result.events[result.duties :]
    began = {event.phase: number for number, event in enumerate(chosen) if isinstance(event, PhaseBegan)}
    absent = [(phase, phase.when) for phase in game.stage.phases if phase.when and phase.key not in began]
    state = reduce(apply, chosen[: max(began.values(), default=0)], result.middle) if absent else result.middle
    keys = set()
    for phase, when in absent:
        umpire: Umpire[Any] = Umpire(game.setting, state, written.seq)
        fields = (field.partition("orders/")[2] for field in phase.reads)
        orders: dict[str, Any] = {**written.orders, **{field: [{}] for field in fields if field}}
        if not when(umpire, replace(written, orders=orders)) and umpire.violations:
            keys.add(phase.key)
    return frozenset(keys)
