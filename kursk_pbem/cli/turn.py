"""adjudicate, draft, check, sign, resign: the messages of a game."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from kursk_pbem.cli import cli
from kursk_pbem.cli.common import (
    PATH,
    ask,
    desk_at,
    home,
    json_option,
    key_option,
    quiet_option,
    read_input,
    say,
    say_json,
    seq_option,
)
from kursk_pbem.errors import RulesError, UsageError

if TYPE_CHECKING:
    from kursk_pbem.desk.desk import Desk
    from kursk_pbem.desk.drafts import Checked
    from kursk_pbem.desk.play import Received
    from kursk_pbem.errors import Violation
    from kursk_pbem.game.game import Game
    from kursk_pbem.trust.message import Message
    from kursk_pbem.trust.paper import Paper

bare_option = click.option("--bare", is_flag=True, help="The draft without comments.")
yes_option = click.option("--yes", is_flag=True, help="Do not ask.")


@cli.command()
@click.argument("files", metavar="FILE...", type=PATH, nargs=-1, required=True)
@bare_option
@click.option(
    "--sign",
    "sign_it",
    is_flag=True,
    help="Sign the next message at once if there is nothing to choose in it.",
)
@key_option
@seq_option
@json_option
@quiet_option
def adjudicate(
    files: tuple[Path, ...],
    bare: bool,
    sign_it: bool,
    key: Path | None,
    seq: int | None,
    as_json: bool,
    quiet: bool,
) -> None:
    """Take a signed turn FILE (- for standard input): verify it, resolve it, write the report and the next draft.

    FILE may be the whole mail as your mail program saves it: text, .eml or mbox, the turn in it or attached. It may
    also be a referee's receipt or forfeit. Several files are taken one after the other; a mailbox, or a mail with
    several messages of one game, in the order of the game. At the desk of a referee who rolls the dice his own message
    is signed at once.
    """
    from kursk_pbem.game import inbox

    for file in files:
        raw, name, near = read_input(file, mail=True)
        found = inbox.read_each(raw, name, seq)
        for each in found:
            last = sign_it and file == files[-1] and each is found[-1]
            _adjudicate(each, near, key, bare=bare, sign_it=last, several=len(found) > 1, as_json=as_json, quiet=quiet)


def _adjudicate(
    found: Message | Paper,
    near: Path | None,
    key: Path | None,
    *,
    bare: bool,
    sign_it: bool,
    several: bool,
    as_json: bool,
    quiet: bool,
) -> None:
    from kursk_pbem.desk import director, play
    from kursk_pbem.game import folder, inbox

    if isinstance(found, inbox.Paper):
        from kursk_pbem.cli import refereeing

        refereeing.take(found, near, as_json=as_json, quiet=quiet)
        return
    got = play.take_up(found, home(), near, bare=bare)
    signed = director.answer(got.desk, str(key) if key else None)
    if as_json:
        say_json(
            {
                "game": got.desk.game.chain.game,
                "seq": got.message.seq,
                "from": got.message.sender,
                "id": got.message.id,
                "new": got.result is not None,
                "wrote": [str(path) for path in got.written],
                "signed": str(folder.message_path(got.desk.folder, signed.seq)) if signed else "",
                "next": _next_writer(got.desk.game, signed),
            }
        )
    else:
        if got.result is None:
            say(f"message {got.message.seq} was processed before; nothing changed{_once_more(got)}", quiet=quiet)
        say(got.report, quiet=quiet or (several and got.result is None))
        if got.dice:
            say("YOUR DICE HAVE FALLEN. Nobody else sees them before you mail your next message.\n", quiet=quiet)
            say(got.dice, quiet=quiet)
        for path in got.written:
            mine = " (what your next message does before you choose; not for others)" if path.suffix == ".txt" else ""
            say(f"wrote {path}{mine if '.draft' in path.name else ''}", quiet=quiet)
        if got.kept_draft:
            say(f"the draft of message {got.desk.seq} has been edited and stays as it is", quiet=quiet)
        if signed is not None:
            _say_rolled(got.desk, signed.seq, quiet=quiet)
            return
        say(got.stuck or _next_step(got.desk), quiet=quiet or (sign_it and got.desk.mine))
        say(got.desk.lock, quiet=quiet or sign_it or not got.desk.lock)
    if sign_it and signed is None:
        _sign_quiet_message(got.desk, key, quiet=quiet or as_json)


def _once_more(got: Received) -> str:
    """What a referee who rolls may mail again if a player's message reaches him a second time; else ''."""
    from kursk_pbem.desk import director

    first = got.message.seq
    if not director.sits(got.desk) or got.message.sender == got.desk.own_side or first + 1 >= got.desk.seq:
        return ""
    return f"; who asks for the answer gets {_with_answer(got.desk, first)} again"


