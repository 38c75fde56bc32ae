"""The home page: the list of games, accepting mails, proposing and accepting games."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import IO, Any

from kursk_pbem import rulesets
from kursk_pbem.desk.deals import agreement, begin, director, introducing, successors
from kursk_pbem.desk.games import overview
from kursk_pbem.desk.games.overview import Stand
from kursk_pbem.desk.ground import clock, machine
from kursk_pbem.desk.ground.shown import Shown
from kursk_pbem.desk.own import lookup as places
from kursk_pbem.desk.own import remembered
from kursk_pbem.desk.own.register import DEMONSTRATIONS
from kursk_pbem.desk.referee import timekeeper
from kursk_pbem.desk.seat import bothsides, ownkeys, playback, shelf
from kursk_pbem.desk.seat.room import Room
from kursk_pbem.desk.turn import play
from kursk_pbem.errors import KurskError, UsageError
from kursk_pbem.formats import times
from kursk_pbem.formats.text import show
from kursk_pbem.game import histories, inbox, keyring, reports, scenarios, successor
from kursk_pbem.game.games import Game
from kursk_pbem.kernel import given
from kursk_pbem.kernel.account.lines import sentence
from kursk_pbem.kernel.words import party
from kursk_pbem.trust import keys, messages, reader, sshsig
from kursk_pbem.trust.invitation import ANSWER
from kursk_pbem.trust.messages import Message
from kursk_pbem.trust.papers import Paper

_PARAGRAPHS = re.compile(r" \((?:, |[0-9][0-9a-z.-]*|[A-Z]-[0-9]+)+\)")  # this page has no links to paragraphs
MOST_KEY = 4096
"""Maximum size of a public key file in bytes."""


def make_home_page(room: Room) -> dict[str, Any]:
    """Return the content of the home page."""
    try:
        stands, _faults = overview.list_stands(room.home, room.here, room.log)
    except places.NoGameError:
        stands = []
    own, unusable = ownkeys.list_own_keys(room)
    opponents = ownkeys.list_opponents(room)
    return {
        "games": _name_games([_make_row(room, stand, {one.public: one.name for one in opponents}) for stand in stands]),
        "keys": own,
        "unusable": unusable,
        "name": remembered.recall(room.home).name or (own[0].owner if own else ""),
        "in_agent": [] if own else ownkeys.list_agent_keys(),
        "opponents": opponents,
        "systems": shelf.list_systems(),
    }


def describe_options(scenario: str) -> dict[str, Any]:
    """Return the options of a scenario's system with their meanings, and the sides that can get victory points.

    Without sides, the system counts no points. Raises UsageError for an unknown system.
    """
    ruleset = rulesets.ruleset(scenario.partition("/")[0])
    options = [(option, _PARAGRAPHS.sub("", option.text)) for option in ruleset.options if not option.many]
    counted = any(option.key == given.KEY for option in ruleset.options)
    return {"options": options, "receivers": ruleset.sides if counted else ()}


def _name_games(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Add the name ``called`` to each game; add the system if two games have the same name."""
    called = [
        "A demonstration" if row.get("demonstration") else "Both sides" if row.get("both") else row["opponent"]
        for row in rows
    ]
    return [
        {**row, "called": f"{name}: {system}" if system and called.count(name) > 1 else name or row["short"]}
        for row, name in zip(rows, called, strict=True)
        for system in [row.get("title", "").partition(":")[0] if name else ""]
    ]


def _tell_age(since: str) -> str:
    """Return how long ago a time was, in its largest unit: 'just now' or '2 hours ago'."""
    number, unit, *_smaller = times.in_words(max(0, times.seconds_between(since, clock.now()))).split()
    return "just now" if number == "0" else f"{number} {unit} ago"


