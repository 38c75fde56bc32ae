"""Invitations at the board: a stranger reads and answers, and the inviter signs the proposal.

A letter is the content of the page for one link. The page has the words, except for warnings.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from kursk_pbem.desk.deals import begin, invitations
from kursk_pbem.desk.deals.agreement import NOTE, cut, describe_game
from kursk_pbem.desk.ground.shown import Shown
from kursk_pbem.desk.own import remembered
from kursk_pbem.desk.own.desks import Desk
from kursk_pbem.desk.seat import ownkeys, shelf
from kursk_pbem.desk.seat.ownkeys import OwnKey
from kursk_pbem.desk.seat.room import Room
from kursk_pbem.errors import OutdatedError, UsageError
from kursk_pbem.game import pins, scenarios
from kursk_pbem.trust import sshsig
from kursk_pbem.trust.invitation import ANSWER, Invitation

OTHER_DATA = "The game has other data of the scenario than this program."


def make_letter(kind: str, **more: Any) -> dict[str, Any]:
    """Return the content of a page opened by a link. ``kind``: the kind of text in the link."""
    return {"kind": kind, "warnings": [], "prints": [], "form": None, "words": {}, "news": {}, **more}


def describe_key(room: Room, name: str, public: str) -> dict[str, Any]:
    """Return a signer's name and fingerprint, and a warning if the player knows this name with a different key."""
    answered = {one.asked.text("key"): one.asked.text("name") for one in invitations.list_answered(room.home)}
    known = answered | {one.public: one.name for one in ownkeys.list_opponents(room)}
    called = cut(name) or "writer"
    prints = [(f"The key of this {called}", sshsig.fingerprint(public))]
    same = [key for key, who in known.items() if cut(who).casefold() == called.casefold()]
    if public in known or not same:
        signer = "answered" if public in answered else "opponent" if public in known else "new"
        return {"signer": signer, "prints": prints}
    why = f"You know another {called}: this letter is signed with another key. Somebody may use the name."
    return {"warnings": [why], "prints": [*prints, (f"The key of the {called} you know", sshsig.fingerprint(same[0]))]}


def describe_data(letter: dict[str, Any], scenario: Mapping[str, str]) -> None:
    """Add a warning to ``letter`` if the game's data differ from this machine's data. Raises KurskError."""
    if (today := scenarios.load(scenario["id"]).sha256) != scenario["sha256"]:
        letter["warnings"].append(OTHER_DATA)
        letter["prints"] += [("The data of the game", scenario["sha256"]), ("The data here", today)]


def show_paper(room: Room, paper: Invitation) -> dict[str, Any]:
    """Return the page that shows an invitation or an answer to one. Stores nothing. Raises KurskError."""
    own = {key.public for key in ownkeys.list_own_keys(room)[0]}
    asked, state = invitations.find_state(room.home, paper, own)
    name = cut(paper.text("name")) or "A player"
    if asked is None:
        return make_letter("stray", name=name)
    scenario, rules, options = (asked.content[field] for field in ("scenario", "ruleset", "options"))
    ruleset, side = pins.find_rules(rules), invitations.find_side(asked)
    letter = make_letter(paper.type, name=name, note=cut(str(paper.content.get("note", "")), NOTE))
    letter |= {"state": state, "paper": asked, "scenario": scenario["id"], "keyed": bool(own)}
    letter |= describe_key(room, paper.text("name"), paper.text("key"))
    describe_data(letter, scenario)
    try:
        loaded = scenarios.load(scenario["id"], scenario["sha256"], "The inviter")
    except OutdatedError:
        loaded, letter["state"] = scenarios.load(scenario["id"]), state or "outdated"
    if rules != pins.pin_ruleset(ruleset.id, str(ruleset.version)):
        letter["state"] = state or "outdated"
    letter["words"] = describe_game(loaded, options, side if paper.type == ANSWER else ruleset.other(side))
    terms = [f"Options: {', '.join(f'{key} {value}' for key, value in options.items()) or 'none'}"]
    terms += [f"Rules: {ruleset.id}, adjudication {rules['version']}", f"Data: {scenario['sha256']}"]
    terms += [f"Referee: {sshsig.fingerprint(asked.text('referee'))}"] if "referee" in asked.content else []
    letter["terms"] = terms
    if paper.type == ANSWER:
        _describe_answer(room, letter, paper, asked, state)
    else:
        letter["proposes"] = invitations.needs_proposal(asked)
        letter["mine"] = remembered.recall(room.home).name
    if not letter["state"]:
        seen = {"of": paper.id, **{part: letter[part] for part in ("words", "terms", "warnings")}}
        to = "pick_answer" if paper.type == ANSWER else "answer_invitation"
        letter["form"] = {"to": to, "fields": {"text": paper.emit(), "shown": Shown("", seen).digest}}
    return letter


