"""A verified game: chain, rules and position, extended message by message (protocol 2.6, steps 1 to 9).

A :class:`Game` is a value. The content is verified: signatures, order, openings, reveals, dice, legality and every
state hash.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import field, replace
from typing import Any

from kursk_pbem.errors import EarlyError, FileError, OutdatedError, RulesError, TrustError, UsageError, Violation
from kursk_pbem.formats import schema
from kursk_pbem.formats.canonical import REFEREE
from kursk_pbem.formats.strictyaml import Document
from kursk_pbem.formats.text import show
from kursk_pbem.frozen import frozen
from kursk_pbem.game import folders, pins, scenarios
from kursk_pbem.kernel import given
from kursk_pbem.kernel.adjudicate import Adjudication, adjudicate, keep_position
from kursk_pbem.kernel.orders import Filing, filing
from kursk_pbem.kernel.ruleset import Ruleset, Stage, Verdict
from kursk_pbem.kernel.state import OVER, State, from_plain
from kursk_pbem.kernel.words import party
from kursk_pbem.report.luck import Luck
from kursk_pbem.trust import chains, commit, referee
from kursk_pbem.trust.chains import Chain
from kursk_pbem.trust.messages import Message
from kursk_pbem.trust.referee import Papers

CHOICE_FIELDS = ("choice", "waive", "orders", "decisions", "policy", "seal")


@frozen
class SeedDice:
    """The dice of one message. ``seed``: the number from which the dice follow. ``seq``: the message's number."""

    seed: bytes = field(repr=False)
    seq: int

    def roll(self, label: str, n: int) -> str:
        """Return the digits of ``n`` dice. ``label``: the name of the roll (protocol 3.2)."""
        return commit.roll_dice(self.seed, label, n)


@frozen
class Game:
    """A game at one moment: after the messages verified so far."""

    ruleset: Ruleset
    setting: Any
    chain: Chain
    state: State  # the position after the last message
    luck: Luck
    rolled: bool = False  # whether dice were rolled
    resigned: str = ""  # the side that resigned, or ''
    declined: frozenset[tuple[str, str]] = frozenset()  # (side, turn) of the declined offers
    papers: Papers = field(default=referee.NONE, repr=False)  # the referee's papers
    what_if: int | None = None  # in a what-if game, the last message of the real game

    @property
    def version(self) -> int:
        """The version of the adjudication (the program's decisions) that message 0 sets for the game."""
        return int(self.chain.head["ruleset"]["version"])

    @property
    def over(self) -> bool:
        """Whether the game has ended, so that no further message is valid."""
        return self.played_out or self.papers.forfeit is not None

    @property
    def played_out(self) -> bool:
        """Whether a message ended the game. False if a referee's forfeit ended the game."""
        return self.chain.ended or self.state.stage == OVER

    @property
    def stage(self) -> Stage:
        """The stage that the next message plays."""
        return self.ruleset.play.stages(self.setting)[self.state.stage]

    @property
    def brings(self) -> str:
        """The content of the next message in words.

        After a declined offer, the side that offered has only choices left: its dice were in the offer.
        """
        stage = self.stage
        if not self.chain.declined or (stage.phases and not stage.split):
            return stage.brings
        return stage.split.left if stage.split else "no choice is left"

    @property
    def due(self) -> str:
        """The writer of the next message in words, such as 'the German side'."""
        writer = self.chain.writer(self.chain.next_seq)
        return party(writer, writer.capitalize())

    @property
    def hands_on(self) -> bool:
        """Whether the referee's next message has no dice, but only names the side that writes after it."""
        chain = self.chain
        if not chain.refereed or chain.writer(chain.next_seq) != REFEREE:
            return False
        return bool(chain.offer or chain.declined) or self.ruleset.writer(self.setting, self.state) != REFEREE

    @property
    def mails_to_come(self) -> tuple[int, int]:
        """The least and greatest number of messages to the end of the turn. Decisions during the dice do not count."""
        if self.over:
            return 0, 0
        low, high = self.ruleset.mails_to_come(self.setting, self.state.stage)
        more = int(self.hands_on)
        if self.chain.offer:  # if the offer is declined
            more += 2 if self.chain.refereed else 1
        return low + more, high + more

    def name_next_writer(self, after: State) -> str:
        """Return the side that the referee must name as the next writer, or '' if the game is over after this message.

        ``after``: the position after the referee's message.
        """
        if self.chain.offer:
            return self.ruleset.other(self.chain.offerer)
        return "" if after.stage == OVER else after.side

    @property
    def verdict(self) -> Verdict | None:
        """The result of the game; ``None`` before the end."""
        if new := self.chain.agreed.get("game", ""):
            told = f"Play continues in another game, {folders.folder_name(new)}, as both sides agreed"
            return Verdict("", "successor", told)
        if self.papers.forfeit is not None:
            loser = self.papers.forfeit.text("side")
            winner, due = self.ruleset.other(loser), self.papers.forfeit
            missed = f"did not answer message {due.seq} by {due.text('due')}, as the referee has declared"
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
        """The names of ruleset and scenario, and a remark if this is a what-if game."""
        title = scenarios.full_title(self.ruleset, str(self.setting.scenario.title))
        return title if self.what_if is None else f"What if: {title}"


