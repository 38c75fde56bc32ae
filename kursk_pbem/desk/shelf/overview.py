"""Where a player stands, in one game or in all of them: what came last, what is theirs to do, how far the draft is.

Times come from the files of this machine and are for display alone.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from kursk_pbem.desk import clock, desks, mailed, offers, policies
from kursk_pbem.desk.desks import Desk
from kursk_pbem.desk.draft import drafts
from kursk_pbem.desk.shelf import lookup
from kursk_pbem.desk.shelf.register import Known
from kursk_pbem.desk.shelf.register import every as every_known
from kursk_pbem.errors import FileError, KurskError, UsageError, shell_word
from kursk_pbem.formats import strictyaml
from kursk_pbem.formats.canonical import REFEREE
from kursk_pbem.game import folders, journal, reports, successor
from kursk_pbem.game.games import Game
from kursk_pbem.kernel.adjudicate import Adjudication
from kursk_pbem.kernel.state import OVER
from kursk_pbem.kernel.words import party

NONE, UNTOUCHED, EDITED = "none", "untouched", "edited"


@dataclass(frozen=True)
class Stand:
    """One game as its player finds it.

    ``last``: what came last, in a sentence; ``since``: when; ``due``: what is to be written next, by whomever, and
    ``todo``: what this player does about it; ``term``: until when, by a referee's receipt, '' without one. ``draft``:
    none, untouched, edited; '' where none is due. ``dice``: what the player's own dice have brought, which nobody else
    knows yet; '' without any. ``judged``: how the director of a tournament has ended the game. ``fault``: why the game
    cannot be looked at; then there is no ``desk``.
    """

    known: Known
    desk: Desk | None = None
    last: str = ""
    since: str = ""
    draft: str = ""
    due: str = ""
    todo: str = ""
    term: str = ""
    dice: str = ""
    judged: str = ""
    fault: KurskError | None = None

    @property
    def over(self) -> bool:
        """Whether nobody owes a message in the game any more."""
        return bool(self.judged) or (self.desk is not None and self.desk.game.over)


Log = Callable[[Path, Game], tuple[str, str]]
"""Tells of a game what the log of its tournament says of it: how it was judged, and when its next message is due."""


def without_log(_home: Path, game: Game) -> tuple[str, str]:
    """Return the same by a game's own papers."""
    return "", "" if game.over else game.papers.due(game.chain.next_seq - 1)


def every(home: Path, here: Path, log: Log = without_log) -> tuple[list[Stand], list[UsageError]]:
    """All games of this player, those first that wait for them; and why private records cannot be read. NoGameError."""
    _records, faults = journal.every(home)
    known = every_known(home, here)
    if not known and not faults:
        raise lookup.NoGameError("there is no game here")
    stands = [_stand(game, home, known, log) for game in known]
    return sorted(stands, key=_urgency), faults


def _urgency(stand: Stand) -> int:
    if stand.desk is None:
        return 0
    return 3 if stand.over else 1 if stand.desk.mine else 2


def _stand(known: Known, home: Path, among: tuple[Known, ...], log: Log) -> Stand:
    try:
        desk = desks.sit(lookup.there(known), home)
        return at(desk, known, among, log(home, desk.game))
    except KurskError as error:
        return Stand(known, fault=error)


def of_folder(folder: Path, home: Path, log: Log = without_log) -> Stand:
    """Where the player at this desk stands in the game of a folder. KurskError."""
    among = every_known(home, Path())
    desk = desks.sit(folder, home)
    known = next((known for known in among if known.game == desk.game.chain.game), None)
    known = known or Known(desk.game.chain.game, folder, desk.own)
    return at(desk, known, among, log(home, desk.game))


def at(desk: Desk, known: Known, among: tuple[Known, ...], by_log: tuple[str, str]) -> Stand:
    """Where the player at a desk stands; ``among`` are all their games, ``by_log`` what a ``Log`` tells. KurskError."""
    judged, term = by_log
    told = last(desk, _who(desk.last.sender, desk, known))
    if judged:
        return Stand(known, desk, told, _since(desk), todo=judged, judged=judged)
    ahead = _ahead(desk)
    draft = _draft(desk, ahead)
    ends = ahead is not None and ahead.middle.stage == OVER
    todo = _todo(desk, draft, lookup.typed(known.game, among), known, ends=ends)
    return Stand(known, desk, told, _since(desk), draft, _due(desk), todo, term, _dice(desk, ahead))


def _writes(desk: Desk) -> bool:
    """Whether the player at a desk has choices to write now."""
    return desk.mine and desk.own_side not in ("", REFEREE) and not desk.game.chain.offer and not desk.game.over


def _ahead(desk: Desk) -> Adjudication | None:
    """What the player's message does before they choose anything; None if it is not due, or a seal is lost."""
    with suppress(UsageError, FileError):
        return desks.duties(desk, desk.own) if _writes(desk) and desk.own is not None else None
    return None


def _dice(desk: Desk, ahead: Adjudication | None) -> str:
    """What the player's own dice have brought, '' if none have fallen."""
    if ahead is None or not ahead.dice:
        return ""
    told = reports.told_of(desk.game, ahead.before, ahead.events, ahead.middle)
    return "; ".join(reports.apart(told)) or "nothing came of them"


