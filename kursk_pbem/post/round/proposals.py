"""Received proposals. Proposals of known people, with later turns, wait for ``kursk accept``.

A stranger's proposal is reported and stays in its mailbox, so strangers use no space here (decision 81). A proposal
starts nothing.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from pathlib import Path

from kursk_pbem.desk.deals import successors
from kursk_pbem.desk.own import desks, register
from kursk_pbem.errors import KurskError, TrustError, UsageError
from kursk_pbem.formats.canonical import REFEREE
from kursk_pbem.formats.text import show
from kursk_pbem.game import folders, histories, journal, keyring, successor
from kursk_pbem.game.games import Game
from kursk_pbem.game.histories import History
from kursk_pbem.post.mailbox import events, people, quotas
from kursk_pbem.post.round import early_turns, game_mail
from kursk_pbem.post.round.outcome import PROPOSED, UNKNOWN, WAITS, Outcome, Received, refuse_turn
from kursk_pbem.tournament import boards
from kursk_pbem.tournament.entrant import games as entrants
from kursk_pbem.trust import messages, sshsig
from kursk_pbem.trust.messages import Message

_ID = re.compile("[0-9a-f]{4,64}")


def parse_digits(typed: str) -> str:
    """Return the first digits of a game's id if the typed text is such digits, otherwise ''."""
    digits = typed.removeprefix("game-").casefold()
    return digits if _ID.fullmatch(digits) else ""


def find_waiting(home: Path, typed: str) -> Path | None:
    """Return the path of the waiting proposal with this name, or None. '' names the only proposal.

    Raises UsageError if the game was accepted, or if several proposals have the name.
    """
    digits = parse_digits(typed)
    if typed and not digits:
        return None
    if typed and (own := next((own for own in journal.load_records(home)[0] if own.game.startswith(digits)), None)):
        why = f"game {digits[:8]} was accepted before, in {own.folder}"
        raise UsageError(f"there is no file {typed}; {why}; 'kursk status' shows your next step")
    there = {folders.read_message(path).id: path for path in successors.list_kept(home, digits)} if typed else {}
    waits = (message for message in early_turns.list_proposals(home) if message.id.startswith(digits))
    there |= {message.id: early_turns.waiting_path(home, message.id, message) for message in waits}
    if typed and len(there) > 1:
        raise UsageError(f"{typed} fits {' and '.join(id_[:16] for id_ in there)}: type more digits")
    return next(iter(there.values())) if len(there) == 1 else None


def list_to_referee(home: Path, public: str, begun: Collection[str]) -> Iterator[str]:
    """Yield a line for each proposed game with the key as referee, without the games ``begun``."""
    for message in early_turns.list_proposals(home):
        if message.mapping("keys").get(REFEREE) == public and message.id not in begun:
            yield f"game {message.id[:8]} is proposed: {_begin_command(message)}"


def _begin_command(proposal: Message) -> str:
    """Return the command to begin a game; a successor game waits for its agreement."""
    other = str(proposal.mapping("continues").get("game", ""))
    once = f", after the agreement in {folders.folder_name(other)}" if other else ""
    return f"'kursk referee receipt {proposal.id[:16]} --days 7' begins the game{once}"


def own_keys(home: Path, here: Path, key: Path | None) -> set[str]:
    """Return the public keys that this private folder's owner uses."""
    used = {one.keys.get(one.side, "") for one in game_mail.list_games(home, here, key)} - {""}
    return used | ({keyring.find_public_key(key)} if key is not None else set())


def sort_turn(home: Path, here: Path, key: Path | None, opened: dict[str, History], piece: Received) -> Outcome:
    """Return the result of a turn for a game that the owner does not play. ``opened``: verified games."""
    try:
        circle, turn = {person.key for person in people.list_people(home, register.every(home, here))}, piece.turn
        circle |= {key for event in events.list_tournaments(home) for key in events.member_keys(event)}
        turn.check_position()
        if turn.type != "propose" or not isinstance(turn, Message):
            return _keep_later(home, circle, piece)
        game = histories.begin(turn).game
        return _keep_successor(home, opened, piece, turn, game) or _keep_proposal(
            home, here, key, circle, piece, turn, game
        )
    except KurskError as error:
        return refuse_turn(piece, error)