def check_choices(content: Mapping[str, Any], ruleset: Ruleset, document: Document) -> None:
    """Check the choices in a message by the ruleset's schema. Raises FileError with every mistake and its line."""
    schema.check({key: content[key] for key in CHOICE_FIELDS if key in content}, ruleset.schema, document)


def begin(message: Message, what_if: int | None = None) -> Game:
    """Begin a game with its message 0: check chain, ruleset, version, scenario, options and first position.

    ``what_if``: for a what-if game, the number of the last message of the real game; None for a real game.
    """
    chain = chains.start_chain(message, what_if)
    head = message.content
    ruleset = _find_ruleset(message, chain)
    setting = _load_setting(ruleset, message, message.text("dice-from"))
    if what_if is not None:
        message.check_position()
        state = from_plain(message.state or {}, str(message.where("state")))
        if state.stage not in ruleset.play.stages(setting) or ruleset.play.invariants(setting, state):
            raise FileError("the position of the what-if game is impossible", message.where("state"))
        return Game(ruleset, setting, chain, state, Luck(), what_if=what_if)
    first = scenarios.make_first_position(ruleset, setting)
    if message.sender != (proposer := ruleset.proposer(setting, first)) and "continues" not in head:
        raise TrustError(
            "head",
            f"in {ruleset.id} the {proposer} side proposes, because the other side makes the first choice",
            message.where("from"),
        )
    state = _read_agreed_position(ruleset, setting, message) if "continues" in head else first
    if head["state-out"] != state.sha256():
        raise TrustError("state", "the first position differs from the scenario", message.where("state-out"))
    message.check_position()
    if chain.writer(1) != state.side:
        why = f"the {state.side} side owes the next choice and must accept first"
        raise TrustError("head", why, message.where("next" if chain.refereed else "from"))
    return Game(ruleset, setting, chain, state, Luck())


