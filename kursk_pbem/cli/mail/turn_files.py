"""inbox --report: take turn files one by one, and print their reports."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from kursk_pbem.cli import jsonlines
from kursk_pbem.cli.alone import alone
from kursk_pbem.cli.common import home, home_in_words, in_json, read_input, say, say_json, warn
from kursk_pbem.cli.signing import say_again, say_signed
from kursk_pbem.desk.deals import director
from kursk_pbem.desk.draft import drafts
from kursk_pbem.desk.games import overview
from kursk_pbem.desk.own.register import shorten_path
from kursk_pbem.desk.referee import timekeeper
from kursk_pbem.desk.turn import play
from kursk_pbem.errors import KurskError, UsageError, shell_word
from kursk_pbem.frozen import frozen
from kursk_pbem.game import folders, inbox, reports

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from kursk_pbem.desk.own.desks import Desk
    from kursk_pbem.desk.turn.play import Received
    from kursk_pbem.game.inbox import Message, Paper
    from kursk_pbem.post.round.outcome import GameTaken


@frozen
class TakeOptions:
    """The options for taking turn files."""

    key: Path | None
    bare: bool  # write drafts without comments
    sign: bool  # sign the next message if it has no choice
    seq: int | None  # the only message to take from a file
    quiet: bool


def take_file(file: Path, how: TakeOptions, sitting: Desk | None) -> Desk | None:
    """Take the messages and papers of a file one by one, and print each report. Return the desk after the last message.

    ``sitting``: the desk that an earlier file has left open.
    """
    raw, name, near = read_input(file, mail=True)
    enclosures = inbox.read_each(raw, name, how.seq)
    new = False
    with alone(signs=False):  # a mailbox may judge the same game, or take the same message
        for enclosure in enclosures:
            if isinstance(enclosure, inbox.Paper):
                sitting = _take_paper(enclosure, near, sitting, quiet=how.quiet)
            else:
                sign = how.sign and enclosure is enclosures[-1]
                sitting, new = _take_message(enclosure, enclosures, near, sitting, replace(how, sign=sign))
    if sitting is not None and new and sitting.mine:
        from kursk_pbem.post.mailbox.envelope import Mail
        from kursk_pbem.post.round import outcome

        found = outcome.Received(sitting.last, Mail(raw, name))
        with alone():
            call_programs([outcome.GameTaken(found.game, [outcome.Outcome(found, outcome.TAKEN)], sitting)])
    return sitting


def call_programs(games: Iterable[GameTaken]) -> None:
    """Run the program of the setting ``on-turn`` after all other data are saved. If it fails, print a warning."""
    from kursk_pbem.post import on_turn

    try:
        for told in on_turn.call_programs(home(), list(games)):
            warn(told)
    except KurskError as error:
        warn(f"on-turn: {error}")


def _take_paper(paper: Paper, near: Path | None, sitting: Desk | None, *, quiet: bool) -> Desk:
    """Take a referee's paper and print it; return the desk. ``sitting``: the open desk."""
    got = timekeeper.receive_paper(paper, home(), near, sitting)
    paper, game = got.paper, got.desk.game
    if in_json():
        told = jsonlines.judged_facts(game, paper, [got.wrote] if got.wrote else [], new=got.wrote is not None)
        say_json("adjudicate", told | {"type": paper.type})
        return got.desk
    say(reports.describe_paper(game.chain, paper), quiet=quiet)
    say(got.late, quiet=quiet or not got.late)
    if paper.type == "receipt" and (several := game.papers.describe_receipts(paper.seq)):
        say(several, quiet=quiet)
    say(f"wrote {got.wrote}" if got.wrote else "already here; unchanged", quiet=quiet)
    if game.verdict:
        say(game.verdict.text, quiet=quiet)
    return got.desk


