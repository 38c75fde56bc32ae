"""adjudicate: take what came by mail."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import click

from kursk_pbem.cli import cli, jsonlines
from kursk_pbem.cli.alone import alone
from kursk_pbem.cli.common import (
    PATH,
    bare_option,
    home,
    home_in_words,
    in_json,
    key_option,
    read_input,
    said_options,
    say,
    say_again,
    say_json,
    seq_option,
)
from kursk_pbem.errors import SeveralError, UsageError, shell_word

if TYPE_CHECKING:
    from collections.abc import Sequence

    from kursk_pbem.desk.desks import Desk
    from kursk_pbem.desk.play import Received
    from kursk_pbem.game.games import Game
    from kursk_pbem.game.inbox import Message, Paper


@cli.command()
@click.argument("files", metavar="[FILE]...", type=PATH, nargs=-1)
@bare_option
@click.option(
    "--sign", "sign_it", is_flag=True, help="Sign your next message at once if there is nothing to choose in it."
)
@key_option
@seq_option
@said_options
@click.pass_context
def adjudicate(
    ctx: click.Context,
    files: tuple[Path, ...],
    bare: bool,
    sign_it: bool,
    key: Path | None,
    seq: int | None,
    quiet: bool,
) -> int:
    """Take a signed turn FILE (- for standard input): verify it, resolve it, write the report and the next draft.

    FILE may be the whole mail as your mail program saves it: text, .eml or mbox, the turn in it or attached; also a
    folder of saved mails or a Maildir, of which it takes all that is new, of all your games. It may also be a
    referee's receipt or forfeit. The program takes several files one after the other. Of a mailbox, or a mail with
    several messages of one game, it takes all in the order of the game. At the desk of a referee who rolls the dice,
    it signs the referee's own message at once. Without a FILE it takes what is new where it found mails last.
    """
    from kursk_pbem.game import inbox
    from kursk_pbem.post.mailbox import boxes

    if not files:
        return _found_last(ctx, key, quiet=quiet)
    _need_all(files)
    desk: Desk | None = None  # it stays open from one message of a game to the next
    for file in files:
        if file.is_dir():
            if status := _of_box(ctx, file, key, quiet=quiet):
                return status
            boxes.remember_place(home(), file)
            continue
        raw, name, near = read_input(file, mail=True)
        try:
            enclosures = inbox.read_each(raw, name, seq)
        except SeveralError:
            if seq is not None or not boxes.is_mbox(file):
                raise
            return _of_box(ctx, file, key, quiet=quiet)  # it holds turns of several games
        manner = _Manner(key, bare, enclosures, quiet)
        with alone(signs=False):  # a mailbox may judge the same game, or take the same message
            for enclosure in enclosures:
                if isinstance(enclosure, inbox.Paper):
                    from kursk_pbem.cli.referee import papers

                    desk = papers.take(enclosure, near, desk, quiet=quiet)
                else:
                    last = sign_it and file == files[-1] and enclosure is enclosures[-1]
                    desk = _adjudicate(enclosure, near, desk, manner, sign_it=last)
        if near is not None:
            boxes.remember_place(home(), file)
    return 0


def _need_all(files: tuple[Path, ...]) -> None:
    """FileError if one of several files is not there, before the first of them is taken."""
    from kursk_pbem.game import folders

    for file in files:
        if str(file) != "-" and not file.exists():
            folders.read_bytes(file)


def _found_last(ctx: click.Context, key: Path | None, *, quiet: bool) -> int:
    """Take all that is new in the place where mails were found last. UsageError if none is known."""
    from kursk_pbem.post.mailbox import boxes

    place = boxes.last_place(home())
    if place is None:
        raise UsageError("name the file that came; from then on 'kursk adjudicate' alone looks where it lay")
    if not place.exists():
        raise UsageError(f"mails were found in {place} last, and it is gone: name the file that came")
    say(f"looking in {place}", quiet=quiet)
    return _of_box(ctx, place, key, quiet=quiet)


def _of_box(ctx: click.Context, box: Path, key: Path | None, *, quiet: bool) -> int:
    """Take all turns of all games in a folder, a Maildir or an mbox, as 'kursk inbox' does."""
    from kursk_pbem.cli.mail import inbox

    jsonlines.now().command = "inbox"
    status: int = ctx.invoke(inbox.inbox, places=(box,), key=key, quiet=quiet)
    return status


@dataclass(frozen=True)
class _Manner:
    """How messages are taken: with which key, drafts without comments; ``beside`` what in its file; what is printed."""

    key: Path | None
    bare: bool
    beside: Sequence[Message | Paper]
    quiet: bool


def _adjudicate(message: Message, near: Path | None, sitting: Desk | None, how: _Manner, *, sign_it: bool) -> Desk:
    """Take one message, at the desk that is open already if it is of that game; the desk as it is then."""
    from kursk_pbem.desk import play
    from kursk_pbem.desk.referee import director

    got = play.take(play.open_for(message, home(), near, sitting), message, bare=how.bare, beside=how.beside)
    rolled = director.answer(got.desk, str(how.key) if how.key else None)
    if in_json():
        say_json("adjudicate", _plain(got, rolled))
    else:
        _say_taken(got, several=len(how.beside) > 1, quiet=how.quiet)
        if rolled is not None:
            _say_rolled(rolled, quiet=how.quiet)
        else:
            say(got.stuck or _next_step(got.desk, ends=got.ends), quiet=how.quiet or (sign_it and got.desk.mine))
            say(f"you look on, as an auditor: {home_in_words()}", quiet=how.quiet or got.desk.own is not None)
            say(got.desk.lock, quiet=how.quiet or sign_it or not got.desk.lock)
    if sign_it and rolled is None:
        _sign_quiet_message(got.desk, how.key, quiet=how.quiet)
    return rolled or got.resumed or got.desk


def _plain(got: Received, rolled: Desk | None) -> dict[str, object]:
    """What came of a message, for machines; ``rolled``: the desk with what a referee has signed behind it."""
    from kursk_pbem.game import reports

    step = got.desk.history.step(got.message.seq)
    return {
        "game": got.desk.game.chain.game,
        "seq": got.message.seq,
        "from": got.message.sender,
        "id": got.message.id,
        "headlines": list(reports.headlines(step.before, step.after, step.message, step.result)),
        "new": got.result is not None,
        "wrote": [str(path) for path in got.written],
        "signed": str(rolled.newest) if rolled else "",
        "next": _next_writer(got.desk.game, rolled.last if rolled else None),
    }


def _say_taken(got: Received, *, several: bool, quiet: bool) -> None:
    """What came of a message, its report, the files; ``several``: what was here before is not told at length."""
    from kursk_pbem.desk.shelf.register import short

    say(got.instead, quiet=quiet or not got.instead)
    if got.result is None:
        changed = "" if got.written else "; nothing changed"
        known = "lay in the game's folder already" if got.unread else f"was processed before{changed}"
        say(f"message {got.message.seq} {known}{_once_more(got)}", quiet=quiet)
    if got.dice:  # what they bring comes first, the account of it behind the report
        lines = got.dice.partition("\n\n")[0].splitlines()[1:]
        fallen = "YOUR DICE HAVE FALLEN. Nobody else sees them before you mail your next message."
        say("\n".join([fallen, *lines, ""]), quiet=quiet)
    say(got.report, quiet=quiet or (several and got.result is None and not got.unread))
    say(got.dice, quiet=quiet or not got.dice)
    for path in map(short, got.written):
        mine = " (what your next message does before you choose; not for others)" if path.suffix == ".txt" else ""
        say(f"wrote {path}{mine if '.draft' in path.name else ''}", quiet=quiet)
    if got.kept_draft and any(path.name.endswith(".draft.yaml") for path in got.written):
        say(f"the draft that your offer stood in place of is that of message {got.desk.seq} now", quiet=quiet)
    elif got.kept_draft:
        say(f"the draft of message {got.desk.seq} has been edited and stays as it is", quiet=quiet)


def _once_more(got: Received) -> str:
    """What a referee who rolls may mail again if a player's message arrives a second time; otherwise ''."""
    from kursk_pbem.desk.referee import director

    first = got.message.seq
    if not director.sits(got.desk) or got.message.sender == got.desk.own_side or first + 1 >= got.desk.seq:
        return ""
    return f"; if a player asks for the answer, mail {_with_answer(got.desk, first)} again"


