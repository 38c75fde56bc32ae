"""tables, track: what is printed beside the map."""

from __future__ import annotations

import click

from kursk_pbem.cli import cli
from kursk_pbem.cli.common import columns, home, json_option, say, say_json


@cli.command()
@click.argument("game", default="")
@json_option
def tables(game: str, as_json: bool) -> None:
    """Print the tables of a GAME, of a scenario such as battle-for-kursk/citadel or of a ruleset.

    Combat results, terrain, postures, victory levels: each with its paragraph, and whether its data are attested,
    reconstructed or invented.
    """
    from kursk_pbem.desk import places
    from kursk_pbem.report import tables as report

    found = places.seen(game, home())
    what = found.ruleset.seen.tables(found.setting)
    if as_json:
        say_json({"scenario": found.setting.scenario.id, "tables": report.to_json(what)})
        return
    say(f"{found.setting.scenario.title} ({found.setting.scenario.id})\n")
    say(report.render(what, columns()).rstrip("\n"))


@cli.command()
@click.argument("game", default="")
@json_option
def track(game: str, as_json: bool) -> None:
    """Print the turn track of a GAME or of a scenario: weather, points and markers to come, and where it stands."""
    from kursk_pbem.desk import places
    from kursk_pbem.report import tables as report

    found = places.seen(game, home())
    what = found.ruleset.seen.track(found.setting, found.state)
    if as_json:
        say_json({"scenario": found.setting.scenario.id, "turn": found.state.turn, "tables": report.to_json(what)})
        return
    say(report.render(what, columns()).rstrip("\n"))
