"""Warnings about legal but useless orders, such as an attack without a die roll."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from kursk_pbem.desk.draft import prospects
from kursk_pbem.desk.draft.drafts import Checked
from kursk_pbem.desk.own.desks import Desk
from kursk_pbem.game.games import Game
from kursk_pbem.kernel.brief import Unused
from kursk_pbem.kernel.events import Fought, Scheduled
from kursk_pbem.kernel.state import DECLARED, OVER, STANDING, State
from kursk_pbem.kernel.words import flat, plural

_ID = re.compile(r"\w+(?:-\w+)+")
"""A unit id in a warning."""
_ASIDE = re.compile(r"\([^()]* [^()]*\)")
"""Text in brackets with more than a name, which does not name the subject."""


def list_cautions(desk: Desk, checked: Checked) -> tuple[Unused, ...]:
    """Return the warnings about a legal draft: about battles, and about orders without effect."""
    return weigh_draft(desk, checked)[0]


def format_cautions(told: tuple[Unused, ...]) -> tuple[str, ...]:
    """Return warnings as texts of the form 'why [paragraph]'."""
    return tuple(f"{left.text} [{left.rule}]" for left in told)


def is_about(left: Unused, said: Sequence[str]) -> bool:
    """Return whether a warning and the lines ``said`` about an order name the same unit or attack."""
    named = {word for line in said for word in (*_ID.findall(line), line.partition(":")[0])}
    return not named.isdisjoint(re.findall(r"[\w-]+", _ASIDE.sub("", left.text)))


def weigh_draft(desk: Desk, checked: Checked) -> tuple[tuple[Unused, ...], tuple[Unused, ...]]:
    """Return two lists for a legal draft: the warnings, and the unused possibilities with their values."""
    counted = _count_unused(desk, checked)
    vain = (left for left in counted if left.vain)
    return (*_warn_of_battles(desk, checked), *_list_replaced(checked), *vain), tuple(
        left for left in counted if not left.vain
    )


def _count_unused(desk: Desk, checked: Checked) -> tuple[Unused, ...]:
    game, result = desk.game, checked.result
    if result.violations or result.middle.stage == OVER or checked.filing is None:
        return ()
    return game.ruleset.seen.unused(game.setting, result.middle, result.events[result.duties :], checked.filing)


def _warn_of_battles(desk: Desk, checked: Checked) -> tuple[Unused, ...]:
    if checked.result.after.agenda.get(DECLARED) != str(desk.seq):  # battles waiting for an answer are the opponent's
        return ()
    seen = prospects.look_at_checked(desk, checked)
    declared = prospects.list_declared(seen)
    told = tuple(told for fought in declared for told in _warn_of_battle(fought))
    if not declared or any(fought.column for fought in declared):
        return told
    if len(prospects.compute_odds(seen)) > len(declared):  # other dice, such as air raids
        return told
    return (_warn_of_mails(desk.game, checked.result.after, declared), *(told if len(declared) > 1 else ()))


def _warn_of_mails(game: Game, after: State, declared: Sequence[Fought]) -> Unused:
    """Return the warning that all attacks of a message bring no die, and how many mails the attacks cost."""
    stages = (after.stage, game.state.stage)
    longer, shorter = (game.ruleset.mails_to_come(game.setting, stage)[0] for stage in stages)
    mails = plural(1 + longer - shorter, "mail")
    first, names = declared[0], ", ".join(fought.battle for fought in declared)
    if len(declared) > 1:
        return Unused(first.rule, f"{names}: no attack of this message brings a die roll, and the attacks cost {mails}")
    why = _explain_no_die(first)
    return Unused(first.rule, f"{names} in {first.place} brings no die roll, and costs {mails} ({why})")


def describe_sequence(desk: Desk, checked: Checked, said: Sequence[str]) -> tuple[str, ...]:
    """Return a note for every attack order with odds that may change, because earlier attacks are fought first."""
    names = [fought.battle for fought in _list_waiting(desk, checked)]
    heads = {line.partition(":")[0] for line in said}
    return tuple(
        f"{name}: odds as of now; {', '.join(names[:number])}, fought earlier, can change the odds"
        for number, name in enumerate(names)
        if number and name in heads
    )


def _list_waiting(desk: Desk, checked: Checked) -> tuple[Fought, ...]:
    if not checked.declares or checked.result.violations:
        return ()
    return prospects.list_declared(prospects.look_at_checked(desk, checked))


def count_chances(desk: Desk, checked: Checked) -> int:
    """Return the number of waiting attacks with known chances. All shots together count as one attack."""
    if not checked.declares:
        return 0
    if declared := _list_waiting(desk, checked):
        return len(declared)
    seen = prospects.look_at_checked(desk, checked)
    if desk.game.ruleset.seen.plans(desk.game.setting, seen.state, seen.sealed)[1]:
        return 1
    return int(bool(prospects.compute_odds(seen)))  # last, because the computation is slow


def _list_replaced(checked: Checked) -> Iterator[Unused]:
    """Yield a warning for standing answers that replace earlier standing answers."""
    for event in checked.result.events:
        if isinstance(event, Scheduled) and event.key.startswith(STANDING) and event.value:
            held = checked.result.middle.agenda.get(event.key)
            if held and held["policy"] != event.value["policy"]:
                gone = flat(held["policy"])
                yield Unused(event.rule, f"your new answers replace the answers of message {held['seq']}: {gone}")


def _warn_of_battle(fought: Fought) -> Iterator[Unused]:
    if not fought.column:
        yield Unused(fought.rule, f"{fought.battle} in {fought.place} is no attack: {_explain_no_die(fought)}")
        return
    over = _read_level(fought.reached) - _read_level(fought.column)
    helped = [shift for shift in fought.shifts if shift.by > 0 and shift.on == "column"]
    if over > 0 and helped:
        unused = "brings nothing" if over >= helped[-1].by else f"brings {over} less"
        yield Unused(
            helped[-1].rule, f"{fought.battle}: {fought.reached} counts as {fought.column}; {helped[-1].why} {unused}"
        )


def _explain_no_die(fought: Fought) -> str:
    return fought.note.rpartition(" [")[0] or fought.note or "no attack takes place"


def _read_level(odds: str) -> int:
    """Return the number N of a column N:1, otherwise 0."""
    one, _colon, other = odds.partition(":")
    return int(one) if other == "1" and one.isdigit() else 0
