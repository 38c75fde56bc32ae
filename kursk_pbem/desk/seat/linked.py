"""Links at the board: the content of a link or a pasted mail, shown before the player takes anything."""

from __future__ import annotations

from typing import Any

from kursk_pbem.desk.deals.agreement import cut, describe_game
from kursk_pbem.desk.ground import machine
from kursk_pbem.desk.own import remembered
from kursk_pbem.desk.own.desks import Desk
from kursk_pbem.desk.seat import frontpage, incoming, inviting, ownkeys, posting
from kursk_pbem.desk.seat.inviting import make_letter
from kursk_pbem.desk.seat.room import Room
from kursk_pbem.errors import KurskError, OutdatedError
from kursk_pbem.formats.canonical import REFEREE
from kursk_pbem.game import histories, inbox
from kursk_pbem.game.inbox import Message, Paper
from kursk_pbem.kernel.words import party
from kursk_pbem.trust import link, messages, reader, sshsig


def find_page(room: Room) -> str:
    """Return the address of the page that opens links, '' if none is known."""
    return room.page or remembered.recall(room.home).page or link.ADDRESS


def make_link(room: Room, desk: Desk) -> dict[str, Any]:
    """Return a link that contains the player's newest message: page address and fragment. Raises KurskError."""
    fragment = link.make_link([posting.find_newest(desk).data])
    return {"fragment": fragment, "address": find_page(room), "most": link.MAX_CHAT, "long": link.TOO_LONG}


def show_text(room: Room, text: str) -> dict[str, Any]:
    """Return the content of a link or a pasted mail without accepting any message. Errors are returned, not raised."""
    try:
        reading = reader.read_thing(text.encode("utf-8", "replace"), "the text")
        letters = [inviting.show_paper(room, paper) for paper in reading.invitations[:1]]
        letters = letters or [_show_turn(room, turn) for turn in inbox.list_turns(reading)]
    except KurskError as error:
        letters = [make_letter("bad", warnings=[machine.leave_out_commands(str(error))], bad=True)]
    many = make_letter("many", letters=letters, form={"to": "take", "fields": {}})
    letter = letters[0] if len(letters) == 1 else many
    if letter["form"] and letter["form"]["to"] == "take":
        letter["form"]["fields"]["text"] = text
    return letter | {"seen": link.SEEN if link.is_link(text) else ""}


def _show_turn(room: Room, turn: Message | Paper) -> dict[str, Any]:
    """Return the letter of a message or of a referee's paper. Raises KurskError."""
    if isinstance(turn, Message) and turn.type == "propose":
        return _show_proposal(room, turn)
    about = str(turn.content.get("game", ""))
    what = f"{turn.type} about message {turn.seq}" if isinstance(turn, Paper) else f"message {turn.seq}"
    if not any(known.game == about for known in room.known()):
        return make_letter("absent", what=what, who=cut(party(turn.sender, turn.sender.capitalize())))
    desk = room.desk(about)
    chain, game = desk.game.chain, desk.game
    who = party(turn.sender, game.ruleset.seen.words(game.setting).side(turn.sender))
    name = cut(str(chain.head["names"].get(turn.sender, ""))) if turn.sender != desk.own_side else ""
    key = sshsig.find_signer(turn.armour or "")  # the reader has checked the signature by this key
    pinned = chain.keys.get(turn.sender, "")
    prints = [("The key of this message", sshsig.fingerprint(key))]
    letter = make_letter("message", title=game.title, what=what, who=f"{name} ({who})" if name else who, at=about)
    letter |= {"prints": prints, "seq": desk.seq, "form": {"to": "take", "fields": {"game": about}}}
    if key != pinned:
        prints += [("The key in this game", sshsig.fingerprint(pinned))] if pinned else []
        why = f"The signature is not by the key of {letter['who']} in this game, so the message cannot count."
        return letter | {"warnings": [why], "form": None, "state": "false"}
    if isinstance(turn, Paper):
        return letter
    if turn.seq < desk.seq and chain.ids[turn.seq] != turn.id:
        prints += [("This message", turn.id), (f"The message {turn.seq} here", chain.ids[turn.seq])]
        why = (
            f"Another message {turn.seq} is here already, and counts unless the other line is longer. This is no fraud."
        )
        return letter | {"warnings": [why], "state": "second"}
    if turn.seq != desk.seq:
        return letter | {"form": None, "state": "here" if turn.seq < desk.seq else "early"}
    return letter | {"news": incoming.describe_message(desk, turn, name or letter["who"])}


def _show_proposal(room: Room, message: Message) -> dict[str, Any]:
    """Return the letter of message 0. Raises KurskError."""
    name = cut(str(message.mapping("names").get(message.sender, "")))
    letter = make_letter("proposal", name=name or "A player")
    if any(known.game == message.id for known in room.known()):
        return letter | {"state": "here", "at": message.id}
    public = sshsig.find_signer(message.armour or "")
    letter |= inviting.describe_key(room, "" if name.endswith(" player") else name, public)
    inviting.describe_data(letter, message.mapping("scenario"))
    try:
        game = histories.begin(message).game
    except OutdatedError as error:
        return letter | {"state": "outdated", "warnings": letter["warnings"] or [str(error)]}
    letter["scenario"] = game.setting.scenario.id
    letter["words"] = describe_game(game.setting.scenario, game.chain.head["options"], game.chain.writer(1))
    players = {key: who for who, key in game.chain.keys.items() if who != REFEREE}
    own = next((key for key in ownkeys.list_own_keys(room)[0] if key.public in players), None)
    former = str(message.mapping("continues").get("game", ""))
    if any(known.game == former for known in room.known()):
        return letter | {"form": {"to": "take", "fields": {"game": former}}}
    if own is None or players[own.public] == message.sender:
        return letter | {"state": "mine" if own else "foreign"}
    terms = frontpage.show_terms(message, game)
    text = messages.emit_for_mail(message.content, message.armour or "", message.state)
    fields = {"proposal": text, "shown": terms.digest, "key": own.fingerprint, "straight": "1"}
    fields["name"] = remembered.recall(room.home).name
    return letter | {"form": {"to": "accept", "fields": fields}, "terms": terms.text.splitlines()}
