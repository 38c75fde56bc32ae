"""Links at the board: what a link or a pasted mail contains, shown before anything is taken."""

from __future__ import annotations

from typing import Any

from kursk_pbem.desk.deals.agreement import cut, describe_game
from kursk_pbem.desk.ground import machine
from kursk_pbem.desk.own import remembered
from kursk_pbem.desk.own.desks import Desk
from kursk_pbem.desk.seat import frontpage, inviting, ownkeys, posting
from kursk_pbem.desk.seat.inviting import make_letter
from kursk_pbem.desk.seat.room import Room
from kursk_pbem.errors import KurskError, OutdatedError
from kursk_pbem.formats.canonical import REFEREE
from kursk_pbem.game import histories, inbox, scenarios
from kursk_pbem.game.inbox import Message, Paper
from kursk_pbem.kernel.words import party
from kursk_pbem.trust import link, messages, reader, sshsig

HOLDS = {
    "propose": "the proposal of the game",
    "accept": "the agreement, and the first orders",
    "turn": "orders, answers or dice",
    "offer": "an offer",
    "reply": "the reply to an offer",
    "resign": "a resignation",
}
"""What a message holds, by its type. Results stay unsaid, because their dice have not been seen."""
_ELSEWHERE = "Open the address in the browser, or at the machine, where the game is. Nothing was stored here."


def make_link(room: Room, desk: Desk) -> dict[str, Any]:
    """Return the player's newest message as a link in parts: address of the page, and fragment. Raises KurskError."""
    address = room.page or remembered.recall(room.home).page or link.ADDRESS
    fragment = link.make_link([posting.find_newest(desk).data])
    return {"fragment": fragment, "address": address, "most": link.MAX_CHAT, "long": link.TOO_LONG}


def show_text(room: Room, text: str) -> dict[str, Any]:
    """Return what a link or a pasted mail contains. Nothing is taken; an error becomes the result."""
    try:
        reading = reader.read_thing(text.encode("utf-8", "replace"), "the text")
        letters = [inviting.show_paper(room, paper) for paper in reading.invitations[:1]]
        letters = letters or [_show_turn(room, turn) for turn in inbox.list_turns(reading)]
        for form in (letter["form"] for letter in letters):
            if form and form["to"] == "take":
                form["fields"]["text"] = text
    except KurskError as error:
        letters = [make_letter("That does not work", warnings=[machine.leave_out_commands(str(error))], bad=True)]
    seen = link.SEEN if link.is_link(text) else ""
    if len(letters) == 1:
        return letters[0] | {"seen": seen}
    told = [" ".join((letter["title"], *letter["lines"], *letter["warnings"])) for letter in letters]
    form = {"to": "take", "button": "Take the messages", "fields": {"text": text}}
    return make_letter(f"{len(letters)} messages", *told, form=form, seen=seen)


def _show_turn(room: Room, turn: Message | Paper) -> dict[str, Any]:
    """Return the letter of a message or of a referee's paper. Raises KurskError."""
    if isinstance(turn, Message) and turn.type == "propose":
        return _show_proposal(room, turn)
    about = str(turn.content.get("game", ""))
    what = f"{turn.type} about message {turn.seq}" if isinstance(turn, Paper) else f"message {turn.seq}"
    if not any(known.game == about for known in room.known()):
        who = cut(party(turn.sender, turn.sender.capitalize()))
        return make_letter("A game that is not here", f"This is {what}, from {who}.", _ELSEWHERE, watch=True)
    desk = room.desk(about)
    chain, game = desk.game.chain, desk.game
    who = party(turn.sender, game.ruleset.seen.words(game.setting).side(turn.sender))
    name = cut(str(chain.head["names"].get(turn.sender, "")))
    who = f"{name} ({who})" if name and turn.sender != desk.own_side else who
    holds = f" It holds {HOLDS[turn.type]}." if turn.type in HOLDS else ""
    key = sshsig.find_signer(turn.armour or "")  # the reader has checked the signature by this key
    pinned = chain.keys.get(turn.sender, "")
    prints = [(f"The key of {who} in this game", sshsig.fingerprint(pinned))] if pinned else []
    letter = make_letter(game.title, f"{what.capitalize()} of this game, from {who}.{holds}", prints=prints, at=about)
    if key != pinned:
        why = f"It is signed with another key than that of {who} in this game: somebody else wrote it. It cannot count."
        return letter | {"warnings": [why], "prints": [*prints, ("The key of this message", sshsig.fingerprint(key))]}
    letter["key"] = "It is signed with the key of this game."
    form = {"to": "take", "button": "Take it and open the game", "fields": {"game": about}}
    if isinstance(turn, Message) and turn.seq < desk.seq:
        if chain.ids[turn.seq] == turn.id:
            return letter | {"ended": "The message is here already.", "game": about}
        why = f"Another message {turn.seq} is here already. Two signed messages of one number can prove fraud."
        two = [("The message here", chain.ids[turn.seq]), ("This message", turn.id)]
        form["button"] = "Keep it as evidence"
        return letter | {"warnings": [why], "prints": [*prints, *two], "form": form}
    if isinstance(turn, Message) and turn.seq > desk.seq:
        return letter | {"ended": f"Message {desk.seq} is missing here: take it first.", "game": about}
    return letter | {"form": form}


