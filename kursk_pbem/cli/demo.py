"""demo: the opening of a real game between two keys, each step as a player's command."""

from __future__ import annotations

import shutil
from collections.abc import Mapping
from contextlib import nullcontext
from pathlib import Path
from typing import TYPE_CHECKING

import click

from kursk_pbem.cli import cli, run
from kursk_pbem.cli.common import plain, say, use_home
from kursk_pbem.errors import UsageError
from kursk_pbem.frozen import frozen

if TYPE_CHECKING:
    from kursk_pbem.demo.script import Script

NAMES = ("Anna", "Boris")
"""The proposer and the opponent."""
FOLDER = "kursk-demo"
FIRST_SEED = "citadel-4226"
"""The seed of the dice that the README shows."""


@cli.command()
@click.argument("words", nargs=-1, metavar="[RULESET] [FOLDER]")
@click.option("--seed", default=FIRST_SEED, show_default=True, help="The seed of all keys and nonces.")
@click.option("--fresh", is_flag=True, help="Use fresh keys and nonces, as in a real game.")
@click.option("--play", is_flag=True, help="After the first message, play both sides yourself.")
def demo_command(words: tuple[str, ...], seed: str, fresh: bool, play: bool) -> None:
    """Play the opening of a game between two keys in FOLDER (kursk-demo), and leave the game for you to explore.

    The command reuses FOLDER if nothing has changed since the last demonstration; any other folder must be empty.
    RULESET is a system of 'kursk scenario'.

    Each player has a folder and a private folder (KURSK_HOME), like two people. All people know the keys made with
    --seed: never play with these keys.
    """
    from kursk_pbem.demo import folder as demofolder
    from kursk_pbem.demo import script
    from kursk_pbem.desk.ground import clock
    from kursk_pbem.game import entropy

    if play:
        _play_on(words)
        return
    named = words[:1] if words and words[0] in script.SCRIPTS else ()
    rest = words[len(named) :]
    if len(rest) > 1:
        raise UsageError(f"type one FOLDER, or a system and one FOLDER; the systems are {', '.join(script.SCRIPTS)}")
    folder = Path(*rest) if rest else Path(FOLDER)
    if folder.exists() and not folder.is_dir():
        raise UsageError(f"{folder} is a file; choose a folder")
    if folder.exists():
        demofolder.clear(folder)
    folder.mkdir(parents=True, exist_ok=True)
    try:
        with nullcontext() if fresh else entropy.fix_random_bytes(seed), clock.fix_time("1943-07-05T04:00:00Z"):
            _play_opening(folder, script.load_script(*named or (script.FIRST,)))
    finally:  # an interrupted demonstration can be replaced, too
        demofolder.write_list(folder)


def _play_on(words: tuple[str, ...]) -> None:
    """Play the first message of the script in a practice game; the player goes on with both sides."""
    from kursk_pbem.cli.orders import hotseat
    from kursk_pbem.demo import script

    if len(words) > 1 or (words and words[0] not in script.SCRIPTS):
        raise UsageError(f"--play takes no folder, only one of these systems: {', '.join(script.SCRIPTS)}")
    hotseat.play_demonstration(script.load_script(*words or (script.FIRST,)))


@frozen
class DemoRun:
    """A demonstration: the ``folder``, the script, and the names of the sides, with the proposer first."""

    folder: Path
    script: Script
    names: Mapping[str, str]

    def loud(self, seq: int) -> tuple[str, ...]:
        """Return the options of a report that is printed only with battles. The folder keeps every report."""
        return () if seq in self.script.loud else ("-q",)