def _draft(desk: Desk, ahead: Adjudication | None) -> str:
    """How far the draft is that is due here; '' if none is."""
    if not _writes(desk) or desk.own is None:
        return ""
    path = folders.draft_path(desk.folder, desk.seq)
    if not path.exists():
        return NONE
    from kursk_pbem.desk import introducing  # noqa: PLC0415  it brings all that writes orders, for those with a draft

    with suppress(UsageError, FileError):  # it cannot be read: somebody was at work
        held = policies.load(desk.own, desk.game.ruleset)
        written = drafts.compose(desk.game, ahead.middle, held, bare=True).encode("ascii") if ahead else b""
        there = strictyaml.read_edited(folders.read_bytes(path), str(path)).data
        fresh = introducing.without_name(desk, there) == strictyaml.read(written, "").data
        return UNTOUCHED if ahead and fresh else EDITED
    return EDITED


def _since(desk: Desk) -> str:
    """When the last message was taken or signed here, by the time of its journal entry; '' if there is none."""
    path = desk.own.path / "journal" / f"{desk.last.seq:04d}.json" if desk.own is not None else None
    return clock.of_file(path) if path is not None and path.exists() else ""


def last(desk: Desk, who: str) -> str:
    """What came last, in a sentence; ``who`` wrote it; whether it is mailed nobody here knows."""
    step = desk.history.last_step
    message, game = step.message, step.after
    if desk.game.papers.forfeit is not None and desk.game.verdict:
        return f"the referee ended the game: {desk.game.verdict.text}"
    if message.type == "offer":
        return f"{who} offered {reports.offered(game.chain.offer)}"
    if message.type == "reply":
        what = reports.offered(step.before.chain.offer)
        return f"{who} {'accepted' if game.chain.agreed else 'declined'} the offer: {what}"
    if message.type in ("propose", "resign"):
        return f"{who} {'proposed the game' if message.type == 'propose' else 'resigned'}"
    told = [
        line for line in reports.headlines(step.before, game, message, step.result) if not line.startswith("Next, ")
    ]
    return f"{who} wrote message {message.seq}: {'; '.join(reports.apart(told[:2])) or step.before.brings}"


def _who(side: str, desk: Desk, known: Known) -> str:
    if side == desk.own_side:
        return "you"
    name = desk.game.chain.head["names"].get(side, "") if side != REFEREE else ""
    if known.own is not None and REFEREE not in (side, desk.own_side):
        name = known.opponent
    words = side.capitalize()
    return f"{' '.join(name.split())} ({words})" if name not in ("", f"{side} player") else party(side, words)


def _due(desk: Desk) -> str:
    """What the message holds that is due, '' if none is."""
    game = desk.game
    if game.over:
        return ""
    if game.chain.offer:
        return f"message {desk.seq}, the reply to an offer: {reports.offered(game.chain.offer)}"
    return f"message {desk.seq}, {'to hand on' if game.hands_on else game.brings}"


def _perhaps_unsent(desk: Desk) -> bool:
    """Whether the newest message is the player's own, and neither a receipt nor the post says that it was mailed."""
    last = desk.last
    if desk.own is None or last.sender != desk.own_side or last.seq in desk.game.papers.receipts:
        return False
    return not mailed.was_sent(desk.own.home, desk.own.game, last.seq, last.id)


def _todo(desk: Desk, draft: str, typed: str, known: Known, *, ends: bool) -> str:
    """What the player at a desk does next; ``ends``: the dice of what they sign now end the game."""
    game: Game = desk.game
    unsent = f"; if you have not mailed {desk.newest} yet, do it now" if _perhaps_unsent(desk) else ""
    if game.over:
        return f"{game.verdict.text if game.verdict else 'the game is over'}{unsent}"
    who = _who(game.chain.writer(desk.seq), desk, known)
    if desk.own is None:
        takes = f": whoever plays it takes the proposal with 'kursk accept {shell_word(desk.newest)} --key FILE'"
        return f"{who} writes it{takes if desk.seq == 1 else ''}"
    if waits := _agreement(desk, typed, known):
        return waits
    if not desk.mine:
        return f"{who} writes it; take it with 'kursk inbox' when it comes{unsent}"
    if desk.unwritten is not None:
        return f"it is signed, and its file is not here: 'kursk sign{typed}' writes it again"
    if game.chain.offer:
        return desk.how_to_reply
    if desk.lock:
        return desk.lock
    if desk.own_side == REFEREE:
        return f"'kursk inbox {shell_word(desk.newest)}' signs it"
    path = folders.draft_path(desk.folder, desk.seq)
    if draft == NONE:
        return f"'kursk setup draft{typed}' writes its draft"
    if ends:
        return f"your dice end the game: 'kursk sign{typed}' it as it is"
    verb = "edit" if draft == UNTOUCHED else "finish"
    return f"{verb} {path}, then 'kursk check{typed}' and 'kursk sign{typed}'"


def _agreement(desk: Desk, typed: str, known: Known) -> str:
    """What this player does about their proposal of a successor while nothing is agreed; '' of any other game."""
    if (idle := offers.idle(desk)) is None:
        return ""
    old, outcome = idle
    if outcome == successor.REFUSED:
        kept, name = typed or f" {known.game[:8]}", folders.folder_name(old.game.chain.game)
        return f"{name} went on without it: delete {desk.folder}, then 'kursk status --forget{kept}' drops it here"
    how = f"'kursk offer {shell_word(old.folder)} successor {shell_word(desk.newest)}'"
    return f"it counts for nothing before it is offered: {how}"
