"""Fraud proofs (protocol 2.8): which messages convict a sender, and why the other messages do not.

Each message is judged separately from the sender's last message on: commitments, seals and, with the position before,
the rules. Two valid messages with one number convict their sender. Only valid signatures by the keys of message 0
count, so unsigned content convicts no side.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import field, replace

from kursk_pbem.audit import single_step
from kursk_pbem.audit.forfeits import find_first
from kursk_pbem.errors import EarlyError, FileError, KurskError, OutdatedError, RulesError, TrustError
from kursk_pbem.frozen import frozen
from kursk_pbem.game import games, histories
from kursk_pbem.game.games import Game
from kursk_pbem.game.pins import NOT_DECIDED
from kursk_pbem.kernel.state import State
from kursk_pbem.trust import chains, fragment, sshsig
from kursk_pbem.trust.chains import Chain
from kursk_pbem.trust.messages import Message

CLAIMS = {"opening": "a false opening", "dice": "false dice", "reveal": "a false reveal", "state": "false results"}
"""The possible claims of fraud, each with its description."""


@frozen
class Conviction:
    """A side convicted of a fraud (a key of CLAIMS) in one message. ``evidence``: the messages after message 0.

    The last message is false. ``before``: the position before the false message, if the claim needs the rules.
    """

    head: Message
    side: str
    claim: str
    why: str
    evidence: tuple[Message, ...]
    before: State | None = field(default=None, repr=False)

    @property
    def game(self) -> str:
        """The id of the game, which is the id of message 0."""
        return self.head.id

    @property
    def seq(self) -> int:
        """The number of the false message."""
        return self.evidence[-1].seq


@frozen
class Outcome:
    """The convictions, at most one for each message number. ``reasons``: why other faulty messages convict no side."""

    convictions: tuple[Conviction, ...]
    reasons: tuple[str, ...]
    ruleless: bool = False  # a message is undecided because its rules are not here
    early: frozenset[str] = frozenset()  # the games from before release 1.0


def judge_messages(messages: Iterable[Message]) -> Outcome:
    """Return the convictions that messages prove. The messages can be from several games, in any order, with copies.

    Raises EarlyError if all the games are from before release 1.0.
    """
    by_game: dict[str, list[Message]] = {}
    for message in messages:
        by_game.setdefault(message.game, []).append(message)
    convictions: list[Conviction] = []
    reasons, ruleless, early = list[str](), False, dict[str, EarlyError]()
    for name, members in sorted(by_game.items()):
        heads = sorted(
            (message for message in members if message.seq == 0),
            key=lambda message: single_step.read_position(message) is None,
        )
        head = find_first(heads)
        try:
            if head is None:
                for bad in heads:
                    chains.start_chain(bad)  # raises the reason
                reasons.append(f"game {name[:16]}: message 0 is missing; give message 0, with the keys")
                continue
            bench = _Bench(head, members)
        except EarlyError as error:
            early[name] = error
            reasons.append(f"game {name[:16]}: {error}")
            continue
        except KurskError as error:
            reasons.append(f"game {name[:16]}: {error}")
            continue
        bench.judge_all()
        convictions += bench.convictions()
        reasons += bench.reasons
        ruleless = ruleless or NO_RULES in bench.found.values()
    if early and len(early) == len(by_game):
        raise next(iter(early.values()))
    return Outcome(tuple(convictions), tuple(reasons), ruleless, frozenset(early))


GOOD, VOID, FALSE, OPEN, NO_RULES = "good", "void", "false", "open", "no rules"
"""The judgements on a message: valid, void, fraudulent, or undecidable without more messages or other rules."""


class _Bench:
    """The messages of one game and their judgements."""

    def __init__(self, head: Message, members: Sequence[Message]) -> None:
        self.head = head
        self.first: Chain = chains.start_chain(head)
        self.reasons: list[str] = []
        self.begun: Game | None = None
        self.no_rules = ""
        try:
            agreed = "continues" in head.content  # a successor game begins with the position in the message
            self.begun = games.begin(head if agreed else replace(head, state=None))
        except EarlyError:
            raise
        except KurskError as error:
            self.no_rules = error.message
        self.known: dict[str, Message] = {head.id: head}
        self.found: dict[str, str] = {head.id: GOOD}
        self.positions: dict[str, State] = {}
        self.lies: list[Conviction] = []
        if self.begun is not None:
            self.positions[head.id] = self.begun.state
        for message in sorted(members, key=lambda message: (message.seq, message.id)):
            self._admit(message)

    def _admit(self, message: Message) -> None:
        """Add a message with a valid signature of the right writer; of several copies, a copy with the position."""
        if message.seq == 0:
            return  # the valid copy is known already; a badly signed copy counts nothing
        name = message.document.name
        if not self.first.may_write(message.seq, message.sender):
            self.reasons.append(f"{name}: message {message.seq} is not {message.sender}'s to write")
            return
        try:
            sshsig.verify(self.first.keys[message.sender], sshsig.NAMESPACE, message.signed, message.armour)
        except TrustError as error:
            self.reasons.append(f"{name}: {error.message}")
            return
        if message.id not in self.known or single_step.read_position(self.known[message.id]) is None:
            self.known[message.id] = message

    def judge_all(self) -> None:
        """Judge every message in order of numbers."""
        for message in sorted(self.known.values(), key=lambda message: (message.seq, message.id)):
            if message.seq:
                judgement, why = self._judge(message)
                self.found[message.id] = judgement
                if why and judgement != FALSE:
                    self.reasons.append(f"{message.document.name}: message {message.seq} of {message.sender}: {why}")

    def _judge(self, message: Message) -> tuple[str, str]:
        """Return the judgement of a message, and the reason if the message is not valid."""
        run, missing = self._run(message)
        if run and self.found.get(run[-1].id) == VOID:
            return VOID, f"void, because message {message.seq - 1} is void"
        if missing:
            return OPEN, f"not decided: {missing}"
        try:
            chain = fragment.follow_run(self.first, run)
            claim, why = fragment.find_lie(chain, message)
        except KurskError as error:
            return OPEN, f"not decided, because of an earlier message: {error.message}"
        if claim:
            return self._convict(message, claim, why, run)
        try:
            chain.extend(message)
        except KurskError as error:
            # an offer or reply that changes the position
            if not (isinstance(error, TrustError) and error.fault == "state"):
                return VOID, f"refused on arrival, but no fraud: {error.message}"
        if self.begun is None:
            rest = "is" if self.no_rules.startswith(NOT_DECIDED) else "needs the rules:"
            return NO_RULES, f"opening and dice hold; the rest {rest} {self.no_rules}"
        if message.type == "offer":
            return self._judge_offer(self.begun, message)
        return self._judge_by_rules(self.begun, run, message)

    def _judge_offer(self, begun: Game, message: Message) -> tuple[str, str]:
        """Judge an offer. A side may have only one declined offer in a turn."""
        run, missing = self._run(message, whole=True)
        places = [(message, self._position(message)) for message in run if message.content.get("reply") == "decline"]
        if missing or any(place is None for _reply, place in places):
            why = missing or "the position after a reply is missing"
            return OPEN, f"not decided: an offer of {message.sender} may have been declined in this turn, and {why}"
        declined = {(begun.ruleset.other(reply.sender), place.turn) for reply, place in places if place}
        return self._judge_by_rules(replace(begun, declined=frozenset(declined)), run, message)

    def _judge_by_rules(self, begun: Game, run: Sequence[Message], message: Message) -> tuple[str, str]:
        state = self._before(message)
        if state is None:
            return OPEN, (
                f"opening and dice hold; the rest needs the position before: give message "
                f"{message.seq - 1} with the position, or every message from 0 on"
            )
        try:
            result = single_step.adjudicate(begun, run, state, message)
        except RulesError as error:
            first = error.violations[0]
            return VOID, f"the orders break the rules ([{first.rule}] {first.message}): void, no fraud"
        except TrustError as error:
            if error.fault in ("dice", "state"):
                return self._convict(message, "state", error.message, run, state)
            return VOID, f"refused on arrival, but no fraud: {error.message}"
        except OutdatedError as error:
            return NO_RULES, f"opening and dice hold; the rest needs another release: {error.message}"
        except FileError as error:
            return VOID, f"refused on arrival, but no fraud: {error.message}"
        self.positions[message.id] = result.after
        return GOOD, ""

    def _convict(
        self, message: Message, claim: str, why: str, run: Sequence[Message], state: State | None = None
    ) -> tuple[str, str]:
        self.lies.append(Conviction(self.head, message.sender, claim, why, (*run, message), state))
        return FALSE, why

    def _run(self, message: Message, *, whole: bool = False) -> tuple[tuple[Message, ...], str]:
        """Return the earlier messages needed for a judgement, and a text on missing messages, or ''.

        The messages begin with the sender's last message except replies, because that message has the sender's
        commitment and seals. A reply needs the offer before. ``whole``: all messages from 1 on, for an offer.
        """
        run: list[Message] = []
        at = message
        while at.seq > 1 and (
            whole or at is message or at.sender != message.sender or not _has_commitment(at) or _lacks_offer(run)
        ):
            before = self.known.get(str(at.content.get("prev")))
            if before is None or before.seq != at.seq - 1:
                return tuple(run), f"message {at.seq - 1} ({str(at.content.get('prev'))[:16]}) is missing"
            run.insert(0, before)
            at = before
        if at.seq == 1 and at.content.get("prev") != self.head.id:
            return tuple(run), "the message follows another message 0"
        return tuple(run), ""

    def _before(self, message: Message) -> State | None:
        """Return the position before a message."""
        return self._position(self.known[str(message.content["prev"])])

    def _position(self, message: Message) -> State | None:
        """Return the position after a message, from the rules or from the signed message."""
        return self.positions[message.id] if message.id in self.positions else single_step.read_position(message)

    def convictions(self) -> Iterator[Conviction]:
        """Yield the convictions, one for each number."""
        done: set[int] = set()
        self._note_doubles()
        for conviction in self.lies:
            if conviction.seq not in done:
                done.add(conviction.seq)
                yield conviction

    def _note_doubles(self) -> None:
        """Give the reason for each number with two valid messages: the longer line counts (protocol 2.6)."""
        valid = [message for message in self.known.values() if self.found[message.id] == GOOD]
        by_seq: dict[int, list[Message]] = {}
        for message in sorted(valid, key=lambda message: message.id):
            by_seq.setdefault(message.seq, []).append(message)
        lengths = histories.measure_lines(by_seq)
        for seq, several in sorted(by_seq.items()):
            longest = max(lengths.get((seq, message.id), 0) for message in several)
            counting = [message for message in several if lengths.get((seq, message.id), 0) == longest]
            counts = f"{counting[0].id[:16]} counts, because message {seq + 1} follows"
            counts = "the message that came first counts" if len(counting) > 1 else counts
            if len(several) > 1:
                who = " and ".join(dict.fromkeys(message.sender for message in several))
                self.reasons.append(f"message {seq} was signed {len(several)} times by {who}; {counts}: no fraud")


def _has_commitment(message: Message) -> bool:
    """Return whether a message commits the sender to an opening; a reply leaves older seals closed."""
    return message.type != "reply"


def _lacks_offer(run: Sequence[Message]) -> bool:
    """Return whether a run begins with a reply, without the offer."""
    first = next((message for message in run if message.type in ("offer", "reply")), None)
    return first is not None and first.type == "reply"


def show_fingerprint(conviction: Conviction) -> str:
    """Return the fingerprint of the key that signed the false message. No file proves who owns the key."""
    keys: Mapping[str, str] = conviction.head.mapping("keys")
    return sshsig.fingerprint(keys[conviction.side])
