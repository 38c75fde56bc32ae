"""The adjudication of one message: a message in, events and positions out. Duties (reveals, dice) precede choices.

The same function checks a draft and adjudicates a received message. Dice are needed only if something waits for dice.
The result lists all violations.
"""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import replace
from functools import cached_property
from typing import Any

from kursk_pbem.errors import Violation
from kursk_pbem.formats.canonical import REFEREE
from kursk_pbem.frozen import frozen
from kursk_pbem.kernel import refereed as refereeing
from kursk_pbem.kernel.events import Event, PhaseBegan, Rolled, Scheduled
from kursk_pbem.kernel.orders import Filing, filing, in_order
from kursk_pbem.kernel.ruleset import Phase, Ruleset, Stage
from kursk_pbem.kernel.state import PENDING, State
from kursk_pbem.kernel.umpire import Dice, GameEnded, Umpire, Words, make_words


@frozen
class Adjudication:
    """What a message does to the position. If the message has violations, it is void and ``after`` means nothing."""

    before: State
    middle: State  # the position after the duties (reveals, dice of earlier orders), hashed as ``state-in``
    after: State  # the position after the choices
    told: tuple[Event | Words, ...]  # the events; their texts are made when ``events`` is read
    duties: int  # the number of events in the duties
    violations: tuple[Violation, ...]
    dice: Mapping[str, str]  # label of every roll -> digits
    since: tuple[int, str] = (1, "")  # the latest adjudication version that changed a decision here, and the paragraph

    @cached_property
    def events(self) -> tuple[Event, ...]:
        """The events of a message: first from the duties (steps without a choice), then from the choices."""
        return tuple(make_words(self.told))

    @property
    def rolled(self) -> tuple[Rolled, ...]:
        """The events of the rolled dice."""
        return tuple([event for event in self.told if isinstance(event, Rolled)])

    @property
    def pending(self) -> Any:
        """The decision for which this message's dice stopped; None if the dice did not stop."""
        waits = self.middle.agenda.get(PENDING)
        return None if waits == self.before.agenda.get(PENDING) else waits

    @property
    def legal(self) -> bool:
        """Whether every choice was legal."""
        return not self.violations


def adjudicate(ruleset: Ruleset, setting: Any, before: State, filing: Filing, dice: Dice | None) -> Adjudication:
    """Adjudicate one message.

    ``before``: the position after the previous message; its stage says what this message may contain. ``dice`` may
    be None if the stage rolls no dice (``stage.rolls``).
    """
    filing = in_order(filing)
    stage = ruleset.stage(setting, before)
    refereed = stage.writer == REFEREE
    if filing.writer != (REFEREE if refereed else before.side):
        raise AssertionError(f"{filing.writer} writes out of turn")  # the chain has checked the writer
    duties: Umpire[Any] = Umpire(setting, before, filing.seq, dice if stage.rolls else None, refereed=refereed)
    for label in filing.reveal:
        duties.emit(Scheduled(stage.rule, f"sealed/{label}", None))
    over = _run_phases(duties, _keep_reveals(filing), stage.duties)
    if refereed and not over:  # a referee has no choices: the next stage after the dice is a duty
        refereeing.advance(ruleset, duties, filing)
    choices = duties.goes_on()
    if over:
        _check_nothing(choices, filing, stage)
    elif not (filing.resigns or refereed):
        _carry_out_choices(ruleset, choices, filing, stage)
    choices.keep_views()
    return Adjudication(
        before,
        duties.state,
        choices.state,
        (*duties.told, *choices.told),
        len(duties.told),
        (*duties.violations, *choices.violations),
        duties.rolled,
        max(duties.since, choices.since),
    )


def choose(ruleset: Ruleset, setting: Any, middle: State, filing: Filing) -> tuple[State, tuple[Violation, ...]]:
    """Return the position after a player's choices, and the violations. ``middle``: the position after the duties."""
    umpire: Umpire[Any] = Umpire(setting, middle, filing.seq)
    _carry_out_choices(ruleset, umpire, in_order(filing), ruleset.stage(setting, middle))
    umpire.keep_views()
    return umpire.state, tuple(umpire.violations)