def _make_row(room: Room, stand: Stand, names: Mapping[str, str]) -> dict[str, Any]:
    known = stand.known
    row: dict[str, Any] = {"game": known.game, "short": known.short, "opponent": known.opponent}
    if stand.desk is None:
        return {**row, "fault": str(stand.fault), "mine": False}
    both = room.both(known.game)
    desk = room.desk(known.game) if both else stand.desk
    if desk.lost:
        return {**row, "fault": desk.lost, "mine": False}
    game, own = desk.game, desk.own_side
    words = game.ruleset.seen.words(game.setting)
    side = words.side(own) if own in game.ruleset.sides else own
    sender = sentence(party(desk.last.sender, words.side(desk.last.sender))).removesuffix(".")
    theirs = game.chain.keys.get(game.ruleset.other(own), "") if own in game.ruleset.sides else ""
    writer = game.chain.writer(desk.seq)
    opponent = names.get(theirs) or known.opponent
    others = own in game.ruleset.sides and writer == game.ruleset.other(own) and opponent
    draft = "signed; its file is missing" if desk.unwritten else stand.draft
    ahead = overview.preview_duties(desk) if both and not stand.dice else None
    news = playback.find_news(desk, own_dice=bool(stand.dice or (ahead and ahead.dice)))
    return {
        **row,
        "fault": "",
        "news": news["end"] if news["dice"] else 0,
        "both": both,
        "demonstration": room.holds(known.folder, DEMONSTRATIONS),
        "opponent": opponent,
        "title": game.title,
        "side": side,
        "turn": game.state.turn,
        "mine": desk.mine and not stand.judged,
        "over": stand.over,
        "due": stand.due,
        "next": others or sentence(party(writer, words.side(writer))).removesuffix("."),
        "draft": draft,
        "last": overview.describe_last(desk, sender) if both else stand.last,
        "since": times.tell_day(stand.since) if stand.since else "",
        "ago": _tell_age(stand.since) if stand.since else "",
        "term": clock.display_deadline(stand.term) if stand.term else "",
        "judged": sentence(stand.judged) if stand.judged else "",
    }


def take_file(room: Room, stream: IO[bytes], name: str) -> Iterator[dict[str, Any]]:
    """Accept the turns and papers in a file or pasted text. Yield a result for each; after a fault, continue."""
    called = show(name) if name else "the file"
    try:
        reading = reader.read_thing(stream.read(reader.MAX_THING + 1), called)
        turns = [] if reading.invitations and not reading.turns else inbox.list_turns(reading)
        for paper in reading.invitations:
            kind = "An answer to an invitation" if paper.type == ANSWER else "An invitation"
            yield {"name": kind, "look": paper.emit()}
    except KurskError as error:
        yield {"name": f"Not taken: {called}", "bad": True, "lines": [str(error)]}
        return
    for enclosure in turns:
        try:
            yield _take_enclosure(room, enclosure, turns)
        except KurskError as error:
            yield {"name": f"A refused message in {called}", "bad": True, "lines": [str(error)]}
    for fault in reading.faults:
        yield {"name": f"A damaged message in {called}", "bad": True, "lines": [str(fault)]}


def _take_enclosure(room: Room, enclosure: Message | Paper, beside: Sequence[Message | Paper]) -> dict[str, Any]:
    if isinstance(enclosure, Paper):
        chain = timekeeper.receive_paper(enclosure, room.home, None).desk.game.chain
        told = [reports.describe_paper(chain, enclosure)]
        return {"name": "A paper of the referee", "lines": told, "game": chain.game}
    if enclosure.seq == 0 and not any(known.game == enclosure.id for known in room.known()):
        return _show_proposal(room, enclosure)
    received = play.take_message(play.open_for(enclosure, room.home, None), enclosure, beside=beside)
    signed = director.sign_answer(received.desk, str(room.key) if room.key else None)
    desk = signed or received.resumed or received.desk
    step = received.desk.history.step(enclosure.seq)
    lines = [] if received.result is not None else ["The message was processed before; nothing changed."]
    lines += [line for line in (received.instead, received.stuck, *received.prepared) if line]
    if received.dice:
        lines += [*received.dice, reports.UNSENT_DICE]
    if signed is not None:
        lines.append(f"Signed: {signed.newest}; {signed.to_mail}.")
    told = reports.detach_headlines(reports.make_headlines(step.before, step.after, step.message, step.result))
    return {
        "name": f"{desk.game.title}, message {enclosure.seq}",
        "lines": lines,
        "headlines": told,
        "game": desk.game.chain.game,
    }


def _show_proposal(room: Room, message: Message) -> dict[str, Any]:
    """Return the terms of a new proposal.

    A successor of the player's game is kept until the players agree in that game.
    """
    game = histories.begin(message).game
    text = messages.emit_for_mail(message.content, message.armour or "", message.state)
    former = str(message.mapping("continues").get("game", ""))
    if any(known.game == former for known in room.known()):
        desk = room.desk(former)
        if successor.find_agreement(desk.history.games, game) != successor.ACCEPTED:
            return {
                "name": f"A proposal to continue {desk.game.title}",
                "game": former,
                "lines": successors.keep_proposal(desk, text),
            }
    told, pinned = show_terms(message, game), list(keyring.make_fingerprints(game.chain.keys).values())
    return {
        "name": f"A proposal: {game.title}",
        "lines": [],
        "proposal": text,
        "id": message.id,
        "text": told.text,
        "shown": told.digest,
        "pinned": pinned,
    }


