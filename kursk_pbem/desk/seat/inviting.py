"""Invitations at the board: what a stranger reads and answers, and what the inviter signs.

A letter is the content of a page for one link: sentences, warnings, fingerprints, and at most one form. Names and notes
are the words of strangers: one line, cut.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from kursk_pbem.desk.deals import begin, invitations
from kursk_pbem.desk.deals.agreement import NOTE, cut, describe_game
from kursk_pbem.desk.ground import clock
from kursk_pbem.desk.ground.shown import Shown
from kursk_pbem.desk.own import remembered
from kursk_pbem.desk.own.desks import Desk
from kursk_pbem.desk.seat import ownkeys, shelf
from kursk_pbem.desk.seat.ownkeys import OwnKey
from kursk_pbem.desk.seat.posting import Post
from kursk_pbem.desk.seat.room import Room
from kursk_pbem.errors import OutdatedError, UsageError
from kursk_pbem.formats import times
from kursk_pbem.game import pins, scenarios
from kursk_pbem.rulesets import ruleset as find_ruleset
from kursk_pbem.trust import sshsig
from kursk_pbem.trust.invitation import ANSWER, Invitation

_CHANGED = "Nothing was signed, because the page has changed since you read it. Read it again."


def make_letter(title: str, *lines: str, **more: Any) -> dict[str, Any]:
    """Return the content of a page for one link; ``more``: warnings, prints, form, game, and so on."""
    return {"title": title, "lines": lines, "warnings": (), "prints": (), "form": None, "bad": False, **more}


def find_namesake(room: Room, name: str, public: str) -> str:
    """Return the key of another person whom the player knows by this name, or ''."""
    known = [(one.name, one.public) for one in ownkeys.list_opponents(room)]
    known += [(one.asked.text("name"), one.asked.text("key")) for one in invitations.list_answered(room.home)]
    keys = [key for who, key in known if cut(who).casefold() == cut(name).casefold() != ""]
    return keys[0] if keys and public not in keys else ""


def describe_key(room: Room, name: str, public: str) -> dict[str, Any]:
    """Return in words whose key has signed a letter, the fingerprints, and a warning about a false name."""
    called = cut(name) or "the writer"
    prints = [(f"The key of this {called}", sshsig.fingerprint(public))]
    if other := find_namesake(room, name, public):
        why = f"You know another {called}: this letter is signed with another key. Somebody may use the name."
        return {
            "warnings": [why],
            "prints": [*prints, (f"The key of the {called} you know", sshsig.fingerprint(other))],
        }
    if any(one.asked.text("key") == public for one in invitations.list_answered(room.home)):
        told = "It is signed with the key of the invitation that you answered."
    elif any(one.public == public for one in ownkeys.list_opponents(room)):
        told = "It is signed with the key of an opponent of yours."
    else:
        told = f"The name {called} is a claim: nobody here knows the key yet." if cut(name) else "The key is new here."
    return {"key": told, "prints": prints}


def _describe_paper(
    room: Room, paper: Invitation, asked: Invitation, side: str
) -> tuple[dict[str, str], dict[str, Any]]:
    """Return the game of an invitation in words for a side, and what a letter tells of a paper. Raises KurskError."""
    scenario, options = asked.content["scenario"], asked.content["options"]
    ruleset = pins.find_rules(asked.content["ruleset"])
    letter = describe_key(room, paper.text("name"), paper.text("key"))
    letter |= {"scenario": scenario["id"], "note": cut(paper.text("note"), NOTE) if "note" in paper.content else ""}
    today = scenarios.load(scenario["id"])
    try:
        loaded = scenarios.load(scenario["id"], scenario["sha256"], "The inviter")
    except OutdatedError:
        loaded = None
    game = describe_game(loaded or today, options, side)
    if loaded is None or loaded.sha256 != today.sha256:
        why = "The game has other data of the scenario than this program."
        letter["warnings"] = [*letter.get("warnings", ()), why]
        letter["prints"] += [("The data of the game", scenario["sha256"]), ("The data here", today.sha256)]
    faulty = loaded is None or asked.content["ruleset"] != pins.pin_ruleset(ruleset.id, str(ruleset.version))
    letter["refused"] = ["Your program and the inviter's have different releases: use the same one."] * faulty
    chosen = [f"{key}: {value}" for key, value in options.items()] or ["none"]
    letter["terms"] = [f"Options: {', '.join(chosen)}", f"Rules: {ruleset.id}, adjudication {ruleset.version}"]
    letter["terms"] += [f"Data: {scenario['sha256']}", "The dice come from both players."]
    if "referee" in asked.content:
        letter["terms"].append(f"A referee relays, with the key {sshsig.fingerprint(asked.text('referee'))}")
    return game, letter


def _add_form(letter: dict[str, Any], paper: Invitation, to: str, button: str, **more: Any) -> dict[str, Any]:
    """Return the letter with a form, whose digest stands for everything that the page shows (decision 49)."""
    shown = Shown(
        "\n".join((letter["title"], *letter["lines"], *letter["warnings"], *letter["terms"])), {"of": paper.id}
    )
    fields = {"text": paper.emit(), "shown": shown.digest}
    return letter | {"form": {"to": to, "button": button, "fields": fields, **more}}


def show_paper(room: Room, paper: Invitation) -> dict[str, Any]:
    """Return the letter of an invitation or an answer. Nothing is stored. Raises KurskError."""
    return _show_answer(room, paper) if paper.type == ANSWER else _show_invitation(room, paper)


def _show_invitation(room: Room, paper: Invitation) -> dict[str, Any]:
    inviter, own = invitations.find_side(paper), ownkeys.list_own_keys(room)[0]
    game, told = _describe_paper(room, paper, paper, find_ruleset(paper.content["ruleset"]["id"]).other(inviter))
    name = cut(paper.text("name")) or "A player"
    line = f"{game['title']}: {game['length']}. You play {game['you']}."
    letter = make_letter(f"{name} invites you to {game['short']}", line) | told
    if any(key.public == paper.text("key") for key in own):
        return letter | {"key": "This is your own invitation.", "hand": paper.id}
    if told["refused"]:
        return letter | {"warnings": [*letter["warnings"], *told["refused"]]}
    if paper.text("until") < clock.now():
        return letter | {"ended": f"This invitation ended on {times.tell_day(paper.text('until'))}: ask for a new one."}
    if any(one.asked.id == paper.id for one in invitations.list_answered(room.home)):
        return letter | {"ended": "You have answered this invitation.", "hand": paper.id}
    proposes = invitations.needs_proposal(paper)
    does = "answer and propose the game" if proposes else "answer"
    button = does.capitalize() if own else f"Make my key and {does}"
    letter["lines"] += ("Your answer is the signed proposal of this game.",) * proposes
    return _add_form(letter, paper, "answer_invitation", button, name=remembered.recall(room.home).name)


def _show_answer(room: Room, paper: Invitation) -> dict[str, Any]:
    name, home = cut(paper.text("name")) or "A player", room.home
    asked = next((one for one in invitations.list_own(home) if one.id == paper.text("invitation")), None)
    if asked is None:
        why = "The invitation is not here: open the address where the invitation was written. Nothing was stored."
        return make_letter(f"{name} answers an invitation", why)
    game, told = _describe_paper(room, paper, asked, invitations.find_side(asked))
    line = f"{game['title']}: {game['length']}. You play {game['you']}, {name} plays {game['them']}."
    letter = make_letter(f"{name} answers your invitation to {game['short']}", line) | told
    if paper.text("key") == asked.text("key"):
        return letter | {"ended": "This answer is by your own key: a game needs two players."}
    if invitations.is_picked(home, asked, paper):
        keys = {known.game: known.head.get("keys") for known in room.known()}
        games = [game for game, each in keys.items() if isinstance(each, dict) and paper.text("key") in each.values()]
        return letter | {"ended": "You have proposed the game to this player.", "game": games[0] if games else ""}
    if not asked.text("time") <= paper.text("time") <= asked.text("until") or asked.text("until") < clock.now():
        ended = times.tell_day(asked.text("until"))
        return letter | {"ended": f"Your invitation ended on {ended}, before this answer: write a new one."}
    if picked := invitations.list_picked(home, asked):
        others = " and ".join(cut(one.text("name")) or "another player" for one in picked)
        letter["warnings"] = [*letter["warnings"], f"The game is taken: you have proposed it to {others}."]
    mine = cut(asked.text("name")) or "I"
    letter["taken"] = f"{name}, thank you for the answer. {game['short']} is taken: {mine} plays with somebody else."
    kept = any(one.id == paper.id for one in invitations.list_answers(home, asked))
    return _add_form(letter, paper, "pick_answer", "Sign the proposal", kept=kept)


def need_key(room: Room, name: str) -> OwnKey:
    """Return the player's key; make a key if there is none. Raises UsageError."""
    own, _unusable = ownkeys.list_own_keys(room)
    key = own[0] if own else ownkeys.make_own_key(room, name)[0]
    remembered.remember(room.home, remembered.recall(room.home).usable_key or key.path, name)
    return key


