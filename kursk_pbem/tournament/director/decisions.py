"""The director's decisions: each has a function and a public log paper."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import Any

from kursk_pbem.audit.played import Played
from kursk_pbem.desk.referee import timekeeper
from kursk_pbem.errors import UsageError
from kursk_pbem.formats import times
from kursk_pbem.formats.text import show
from kursk_pbem.game import histories
from kursk_pbem.kernel.words import plural
from kursk_pbem.tournament import boards, open_papers, timekeeping
from kursk_pbem.tournament.book import clocks, outcomes
from kursk_pbem.tournament.book.outcomes import METHODS
from kursk_pbem.tournament.director import games
from kursk_pbem.tournament.director.desk import DirectorDesk
from kursk_pbem.tournament.papers import fields
from kursk_pbem.tournament.papers.forms import Paper
from kursk_pbem.tournament.records import AGREED, DRAWN_GAME, POINTS, SILENCE, WORD, Board, Entrant
from kursk_pbem.trust import sshsig


def find_entrant(desk: DirectorDesk, called: str) -> Entrant:
    """Return the entrant with a number, or with this beginning of a name or entry id. Raises UsageError."""
    book = desk.book
    if called in book.numbers:
        return book.entrant(called)
    wanted = called.casefold()
    there = ((player.name.casefold(), player) for player in book.entrants.values() if not player.out)
    named = [(name, player) for name, player in there if name.startswith(wanted) or player.entry.startswith(wanted)]
    for fitting in ([player for name, player in named if name == wanted], [player for _name, player in named]):
        if len(fitting) == 1:
            return fitting[0]
    if not named:
        raise UsageError(f"no entrant is called {called!r}: type a number or the beginning of a name")
    names = ", ".join(f"{player.number} {player.name}".strip() for _name, player in named)
    raise UsageError(f"{called!r} may be {names}: name the number")


def _sign_once(desk: DirectorDesk, kind: str, said: Mapping[str, Any], words: str, time: str = "") -> Paper:
    """Sign a decision, unless the newest log paper says the same (apart from the end of a holiday)."""
    head = desk.book.head
    same = {name: value for name, value in said.items() if name != "until"}
    if head.type == kind and all(head.said(name) == value for name, value in same.items()):
        desk.done.append(f"already in log paper {head.seq}: {words}")
        return head
    return desk.sign(kind, said, words, time)


def grant_time(desk: DirectorDesk, who: str, days: int, why: str, *, holiday: bool) -> Paper:
    """Give an entrant extra days, or a holiday of some days from now, in the log and in games with a deadline."""
    number = clocks.ALL if who == clocks.ALL else find_entrant(desk, who).number
    time = {"until": times.add_days(desk.now(), days)} if holiday else {"days": str(days)}
    given = f"time until {time['until']}" if holiday else f"{plural(days, 'day')} more"
    has = "everybody has" if number == clocks.ALL else f"number {number} has"
    words = f"{has} {given}; everybody can read the reason in the log"
    paper = _sign_once(desk, fields.CLOCK, {"who": number, **time, "why": why}, words)
    games.give_time(desk, paper)
    return paper


def log_withdrawal(desk: DirectorDesk, who: str, why: str) -> Paper:
    """Log that an entrant withdraws, by the entrant's paper or for missed rounds."""
    player = find_entrant(desk, who)
    word = open_papers.find_withdrawal(desk.book, player)
    said: dict[str, Any] = {"number": player.number, "why": why or ("their own word" if word else "missed rounds")}
    if word:
        said["papers"] = [word.id]
    return _sign_once(desk, fields.WITHDRAWN, said, f"number {player.number} has withdrawn")


