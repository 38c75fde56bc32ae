"""Proposals that came by mail. Those of people who are known here wait for ``kursk accept``, and turns with them.

A stranger's is told and left where it is: nothing of it takes a place here (decision 81). A proposal starts nothing.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from kursk_pbem.desk import desks, successors
from kursk_pbem.desk.shelf import register
from kursk_pbem.errors import DiskError, KurskError, TrustError, UsageError
from kursk_pbem.formats.canonical import REFEREE
from kursk_pbem.formats.text import show
from kursk_pbem.game import folders, histories, journal, keyring, successor
from kursk_pbem.game.games import Game
from kursk_pbem.game.histories import History
from kursk_pbem.post.mailbox import came, events, people, place, quotas
from kursk_pbem.post.mailbox.place import BusyError
from kursk_pbem.post.round import waiting
from kursk_pbem.post.round.outcome import PROPOSED, UNKNOWN, WAITS, Outcome, Piece, note, refused
from kursk_pbem.trust import messages, sshsig
from kursk_pbem.trust.messages import Message
from kursk_pbem.trust.papers import Paper

Circle = Callable[[], Collection[str]]
_ID = re.compile("[0-9a-f]{4,64}")
_TOLD = 20
"""Proposals that are listed for a referee."""
_ROOM = "save its mail, and name that file to accept it"


@dataclass
class Host:
    """A desk to which games are proposed, for one round: what it knows is looked for once, however many come.

    ``here``: where folders of games lie. ``opened``: games that were verified before, by id.
    """

    home: Path
    here: Path
    key: Path | None
    opened: dict[str, History]

    @cached_property
    def circle(self) -> set[str]:
        """The keys of people who are known here: from games, from tournaments, or because they were added."""
        there = {person.key for person in people.every(self.home, register.met(self.home, self.here))}
        return there.union(*(events.people_of(event) for event in events.every(self.home)))

    @cached_property
    def keys(self) -> set[str]:
        """The public keys that are used at this desk."""
        return own_keys(self.home, self.key)

    @cached_property
    def kept(self) -> dict[str, dict[str, str]]:
        """The keys of games that are to go on with others, by their ids: what comes of them waits, too. KurskError."""
        there = map(folders.read_message, successors.every(self.home, ""))
        return {message.id: _pinned(message) for message in there}


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


def digits_of(typed: str) -> str:
    """The first digits of a game's id that were typed, '' if something else was."""
    digits = typed.removeprefix("game-").casefold()
    return digits if _ID.fullmatch(digits) else ""


def meant(home: Path, typed: str) -> Path | None:
    """The proposal that waits and is named so; None if none is. UsageError where the game was accepted, or two are."""
    if (waits := find(home, typed)) is not None or not (digits := digits_of(typed)):
        return waits
    records = (own for own in journal.every(home)[0] if own.game.startswith(digits))
    if (own := next(records, None)) is not None:
        why = f"game {digits[:8]} was accepted before: it lies in {own.folder}"
        raise UsageError(f"{typed}: there is no such file, and {why}, and 'kursk status' says what is due")
    shorts = {short for short in (*waiting.games(home), *_kept(home, digits[:16])) if short.startswith(digits[:16])}
    if len(shorts) > 1:
        raise UsageError(f"{typed} may be {' or '.join(sorted(shorts))}: name it by more digits")
    return None


def to_referee(home: Path, public: str, begun: Collection[str], circle: Circle) -> list[str]:
    """The games that wait for a referee with this key, not those ``begun``, people who are known here first."""
    there = {game[:16] for game in begun}
    pinned = ((short, keys) for short, keys in waiting.proposals(home, "keys") if short not in there)
    shorts = [short for short, keys in pinned if isinstance(keys, dict) and keys.get(REFEREE) == public]
    if len(shorts) > _TOLD:
        known, by = circle(), waiting.proposers(home)
        shorts.sort(key=lambda short: by.get(short) not in known)
    more = [f"and {len(shorts) - _TOLD} more games are proposed"] if len(shorts) > _TOLD else []
    going_on = waiting.proposals(home, "continues") if shorts else ()  # each proposal that waits is read for it
    onward = {short: said for short, said in going_on if isinstance(said, dict)}
    return [
        *(f"game {short[:8]} is proposed: {_begins(short, onward.get(short, {}))}" for short in shorts[:_TOLD]),
        *more,
    ]


def _begins(game: str, continues: object) -> str:
    """What begins a game, and that one which continues another does not begin before it is agreed to there."""
    other = str(continues.get("game", "")) if isinstance(continues, dict) else ""
    once = f", once it is agreed to in {folders.folder_name(other)}" if other else ""
    return f"'kursk receipt {game[:16]} --days 7' begins it{once}"


def sort(host: Host, pieces: list[Piece]) -> list[Outcome]:
    """What becomes of the pieces of a game that nobody plays here: a proposal waits, and what belongs to it."""
    outcomes: list[Outcome] = []
    keys = _keys(host.home, pieces[0].game) if pieces else {}
    for piece in pieces:
        try:
            if piece.turn.type == "propose" and isinstance(piece.turn, Message):
                outcome = _proposal(host, piece, piece.turn)
                keys = _pinned(piece.turn) if waiting.path_of(host.home, piece.game, piece.turn).exists() else keys
            else:
                outcome = _later(host, keys or host.kept.get(piece.game, {}), piece)
        except KurskError as error:
            outcome = refused(piece, error, again=isinstance(error, DiskError))
        outcomes.append(outcome)
    return outcomes


