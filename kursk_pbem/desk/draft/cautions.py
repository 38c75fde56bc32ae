"""What a draft orders that is allowed and brings nothing: an attack without a die, an advance that nobody can make."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from kursk_pbem.desk.desks import Desk
from kursk_pbem.desk.draft import prospects
from kursk_pbem.desk.draft.drafts import Checked
from kursk_pbem.kernel.brief import Left
from kursk_pbem.kernel.events import Fought, Scheduled
from kursk_pbem.kernel.state import DECLARED, OVER, STANDING
from kursk_pbem.kernel.words import flat

_ID = re.compile(r"\w+(?:-\w+)+")
"""The id of a unit in what is said of it."""
_ASIDE = re.compile(r"\([^()]* [^()]*\)")
"""What stands in brackets behind a name, but ids alone: who sees nobody is meant, not whom they do not see."""


def of(desk: Desk, checked: Checked) -> tuple[Left, ...]:
    """What is to be said at once of a legal draft: battles that bring nothing, orders that cannot be carried out."""
    return weighed(desk, checked)[0]


def in_words(told: tuple[Left, ...]) -> tuple[str, ...]:
    """Cautions as they are shown: 'why [paragraph]'."""
    return tuple(f"{left.text} [{left.rule}]" for left in told)


def concerns(left: Left, said: Sequence[str]) -> bool:
    """Whether a caution names a unit that the lines ``said`` of an order name, or the attack that one begins with."""
    named = {word for line in said for word in (*_ID.findall(line), line.partition(":")[0])}
    return not named.isdisjoint(re.findall(r"[\w-]+", _ASIDE.sub("", left.text)))


def weighed(desk: Desk, checked: Checked) -> tuple[tuple[Left, ...], tuple[Left, ...]]:
    """What is to be said at once of a legal draft, and what it leaves unused, the most costly first."""
    counted = _counted(desk, checked)
    vain = (left for left in counted if left.vain)
    return (*_declared(desk, checked), *_replaced(checked), *vain), tuple(left for left in counted if not left.vain)


def _counted(desk: Desk, checked: Checked) -> tuple[Left, ...]:
    """What the ruleset counts as unused or in vain, the most costly first."""
    game, result = desk.game, checked.result
    if result.violations or result.middle.stage == OVER or checked.filing is None:
        return ()
    return game.ruleset.seen.left(game.setting, result.middle, result.events[result.duties :], checked.filing)


def _declared(desk: Desk, checked: Checked) -> tuple[Left, ...]:
    """What is to be said of each battle that the draft declares."""
    game, after = desk.game, checked.result.after
    if after.agenda.get(DECLARED) != str(desk.seq):  # those that wait for an answer are the opponent's
        return ()
    sealed = {**prospects.known(game, after, desk.own), **checked.hidden}
    declared = game.ruleset.seen.declared(game.setting, after, sealed)
    return tuple(told for fought in declared for told in _told(fought))


def after_others(desk: Desk, checked: Checked, said: Sequence[str]) -> tuple[str, ...]:
    """Return what to add to the lines ``said`` of orders for attacks: which declared ones are fought before them."""
    names = [fought.battle for fought in _waiting(desk, checked)]
    heads = {line.partition(":")[0] for line in said}
    return tuple(
        f"{name}: odds as the position stands now; fought after {', '.join(names[:number])}, which may change them"
        for number, name in enumerate(names)
        if number and name in heads
    )


def _waiting(desk: Desk, checked: Checked) -> tuple[Fought, ...]:
    """The arithmetic of the attacks that wait after a legal draft."""
    if not checked.declares or checked.result.violations:
        return ()
    game, after = desk.game, checked.result.after
    sealed = {**prospects.known(game, after, desk.own), **checked.hidden}
    return game.ruleset.seen.declared(game.setting, after, sealed)


def with_chances(desk: Desk, checked: Checked) -> int:
    """Return how many attacks wait after a legal draft, of which 'kursk odds' says the chances; 1 for any shots."""
    if not checked.declares:
        return 0
    if declared := _waiting(desk, checked):
        return len(declared)
    game, after = desk.game, checked.result.after
    sealed, seen = {**prospects.known(game, after, desk.own), **checked.hidden}, game.ruleset.seen
    if seen.plans(game.setting, after, sealed)[1]:
        return 1
    return int(bool(seen.odds(game.setting, after, sealed)))  # the dearest is asked last


def _replaced(checked: Checked) -> Iterator[Left]:
    """What is to be said of standing answers in a draft: they take the place of all that stand, not of one alone."""
    for event in checked.result.events:
        if isinstance(event, Scheduled) and event.key.startswith(STANDING) and event.value:
            held = checked.result.middle.agenda.get(event.key)
            if held and held["policy"] != event.value["policy"]:
                gone = flat(held["policy"])
                yield Left(event.rule, f"these answers replace all that stand since message {held['seq']}: {gone}")


def _told(fought: Fought) -> Iterator[Left]:
    if not fought.column:
        why = fought.note.rpartition(" [")[0] or fought.note or "no attack takes place"
        yield Left(fought.rule, f"{fought.battle} in {fought.place} is no attack: {why}")
        return
    over = _level(fought.reached) - _level(fought.column)
    helped = [shift for shift in fought.shifts if shift.by > 0 and shift.on == "column"]
    if over > 0 and helped:
        unused = "brings nothing" if over >= helped[-1].by else f"brings {over} less than it says"
        yield Left(
            helped[-1].rule, f"{fought.battle}: {fought.reached} counts as {fought.column}; {helped[-1].why} {unused}"
        )


def _level(odds: str) -> int:
    """How far a column lies above 1:1, in whole numbers; 0 for one that is not written N:1."""
    one, _colon, other = odds.partition(":")
    return int(one) if other == "1" and one.isdigit() else 0