def _show_proposal(room: Room, message: Message) -> dict[str, Any]:
    """Return the letter of message 0. Raises KurskError."""
    scenario = message.mapping("scenario")
    name = cut(str(message.mapping("names").get(message.sender, "")))
    public = sshsig.find_signer(message.armour or "")
    told = inviting.describe_key(room, "" if name.endswith(" player") else name, public)
    if any(known.game == message.id for known in room.known()):
        return make_letter("The game is here already", game=message.id, at=message.id)
    try:
        game = histories.begin(message).game
    except OutdatedError:
        return make_letter(
            f"{name or 'A player'} proposes a game",
            warnings=["The game has other data, or other rules, than this program: use the release of its proposer."],
            prints=[*told["prints"], ("The data of the game", scenario.get("sha256", "")), *_list_data(scenario)],
        )
    side = game.chain.writer(1)
    words = describe_game(game.setting.scenario, game.chain.head["options"], side)
    line = f"{words['title']}: {words['length']}. You play {words['you']}. It holds {HOLDS['propose']}, message 0."
    letter = make_letter(f"{name or 'A player'} proposes {words['short']}", line) | told
    letter["scenario"] = game.setting.scenario.id
    own = {key.public: key for key in ownkeys.list_own_keys(room)[0]}
    mine = next((own[key] for who, key in game.chain.keys.items() if key in own and who != message.sender), None)
    if game.chain.keys[message.sender] in own:
        return letter | {"ended": "This is your own proposal: send it to your opponent.", "key": ""}
    former = str(message.mapping("continues").get("game", ""))
    if any(known.game == former for known in room.known()):
        return letter | {"form": {"to": "take", "button": "Take it and open the game", "fields": {"game": former}}}
    if mine is None or (REFEREE in game.chain.keys and game.chain.keys[REFEREE] == mine.public):
        why = "The proposal is for somebody else: its keys are not yours."
        return letter | {"ended": f"{why} {_ELSEWHERE}", "watch": True}
    terms = frontpage.show_terms(message, game)
    today = scenarios.load(game.setting.scenario.id).sha256
    if today != game.setting.scenario.sha256:
        letter["warnings"] = [*letter["warnings"], "The game has other data of the scenario than this program."]
        letter["prints"] += [("The data of the game", game.setting.scenario.sha256), *_list_data(scenario)]
    text = messages.emit_for_mail(message.content, message.armour or "", message.state)
    fields = {"proposal": text, "shown": terms.digest, "key": mine.fingerprint, "straight": "1"}
    fields["name"] = remembered.recall(room.home).name
    form = {"to": "accept", "button": "Play this game", "fields": fields}
    quiet = "You agree by signing your first message, not before."
    return letter | {"form": form, "terms": terms.text.splitlines(), "quiet": quiet}


def _list_data(scenario: Any) -> list[tuple[str, str]]:
    try:
        return [("The data here", scenarios.load(str(scenario.get("id", ""))).sha256)]
    except KurskError:
        return []
