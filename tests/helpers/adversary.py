"""Two sides of a game in one chain, without disk or journal, and the dice that a side can compute early.

The program signs, opens and commits the messages, and ``games.extend`` verifies them like mail. For protocol 2.4.
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
from kursk_pbem.desk.own import desks
from kursk_pbem.errors import RulesError, TrustError
from kursk_pbem.formats.canonical import canon
from kursk_pbem.game import games
from kursk_pbem.game.games import Game
from kursk_pbem.kernel.adjudicate import Adjudication, keep_position
from kursk_pbem.kernel.orders import Filing, filing
from kursk_pbem.kernel.ruleset import Phase, Ruleset, Stage
from kursk_pbem.kernel.state import State
from kursk_pbem.report.luck import Luck
from kursk_pbem.trust import chains, commit, messages, sshsig
from kursk_pbem.trust.chains import Chain
from kursk_pbem.trust.messages import Message

FIRST = 3  # the first message that may contain dice, an offer or a resignation (2.3)
FACES = "123456"
Content = dict[str, Any]


def digest(*words: object) -> bytes:
    """Return 32 bytes that depend only on the words: the randomness of these tests."""
    return hashlib.sha256("/".join(map(str, words)).encode("ascii")).digest()


@dataclass(frozen=True)
class Draft:
    """A message not yet signed. ``seals``: label -> {salt, value} of hidden choices; ``result``: the effect."""

    content: Content
    seals: Mapping[str, Any]
    result: Adjudication
    following: bytes

    @property
    def id(self) -> str:
        """The id of the signed message, because the id does not depend on the signature."""
        return hashlib.sha256(canon(self.content)).hexdigest()


@dataclass(frozen=True)
class Sitting:
    """A game and the secrets of its sides. Immutable: a test can try a branch and drop it.

    ``secrets`` by side (3.7); ``chosen``: openings committed to instead of the derived openings;
    ``kept``: side -> label -> {salt, value} of the seals not revealed yet.
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
        """The side to write the next message."""
        return self.chain.writer(self.seq)

    def opening(self, k: int) -> bytes:
        """Return r_k for the writer of message k, the due message or the message two later."""
        if k in self.chosen:
            return self.chosen[k]
        secret = self.secrets[self.chain.writer(k)]
        return digest("first opening", secret.hex()) if k == 1 else desks.derive_opening(self.chain, secret, k)

    def duties(self) -> Adjudication:
        """Return the effect of the next message before any choice; only its writer can compute the effect."""
        values = {label: entry["value"] for label, entry in self.kept.get(self.due, {}).items()}
        return games.preview(self.game, self._known(), Filing(self.seq, self.due, reveal=values, resigns=True))

    def _known(self) -> bytes | None:
        return self.opening(self.seq) if self.seq > 1 else None

    def draft(self, choices: Mapping[str, Any] | None = None, kind: str = "turn", following: bytes = b"") -> Draft:
        """Return the next message with these choices, correct in all other fields. ``seal`` and ``note`` are plain
        text.

        ``following``: the opening to commit to instead of the derived opening.
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
        """Sign a draft and verify it as the opponent; return the longer game. Raises the opponent's errors."""
        message = sign(draft.content)
        side = message.sender
        game, _result = games.extend(self.game, message)
        kept = self.kept if message.type == "reply" else {**self.kept, side: draft.seals}
        chosen = {**self.chosen, self.seq + 2: draft.following}
        return replace(self, game=game, mailed=(*self.mailed, message), kept=kept, chosen=chosen)

    def turn(self, choices: Mapping[str, Any] | None = None, kind: str = "turn") -> Sitting:
        """Draft and post a message."""
        return self.post(self.draft(choices, kind))


def sign(content: Content) -> Message:
    """Return a content unchanged, signed with the key of its ``from``."""
    armour = SIGNERS[content["from"]].sign(sshsig.NAMESPACE, canon(content))
    return messages.read_archive(canon(content), armour, "a message")


def is_accepted(sitting: Sitting, draft: Draft) -> bool:
    """Return whether the opponent accepts a draft."""
    try:
        return bool(sitting.post(draft))
    except (TrustError, RulesError):
        return False


NO_TAGS: Mapping[str, object] = MappingProxyType({})


