"""Defenders' choices before the dice: answers to declared battles, or standing answers for every later battle.

A policy applies to the entire side, and its tables (``battles``, ``hexes``, ``units``) to named things. The agenda
contains an answer under ``policy`` and standing answers under their side; an empty answer is an answer, too. A player's
private standing policy is copied into answers by ``desk``; this module checks only its form.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any

from kursk_pbem.frozen import frozen
from kursk_pbem.kernel.events import Scheduled
from kursk_pbem.kernel.hexes.board import Board
from kursk_pbem.kernel.hexes.stands import HexSetting, own_units
from kursk_pbem.kernel.orders import Filing, Path
from kursk_pbem.kernel.state import STANDING, State
from kursk_pbem.kernel.umpire import Umpire

BATTLES, BY_HEX, BY_UNIT, POLICY = "battles", "hexes", "units", "policy"
Table = tuple[str, Collection[str], str]  # key, allowed names, message for other names


@frozen
class Policies:
    """A rule system's form for policies: the answers that defenders give in advance to attacks."""

    rule: str  # the paragraph of policies
    answered: str  # the paragraph that asks for answers
    battle: str  # the system's word for a battle
    names: str  # the places that a standing policy may name, in words
    example: str  # a standing policy
    check: Callable[[Umpire[Any], Filing], None]  # refuse further errors

    def answer(self, umpire: Umpire[Any], filing: Filing) -> None:
        """Store a player's answer to the attacks declared against the player."""
        known = sorted(battle["id"] for battle in umpire.state.agenda.get(BATTLES, ()))
        there = f"; there are {', '.join(known)}" if known else ""
        self._read_policy(umpire, filing, known, f"no {self.battle} of that name is declared{there}")
        if filing.policy:
            umpire.emit(Scheduled(self.rule, POLICY, filing.policy))
        umpire.answer(self.answered)

    def stand(self, umpire: Umpire[Any], filing: Filing) -> None:
        """Store a player's standing policy. It applies to later battles until the player sends another policy."""
        # No battle may be named, not even a declared one: a later battle may have the same name.
        why = f"name {self.names} or the whole side: a standing policy is for later {self.battle}s"
        self._read_policy(umpire, filing, (), why)
        held = {"seq": str(filing.seq), "policy": dict(filing.policy)}
        umpire.emit(Scheduled(self.rule, STANDING + filing.writer, held))

    def slip(self, policy: Mapping[str, Any]) -> tuple[Path, str] | None:
        """Return place and reason of an error in a standing policy, None if there is no error."""
        if BATTLES in policy:
            return (BATTLES,), (
                f"a standing policy names {self.names} or the whole side; "
                f"{self.battle}s are named in the answer to them"
            )
        return None if policy else ((), f"it holds no policy; e.g. {self.example}")

    def _read_policy(self, umpire: Umpire[Any], filing: Filing, known: Collection[str], why: str) -> None:
        refuse_policy(umpire, self.rule, find_misnamed(filing.policy, (BATTLES, known, why)))
        self.check(umpire, filing)


def drop_standing(state: State) -> State:
    """Return the position without standing policies, because a new game begins without a standing policy."""
    return state.with_(agenda={key: value for key, value in state.agenda.items() if not key.startswith(STANDING)})


def files_policy(_umpire: Umpire[Any], filing: Filing) -> bool:
    """Return whether a message files a policy."""
    return bool(filing.policy)


def refuse_policy(umpire: Umpire[Any], rule: str, slips: Iterable[tuple[Path, str]]) -> None:
    """Refuse every error of a policy. ``slips``: (place in the policy, reason)."""
    for path, why in slips:
        umpire.refuse(rule, why, str(path[-1]), (POLICY, *path))


def hex_table(board: Board) -> Table:
    """Return the table of a policy for answers by hex."""
    return BY_HEX, board.index, "is not a hex of this map"


def unit_table(setting: HexSetting, side: str) -> Table:
    """Return the table of a policy for answers by unit of a side."""
    return BY_UNIT, own_units(setting, side), "is no unit of yours"


def find_misnamed(policy: Mapping[str, Any], *tables: Table) -> Iterator[tuple[Path, str]]:
    """Yield (place, reason) for every unknown name in the tables of a policy."""
    return (((table, name), why) for table, known, why in tables for name in policy.get(table, {}) if name not in known)


def split_parts(policy: Mapping[str, Any], tables: Iterable[str]) -> Iterator[tuple[Path, Mapping[str, Any]]]:
    """Yield (place, answers): first the answers for the entire side, then the answers for each entry of a table."""
    yield (), policy
    for table in tables:
        yield from (((table, name), part) for name, part in policy.get(table, {}).items())


def filed_policy(agenda: Mapping[str, Any], owner: str) -> Mapping[str, Any]:
    """Return the policy for a side's waiting battles: an answer to these battles, or else the standing policy."""
    policy: Mapping[str, Any] = agenda.get(POLICY) or agenda.get(STANDING + owner, {}).get("policy", {})
    return policy


def find_answer(policy: Mapping[str, Any], key: str, places: Iterable[tuple[str, str]]) -> Any:
    """Return the answer under ``key`` for the first of ``places`` that has one, else for the entire side, else None.

    ``places``: (table, name), most specific first.
    """
    named = (policy.get(table, {}).get(name, {}) for table, name in places)
    return next((part[key] for part in (*named, policy) if key in part), None)


def find_overridden(
    policy: Mapping[str, Any], keys: Sequence[str], battles: Iterable[Sequence[tuple[str, str]]]
) -> Iterator[str]:
    """Yield a message for every answer that never applies, because more specific answers replace it everywhere.

    ``battles``: the places (table, name) of every battle, most specific first.
    """
    for key, places in ((key, places) for places in battles for key in keys):
        said = [
            (name, part[key] if isinstance(part[key], str) else ", ".join(part[key]) or "none")
            for table, name in places
            if key in (part := policy.get(table, {}).get(name, {}))
        ]
        yield from (
            f"{key} {value} for {name} never counts: "
            f"for {said[0][0]} the answer is {key} {said[0][1]}, which goes first"
            for name, value in said[1:]
            if value != said[0][1]
        )
