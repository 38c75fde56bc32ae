"""Both sides of a game at one chain, without disk or journal, and what each of them can compute of dice to come.

Every message is the program's own: canonical, signed, opened and committed by ``commit``, and taken by
``game.extend`` as one that comes by mail. For the tests of freshness (protocol 2.4).
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, field, replace
from fractions import Fraction
from types import MappingProxyType
from typing import Any
from unittest import mock

from helpers.signing_desk import SIGNERS
from kursk_pbem.desk import desks
from kursk_pbem.errors import RulesError, TrustError
from kursk_pbem.formats.canonical import canon
from kursk_pbem.game import games
from kursk_pbem.game.games import Game
from kursk_pbem.kernel.adjudicate import Adjudication, keep_position
from kursk_pbem.kernel.orders import Filing, filing
from kursk_pbem.kernel.ruleset import Phase, Ruleset, Stage
from kursk_pbem.kernel.state import State
from kursk_pbem.report.text import Luck
from kursk_pbem.trust import chains, commit, messages, sshsig
from kursk_pbem.trust.chains import Chain
from kursk_pbem.trust.messages import Message

FIRST = 3  # the first message that may roll, offer or resign (2.3)
FACES = "123456"
Content = dict[str, Any]


def digest(*words: object) -> bytes:
    """32 bytes that follow from words: all randomness of these tests."""
    return hashlib.sha256("/".join(map(str, words)).encode("ascii")).digest()


@dataclass(frozen=True)
class Draft:
    """A message not yet signed. ``seals``: label -> {salt, value} of what it hides; ``result``: what it does."""

    content: Content
    seals: Mapping[str, Any]
    result: Adjudication
    following: bytes

    @property
    def id(self) -> str:
        """The id it would have: the signature is no part of it."""
        return hashlib.sha256(canon(self.content)).hexdigest()


@dataclass(frozen=True)
class Sitting:
    """A game and what its sides keep to themselves. A value: a branch can be tried and dropped.

    ``secrets`` by side, as of 3.7; ``chosen``: openings that somebody committed to instead of the derived ones;
    ``kept``: side -> label -> {salt, value} of its outstanding seals.
    """

    game: Game
    secrets: Mapping[str, bytes]
    mailed: tuple[Message, ...]
    chosen: Mapping[int, bytes] = field(default_factory=dict)
    kept: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)

    @property
    def chain(self) -> Chain:
        return self.game.chain

    @property
    def seq(self) -> int:
        return self.chain.next_seq

    @property
    def due(self) -> str:
        """Who writes next."""
        return self.chain.writer(self.seq)

    def opening(self, k: int) -> bytes:
        """r_k of the side that writes message k, which is due or comes two later."""
        if k in self.chosen:
            return self.chosen[k]
        secret = self.secrets[self.chain.writer(k)]
        return digest("first opening", secret.hex()) if k == 1 else desks.derive_opening(self.chain, secret, k)

    def duties(self) -> Adjudication:
        """What the next message does before its writer chooses: he can compute it, nobody else."""
        values = {label: entry["value"] for label, entry in self.kept.get(self.due, {}).items()}
        return games.preview(self.game, self._known(), Filing(self.seq, self.due, reveal=values, resigns=True))

    def _known(self) -> bytes | None:
        return self.opening(self.seq) if self.seq > 1 else None

    def draft(self, choices: Mapping[str, Any] | None = None, kind: str = "turn", following: bytes = b"") -> Draft:
        """The next message with these choices (``seal`` in the clear, ``note`` too), right in all that is not chosen.

        ``following`` is the opening to commit to, if not the derived one.
        """
        choices = dict(choices or {})
        k, chain, opening = self.seq, self.chain, self.opening(self.seq)
        prev = bytes.fromhex(chain.head_id)
        following = following or commit.next_opening(self.secrets[self.due], k + 2, prev, opening)
        content: Content = {
            "kursk-pbem": "1",
            "type": "accept" if k == 1 else kind,
            "game": chain.game,
            "seq": str(k),
            "from": self.due,
            "prev": chain.head_id,
            "open": opening.hex(),
            "commit": commit.commit_to_opening(chain.nonce, k + 2, following).hex(),
        }
        replies = kind == "reply"
        reveal = {} if replies else dict(self.kept.get(self.due, {}))
        orders, plans = self.game.ruleset.seal(self.game.setting, choices.pop("orders", {}), k)
        seals = {}
        for label, value in {**choices.pop("seal", {}), **plans}.items():
            salt = commit.derive_salt(self.secrets[self.due], chain.nonce, k, prev, opening, label)
            seals[label] = {"salt": salt.hex(), "value": value}
        secret = {label: self._hash(label, entry) for label, entry in seals.items()}
        more = {"reveal": reveal, "orders": orders, "secret": secret, **choices}
        content |= {key: value for key, value in more.items() if value}
        values = {label: entry["value"] for label, entry in reveal.items()}
        asked = replace(filing(content), reveal=values)
        result = keep_position(self.game.state) if replies else games.preview(self.game, self._known(), asked)
        fields = {"dice": dict(sorted(result.dice.items())), "pending": result.pending}
        content |= {key: value for key, value in fields.items() if value}
        content |= {"state-in": result.middle.sha256(), "state-out": result.after.sha256()}
        return Draft(content, seals, result, following)

    def _hash(self, label: str, entry: Mapping[str, Any]) -> str:
        salt = bytes.fromhex(entry["salt"])
        return commit.choice_hash(self.chain.nonce, self.seq, label, salt, entry["value"]).hex()

    def post(self, draft: Draft) -> Sitting:
        """The game with this message signed and taken by the other side; raises what that side raises."""
        message = signed(draft.content)
        side = message.sender
        game, _result = games.extend(self.game, message)
        kept = self.kept if message.type == "reply" else {**self.kept, side: draft.seals}
        chosen = {**self.chosen, self.seq + 2: draft.following}
        return replace(self, game=game, mailed=(*self.mailed, message), kept=kept, chosen=chosen)

    def turn(self, choices: Mapping[str, Any] | None = None, kind: str = "turn") -> Sitting:
        """Drafted and posted."""
        return self.post(self.draft(choices, kind))


def signed(content: Content) -> Message:
    """A content as it stands, signed by the side that it says it is from."""
    armour = SIGNERS[content["from"]].sign(sshsig.NAMESPACE, canon(content))
    return messages.read_archive(canon(content), armour, "a message")


def taken(sitting: Sitting, draft: Draft) -> bool:
    """Whether the other side takes this."""
    try:
        return bool(sitting.post(draft))
    except (TrustError, RulesError):
        return False


NO_TAGS: Mapping[str, object] = MappingProxyType({})


def begin(
    ruleset: Ruleset, setting: Any, state: State, tag: object = "", tags: Mapping[str, object] = NO_TAGS
) -> Sitting:
    """A game whose message 1 is due, from ``state``, in which the side writes that is not the ruleset's proposer.

    All nonces follow from ``tag``, those of one side from its entry in ``tags`` if it has one.
    """
    proposer = ruleset.other(state.side)
    secrets = {side: digest("secret", side, tags.get(side, tag)) for side in ruleset.sides}
    nonce = digest("nonce", tag)
    second = commit.next_opening(secrets[proposer], 2, commit.NO_PREV, nonce)
    first = signed(
        {
            "kursk-pbem": "1",
            "type": "propose",
            "seq": "0",
            "from": proposer,
            "commit": commit.commit_to_opening(nonce, 2, second).hex(),
            "nonce": nonce.hex(),
            "dice-from": "players",
            "keys": {side: SIGNERS[side].public for side in ruleset.sides},
            "names": dict.fromkeys(ruleset.sides, "x"),
            "ruleset": {"id": ruleset.id, "version": str(ruleset.version)},
            "scenario": {"id": f"{ruleset.id}/test", "sha256": "0" * 64},
            "options": {},
            "state-out": state.sha256(),
        }
    )
    return Sitting(Game(ruleset, setting, chains.start_chain(first), state, Luck()), secrets, (first,))


# What can be known


def strings(value: Any) -> Iterator[bytes]:
    """Every text of 32 bytes in hex that stands anywhere in a message, a note among it."""
    if isinstance(value, str):
        yield from map(bytes.fromhex, re.findall(r"(?<![0-9a-f])[0-9a-f]{64}(?![0-9a-f])", value))
    elif isinstance(value, dict):
        for inner in value.values():
            yield from strings(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from strings(inner)


class Knowledge:
    """What one party can compute: every seed of a secret that it knows and the id of a message that it has.

    ``secrets`` and ``ids`` with the moment from which on they are known: the number of the first message that this
    party could write in sight of them.
    """

    def __init__(self) -> None:
        self.secrets: dict[bytes, int] = {}
        self.ids: dict[bytes, int] = {}
        self._computed: tuple[int, int] = 0, 0
        self._since: dict[bytes, int] = {}
        self._tried: dict[tuple[int, bytes | None], tuple[int, bytes | None]] = {}

    def learn(self, secret: bytes, moment: int) -> None:
        """A secret: one's own, or whatever in a mail might be one."""
        self.secrets.setdefault(secret, moment)

    def see(self, mid: str, moment: int) -> None:
        """The id of a message, mailed or only thought of."""
        self.ids.setdefault(bytes.fromhex(mid), moment)

    def hear(self, message: Message) -> None:
        """A message that was mailed."""
        for found in strings(message.content):
            self.learn(found, message.seq + 1)
        self.see(message.id, message.seq + 1)

    @property
    def since(self) -> Mapping[bytes, int]:
        """Every seed that can be computed, with its moment."""
        secrets, ids = list(self.secrets.items()), list(self.ids.items())
        old_secrets, old_ids = self._computed
        self._computed = len(secrets), len(ids)
        for number, (secret, heard) in enumerate(secrets):
            for mid, seen in ids[old_ids if number < old_secrets else 0 :]:
                moment, seed = max(heard, seen), commit.derive_seed(secret, mid)
                self._since[seed] = min(moment, self._since.get(seed, moment))
        return self._since

    def opens(self, nonce: bytes, k: int, commitment: bytes | None) -> bytes | None:
        """r_k, if it is among what this party knows: the commitment to it is public."""
        known, found = self._tried.get((k, commitment), (0, None))
        if found is None and known < len(self.secrets):
            left = list(self.secrets)[known:]
            found = next((each for each in left if commit.commit_to_opening(nonce, k, each) == commitment), None)
            self._tried[k, commitment] = len(self.secrets), found
        return found