def _play_opening(folder: Path, script: Script) -> None:
    one = script.proposer
    other = script.other
    show = DemoRun(folder, script, dict(zip((one, other), NAMES, strict=True)))
    for side in sorted(show.names):
        (folder / side).mkdir(parents=True, exist_ok=True)
        _run_command(folder, side, "keygen", _own_path(folder, side, "me"))
    first, *titles = script.titles
    _print_title(first)
    mine, yours = _own_path(folder, one), _own_path(folder, other)
    names = ("--name", NAMES[0], "--opponent-name", NAMES[1])
    keys = ("--as", one, "--key", f"{mine}/me", "--opponent", f"{yours}/me.pub")
    _run_command(folder, one, "propose", script.scenario, *keys, *names, "--dir", mine, "--yes")  # asks for no points
    game = next((folder / one).glob("game-*")).name
    _run_command(
        folder, other, "accept", _deliver_mail(show, one, game, 0), "--key", f"{yours}/me", "--dir", yours, "-q"
    )
    _play_turn(show, other, game, 1)
    for seq, title in enumerate(titles, 2):
        _print_title(title)
        side, before = (one, other) if seq % 2 == 0 else (other, one)
        _run_command(folder, side, "inbox", "--report", _deliver_mail(show, before, game, seq - 1), *show.loud(seq - 1))
        if seq <= script.last:
            _play_turn(show, side, game, seq)
    place, radius = script.around
    _run_command(folder, side, "map", f"{_own_path(folder, side)}/{game}", "--around", place, "--radius", radius)
    _run_command(folder, side, "status", f"{_own_path(folder, side)}/{game}")
    _run_command(folder, "", "verify", folder.as_posix())
    _change_die(show, game)
    say("\n'kursk play' begins a game in which you play both sides at this terminal.")


def _own_path(folder: Path, side: str, name: str = "") -> str:
    return (folder / side / name).as_posix() if name else (folder / side).as_posix()


def _deliver_mail(show: DemoRun, sender: str, game: str, seq: int) -> str:
    """Deliver a message like a mail: copy the file into the receiver's inbox."""
    inbox = show.folder / show.script.ruleset.other(sender) / "inbox"
    inbox.mkdir(exist_ok=True)
    letter = inbox / f"from-{show.names[sender].lower()}-{seq:04d}.yaml"
    shutil.copyfile(show.folder / sender / game / f"{seq:04d}.yaml", letter)
    return letter.as_posix()


def _play_turn(show: DemoRun, side: str, game: str, seq: int) -> None:
    """Fill in, check and sign a player's draft."""
    from kursk_pbem.demo import script
    from kursk_pbem.desk.own import desks

    folder = show.folder
    draft = folder / side / game / f"{seq:04d}.draft.yaml"
    with use_home(home := _find_home(folder, side)):
        written, _checked = script.fill(show.script, desks.open_desk(draft.parent, home))
    if written.strip():
        say(f"  {show.names[side]} writes into {draft.as_posix()}:\n")
        say("\n".join(f"    {line}" for line in written.splitlines()) + "\n", whole=True)
    else:
        say(f"  {show.names[side]} does not change {draft.as_posix()}\n")
    _run_command(folder, side, "check", "-q")
    _run_command(folder, side, "sign", "--yes", "-q")


def _change_die(show: DemoRun, game: str) -> None:
    """Show that verification finds a changed die."""
    folder, seq = show.folder, show.script.loud[0]
    _print_title(f"A cheat turns a die of message {seq} in a copy, without signing")
    copy = folder / "tampered" / game
    shutil.copytree(folder / "german" / game, copy)
    path = copy / f"{seq:04d}.yaml"
    text = path.read_text(encoding="ascii")
    at = text.index(show.script.die) + len(show.script.die)
    path.write_text(text[:at] + ("1" if text[at] != "1" else "6") + text[at + 1 :], encoding="ascii", newline="\n")
    status = _run_command(folder, "", "verify", copy.as_posix(), expected=3)
    say(f"  exit status {status}")
    shutil.rmtree(copy.parent)


def _print_title(text: str) -> None:
    say("\n" + click.style(f"== {plain(text)}", bold=True) + "\n", styled=True)


def _find_home(folder: Path, side: str) -> Path:
    """Return a player's private folder, or an empty folder for an auditor."""
    return folder / (side or "auditor") / "private"


def _run_command(folder: Path, side: str, *arguments: str, expected: int = 0) -> int:
    """Print a command as typed, and run the command."""
    words = " ".join(f'"{word}"' if " " in word else word for word in arguments)
    prefix = f"KURSK_HOME={_own_path(folder, side, 'private')} " if side else ""
    say(click.style(plain(f"$ {prefix}kursk {words}"), bold=True), styled=True)
    with use_home(_find_home(folder, side)):
        status = run(arguments)
    if status != expected:
        raise UsageError(f"the demonstration stops: the last command ended with status {status}")
    return status
