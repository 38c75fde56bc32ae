"""A movement phase of a side, unit by unit: the phase, its words, its hint and its display."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import field
from typing import Any

from kursk_pbem.errors import UsageError
from kursk_pbem.frozen import frozen
from kursk_pbem.kernel import names
from kursk_pbem.kernel.events import Moved
from kursk_pbem.kernel.hexes import lists, phrases, ways
from kursk_pbem.kernel.hexes.stands import explain_own
from kursk_pbem.kernel.hexes.usual.position import Position, position, view_now
from kursk_pbem.kernel.hexes.ways import March, Move, Refusal, Slip, Way
from kursk_pbem.kernel.orders import Filing
from kursk_pbem.kernel.outlook import Destination, MovePhase, Mover
from kursk_pbem.kernel.ruleset import Hint, Phase
from kursk_pbem.kernel.state import State
from kursk_pbem.kernel.umpire import Umpire, other
from kursk_pbem.kernel.verbs import Clause, Edit, OrderContext, Verb, edit_draft


def nothing_more(_umpire: Umpire[Any], _uid: str, _path: tuple[str, ...]) -> None:
    """Do nothing after a move, for games in which a move has no further effect."""


@frozen
class Movement:
    """A movement phase."""

    key: str  # the name of the phase, of the list of orders, and of the manner of moving
    rule: str  # the paragraph
    march: Callable[[Position, str], March]  # the present movement of a unit
    rules: Mapping[str, str] = field(default_factory=dict)  # kind of error (``ways``) -> paragraph, if not ``rule``
    entered: Callable[[Umpire[Any], str, tuple[str, ...]], None] = nothing_more
    """Apply the further effects of a move: the unit has entered the hexes with these labels."""
    points: str = "MP"
    verb: str = "move"

    @property
    def phase(self) -> Phase:
        """The phase of the sequence of play."""
        return Phase(self.key, self.rule, self.run, (f"orders/{self.key}",))

    def run(self, umpire: Umpire[Any], filing: Filing) -> None:
        """Move the units as ordered. Every unit moves at most once."""
        board = umpire.setting.board

        def ready_unit(uid: str) -> March | Refusal:
            if why := explain_own(umpire.setting, umpire.state, filing.writer, uid):
                return Refusal(self.rule, why)
            return self.march(view_now(umpire), uid)

        def carry_out(move: Move, unit: March) -> Refusal | None:
            way = ways.find_way(board, unit, move)
            if isinstance(way, Slip):
                return self.refusal(view_now(umpire), move.unit, unit, way)
            path = tuple(board.labels[hex_] for hex_ in way.path)
            umpire.emit(Moved(self.rule, move.unit, umpire.state.units[move.unit].place, path, self.key, str(way.mp)))
            self.entered(umpire, move.unit, path)
            return None

        ways.run_moves(umpire, ways.read_moves(filing, self.key), self.rule, ready_unit, carry_out)

    def refusal(self, pos: Position, uid: str, unit: March, slip: Slip) -> Refusal:
        """Return the paragraph and the reason for refusing a move."""
        foe = other(pos.setting.sides, pos.side(uid))
        who = pos.beside(foe, slip.here) if slip.kind == ways.ENDED else pos.stack(slip.there)
        text = ways.describe_slip(pos.setting.board, unit, slip, ", ".join(who))
        if slip.why is None:
            return Refusal(self.rules.get(slip.kind, self.rule), text)
        behind = self.refusal(pos, uid, unit, slip.why)
        return Refusal(behind.rule, f"{text}: {behind.why}")

    def able(self, pos: Position, side: str) -> list[tuple[str, dict[int, Way]]]:
        """Return the units of a side that can move now, each with the hexes in which its move may end."""
        reached = ((uid, ways.find_reach(self.march(pos, uid))) for uid in pos.units(side))
        return [(uid, ends) for uid, ends in reached if ends]

    def shown(self, pos: Position, side: str, unit: str = "") -> MovePhase:
        """Return the possible destinations of one unit or, without a unit, of all units of a side."""
        labels = pos.setting.board.labels
        ends = {uid: ways.find_reach(self.march(pos, uid)) for uid in ([unit] if unit else pos.units(side))}
        movers = (
            Mover(
                uid,
                pos.state.units[uid].place,
                "",
                tuple(
                    Destination(labels[there], str(way.mp), tuple(labels[hex_] for hex_ in way.path), {})
                    for there, way in there_are.items()
                ),
            )
            for uid, there_are in ends.items()
        )
        return MovePhase(self.key, self.rule, (), tuple(movers), (), self.points, self.verb)

    def why(self, setting: Any, state: State, unit: str, to: str) -> tuple[str, ...]:
        """Return why a unit must not end a move in a hex; () if it may. Raises UsageError if unit or hex is unknown."""
        pos = position(setting, state)
        if unit not in pos.where:
            raise UsageError(f"{unit} is no unit on the map")
        if to not in setting.board.index:
            raise UsageError(f"{to!r} is not a hex of this map")
        march, there = self.march(pos, unit), setting.board.index[to]
        if ways.way_to(march, there):
            return ()
        refused = self.refusal(pos, unit, march, ways.hindrance(setting.board, march, there))
        return (f"{refused.why} [{refused.rule}]",)

    def hint(self, pos: Position, *lines: str) -> Hint:
        """Return the comment for a draft of moves: given lines, an example, where each unit can end its move."""
        able, board, danger = self.able(pos, pos.state.side), pos.setting.board, pos.zone(_foe(pos))
        told = [*lines, *(lists.example_moves(board, self.key, able) if able else ["No unit can move now."])]
        told += (f"{uid} in {pos.state.units[uid].place}: {lists.list_ends(board, ends, danger)}" for uid, ends in able)
        return Hint(("orders", self.key), tuple(told), [])

    def word(self) -> Verb:
        """Return the order word 'move' of ``kursk order``."""
        usage, text = "UNIT [HEX...] HEX", "moves a unit through the hexes to the last hex"
        example, fields = f"{self.verb} UNIT HEX", (f"orders/{self.key}",)
        return Verb(self.verb, usage, text, example, self._write, fields, self._list_clauses)

    def _position_before(self, ask: OrderContext, uid: str) -> Position:
        draft = edit_draft(ask.draft, phrases.remove_orders(ask, self.key, uid))
        return position(ask.setting, ask.at(draft, self.key))

    def _write(self, ask: OrderContext, words: Sequence[str]) -> tuple[Edit, ...]:
        places = phrases.name_hexes(ask.setting.board, ask.setting.towns)
        who, hexes = phrases.split_places(words, phrases.list_own(ask), places, f"{self.verb} UNIT HEX")
        there = phrases.on_map(ask.setting.board, ask.state, phrases.list_own(ask))
        uid = names.find(who, phrases.list_own(ask), phrases.UNIT, there)
        order, said, pos = phrases.make_move(uid, hexes), f"{uid} to {' '.join(hexes)}", self._position_before(ask, uid)
        if uid in pos.where:
            way = ways.find_way(pos.setting.board, self.march(pos, uid), Move.from_plain(order, ()))
            said += f", {way.mp} {self.points}" if isinstance(way, Way) else ""
        return phrases.replace_order(ask, self.key, order, said)

    def _list_clauses(self, ask: OrderContext, words: Sequence[str]) -> tuple[Clause, ...]:
        pos = position(ask.setting, ask.at(ask.draft, self.key))
        labels = ask.setting.board.labels

        def list_ends(uid: str) -> Iterator[tuple[str, str]]:
            ends = ways.find_reach(self.march(self._position_before(ask, uid), uid))
            return ((labels[hex_], f"{way.mp} {self.points}") for hex_, way in ends.items())

        able = tuple((uid, ask.setting.counters[uid].name) for uid in pos.units(ask.state.side))
        return phrases.offer_moves(words, able, list_ends, phrases.list_moved(ask, self.key))


def _foe(pos: Position) -> str:
    return other(pos.setting.sides, pos.state.side)