def show_terms(message: Message, game: Game) -> Shown:
    """Return the terms of a proposal as a text to show, with a digest that tells changes."""
    side = game.ruleset.seen.words(game.setting).side(message.sender)
    sender = f"From {message.mapping('names').get(message.sender) or 'the player'} of the {side} side."
    told = "\n".join((sender, *agreement.describe_terms(game, game.chain.writer(1))))
    return Shown(told, {"proposal": message.id})


def accept_shown(room: Room, text: str, key: str, shown: str, name: str = "") -> dict[str, Any]:
    """Accept a proposal with the player's key ``key``, if the terms still have the digest ``shown``.

    ``name``: the player's name for the note of the first message, '' for no note.
    """
    begin.check_sendable_texts([name])
    message = inbox.read(text.encode("utf-8", "replace"), "the proposal")
    if message.seq != 0:
        raise UsageError("not a proposal")
    if show_terms(message, histories.begin(message).game).digest != shown:
        why = "Nothing was accepted: the proposal has changed since you read the page. Read the proposal again."
        return {**_show_proposal(room, message), "bad": True, "lines": [why]}
    path = ownkeys.find_own_key(room, key).path
    desk = begin.join(message, path, room.place, room.home)
    remembered.remember(room.home, path, name)
    told = introducing.find_untold_name(desk, name)
    named = [sentence(introducing.describe_name_note(introducing.write_name_note(desk, told)))] if told else []
    return {
        "name": f"{desk.game.title}: accepted",
        "game": desk.game.chain.game,
        "id": message.id,
        "lines": [*([f"The game is in {desk.folder}."] if machine.get_machine().folders else ()), *named],
    }


def propose_shown(room: Room, form: Mapping[str, str], opponent: IO[bytes] | None) -> dict[str, Any]:
    """Propose a game, or begin a game of both sides. Refuse if the scenario has changed since the page showed it."""
    chosen = form.get("scenario", "")
    if not chosen:
        raise UsageError("choose a scenario")
    scenario = scenarios.load(chosen)
    ruleset = rulesets.ruleset(scenario.ruleset)
    if shelf.show_scenario(ruleset, scenario).digest != form.get(f"shown/{chosen}", ""):
        why = "The scenario or the program has changed since you read the page: choose again."
        return {"name": "Nothing was proposed", "bad": True, "lines": [why]}
    key = ownkeys.find_own_key(room, form.get("key", "")).path
    options = {option.key: value for option in ruleset.options if (value := form.get(f"{ruleset.id}/{option.key}", ""))}
    if given.KEY in options:
        options[given.KEY] = given.make_value(form.get(f"{ruleset.id}/{given.KEY}-side", ""), options[given.KEY])
    if form.get("with") == "both":
        desk = bothsides.start_game(room, chosen, key, options)
        return {"game": desk.game.chain.game, "begun": True}
    public = _read_opponent_key(room, form, opponent)
    side = begin.find_proposer(chosen, {})
    names = {side: form.get("name", "").strip(), ruleset.other(side): form.get("opponent-name", "").strip()}
    told = begin.Proposal(chosen, side, public, {who: name for who, name in names.items() if name}, options)
    desk = begin.propose_game(told, key, room.place, room.home)
    remembered.remember(room.home, key, told.names.get(side, ""))
    pinned = f"Your opponent's key: {sshsig.fingerprint(public)}. Compare the key by telephone."
    return {
        "name": f"{desk.game.title}: proposed",
        "game": desk.game.chain.game,
        "mail": desk.game.chain.game,
        "lines": [f"Mail {machine.name_file(desk.newest.resolve(), 'it')} to your opponent.", pinned],
    }


def _read_opponent_key(room: Room, form: Mapping[str, str], file: IO[bytes] | None) -> str:
    for known in ownkeys.list_opponents(room):
        if known.fingerprint == form.get("with"):
            return known.public
    raw = (file.read(MOST_KEY + 1) if file else b"") or form.get("opponent-key", "").strip().encode("utf-8", "replace")
    if not raw:
        raise UsageError("choose the file with your opponent's public key, or paste the text of the key")
    return keys.parse_public(raw, Path("the key"))
