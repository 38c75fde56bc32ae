"""Proposals taken back, and proposals of another game with the same opponent."""

from __future__ import annotations

from kursk_pbem.desk.deals.begin import Proposal, find_proposer
from kursk_pbem.desk.deals.director import Match
from kursk_pbem.desk.own import missing
from kursk_pbem.desk.own.desks import Desk
from kursk_pbem.desk.own.register import Known
from kursk_pbem.errors import UsageError
from kursk_pbem.formats.canonical import REFEREE


def withdraw_proposal(known: Known) -> None:
    """Mark a proposal as withdrawn on this machine. Message 0 stays signed. Raises UsageError for other games."""
    if known.own is None or known.own.side == REFEREE:
        raise UsageError("a referee's proposal cannot be withdrawn: ask the players not to accept the proposal")
    for field, of in (("tournament", "belongs to a tournament"), ("continues", "continues another game")):
        if field in known.head:
            raise UsageError(f"the game {known} {of}, so its proposal cannot be withdrawn")
    known.own.withdraw()


def make_rematch(desk: Desk, side: str, name: str) -> Proposal:
    """Return the proposal of another game against the same opponent, with exchanged sides.

    ``side``: the side that the player wants; '' to exchange sides. ``name``: the player's new name, or ''. Raises
    UsageError if the opponent must propose.
    """
    chain, own, ruleset = desk.game.chain, _need_record(desk), desk.game.ruleset
    short = chain.game[:8]
    if chain.refereed:
        raise UsageError(f"the referee rolls this game's dice: ask the referee to type 'kursk propose --again {short}'")
    scenario, options = str(desk.game.setting.scenario.id), dict(chain.head["options"])
    wanted = side.lower() or ruleset.other(own)
    if wanted != (proposer := find_proposer(scenario, options)):
        keeps = f"; 'kursk propose --again {short} --as {proposer}' keeps your side" if own == proposer else ""
        raise UsageError(
            f"in {desk.game.setting.scenario.title} the {proposer} side proposes, so you cannot propose as {wanted}: "
            f"ask your opponent to type 'kursk propose --again {short} --as {proposer}'{keeps}"
        )
    names = _list_names(desk)
    mine, theirs = name or names.get(own, ""), names.get(ruleset.other(own), "")
    called = {wanted: mine, ruleset.other(wanted): theirs}
    return Proposal(
        scenario,
        wanted,
        chain.keys[ruleset.other(own)],
        {who: word for who, word in called.items() if word},
        options,
        chain.keys.get(REFEREE, ""),
        desk.own.opponent if desk.own and not desk.own.opponent.endswith(" player") else "",
    )


def make_refereed_rematch(desk: Desk) -> Match:
    """Return the set-up of another refereed game of the same players, with exchanged sides."""
    chain, other = desk.game.chain, desk.game.ruleset.other
    players = {side: chain.keys[other(side)] for side in desk.game.ruleset.sides}
    names = {other(side): name for side, name in _list_names(desk).items()}
    return Match(str(desk.game.setting.scenario.id), players, names, dict(chain.head["options"]))


def _need_record(desk: Desk) -> str:
    """Return the player's side. Raises NoRecordError for an auditor."""
    if not desk.own_side:
        raise missing.make_no_record_error(desk.folder, "only a player can propose a rematch; ")
    return desk.own_side


def _list_names(desk: Desk) -> dict[str, str]:
    """Return the names in message 0, without names such as 'german player'."""
    names = desk.game.chain.head["names"]
    return {side: str(names[side]) for side in desk.game.ruleset.sides if names[side] != f"{side} player"}