class Watch:
    """Keeps the knowledge of all parties along a game."""

    def __init__(self, mailed: Sequence[Message]) -> None:
        self.parties = {side: Knowledge() for side in mailed[0].mapping("keys")}
        for message in mailed:
            self.mailed(message)

    def mailed(self, message: Message) -> None:
        """Everybody reads what is mailed."""
        for party in self.parties.values():
            party.hear(message)

    def thinks(self, sitting: Sitting, drafts: Sequence[Draft]) -> Knowledge:
        """The side that is due thinks of what it may write; it knows all openings of its own, these too."""
        party, k = self.parties[sitting.due], sitting.seq
        party.learn(sitting.opening(k), k)
        for draft in drafts:
            party.learn(draft.following, k)
        return party

    def tries(self, sitting: Sitting, drafts: Sequence[Draft]) -> Knowledge:
        """The same, and computes every seed that each of them could lead to."""
        party = self.thinks(sitting, drafts)
        for draft in drafts:
            party.see(draft.id, sitting.seq)
        return party


def foresight(chain: Chain, watch: Watch) -> list[str]:
    """Seeds that somebody could compute before a message of his own was written; none if all is well.

    Also a seed that its opener could not compute in time: then these eyes are blind, and find nothing anywhere.
    """
    found = []
    for k in (k for k in range(FIRST, chain.next_seq) if chain.openings[k] is not None):
        for side, party in watch.parties.items():
            opener = chain.writer(k) == side
            since = party.since.get(chain.seed(k))
            if since is None or since < k + (not opener):
                found.append(f"seed {k} is in {side}'s sight since message {since}")
            elif since > k + (not opener):
                found.append(f"seed {k} came in {side}'s sight as late as message {since}")
    return found


