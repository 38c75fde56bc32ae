"""The director's decisions: each has a function and a public log paper."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from kursk_pbem.desk.referee import timekeeper
from kursk_pbem.errors import UsageError
from kursk_pbem.formats import times
from kursk_pbem.formats.text import show
from kursk_pbem.game import histories
from kursk_pbem.kernel.words import plural
from kursk_pbem.tournament import boards, keeping, unsettled
from kursk_pbem.tournament.book import clocks, outcomes
from kursk_pbem.tournament.book.records import ADJOURNED, AGREED, DRAWN_GAME, POINTS, SILENCE, WORD, Board, Entrant
from kursk_pbem.tournament.office import games
from kursk_pbem.tournament.office.office import Office
from kursk_pbem.tournament.papers import fields
from kursk_pbem.tournament.papers.forms import Paper
from kursk_pbem.trust import sshsig

OF_A_GAME = (AGREED, POINTS, WORD, "draw", ADJOURNED)
"""Judgements of a position."""


def entrant(office: Office, called: str) -> Entrant:
    """Return the entrant named by a number, or by the beginning of a name or entry id. Raises UsageError."""
    book = office.book
    if called in book.numbers:
        return book.entrant(called)
    wanted = called.casefold()
    candidates = [player for player in book.entrants.values() if not player.out]
    for test in (lambda player: player.name.casefold() == wanted, lambda player: _fits(player, wanted)):
        if len(fitting := [player for player in candidates if test(player)]) == 1:
            return fitting[0]
    names = ", ".join(
        f"{player.number} {player.name}".strip() for player in candidates if _fits(player, wanted) or not wanted
    )
    if not names:
        raise UsageError(
            f"{called!r} is nobody here: give a number, or how a name begins; 'kursk tournament standings'"
        )
    raise UsageError(f"{called!r} may be {names}: name the number")


def _fits(player: Entrant, wanted: str) -> bool:
    return player.name.casefold().startswith(wanted) or player.entry.startswith(wanted)


def _once(office: Office, kind: str, said: Mapping[str, Any], words: str) -> Paper:
    """Sign a decision, unless the newest log paper says the same (apart from the end of a holiday)."""
    head = office.book.head
    same = {name: value for name, value in said.items() if name != "until"}
    if head.type == kind and all(head.said(name) == value for name, value in same.items()):
        office.done.append(f"log paper {head.seq} says so already: {words}")
        return head
    return office.sign(kind, said, words)


def grant(office: Office, who: str, time: Mapping[str, str], why: str) -> Paper:
    """Add time (``days`` or ``until``) in the log and in the games with a present deadline."""
    number = clocks.ALL if who == clocks.ALL else entrant(office, who).number
    given = f"{plural(int(time['days']), 'day')} more" if "days" in time else f"time until {time['until']}"
    words = f"{'everybody has' if number == clocks.ALL else f'number {number} has'} {given}"
    paper = _once(office, fields.CLOCK, {"who": number, **time, "why": why}, words)
    games.give_time(office, paper)
    return paper


def withdraw(office: Office, who: str, why: str) -> Paper:
    """Log a withdrawal by the entrant's own paper, or for missed rounds."""
    player = entrant(office, who)
    word = unsettled.withdrawal(office.book, player)
    said: dict[str, Any] = {"number": player.number, "why": why or ("their own word" if word else "missed rounds")}
    if word:
        said["papers"] = [word.id]
    return _once(office, fields.WITHDRAWN, said, f"number {player.number} has withdrawn")


def offered(office: Office, who: str, name: str = "") -> Paper:
    """Return the newest offer to take over a number. ``name``: the name, or the fingerprint of the key."""
    player = entrant(office, who)
    offers = unsettled.offers(office.book, player)
    if not offers:
        how = "whoever wants to signs 'kursk tournament stand-in', and 'kursk tournament inbox' takes it"
        raise UsageError(f"nobody has offered to stand in for number {player.number}: {how}")
    prints = {paper.id: sshsig.fingerprint(paper.sender) for paper in offers}
    known = ((paper, ("", paper.text("name").casefold(), prints[paper.id].casefold())) for paper in offers)
    named = [paper for paper, words in known if name.casefold() in words]
    if len({paper.sender for paper in named}) != 1:
        names = " and ".join(dict.fromkeys(f"{show(paper.text('name'))} ({prints[paper.id]})" for paper in offers))
        why = "say with --name who is to play, or by which key"
        raise UsageError(f"{names} offered to stand in for number {player.number}: {why}")
    return named[-1]


def stands_in(office: Office, who: str, name: str = "") -> str:
    """Return the name and key of the person who would stand in for an entrant."""
    offer = offered(office, who, name)
    return f"{show(offer.text('name'))}, with the key {sshsig.fingerprint(offer.sender)},"


def substitute(office: Office, who: str, why: str, name: str = "") -> Paper:
    """Log that the person of :func:`offered` takes over a number."""
    player, offer = entrant(office, who), offered(office, who, name)
    said = {"number": player.number, "paper": offer.id, "why": why}
    return _once(office, fields.SUBSTITUTE, said, f"{offer.text('name')} plays for number {player.number}")


def key(office: Office, who: str) -> Paper:
    """Log an entrant's new key by the paper with both signatures."""
    player = entrant(office, who)
    changes = office.book.of_entrant(fields.NEW_KEY, player)
    if not changes:
        raise UsageError(f"number {player.number} has signed no change of key")
    said = {"number": player.number, "paper": changes[-1].id}
    return _once(office, fields.KEY, said, f"number {player.number} has a new key")


