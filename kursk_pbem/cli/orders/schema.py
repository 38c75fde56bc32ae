"""setup schema: schemas of drafts for editors, and of the output with --json."""

from __future__ import annotations

from pathlib import Path

import click

from kursk_pbem.cli.common import PATH, desk_at, quiet_option
from kursk_pbem.cli.games import pick_path
from kursk_pbem.cli.handing import force_option, hand_over
from kursk_pbem.cli.settings import setup_group
from kursk_pbem.desk.draft import editors
from kursk_pbem.report import output as published


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
    if command is not None and of:
        raise click.UsageError(f"--command prints the schema of a command's output, not of {of}: leave {of} out")
    if command is not None:
        found = published.select_command(command)
    else:
        found = editors.make_schema(of) if editors.is_ruleset(of) else editors.game_schema(desk_at(pick_path(of)).game)
    hand_over(editors.format_schema(found), output, force=force, quiet=quiet)
