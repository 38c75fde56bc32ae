"""tables, track: what is printed beside the map."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from kursk_pbem.cli import cli
from kursk_pbem.cli.common import columns, in_json, json_option, page_width, say, say_json
from kursk_pbem.cli.games import GAME, completes, split
from kursk_pbem.cli.views.maps import look_at, of_options, option_option, place_argument

if TYPE_CHECKING:
    from kursk_pbem.desk.shelf.views import Subject


@cli.command()
@click.argument("words", nargs=-1, metavar="[GAME | SCENARIO] [TABLE]", shell_complete=completes("places"))
@option_option
@json_option
def tables(words: tuple[str, ...], options: tuple[str, ...]) -> None:
    """Print the tables of a game or of a scenario, such as citadel; of a RULESET those of its first scenario.

    Each with its paragraph, and whether its data are attested, reconstructed or invented. TABLE is a part of a title,
    its first letters ('crt'), or the paragraph, and prints that table alone.
    """
    from kursk_pbem.report import tables as printed
    from kursk_pbem.report.layout import wrap

    game, wanted = _split(words)
    seen = look_at(game, GAME, options)
    chosen, scenario = printed.called(seen.ruleset.seen.tables(seen.setting), wanted), seen.setting.scenario
    if in_json():
        say_json("tables", {"scenario": scenario.id, "tables": printed.to_json(chosen)})
        return
    say("\n".join(wrap(f"{scenario.title} ({scenario.id})", "", "  ", page_width())) + "\n")
    say(printed.render(chosen, columns() - 2).rstrip("\n"))
    _say_options(seen)


def _split(words: tuple[str, ...]) -> tuple[str, str]:
    """The game or scenario that the first word names, '' if it names none, and the words for a table."""
    from kursk_pbem.desk.shelf import views

    if words and views.is_scenario(words[0]):
        return words[0], " ".join(words[1:])
    game, rest = split(words, 99, (), files=False)
    return game, " ".join(rest)


@cli.command()
@place_argument
@option_option
@json_option
def track(game: str, options: tuple[str, ...]) -> None:
    """Print the turns of a game or of a scenario, such as citadel: what each brings, and where the game stands."""
    from kursk_pbem.report import tables as printed

    seen = look_at(game, GAME, options)
    track_tables = seen.ruleset.seen.track(seen.setting, seen.state)
    if in_json():
        where = {"scenario": seen.setting.scenario.id, "turn": seen.state.turn}
        say_json("track", {**where, "tables": printed.to_json(track_tables)})
        return
    say(printed.render(track_tables, columns() - 2).rstrip("\n"))
    _say_options(seen)


def _say_options(seen: Subject) -> None:
    from kursk_pbem.report.layout import wrap

    for line in of_options(seen):
        say("\n".join(["", *wrap(line, "", "  ", page_width())]))
