"""status, report, map, rule: looking at a game and its rules."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from kursk_pbem.cli import cli
from kursk_pbem.cli.common import PATH, home, json_option, say, say_json
from kursk_pbem.errors import TrustError

if TYPE_CHECKING:
    from collections.abc import Iterable

    from kursk_pbem.game.game import Game
    from kursk_pbem.game.history import Step
    from kursk_pbem.game.journal import Record


_TERMINAL = 80  # columns of the usual one


@cli.command()
@click.argument("path", type=PATH)
@json_option
def status(path: Path, as_json: bool) -> None:
    """Say whose turn it is, which message is due, how many mails come, how things stand, and which data are ours."""
    from kursk_pbem.game import history, journal, scenarios
    from kursk_pbem.report.layout import wrap

    found = history.at(path)
    game, folder, seq = found.game, path if path.is_dir() else path.parent, found.last.seq
    own = journal.find(home(), game.chain.game)
    facts = _facts(game, seq)
    facts["you"] = own.side if own else "an auditor"
    facts["locked"] = _lock(folder, game, own)
    if as_json:
        say_json(facts)
        return
    lines = [f"{game.title} ({folder})"]
    if game.verdict:
        lines.append(game.verdict.text)
    else:
        low, high = facts["mails"]["least"], facts["mails"]["most"]
        count = f"{low} to {high} more mails" if low < high else f"{low} more mail{'s' if low > 1 else ''}"
        due = f"the reply to an offer, {facts['offer']}: kursk reply" if facts["offer"] else game.stage.brings
        if game.hands_on:
            due = "to hand on"
        lines += [
            f"turn {game.state.turn}; message {seq + 1} is for {game.due}: {due}",
            f"this turn will take {count}, this one included; you are {facts['you']}",
        ]
        if facts["locked"]:
            lines.append(f"SIGNING IS LOCKED: {facts['locked']}")
        if facts["due"]:
            lines.append(f"message {seq + 1} is due {facts['due']}, by the referee's receipt of message {seq}")
    lines += _table(game)
    for word, parts in scenarios.not_printed(game.setting.scenario).items():
        lines += wrap(f"{word} ({scenarios.MEANINGS[word]}): {', '.join(parts)}", "", "  ")
    lines.append(f"head {game.chain.head_id[:32]}, {seq + 1} messages")
    say("\n".join(lines))


def _lock(folder: Path, game: Game, own: Record | None) -> str:
    """Why this player cannot sign here, '' if they can."""
    from kursk_pbem.desk import desk

    try:
        return desk.compare(folder, game, own) if own else ""
    except TrustError as error:  # to look is allowed all the same
        return str(error)


def _facts(game: Game, seq: int) -> dict[str, Any]:
    from kursk_pbem.game import reports, scenarios

    ours = scenarios.not_printed(game.setting.scenario)
    low, high = game.mails_to_come
    return {
        "game": game.chain.game,
        "head": game.chain.head_id,
        "messages": seq + 1,
        "turn": game.state.turn,
        "stage": game.state.stage,
        "next": "" if game.over else game.chain.writer(game.chain.next_seq),
        "mails": {"least": low, "most": high},
        "due": "" if game.over else game.papers.due(seq),
        "offer": reports.offered(game.chain.offer) if game.chain.offer else "",
        "verdict": game.verdict.text if game.verdict else "",
        "standing": [list(row) for row in game.ruleset.seen.standing(game.setting, game.state)],
        "reconstructed": [f"{part} ({word})" for word, parts in ours.items() for part in parts],
    }


def _table(game: Game) -> list[str]:
    rows = game.ruleset.seen.standing(game.setting, game.state)
    width = max((len(row[0]) for row in rows if len(row) == 3), default=0)
    return [
        f"  {row[0]:<{width}}  {row[1]:>14}  {row[2]:>18}" if len(row) == 3 else f"  {row[0]}: {row[1]}" for row in rows
    ]


@cli.command()
@click.argument("path", type=PATH)
@click.option("--turn", help="Only this game turn, such as 2: all its messages, with headlines of the whole turn.")
@click.option("--story", is_flag=True, help="Prose to be read aloud instead, without ids and paragraph numbers.")
@click.option("--proof", is_flag=True, help="With every die, how anybody recomputes it.")
@json_option
def report(path: Path, turn: str | None, story: bool, proof: bool, as_json: bool) -> None:
    """Print the report of one message FILE, or of every message of a game folder, or of one game turn."""
    from kursk_pbem.game import chapters, history, reports

    whole = path.is_dir()
    steps: Iterable[Step] = history.walk(path) if whole else history.at(path).steps[0 if turn else -1 :]
    if turn:
        steps = chapters.of_turn(tuple(steps), turn)
    if story:
        say(chapters.story(tuple(steps)).rstrip("\n"))
        return
    if turn and not as_json:
        say(chapters.summary(tuple(steps)))
    told = []
    for step in steps:  # one by one: what is told before a fault is found stands
        say_json(chapters.to_plain(step)) if as_json else say(reports.of_step(step, proof=proof))
        told.append(step)
    if whole and not (turn or as_json):
        found = history.with_papers(path, told)
        if found.papers.all:
            say(reports.of_papers(found.game))


@cli.command("map")
@click.argument("path", type=PATH)
@click.option("--around", default=None, help="Show only the part around this place or unit.")
@click.option("--radius", type=click.IntRange(0), help="How far around: in hexes (usually 3), or inches (usually 12).")
def map_(path: Path, around: str | None, radius: int | None) -> None:
    """Print a position as a text map: of a game folder, after a signed message, or after your own draft.

    What your own dice have done is on the map of your draft (such as 0004.draft.yaml), not yet on that of the folder.
    """
    from kursk_pbem.report import textmap

    game = _position(path)
    picture = game.ruleset.seen.picture(game.setting, game.state)
    text = textmap.render(picture, around=around, radius=radius)
    say(text.rstrip("\n"))
    wide = max(map(len, text.splitlines()))
    if not around and wide > _TERMINAL:
        part = f"--around, with a place or a unit, shows a part that fits in {_TERMINAL}"
        say(f"This map is {wide} columns wide; {part}.")


def _position(path: Path) -> Game:
    """The game as it is in a folder, after a signed message, or as a draft would leave it."""
    if path.is_file() and path.name.endswith(".draft.yaml"):
        from kursk_pbem.desk import outlook

        seen = outlook.look(path, home(), ahead=False)
        return replace(seen.game, state=seen.state)
    from kursk_pbem.game import history

    return history.at(path).game


@cli.command()
@click.argument("ruleset")
@click.argument("paragraph", required=False)
@click.option("--code", is_flag=True, help="For contributors: also the files and functions that cite the paragraph.")
def rule(ruleset: str, paragraph: str | None, code: bool) -> None:
    """Say what a paragraph of RULESET requires, in our words; without PARAGRAPH, list them all."""
    from kursk_pbem.game import rules
    from kursk_pbem.report.layout import wrap

    found = rules.paragraphs(ruleset, paragraph)
    cited = _cited(ruleset) if code else {}
    for each in found:
        if paragraph is None:
            say(f"{each.id:30} {each.title} ({each.status})")
        else:
            lines = [each.text]
            if each.why:
                lines.append(f"why {each.status}: {each.why}")
            if each.rulings:
                lines.append(f"rulings: {', '.join(each.rulings)} (docs/rulings/{ruleset}.md)")
            say(f"[{each.id}] {each.title} ({each.status})")
            say("\n".join(row for text in lines for row in wrap(text, "  ")))
        if code:
            say("\n".join(f"  {place}" for place in cited.get(each.id, ["no function cites it"])))


def _cited(ruleset: str) -> dict[str, list[str]]:
    """Paragraph id -> the places in the code that cite it. Players never wait for these imports."""
    from kursk_pbem.game import citations

    return {each: list(map(str, places)) for each, places in citations.of_ruleset(ruleset).items()}
