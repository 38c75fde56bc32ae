"""report, replay: the messages of a game as text, or as one HTML file."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import click

from kursk_pbem.cli import cli, inside
from kursk_pbem.cli.common import PATH, home, in_json, json_option, note, said_options, say, say_json, say_wrapped
from kursk_pbem.cli.games import SEEN, STUDY, game_argument
from kursk_pbem.cli.handing import force_option
from kursk_pbem.cli.many import track
from kursk_pbem.desk.games import overview
from kursk_pbem.game import chapters, folders, histories, reports, verified

if TYPE_CHECKING:
    from collections.abc import Iterable

    from kursk_pbem.game.histories import History, Step
    from kursk_pbem.practice.analysis import Swing


@cli.command()
@game_argument(want=SEEN)
@click.option("--all", "everything", is_flag=True, help="The whole game, message by message.")
@click.option("--turn", help="A single game turn, such as 2: messages and headlines.")
@click.option("--story", is_flag=True, help="Prose to read aloud, without ids and paragraph numbers.")
@click.option("--proof", is_flag=True, help="With the computation of every die.")
@click.option("--analysis", is_flag=True, help="Show where the game was lost: the swings by dice and by orders.")
@click.option("--history", is_flag=True, help="One line: the postures and cities of this turn in the real war.")
@json_option
def report_command(
    path: Path, everything: bool, turn: str | None, story: bool, proof: bool, analysis: bool, history: bool
) -> None:
    """Print the report of the newest message of GAME, of another message (boris/3, or its file), or of a game turn.

    Your own dice come first if your opponent does not know the dice yet.
    """
    if analysis:
        _say_analysis(verified.load_plain(path, home()), path)
        return
    if history:
        _say_history(overview.load_newest(path, home())[0])
        return
    steps: Iterable[Step]
    dice = ahead = ""
    if everything or turn:
        start = verified.find_what_if(path, home()) if path.is_dir() else None
        steps = histories.walk(path, what_if=start) if path.is_dir() else verified.load_plain(path, home()).steps
    else:
        newest, dice, ahead = overview.load_newest(path, home())
        steps = (newest,)
    if turn:
        steps = chapters.select_turn(tuple(steps), turn)
    if story and not in_json():
        say(chapters.tell_story(tuple(steps)).rstrip("\n"))
        return
    if turn and not in_json():
        say(chapters.summarize_turn(tuple(steps)))
    say(dice, quiet=in_json() or not dice)
    told = []
    for step in steps:  # one by one, so that the steps before a fault are printed
        say_json("report", chapters.to_plain(step)) if in_json() else say(reports.report_step(step, proof=proof))
        told.append(step)
    say(ahead, quiet=in_json() or not ahead)
    if path.is_dir() and not (turn or in_json()):
        whole = histories.add_papers(path, histories.History(tuple(told)))
        if whole.papers.forfeit or (everything and whole.papers.all):
            say(reports.report_papers(whole.game))


def _say_history(step: Step) -> None:
    """Print what happened in history at the turn of a message."""
    line = chapters.describe_history(step)
    if in_json():
        say_json("report", {**chapters.to_plain(step), "history": line})
    else:
        say_wrapped(line or f"{step.after.title} has no data of history.")


def _say_analysis(history: History, path: Path) -> None:
    """Print where a game was lost."""
    from kursk_pbem.practice import analysis

    swings = _analyze_game(history, path)
    if in_json():
        for step, swing in zip(history.steps, swings, strict=True):
            say_json("report", {**chapters.to_plain(step), "analysis": analysis.to_plain(swing)})
        return
    rows = analysis.list_rows(history, swings)
    wide = [max(map(len, column)) for column in zip(*rows, strict=True)]
    say(f"{analysis.TITLE}: {history.game.title}")
    for row in rows:
        say("  ".join(cell.ljust(width) for cell, width in zip(row, wide, strict=True)).rstrip())
    for line in analysis.describe_sums(history, swings):
        say_wrapped(line)


def _analyze_game(history: History, path: Path) -> list[Swing]:
    """Return the swings of a game; show the progress, because a long game takes up to a minute."""
    from kursk_pbem.practice import analysis

    return [*track(analysis.analyze_game(history, home(), path), len(history.steps), "analyzing")]


@cli.command()
@game_argument("game", want=SEEN)
@click.option("-o", "--output", type=PATH, help="The file to write; otherwise replay.html in the game's folder.")
@click.option("--analysis", is_flag=True, help="With the page 'Where was it lost': swings of dice and orders.")
@force_option
@said_options
def replay_command(game: Path, output: Path | None, analysis: bool, force: bool, quiet: bool) -> None:
    """Write a game as one HTML file that anyone can step through: map, reports, charts, luck.

    The file needs no network and contains only what both sides have mailed. Every message is verified first. For a game
    in mails the command writes replay.html here.
    """
    from kursk_pbem.desk.own import desks
    from kursk_pbem.desk.trial import studies
    from kursk_pbem.film.stage import draw_turn
    from kursk_pbem.game import replay as replays
    from kursk_pbem.practice.analysis import make_page
    from kursk_pbem.report import replay as replay_page
    from kursk_pbem.report.replay import Replay

    folder = Path() if inside.is_temporary(game) else game if game.is_dir() else game.parent
    path, branches = output or folder / "replay.html", list[Replay]()
    if game.suffix == STUDY:
        study = studies.verify(studies.read(game), str(game))
        whole, path = study.game, output or game.with_suffix(".html")
        page, branches = studies.make_pages(study)
    else:
        whole = verified.load_plain(game, home())
        lost = make_page(whole, _analyze_game(whole, game)) if analysis else {}
        page = replace(replays.make_replay(whole), lost=lost)
    turn = draw_turn(desks.leave_out_unmailed(whole, home()))
    written = folders.write(path, replay_page.render_page(page, branches=branches, turn=turn), force=force)
    note(game=whole.game.chain.game, out=path, wrote=[path] if written else [])
    say(f"{'wrote' if written else 'unchanged:'} {path}: open the file in a browser, or mail the file", quiet=quiet)