def _keys(home: Path, game: str) -> dict[str, str]:
    """The keys that the proposal of a game pins, if it waits."""
    there = waiting.turns(home, game, lambda number, _sender: number == 0)
    return next((_pinned(turn) for turn in there if turn.id == game), {})


def _pinned(turn: Message | Paper) -> dict[str, str]:
    pinned = turn.content.get("keys")
    return {side: str(key) for side, key in pinned.items()} if isinstance(pinned, dict) else {}


def _later(host: Host, keys: dict[str, str], piece: Piece) -> Outcome:
    """A turn of a game whose proposal waits, waits with it; any other is left. Of strangers message 1 alone waits."""
    try:
        sshsig.verify(keys.get(piece.turn.sender, ""), sshsig.NAMESPACE, piece.turn.signed, piece.turn.armour or "")
    except TrustError:
        return Outcome(piece, UNKNOWN)
    strangers = host.circle.isdisjoint(keys.values())
    if (strangers and piece.turn.seq > 1) or waiting.keep(host.home, piece.game, piece.turn, quotas.PROPOSED):
        return Outcome(piece, UNKNOWN)
    note(host.home, piece)
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
    """A proposal that holds, for a key that is used here: it waits, or is told. KurskError for one that does not."""
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
    sides = [side for side, public in game.chain.keys.items() if public in host.keys]
    if host.keys and not sides:
        for fault in journal.every(home)[1]:  # perhaps it is for the key of that one
            raise fault
        return Outcome(piece, UNKNOWN)
    if kind := _kind(host, game, message):
        _keep(host, game, piece, message, kind)
    return Outcome(piece, PROPOSED, tuple(_told(host, piece, game, sides)))


def _kind(host: Host, game: Game, message: Message) -> str:
    """As what a proposal waits; '' for a stranger's, which is left where it is."""
    if game.chain.keys[message.sender] in host.circle:
        return quotas.OF_PROPOSER
    return quotas.TO_REFEREE if game.chain.keys.get(REFEREE, "") in host.keys else ""


def _keep(host: Host, game: Game, piece: Piece, message: Message, kind: str) -> None:
    """Let a proposal wait. TrustError where there is no room."""
    key, by = game.chain.keys[message.sender], waiting.proposers(host.home)
    alike = {
        short
        for short, other in by.items()
        if (other == key if kind == quotas.OF_PROPOSER else other not in host.circle)
    }
    if quotas.full(kind, len(alike | {message.id[:16]})):
        full = f"{len(alike)} such proposals wait already"
    else:
        full = waiting.keep(host.home, message.id, message, quotas.PROPOSED)
    if full:
        raise TrustError("chain", f"there is no room for this proposal: {full}; {_ROOM}", message.where("type"))
    note(host.home, piece)


def accepted(home: Path, message: Message) -> None:
    """Put down what came with a proposal that was accepted, unless a round is under way, which does it. DiskError."""
    if place.root(home).is_dir():
        try:
            with place.locked(home):
                settled(home, message)
        except BusyError:
            return


def settled(home: Path, message: Message) -> None:
    """Put down from where a proposal came whose game has begun here. DiskError."""
    address, keys = came.sender(home, message.id, 0, message.id), message.mapping("keys")
    if message.sender in keys:
        people.noticed(home, str(keys[message.sender]), address, "the proposal came from there")


def own_keys(home: Path, key: Path | None) -> set[str]:
    """The public keys that are used at this desk."""
    records, _faults = journal.every(home)
    heads = ((own, register.said(folders.message_path(Path(own.folder), 0)).get("keys")) for own in records)
    used = {str(keys.get(own.side, "")) for own, keys in heads if isinstance(keys, dict)}
    return used | ({keyring.public_of(key)} if key is not None else set())


def _told(host: Host, piece: Piece, game: Game, sides: list[str]) -> Iterator[str]:
    """What is said of a proposal: who proposes what, with which keys, and how it is taken."""
    names, message = game.chain.head["names"], piece.turn
    who = " ".join(str(names.get(message.sender, "")).split()) or "somebody"
    event, key = events.timed(host.home, game.chain.head), game.chain.keys[message.sender]
    event = event if event is not None and key in events.people_of(event) else None
    cup = f", for board {game.chain.head['tournament']['board']} of {event.book.rules.title}" if event else ""
    yield f"{show(who)}, who plays {message.sender}, proposes {game.title}{cup}"
    stranger = "" if event is not None or key in host.circle else ", which is not known here"
    address = piece.mail.writer if piece.mail is not None else ""
    yield f"it came from {address or 'no address'}; their key is {sshsig.fingerprint(key)}{stranger}"
    if sides == [REFEREE]:
        yield f"you may referee: {_begins(game.chain.game, game.chain.head.get('continues', {}))}"
        return
    if not sides and event is None:
        yield "no key of yours is known here yet: if it names yours, it is for you"
    if stranger:
        yield "it stays in its mailbox: nothing of it is kept here before you accept it"
    short = game.chain.game[:8]
    taken = f"'kursk accept {short}'" if event else f"'kursk accept {short} --key FILE', with your key,"
    yield f"{taken} shows all that you would agree to, and writes your first draft"