def find_offer(desk: DirectorDesk, who: str, name: str = "") -> Paper:
    """Return the newest offer to take over an entrant's number. ``name``: name of its writer, or key's fingerprint."""
    player = find_entrant(desk, who)
    offers = open_papers.list_offers(desk.book, player)
    if not offers:
        how = "a substitute types 'kursk tournament stand-in'; then type 'kursk tournament inbox' with the mail"
        raise UsageError(f"nobody has offered to play for entrant number {player.number}: {how}")
    prints = {paper.id: sshsig.fingerprint(paper.sender) for paper in offers}
    known = ((paper, ("", paper.text("name").casefold(), prints[paper.id].casefold())) for paper in offers)
    named = [paper for paper, words in known if name.casefold() in words]
    if len({paper.sender for paper in named}) != 1:
        names = " and ".join(dict.fromkeys(f"{show(paper.text('name'))} ({prints[paper.id]})" for paper in offers))
        why = "choose with --name NAME, or --name FINGERPRINT"
        raise UsageError(f"{names} offered to take over number {player.number}: {why}")
    return named[-1]


def describe_offer(desk: DirectorDesk, who: str, name: str = "") -> str:
    """Return the name and key of the person who offers to take over an entrant's number."""
    offer = find_offer(desk, who, name)
    return f"{show(offer.text('name'))}, with the key {sshsig.fingerprint(offer.sender)},"


def log_substitute(desk: DirectorDesk, who: str, why: str, name: str = "") -> Paper:
    """Log that the person who made an offer takes over an entrant's number. :func:`find_offer` returns the offer."""
    player, offer = find_entrant(desk, who), find_offer(desk, who, name)
    said = {"number": player.number, "paper": offer.id, "why": why}
    return _sign_once(desk, fields.SUBSTITUTE, said, f"{offer.text('name')} plays for number {player.number}")


def log_key(desk: DirectorDesk, who: str) -> Paper:
    """Log the new key of an entrant, by the paper that both keys signed."""
    player = find_entrant(desk, who)
    changes = desk.book.of_entrant(fields.NEW_KEY, player)
    if not changes:
        raise UsageError(f"entrant number {player.number} has signed no change of key")
    said = {"number": player.number, "paper": changes[-1].id}
    return _sign_once(desk, fields.KEY, said, f"number {player.number} has a new key")


def refuse_paper(desk: DirectorDesk, id_: str, why: str) -> Paper:
    """Refuse an entry or a claim. The beginning of its id, or the entrant, names it."""
    known = [paper_id for paper_id in desk.book.received if paper_id.startswith(id_)]
    if len(known) != 1:
        try:
            known = [find_entrant(desk, id_).entry]
        except UsageError as error:
            raise UsageError(f"no acknowledged paper has such an id, and as an entrant: {error}") from None
    return _sign_once(desk, fields.REFUSED, {"paper": known[0], "why": why}, f"paper {known[0][:16]} is refused")


def judge_board(desk: DirectorDesk, called: str, by: str, winner: str, why: str) -> Paper:
    """Judge a board's game or adjourn it. ``winner``: a side, draw or nobody; '' if the method decides the winner."""
    place = boards.find_board(desk.book, called)
    if by == SILENCE and not place.game:
        games.log_games(desk)
        if (place := boards.find_board(desk.book, called)).game:
            raise UsageError(f"board {place.name} has a game now: 'kursk tournament status' shows the player to move")
    said: dict[str, Any] = {"board": place.name, "by": by, "winner": winner, "why": why or by}
    played = games.read_result(desk, place)
    said |= _game_fields(desk, place, by, played) if METHODS[by].position else games.last_message(played)
    if not said["winner"]:
        raise UsageError(f"type the winner of board {place.name}: {', '.join(place.sides)}, {DRAWN_GAME} or nobody")
    words, time = f"board {place.name}: {said['winner']}, by {by}", games.time_after(desk, played)
    return _sign_once(desk, fields.JUDGED, said, words, time)


