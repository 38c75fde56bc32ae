"""adjudicate: the verdict on turn files, their report, and the next turn file, from the files alone."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from kursk_pbem.cli import cli, inside, jsonlines
from kursk_pbem.cli.common import PATH, in_json, rename, said_options, say, say_json, warn
from kursk_pbem.errors import EXIT_UNREADABLE
from kursk_pbem.game import folders, reports, verdicts

if TYPE_CHECKING:
    from kursk_pbem.game.histories import History


@cli.command()
@click.argument("things", metavar="THING...", nargs=-1, required=True, type=PATH)
@click.option("-o", "--out", type=PATH, help="The folder for the message, its report and the next turn file.")
@click.option("--proof", is_flag=True, help="With the computation of every die.")
@said_options
def adjudicate_command(things: tuple[Path, ...], out: Path | None, proof: bool, quiet: bool) -> int:
    """Judge the newest message of THING...: is the message legal, and what happens? Print the report with the dice.

    A THING is a turn file, a mail, a mailbox, an archive, a folder, a link, or '-' for standard input. The command also
    reads the earlier messages that you name, or that lie beside the first file as 0000.yaml, 0001.yaml and so on. The
    command needs no key and no private folder. To keep the game, use 'kursk inbox --report'.

    \b
    Status 0: legal
           1: orders break the rules
           2: not decided yet: a message is missing or unreadable
           3: the files contradict each other
    """
    named = [inside.save_pasted(thing) for thing in things]
    beside = named[0].parent if named[0] == things[0] and named[0].is_file() else None
    found = verdicts.judge_things(named, beside, inside.find_home())
    step, game = found.history.last_step, found.history.game
    report = reports.report_step(step, proof=proof)
    if game.papers.forfeit is not None:
        report += f"\n{reports.report_papers(game)}"
    wrote = _write_files(found.history, report, out) if out is not None else []
    for reason in found.left_out:
        warn(rename(f"not counted: {reason}"))
    message, status = step.message, EXIT_UNREADABLE if found.uncounted else 0
    uncounted, helped = ([rename(text) for text in texts] for texts in (found.uncounted, found.helped))
    if in_json():
        lines = reports.make_headlines(step.before, step.after, message, step.result)
        dice = [] if step.result is None else list(reports.list_dice(step.before, step.result))
        facts = jsonlines.judged_facts(game, message, wrote, new=True)
        facts |= {"verdict": "legal", "headlines": list(lines), "dice": dice, "uncounted": uncounted}
        say_json("adjudicate", facts | {"helped": helped, "ended": game.verdict.text if game.verdict else ""})
        return status
    for text in uncounted:
        say(f"not judged: {text}; the verdict below is about message {message.seq}", quiet=quiet)
    for text in helped:
        say(f"taken: {text}", quiet=quiet)
    say(f"message {message.seq} of the game {game.chain.game[:8]} is legal", quiet=quiet)
    say(report, quiet=quiet)
    say("\n".join(f"wrote {path}" for path in wrote), quiet=quiet or not wrote)
    return status


def _write_files(history: History, report: str, folder: Path) -> list[Path]:
    """Write message, report and next turn file into a folder; return their paths. Raises UsageError before any file."""
    game = history.game
    texts = verdicts.list_texts(history, report, folder)
    if verdicts.is_draft_due(game):
        from kursk_pbem.desk.draft import blanks, editors  # the next turn file needs the desk, and the verdict does not

        draft = blanks.compose_draft(game, verdicts.preview_choices(game), {})
        texts[folders.draft_path(folder, game.chain.next_seq)] = draft
        texts[folder / editors.NAME] = editors.format_schema(editors.game_schema(game))
    verdicts.write_texts(texts)
    return list(texts)
