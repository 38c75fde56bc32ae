"""conformance: ask any program the cases of the conformance suite; answer the cases ourselves; show a case."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

import click

from kursk_pbem.audit import conformance, suite
from kursk_pbem.cli import cli
from kursk_pbem.cli.common import PATH, say
from kursk_pbem.cli.groups import Group
from kursk_pbem.errors import EXIT_RULES
from kursk_pbem.game import scenarios

SHOWN = 20
"""Maximum number of printed verdicts that are no pass."""
DEFAULT = Path(__file__).resolve().parents[3] / "conformance"
"""The suite of a checkout. The wheel has no cases."""


suite_option = click.option(
    "--suite", "folder", type=PATH, default=DEFAULT, help="The suite, a folder or an archive; otherwise the checkout's."
)


@cli.group("conformance", cls=Group)
def conformance_group() -> None:
    """Test a program against the conformance suite (conformance/runner.md)."""


@conformance_group.command(context_settings={"ignore_unknown_options": True, "allow_interspersed_args": False})
@click.option("--system", default="", metavar="ID", help="Only the cases of one system.")
@suite_option
@click.option("-o", "out", type=PATH, help="Write the results, as a statement, to this file.")
@click.argument("command", nargs=-1, required=True, type=click.UNPROCESSED)
def run_command(command: tuple[str, ...], system: str, folder: Path, out: Path | None) -> int:
    """Ask a program every case over its standard input and output. The exit status is 1 if a case fails.

    COMMAND: the program and its arguments, such as 'kursk conformance answer'.
    """
    cases, greeting = suite.read_suite(folder, system), suite.greet_program(command)
    verdicts = suite.ask_cases(cases, command, greeting)
    statement = suite.make_statement(cases, greeting, verdicts)
    if out is not None:
        out.write_text(json.dumps(statement, sort_keys=True, indent=1) + "\n", encoding="ascii")
    counts = statement["counts"]
    listed = [(case, text) for case, text in verdicts.items() if not text.startswith(("pass", "unsupported"))]
    for case, text in listed[:SHOWN]:
        say(f"{case}: {text}")
    if len(listed) > SHOWN:
        say(f"... and {len(listed) - SHOWN} more")
    say(
        f"suite {cases.version}, {cases.sha256[:16]}: "
        + ", ".join(f"{kind} {number}" for kind, number in counts.items())
    )
    return EXIT_RULES if listed else 0


@conformance_group.command()
@suite_option
@click.argument("name", metavar="ID")
def show_command(name: str, folder: Path) -> None:
    """Print a case as a card: the position, the orders, the dice, and the answer (conformance/cards.md).

    ID: the number of the case, such as K71-8.0-ar-01.
    """
    from kursk_pbem.audit.cards import writing

    say(writing.find_card(folder, name))


@conformance_group.command()
def answer_command() -> None:
    """Answer questions from standard input, one JSON object a line, until the end of the input."""
    print(json.dumps(conformance.greet(), sort_keys=True), flush=True)
    for line in sys.stdin.buffer:
        try:
            question = json.loads(line)
        except (ValueError, RecursionError):
            question = None
        print(json.dumps(conformance.answer_question(question), sort_keys=True), flush=True)


@conformance_group.command()
@click.option("--count", "number", type=click.IntRange(1, 100_000), default=100, show_default=True, metavar="N")
@click.option("--seed", default="1", show_default=True, help="Equal seeds give equal questions.")
@click.option("--background", default="", metavar="SCENARIO", help="Write the background of the questions.")
@suite_option
def questions_command(number: int, seed: str, folder: Path, background: str) -> None:
    """Write rules questions with exact answers, one JSON object a line: of random games and of the suite's cases.

    Without a suite, as in an installed program, all questions are of random games. With --background the
    command writes no questions, but describes the paragraphs, tables, turns and map of a scenario in words.
    """
    from kursk_pbem.arena import quiz

    if background:
        for line in _list_background(background):
            say(line)
        return
    cases = suite.read_suite(folder).cases if folder != DEFAULT or folder.exists() else ()
    for question in quiz.make_questions(cases, number, seed):
        print(json.dumps(question, sort_keys=True))


def _list_background(named: str) -> Iterator[str]:
    """Yield the paragraphs of a scenario's system, the tables, the turns, and the map. Raises UsageError."""
    from kursk_pbem.arena import ground
    from kursk_pbem.practice import lab
    from kursk_pbem.report import tables
    from kursk_pbem.rulebook import paragraphs

    rules, setting = lab.open_scenario(lab.read_scenario(named))
    state = scenarios.make_first_position(rules, setting)
    picture = rules.seen.picture(setting, state)
    yield f"{rules.title}, scenario {setting.scenario.id}.\nThe paragraphs:"
    yield from (f"{paragraph.id}: {paragraph.title}" for paragraph in paragraphs.list_paragraphs(rules.id))
    yield tables.render_tables((*rules.seen.tables(setting), *rules.seen.track(setting, state)))
    yield "The map at the start:"
    yield from ground.describe_ground(picture, {region.id for region in picture.regions})


@conformance_group.command()
@click.option("--questions", "asked", type=click.File("rb"), required=True, help="The file with the questions.")
@click.argument("answers", type=click.File("rb"))
def score_command(asked: BinaryIO, answers: BinaryIO) -> None:
    """Count the right answers to rules questions.

    ANSWERS: a line for each question, in order, as 'kursk conformance answer' writes them: {"answer": {...}}.
    """
    from kursk_pbem.arena import quiz

    for line in quiz.score_answers(asked, [*answers]):
        say(line)
