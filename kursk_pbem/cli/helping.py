"""help: commands, order words, and the pages of the handbook."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import click

from kursk_pbem.cli import GROUPS, cli, order_words
from kursk_pbem.cli.common import say, say_wrapped, wrap_words
from kursk_pbem.cli.handing import hand_over
from kursk_pbem.desk.draft import vocabulary
from kursk_pbem.game import scenario_files
from kursk_pbem.rulebook import pages

if TYPE_CHECKING:
    from kursk_pbem.rulebook.pages import Section

_SOME = 24  # sections in a list, one screen


@cli.command("help")
@click.argument("topic", nargs=-1, metavar="[COMMAND | ORDER | PAGE [SECTION] | WORD...]")
@click.pass_context
def help_command(ctx: click.Context, topic: tuple[str, ...]) -> None:
    """Explain a COMMAND or an ORDER word, or show a section of the handbook.

    \b
    kursk help              the commands of a game
    kursk help commands     all commands, and the pages
    kursk help sign         how a command is used
    kursk help attack       an order word, explained for each system
    kursk help players      the contents of a page
    kursk help players 4    a section of it
    kursk help hidden       sections with that word
    """
    name, *rest = (*topic, "") if topic else ("",)
    if topic == ("commands",):
        return _list_commands(ctx)
    if len(topic) == 1 and (told := list(_explain_order(name))):
        return say("\n".join(told))
    command = "order" if name in order_words() else name
    wanted = cli.get_command(ctx, command) if command else cli
    while isinstance(wanted, click.Group) and rest[:-1] and (below := wanted.get_command(ctx, rest[0])):
        wanted, command, rest = below, f"{command} {rest[0]}", rest[1:]
    if wanted is None or (command and [word for word in rest[:-1] if not word.startswith("-")]):
        return _print_pages(ctx, topic)
    with click.Context(wanted, parent=ctx.parent if command else None, info_name=command or "kursk") as about:
        about.max_content_width = cli.context_settings["max_content_width"]
        about.help_option_names = cli.context_settings["help_option_names"]
        say(wanted.get_help(about))
    return None


def _list_commands(ctx: click.Context) -> None:
    """Print all commands by group, how a game is named, and the pages of the handbook."""
    formatter = ctx.make_formatter()
    for title, commands in GROUPS.items():
        with formatter.section(title):
            formatter.write_dl([(name, line) for name, (_module, line) in commands.items()])
    cli.format_help_text(ctx, formatter)
    say(formatter.getvalue().strip("\n"))
    say("\nPages, shown by 'kursk help PAGE':")
    say("\n".join(f"  {page:<17} {what}" for page, what in pages.list_pages().items()))


def _explain_order(word: str) -> Iterator[str]:
    """Yield the explanation of an order word in each of its systems; no line for other words."""
    from kursk_pbem.desk.games import views

    available = scenario_files.list_ids()
    known_systems = dict.fromkeys(name.partition("/")[0] for name in available)
    systems = [each for each in known_systems if vocabulary.is_order(word, each)]
    for system in systems:
        scenarios = [name for name in available if name.startswith(f"{system}/")]
        first = views.view_scenario(scenarios[0])
        known = first.ruleset.options if first is not None else ()
        rare = {option.key: option.values[-1] for option in known}  # some words exist only with an option
        shown = (views.view_scenario(name, options) for options in ({}, rare) for name in scenarios)
        pairs = ((seen, verb) for seen in shown if seen is not None for verb in seen.ruleset.seen.verbs(seen.setting))
        seen, verb = next((seen, verb) for seen, verb in pairs if verb.name == word)
        yield f"{seen.ruleset.title}:"
        yield from wrap_words(f"order {verb.name} {verb.usage}".rstrip(), "  ", "      ")
        yield from wrap_words(f"{verb.text[:1].upper()}{verb.text[1:]}.", "    ", "    ")
        yield from wrap_words(f"Example: 'kursk {verb.example}'", "    ", "    ")
    if systems:
        yield f"In a game, 'kursk order {word}' lists what can follow the word. 'kursk help order' explains all orders."


def _print_pages(ctx: click.Context, topic: tuple[str, ...]) -> None:
    """Print a page's contents, one section, or a list of matching sections."""
    if topic == (pages.SCRIPT,):
        hand_over(pages.load_script())
        return
    page, count = pages.match_page(topic)
    words = " ".join(topic[count:])
    if page and not words:
        first, *others = pages.load(page)
        say(f"{first.title}\n")
        _print_section(first)
        say("\n".join(f"{'  ' * (section.level - 1)}{section.heading}" for section in others))
        say(f"\n'kursk help {page} {others[0].number or others[0].title.split()[-1]}' shows a section.")
        return
    sections = pages.search(words, page)
    if not sections:
        near = vocabulary.suggest(
            words, (*cli.list_commands(ctx), *order_words(), *vocabulary.list_parts(), *pages.list_pages())
        )
        ctx.fail(f"No such command, page or section {words!a}{near}; 'kursk help commands' lists commands and pages")
    if len(sections) > 1:
        say("\n".join(f"{section.page} {section.heading}" for section in sections[:_SOME]))
        if len(sections) > _SOME:
            say(f"and {len(sections) - _SOME} more; add a word")
        return
    for section in pages.select_below(pages.load(sections[0].page), sections[0]):
        named = section.heading if section.page in (page, pages.HANDBOOK) else f"{section.page} {section.heading}"
        say(f"{named}\n")
        _print_section(section)


def _print_section(section: Section) -> None:
    """Print a section, a blank line after each block: wrapped sentences, unchanged commands and files."""
    for block, as_it_is in pages.split_blocks(section.text):
        if as_it_is:
            say("\n".join(f"    {line}" for line in block.split("\n")), whole=True)
        else:
            for item in pages.split_items(block):  # print a table row without its last bar
                say_wrapped(item.removesuffix(" |"), "", "  " if pages.is_item(item) else "")
        say("")
