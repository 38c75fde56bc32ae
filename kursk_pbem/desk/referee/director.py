"""The desk of a referee who rolls the dice (protocol 2.11). The referee proposes the game and answers each message.

The referee chooses nothing: they open and roll what falls due, and where nothing does they hand on.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from kursk_pbem.desk import begin, play
from kursk_pbem.desk.desks import Desk
from kursk_pbem.desk.draft import drafts
from kursk_pbem.desk.referee import onward
from kursk_pbem.errors import UsageError
from kursk_pbem.formats.canonical import REFEREE
from kursk_pbem.game import scenarios
from kursk_pbem.rulesets import ruleset as find_ruleset
from kursk_pbem.trust import keys


@dataclass(frozen=True)
class Match:
    """A game that a referee sets up: ``players`` are public keys and ``names`` what they are called, both by side.

    ``more``: further fields of message 0, such as that of a tournament. ``sha256``: the hash of the scenario's data, ''
    for today's.
    """

    scenario: str
    players: Mapping[str, str]
    names: Mapping[str, str]
    options: Mapping[str, str]
    more: Mapping[str, Any] = field(default_factory=dict)
    sha256: str = ""


def propose(match: Match, key: Path, parent: Path, home: Path) -> Desk:
    """Write message 0 of a refereed game into a new folder below ``parent``; the desk. UsageError, FileError."""
    ruleset = find_ruleset(match.scenario.split("/")[0])
    for named in (match.players, match.names):
        if unknown := sorted(set(named) - set(ruleset.sides)):
            raise UsageError(f"{ruleset.title} has no side {unknown[0]!r}; there are {' and '.join(ruleset.sides)}")
    if missing := [side for side in ruleset.sides if side not in match.players]:
        raise UsageError(f"the public key of the {missing[0]} side is missing: --player {missing[0]}=FILE.pub")
    begin.check_sendable((*match.names.values(), *match.options, *match.options.values()))
    signer = keys.load_key(key)
    if len({signer.public, *match.players.values()}) <= len(match.players):
        raise UsageError("both players and the referee need keys of their own, all different")
    scenario = scenarios.load(match.scenario, match.sha256)
    setting = scenarios.setting(ruleset, scenario, match.options, REFEREE)
    state = ruleset.data.setup(setting)
    publics = {**{side: match.players[side] for side in ruleset.sides}, REFEREE: signer.public}
    pinned = begin.to_pin(ruleset, scenario, publics, begin.named(ruleset.sides, match.names), match.options)
    pinned |= {**match.more, "dice-from": REFEREE, "next": ruleset.writer(setting, state)}
    return begin.issue(REFEREE, pinned, state, key, parent, home)


def sits(desk: Desk) -> bool:
    """Whether the referee who rolls the dice of this game sits at this desk."""
    return desk.own is not None and desk.own.side == REFEREE


def answer(desk: Desk, key: str | None) -> Desk | None:
    """Sign the message that the referee owes, write it and its report; the desk with it, None if they owe none.

    UsageError where this desk may not sign it.
    """
    if not (sits(desk) and desk.mine):
        return None
    return play.sign(desk, drafts.resolution(desk), key)


def answer_if_owed(desk: Desk, key: str | None) -> Desk | None:
    """The same, and None in a game that would continue another, before that is agreed to: a later round answers it."""
    if desk.own is None or not (sits(desk) and desk.mine and onward.owed(desk.folder, desk.history, desk.own.home)):
        return None
    return answer(desk, key)
