"""Golden cases: the program adjudicates and reports one message; people have read the expected files.

A case is a folder ``tests/golden/<ruleset>/<case>/``:

=====================  ==================================================================================
``case.yaml``          ``title``, ``scenario``, ``seq``, ``version`` (of the ruleset, at the last rewriting),
                       ``options`` of the game, ``reveal`` and ``next-reveal``: label -> value revealed by
                       this message and by the next message
``before.yaml``        the position before the message, with units that differ from the set-up; absent: the
                       set-up
``turn.yaml``          the writer's entries in the draft
``dice.yaml``          label -> digits, for the message or the next message; absent: no die falls
``report.txt``         expected: the report of the message
``story.txt``          expected: the report as prose, to be read aloud
``next.draft.yaml``    expected: the next turn file, as written by the program; absent after the end
``after.yaml``         expected: the position after the message, in the form of ``before.yaml``
=====================  ==================================================================================

Ids, openings and hashes of seals are made up (``0202...`` is the id of message 2). So the dice of a case can be
chosen, and other changes of the program do not change a case.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from helpers import registry

from kursk_pbem.desk.deals import begin
from kursk_pbem.desk.draft import blanks
from kursk_pbem.formats import strictyaml
from kursk_pbem.formats.strictyaml import Document
from kursk_pbem.game import chapters, entropy, games, reports
from kursk_pbem.game.games import Game
from kursk_pbem.game.histories import Step
from kursk_pbem.kernel.adjudicate import Adjudication, adjudicate
from kursk_pbem.kernel.orders import Filing
from kursk_pbem.kernel.state import State, from_plain
from kursk_pbem.report import draft as drafting
from kursk_pbem.trust import keys
from kursk_pbem.trust.messages import Message

ROOT = Path(__file__).parent
EXPECTED = ("report.txt", "story.txt", "next.draft.yaml", "after.yaml")


def folders_of_cases(ruleset: str = "*") -> list[Path]:
    """Return the folders of all cases, or the cases of a ruleset, by name."""
    return sorted(path.parent for path in ROOT.glob(f"{ruleset}/*/case.yaml"))


def made_up(number: int) -> str:
    """Return an obviously made-up hash, such as '0707...'."""
    return f"{number:02d}" * 32


@dataclass(frozen=True)
class ChosenDice:
    """The dice of a case; no other die may fall."""

    digits: Mapping[str, str]
    seq: int

    def roll(self, label: str, n: int) -> str:
        assert label in self.digits, f"the die {label} falls, and dice.yaml does not give it"
        assert len(self.digits[label]) == n, label
        return self.digits[label]


@cache
def begun(scenario: str, options: tuple[tuple[str, str], ...]) -> Game:
    """Propose a game of a scenario, as players do."""
    with TemporaryDirectory() as name, entropy.fix_random_bytes("golden"):
        place = Path(name)
        kit = registry.of_scenario(scenario)
        for who in kit.sides:
            keys.generate_key_pair(place / who, entropy.random_bytes())
        side = kit.proposer(scenario, dict(options))
        opponent = keys.read_public(place / f"{kit.ruleset.other(side)}.pub")
        proposal = begin.Proposal(scenario, side, opponent, kit.names, dict(options))
        return begin.propose_game(proposal, place / side, place, place / "private").game


def read(path: Path) -> Document:
    """Read a YAML file of a case; a missing file counts as empty."""
    return strictyaml.read(path.read_bytes(), path.name) if path.exists() else Document({}, path.name)


class Case:
    """A case read from its folder."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        head = read(folder / "case.yaml").data
        assert set(head) <= {"title", "scenario", "options", "seq", "version", "reveal", "next-reveal"}, sorted(head)
        self.title, self.version, self.seq = head["title"], head["version"], int(head["seq"])
        self.reveals = head.get("reveal", {}), head.get("next-reveal", {})
        self.turn = read(folder / "turn.yaml")
        self.digits = read(folder / "dice.yaml").data
        self.game = self._game(begun(head["scenario"], tuple(head.get("options", {}).items())))

    def _game(self, first: Game) -> Game:
        """Return the game before the message."""
        self.first = first.state
        assert self.folder.parent.name == first.ruleset.id
        ids = tuple(made_up(number) for number in range(self.seq))
        chain = replace(first.chain, ids=ids)
        return replace(first, chain=chain, state=self._state(read(self.folder / "before.yaml").data))

    def _state(self, plain: Mapping[str, Any]) -> State:
        """Return a position from its differences."""
        whole = self.first.to_plain()
        assert set(plain) <= set(whole), sorted(set(plain) - set(whole))
        state = from_plain({**whole, **plain, "units": {**whole["units"], **plain.get("units", {})}})
        assert set(state.units) == set(self.first.units), "before.yaml names a unit that the scenario has not"
        return state

    def _plain(self, state: State) -> dict[str, Any]:
        """Return the differences of a position."""
        plain, whole = state.to_plain(), self.first.to_plain()
        changed = {uid: entry for uid, entry in plain["units"].items() if entry != whole["units"][uid]}
        return {**plain, "units": changed}

    def filing(self) -> tuple[dict[str, Any], Filing]:
        """Return the content of the message with seals as hashes, and the filing for the rules at the writer's desk."""
        content = self.turn.data
        assert set(content) <= {*games.CHOICE_FIELDS, "note"}, sorted(content)
        games.check_choices(content, self.game.ruleset, self.turn)
        orders, plans = self.game.ruleset.seal(self.game.setting, content.get("orders", {}), self.seq)
        hidden = {**content.get("seal", {}), **plans}
        secret = dict.fromkeys(hidden, made_up(self.seq))
        shown = {key: value for key, value in {**content, "orders": orders, "secret": secret}.items() if key != "seal"}
        filing = Filing(
            self.seq,
            self.game.state.side,
            reveal=self.reveals[0],
            choice=content.get("choice", {}),
            waive=content.get("waive", ""),
            orders=orders,
            policy=content.get("policy", {}),
            decisions=content.get("decisions", {}),
            secret=secret,
            sealed=hidden,
        )
        return shown, filing

    def adjudicated(self) -> tuple[Message, Adjudication]:
        """Return the message and its adjudication."""
        state, seq = self.game.state, self.seq
        shown, filing = self.filing()
        result = adjudicate(self.game.ruleset, self.game.setting, state, filing, ChosenDice(self.digits, seq))
        assert result.legal, [str(violation) for violation in result.violations]
        kind = "accept" if seq == 1 else "turn"
        head = {"type": kind, "seq": str(seq), "from": state.side, "prev": made_up(seq - 1), "open": made_up(seq)}
        return Message({**head, **shown}, "", made_up(seq), b"", self.turn), result

    def made(self) -> dict[str, str]:
        """Return the files that the program makes from the case: file name to text."""
        message, result = self.adjudicated()
        before = self.game
        after = replace(
            before,
            state=result.after,
            chain=replace(before.chain, ids=(*before.chain.ids, message.id)),
            luck=before.luck.add(result.events),
        )
        files = {
            "report.txt": reports.report_message(before, after, message, result),
            "story.txt": chapters.tell_story((Step(message, before, after, result),)),
            "after.yaml": drafting.render(self._plain(result.after), (), ()),
        }
        if not after.over:
            files["next.draft.yaml"] = blanks.compose_draft(after, self._next(after), {})
        return files

    def _next(self, after: Game) -> State:
        """Return the position after the duties of the next message."""
        seq = self.seq + 1
        filing = Filing(seq, after.state.side, reveal=self.reveals[1], resigns=True)
        dice = ChosenDice(self.digits, seq)
        return adjudicate(after.ruleset, after.setting, after.state, filing, dice).middle

    def expected(self) -> dict[str, str]:
        """Return the expected files of the folder: file name to text."""
        paths = [self.folder / name for name in EXPECTED]
        return {path.name: path.read_text(encoding="utf-8") for path in paths if path.exists()}

    def current_version(self) -> str:
        """Return the present adjudication version of the ruleset."""
        return str(self.game.ruleset.version)

    def rewrite(self) -> bool:
        """Write the expected files and the version again; return whether the position changed within a version."""
        made, expected = self.made(), self.expected()
        for name in EXPECTED:
            path = self.folder / name
            if name in made:
                path.write_text(made[name], encoding="utf-8", newline="\n")
            else:
                path.unlink(missing_ok=True)
        head = self.folder / "case.yaml"
        version = f"version: '{self.current_version()}'"
        text = re.sub(r"\bversion: '[0-9]+'", version, head.read_text(encoding="ascii"))
        head.write_text(text, encoding="ascii", newline="\n")
        same_version = self.version == self.current_version()
        return same_version and "after.yaml" in expected and expected["after.yaml"] != made["after.yaml"]
