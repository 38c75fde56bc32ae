"""tables: the tables beside the map, and the turn track."""

from __future__ import annotations

import click

from kursk_pbem.cli import cli
from kursk_pbem.cli.common import in_json, json_option, page_columns, say, say_json, say_wrapped
from kursk_pbem.cli.games import SEEN, completion_of, split_words
from kursk_pbem.cli.views.maps import look_at, of_options, option_option
from kursk_pbem.desk.games import views
from kursk_pbem.report import tables as printed


@cli.command()
@click.argument("words", nargs=-1, metavar="[GAME | SCENARIO] [TABLE]", shell_complete=completion_of("places"))
@click.option("--track", is_flag=True, help="The turn track: the events of every turn, and the present turn.")
@option_option
@json_option
def tables_command(words: tuple[str, ...], track: bool, options: tuple[str, ...]) -> None:
    """Print the tables of a game or of a scenario, such as citadel; for a RULESET, of its first scenario.

    Each table has its paragraph, and the status of its data: attested, reconstructed or invented. TABLE is a part of a
    title, its first letters ('crt'), or the paragraph, and selects that table.
    """
    is_scenario = bool(words) and views.is_scenario_name(words[0])
    game, rest = (words[0], words[1:]) if is_scenario else split_words(words, 99, (), files=False)
    seen = look_at(game, SEEN, options)
    scenario, shown = seen.setting.scenario, seen.ruleset.seen
    all_tables = shown.track(seen.setting, seen.state) if track else shown.tables(seen.setting)
    chosen = printed.find_tables(all_tables, " ".join(rest))
    if in_json():
        facts = {"scenario": scenario.id, "turn": seen.state.turn, "tables": printed.to_json(chosen)}
        say_json("tables", facts)
        return
    if not track:
        say_wrapped(f"{scenario.title} ({scenario.id})")
        say("")
    say(printed.render_tables(chosen, page_columns() - 2).rstrip("\n"))
    for line in of_options(seen):
        say("")
        say_wrapped(line)