def _keep_later(home: Path, circle: set[str], piece: Received) -> Outcome:
    """Keep a turn with the proposal of its game, or drop it. Of strangers only message 1 waits."""
    kept = map(folders.read_message, successors.list_kept(home, piece.game))
    there = (*early_turns.list_turns(home, piece.game), *kept)
    first = next((message for message in there if message.id == piece.game and isinstance(message, Message)), None)
    keys = {side: str(key) for side, key in first.mapping("keys").items()} if first is not None else {}
    if not piece.is_signed(keys):
        return Outcome(piece, UNKNOWN)
    strangers = circle.isdisjoint(keys.values())
    if (strangers and piece.turn.seq > 1) or early_turns.keep_turn(home, piece.game, piece.turn, quotas.PROPOSED):
        return Outcome(piece, UNKNOWN)
    piece.note(home)
    return Outcome(piece, WAITS, ("waits for the beginning of the game here",))


def _keep_successor(
    home: Path, opened: dict[str, History], piece: Received, message: Message, game: Game
) -> Outcome | None:
    """Keep the proposal of a successor to a game played here; None for other proposals, or after acceptance."""
    former = str(message.mapping("continues").get("game", ""))
    own = journal.find(home, former) if former else None
    if own is None:
        return None
    desk = desks.open_desk(Path(own.folder), home, opened.get(former))
    opened[former] = desk.history
    chain, seq = desk.game.chain, str(message.mapping("continues").get("seq", ""))
    early = seq.isdecimal() and len(seq) <= 4 and 0 <= int(seq) - chain.next_seq < early_turns.UNDER_WAY
    if early and game.chain.keys[message.sender] in chain.keys.values():  # letters overtake each other
        told = f"waits for message {seq} of the former game {former[:8]}"
        return Outcome(piece, WAITS, (told,), again=True)
    if successor.find_agreement(desk.history.games, game) == successor.ACCEPTED:
        return None
    if successors.is_outranked(desk, game):
        why = "a player of the former game has proposed a successor game, and this proposal is kept"
        way = "name the file of the new proposal in 'kursk offer' or 'kursk reply'"
        raise TrustError("chain", f"{why}; {way}", message.where("type"))
    text = messages.emit_for_mail(message.content, message.armour or "", message.state)
    return Outcome(piece, PROPOSED, tuple(successors.keep_proposal(desk, text)))


def _keep_proposal(
    home: Path, here: Path, key: Path | None, circle: set[str], piece: Received, message: Message, game: Game
) -> Outcome:
    """Report a proposal for our keys (or any, without keys); keep a proposal by known people or to the referee."""
    own, keys = own_keys(home, here, key), game.chain.keys
    sides = [side for side, public in keys.items() if public in own]
    if own and not sides:
        return Outcome(piece, UNKNOWN)
    entrants.check_only_game(message, home, early_turns.list_proposals(home))
    known = keys[message.sender] in circle
    if known or REFEREE in sides:
        waits = {other.id for other in early_turns.list_proposals(home)} - {message.id}
        if (quotas.OF_CIRCLE if known else quotas.TO_REFEREE).is_full(len(waits) + 1):
            full = f"no room for this proposal: {len(waits)} proposals wait already"
            raise TrustError("chain", f"{full}; save the mail, and type 'kursk accept FILE'", message.where("type"))
        early_turns.keep_turn(home, message.id, message, quotas.PROPOSED)
        piece.note(home)
    return Outcome(piece, PROPOSED, tuple(_describe_proposal(home, piece, game, sides, known=known)))


def _describe_proposal(home: Path, piece: Received, game: Game, sides: list[str], *, known: bool) -> Iterator[str]:
    """Yield lines about a proposal: its sender, game and key, and the command to accept."""
    head, sender = game.chain.head, piece.turn.sender
    who, key = " ".join(str(head["names"].get(sender, "")).split()) or "somebody", game.chain.keys[sender]
    event = events.find_tournament(home, head)
    event = event if event is not None and key in events.member_keys(event) else None
    cup = f", for board {head['tournament']['board']} of {event.book.rules.title}" if event else ""
    role = "who rolls the dice" if sender == REFEREE else f"who plays {sender}"
    yield f"{show(who)}, {role}, proposes {game.title}{cup}"
    stranger = "" if event or known else ", unknown here"
    address = piece.mail.writer if piece.mail is not None else ""
    yield f"the proposal came from {address or 'no address'}; its key is {sshsig.fingerprint(key)}{stranger}"
    if sides == [REFEREE] and isinstance(piece.turn, Message):
        yield f"you may referee: {_begin_command(piece.turn)}"
        return
    closed = boards.explain_closed(event.book, game.chain.game, head["tournament"]["board"]) if event else ""
    if closed:
        yield f"you need not accept: {closed}"
        return
    if not sides and event is None:
        yield "your key is not known here yet: the proposal is for you if it names your key"
    if stranger:
        yield "the proposal stays in the mailbox until you accept"
    short = game.chain.game[:8]
    taken = f"'kursk accept {short}'" if event else f"'kursk accept {short} --key FILE', with your key,"
    yield f"{taken} shows the agreement, and writes your first draft"