def _find_ruleset(message: Message, chain: Chain) -> Ruleset:
    """Return the ruleset that message 0 names; check version, sides and options."""
    try:
        ruleset = pins.find_rules(message.mapping("ruleset"))
    except EarlyError as error:
        raise EarlyError(error.message, message.where("ruleset", "version")) from None
    except OutdatedError as error:
        raise OutdatedError(error.message, message.where("ruleset", "package")) from None
    except UsageError as error:
        raise FileError(error.message, message.where("ruleset", "id")) from None
    version = message.mapping("ruleset")["version"]
    if version not in ruleset.versions:
        raise FileError(
            f"the game is played by version {version} of {ruleset.id}, but this program has versions up to "
            f"{ruleset.version}; use a release of kursk-pbem with version {version}",
            message.where("ruleset", "version"),
        )
    if {side for side in chain.keys if side != REFEREE} != set(ruleset.sides):
        raise TrustError("head", f"the sides of {ruleset.id} are {', '.join(ruleset.sides)}", message.where("keys"))
    options = {option.key: option.values for option in ruleset.options}
    for named, value in message.mapping("options").items():
        if value not in options.get(named, ()):
            known = "; ".join(f"{option.key}: {option.shown}" for option in ruleset.options)
            why = f"{ruleset.id} has no option {show(named)}: {show(str(value))}; the options are {known}"
            raise FileError(why, message.where("options", named))
    if given.KEY in message.mapping("options") and "handicap" in message.content.get("tournament", {}):
        why = "a game has either points given or the handicap of a bid; leave the option 'given' out"
        raise FileError(why, message.where("options", given.KEY))
    return ruleset


def _read_agreed_position(ruleset: Ruleset, setting: Any, message: Message) -> State:
    """Return the first position of a successor game (2.10) from the message.

    Only the files of both games can show whether the earlier game had the position.
    """
    if message.state is None:
        why = "the game begins from an agreed position, but the file lacks the position: ask for the whole file"
        raise FileError(why, message.where("continues"))
    state = from_plain(message.state, str(message.where("state")))
    first = ruleset.data.resume(setting, state)
    if isinstance(first, str):
        raise TrustError("state", f"no game can begin from this position: {first}", message.where("state"))
    if first != state:
        why = "no game can begin from the position: sealed or due items there belong to another game"
        raise TrustError("state", why, message.where("state"))
    return first


def _load_setting(ruleset: Ruleset, message: Message, dice: str) -> Any:
    pinned, name = message.mapping("scenario"), message.mapping("names").get(message.sender)
    who = f"{show(str(name))}, the proposer," if name else f"The {message.sender}, the proposer,"
    try:
        scenario = scenarios.load(pinned["id"], pinned["sha256"], who)
    except OutdatedError as error:
        raise OutdatedError(error.message, message.where("scenario", "sha256")) from None
    except UsageError as error:
        raise FileError(error.message, message.where("scenario", "id")) from None
    if scenario.ruleset != ruleset.id:
        raise TrustError("head", f"{scenario.id} is no scenario of {ruleset.id}", message.where("scenario"))
    return scenarios.make_setting(ruleset, scenario, message.mapping("options"), dice)


def extend(game: Game, message: Message) -> tuple[Game, Adjudication]:
    """Return the game with one more message. The checks are in the order of protocol 2.6.

    Raises FileError (form of the choices), TrustError, or RulesError with every violation and its line.
    """
    if game.over:
        how = f" ({game.verdict.text})" if game.papers.forfeit is not None and game.verdict else ""
        raise TrustError("order", f"the game is over{how}; no message is valid any more", message.where("seq"))
    check_choices(message.content, game.ruleset, message.document)
    chain = game.chain.extend(message)
    if message.seq <= (game.what_if or 0):
        return replace(game, chain=chain), keep_position(game.state)
    if message.type == "offer" and (message.sender, game.state.turn) in game.declined:
        why = f"an offer of {message.sender} was declined in this turn already; wait for the next turn"
        raise TrustError("order", why, message.where("type"))
    result = _adjudicate_message(game, chain, message)
    _check_dice(message, result.dice)
    _check_result(game, message, result)
    message.check_position()  # last, because a damaged copy does not accuse the sender
    resigned = message.sender if message.type == "resign" else ""
    declined = game.declined | {(chain.declined, game.state.turn)} if chain.declined else game.declined
    luck, rolled = game.luck.add(result.rolled), game.rolled or bool(result.dice)
    played = replace(game, chain=chain, state=result.after, luck=luck, rolled=rolled)
    return replace(played, resigned=resigned, declined=declined), result