def _next_writer(game: Game, signed: Message | None) -> str:
    """Who is waited for, '' if the game is over; after what a referee has ``signed`` the side named in it."""
    if signed is not None:
        return str(signed.content.get("next", ""))
    return "" if game.over else game.chain.writer(game.chain.next_seq)


def _say_rolled(desk: Desk, seq: int, *, quiet: bool) -> None:
    """What a referee has rolled or handed on, and what he mails."""
    from kursk_pbem.game import folder

    report = folder.report_path(desk.folder, seq)
    say(folder.read_bytes(report).decode("ascii"), quiet=quiet)
    say(f"wrote {report}", quiet=quiet)
    say(f"mail {_with_answer(desk, seq - 1)} to both players", quiet=quiet)


def _with_answer(desk: Desk, seq: int) -> str:
    """The files of a player's message and of the referee's behind it."""
    from kursk_pbem.game import folder

    return " and ".join(str(folder.message_path(desk.folder, each)) for each in (seq, seq + 1))


def _next_step(desk: Desk) -> str:
    from kursk_pbem.game import folder

    if desk.game.verdict:
        goes_on = "game" in desk.game.chain.agreed
        then = "; who writes its message 1 takes its proposal with 'kursk accept'" if goes_on else ""
        return desk.game.verdict.text + then
    if desk.mine and desk.game.chain.offer:
        return f"message {desk.seq} is your reply to the offer: {desk.how_to_reply}"
    if desk.mine:
        signed = folder.message_path(desk.folder, desk.seq)
        if signed.exists():
            return f"message {desk.seq} is signed already: mail {signed}"
        path = folder.draft_path(desk.folder, desk.seq)
        return f"you write message {desk.seq}: edit {path}, then 'kursk check' and 'kursk sign' it"
    return f"message {desk.seq} is for {desk.game.due} to write"


def _sign_quiet_message(desk: Desk, key: Path | None, *, quiet: bool) -> None:
    """``adjudicate --sign``: only for a message in which there is nothing to choose."""
    from kursk_pbem.desk import drafts, play
    from kursk_pbem.game import folder

    if again := play.resume(desk) or play.tidy(desk):
        _say_again(desk, again.seq, quiet=quiet)
        return
    if not desk.mine:
        raise UsageError("there is nothing to sign here now")
    desk.unlocked()  # an offer is replied to by a person
    path = folder.draft_path(desk.folder, desk.seq)
    checked = drafts.check(desk, drafts.read(desk, folder.read_bytes(path), str(path)))
    if not desk.game.ruleset.quiet(desk.game.setting, checked.result.middle):
        raise UsageError(f"message {desk.seq} holds choices: look at {path}, then 'kursk sign' it")
    play.sign(desk, checked, str(key) if key else None)
    say(f"wrote {folder.message_path(desk.folder, desk.seq)}: {desk.to_mail}", quiet=quiet)


def _say_again(desk: Desk, seq: int, *, quiet: bool) -> None:
    from kursk_pbem.game import folder

    path = folder.message_path(desk.folder, seq)
    again = f"message {seq} was signed before, and its draft counts no more; {path} is written again"
    say(f"{again}: {desk.to_mail}", quiet=quiet)


@cli.command()
@click.argument("folder", type=PATH)
@bare_option
@click.option("--force", is_flag=True, help="Replace a draft that has been edited.")
@quiet_option
def draft(folder: Path, bare: bool, force: bool, quiet: bool) -> None:
    """Write the next turn file of the game in FOLDER again, with everything that may be done as comments."""
    from kursk_pbem.desk import play
    from kursk_pbem.game import folder as folders

    desk = desk_at(folder)
    path = play.write_draft(desk, bare=bare, force=force)
    if path is None:
        edited = folders.draft_path(desk.folder, desk.seq)
        raise UsageError(f"{edited} has been edited and stays; --force replaces it")
    say(f"wrote {path}", quiet=quiet)


def _checked(path: Path, here: Desk | None = None, *, open_plans: bool = False) -> tuple[Desk, Checked]:
    from kursk_pbem.desk import drafts

    _refuse_no_draft(path)
    raw, name, _near = read_input(path)
    if str(path) == "-":
        raise UsageError("a draft is checked where it lies, in its game folder; name the file")
    desk = here or desk_at(path)
    return desk, drafts.check(desk, drafts.read(desk, raw, name), open_plans=open_plans)


