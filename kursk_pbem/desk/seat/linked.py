"""Links at the board: what a link or a pasted mail contains, shown before anything is taken."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from kursk_pbem.desk.deals import invitations
from kursk_pbem.desk.ground import machine
from kursk_pbem.desk.own import remembered
from kursk_pbem.desk.own.desks import Desk
from kursk_pbem.desk.seat import ownkeys, posting, shelf
from kursk_pbem.desk.seat.room import Room
from kursk_pbem.errors import KurskError
from kursk_pbem.game import histories, inbox
from kursk_pbem.game.inbox import Message, Paper
from kursk_pbem.kernel.words import party
from kursk_pbem.trust import invitation, link, reader, sshsig
from kursk_pbem.trust.invitation import Invitation


def make_link(room: Room, desk: Desk) -> dict[str, Any]:
    """Return the player's newest message as a link in parts: the page adds its own address. Raises KurskError."""
    return describe_link(room, posting.find_newest(desk).data)


def describe_link(room: Room, data: bytes) -> dict[str, Any]:
    """Return a signed file as a link in parts."""
    address = remembered.recall(room.home).page or link.ADDRESS
    return {"fragment": link.make_link([data]), "address": address, "most": link.MAX_CHAT, "long": link.TOO_LONG}


def show_text(room: Room, text: str) -> dict[str, Any]:
    """Return what a link or a pasted mail contains. Nothing is taken; an error becomes the result."""
    shown: dict[str, Any] = {"text": text, "seen": link.SEEN if link.is_link(text) else "", "bad": False}
    raw = text.encode("utf-8", "replace")
    try:
        reading = reader.read_thing(raw, "the text")
        if reading.invitations:
            return shown | _show_invitation(room, reading.invitations[0])
        return shown | {"lines": [_describe_turn(room, turn) for turn in inbox.list_turns(reading)]}
    except KurskError as error:
        return shown | {"bad": True, "lines": [str(error)]}


def _show_invitation(room: Room, paper: Invitation) -> dict[str, Any]:
    """Return an invitation with the player's keys, or an answer."""
    if paper.type == invitation.ANSWER:
        return {"lines": [invitations.describe_answer(paper)]}
    own, _unusable = ownkeys.list_own_keys(room)
    return {"lines": invitations.describe(paper), "keys": own, "name": remembered.recall(room.home).name}


def make_opponents_page(room: Room) -> dict[str, Any]:
    """Return the content of the page 'Find an opponent'. Raises KurskError."""
    own, _unusable = ownkeys.list_own_keys(room)
    there = [(paper, invitations.list_answers(room.home, paper)) for paper in invitations.list_own(room.home)]
    return {
        "keys": own,
        "name": remembered.recall(room.home).name,
        "systems": shelf.list_systems(),
        "invitations": [
            {
                "text": "\n".join(invitations.describe(paper)),
                "answers": [{"id": one.id, "text": invitations.describe_answer(one)} for one in answers],
            }
            for paper, answers in there
        ],
    }


def invite(room: Room, form: Mapping[str, str]) -> dict[str, str]:
    """Write an invitation, or an answer to the invitation in ``text``; return its link. Raises KurskError."""
    key = ownkeys.find_own_key(room, form.get("key", "")).path
    name, note = " ".join(form.get("name", "").split()), form.get("note", "").strip()
    if text := form.get("text", ""):
        asked = invitations.read_single(text.encode("utf-8", "replace"), "the text")
        paper, title = invitations.write_answer(room.home, asked, key, name, note), "Send this answer to the inviter"
    else:
        said = {"name": name, "note": note}
        paper = invitations.write_invitation(room.home, key, form.get("scenario", ""), {}, said)
        title = "Post this invitation in a forum"
    return {"title": title, "link": invitations.make_link(room.home, paper)}


def pick(room: Room, answer: str, key: str) -> dict[str, Any]:
    """Propose the game of an invitation to the writer of an answer. Raises KurskError."""
    desk = invitations.propose_to(room.home, answer, ownkeys.find_own_key(room, key).path, room.place)
    game = desk.game.chain.game
    proposal = machine.name_file(desk.newest.resolve(), "it")
    lines = [f"Mail {proposal} to your opponent, or copy a link on the page of the game."]
    return {"name": f"{desk.game.title}: proposed", "game": game, "mail": game, "lines": lines}


def _describe_turn(room: Room, turn: Message | Paper) -> str:
    """Return game, number, sender and fingerprint of a message. The names are claims of the writer."""
    about = turn.id if turn.type == "propose" else str(turn.content.get("game", ""))
    title = "a game that is not here"
    if isinstance(turn, Message) and turn.type == "propose":
        title = histories.begin(turn).game.title
    elif any(known.game == about for known in room.known()):
        title = room.desk(about).game.title
    what = f"{turn.type} about message {turn.seq}" if isinstance(turn, Paper) else f"message {turn.seq} ({turn.type})"
    key = sshsig.find_signer(turn.armour or "")  # the reader has checked the signature by this key
    sender = party(turn.sender, turn.sender)
    return f"{title} ({about[:8]}): {what} from {sender}, signed by the key {sshsig.fingerprint(key)}."
