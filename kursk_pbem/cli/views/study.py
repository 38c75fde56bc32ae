"""study: a game with comments and branches in one file."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from kursk_pbem.cli import cli
from kursk_pbem.cli.common import PATH, ask, home, note, said_options, say, yes_option
from kursk_pbem.cli.games import SEEN, find_path, game_argument
from kursk_pbem.cli.groups import Group

if TYPE_CHECKING:
    from kursk_pbem.desk.trial.studies import Study, Verified


@cli.group(cls=Group)
def study_group() -> None:
    """Write a study: a game in one file, with comments at messages and branches of what-if games.

    'kursk replay FILE.study' shows the study as a page. A study proves nothing, and no command plays it. Names in a
    study are claims.
    """


@study_group.command()
@game_argument("game", want=SEEN)
@click.option("-o", "--output", type=PATH, help="The file to write, otherwise GAME.study here.")
@yes_option
@said_options
def new(game: Path, output: Path | None, yes: bool, quiet: bool) -> None:
    """Begin a study of GAME, or of GAME up to a message (GAME/N)."""
    from kursk_pbem.desk.trial import studies
    from kursk_pbem.game import folders, histories

    history = histories.load_until(game)
    path = output or Path(f"{folders.folder_name(history.game.chain.game)}{studies.SUFFIX}")
    _write(path, studies.begin(history), None, yes=yes, quiet=quiet)


@study_group.command()
@click.argument("file", type=PATH)
@click.argument("at", metavar="[BRANCH/]N")
@click.argument("text")
@click.option("--name", default="", help="Your name; otherwise the name that you use for games.")
@yes_option
@said_options
def comment(file: Path, at: str, text: str, name: str, yes: bool, quiet: bool) -> None:
    """Add a comment at message N of FILE, or at message N of a branch, such as 'b1/12'."""
    from kursk_pbem.desk.own import remembered
    from kursk_pbem.desk.trial import studies

    name = name or remembered.recall(home()).name
    former = _load(file).study
    _write(file, studies.add_comment(former, at, text, name), former, yes=yes, quiet=quiet)


@study_group.command()
@click.argument("file", type=PATH)
@click.argument("game", metavar="WHAT-IF-GAME")
@click.option("--name", default="", help="A few words about the branch.")
@yes_option
@said_options
def branch(file: Path, game: str, name: str, yes: bool, quiet: bool) -> None:
    """Add the messages of a what-if game ('kursk play --from') to FILE as a branch."""
    from kursk_pbem.desk.own import desks, register
    from kursk_pbem.desk.trial import studies
    from kursk_pbem.game import verified

    former, trial = _load(file), desks.open_desk(find_path(game), home()).history
    own = next((each for each in register.list_games(home(), Path()) if each.game == former.game.game.chain.game), None)
    newest = verified.load_plain(own.folder, home()) if own is not None and own.here else None
    _write(file, studies.add_branch(former, trial, name, newest), former.study, yes=yes, quiet=quiet)


def _load(file: Path) -> Verified:
    from kursk_pbem.desk.trial import studies

    return studies.verify(studies.read(file), str(file))


def _write(path: Path, study: Study, former: Study | None, *, yes: bool, quiet: bool) -> None:
    """Say what a study of a running game would show the opponent, ask, and write the file."""
    from kursk_pbem.desk.trial import studies

    verified = studies.verify(study, str(path))
    if told := list(studies.describe_shown(verified)):
        ask(f"{path}: {'; '.join(told)}. Write it?", yes=yes)
    studies.save(path, study, former)
    numbers = {"messages": len(study.messages), "comments": len(study.comments), "branches": len(study.branches)}
    note(game=verified.game.game.chain.game, wrote=[path], **numbers)
    counted = ", ".join(f"{number} {what}" for what, number in numbers.items())
    say(f"wrote {path}: {counted}; 'kursk replay {path}' makes a web page", quiet=quiet)