def begin(
    ruleset: Ruleset, setting: Any, state: State, tag: object = "", tags: Mapping[str, object] = NO_TAGS
) -> Sitting:
    """Return a game from ``state`` before message 1; the opponent of ``state.side`` proposes.

    All nonces depend on ``tag``; ``tags`` may replace the tag of a side.
    """
    proposer = ruleset.other(state.side)
    secrets = {side: digest("secret", side, tags.get(side, tag)) for side in ruleset.sides}
    nonce = digest("nonce", tag)
    second = commit.next_opening(secrets[proposer], 2, commit.NO_PREV, nonce)
    first = sign(
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


# Knowledge


def find_hex_texts(value: Any) -> Iterator[bytes]:
    """Yield every 32-byte hex text in a message, including notes."""
    if isinstance(value, str):
        yield from map(bytes.fromhex, re.findall(r"(?<![0-9a-f])[0-9a-f]{64}(?![0-9a-f])", value))
    elif isinstance(value, dict):
        for inner in value.values():
            yield from find_hex_texts(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from find_hex_texts(inner)


class Knowledge:
    """The seeds that a party can compute: from each known secret and each known message id.

    ``secrets`` and ``ids`` map to the number of the first message that the party could write with the knowledge.
    """

    def __init__(self) -> None:
        self.secrets: dict[bytes, int] = {}
        self.ids: dict[bytes, int] = {}
        self._computed: tuple[int, int] = 0, 0
        self._since: dict[bytes, int] = {}
        self._tried: dict[tuple[int, bytes | None], tuple[int, bytes | None]] = {}

    def learn(self, secret: bytes, moment: int) -> None:
        """Add a secret: the party's own, or a possible secret in a mail."""
        self.secrets.setdefault(secret, moment)

    def see(self, mid: str, moment: int) -> None:
        """Add the id of a message, mailed or only planned."""
        self.ids.setdefault(bytes.fromhex(mid), moment)

    def hear(self, message: Message) -> None:
        """Add the content and id of a mailed message."""
        for found in find_hex_texts(message.content):
            self.learn(found, message.seq + 1)
        self.see(message.id, message.seq + 1)

    @property
    def since(self) -> Mapping[bytes, int]:
        """Every computable seed with its moment."""
        secrets, ids = list(self.secrets.items()), list(self.ids.items())
        old_secrets, old_ids = self._computed
        self._computed = len(secrets), len(ids)
        for number, (secret, heard) in enumerate(secrets):
            for mid, seen in ids[old_ids if number < old_secrets else 0 :]:
                moment, seed = max(heard, seen), commit.derive_seed(secret, mid)
                self._since[seed] = min(moment, self._since.get(seed, moment))
        return self._since

    def opens(self, nonce: bytes, k: int, commitment: bytes | None) -> bytes | None:
        """Return r_k if the party knows r_k; the commitment to r_k is public."""
        known, found = self._tried.get((k, commitment), (0, None))
        if found is None and known < len(self.secrets):
            left = list(self.secrets)[known:]
            found = next((each for each in left if commit.commit_to_opening(nonce, k, each) == commitment), None)
            self._tried[k, commitment] = len(self.secrets), found
        return found


class Watch:
    """The knowledge of all parties during a game."""

    def __init__(self, mailed: Sequence[Message]) -> None:
        self.parties = {side: Knowledge() for side in mailed[0].mapping("keys")}
        for message in mailed:
            self.mailed(message)

    def mailed(self, message: Message) -> None:
        """Give a mailed message to all parties."""
        for party in self.parties.values():
            party.hear(message)

    def thinks(self, sitting: Sitting, drafts: Sequence[Draft]) -> Knowledge:
        """Add the openings of possible drafts to the knowledge of the side to move."""
        party, k = self.parties[sitting.due], sitting.seq
        party.learn(sitting.opening(k), k)
        for draft in drafts:
            party.learn(draft.following, k)
        return party

    def tries(self, sitting: Sitting, drafts: Sequence[Draft]) -> Knowledge:
        """Add drafts to the knowledge of the side to move, with every seed that a draft could lead to."""
        party = self.thinks(sitting, drafts)
        for draft in drafts:
            party.see(draft.id, sitting.seq)
        return party


def find_foresight(chain: Chain, watch: Watch) -> list[str]:
    """Return the seeds that a side could compute before its own message; an empty list if all is well.

    A seed that its opener could not compute in time is listed, too: then this check is blind.
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


def replay_mails(messages: Sequence[Message]) -> tuple[Chain, Watch]:
    """Read a mailed game as both sides; each side knows its later openings from the start."""
    chain, watch = chains.start_chain(messages[0]), Watch(messages[:1])
    openings = [message.content.get("open", "") for message in messages]
    for message in messages[1:]:
        for opened in filter(None, (openings[message.seq], *openings[message.seq + 2 : message.seq + 3])):
            watch.parties[message.sender].learn(bytes.fromhex(str(opened)), message.seq)
        chain = chain.extend(message)
        watch.mailed(message)
    return chain, watch


# Choices


class Blind:
    """A filing without the choices of its writer: only the duties can be read."""

    def __init__(self, filing_: Filing) -> None:
        self.seq, self.writer, self.reveal = filing_.seq, filing_.writer, filing_.reveal

    def __getattr__(self, name: str) -> Any:
        raise AssertionError(f"a duty reads {name}, which its writer chooses with his dice in sight")


def blind_duties(ruleset: Ruleset) -> Ruleset:
    """Return the rules with duties that fail if they read a choice of their own message."""

    def blind(phase: Phase) -> Phase:
        return replace(phase, run=lambda umpire, filing_: phase.run(umpire, Blind(filing_)))

    def duties(stage: Stage) -> Stage:
        return replace(stage, duties=tuple(map(blind, stage.duties)))

    def stages(setting: Any) -> dict[str, Stage]:
        return {key: duties(stage) for key, stage in ruleset.play.stages(setting).items()}

    return replace(ruleset, play=replace(ruleset.play, stages=stages))


# All possible dice


class _MoreDiceError(Exception):
    """A play asks for more dice than the tape contains."""


@contextmanager
def _roll_tape(tape: str) -> Iterator[None]:
    """Roll the faces of the tape in order; a repeated seed and label gives the same face."""
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
    """Forbid dice inside the block."""
    return _roll_tape("")


def distribution(play: Callable[[], Any]) -> dict[Any, Fraction]:
    """Return the exact chance of each outcome of a play with fair dice.

    The hash of the dice counts as a random function. The play runs once for every possible fall of the dice, including
    dice that a side computes ahead.
    """
    found: dict[Any, Fraction] = {}
    tapes = [""]
    while tapes:
        tape = tapes.pop()
        try:
            with _roll_tape(tape):
                outcome = play()
        except _MoreDiceError:
            tapes += [tape + face for face in FACES]
        else:
            found[outcome] = found.get(outcome, Fraction(0)) + Fraction(1, 6 ** len(tape))
    assert sum(found.values()) == 1
    return found
