"""Paper 0, typed: the fixed rules of the tournament (docs/directors.md 6.2). Its hash is the id of the tournament."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from typing import Any

from kursk_pbem.errors import FileError, OutdatedError, TrustError, UsageError
from kursk_pbem.frozen import frozen
from kursk_pbem.game import pins as systems
from kursk_pbem.kernel import given
from kursk_pbem.tournament.papers import fields
from kursk_pbem.tournament.papers.forms import Paper
from kursk_pbem.trust import sshsig

ROUND_ROBIN, PODS, SWISS, KNOCK_OUT = "round-robin", "pods", "swiss", "knock-out"
BERGER, SNAKE, MATCH, BRACKET = "berger/1", "snake/1", "match/2", "bracket/1"
METHODS = {ROUND_ROBIN: BERGER, PODS: SNAKE, SWISS: MATCH, KNOCK_OUT: BRACKET}
"""The pairing method of each format. A number names a specification with test vectors; old numbers never change."""

LOT = "lot"
WIN, DRAW, FORFEIT, BYE, ASKED = "win", "draw", "forfeit", "bye", "asked"
"""Keys of ``award``, each with the points of winner and loser; ``bye`` and ``asked`` have one number."""
NEEDED = (WIN, DRAW, FORFEIT, BYE)


@frozen
class System:
    """A scenario of the tournament with its options, as message 0 of a board must state. ``sides``: first, second."""

    ruleset: str
    version: str
    scenario: str
    sha256: str
    options: Mapping[str, str]
    sides: tuple[str, str]
    package: Mapping[str, str] | None = None

    @property
    def given(self) -> str:
        """The victory points that one side gives to the other side at a game's end, as written in the option."""
        return self.options.get(given.KEY, given.NOTHING)

    @property
    def giver(self) -> str:
        """The side that gives victory points to the other side, or ''."""
        return given.find_giver(given.read_points(self.options, self.sides))

    @property
    def pin(self) -> dict[str, Any]:
        """The hash of the ruleset, for the field ``ruleset`` of message 0."""
        return {"id": self.ruleset, "version": self.version, **({"package": self.package} if self.package else {})}


@frozen
class Terms:
    """Time limits in days, and the rules for unfinished games."""

    days: int  # for an answer
    bank: int
    holidays: int
    begin: int  # to begin a game
    answers: int  # for openings and bids
    round: int
    missed: int  # rounds before an entrant counts as withdrawn
    ends: tuple[str, ...]  # methods for an unfinished game, in order
    threshold: int  # a draw by points up to this margin
    adjourn: bool  # play may continue, with a draw for now


@frozen
class Rules:
    """Paper 0, the rules of a tournament, as typed fields."""

    paper: Paper = field(repr=False)
    key: str
    assistants: tuple[str, ...]
    systems: tuple[System, ...]
    format: str
    method: str
    rounds: int  # 0: set by the format
    mirror: bool
    bids: bool
    by_rating: bool  # order of the numbers
    award: Mapping[str, tuple[int, ...]]
    guests: bool
    breaks: tuple[str, ...]
    cap: int
    known: Mapping[str, int]  # ratings by key
    start: int  # rating of the other keys
    terms: Terms
    late: tuple[int, int] | None  # (last round to join, points for an earlier round)
    substitutes: bool
    refereed: bool
    witness: str  # the key of the witness, or ""
    pods: Mapping[str, str]
    finals: int  # players of a knock-out after a Swiss
    apart: frozenset[frozenset[str]]  # pairs of keys that must not meet
    publish: Mapping[str, str]

    @property
    def id(self) -> str:
        """The id of the tournament. It is the id of paper 0, 64 hex digits."""
        return self.paper.id

    @property
    def title(self) -> str:
        """The name of the tournament."""
        return self.paper.text("title")

    def system(self, round_: int) -> int:
        """Return the number of a round's system (scenario). Rounds and systems count from 1, and systems take turns."""
        return (round_ - 1) % len(self.systems) + 1

    def points(self, kind: str) -> int:
        """Return the points for a round that an entrant spends without a game, for example with a bye."""
        return self.award.get(kind, (0,))[0]

    def keepers(self) -> tuple[str, ...]:
        """Return the keys of the people who may be referees: who keep time and roll dice."""
        return (self.key, *self.assistants)


