"""Positions for questions before a decision: a folder, a signed message or a draft.

Positions contain only knowledge of this desk: sealed plans from the journal and rolled dice.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace
from functools import partial, reduce
from itertools import takewhile
from pathlib import Path
from typing import TYPE_CHECKING, Any

from kursk_pbem.desk.draft import drafts
from kursk_pbem.desk.draft.drafts import Checked
from kursk_pbem.desk.own import desks, opening
from kursk_pbem.desk.own.desks import Desk
from kursk_pbem.errors import FileError, Violation
from kursk_pbem.formats import strictyaml
from kursk_pbem.frozen import frozen
from kursk_pbem.game import folders, journal, verified
from kursk_pbem.game.games import Game
from kursk_pbem.kernel import names
from kursk_pbem.kernel.brief import Part, split_phases
from kursk_pbem.kernel.events import Advanced, Event, Fought, Moved, PhaseBegan, apply
from kursk_pbem.kernel.orders import filing
from kursk_pbem.kernel.outlook import Chances, MovePhase, Outlook
from kursk_pbem.kernel.state import ELIMINATED, OFF_MAP, OVER, State
from kursk_pbem.kernel.umpire import Umpire
from kursk_pbem.trust.messages import Message

if TYPE_CHECKING:
    from kursk_pbem.kernel.picture import Picture


@frozen
class Prospect:
    """A position as one player knows it. ``sealed``: label -> hidden value. ``what``: a short description.

    ``side``: the player's side, or ''. Only for a draft: ``parts`` are the phases with orders, ``left_out`` describes
    illegal orders, and ``first`` is the position before the orders.
    """

    game: Game
    state: State
    sealed: Mapping[str, Any]
    what: str
    first: State | None = None
    parts: tuple[Part, ...] = ()
    left_out: str = ""
    side: str = ""

    @property
    def over(self) -> bool:
        """Whether the game is over, perhaps by dice that the opponent has not seen yet."""
        return self.game.over or self.state.stage == OVER


def open_prospect(path: Path, home: Path, *, ahead: bool, without: str = "") -> Prospect:
    """Return the position of a game folder, a signed message or a draft at ``path``.

    ``ahead``: also carry out the next steps without a choice and, for a draft, the orders before the other side's turn.
    Leaves out illegal orders, and moves of the unit ``without``. Raises KurskError for other files.
    """
    if path.is_dir():
        return _look_at_desk(desks.open_desk(path, home), ahead=ahead)
    if path.suffix == ".json":
        return _look_at_message(path, home)
    raw = folders.read_bytes(path)
    if "signature" in strictyaml.read_edited(raw, str(path)).data:
        return _look_at_message(path, home)
    desk = opening.open_desk_at(path, home)
    return look_after_draft(desk, drafts.read_draft(desk, raw, str(path)), ahead=ahead, without=without)


def look_after_draft(
    desk: Desk, draft: Message, *, ahead: bool, without: str, kept: Collection[str] = frozenset()
) -> Prospect:
    """Return the position after the legal orders of a draft. If the draft is unreadable, carry out no orders.

    Moves of the unit ``without`` are left out, except in the order lists named in ``kept``.
    """
    what = f"after message {desk.seq - 1} and the orders of the draft"
    try:
        checked = drafts.check_draft(desk, draft)
    except FileError as error:
        left = f"No order of the draft is carried out, because the form is wrong: {error}"
        return replace(_look_at_desk(desk, ahead=True), left_out=left)
    left = summarize_violations(checked.result.violations)
    fewer = _remove_moves(draft, without, kept) if without else draft
    if fewer is not draft:
        checked = drafts.check_draft(desk, fewer)
        what += f" but the move of {without}"
    result = checked.result
    sealed = {**list_sealed(desk.game, result.after, desk.own), **checked.hidden}
    if not ahead:
        return Prospect(
            desk.game, result.after, sealed, f"the draft of message {desk.seq}", left_out=left, side=desk.own_side
        )
    chosen = list(takewhile(lambda event: not isinstance(event, Advanced), result.events[result.duties :]))
    phases = tuple(split_phases(result.middle, chosen))
    state = phases[-1].after if phases else result.middle
    if fewer is draft and (state.units, state.marks) == (result.middle.units, result.middle.marks):
        what = _look_at_desk(desk, ahead=True).what  # sealed and postponed orders change no position
    return Prospect(desk.game, state, sealed, what, result.middle, phases, left)


def look_at_checked(desk: Desk, checked: Checked) -> Prospect:
    """Return the position after a checked draft."""
    after = checked.result.after
    sealed = {**list_sealed(desk.game, after, desk.own), **checked.hidden}
    return Prospect(desk.game, after, sealed, f"the draft of message {desk.seq}", side=desk.own_side)


def cut_after_orders(events: tuple[Event, ...], ordering: Collection[str]) -> tuple[Event, ...]:
    """Return the events up to the last phase in which players give orders. ``ordering``: these phases.

    Cuts off the events of later phases, such as recovery.
    """
    titles = {number: event.phase for number, event in enumerate(events) if isinstance(event, PhaseBegan)}
    last = max((number for number, phase in titles.items() if phase in ordering), default=len(events))
    return events[: min((number for number in titles if number > last), default=len(events))]


def summarize_violations(violations: Sequence[Violation]) -> str:
    """Return one line about the violations of a draft: the first violation, and the number of other violations.

    The line calls the order left out, unless a later order may repair the violation.
    """
    if not violations:
        return ""
    first, others = min(violations, key=lambda violation: violation.waits), len(violations) - 1
    line = f"line {first.where.line}: " if first.where else ""
    more = f"; and {others} more" if others else ""
    what = "Not allowed yet" if first.waits else "Left out, because it is not allowed"
    return f"{what}: {line}{replace(first, where=None)}{more}; 'kursk check' lists all mistakes"


def _remove_moves(draft: Message, unit: str, kept: Collection[str]) -> Message:
    """Return the draft without the moves of one unit, except in the lists ``kept``."""
    orders = draft.mapping("orders")
    fewer = {
        key: [order for order in listed if not _is_move(order, unit)]
        if isinstance(listed, list) and key not in kept
        else listed
        for key, listed in orders.items()
    }
    return draft if fewer == orders else replace(draft, content={**draft.content, "orders": fewer})


def _is_move(order: Any, unit: str) -> bool:
    return isinstance(order, dict) and order.get("unit") == unit and ("to" in order or "path" in order)


def _look_at_desk(desk: Desk, *, ahead: bool) -> Prospect:
    state, what = desk.game.state, f"after message {desk.seq - 1}"
    if ahead and desk.mine:
        duties = desks.preview_duties(desk, desk.record_of_writer())
        state, what = duties.middle, f"{what} and your own dice" if duties.dice else what
    elif ahead and desk.game.stage.rolls:
        what += ", before the next dice"
    return Prospect(desk.game, state, list_sealed(desk.game, state, desk.own), what, side=desk.own_side)


def _look_at_message(path: Path, home: Path) -> Prospect:
    history = verified.load_until(path, home)
    game = history.game
    own = journal.find(home, game.chain.game)
    sealed, side = list_sealed(game, game.state, own), own.side if own else ""
    return Prospect(game, game.state, sealed, f"after message {history.last.seq}", side=side)


def list_sealed(game: Game, state: State, own: journal.Record | None) -> dict[str, Any]:
    """Return the values sealed by the player ``own`` that the position still hides."""
    values: dict[str, Any] = {}
    for key, entry in state.agenda.items():
        if key.startswith("sealed/") and own is not None and int(entry["seq"]) < game.chain.next_seq:
            slot = own.read_slot(int(entry["seq"]))
            label = key.removeprefix("sealed/")
            if slot is not None and label in slot.seals:
                values[label] = slot.seals[label]["value"]
    return values


def compute_odds(seen: Prospect) -> tuple[Chances, ...]:
    """Return the exact chances of all results of the declared battles."""
    return seen.game.ruleset.seen.odds(seen.game.setting, seen.state, seen.sealed)


def list_declared(seen: Prospect) -> tuple[Fought, ...]:
    """Return the odds of all declared battles with the arithmetic, without the chances of the dice."""
    return seen.game.ruleset.seen.declared(seen.game.setting, seen.state, seen.sealed)


def compute_outlook(seen: Prospect, unit: str) -> Outlook:
    """Return the possible moves and attacks of the side that writes next, or of one unit; for a draft, by phase."""
    answers: list[tuple[State, Outlook]] = []

    def ask(state: State) -> Outlook:
        """Return the possible actions from a position; cached, because phases often share a position."""
        for had, answer in answers:
            if had == state:
                return answer
        answers.append((state, seen.game.ruleset.seen.outlook(seen.game.setting, state, unit)))
        return answers[-1][1]

    now = ask(seen.state)
    if seen.first is None:
        return now
    phases = tuple(_update_phase(seen, move_phase, ask) for move_phase in now.phases)
    targets = ask(_find_state(seen, now.attacks) if now.attacks else seen.state).targets
    return replace(now, phases=phases, targets=targets)


def _update_phase(seen: Prospect, phase: MovePhase, ask: Callable[[State], Outlook]) -> MovePhase:
    """Return a phase without the units that the draft has moved in this phase."""
    phase = next(
        (move_phase for move_phase in ask(_find_state(seen, phase.key)).phases if move_phase.key == phase.key), phase
    )
    events = [event for part in seen.parts if part.phase == phase.key for event in part.events]
    moved = {event.unit: event.path[-1] for event in events if isinstance(event, Moved)}
    if not moved:
        return phase
    note = f"Moved by the draft: {', '.join(f'{uid} to {place}' for uid, place in moved.items())}."
    movers = tuple(mover for mover in phase.movers if mover.unit not in moved)
    return replace(phase, notes=(*phase.notes, note), movers=movers)


def _find_state(seen: Prospect, key: str) -> State:
    keys = ["", *(phase.key for phase in seen.game.stage.phases)]
    if seen.first is None or key not in keys:
        return seen.state
    till = keys[: keys.index(key) + 1]
    part = next((part for part in reversed(seen.parts) if part.phase in till), None)
    if part is None:
        return seen.first
    return seen.game.ruleset.seen.begun(seen.game.setting, part) if part.phase == key else part.after


def find_unit(seen: Prospect, said: str) -> str:
    """Return the id of the unit that ``said`` means: an id or part of a name; '' for ''. Prefer units in play.

    A unit of several models is found only by its id, perhaps without the first word. Raises UsageError.
    """
    words, known = seen.game.ruleset.seen.words(seen.game.setting), _list_names(seen)
    heads = sorted({uid.partition("-")[0] for uid in known})
    ids = (said.lower(), *(f"{head}-{said.lower()}" for head in heads))
    if several := next((uid for uid in ids if uid not in known and words.unit(uid) != uid), ""):
        return several
    here = {uid: known[uid] for uid, unit in seen.state.units.items() if unit.place not in (OFF_MAP, ELIMINATED)}
    return names.find(said, known, "unit", here) if said else ""


def _list_names(seen: Prospect) -> dict[str, tuple[str, ...]]:
    words = seen.game.ruleset.seen.words(seen.game.setting)
    return {uid: (words.unit(uid),) for uid in seen.state.units}


def explain(seen: Prospect, unit: str, place: str, key: str = "") -> tuple[str, ...]:
    """Return the reasons why a unit cannot end a move in a place, by phase; () if the move is legal.

    Each phase is judged by the position in that phase, because after all orders a moved unit could seem free to move.
    """
    reasons = partial(seen.game.ruleset.seen.why, seen.game.setting)
    phases = [phase for phase in compute_outlook(seen, unit).phases if key in ("", phase.key)]
    if any(end.place == place for phase in phases for mover in phase.movers for end in mover.ends):
        return ()
    told = (tuple(reasons(_find_state(seen, phase.key), unit, place)) for phase in phases)
    return next(filter(None, told), ()) or tuple(reasons(seen.state, unit, place))


def explain_unreached(seen: Prospect, reach: Outlook, picture: Picture, place: str) -> list[str]:
    """Return the reasons why the nearest units cannot reach a place; [] if some unit can."""
    from kursk_pbem.report import moves  # noqa: PLC0415  checking a draft needs no maps

    where = {piece.id: piece.at for piece in picture.pieces}
    near = moves.find_nearest(reach, picture, place)
    lines = [f"{uid} is in {goal} already" for uid, goal in near if where[uid] == goal]
    for uid, goal in (go for go in near if where[go[0]] != go[1]):
        to = f", to {goal}" if goal != place else ""
        lines += [f"{uid} in {where[uid]}{to}: {told}" for told in explain(seen, uid, goal)]
    return lines


def find_absent_phases(game: Game, checked: Checked) -> frozenset[str]:
    """Return the phases that a draft's choices skip, such as battles in a posture without battles."""
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
