"""The desk of a referee who rolls the dice (protocol 2.11). The referee proposes the game and answers each message.

The referee chooses nothing: the program rolls the required dice, or passes the message on.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from pathlib import Path
from typing import Any

from kursk_pbem.desk.deals import begin
from kursk_pbem.desk.draft import drafts
from kursk_pbem.desk.own.desks import Desk
from kursk_pbem.desk.referee import successor_terms
from kursk_pbem.desk.turn import play
from kursk_pbem.errors import UsageError
from kursk_pbem.formats.canonical import REFEREE
from kursk_pbem.frozen import frozen
from kursk_pbem.game import scenarios
from kursk_pbem.rulesets import ruleset as find_ruleset
from kursk_pbem.trust import keys


@frozen
class Match:
    """A game that a referee sets up. ``players``: public keys by side. ``names``: names by side and of the referee.

    ``more``: additional fields of message 0. ``sha256``: hash of the scenario data, '' for the current data.
    """

    scenario: str
    players: Mapping[str, str]
    names: Mapping[str, str]
    options: Mapping[str, str]
    more: Mapping[str, Any] = field(default_factory=dict)
    sha256: str = ""


def propose_game(match: Match, key: Path, parent: Path, home: Path) -> Desk:
    """Write message 0 of a refereed game into a new folder below ``parent``. Raises UsageError or FileError."""
    ruleset = find_ruleset(match.scenario.split("/")[0])
    for named in (match.players.keys(), match.names.keys() - {REFEREE}):
        if unknown := sorted(named - set(ruleset.sides)):
            raise UsageError(f"{ruleset.title} has no side {unknown[0]!r}; the sides are {' and '.join(ruleset.sides)}")
    if missing := [side for side in ruleset.sides if side not in match.players]:
        raise UsageError(f"the public key of the {missing[0]} side is missing: add --player {missing[0]}=FILE.pub")
    begin.check_sendable_texts((*match.names.values(), *match.options, *match.options.values()))
    signer = keys.load_key(key)
    if len({signer.public, *match.players.values()}) <= len(match.players):
        raise UsageError("the two players and the referee need three different keys")
    scenario = scenarios.load(match.scenario, match.sha256)
    setting = scenarios.make_setting(ruleset, scenario, match.options, REFEREE)
    state = ruleset.data.setup(setting)
    publics = {**{side: match.players[side] for side in ruleset.sides}, REFEREE: signer.public}
    names = begin.fill_names(ruleset.sides, match.names)
    names |= {REFEREE: match.names[REFEREE]} if REFEREE in match.names else {}
    pinned = begin.make_pinned_fields(ruleset, scenario, publics, names, match.options)
    pinned |= {**match.more, "dice-from": REFEREE, "next": ruleset.writer(setting, state)}
    return begin.issue_proposal(REFEREE, pinned, state, key, parent, home)


def is_referee(desk: Desk) -> bool:
    """Return whether the player here is the referee who rolls the dice."""
    return desk.own is not None and desk.own.side == REFEREE


def sign_answer(desk: Desk, key: str | None) -> Desk | None:
    """Sign the message that the referee owes, and return the new desk. If the referee owes no message, return None.

    Raises UsageError if the player at this desk may not sign the message.
    """
    if not (is_referee(desk) and desk.mine):
        return None
    return play.sign_message(desk, drafts.make_resolution(desk), key)


def sign_if_owed(desk: Desk, key: str | None) -> Desk | None:
    """Sign the message that the referee owes, like `sign_answer`. A successor game needs the players' agreement."""
    if desk.own is None or not (
        is_referee(desk) and desk.mine and successor_terms.is_message_owed(desk.folder, desk.history, desk.own.home)
    ):
        return None
    return sign_answer(desk, key)
