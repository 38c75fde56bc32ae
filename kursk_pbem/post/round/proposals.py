"""Proposals that came by mail. Those of people who are known here wait for ``kursk accept``, and turns with them.

A stranger's is told and left where it is: nothing of it takes a place here (decision 81). A proposal starts nothing.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
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


def digits_of(typed: str) -> str:
    """Return the first digits of a game's id that were typed, '' if something else was."""
    digits = typed.removeprefix("game-").casefold()
    return digits if _ID.fullmatch(digits) else ""


def meant(home: Path, typed: str) -> Path | None:
    """Return the proposal that waits and is named so, None if none is; of nothing typed, the only one that waits.

    Raises UsageError where the game was accepted, or two are meant.
    """
    digits = digits_of(typed)
    if typed and not digits:
        return None
    if typed and (own := next((own for own in journal.every(home)[0] if own.game.startswith(digits)), None)):
        why = f"game {digits[:8]} was accepted before: it lies in {own.folder}"
        raise UsageError(f"{typed}: there is no such file, and {why}, and 'kursk status' says what is due")
    there = {folders.read_message(path).id: path for path in successors.every(home, digits)} if typed else {}
    waits = (message for message in waiting.proposals(home) if message.id.startswith(digits))
    there |= {message.id: waiting.path_of(home, message.id, message) for message in waits}
    if typed and len(there) > 1:
        raise UsageError(f"{typed} may be {' or '.join(id_[:16] for id_ in there)}: name it by more digits")
    return next(iter(there.values())) if len(there) == 1 else None


def to_referee(home: Path, public: str, begun: Collection[str]) -> list[str]:
    """List the games that wait for a referee with this key, but those ``begun``."""
    waits = [
        message
        for message in waiting.proposals(home)
        if message.mapping("keys").get(REFEREE) == public and message.id not in begun
    ]
    told = [f"game {message.id[:8]} is proposed: {_begins(message)}" for message in waits[:_TOLD]]
    return [*told, f"and {len(waits) - _TOLD} more games are proposed"] if len(waits) > _TOLD else told


def _begins(proposal: Message) -> str:
    """Say what begins a game, and that one which continues another does not begin before it is agreed to there."""
    other = str(proposal.mapping("continues").get("game", ""))
    once = f", once it is agreed to in {folders.folder_name(other)}" if other else ""
    return f"'kursk receipt {proposal.id[:16]} --days 7' begins it{once}"


def sort(host: Host, pieces: list[Piece]) -> list[Outcome]:
    """Return what becomes of the pieces of a game that nobody plays here."""
    outcomes: list[Outcome] = []
    for piece in pieces:
        try:
            if piece.turn.type == "propose" and isinstance(piece.turn, Message):
                outcomes.append(_proposal(host, piece, piece.turn))
            else:
                outcomes.append(_later(host, piece))
        except KurskError as error:
            outcomes.append(refused(piece, error, again=isinstance(error, DiskError)))
    return outcomes


def _later(host: Host, piece: Piece) -> Outcome:
    """Let a turn wait with the proposal of its game, or leave it. Of strangers message 1 alone waits."""
    kept = map(folders.read_message, successors.every(host.home, piece.game))
    first = next(
        (message for message in (*waiting.turns(host.home, piece.game), *kept) if message.id == piece.game), None
    )
    keys = {side: str(key) for side, key in first.mapping("keys").items()} if isinstance(first, Message) else {}
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
    known = game.chain.keys[message.sender] in host.circle
    if known or game.chain.keys.get(REFEREE, "") in host.keys:
        _keep(host, piece, message, known=known)
    return Outcome(piece, PROPOSED, tuple(_told(host, piece, message, game, sides)))


def _keep(host: Host, piece: Piece, message: Message, *, known: bool) -> None:
    """Let a proposal wait, of one who is ``known`` or a stranger. TrustError where there is no room."""
    keys = {other.id: str(other.mapping("keys").get(other.sender, "")) for other in waiting.proposals(host.home)}
    alike = {game for game, key in keys.items() if (key in host.circle) == known} | {message.id}
    if quotas.full(quotas.OF_CIRCLE if known else quotas.TO_REFEREE, len(alike)):
        full = f"{len(alike) - 1} such proposals wait already"
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


def _told(host: Host, piece: Piece, message: Message, game: Game, sides: list[str]) -> Iterator[str]:
    """What is said of a proposal: who proposes what, with which keys, and how it is taken."""
    names = game.chain.head["names"]
    who = " ".join(str(names.get(message.sender, "")).split()) or "somebody"
    event, key = events.timed(host.home, game.chain.head), game.chain.keys[message.sender]
    event = event if event is not None and key in events.people_of(event) else None
    cup = f", for board {game.chain.head['tournament']['board']} of {event.book.rules.title}" if event else ""
    yield f"{show(who)}, who plays {message.sender}, proposes {game.title}{cup}"
    stranger = "" if event is not None or key in host.circle else ", which is not known here"
    address = piece.mail.writer if piece.mail is not None else ""
    yield f"it came from {address or 'no address'}; their key is {sshsig.fingerprint(key)}{stranger}"
    if sides == [REFEREE]:
        yield f"you may referee: {_begins(message)}"
        return
    if not sides and event is None:
        yield "no key of yours is known here yet: if it names yours, it is for you"
    if stranger:
        yield "it stays in its mailbox: nothing of it is kept here before you accept it"
    short = game.chain.game[:8]
    taken = f"'kursk accept {short}'" if event else f"'kursk accept {short} --key FILE', with your key,"
    yield f"{taken} shows all that you would agree to, and writes your first draft"
