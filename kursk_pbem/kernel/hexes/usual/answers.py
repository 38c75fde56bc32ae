"""Defenders' answers before the dice: open wishes for retreats, by attack, by hex or for the side."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from kursk_pbem.errors import UsageError
from kursk_pbem.frozen import frozen
from kursk_pbem.kernel import names
from kursk_pbem.kernel.hexes import phrases, plans, policies
from kursk_pbem.kernel.hexes.plans import WAYS
from kursk_pbem.kernel.hexes.policies import BATTLES, BY_HEX, Policies
from kursk_pbem.kernel.hexes.usual.position import Position, position
from kursk_pbem.kernel.orders import Filing, Path
from kursk_pbem.kernel.ruleset import Hint, Phase
from kursk_pbem.kernel.umpire import Umpire
from kursk_pbem.kernel.verbs import ALL, PLACE, WISHES, Clause, Edit, OrderContext, Verb, describe_removal

RETREAT = "retreat"


@frozen
class Retreats:
    """The phases in which defenders say where to retreat by one hex: a policy ``{retreat, battles, hexes}``."""

    rule: str

    @property
    def policies(self) -> Policies:
        """The form of the defenders' policies."""
        example = "policy: {retreat: [away HEX]}"
        return Policies(self.rule, self.rule, "attack", "hexes", example, self._check_wishes)

    @property
    def answered(self) -> Phase:
        """The phase in which the defender answers the declared attacks."""
        return Phase("answer", self.rule, self.policies.answer, ("policy",))

    @property
    def standing(self) -> Phase:
        """The phase in which a side files a standing policy."""
        return Phase("standing", self.rule, self.policies.stand, ("policy",), when=policies.files_policy)

    def _check_wishes(self, umpire: Umpire[Any], filing: Filing) -> None:
        board = umpire.setting.board
        policies.refuse_policy(umpire, self.rule, policies.find_misnamed(filing.policy, policies.hex_table(board)))
        for path, part in policies.split_parts(filing.policy, (BATTLES, BY_HEX)):
            for number, wish in enumerate(part.get(RETREAT, ())):
                if slip := plans.way_slip(wish, board, 1):
                    umpire.refuse(
                        self.rule, slip, str(path[-1]) if path else RETREAT, ("policy", *path, RETREAT, number)
                    )

    def choose(self, pos: Position, owner: str, order: Any, hexes: Sequence[int]) -> int:
        """Return the hex for a retreat of ``owner``'s unit, by its wishes, or else the first of the ranked ``hexes``.

        Only defenders file wishes, so attackers always take the first hex.
        """
        attacks = owner in {pos.setting.counters[uid].side for uid in order["units"]}
        said = {} if attacks else policies.filed_policy(pos.state.agenda, owner)
        wishes = policies.find_answer(said, RETREAT, ((BATTLES, order["id"]), (BY_HEX, order["hex"]))) or ()
        return plans.choose_way(pos.setting.board, [(hex_,) for hex_ in hexes], wishes)[-1]

    def hint(self, pos: Position, *lines: str) -> Hint:
        """Return the comment for the draft of an answer: the given lines, the waiting attacks, and an example."""
        waiting = pos.state.agenda.get(BATTLES, ())
        told = (f"{order['id']}: {order['hex']} by {', '.join(order['units'])}" for order in waiting)
        some = pos.setting.board.labels[min(pos.where.values())]
        return Hint(("policy",), (*lines, *told, f"policy: {{{RETREAT}: [away '{some}']}}".replace("'", "")), {})

    def word(self) -> Verb:
        """Return the order word 'answer' of ``kursk order``."""
        usage, text = "[all|ATTACK|HEX] retreat HEX|toward HEX|away HEX", "retreat hexes of your defenders"
        return Verb("answer", usage, text, "answer retreat away HEX", self._write, ("policy",), self._list_clauses)

    def _write(self, ask: OrderContext, words: Sequence[str]) -> tuple[Edit, ...]:
        said = names.split_clauses(words, (RETREAT,))
        if RETREAT not in said:
            raise UsageError("type a hex, as in 'answer retreat away HEX'")
        places = phrases.name_hexes(ask.setting.board, ask.setting.towns)
        path: Path = ("policy",)
        about = "all attacks"
        if said[""] and not phrases.means_all(said[""]):
            waiting = {order["id"]: (order["hex"],) for order in ask.state.agenda.get(BATTLES, ())}
            about = names.find(" ".join(said[""]), {**places, **waiting}, "attack or hex", waiting)
            path = ("policy", BATTLES if about in waiting else BY_HEX, about)
        wishes = phrases.read_ways(said[RETREAT], places)
        told = ", ".join(wishes) or describe_removal(ask, (*path, RETREAT))
        return (Edit((*path, RETREAT), wishes or None, said=f"{about}: {RETREAT} {told}"),)

    def _list_clauses(self, ask: OrderContext, words: Sequence[str]) -> tuple[Clause, ...]:
        pos = position(ask.setting, ask.state)
        waiting = ask.state.agenda.get(BATTLES, ())
        among = ((ALL, "whatever is attacked"), *((order["id"], order["hex"]) for order in waiting))
        if not words or words[0] not in dict(among):
            return (Clause("", "attack", PLACE, among),)
        policy = ask.draft.get("policy", {})
        said = policy if words[0] == ALL else policy.get(BATTLES, {}).get(words[0], {})
        spots = tuple((label, "") for label in pos.setting.board.index)
        chosen = tuple(said.get(RETREAT, ()))
        return (Clause(RETREAT, "where units retreat", WISHES, spots, chosen, WAYS, needed="answer"),)
