"""A game as far as its files go: chain, rules and position, extended message by message (protocol 2.6, steps 1 to 9).

A :class:`Game` is a value; what it holds has been verified in full: signatures, order, openings, reveals, dice,
legality and every state hash.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from kursk_pbem.errors import FileError, OutdatedError, RulesError, TrustError, UsageError, Violation
from kursk_pbem.formats import schema
from kursk_pbem.formats.canonical import REFEREE, state_hash
from kursk_pbem.formats.strictyaml import Document
from kursk_pbem.formats.text import show
from kursk_pbem.game import folders, scenarios
from kursk_pbem.kernel.adjudicate import Adjudication, adjudicate, keep_position
from kursk_pbem.kernel.orders import Filing, filing
from kursk_pbem.kernel.ruleset import Ruleset, Stage, Verdict
from kursk_pbem.kernel.state import OVER, State, from_plain
from kursk_pbem.kernel.words import party
from kursk_pbem.report.luck import Luck
from kursk_pbem.rulesets import ruleset as find_ruleset
from kursk_pbem.trust import chains, commit, referee
from kursk_pbem.trust.chains import Chain
from kursk_pbem.trust.messages import Message
from kursk_pbem.trust.papers import SUCCESSOR, Paper
from kursk_pbem.trust.referee import Papers

CHOICE_FIELDS = ("choice", "waive", "orders", "decisions", "policy", "seal")


@dataclass(frozen=True)
class SeedDice:
    """The dice of one message: seed_k and k."""

    seed: bytes = field(repr=False)
    seq: int

    def roll(self, label: str, n: int) -> str:
        """``n`` digits of the stream of a label (protocol 3.2)."""
        return commit.roll_dice(self.seed, label, n)


@dataclass(frozen=True)
class Game:
    """A verified run of messages of one game.

    ``state`` is the position after the last, ``rolled`` whether any die has fallen, ``resigned`` the side that gave up
    ('' if none), ``declined`` the (side, turn) of every offer that was declined, ``papers`` what a referee has signed
    beside the chain.
    """

    ruleset: Ruleset
    setting: Any
    chain: Chain
    state: State
    luck: Luck
    rolled: bool = False
    resigned: str = ""
    declined: frozenset[tuple[str, str]] = frozenset()
    papers: Papers = field(default=referee.NONE, repr=False)

    @property
    def version(self) -> int:
        """The adjudication that message 0 pins."""
        return int(self.chain.head["ruleset"]["version"])

    @property
    def over(self) -> bool:
        """Whether no further message is valid."""
        return self.played_out or self.papers.forfeit is not None

    @property
    def vacated(self) -> str:
        """The game with which play goes on because a side has fallen silent (protocol 2.10); '' if there is none."""
        return str(self.papers.forfeit.content.get(SUCCESSOR, "")) if self.papers.forfeit is not None else ""

    @property
    def played_out(self) -> bool:
        """Whether its own messages have ended the game, without any referee."""
        return self.chain.ended or self.state.stage == OVER

    @property
    def stage(self) -> Stage:
        """What the next message holds."""
        return self.ruleset.play.stages(self.setting)[self.state.stage]

    @property
    def brings(self) -> str:
        """What the next message brings, in words; behind a decline only choices, for the offer came with the dice."""
        stage = self.stage
        if not self.chain.declined or (stage.phases and not stage.split):
            return stage.brings
        return stage.split.left if stage.split else "nothing is left to choose"

    @property
    def due(self) -> str:
        """Who writes the next message, in words: 'the German side'."""
        writer = self.chain.writer(self.chain.next_seq)
        return party(writer, writer.capitalize())

    @property
    def hands_on(self) -> bool:
        """Whether the message that is due is a referee's without dice: it only says who writes next."""
        chain = self.chain
        if not chain.refereed or chain.writer(chain.next_seq) != REFEREE:
            return False
        return bool(chain.offer or chain.declined) or self.ruleset.writer(self.setting, self.state) != REFEREE

    @property
    def mails_to_come(self) -> tuple[int, int]:
        """The least and the greatest number of messages to the end of the turn, decisions between dice apart."""
        if self.over:
            return 0, 0
        low, high = self.ruleset.mails_to_come(self.setting, self.state.stage)
        more = int(self.hands_on)
        if self.chain.offer:  # should it be declined
            more += 2 if self.chain.refereed else 1
        return low + more, high + more

    def named(self, after: State) -> str:
        """Whom the referee names to write next, where ``after`` is the position after that message; '' for nobody."""
        if self.chain.offer:
            return self.ruleset.other(self.chain.offerer)
        return "" if after.stage == OVER else after.side

    @property
    def verdict(self) -> Verdict | None:
        """How the game ended, None while it goes on."""
        if new := self.vacated or self.chain.agreed.get("game", ""):
            why = "with another player for the side that fell silent" if self.vacated else "as both sides agreed"
            return Verdict("", "successor", f"Play goes on in another game, {folders.folder_name(new)}, {why}")
        if self.papers.forfeit is not None:
            loser = self.papers.forfeit.text("side")
            winner, missed = self.ruleset.other(loser), _missed(self.papers.forfeit)
            return Verdict(winner, "forfeit", f"{winner.capitalize()} victory: the {loser} side {missed}")
        if self.resigned:
            winner = self.ruleset.other(self.resigned)
            loser = self.resigned.capitalize()
            return Verdict(winner, "resignation", f"{winner.capitalize()} victory: the {loser} side resigned")
        if self.chain.agreed.get("kind") == "draw":
            return Verdict("", "agreed draw", "Draw: both sides agreed on it")
        verdict: Verdict | None = self.ruleset.play.verdict(self.setting, self.state)
        return verdict

    @property
    def title(self) -> str:
        """Ruleset and scenario, as people say them."""
        return scenarios.full_title(self.ruleset, str(self.setting.scenario.title))


