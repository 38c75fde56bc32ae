"""setup completion: the script for shells, and the completions of the arguments."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path

import click
from click import shell_completion
from click.shell_completion import CompletionItem

from kursk_pbem.cli import cli
from kursk_pbem.cli.common import home
from kursk_pbem.cli.handing import hand_over
from kursk_pbem.cli.settings import setup_group
from kursk_pbem.desk.draft.completion import Word
from kursk_pbem.desk.games import completions
from kursk_pbem.desk.own import lookup
from kursk_pbem.errors import UsageError
from kursk_pbem.game import scenario_files
from kursk_pbem.rulebook import paragraphs, rulings

SHELLS = ("bash", "zsh", "fish", "powershell")
ASKED = "_KURSK_COMPLETE"
"""The variable by which a shell asks the program for completions."""


@setup_group.command()
@click.argument("shell", type=click.Choice(SHELLS))
def completion_command(shell: str) -> None:
    """Print the script that lets your SHELL complete commands, options, games, units and hexes.

    \b
    bash: kursk setup completion bash >> ~/.bashrc
    zsh: kursk setup completion zsh >> ~/.zshrc
    fish: kursk setup completion fish > ~/.config/fish/completions/kursk.fish
    powershell: kursk setup completion powershell >> $PROFILE
    """
    shell_class = shell_completion.get_completion_class(shell)
    if shell_class is None:
        raise UsageError(f"completion for {shell} needs click 8.5 or later: type 'pip install --upgrade click'")
    asked = shell_class(cli, {}, "kursk", ASKED)
    hand_over((asked.source_template % asked.source_vars()).strip("\n"))


def matching_items(words: Iterable[Word], incomplete: str) -> list[CompletionItem]:
    """Return the words that begin with the typed text."""
    begun = incomplete.casefold()
    return [CompletionItem(word.text, help=word.about) for word in words if word.text.casefold().startswith(begun)]


def complete_games(_ctx: click.Context, incomplete: str) -> list[CompletionItem]:
    """Return the player's games that match the typed word; if no game matches, files and folders."""
    choices = matching_items(completions.complete_games(home(), Path()), incomplete)
    return choices or [CompletionItem(incomplete, type="file")]


def complete_pieces(ctx: click.Context, incomplete: str) -> list[CompletionItem]:
    """Return the units and places of the game on the command line; without a game, of the game that waits."""
    return matching_items(completions.complete_pieces(_game_before(ctx), home(), Path(), places=True), incomplete)


def complete_games_and_units(ctx: click.Context, incomplete: str) -> list[CompletionItem]:
    """Complete [GAME] [UNIT]: return games and units for the first word, and units after a game."""
    choices = matching_items(completions.complete_pieces(_game_before(ctx), home(), Path(), places=False), incomplete)
    return choices if _words_before(ctx) else _only_games(ctx, incomplete) + choices


def complete_orders(ctx: click.Context, incomplete: str) -> list[CompletionItem]:
    """Complete 'kursk order': return games and order words first, then the choices that the position allows."""
    typed, game = _words_before(ctx), _game_before(ctx)
    line = " ".join((*typed[bool(game) :], incomplete))
    choices = [CompletionItem(word.text, help=word.about) for word in completions.complete(game, line, home(), Path())]
    return choices if typed else choices + _only_games(ctx, incomplete)


def complete_scenarios(_ctx: click.Context, incomplete: str) -> list[CompletionItem]:
    """Return the scenario ids that match the typed word; if no id matches, scenario names without their system."""
    choices = matching_items(completions.complete_scenarios(), incomplete)
    return [item for item in choices if "/" in item.value] or choices


def complete_places(ctx: click.Context, incomplete: str) -> list[CompletionItem]:
    """Complete [GAME | SCENARIO]: return games and scenario ids."""
    return _only_games(ctx, incomplete) + [item for item in complete_scenarios(ctx, incomplete) if "/" in item.value]


def complete_rules(ctx: click.Context, incomplete: str) -> list[CompletionItem]:
    """Complete [RULESET] [PARAGRAPH | RULING]: return rulesets, or paragraphs and rulings of the typed ruleset."""
    asked = tuple(ctx.params.get("asked") or ())
    available = scenario_files.list_ids()
    known = dict.fromkeys(scenario.partition("/")[0] for scenario in available)
    systems = [] if asked else list(map(Word, known))
    try:
        rid, wanted = paragraphs.find_system(
            asked or ("",), completions.list_rulesets(home(), Path()), lambda: available
        )
    except UsageError:
        return matching_items(systems, incomplete)
    told = [Word(paragraph.id, paragraph.title) for paragraph in paragraphs.list_paragraphs(rid)]
    told += [Word(ruling.id, ruling.title) for ruling in rulings.load(rid).values()]
    return matching_items([*systems, *([] if wanted else told)], incomplete)


def _only_games(ctx: click.Context, incomplete: str) -> list[CompletionItem]:
    return [item for item in complete_games(ctx, incomplete) if item.type == "plain"]


def _words_before(ctx: click.Context) -> tuple[str, ...]:
    """Return the words before the cursor; the first word can be a game."""
    return tuple(ctx.params.get("more") or ())


def _game_before(ctx: click.Context) -> str:
    """Return the word before the cursor with the game's name, or ''."""
    said = str(ctx.params.get("game") or "") or next(iter(_words_before(ctx)), "")
    return said if said and lookup.is_game_name(said, home(), Path()) else ""


KINDS: dict[str, Callable[[click.Context, str], list[CompletionItem]]] = {
    "games": complete_games,
    "pieces": complete_pieces,
    "games and units": complete_games_and_units,
    "orders": complete_orders,
    "places": complete_places,
    "scenarios": complete_scenarios,
    "rules": complete_rules,
}
"""Kind of argument -> completion function."""
