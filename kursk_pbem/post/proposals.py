"""Proposals that came by mail: they wait for ``kursk accept``, and turns of their game wait with them.

A proposal from a stranger is shown with fingerprints and the address it came from; it starts nothing.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cached_property, partial
from pathlib import Path

from kursk_pbem.desk import desks, successors
from kursk_pbem.desk.shelf import register
from kursk_pbem.errors import DiskError, KurskError, TrustError, UsageError
from kursk_pbem.formats.canonical import REFEREE
from kursk_pbem.formats.text import show
from kursk_pbem.game import folders, histories, journal, keyring, successor
from kursk_pbem.game.games import Game
from kursk_pbem.game.histories import History
from kursk_pbem.post import came, people, place, waiting
from kursk_pbem.post.outcome import PROPOSED, REFUSED, UNKNOWN, WAITS, Outcome, note
from kursk_pbem.post.place import BusyError
from kursk_pbem.post.sorting import Piece
from kursk_pbem.post.tournaments import events
from kursk_pbem.trust import messages, sshsig
from kursk_pbem.trust.messages import Message
from kursk_pbem.trust.papers import Paper

Circle = Callable[[], Collection[str]]
_ID = re.compile("[0-9a-f]{4,64}")
_TOLD = 20
"""Proposals that are listed for a referee."""


@dataclass
class Host:
    """A desk to which games are proposed, for one round: what it knows is looked for once, however many come (T49).

    ``here``: where folders of games lie. ``opened``: games that were verified before, by id; a stranger may propose
    thousands that go on from one. ``full``: for whose proposals there is no more room, and why.
    """

    home: Path
    here: Path
    key: Path | None
    opened: dict[str, History]
    full: dict[str, str] = field(default_factory=dict)

    @cached_property
    def circle(self) -> set[str]:
        """The keys of people who are known here."""
        there = {person.key for person in people.every(self.home, register.met(self.home, self.here))}
        return there | events.paired(self.home)

    @cached_property
    def keys(self) -> set[str]:
        """The public keys that are used at this desk."""
        return own_keys(self.home, self.key)

    @cached_property
    def kept(self) -> dict[str, dict[str, str]]:
        """The keys of games that are to go on with others, by their ids: what comes of them waits, too. KurskError."""
        there = map(folders.read_message, successors.every(self.home, ""))
        return {message.id: _pinned(message) for message in there}

    def crowded(self, game: str, key: str) -> str:
        """Why a game that is proposed by the owner of a key has no room to wait, '' if it has."""
        return waiting.crowded(self.home, game, key, lambda: self.circle, self.full)


def find(home: Path, typed: str) -> Path | None:
    """The proposal that waits and whose game's id begins so; None unless there is just one. Without digits, any.

    None too where a game that was accepted begins so: another one has not been shown to whoever names it again.
    """
    digits = typed.removeprefix("game-")[:16]
    if typed and any(own.game.startswith(digits) for own in journal.every(home)[0]):
        return None
    waits = [short for short in waiting.games(home) if short.startswith(digits)]
    numbered = (path for short in waits for path in (waiting.folder(home) / short).glob("0000-*.yaml"))
    there = _kept(home, digits) if typed else {}  # it came before the other one was handed on
    there |= {path.parent.name: path for path in numbered if register.said(path).get("type") == "propose"}
    return next(iter(there.values())) if len(there) == 1 and (not typed or len(digits) >= 4) else None


def _kept(home: Path, digits: str) -> dict[str, Path]:
    """The proposals to go on with games that are played here, and whose ids begin so, by 16 digits."""
    return {folders.read_message(path).id[:16]: path for path in successors.every(home, digits)}


def meant(home: Path, typed: str) -> Path | None:
    """The proposal that waits and is named so; None if something else is, or nothing that could be. UsageError."""
    waits = find(home, typed)
    if waits is None and typed and (why := missing(home, typed)):
        raise UsageError(f"{typed}: there is no such file, and {why}")
    return waits


def missing(home: Path, typed: str) -> str:
    """Why the id of a game names no proposal that waits, in words; '' if what was typed is no such id."""
    digits = typed.removeprefix("game-").casefold()
    if not _ID.fullmatch(digits):
        return ""
    records = (own for own in journal.every(home)[0] if own.game.startswith(digits))
    if (own := next(records, None)) is not None:
        return f"game {digits[:8]} was accepted before: it lies in {own.folder}, and 'kursk status' says what is due"
    shorts = [short for short in waiting.games(home) if short.startswith(digits[:16])]
    shorts += [short for short in _kept(home, digits[:16]) if short not in shorts]
    if len(shorts) > 1:
        return f"{typed} may be {' or '.join(shorts)}: name it by more digits"
    if shorts:
        return (
            f"what has come of game {digits[:8]} waits for its proposal, message 0, which has not come: "
            "'kursk post' or 'kursk inbox' takes it; ask whoever proposed the game for it"
        )
    return "no game of that id waits to be accepted: 'kursk post', or 'kursk inbox FILE', takes proposals out of mails"


def to_referee(home: Path, public: str, begun: Collection[str], circle: Circle) -> list[str]:
    """The games that wait for a referee with this key, not those ``begun``, people who are known here first (T49)."""
    there = {game[:16] for game in begun}
    pinned = ((short, keys) for short, keys in waiting.proposals(home, "keys") if short not in there)
    shorts = [short for short, keys in pinned if isinstance(keys, dict) and keys.get(REFEREE) == public]
    if len(shorts) > _TOLD:
        known = circle()
        shorts.sort(key=lambda short: waiting.proposer(home, short) not in known)
    more = [f"and {len(shorts) - _TOLD} more games are proposed"] if len(shorts) > _TOLD else []
    going_on = waiting.proposals(home, "continues") if shorts else ()  # each proposal that waits is read for it
    onward = {short: said for short, said in going_on if isinstance(said, dict)}
    return [
        *(f"game {short[:8]} is proposed: {_begins(short, onward.get(short, {}))}" for short in shorts[:_TOLD]),
        *more,
    ]


def _begins(game: str, continues: Mapping[str, object]) -> str:
    """What begins a game, and that one which continues another does not begin before it is agreed to there."""
    other = str(continues.get("game", ""))
    once = f", once it is agreed to in {folders.folder_name(other)}" if other else ""
    return f"'kursk receipt {game[:16]} --days 7' begins it{once}"


def sort(host: Host, pieces: list[Piece]) -> list[Outcome]:
    """What becomes of the pieces of a game that nobody plays here: a proposal waits, and what belongs to it."""
    outcomes: list[Outcome] = []
    keys: dict[str, str] = {}
    for piece in pieces:
        if piece.mail is None:  # it waits already; what it pins counts for the others
            keys = keys or _pinned(piece.turn)
            continue
        try:
            if piece.turn.type == "propose" and isinstance(piece.turn, Message):
                outcome = _proposal(host, piece, piece.turn)
                keys = _pinned(piece.turn) if outcome.state == PROPOSED else keys
            else:
                outcome = _later(host, keys or host.kept.get(piece.game, {}), piece)
        except KurskError as error:
            outcome = Outcome(piece, REFUSED, error=error, again=isinstance(error, DiskError))
        outcomes.append(outcome)
    return outcomes


def _pinned(turn: Message | Paper) -> dict[str, str]:
    pinned = turn.content.get("keys")
    return {side: str(key) for side, key in pinned.items()} if isinstance(pinned, dict) else {}


def _later(host: Host, keys: dict[str, str], piece: Piece) -> Outcome:
    """A turn of a game that is proposed and not accepted waits with the proposal; any other is left."""
    try:
        sshsig.verify(keys.get(piece.turn.sender, ""), sshsig.NAMESPACE, piece.turn.signed, piece.turn.armour or "")
    except TrustError:
        return Outcome(piece, UNKNOWN)
    noted = partial(note, host.home, piece)
    full = host.crowded(piece.game, keys.get(piece.turn.sender, ""))
    if full or waiting.keep(host.home, piece.game, piece.turn, proposed=True, first=noted):
        return Outcome(piece, UNKNOWN)
    return Outcome(piece, WAITS, ("it waits until the game is begun here",))


def _missing(desk: desks.Desk, new: Game, message: Message) -> int:
    """Which message a player's proposal to go on continues that has not come; -1 for none: letters overtake others.

    A stranger's waits for none: whoever knows the game could sign any number of them. Nor does one for a message that
    cannot be under way.
    """
    seq, owed = str(message.mapping("continues").get("seq", "")), desk.game.chain.next_seq
    number = int(seq) if seq.isdecimal() and len(seq) <= 4 else -1
    theirs = new.chain.keys[message.sender] in desk.game.chain.keys.values()
    return number if theirs and owed <= number < owed + waiting.UNDER_WAY else -1


def _proposal(host: Host, piece: Piece, message: Message) -> Outcome:
    """A proposal that holds: it waits, if one of its keys is used here. KurskError for one that does not hold."""
    home, opened = host.home, host.opened
    game = histories.begin(message).game
    former = str(message.mapping("continues").get("game", ""))
    if former and (own := journal.find(home, former)) is not None:
        desk = desks.sit(Path(own.folder), home, opened.get(former))
        opened[former] = desk.history
        if (missing := _missing(desk, game, message)) >= 0:
            waits = f"it waits for message {missing} of game {former[:8]}, which it continues"
            return Outcome(piece, WAITS, (waits,), again=True)
        if successor.standing(desk.history.games, game) != successor.ACCEPTED:
            if successors.gives_way(desk, game):
                why = "somebody who plays this game has proposed another to go on with it, which is kept"
                way = "'kursk offer' and 'kursk reply' take its file"
                raise TrustError("chain", f"{why}; {way}", message.where("type"))
            text = messages.mailed(message.content, message.armour or "", message.state)
            return Outcome(piece, PROPOSED, tuple(successors.keep(desk, text)))
    mine = host.keys
    sides = [side for side, public in game.chain.keys.items() if public in mine]
    if mine and not sides:
        for fault in journal.every(home)[1]:  # perhaps it is for the key of that one
            raise fault
        return Outcome(piece, UNKNOWN)
    full = host.crowded(game.chain.game, game.chain.keys[message.sender])
    if full := full or waiting.keep(home, game.chain.game, message, proposed=True):
        way = "save its mail, and name that file to accept it"
        raise TrustError("chain", f"there is no room for this proposal: {full}; {way}", message.where("type"))
    if piece.mail is not None:
        came.note(home, message.id, 0, message.id, **piece.mail.said)
    return Outcome(piece, PROPOSED, tuple(_told(piece, game, sides)))


def accepted(home: Path, message: Message) -> None:
    """Put down what came with a proposal that was accepted, unless a round is under way, which does it. UsageError."""
    if place.root(home).is_dir():
        with suppress(BusyError), place.locked(home):
            settled(home, message)


def settled(home: Path, message: Message) -> None:
    """Put down from where a proposal came whose game has begun here. DiskError.

    Not before that: a stranger may propose as often as they like. The address is not used before the owner of this desk
    agrees.
    """
    address, keys = came.sender(home, message.id, 0, message.id), message.mapping("keys")
    if message.sender in keys:
        people.noticed(home, str(keys[message.sender]), address, "the proposal came from there")


def own_keys(home: Path, key: Path | None) -> set[str]:
    """The public keys that are used at this desk."""
    records, _faults = journal.every(home)
    heads = ((own, register.said(folders.message_path(Path(own.folder), 0)).get("keys")) for own in records)
    used = {str(keys.get(own.side, "")) for own, keys in heads if isinstance(keys, dict)}
    return used | ({keyring.public_of(key)} if key is not None else set())


def _told(piece: Piece, game: Game, sides: list[str]) -> Iterator[str]:
    """What is said of a proposal: who proposes what, with which keys, and how it is taken."""
    names, message = game.chain.head["names"], piece.turn
    who = " ".join(str(names.get(message.sender, "")).split()) or "somebody"
    address = piece.mail.writer if piece.mail is not None else ""
    yield f"{show(who)}, who plays {message.sender}, proposes {game.title}"
    yield f"it came from {address or 'no address'}; their key is {sshsig.fingerprint(game.chain.keys[message.sender])}"
    if sides == [REFEREE]:
        yield f"you may referee: {_begins(game.chain.game, game.chain.head.get('continues', {}))}"
        return
    if not sides:
        yield "no key of yours is known here yet: if it names yours, it is for you"
    taken = f"'kursk accept {game.chain.game[:8]} --key FILE', with your key,"
    yield f"{taken} shows all that you would agree to, and writes your first draft"