def overheard(messages: Sequence[Message]) -> tuple[Chain, Watch]:
    """A whole game as it was mailed, read again by both: each knows all along what he opens later."""
    chain, watch = chains.start_chain(messages[0]), Watch(messages[:1])
    openings = [message.content.get("open", "") for message in messages]
    for message in messages[1:]:
        for opened in filter(None, (openings[message.seq], *openings[message.seq + 2 : message.seq + 3])):
            watch.parties[message.sender].learn(bytes.fromhex(str(opened)), message.seq)
        chain = chain.extend(message)
        watch.mailed(message)
    return chain, watch


# What can be chosen


class Blind:
    """A filing of which only that can be read in which its writer has no choice."""

    def __init__(self, filing_: Filing) -> None:
        self.seq, self.writer, self.reveal = filing_.seq, filing_.writer, filing_.reveal

    def __getattr__(self, name: str) -> Any:
        raise AssertionError(f"a duty reads {name}, which its writer chooses with his dice in sight")


def blinded(ruleset: Ruleset) -> Ruleset:
    """The same rules, whose reveals and dice fail as soon as they look at a choice of the message they stand in."""

    def blind(phase: Phase) -> Phase:
        return replace(phase, run=lambda umpire, filing_: phase.run(umpire, Blind(filing_)))

    def duties(stage: Stage) -> Stage:
        return replace(stage, duties=tuple(map(blind, stage.duties)))

    def stages(setting: Any) -> dict[str, Stage]:
        return {key: duties(stage) for key, stage in ruleset.play.stages(setting).items()}

    return replace(ruleset, play=replace(ruleset.play, stages=stages))