def _missed(forfeit: Paper) -> str:
    """What the side of a forfeit has done, as a verdict says it."""
    return f"did not answer message {forfeit.seq} by {forfeit.text('due')}, as the referee has declared"


def check_choices(content: Mapping[str, Any], ruleset: Ruleset, document: Document) -> None:
    """The form of the choice fields by the ruleset's own schema. FileError lists every slip with its line."""
    schema.check({key: content[key] for key in CHOICE_FIELDS if key in content}, ruleset.schema, document)


def begin(message: Message) -> Game:
    """Begin a game with its message 0: chain, ruleset and version, scenario and its hash, options, first position.

    Raises TrustError, FileError or UsageError.
    """
    chain = chains.start_chain(message)
    head = message.content
    ruleset = _ruleset(message, chain)
    setting = _setting(ruleset, message, message.text("dice-from"))
    first = scenarios.first(ruleset, setting)
    if message.sender != (proposer := ruleset.proposer(setting, first)) and "continues" not in head:
        raise TrustError(
            "head",
            f"in {ruleset.id} the {proposer} side proposes, because the other owes the first choice",
            message.where("from"),
        )
    state = _agreed(ruleset, setting, message) if "continues" in head else first
    if head["state-out"] != state.sha256():
        raise TrustError("state", "the first position is not that of the scenario", message.where("state-out"))
    _check_snapshot(message)
    if chain.writer(1) != state.side:
        why = f"the {state.side} side owes the next choice, so it accepts first"
        raise TrustError("head", why, message.where("next" if chain.refereed else "from"))
    return Game(ruleset, setting, chain, state, Luck())


