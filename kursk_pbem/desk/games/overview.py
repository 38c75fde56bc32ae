"""The state of one or all games: the last message, the player's next step, the state of the draft.

Times come from files of this machine and are for display only.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from kursk_pbem.desk.deals import offers
from kursk_pbem.desk.draft import blanks, policies
from kursk_pbem.desk.ground import clock
from kursk_pbem.desk.own import desks, lookup, mailed
from kursk_pbem.desk.own.desks import Desk
from kursk_pbem.desk.own.register import Known
from kursk_pbem.desk.own.register import list_games as every_known
from kursk_pbem.errors import FileError, KurskError, TrustError, UsageError, shell_word
from kursk_pbem.formats import strictyaml
from kursk_pbem.formats.canonical import REFEREE
from kursk_pbem.frozen import frozen
from kursk_pbem.game import folders, journal, reports, successor, verified
from kursk_pbem.game.games import Game
from kursk_pbem.game.histories import Step
from kursk_pbem.kernel.adjudicate import Adjudication
from kursk_pbem.kernel.state import OVER
from kursk_pbem.kernel.words import party

_PATIENCE = 3
"""Days without a receipt, after which a letter is perhaps lost."""
NONE, UNTOUCHED, EDITED = "none", "untouched", "edited"


@frozen
class Stand:
    """The state of a game as its player sees it."""

    known: Known
    desk: Desk | None = None
    last: str = ""  # a sentence about the last message
    since: str = ""  # the time of the last message
    draft: str = ""  # none, untouched, edited, or '' if no draft is due
    due: str = ""  # the next message, in words
    todo: str = ""  # the player's next step
    term: str = ""  # the deadline, or ''
    dice: str = ""  # the results of the player's own dice
    judged: str = ""  # the director's verdict
    fault: KurskError | None = None  # the reason if ``desk`` could not be opened

    @property
    def over(self) -> bool:
        """Whether the game has ended, so no message is due."""
        return bool(self.judged) or (self.desk is not None and self.desk.game.over)


Log = Callable[[Path, Game], tuple[str, str]]
"""A function that returns the verdict on a game and its next deadline, from a tournament's log."""


def read_papers(_home: Path, game: Game) -> tuple[str, str]:
    """Return two texts from the referee's papers: the verdict on a game, and the next deadline."""
    return "", "" if game.over else game.papers.due(game.chain.next_seq - 1)


def list_stands(home: Path, here: Path, log: Log = read_papers) -> tuple[list[Stand], list[UsageError]]:
    """Return the player's games, waiting games first, and the errors in private records. Raises NoGameError."""
    _records, faults = journal.load_records(home)
    known = every_known(home, here)
    if not known and not faults:
        raise lookup.NoGameError(lookup.NO_GAME)
    stands = [_open_stand(game, home, known, log) for game in known]
    return sorted(stands, key=_rank_urgency), faults


def _rank_urgency(stand: Stand) -> int:
    if stand.desk is None:
        return 0
    return 3 if stand.over else 1 if stand.desk.mine else 2


def _open_stand(known: Known, home: Path, among: tuple[Known, ...], log: Log) -> Stand:
    try:
        desk = desks.open_desk(lookup.require_folder(known), home)
        return make_stand(desk, known, among, log(home, desk.game))
    except KurskError as error:
        return Stand(known, fault=error)


def make_desk_stand(desk: Desk, home: Path, log: Log = read_papers) -> Stand:
    """Return the state of the game at an open desk. Raises KurskError."""
    among, game = every_known(home, Path()), desk.game.chain.game
    known = next((known for known in among if known.game == game), Known(game, desk.folder, desk.own))
    return make_stand(desk, known, among, log(home, desk.game))


def make_stand(desk: Desk, known: Known, among: tuple[Known, ...], by_log: tuple[str, str]) -> Stand:
    """Return the state of a game.

    ``among``: all games of the player. ``by_log``: verdict and deadline in a tournament's log. Raises KurskError.
    """
    judged, term = by_log
    told = describe_last(desk, _name_writer(desk.last.sender, desk, known))
    if judged:
        return Stand(known, desk, told, _find_last_time(desk), todo=judged, judged=judged)
    ahead = preview_duties(desk)
    draft = _read_draft_status(desk, ahead)
    ends = ahead is not None and ahead.middle.stage == OVER
    dice = reports.list_dice(desk.game, ahead) if ahead else ()
    typed = lookup.abbreviate(known.game, among)
    todo = desk.lost or describe_withdrawal(desk, typed) + _describe_todo(desk, draft, typed, known, ends=ends)
    return Stand(known, desk, told, _find_last_time(desk), draft, _describe_due(desk), todo, term, "; ".join(dice))