def _take_message(
    message: Message, beside: Sequence[Message | Paper], near: Path | None, sitting: Desk | None, how: TakeOptions
) -> tuple[Desk, bool]:
    """Take one message of a file; return the desk after the message, and whether the message is new.

    ``sitting``: the open desk.
    """
    got = play.take_message(play.open_for(message, home(), near, sitting), message, bare=how.bare, beside=beside)
    rolled = director.sign_answer(got.desk, str(how.key) if how.key else None)
    if in_json():
        say_json("adjudicate", _plain_message(got, rolled))
    else:
        _print_taken(got, several=len(beside) > 1, quiet=how.quiet)
        if rolled is not None:
            _print_rolled(rolled, quiet=how.quiet)
        else:
            more = any(other.seq > message.seq for other in beside)
            if not (how.quiet or more or (how.sign and got.desk.mine)):
                say(got.stuck or _next_step(got.resumed or got.desk))
            say(f"you see this game as an auditor: {home_in_words()}", quiet=how.quiet or got.desk.own is not None)
    if how.sign and rolled is None:
        _sign_quiet_message(got.desk, how.key, quiet=how.quiet)
    return rolled or got.resumed or got.desk, got.result is not None or got.unread or got.instead != ""


def _plain_message(got: Received, rolled: Desk | None) -> dict[str, object]:
    """Return the result of a message as plain data; ``rolled``: the desk after a referee's own message."""
    step = got.desk.history.step(got.message.seq)
    told = jsonlines.judged_facts(got.desk.game, got.message, got.written, new=got.result is not None)
    told["headlines"] = list(reports.make_headlines(step.before, step.after, step.message, step.result))
    told["signed"] = str(rolled.newest) if rolled else ""
    return told | ({"next": str(rolled.last.content.get("next", ""))} if rolled else {})


def _print_taken(got: Received, *, several: bool, quiet: bool) -> None:
    """Print the results of a message, its report and the files; ``several``: old messages without their reports."""
    say(got.instead, quiet=quiet or not got.instead)
    if got.result is None and not got.instead:
        changed = "" if got.written else "; nothing changed"
        known = "was in the game's folder already" if got.unread else f"was processed before{changed}"
        say(f"message {got.message.seq} {known}", quiet=quiet)
    say(reports.format_dice(got.dice), quiet=quiet or not got.dice)
    say(got.report, quiet=quiet or (several and got.result is None and not got.unread))
    if got.dice and got.ahead:
        say(reports.report_duties(got.desk.game, got.desk.seq, got.ahead), quiet=quiet)
    for path in map(shorten_path, got.written):
        mine = " (the start of your next message, before your choices; do not mail)" if path.suffix == ".txt" else ""
        say(f"wrote {path}{mine if '.draft' in path.name else ''}", quiet=quiet)
    say("\n".join(got.prepared), quiet=quiet or not got.prepared)
    if got.kept_draft and any(map(folders.is_draft, got.written)):
        say(f"your earlier draft of message {got.desk.seq}, which your offer had replaced, is back", quiet=quiet)
    elif got.kept_draft:
        say(f"the draft of message {got.desk.seq} contains your changes, and stays unchanged", quiet=quiet)


def _print_rolled(desk: Desk, *, quiet: bool) -> None:
    """Print the referee's last message, and which files to mail."""
    report = folders.report_path(desk.folder, desk.last.seq)
    say(folders.read_bytes(report).decode("ascii"), quiet=quiet)
    say(f"wrote {shorten_path(report)}", quiet=quiet)
    turn, answer = (shorten_path(folders.message_path(desk.folder, desk.last.seq - back)) for back in (1, 0))
    say(f"mail {turn} and {answer} to both players", quiet=quiet)


def _next_step(desk: Desk) -> str:
    """Return the next message and the step of the player."""
    stand = overview.make_desk_stand(replace(desk, folder=shorten_path(desk.folder)), home())
    return f"{stand.due}: {stand.todo}" if stand.due else stand.todo


def _sign_quiet_message(desk: Desk, key: Path | None, *, quiet: bool) -> None:
    """Sign the next message if the message has no choices. Raises UsageError otherwise."""
    if again := play.resume_signing(desk) or play.tidy_up(desk):
        jsonlines.current_results().command = "sign"  # the record of the signed message
        say_again(again, quiet=quiet)
        return
    if not desk.mine:
        raise UsageError("no message to sign now")
    desk.unlocked()  # a person must reply to an offer
    path = folders.draft_path(desk.folder, desk.seq)
    checked = drafts.check_draft(desk, drafts.read_draft(desk, folders.read_bytes(path), str(path)))
    if not desk.game.ruleset.quiet(desk.game.setting, checked.result.middle):
        raise UsageError(f"message {desk.seq} has choices: read {path}, then type 'kursk sign {shell_word(path)}'")
    after = play.sign_shown(desk, checked, str(key) if key else None)
    jsonlines.current_results().command = "sign"
    say_signed(after, desk.to_mail, quiet=quiet)
