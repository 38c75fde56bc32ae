"""setup: the draft file again, and what editors and shells need."""

from __future__ import annotations

from pathlib import Path

import click

from kursk_pbem.cli import cli
from kursk_pbem.cli.common import PATH, desk_at, home, json_option, quiet_option, say
from kursk_pbem.cli.games import pick_path
from kursk_pbem.cli.groups import LazyGroup
from kursk_pbem.cli.handing import force_option, hand_over

COMMANDS = {
    "draft": ("play.turn", "Write your draft again, with comments about your choices."),
    "schema": ("settings", "Print the schema of drafts, for editors with completion of YAML."),
    "pass": ("settings", "Allow 'kursk post' to sign messages without a choice, on this machine."),
    "completion": ("completing", "Print the completion script for a shell: commands, games, units and hexes."),
}
"""Command -> (module of ``kursk_pbem.cli``, one line of help)."""


@cli.group(cls=LazyGroup, package="kursk_pbem.cli", table=COMMANDS)
def setup_group() -> None:
    """Write a draft again, and set up editors and shells."""


@setup_group.command()
@click.argument("answer", type=click.Choice(["yes", "no"]), required=False)
@json_option
def pass_command(answer: str | None) -> None:
    """Let 'kursk post' sign messages in which you have no choice. 'no' ends this; without a word, show the setting.

    'kursk post' and 'kursk post watch' then sign and send such a message, and tell you afterwards. A message with a
    choice always waits for you, and so does a draft that you have edited. The permission is a file of this private
    folder, and 'kursk save' leaves the file out.
    """
    from kursk_pbem.desk.deals import passing

    if answer == "yes":
        passing.allow_passing(home())
    elif answer == "no":
        passing.forbid_passing(home())
    allowed = passing.is_passing_allowed(home())
    told = (
        "'kursk post' signs and sends them"
        if allowed
        else "you sign them yourself; 'kursk setup pass yes' changes that"
    )
    say(f"messages without a choice: {told}", allowed=allowed)


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
    from kursk_pbem.desk.draft import editors
    from kursk_pbem.report.output import select_command

    if command is not None and of:
        raise click.UsageError(f"--command prints the schema of a command's output, not of {of}: leave {of} out")
    if command is not None:
        found = select_command(command)
    else:
        found = editors.make_schema(of) if editors.is_ruleset(of) else editors.game_schema(desk_at(pick_path(of)).game)
    hand_over(editors.format_schema(found), output, force=force, quiet=quiet)