def load_newest(path: Path, home: Path) -> tuple[Step, str, str]:
    """Return the newest message of a folder (or file), the dice that only the player has seen, and a report on them.

    If the game contradicts the player's journal, leave out the dice.
    """
    with suppress(TrustError):
        desk = desks.open_desk(path, home, plays=False) if path.is_dir() else None
        if desk is not None and (ahead := preview_duties(desk)) is not None and ahead.dice:
            told = reports.format_dice(reports.describe_dice(desk.game, ahead))
            return desk.history.last_step, told, reports.report_duties(desk.game, desk.seq, ahead)
        if desk is not None:
            return desk.history.last_step, "", ""
    return verified.load_until(path, home).last_step, "", ""


def _is_writing(desk: Desk) -> bool:
    return desk.mine and desk.own_side not in ("", REFEREE) and not desk.game.chain.offer and not desk.game.over


def preview_duties(desk: Desk) -> Adjudication | None:
    """Return the player's next message before any choice; None if no message is due or a sealed value is lost."""
    with suppress(UsageError, FileError):
        return desks.preview_duties(desk, desk.own) if _is_writing(desk) and desk.own is not None else None
    return None


def _read_draft_status(desk: Desk, ahead: Adjudication | None) -> str:
    if not _is_writing(desk) or desk.own is None:
        return ""
    path = folders.draft_path(desk.folder, desk.seq)
    if not path.exists():
        return NONE
    from kursk_pbem.desk.deals import introducing  # noqa: PLC0415  only players with a draft need this large import

    with suppress(UsageError, FileError):  # an unreadable draft has been edited
        held = policies.load_policy(desk.own, desk.game.ruleset)
        written = blanks.compose_draft(desk.game, ahead.middle, held, bare=True).encode("ascii") if ahead else b""
        there = strictyaml.read_edited(folders.read_bytes(path), str(path)).data
        fresh = introducing.remove_name_note(desk, there) == strictyaml.read(written, "").data
        return UNTOUCHED if ahead and fresh else EDITED
    return EDITED


def _find_last_time(desk: Desk) -> str:
    """Return the journal time of the last message, '' without an entry."""
    path = desk.own.path / "journal" / f"{desk.last.seq:04d}.json" if desk.own is not None else None
    return clock.read_file_time(path) if path is not None and path.exists() else ""


def describe_last(desk: Desk, who: str) -> str:
    """Return a sentence about the last message. ``who``: the name of the player who wrote the message."""
    step = desk.history.last_step
    message, game = step.message, step.after
    if desk.game.papers.forfeit is not None and desk.game.verdict:
        return f"the referee ended the game: {desk.game.verdict.text}"
    if message.type == "offer":
        return f"{who} offered {reports.describe_offer(game.chain.offer)}"
    if message.type == "reply":
        what = reports.describe_offer(step.before.chain.offer)
        return f"{who} {'accepted' if game.chain.agreed else 'declined'} the offer: {what}"
    if message.type in ("propose", "resign"):
        return f"{who} {'proposed the game' if message.type == 'propose' else 'resigned'}"
    told = reports.list_events(step.before, game, message, step.result)
    return f"{who} wrote message {message.seq}: {'; '.join(reports.detach_headlines(told[:2])) or step.before.brings}"


def _name_writer(side: str, desk: Desk, known: Known) -> str:
    if side == desk.own_side:
        return "you"
    name = desk.game.chain.head["names"].get(side, "") if side != REFEREE else ""
    if known.own is not None and REFEREE not in (side, desk.own_side):
        name = known.opponent
    words = side.capitalize()
    return f"{' '.join(name.split())} ({words})" if name not in ("", f"{side} player") else party(side, words)