def _confirm(room: Room, form: Mapping[str, str]) -> tuple[Invitation, dict[str, Any]]:
    """Return the paper of a form with its present letter. Raises UsageError if the letter is not what was shown."""
    paper = invitations.read_single(form.get("text", "").encode("utf-8", "replace"), "the address")
    letter = show_paper(room, paper)
    if letter["form"] is None or letter["form"]["fields"]["shown"] != form.get("shown"):
        raise UsageError(_CHANGED)
    return paper, letter


def read_words(form: Mapping[str, str]) -> tuple[str, str]:
    """Return the player's name and note. Raises UsageError if one cannot be sent."""
    name, note = cut(form.get("name", ""), ownkeys.LONGEST), cut(form.get("note", ""), NOTE)
    begin.check_sendable_texts([name, note])
    return name, note


def invite(room: Room, form: Mapping[str, str]) -> Invitation:
    """Write an invitation; make a key if there is none. Raises KurskError."""
    scenario, _blank, side = form.get("game", "").partition(" ")
    name, note = read_words(form)
    scenarios.load(scenario)
    key = need_key(room, name)
    return invitations.write_invitation(room.home, key.path, scenario, {}, {"name": name, "note": note, "side": side})


def answer(room: Room, form: Mapping[str, str]) -> Desk | Invitation:
    """Answer an invitation; return the answered invitation, or the desk of the proposed game. Raises KurskError."""
    asked, _letter = _confirm(room, form)
    name, note = read_words(form)
    key = need_key(room, name)
    if invitations.needs_proposal(asked):
        return invitations.propose_back(room.home, asked, key.path, name, room.place)
    invitations.write_answer(room.home, asked, key.path, name, note)
    return asked


