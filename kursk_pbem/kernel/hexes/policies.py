"""What defenders say before the dice: in answer to the battles declared, or standing in the open for all to come.

A policy says something for the whole side, and in tables (``battles``, ``hexes``, ``units``) for what they name. The
agenda keeps an answer under ``policy`` and standing answers under their side; an answer left out is an answer too. The
policy that a player keeps at home, a standing policy, is filled into answers by the desk; here it is known by its form.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from kursk_pbem.kernel.events import Scheduled
from kursk_pbem.kernel.hexes.board import Board
from kursk_pbem.kernel.hexes.stands import HexSetting, own_units
from kursk_pbem.kernel.orders import Filing, Path
from kursk_pbem.kernel.state import STANDING, State
from kursk_pbem.kernel.umpire import Umpire

BATTLES, BY_HEX, BY_UNIT, POLICY = "battles", "hexes", "units", "policy"
Table = tuple[str, Collection[str], str]  # its key, what may be named in it, why nothing else may


@dataclass(frozen=True)
class Policies:
    """How a system takes policies, under the paragraph ``rule``; ``answered``: the paragraph that asks for answers.

    ``battle`` is what it calls a battle, ``names`` what a standing policy may name besides the side, ``example`` one of
    them. ``check(umpire, filing)`` refuses what else is wrong with a policy.
    """

    rule: str
    answered: str
    battle: str
    names: str
    example: str
    check: Callable[[Umpire[Any], Filing], None]

    def answer(self, umpire: Umpire[Any], filing: Filing) -> None:
        """Take the answer to the battles declared."""
        known = sorted(battle["id"] for battle in umpire.state.agenda.get(BATTLES, ()))
        there = f"; there are {', '.join(known)}" if known else ""
        self._read(umpire, filing, known, f"no {self.battle} of that name is declared{there}")
        if filing.policy:
            umpire.emit(Scheduled(self.rule, POLICY, filing.policy))
        umpire.answer(self.answered)

    def stand(self, umpire: Umpire[Any], filing: Filing) -> None:
        """Take standing answers: they hold for all battles to come, until their side files others."""
        # Not even a battle that is declared may be named: its name may come again, and this still holds.
        self._read(umpire, filing, (), f"name {self.names} or the whole side: it holds for all {self.battle}s")
        held = {"seq": str(filing.seq), "policy": dict(filing.policy)}
        umpire.emit(Scheduled(self.rule, STANDING + filing.writer, held))

    def slip(self, policy: Mapping[str, Any]) -> tuple[Path, str] | None:
        """Where and why a policy cannot be kept for all answers to come; None if it can."""
        if BATTLES in policy:
            return (BATTLES,), (
                f"a standing policy names {self.names} or the whole side; "
                f"{self.battle}s are named in the answer to them"
            )
        return None if policy else ((), f"it holds no policy; e.g. {self.example}")

    def _read(self, umpire: Umpire[Any], filing: Filing, known: Collection[str], why: str) -> None:
        refuse(umpire, self.rule, misnamed(filing.policy, (BATTLES, known, why)))
        self.check(umpire, filing)


def lapsed(state: State) -> State:
    """The position without what stands for all battles to come: in another game it is filed anew."""
    return state.with_(agenda={key: value for key, value in state.agenda.items() if not key.startswith(STANDING)})


def files(_umpire: Umpire[Any], filing: Filing) -> bool:
    """Whether a message files a policy."""
    return bool(filing.policy)


def refuse(umpire: Umpire[Any], rule: str, slips: Iterable[tuple[Path, str]]) -> None:
    """Refuse what is wrong with a policy, each slip with its place in it."""
    for path, why in slips:
        umpire.refuse(rule, why, str(path[-1]), (POLICY, *path))


def hexes(board: Board) -> Table:
    """The table that names hexes."""
    return BY_HEX, board.index, "is not a hex of this map"


def units(setting: HexSetting, side: str) -> Table:
    """The table that names units of a side."""
    return BY_UNIT, own_units(setting, side), "is no unit of yours"


def misnamed(policy: Mapping[str, Any], *tables: Table) -> Iterator[tuple[Path, str]]:
    """What the tables of a policy name although it is not there, each with its place and the reason."""
    return (((table, name), why) for table, known, why in tables for name in policy.get(table, {}) if name not in known)


def parts(policy: Mapping[str, Any], tables: Iterable[str]) -> Iterator[tuple[Path, Mapping[str, Any]]]:
    """A policy for the whole side, and the parts of it in its tables, each with its place."""
    yield (), policy
    for table in tables:
        yield from (((table, name), part) for name, part in policy.get(table, {}).items())


def filed(agenda: Mapping[str, Any], owner: str) -> Mapping[str, Any]:
    """What a side has said about waiting battles: in its answer, otherwise in the policy that stands for all battles.

    The answer speaks of these battles, the other of whatever comes; so the answer goes first.
    """
    policy: Mapping[str, Any] = agenda.get(POLICY) or agenda.get(STANDING + owner, {}).get("policy", {})
    return policy


def told(policy: Mapping[str, Any], key: str, places: Iterable[tuple[str, str]]) -> Any:
    """What is said under ``key`` at the first of some places, (table, name), that says anything of it.

    If none says anything: what is said for the whole side, or None.
    """
    named = (policy.get(table, {}).get(name, {}) for table, name in places)
    return next((part[key] for part in (*named, policy) if key in part), None)


def unheard(
    policy: Mapping[str, Any], keys: Sequence[str], battles: Iterable[Sequence[tuple[str, str]]]
) -> Iterator[str]:
    """What is said of a battle and never counts, because something else is said at one of its places before that.

    ``battles``: of each the places, (table, name), in the order in which :func:`told` looks at them.
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