def make_filing(ruleset: Ruleset, setting: Any, choices: Mapping[str, Any], side: str, seq: int) -> Filing:
    """Return a draft's choices in the form that the rules read. An order to be sealed gets a hash of zeros for now."""
    orders, plans = ruleset.seal(setting, choices.get("orders", {}), seq)
    hidden = {**choices.get("seal", {}), **plans}
    content = {**choices, "orders": orders, "seq": str(seq), "from": side, "type": "turn"}
    return in_order(replace(filing(content, hidden), secret=dict.fromkeys(hidden, "0" * 64)))


def carry_out(ruleset: Ruleset, setting: Any, middle: State, orders: Filing, until: str) -> State:
    """Return the position after the phases up to and including ``until``. Illegal orders are left out.

    Returns ``middle`` if the stage does not have the phase ``until``.
    """
    phases = ruleset.stage(setting, middle).phases
    if until not in [phase.key for phase in phases]:
        return middle
    umpire: Umpire[Any] = Umpire(setting, middle, orders.seq)
    with suppress(GameEnded):
        for phase in phases:
            if phase.when is None or phase.when(umpire, orders):
                phase.run(umpire, orders)
            if phase.key == until:
                break
    return umpire.state


def _carry_out_choices(ruleset: Ruleset, umpire: Umpire[Any], filing: Filing, stage: Stage) -> None:
    """Carry out the choices of a message: phases, seals, and the next stage."""
    _check_place(umpire, filing, stage, stage.phases)
    ended = _run_phases(umpire, filing, stage.phases)
    if not ended and filing.secret:
        umpire.emit(PhaseBegan(stage.rule, "seals", filing.writer, umpire.state.turn))
    for label, digest in filing.secret.items() if not ended else ():
        umpire.emit(Scheduled(stage.rule, f"sealed/{label}", {"seq": str(filing.seq), "hash": digest}))
    ruleset.play.seals(umpire, filing)
    if not ended:
        refereeing.advance(ruleset, umpire, filing)


def keep_position(state: State) -> Adjudication:
    """Return the adjudication of a message without duties and choices, such as a reply or a referee's empty message."""
    return Adjudication(state, state, state, (), 0, (), {})


def _keep_reveals(filing: Filing) -> Filing:
    """Return the revealed part of a message for its duties. So no choice can change a die of the same message (2.4)."""
    return Filing(filing.seq, filing.writer, reveal=filing.reveal)


def _run_phases(umpire: Umpire[Any], filing: Filing, phases: tuple[Phase, ...]) -> bool:
    """Announce and run the phases in order; return True if the rules ended the game."""
    try:
        for phase in phases:
            if phase.when is not None and not phase.when(umpire, filing):
                continue
            if phase.announced:
                whose = umpire.state.side if filing.writer == REFEREE else filing.writer
                umpire.emit(PhaseBegan(phase.rule, phase.key, whose if phase.sided else "", umpire.state.turn))
            phase.run(umpire, filing)
    except GameEnded:
        return True
    return False


def _check_place(umpire: Umpire[Any], filing: Filing, stage: Stage, phases: tuple[Phase, ...]) -> None:
    """Refuse every field that no phase of this stage reads, because the field would have no effect."""
    read = {field for phase in phases for field in phase.reads}
    known = ", ".join(sorted(read)) or "no field, because the message is a reveal or an empty answer"
    given = {"choice": filing.choice, "waive": filing.waive, "policy": filing.policy, "decisions": filing.decisions}
    given.update({f"orders/{key}": value for key, value in filing.orders.items()})
    for key, value in given.items():
        if value and key not in read:
            path = tuple(key.split("/"))
            umpire.refuse(stage.rule, f"has no place in this message; it may hold {known}", key, path)


def _check_nothing(umpire: Umpire[Any], filing: Filing, stage: Stage) -> None:
    """Refuse every choice and every seal, because the dice have ended the game."""
    _check_place(umpire, filing, stage, ())
    for label in filing.secret:
        why = "the dice have ended the game; remove the seal"
        umpire.refuse(stage.rule, why, label, ("seal" if label in filing.sealed else "secret", label))