def _adjudicate_message(game: Game, chain: Chain, message: Message) -> Adjudication:
    """Adjudicate a message. ``chain``: the chain with this message."""
    if message.type == "reply" or game.hands_on:
        return keep_position(game.state)
    dice = SeedDice(chain.seed(message.seq), message.seq) if chain.may_roll(message.seq) else None
    orders = replace(filing(message.content), reveal=chain.reveals)
    return _check_version(game, adjudicate(game.ruleset, game.setting, game.state, orders, dice), message)


def _check_version(game: Game, result: Adjudication, message: Message | None = None) -> Adjudication:
    """Return the result. Raises OutdatedError if the game's pinned adjudication decides differently (decision 44)."""
    since, rule = result.since
    if since <= game.version:
        return result
    raise OutdatedError(
        f"the game began under adjudication {game.version} of {game.ruleset.id}. Adjudication {since} decides {rule} "
        f"differently here; no side did wrong. Play and verify the game with the newest release with adjudication "
        f"{game.version} (docs/decisions/0044)",
        # the place is needed only here, because finding it means reading the file again
        message.where() if message else None,
    )


def _check_result(game: Game, message: Message, result: Adjudication) -> None:
    """2.6, steps 8 and 9: check the message's results and the legality of the orders."""
    if message.type == "offer" and result.pending is not None:
        raise TrustError("order", "the dice stop for a decision: the message cannot be an offer", message.where("type"))
    if message.type == "offer" and result.after.stage == OVER:
        raise TrustError("order", "the dice end the game: the message cannot be an offer", message.where("type"))
    if message.content.get("pending") != result.pending:
        raise TrustError("dice", "'pending' must name the decision for which the dice stop", message.where("pending"))
    if message.text("state-in") != result.middle.sha256():
        raise TrustError("state", "state-in is not the hash of the position after the dice", message.where("state-in"))
    if result.violations:
        raise RulesError(locate_violations(result.violations, message.document), message.sender, received=True)
    if message.text("state-out") != result.after.sha256():
        raise TrustError("state", "state-out is not the hash of the position after orders", message.where("state-out"))
    named = game.name_next_writer(result.after) if game.chain.refereed and message.sender == REFEREE else ""
    if message.content.get("next", "") != named:
        due = named or "empty, because the rules have ended the game"
        raise TrustError("state", f"'next' names the wrong side, and must be {due}", message.where("next"))


def _check_dice(message: Message, rolled: Mapping[str, str]) -> None:
    """2.6, step 7: check that the message has exactly the required dice with the values of the seed."""
    written = message.mapping("dice")
    for label in sorted({*written, *rolled}):
        given, right = written.get(label), rolled.get(label)
        if given == right:
            continue
        if right is None:
            raise TrustError("dice", f"the rules roll no die {label} here", message.where("dice", label))
        if given is None:
            raise TrustError("dice", f"the die {label} is missing", message.where("dice"))
        raise TrustError("dice", f"the die {label} is {given}, and must be {right}", message.where("dice", label))


def locate_violations(violations: Iterable[Violation], document: Document) -> tuple[Violation, ...]:
    """Return the violations with file and line of the order, sorted by line."""
    located = [replace(violation, where=document.where(violation.path)) for violation in violations]
    return tuple(sorted(located, key=lambda violation: violation.where.line if violation.where else 0))


def preview(game: Game, opening: bytes | None, orders: Filing) -> Adjudication:
    """Return what orders would do before they are signed. ``opening``: the writer's secret for the dice, if known."""
    seq = game.chain.next_seq
    dice = None
    if opening is not None and game.chain.may_roll(seq):
        dice = SeedDice(game.chain.seed_with(opening), seq)
    return _check_version(game, adjudicate(game.ruleset, game.setting, game.state, orders, dice))