def _understood(desk: Desk, checked: Checked) -> str:
    """What a draft says and does, with what it hides."""
    from kursk_pbem.game import reports

    note = str(checked.content.get("note", ""))
    return reports.of_draft(desk.game, desk.seq, checked.result, note) + reports.of_hidden(checked.hidden)


def _signed_before(desk: Desk, path: Path) -> int:
    """The number of the draft's message if that is signed already; its files are written again if need be. Else 0."""
    from kursk_pbem.desk import play
    from kursk_pbem.game import folder

    if path.name == folder.draft_path(desk.folder, desk.seq - 1).name:
        return desk.seq - 1 if play.tidy(desk) else 0
    return desk.seq if play.resume(desk) else 0


def _refuse_no_draft(path: Path) -> None:
    """Say where the draft lies, or that it has been signed, to one who names something else."""
    from kursk_pbem.game import folder

    if path.is_dir():
        here = desk_at(path)
        raise UsageError(f"{path} is a folder; the draft in it is {folder.draft_path(here.folder, here.seq)}")
    signed = path.with_name(path.name.replace(".draft", ""))
    if signed != path and signed.exists() and not path.exists():
        raise UsageError(f"{path} is no more: its message is signed, and {signed} is the file to mail")


def _as_json(violation: Violation) -> dict[str, str | int]:
    return {
        "file": violation.where.file if violation.where else "",
        "line": violation.where.line if violation.where else 0,
        "rule": violation.rule,
        "order": violation.order,
        "message": violation.message,
    }


@cli.command()
@click.argument("file", type=PATH)
@json_option
@quiet_option
def check(file: Path, as_json: bool, quiet: bool) -> int:
    """Check a draft FILE: every violation at once, each with line, rule and reason. Nothing is opened or signed."""
    desk, checked = _checked(file)
    violations = checked.result.violations
    if as_json:
        say_json({"legal": not violations, "violations": [_as_json(each) for each in violations]})
        return 1 if violations else 0
    if violations:
        raise RulesError(violations, desk.game.chain.writer(desk.seq))
    say(_understood(desk, checked), quiet=quiet)
    if checked.declares:
        say(f"'kursk odds {file}' shows the chances of what is declared", quiet=quiet)
    say(f"{file}: legal; 'kursk sign {file}' makes the file to mail", quiet=quiet)
    return 0


@cli.command()
@click.argument("file", type=PATH)
@click.option("--open-plans", is_flag=True, help="Show retreat, losses and advance at once instead of sealing them.")
@key_option
@yes_option
@quiet_option
def sign(file: Path, open_plans: bool, key: Path | None, yes: bool, quiet: bool) -> None:
    """Sign a draft FILE: checks it, shows the orders as understood, asks once, writes the file to mail."""
    from kursk_pbem.desk import play
    from kursk_pbem.game import folder

    here = desk_at(file) if file.is_file() else None
    if here is not None and (seq := _signed_before(here, file)):
        _say_again(here, seq, quiet=quiet)
        return
    if here is not None:
        here.unlocked()
    desk, checked = _checked(file, here, open_plans=open_plans)
    if checked.result.violations:
        raise RulesError(checked.result.violations, desk.game.chain.writer(desk.seq))
    say(_understood(desk, checked), quiet=quiet)
    ask(f"Sign message {desk.seq}? It cannot be taken back.", yes=yes)
    message = play.sign(desk, checked, str(key) if key else None)
    say(f"wrote {folder.message_path(desk.folder, message.seq)}: {desk.to_mail}, with a copy to yourself", quiet=quiet)


@cli.command()
@click.argument("folder", type=PATH)
@key_option
@yes_option
@quiet_option
def resign(folder: Path, key: Path | None, yes: bool, quiet: bool) -> None:
    """Resign the game in FOLDER, in your own slot: your duties are done, the other side wins."""
    from kursk_pbem.desk import drafts, play
    from kursk_pbem.game import folder as folders

    desk = desk_at(folder)
    if again := play.resume(desk):
        _say_again(desk, again.seq, quiet=quiet)
        if again.type != "resign":
            raise UsageError("it is no resignation, and there is no second message with its number: resign in the next")
        return
    desk.unlocked()
    checked = drafts.resignation(desk)
    ask("Resign this game? It ends at once and cannot be taken back.", yes=yes)
    message = play.sign(desk, checked, str(key) if key else None)
    say(f"wrote {folders.message_path(desk.folder, message.seq)}: {desk.to_mail}", quiet=quiet)


