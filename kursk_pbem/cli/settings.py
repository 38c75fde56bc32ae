"""setup: the draft file again, and what editors and shells need."""

from __future__ import annotations

import click

from kursk_pbem.cli import cli
from kursk_pbem.cli.common import home, json_option, say
from kursk_pbem.cli.groups import LazyGroup

COMMANDS = {
    "draft": ("play.turn", "Write your draft again, with comments about your choices."),
    "schema": ("play.turn", "Print the schema of drafts, for editors with completion of YAML."),
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