def _describe_answer(room: Room, letter: dict[str, Any], paper: Invitation, asked: Invitation, state: str) -> None:
    """Add to the letter of an answer what the inviter has done with it."""
    picked = [cut(one.text("name")) or "a player" for one in invitations.list_picked(room.home, asked)]
    letter["warnings"] += [f"The game is taken: you have proposed it to {who}." for who in picked if not state]
    letter["kept"] = any(one.id == paper.id for one in invitations.list_answers(room.home, asked))
    letter["at"] = next((one.game for one in room.known() if one.has_key(paper.text("key"))), "") if state else ""


def _confirm(room: Room, form: Mapping[str, str]) -> tuple[Invitation, str, str]:
    """Return paper, name and note of a form. Raises UsageError if the letter has changed (decision 49)."""
    paper = invitations.read_single(form.get("text", "").encode("utf-8", "replace"), "the address")
    shown = show_paper(room, paper)["form"]
    if shown is None or shown["fields"]["shown"] != form.get("shown"):
        raise UsageError("Nothing was signed, because the page has changed since you read it. Read the page again.")
    return paper, *_read_words(form)


def _read_words(form: Mapping[str, str]) -> tuple[str, str]:
    name, note = cut(form.get("name", ""), ownkeys.LONGEST), cut(form.get("note", ""), NOTE)
    begin.check_sendable_texts([name, note])
    return name, note


def _need_key(room: Room, name: str) -> OwnKey:
    """Return the player's key; make the first key if necessary. Raises UsageError."""
    own, _unusable = ownkeys.list_own_keys(room)
    key = own[0] if own else ownkeys.make_own_key(room, name)[0]
    remembered.remember(room.home, remembered.recall(room.home).usable_key or key.path, name)
    return key


def invite(room: Room, form: Mapping[str, str], options: Mapping[str, str]) -> Invitation:
    """Write an invitation; a player without a key first gets a new key. Raises KurskError."""
    scenario, _blank, side = form.get("game", "").partition(" ")
    name, note = _read_words(form)
    scenarios.load(scenario)
    said = {"name": name, "note": note, "side": side}
    return invitations.write_invitation(room.home, _need_key(room, name).path, scenario, options, said)


def answer(room: Room, form: Mapping[str, str]) -> Desk | Invitation:
    """Answer an invitation. Return the answered invitation; if the answer is a proposal, the desk of the new game."""
    asked, name, note = _confirm(room, form)
    key = _need_key(room, name).path
    if invitations.needs_proposal(asked):
        return invitations.propose_back(room.home, asked, key, name, room.place)
    invitations.write_answer(room.home, asked, key, name, note)
    return asked


def pick(room: Room, form: Mapping[str, str]) -> Desk:
    """Pick an answer: propose a game to the person who answered. Raises KurskError."""
    paper, _name, _note = _confirm(room, form)
    asked = invitations.find_asked(room.home, paper)
    key = next((one for one in ownkeys.list_own_keys(room)[0] if asked and one.public == asked.text("key")), None)
    if key is None:
        raise UsageError("the key of your invitation is missing here: write a new invitation")
    invitations.take(room.home, paper)
    return invitations.propose_to(room.home, paper.id, key.path, room.place)


def make_opponents_page(room: Room) -> dict[str, Any]:
    """Return the content of the page 'Find an opponent'. Raises KurskError."""
    home = room.home
    invited = [
        {"paper": one, "words": describe_own(one), "ended": invitations.has_ended(one)}
        | {"answers": invitations.list_answers(home, one), "picked": invitations.list_picked(home, one)}
        for one in invitations.list_own(home)
    ]
    answered = [(one, describe_own(one.asked)) for one in invitations.list_answered(home)]
    own, name = ownkeys.list_own_keys(room)[0], remembered.recall(home).name
    return {"keys": own, "name": name, "systems": shelf.list_systems(), "invited": invited, "answered": answered}


def describe_own(asked: Invitation) -> dict[str, str]:
    """Return words for the inviter that describe the game of an invitation. Raises KurskError."""
    return describe_game(
        scenarios.load(asked.content["scenario"]["id"]), asked.content["options"], invitations.find_side(asked)
    )


def find_to_send(room: Room, paper_id: str) -> tuple[Invitation, Invitation]:
    """Return an invitation and the paper to send: the invitation of this player, or an answer. Raises UsageError."""
    pairs = [(one, one) for one in invitations.list_own(room.home)]
    pairs += [(one.asked, one.answer) for one in invitations.list_answered(room.home) if one.answer]
    if found := next((pair for pair in pairs if pair[0].id == paper_id), None):
        return found
    raise UsageError("the invitation is not here")