def refuse(office: Office, id_: str, why: str) -> Paper:
    """Refuse an entry or a claim, named by the beginning of its id or by the entrant."""
    known = [paper_id for paper_id in office.book.received if paper_id.startswith(id_)]
    if len(known) != 1:
        try:
            known = [entrant(office, id_).entry]
        except UsageError as error:
            raise UsageError(f"no paper that was acknowledged begins so, and {error}") from None
    return _once(office, fields.REFUSED, {"paper": known[0], "why": why}, f"paper {known[0][:16]} is refused")


def judge(office: Office, called: str, by: str, winner: str, why: str) -> Paper:
    """Judge or adjourn a board. ``winner``: a side, draw or nobody; '' if the method decides."""
    place = boards.find(office.book, called)
    if by == SILENCE and not place.games:
        games.log_games(office)
        if (place := boards.find(office.book, called)).games:
            raise UsageError(f"board {place.name} has its game by now: 'kursk tournament status' says who owes")
    said: dict[str, Any] = {"board": place.name, "by": by, "winner": winner, "why": why or by}
    if by in OF_A_GAME:
        said |= _of_game(office, place, by)
    if by in ("draw", ADJOURNED):
        said["winner"] = DRAWN_GAME
    if not said["winner"]:
        raise UsageError(f"name the winner of board {place.name}: {', '.join(place.sides)}, {DRAWN_GAME} or nobody")
    return _once(office, fields.JUDGED, said, f"board {place.name}: {said['winner']}, by {by}")


def _of_game(office: Office, place: Board, by: str) -> dict[str, Any]:
    """Return the fields of a judgement that follow from the game."""
    played = games.played(office, place)
    if played is None:
        raise UsageError(f"board {place.name} has no game yet: judge it by {SILENCE}")
    said: dict[str, Any] = {"game": played.ids[0], "head": played.ids[-1]}
    if by in (POINTS, WORD, "draw") and played.margin is not None and POINTS in office.book.rules.terms.ends:
        said["margin"] = str(played.margin)
    if by == POINTS and played.margin is not None:
        said["winner"] = outcomes.by_points(office.book, place, played.margin)
    if by == AGREED:
        pair = outcomes.agreement(office.book, place, played.ids[-1])
        if pair is None:
            why = f"there are no two equal papers of both players about board {place.name}"
            if outcomes.agreement(office.book, place) is not None:
                why = f"both signed how board {place.name} ended, and its game went on since: ask them to sign anew"
            raise UsageError(why)
        said = {name: pair[0].said(name) for name in ("game", "head", "winner", "margin") if pair[0].said(name)}
        said["papers"] = [paper.id for paper in pair]
    if by == WORD:
        said["papers"] = [paper.id for paper in office.book.of_kind(fields.RULING, place.name)]
    return said


def begun(office: Office, called: str) -> tuple[Board, Path]:
    """Return a board and the folder of its game. Raises UsageError if the game has not begun."""
    place = boards.find(office.book, called)
    if not place.game:
        raise UsageError(f"board {place.name} has no game yet: judge it by {SILENCE}")
    return place, games.folder_of(office, place.game)


def forfeit(office: Office, called: str, declared: str = "") -> str:
    """End a game after a missed deadline, added time included; return a line for the director."""
    place, folder = begun(office, called)
    declared = declared or office.now()
    keeping.check_over(office.book, place, histories.load(folder).game, declared)
    issued = timekeeper.forfeit(folder, Path(office.record.key), declared, office.book.log_head())
    return f"wrote {issued.path}: the letters carry it to both players"


def correct(office: Office, seq: int, now: Mapping[str, Any], why: str) -> Paper:
    """Correct a log paper: ``now`` replaces fields, the others stay."""
    if not 0 < seq < len(office.book.log):
        raise UsageError(f"there is no log paper {seq} to correct")
    old = office.book.log[seq]
    required, optional = fields.LOG[old.type]
    stands: Mapping[str, Any] = old.content
    for paper in office.book.log:
        if paper.type == fields.CORRECT and paper.number("corrects") == seq:
            stands = paper.said("now")
    kept = {name: stands[name] for name in (*required, *optional) if name in stands and name != "why"}
    said = {name: value for name, value in {**kept, **now}.items() if value != ""}
    if old.type == fields.CLOCK and _takes_back(stands, said):
        raise UsageError(
            "time that was given is not taken back: both players may have read of it; give more if you like"
        )
    corrected = {"corrects": str(seq), "id": old.id, "now": said, "why": why}
    return _once(office, fields.CORRECT, corrected, f"log paper {seq} is corrected")


def _takes_back(stands: Mapping[str, Any], said: Mapping[str, Any]) -> bool:
    """Return whether a corrected grant gives less time (protocol 2.10, X2)."""
    less = int(said.get("days", "0")) < int(stands.get("days", "0")) or said.get("until", "") < stands.get("until", "")
    return less or said.get("who") != stands.get("who")


def correct_result(office: Office, called: str, why: str) -> Paper:
    """Correct the result of a board by the files of its game."""
    place = boards.find(office.book, called)
    played = games.played(office, place)
    if place.outcome is None or played is None or not played.over:
        raise UsageError(f"board {place.name} has no game that has ended: there is nothing to read a result from")
    decided = office.book.log[place.outcome.seq]
    first = decided.number("corrects") if decided.type == fields.CORRECT else decided.seq
    if office.book.log[first].type != fields.RESULT:
        raise UsageError(f"board {place.name} was judged: correct the judgement, log paper {first}, field by field")
    return correct(office, first, {"margin": "", **boards.result(place, played)}, why)


def until(office: Office, days: int) -> str:
    """Return the time ``days`` days from now."""
    return times.add_days(office.now(), days)