# All ways in which dice can fall


class _MoreDiceError(Exception):
    """A play asks for another die than its tape holds."""


@contextmanager
def _falling(tape: str) -> Iterator[None]:
    """Each die of a seed and label is the next face of the tape, and stays what it is."""
    fallen: dict[tuple[bytes, str], str] = {}

    def dice(seed: bytes, label: str, n: int) -> str:
        assert n == 1
        if (seed, label) not in fallen:
            if len(fallen) == len(tape):
                raise _MoreDiceError
            fallen[seed, label] = tape[len(fallen)]
        return fallen[seed, label]

    with mock.patch.object(commit, "roll_dice", dice):
        yield


def no_dice() -> AbstractContextManager[None]:
    """In here nobody may ask for a die."""
    return _falling("")


def distribution(play: Callable[[], Any]) -> dict[Any, Fraction]:
    """The exact distribution of what a play comes to, if every die that anybody asks for is fair: outcome -> chance.

    The hash behind the dice is taken for what it should be, a function whose values nobody knows without asking; the
    play runs once for every way in which all that is asked, also by one who thinks ahead, can fall.
    """
    found: dict[Any, Fraction] = {}
    tapes = [""]
    while tapes:
        tape = tapes.pop()
        try:
            with _falling(tape):
                outcome = play()
        except _MoreDiceError:
            tapes += [tape + face for face in FACES]
        else:
            found[outcome] = found.get(outcome, Fraction(0)) + Fraction(1, 6 ** len(tape))
    assert sum(found.values()) == 1
    return found
