"""setup draft, setup schema, check, sign, resign: the next message of a game."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from kursk_pbem.cli import cli, jsonlines
from kursk_pbem.cli.common import (
    PATH,
    bare_option,
    desk_at,
    home,
    in_json,
    quiet_option,
    read_input,
    said_options,
    say,
    say_json,
    sign_options,
    wrap_words,
)
from kursk_pbem.cli.games import DRAFT, game_argument, pick_path
from kursk_pbem.cli.handing import force_option, hand_over
from kursk_pbem.cli.settings import setup_group
from kursk_pbem.cli.signing import say_again, sign_asked
from kursk_pbem.desk.draft import cautions, drafts, editors, leftovers, prospects, unsigned, wants
from kursk_pbem.desk.own import desks, lookup, register
from kursk_pbem.desk.turn import play
from kursk_pbem.errors import RulesError, UsageError, shell_word
from kursk_pbem.game import folders, reports

if TYPE_CHECKING:
    from kursk_pbem.desk.draft.drafts import Checked
    from kursk_pbem.desk.own.desks import Desk


_PLACED = ("file", "line", "rule", "order")


@setup_group.command()
@game_argument("folder")
@bare_option
@click.option("--force", is_flag=True, help="Replace an edited draft.")
@said_options
def draft_command(folder: Path, bare: bool, force: bool, quiet: bool) -> None:
    """Write your next turn file of GAME again, with comments about all your choices."""
    desk = desk_at(folder)
    former = unsigned.find_edited(desk) if force and desk.unwritten is None else None
    if former is not None:
        say(f"{former.name} is kept as {folders.keep_aside(former).name}", quiet=quiet)
    path = drafts.write_draft(desk, bare=bare, force=force)
    if path is None:
        edited = folders.draft_path(desk.folder, desk.seq)
        raise UsageError(f"{edited} contains your changes, and was not replaced; --force replaces the draft")
    say(f"wrote {path}", quiet=quiet, game=desk.game.chain.game, seq=desk.seq, wrote=[path])


@setup_group.command()
@click.argument("of", metavar="[RULESET|GAME|DRAFT]", default="")
@click.option("--command", metavar="COMMAND", help="The schema of the --json output of a command, such as 'status'.")
@click.option("-o", "--output", type=PATH, help="Write the schema into this file.")
@force_option
@quiet_option
def schema_command(of: str, command: str | None, output: Path | None, force: bool, quiet: bool) -> None:
    """Print the JSON Schema of drafts, for editors that know YAML; or of a command's output with --json.

    The schema of RULESET has every field of its drafts. The schema of GAME or DRAFT has the fields of the next message,
    with the units and hexes of the scenario. 'kursk setup draft' and 'kursk inbox' write the schema beside the draft,
    and the draft's first line names the schema.
    """
    from kursk_pbem.report.output import select_command

    if command is not None and of:
        raise click.UsageError(f"--command prints the schema of a command's output, not of {of}: leave {of} out")
    if command is not None:
        found = select_command(command)
    else:
        found = editors.make_schema(of) if editors.is_ruleset(of) else editors.game_schema(desk_at(pick_path(of)).game)
    hand_over(editors.format_schema(found), output, force=force, quiet=quiet)


def _check_file(path: Path, here: Desk | None = None, *, open_plans: bool = False) -> tuple[Desk, Checked]:
    _refuse_no_draft(path)
    raw, name, _near = read_input(path)
    desk = desk_at(lookup.find_draft_folder(raw, name, home(), Path())) if str(path) == "-" else here or desk_at(path)
    return desk, drafts.check_draft(desk, drafts.read_draft(desk, raw, name), open_plans=open_plans)


def _describe_draft(desk: Desk, checked: Checked, *, hidden: bool = True) -> str:
    """Return the contents, effects, hidden parts and unused choices of a draft; ``hidden``: include the hidden part."""
    note = str(checked.content.get("note", ""))
    told = reports.report_draft(desk.game, desk.seq, checked.result, note)
    told += _hidden_part(desk, checked) if hidden else ""
    return told + leftovers.format_unused(leftovers.list_unused(desk, checked))


def _name_other_draft(desk: Desk, checked: Checked, verb: str, then: str = "") -> None:
    """Print that the game's own edited draft differs from the command's file."""
    if other := unsigned.find_differing(desk, checked.message):
        say(f"your edited draft {other.name} differs from the file that you {verb}{then}")


def _hidden_part(desk: Desk, checked: Checked) -> str:
    """Return the sealed part of a draft, for its writer."""
    return reports.report_hidden(desk.game, checked.result.after, desk.game.chain.writer(desk.seq), checked.hidden)


def _list_headlines(desk: Desk, checked: Checked) -> list[str]:
    """Return the headlines of a draft: the dice, then the orders."""
    return [*reports.describe_dice(desk.game, checked.result), *reports.describe_orders(desk.game, checked.result)]


def _in_short(desk: Desk, checked: Checked) -> str:
    """Return the lines above the question: the hidden part, and the message in a few lines."""
    told = [line for text in _list_headlines(desk, checked) for line in wrap_words(text, "- ", "  ")]
    hidden = _hidden_part(desk, checked).rstrip("\n")
    short = [f"\nMessage {desk.seq} in short:", *told] if told else []
    return "\n".join((*([hidden] if hidden else []), *short))


def _signed_before(path: Path) -> tuple[Desk | None, bool]:
    """Return the desk of a draft, or None, and whether its message is signed. Write missing signed files."""
    if not (path.is_file() or folders.is_game_folder(path.parent)):
        return None, False
    desk = _take_lacking(desk_at(path if path.is_file() else path.parent))
    if path.is_file() and path.name == folders.draft_path(desk.folder, desk.seq - 1).name:
        again = play.tidy_up(desk)
    else:
        again = play.resume_signing(desk)
    return again or desk, again is not None


def _take_lacking(desk: Desk) -> Desk:
    """Return the desk with the messages stored that lay beside a draft elsewhere; say which."""
    lacking = [] if desk.own is None else [step.message for step in desk.history.newest]
    stored = desk
    for message in lacking:
        if not folders.message_path(desk.folder, message.seq).exists():
            stored = play.take_message(desks.open_desk(desk.folder, home()), message).desk
            say(f"took the new message {message.seq}, as 'kursk inbox {shell_word(message.document.name)}' does")
    return stored


def _refuse_no_draft(path: Path) -> None:
    """Raise UsageError with the reason why no draft exists: already signed, or not this player's turn."""
    if str(path) == "-" or path.exists() or not folders.is_game_folder(path.parent):
        return
    signed = path.with_name(path.name.replace(".draft", ""))
    if signed != path and signed.exists():
        raise UsageError(f"the draft {path} is gone, because its message is signed: mail {signed}")
    here = desk_at(path.parent)
    here.record_of_writer()
    here.need_unsigned()
    raise UsageError(f"the draft {path} is missing: 'kursk setup draft {shell_word(here.folder)}' writes a new draft")


