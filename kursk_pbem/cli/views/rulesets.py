"""ruleset list: the rulesets of this program and of packages, with the hashes of their files."""

from __future__ import annotations

from typing import Any

import click

from kursk_pbem.cli import cli
from kursk_pbem.cli.common import in_json, json_option, say, say_json
from kursk_pbem.cli.groups import Group
from kursk_pbem.game import pins


class _RulesetGroup(Group):
    """The group ``ruleset``: without a command it lists."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        if not {*self.commands, "-h", "--help"}.intersection(args):
            args = ["list", *args]
        return super().parse_args(ctx, args)


@cli.group("ruleset", cls=_RulesetGroup)
def ruleset_group() -> None:
    """List the rulesets of this program and of installed packages."""


@ruleset_group.command("list")
@json_option
def list_rules(**_given: Any) -> None:
    """List every ruleset with the hash of the files that decide.

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