def _next_writer(game: Game, signed: Message | None) -> str:
    """Who is waited for, '' if the game is over; after what a referee has ``signed`` the side named in it."""
    if signed is not None:
        return str(signed.content.get("next", ""))
    return "" if game.over else game.chain.writer(game.chain.next_seq)


def _say_rolled(desk: Desk, *, quiet: bool) -> None:
    """What a referee has rolled or handed on in the last message, and what they mail."""
    from kursk_pbem.desk.shelf.register import short
    from kursk_pbem.game import folders

    report = folders.report_path(desk.folder, desk.last.seq)
    say(folders.read_bytes(report).decode("ascii"), quiet=quiet)
    say(f"wrote {short(report)}", quiet=quiet)
    say(f"mail {_with_answer(desk, desk.last.seq - 1)} to both players", quiet=quiet)


def _with_answer(desk: Desk, seq: int) -> str:
    """The files of a player's message and of the referee's behind it."""
    from kursk_pbem.desk.shelf.register import short
    from kursk_pbem.game import folders

    return " and ".join(str(short(folders.message_path(desk.folder, number))) for number in (seq, seq + 1))


def _next_step(desk: Desk, *, ends: bool) -> str:
    from kursk_pbem.desk.shelf import lookup
    from kursk_pbem.desk.shelf.register import short
    from kursk_pbem.game import folders

    if desk.game.verdict:
        goes_on = "game" in desk.game.chain.agreed
        then = "; the side that writes its message 1 takes its proposal with 'kursk accept'" if goes_on else ""
        return desk.game.verdict.text + then
    if desk.mine and desk.game.chain.offer:
        return f"message {desk.seq} is your reply to the offer: {desk.how_to_reply}"
    if desk.mine:
        signed = folders.message_path(desk.folder, desk.seq)
        if signed.exists():
            return f"message {desk.seq} is signed already: mail {signed}"
        game = lookup.typed(desk.game.chain.game, lookup.every(home(), Path()))
        if ends:
            return f"you write message {desk.seq}, and your dice end the game: 'kursk sign{game}' it as it is"
        path = short(folders.draft_path(desk.folder, desk.seq))
        how = f"'kursk order{game}' it or edit {path}, then 'kursk check{game}' and 'kursk sign{game}' it"
        return f"you write message {desk.seq}: {how}"
    return f"message {desk.seq} is for {desk.game.due} to write"


def _sign_quiet_message(desk: Desk, key: Path | None, *, quiet: bool) -> None:
    """``adjudicate --sign``: only for a message in which there is nothing to choose."""
    from kursk_pbem.desk import play
    from kursk_pbem.desk.draft import drafts
    from kursk_pbem.game import folders

    if again := play.resume(desk) or play.tidy(desk):
        if in_json():
            say_json("sign", {"told": [], **jsonlines.signed(again, again=True)})
        else:
            say_again(again, quiet=quiet)
        return
    if not desk.mine:
        raise UsageError("there is nothing to sign here now")
    desk.unlocked()  # an offer is replied to by a person
    path = folders.draft_path(desk.folder, desk.seq)
    checked = drafts.check(desk, drafts.read(desk, folders.read_bytes(path), str(path)))
    if not desk.game.ruleset.quiet(desk.game.setting, checked.result.middle):
        raise UsageError(f"message {desk.seq} holds choices: look at {path}, then 'kursk sign {shell_word(path)}'")
    after = play.sign_shown(desk, checked, str(key) if key else None)
    if in_json():
        say_json("sign", {"told": [], **jsonlines.signed(after)})
    else:
        say(f"wrote {after.newest}: {desk.to_mail}", quiet=quiet)