@cli.command()
@game_argument("file", want=DRAFT)
@click.option("--plan", default="", help="Also the chances of a plan, as in 'kursk odds --plan'.")
@said_options
def check_command(file: Path, plan: str, quiet: bool) -> int:
    """Check your draft: all mistakes at once, each with line, rule and reason; then the unused choices.

    The command opens and signs nothing. '-' reads a draft from standard input; the draft names its game.
    """
    desk, checked = _check_file(file)
    desk.need_unsigned()
    violations = checked.result.violations
    if in_json():
        unused = () if violations else leftovers.list_unused(desk, checked)
        left = [{"rule": left.rule, "text": left.text} for left in unused]
        told = [] if violations else _list_headlines(desk, checked)
        problems = map(jsonlines.problem_of_violation, violations)
        listed = [{"message": one["text"], **{key: one[key] for key in _PLACED}} for one in problems]
        hidden = [] if violations else [line.strip() for line in _hidden_part(desk, checked).splitlines()[2:]]
        facts = {"legal": not violations, "violations": listed, "headlines": told, "hidden": hidden, "left": left}
        if plan and not violations:
            facts["plan"] = wants.to_json(prospects.look_at_checked(desk, checked), plan)
        say_json("check", facts)
        return 1 if violations else 0
    if violations:
        raise RulesError(violations, desk.game.chain.writer(desk.seq))
    say(_describe_draft(desk, checked), quiet=quiet)
    game = lookup.abbreviate(desk.game.chain.game, register.list_games(home(), Path()))
    if many := cautions.count_chances(desk, checked):
        more = ", and the battles with effects on later battles" if many > 1 else ""
        say(f"'kursk odds{game}' shows the chances of the declared battles{more}", quiet=quiet)
    say("\n".join(wants.describe_plan(prospects.look_at_checked(desk, checked), plan)) if plan else "", quiet=not plan)
    named = checked.message.document.name
    own = folders.draft_path(desk.folder, desk.seq)
    game = game if str(file) == "-" or own.resolve() == file.resolve() else f" {shell_word(named)}"
    say(f"{named}: legal; 'kursk sign{game}' makes the file to mail", quiet=quiet)
    _name_other_draft(desk, checked, "check")
    return 0