def read_rules(paper: Paper) -> Rules:
    """Return the rules from paper 0. Raises FileError for unknown values, and TrustError for a bad key."""
    if paper.type != fields.RULES or paper.seq != 0:
        raise FileError("a tournament begins with paper 0, the rules", paper.where("type"))
    said: Mapping[str, Any] = paper.content
    for key in (said["key"], *said.get("assistants", ()), *([said["witness"]] if "witness" in said else ())):
        try:
            sshsig.public_key(str(key))
        except TrustError as error:
            raise TrustError(error.fault, error.message, paper.where("key")) from None
    if said["key"] in said.get("assistants", ()):
        _refuse(paper, "assistants", "the director's key is not an assistant's key; delete the key")
    if said.get("witness") == said["key"]:
        _refuse(paper, "witness", "the director cannot be the witness: name the key of a person outside the tournament")
    pods = said.get("pods", {})
    rules = Rules(
        paper=paper,
        key=said["key"],
        assistants=tuple(said.get("assistants", ())),
        systems=tuple(_read_system(paper, place, system) for place, system in enumerate(said["systems"])),
        format=said["format"],
        method=said["method"],
        rounds=int(said.get("rounds", "0")),
        mirror=said["mirror"] == "yes",
        bids=said["sides"] == "bids",
        by_rating=said["order"] == "rating",
        award={name: tuple(map(int, points)) for name, points in said["award"].items()},
        guests=said["odd"] == "guest",
        breaks=tuple(said["tie-breaks"]),
        cap=int(said.get("cap", "9999")),
        known={rated["key"]: int(rated["rating"]) for rated in said.get("rating", {}).get("known", ())},
        start=int(said.get("rating", {}).get("start", "0")),
        terms=_read_terms(said["terms"]),
        late=(int(said["late"]["until"]), int(said["late"]["points"])) if "late" in said else None,
        substitutes=said["substitutes"] == "yes",
        refereed=said["dice-from"] == "referee",
        witness=str(said.get("witness", "")),
        pods=pods,
        finals=int(said.get("finals", "0")),
        apart=frozenset(map(frozenset, said.get("apart", ()))),
        publish=said["publish"],
    )
    _check_rules(rules)
    return rules


def _read_system(paper: Paper, place: int, said: Mapping[str, Any]) -> System:
    rid, package = said["ruleset"], said.get("package")
    if rid != said["scenario"].partition("/")[0]:
        raise FileError(f"{said['scenario']} is no scenario of {rid}", paper.where("systems", place))
    try:
        systems.find_rules({"id": rid, "version": said["version"], **({"package": package} if package else {})})
        sides = systems.find_sides(said["scenario"])
    except OutdatedError as error:
        raise type(error)(error.message, paper.where("systems", place)) from None
    except UsageError as error:
        raise FileError(error.message, paper.where("systems", place)) from None
    return System(rid, said["version"], said["scenario"], said["sha256"], said["options"], sides, package)


def _read_terms(said: Mapping[str, Any]) -> Terms:
    days = {name: int(said[name]) for name in ("days", "bank", "holidays", "begin", "answers", "round", "missed")}
    return Terms(**days, ends=tuple(said["ends"]), threshold=int(said["threshold"]), adjourn=said["adjourn"] == "yes")


def _check_rules(rules: Rules) -> None:
    """Raise FileError for contradictory rules."""
    paper = rules.paper
    if rules.method != METHODS[rules.format]:
        why = f"the program pairs {rules.format} by {METHODS[rules.format]}, not by {rules.method}"
        _refuse(paper, "method", f"{why}; use a newer release")
    _check_award(rules)
    if rules.breaks[-1] != LOT:
        _refuse(paper, "tie-breaks", "the last tie-break must be lot, because places must differ")
    if rules.terms.ends[-1] not in ("word", "draw"):
        _refuse(paper, "terms", "the last of 'ends' must be word or draw: the others may not decide")
    if (rules.format == SWISS) != bool(rules.rounds):
        _refuse(paper, "rounds", "a Swiss needs a number of rounds; the other formats have none")
    if (rules.format == PODS) != bool(rules.pods):
        _refuse(paper, "pods", "the format pods needs the field pods; the other formats have none")
    if rules.bids and any(given.KEY in system.options for system in rules.systems):
        _refuse(paper, "sides", "a tournament has either bids or points given; leave the option 'given' out")
    if rules.bids and rules.mirror:
        _refuse(paper, "sides", "bids have no use in a mirrored tournament, where a player plays both sides")
    if (rules.finals or rules.apart) and rules.format != SWISS:
        _refuse(paper, "finals" if rules.finals else "apart", "the fields 'finals' and 'apart' are only for a Swiss")
    if rules.late and rules.format != SWISS:
        _refuse(paper, "late", "late entries are possible only in a Swiss")
    if rules.by_rating and "rating" not in paper.content:
        _refuse(paper, "order", "numbers by rating need the field 'rating'")
    if rules.guests and rules.format != SWISS:
        _refuse(paper, "odd", "guests play only in a Swiss; the other formats have byes")


def _check_award(rules: Rules) -> None:
    alone = (BYE, ASKED)
    if missing := [name for name in NEEDED if name not in rules.award]:
        _refuse(rules.paper, "award", f"award must say {', '.join(missing)}: the points of winner and loser")
    if bad := [name for name, points in rules.award.items() if len(points) != (1 if name in alone else 2)]:
        _refuse(rules.paper, "award", f"award of {bad[0]}: write the points of winner and loser; of a bye, one number")


def _refuse(paper: Paper, where: str, why: str) -> None:
    raise FileError(why, paper.where(where))