def _ruleset(message: Message, chain: Chain) -> Ruleset:
    """The ruleset that message 0 names, in the version it names; its sides and options must be those of the message."""
    try:
        ruleset = find_ruleset(message.mapping("ruleset")["id"])
    except UsageError as error:
        raise FileError(error.message, message.where("ruleset", "id")) from None
    version = message.mapping("ruleset")["version"]
    if version not in ruleset.versions:
        raise FileError(
            f"the game is played by version {version} of {ruleset.id}, this program has versions up to "
            f"{ruleset.version}; use the release that has it",
            message.where("ruleset", "version"),
        )
    if {side for side in chain.keys if side != REFEREE} != set(ruleset.sides):
        raise TrustError("head", f"the sides of {ruleset.id} are {', '.join(ruleset.sides)}", message.where("keys"))
    options = {option.key: option.values for option in ruleset.options}
    for option, value in message.mapping("options").items():
        if value not in options.get(option, ()):
            known = "; ".join(f"{name}: {' or '.join(values)}" for name, values in options.items())
            why = f"{ruleset.id} has no option {show(option)}: {show(str(value))}; it has {known}"
            raise FileError(why, message.where("options", option))
    return ruleset


def _agreed(ruleset: Ruleset, setting: Any, message: Message) -> State:
    """The first position of a game that continues another (2.10): it stands in the message itself, signed by its hash.

    Whether it was a position of that other game only the files of both can tell.
    """
    if message.state is None:
        why = "this game goes on from an agreed position, and the position under the signature is missing: ask for it"
        raise FileError(why, message.where("continues"))
    state = from_plain(message.state, str(message.where("state")))
    first = ruleset.data.resume(setting, state)
    if isinstance(first, str):
        raise TrustError("state", f"no game can begin from this position: {first}", message.where("state"))
    if first != state:
        why = "no game can begin from this position: what is sealed or due in it belongs to another game"
        raise TrustError("state", why, message.where("state"))
    return first


def _setting(ruleset: Ruleset, message: Message, dice: str) -> Any:
    pinned, name = message.mapping("scenario"), message.mapping("names").get(message.sender)
    who = f"{show(str(name))}, who proposed it," if name else f"The {message.sender}, who proposed it,"
    try:
        scenario = scenarios.load(pinned["id"], pinned["sha256"], who)
    except OutdatedError as error:
        raise OutdatedError(error.message, message.where("scenario", "sha256")) from None
    except UsageError as error:
        raise FileError(error.message, message.where("scenario", "id")) from None
    if scenario.ruleset != ruleset.id:
        raise TrustError("head", f"{scenario.id} is no scenario of {ruleset.id}", message.where("scenario"))
    return scenarios.setting(ruleset, scenario, message.mapping("options"), dice)


def _check_snapshot(message: Message) -> None:
    """The position under the signature must be the one that was signed. Last, because it accuses nobody."""
    if message.state is not None and state_hash(message.state) != message.text("state-out"):
        why = (
            "the position written under the signature is not the one that was signed: it was changed, or cut off on "
            "its way. Delete it, from the line 'state:' to the end, and take the message again"
        )
        raise TrustError("state", why, message.where("state"))


def extend(game: Game, message: Message) -> tuple[Game, Adjudication]:
    """The game with one more received message. The first failure counts, in the order of protocol 2.6.

    Raises FileError (form of the choices), TrustError, or RulesError with every violation and its line.
    """
    if game.over:
        how = f" ({game.verdict.text})" if game.papers.forfeit is not None and game.verdict else ""
        raise TrustError("order", f"the game is over{how}; no message is valid any more", message.where("seq"))
    check_choices(message.content, game.ruleset, message.document)
    chain = game.chain.extend(message)
    if message.type == "offer" and (message.sender, game.state.turn) in game.declined:
        why = f"an offer of {message.sender} was declined in this turn already; another may come in the next"
        raise TrustError("order", why, message.where("type"))
    result = _adjudicated(game, chain, message)
    _check_dice(message, result.dice)
    _check_result(game, message, result)
    _check_snapshot(message)
    resigned = message.sender if message.type == "resign" else ""
    declined = game.declined | {(chain.declined, game.state.turn)} if chain.declined else game.declined
    luck, rolled = game.luck.add(result.events), game.rolled or bool(result.dice)
    played = replace(game, chain=chain, state=result.after, luck=luck, rolled=rolled)
    return replace(played, resigned=resigned, declined=declined), result


