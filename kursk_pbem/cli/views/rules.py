"""rule: paragraphs and rulings, by number or by a word."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

import click

from kursk_pbem.cli import cli
from kursk_pbem.cli.common import home, in_json, json_option, say, say_json, wrap_words
from kursk_pbem.cli.games import completion_of
from kursk_pbem.desk.games import completions
from kursk_pbem.game import scenario_files
from kursk_pbem.rulebook import citations, pages, paragraphs, rulings
from kursk_pbem.rulebook.rulings import Ruling

if TYPE_CHECKING:
    from kursk_pbem.rulebook.books import Paragraph

_ID = 26  # columns of an id in a list


@cli.command()
@click.argument(
    "asked",
    nargs=-1,
    required=True,
    metavar="[RULESET] [PARAGRAPH | RULING | WORD...]",
    shell_complete=completion_of("rules"),
)
@click.option("--code", is_flag=True, help="For contributors: also the files and functions with the citation.")
@json_option
def rule_command(asked: tuple[str, ...], code: bool) -> None:
    """Print a paragraph in our words, a ruling, or the paragraphs and rulings with a word.

    RULESET is a ruleset or one of its scenarios, such as citadel. Without more words the command lists all paragraphs.
    A PARAGRAPH is its number, and includes all paragraphs below. A RULING, such as K-54, needs no RULESET. WORD...
    finds the texts with all these words, and the word 'rulings' lists all rulings. If all your games have one ruleset,
    you can leave RULESET out.
    """
    rid, wanted = paragraphs.find_system(asked, completions.list_rulesets(home(), Path()), scenario_files.list_ids)
    decided = rulings.load(rid)
    exact: list[Paragraph | Ruling] = [decided[wanted.upper()]] if wanted.upper() in decided else []
    exact += paragraphs.list_paragraphs(rid, wanted) if not exact else []
    entries = exact or paragraphs.search(rid, wanted)
    cited = _citing_lines(rid) if code else {}
    if in_json():
        kinds = [{"kind": type(entry).__name__.lower(), **asdict(entry)} for entry in entries]
        told = [{**entry, **({"code": cited.get(entry["id"], [])} if code else {})} for entry in kinds]
        say_json("rule", {"ruleset": rid, "found": told})
        return
    in_full = bool(wanted) and (bool(exact) or len(entries) == 1)
    for entry in entries:
        say("\n".join(_tell_entry(rid, entry, decided) if in_full else _list_line(entry)))
        if code:
            say("\n".join(cited.get(entry.id, ["  no function cites the paragraph"])))


def _list_line(entry: Paragraph | Ruling) -> list[str]:
    """Return a line of a list: id, title, and a paragraph's status."""
    status = getattr(entry, "status", "")
    return wrap_words(f"{entry.title}{f' ({status})' if status else ''}", f"{entry.id:<{_ID}} ", " " * (_ID + 1))


def _tell_entry(rid: str, entry: Paragraph | Ruling, decided: Mapping[str, Ruling]) -> Iterator[str]:
    """Yield a paragraph or a ruling in full, with related rulings and paragraphs."""
    if isinstance(entry, Ruling):
        yield from wrap_words(f"[{entry.id}] {entry.title}", "", "  ")
        for block in entry.text.replace("**", "").split("\n\n"):
            for item in pages.split_items(block):
                yield from wrap_words(item, "  ", "    " if pages.is_item(item) else "  ")
        resting = ", ".join(paragraph.id for paragraph in paragraphs.find_citing(rid, entry.id))
        yield from wrap_words(f"paragraphs with this ruling: {resting or 'none'}", "  ", "    ")
        return
    yield from wrap_words(f"[{entry.id}] {entry.title} ({entry.status})", "", "  ")
    yield from wrap_words(entry.text, "  ")
    if entry.why:
        yield from wrap_words(f"why {entry.status}: {entry.why}", "  ")
    for ruling in entry.rulings:
        title = f" {decided[ruling].title}" if ruling in decided else ""
        departs = "departs here: " if ruling in entry.departs else ""
        yield from wrap_words(f"{departs}ruling {ruling}:{title}", "  ", "    ")


def _citing_lines(ruleset: str) -> dict[str, list[str]]:
    """Return paragraph id -> lines about the code that decides by it or shows it. The imports are slow."""
    lines: dict[str, list[str]] = {}
    for paragraph, places in citations.find_in_ruleset(ruleset).items():
        for title, group in (
            ("decides", [place for place in places if not place.shows]),
            ("shows", [place for place in places if place.shows]),
        ):
            if group:
                lines.setdefault(paragraph, []).extend([f"  {title}:", *(f"    {place}" for place in group)])
    return lines