@cli.command()
@game_argument("file", want=DRAFT)
@click.option("--open-plans", is_flag=True, help="Show the plans in your orders at once instead of sealing them.")
@click.option("--short", is_flag=True, help="Show only your orders in short; 'kursk check' shows the whole message.")
@sign_options
def sign_command(file: Path, open_plans: bool, short: bool, key: Path | None, yes: bool, quiet: bool) -> None:
    """Sign your draft: check it, show the orders as understood, ask once, and write the file to mail."""
    if str(file) == "-":
        raise UsageError("'kursk sign' signs a draft in the game folder, not standard input: leave the '-' out")
    here, done = _signed_before(file)
    if here is not None and done:
        say_again(here, quiet=quiet)
        return
    if here is not None and file.is_file():
        here.unlocked()
    desk, checked = _check_file(file, here, open_plans=open_plans)
    if checked.result.violations:
        raise RulesError(checked.result.violations, desk.game.chain.writer(desk.seq))
    say(_describe_draft(desk, checked, hidden=yes), quiet=quiet or short)
    say(leftovers.format_unused(leftovers.list_unused(desk, checked)).strip("\n"), quiet=quiet or not short)
    say(_in_short(desk, checked), quiet=quiet or yes)
    _name_other_draft(desk, checked, "sign", "; the program keeps the other draft as a file (.unsigned)")
    undone = "You cannot take a signature back."
    if register.is_inside(home(), desk.folder, (register.WHAT_IF,)):
        undone = "'kursk play --undo' takes the message back."
    question = f"Sign message {desk.seq}, on this machine alone? {undone}"
    sign_asked(desk, checked, key, question, yes=yes, quiet=quiet)


@cli.command()
@game_argument("folder")
@sign_options
def resign_command(folder: Path, key: Path | None, yes: bool, quiet: bool) -> None:
    """Resign GAME in your next message: due dice still happen, then the other side wins."""
    desk = desk_at(folder)
    if again := play.find_done(desk, "resign"):
        say_again(again, quiet=quiet)
        if again.last.type != "resign":
            raise UsageError("you have signed this message with other contents; resign in your next message")
        return
    desk.unlocked()
    checked = drafts.make_resignation(desk)
    question = "Resign this game? Your message ends the game, and is final."
    sign_asked(desk, checked, key, question, yes=yes, quiet=quiet)
