"""ruleset: list the rulesets with the hashes of their files, and write the package of a new ruleset."""

from __future__ import annotations

from pathlib import Path

import click

from kursk_pbem.cli import cli
from kursk_pbem.cli.common import PATH, in_json, json_option, say, say_json
from kursk_pbem.cli.groups import ListingGroup
from kursk_pbem.errors import shell_word
from kursk_pbem.game import new_ruleset, pins


@cli.group("ruleset", cls=ListingGroup)
def ruleset_group() -> None:
    """List the rulesets of this program and of installed packages."""


@ruleset_group.command("list")
@json_option
def list_rules() -> None:
    """List every ruleset with a hash of the files that decide games.

    A release lists the same hashes, so you can see whether somebody has changed your copy. A package is not imported.
    """
    found, refused = pins.list_rules()
    if in_json():
        say_json("ruleset list", {"rulesets": found, "refused": refused})
        return
    for rules in found:
        source = f"package {rules['package']} {rules['release']}" if rules["package"] else "this program"
        say(f"{rules['sha256']}  {rules['ruleset']} ({source})")
    for fault in refused:
        say(f"refused: {fault}")


@ruleset_group.command("new")
@click.argument("name", metavar="NAME")
@click.option("-o", "--output", type=PATH, metavar="DIR", help="The new folder; otherwise NAME.")
def write_new(name: str, output: Path | None) -> None:
    """Write a package with a small working game, to change into your own: rules, scenario, pages and tests."""
    folder = output or Path(name)
    written = new_ruleset.write_package(name, folder)
    first = next(path.parent for path in written if path.name == "scenario.yaml")
    place = shell_word(folder)
    say(f"wrote {len(written)} files into {folder}")
    say(f"next, type 'python -m pip install -e {place}', then 'python -m pytest {place}'; then change the files")
    say(f"play: kursk propose {name}/{first.name}")