def pick(room: Room, form: Mapping[str, str]) -> Desk:
    """Sign the proposal to the writer of an answer. Raises KurskError."""
    paper, _letter = _confirm(room, form)
    asked = next(one for one in invitations.list_own(room.home) if one.id == paper.text("invitation"))
    key = next((one for one in ownkeys.list_own_keys(room)[0] if one.public == asked.text("key")), None)
    if key is None:
        raise UsageError("the key of your invitation is missing here: write a new invitation")
    invitations.take(room.home, paper)
    return invitations.propose_to(room.home, paper.id, key.path, room.place)


def make_opponents_page(room: Room) -> dict[str, Any]:
    """Return the content of the page 'Find an opponent'. Raises KurskError."""
    own = [(paper, *_describe_own(paper)) for paper in invitations.list_own(room.home)]
    return {
        "keys": ownkeys.list_own_keys(room)[0],
        "name": remembered.recall(room.home).name,
        "systems": shelf.list_systems(),
        "invitations": [
            {
                "id": paper.id,
                "title": f"{game['title']}: you play {game['you']}",
                "until": f"{'ended' if ended else 'open until'} {times.tell_day(paper.text('until'))}",
                "picked": [cut(one.text("name")) for one in invitations.list_picked(room.home, paper)],
                "answers": [(cut(one.text("name")), one.emit()) for one in invitations.list_answers(room.home, paper)],
            }
            for paper, game, ended in own
        ],
        "answered": [
            {"id": one.asked.id, "name": cut(one.asked.text("name")), "title": _describe_own(one.asked)[0]["title"]}
            | {"game": one.game}
            for one in invitations.list_answered(room.home)
        ],
    }


def _describe_own(paper: Invitation) -> tuple[dict[str, str], bool]:
    """Return the game of an invitation in the inviter's words, and whether the invitation has ended."""
    loaded = scenarios.load(paper.content["scenario"]["id"])
    game = describe_game(loaded, paper.content["options"], invitations.find_side(paper))
    return game, paper.text("until") < clock.now()


def _find_own(room: Room, paper_id: str) -> tuple[Invitation, Invitation]:
    """Return an own invitation twice; or an invitation that the player answered, and the answer. Raises UsageError."""
    pairs = [(one, one) for one in invitations.list_own(room.home)]
    pairs += [(one.asked, one.answer) for one in invitations.list_answered(room.home) if one.answer]
    found = next((pair for pair in pairs if pair[0].id == paper_id), None)
    if found is None:
        raise UsageError("the invitation is not here")
    return found


def hand_over(room: Room, paper_id: str) -> dict[str, Any]:
    """Return the page that hands on an own invitation, or the answer to an invitation. Raises UsageError."""
    asked, paper = _find_own(room, paper_id)
    page = room.page or remembered.recall(room.home).page
    game = _describe_own(asked)[0]
    told = {"id": paper_id, "address": invitations.make_link(room.home, paper, page) if page else ""}
    if paper is asked:
        words = (
            f"I look for an opponent for {game['title']}, {game['length']}: I play {game['you']}, you play "
            f"{game['them']}. This address shows the map and takes your answer, without an account or an install:"
        )
        return told | {"title": f"Your invitation to {game['short']}", "words": words, "to": "in a forum or a chat"}
    name = cut(asked.text("name")) or "the inviter"
    words = (
        f"I answer your invitation to {game['title']}. Open this address in the browser where you wrote the "
        "invitation, and sign the proposal:"
    )
    return told | {"title": f"Your answer to {name}", "words": words, "to": f"to {name}"}


def make_post(room: Room, paper_id: str) -> Post:
    """Return an own invitation, or an own answer, as a file to send. Raises UsageError."""
    paper = _find_own(room, paper_id)[1]
    title = hand_over(room, paper_id)["title"]
    return Post(f"kursk-{paper.type}-{paper.id[:8]}", title, paper.emit().encode("ascii"))