def _game_fields(desk: DirectorDesk, place: Board, by: str, played: Played | None) -> dict[str, Any]:
    """Return the fields of a judgement that follow from the game."""
    if played is None:
        raise UsageError(f"board {place.name} has no game yet: judge it by {SILENCE}")
    said: dict[str, Any] = {"game": played.ids[0], "head": played.ids[-1]}
    if played.margin is not None and {POINTS, by} <= {*desk.book.rules.terms.ends}:
        said["margin"] = str(played.margin)
    if winner := outcomes.find_winner(desk.book, place, by, played.margin):
        said["winner"] = winner
    if by == AGREED:
        pair = outcomes.find_agreement(desk.book, place, played.ids[-1])
        if pair is None:
            why = f"the players have not signed equal papers about board {place.name}"
            if outcomes.find_agreement(desk.book, place) is not None:
                why = f"the game of board {place.name} continued after the agreement: ask the players to sign again"
            raise UsageError(why)
        said = {name: pair[0].said(name) for name in ("game", "head", "winner", "margin") if pair[0].said(name)}
        said["papers"] = [paper.id for paper in pair]
    if by == WORD:
        said["papers"] = [paper.id for paper in desk.book.of_kind(fields.RULING, place.name)]
    return said


def find_begun(desk: DirectorDesk, called: str) -> tuple[Board, Path]:
    """Return a board and the folder of the board's game. Raises UsageError if the game has not begun."""
    place = boards.find_board(desk.book, called)
    if not place.game:
        raise UsageError(f"board {place.name} has no game yet: judge it by {SILENCE}")
    return place, games.game_folder(desk, place.game)


def forfeit_game(desk: DirectorDesk, called: str, declared: str = "") -> str:
    """End a game because a player missed the deadline with all granted time; return a sentence for the director."""
    place, folder = find_begun(desk, called)
    game = histories.load(folder).game
    log = partial(clocks.date_paper, desk.book, game.chain.head[boards.FIELD])
    check = partial(timekeeping.check_time_over, desk.book, place, game)
    check({"declared": declared or desk.now()})
    issued = timekeeper.forfeit(folder, Path(desk.record.key), declared, log, check)
    return f"wrote {issued.path}: the letters carry it to both players"


def correct_paper(desk: DirectorDesk, seq: int, now: Mapping[str, Any], why: str) -> Paper:
    """Log a correction of log paper ``seq``. The fields in ``now`` get new values, and all other fields stay."""
    if not 0 < seq < len(desk.book.log):
        raise UsageError(f"log paper {seq} does not exist or cannot be corrected")
    old = desk.book.log[seq]
    required, optional = fields.LOG[old.type]
    stands: Mapping[str, Any] = old.content
    for paper in desk.book.log:
        if paper.type == fields.CORRECT and paper.number("corrects") == seq:
            stands = paper.said("now")
    kept = {name: stands[name] for name in (*required, *optional) if name in stands and name != "why"}
    said = {name: value for name, value in {**kept, **now}.items() if value != ""}
    less = int(said.get("days", "0")) < int(stands.get("days", "0")) or said.get("until", "") < stands.get("until", "")
    if old.type == fields.CLOCK and (less or said.get("who") != stands.get("who")):  # protocol 2.10, X2
        raise UsageError("added time cannot be reduced, because the players may know of it; you can only add more time")
    corrected = {"corrects": str(seq), "id": old.id, "now": said, "why": why}
    return _sign_once(desk, fields.CORRECT, corrected, f"log paper {seq} is corrected")


def correct_result(desk: DirectorDesk, called: str, why: str) -> Paper:
    """Correct the result of a board by the files of the board's game."""
    place = boards.find_board(desk.book, called)
    played = games.read_result(desk, place)
    if place.outcome is None or played is None or not played.over:
        raise UsageError(f"board {place.name} has no finished game with a result")
    decided = desk.book.log[place.outcome.seq]
    first = decided.number("corrects") if decided.type == fields.CORRECT else decided.seq
    if desk.book.log[first].type != fields.RESULT:
        raise UsageError(f"board {place.name} was judged: correct the fields of the judgement, log paper {first}")
    return correct_paper(desk, first, {"margin": "", **boards.build_result(place, played)}, why)
