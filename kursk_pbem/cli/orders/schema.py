"""schema: what editors complete and check drafts by."""

from __future__ import annotations

from pathlib import Path

import click

from kursk_pbem.cli import cli
from kursk_pbem.cli.common import PATH, desk_at, quiet_option, say
from kursk_pbem.cli.games import pick


@cli.command()
@click.argument("of", metavar="[RULESET|GAME|DRAFT]", default="")
@click.option("-o", "--output", type=PATH, help="Write it into this file.")
@quiet_option
def schema(of: str, output: Path | None, quiet: bool) -> None:
    """Print the JSON Schema of drafts, for editors that know YAML.

    Of a ruleset: every field that a draft can hold. Of a game folder or a draft: the fields of the message that is due,
    with the units and hexes of the scenario. 'kursk draft' and 'kursk adjudicate' put the latter beside the draft,
    whose first line names it.
    """
    from kursk_pbem.desk.draft import editors
    from kursk_pbem.game import folders

    found = editors.of_ruleset(of) if editors.is_ruleset(of) else editors.of_game(desk_at(pick(of)).game)
    if output is None:
        click.echo(editors.text(found), nl=False)
        return
    folders.write(output, editors.text(found), force=True)
    say(f"wrote {output}", quiet=quiet)