def _describe_due(desk: Desk) -> str:
    game = desk.game
    if game.over or desk.lost:
        return ""
    if game.chain.offer:
        return f"message {desk.seq}, the reply to an offer, {reports.describe_offer(game.chain.offer)}"
    return f"message {desk.seq}, {'to hand on' if game.hands_on else game.brings}"


def _advise_sending(desk: Desk) -> str:
    """Return advice about the player's last message: perhaps unsent, or sent days ago without a receipt; or ''."""
    last, chain = desk.last, desk.game.chain
    if (
        desk.own is None
        or desk.practice
        or desk.hot_seat
        or last.sender != desk.own_side
        or last.seq in desk.game.papers.receipts
    ):
        return ""
    if not mailed.was_sent(desk.own.home, desk.own.game, last.seq, last.id):
        return f"; if you have not mailed {desk.newest} yet, mail it now"
    days = clock.count_days_since(_find_last_time(desk))
    again = f"'kursk outbox --again {chain.game[:8]}' and 'kursk post' send it again"
    return f"; no receipt came in {days} days: {again}" if REFEREE in chain.keys and days >= _PATIENCE else ""


def _describe_todo(desk: Desk, draft: str, typed: str, known: Known, *, ends: bool) -> str:
    """Return the player's next step; ``ends``: the dice of the next message end the game."""
    game: Game = desk.game
    unsent = _advise_sending(desk)
    if game.over:
        then = "; the writer of message 1 takes the proposal with 'kursk accept'" if "game" in game.chain.agreed else ""
        return f"{game.verdict.text if game.verdict else 'the game is over'}{then}{unsent}"
    who = _name_writer(game.chain.writer(desk.seq), desk, known)
    if desk.own is not None and desk.own.withdrawn and desk.seq == 1:
        return "you have withdrawn the proposal, and nobody has accepted it"
    if desk.own is None:
        takes = f": the player accepts the proposal with 'kursk accept {shell_word(desk.newest)} --key FILE'"
        return f"{who} writes the message{takes if desk.seq == 1 else ''}"
    if waits := _explain_agreement(desk, typed, known):
        return waits
    if not desk.mine:
        how = f"{who} writes the message; when the mail comes, type 'kursk inbox'{unsent}"
        return desk.to_mail if desk.practice else how
    if desk.unwritten is not None:
        return f"the message is signed, but the file is missing: 'kursk sign{typed}' writes the file again"
    if game.chain.offer:
        return desk.how_to_reply
    if desk.lock:
        return desk.lock
    if desk.own_side == REFEREE:
        return f"'kursk inbox {shell_word(desk.newest)}' signs the answer"
    path = folders.draft_path(desk.folder, desk.seq)
    if draft == NONE:
        return f"'kursk setup draft{typed}' writes the draft"
    if ends:
        return f"your dice end the game: type 'kursk sign{typed}'"
    verb = "edit" if draft == UNTOUCHED else "finish"
    return f"type 'kursk order{typed}' or {verb} {path}, then 'kursk check{typed}' and 'kursk sign{typed}'"


def describe_withdrawal(desk: Desk, typed: str) -> str:
    """Return advice for a player whose opponent accepted a proposal that the player has withdrawn; otherwise ''."""
    if desk.own is None or not desk.own.withdrawn or desk.seq != 2 or desk.game.over:
        return ""
    who, kept = desk.own.opponent or "your opponent", typed or f" {desk.own.game[:8]}"
    return (
        f"{who} accepted the proposal that you had withdrawn. Message 2 would bind you. To leave the game, tell {who}, "
        f"delete {desk.folder}, and type 'kursk status --forget{kept}'. To play on, "
    )


def _explain_agreement(desk: Desk, typed: str, known: Known) -> str:
    """Return advice about an unused successor proposal, '' for other games."""
    if (idle := offers.find_unoffered(desk)) is None:
        return ""
    old, outcome = idle
    if outcome == successor.REFUSED:
        kept, name = typed or f" {known.game[:8]}", folders.folder_name(old.game.chain.game)
        return f"{name} continued instead: delete {desk.folder}, then type 'kursk status --forget{kept}'"
    how = f"'kursk offer {shell_word(old.folder)} successor {shell_word(desk.newest)}'"
    return f"the proposal has no effect before your offer: {how}"