def _adjudicated(game: Game, chain: Chain, message: Message) -> Adjudication:
    """What the rules make of a message; ``chain`` holds it already."""
    if message.type == "reply" or game.hands_on:
        return keep_position(game.state)
    dice = SeedDice(chain.seed(message.seq), message.seq) if chain.may_roll(message.seq) else None
    orders = replace(filing(message.content), reveal=chain.reveals)
    return _decided(game, adjudicate(game.ruleset, game.setting, game.state, orders, dice), message)


def _decided(game: Game, result: Adjudication, message: Message | None = None) -> Adjudication:
    """The same; OutdatedError where the adjudication that the game pins decided something else (decision 44)."""
    since, rule = result.since
    if since <= game.version:
        return result
    raise OutdatedError(
        f"the game was begun under adjudication {game.version} of {game.ruleset.id}, which decided {rule} otherwise "
        f"here than adjudication {since} does; nobody is accused of anything. {game.ruleset.finishes(game.version)} "
        "plays it to its end and verifies it (docs/decisions/0044)",
        message.where() if message else None,  # only here: to find the lines is to read the file once more
    )


def _check_result(game: Game, message: Message, result: Adjudication) -> None:
    """2.6 steps 8 and 9: what the message says of itself is what the rules make of it, and its orders are legal."""
    if message.type == "offer" and result.pending is not None:
        raise TrustError("order", "its dice stop for a decision, so it cannot be an offer", message.where("type"))
    if message.type == "offer" and result.after.stage == OVER:
        raise TrustError("order", "its dice end the game, so it cannot be an offer", message.where("type"))
    if message.content.get("pending") != result.pending:
        raise TrustError("dice", "pending is not the decision that its dice stop for", message.where("pending"))
    if message.text("state-in") != result.middle.sha256():
        raise TrustError("state", "state-in is not the position after its reveals and dice", message.where("state-in"))
    if result.violations:
        raise RulesError(placed(result.violations, message.document), message.sender, received=True)
    if message.text("state-out") != result.after.sha256():
        raise TrustError("state", "state-out is not the position its orders lead to", message.where("state-out"))
    named = game.named(result.after) if game.chain.refereed and message.sender == REFEREE else ""
    if message.content.get("next", "") != named:
        due = named or "nobody, because the rules have ended the game"
        raise TrustError("state", f"next names the wrong side: it must be {due}", message.where("next"))


def _check_dice(message: Message, rolled: Mapping[str, str]) -> None:
    """2.6 step 7: exactly the dice that the rules call for, with the values the seed gives."""
    written = message.mapping("dice")
    for label in sorted({*written, *rolled}):
        given, right = written.get(label), rolled.get(label)
        if given == right:
            continue
        if right is None:
            raise TrustError("dice", f"{label} is rolled where no such die falls", message.where("dice", label))
        if given is None:
            raise TrustError("dice", f"the die {label} is missing", message.where("dice"))
        raise TrustError("dice", f"{label} is given as {given} and must be {right}", message.where("dice", label))


def placed(violations: Iterable[Violation], document: Document) -> tuple[Violation, ...]:
    """The same violations with file and line, in the order of the lines."""
    located = [replace(violation, where=document.where(violation.path)) for violation in violations]
    return tuple(sorted(located, key=lambda violation: violation.where.line if violation.where else 0))


def preview(game: Game, opening: bytes | None, orders: Filing) -> Adjudication:
    """What the next message would do if its writer, who knows its ``opening``, filed these orders.

    Nothing is signed; dice fall only where the stage calls for them.
    """
    seq = game.chain.next_seq
    dice = None
    if opening is not None and game.chain.may_roll(seq):
        dice = SeedDice(game.chain.seed_with(opening), seq)
    return _decided(game, adjudicate(game.ruleset, game.setting, game.state, orders, dice))
