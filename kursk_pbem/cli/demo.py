"""demo: the opening of a real game between two keys, every step a command that a player would type."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from pathlib import Path
from typing import TYPE_CHECKING

import click

from kursk_pbem.cli import cli, run
from kursk_pbem.cli.common import plain, say
from kursk_pbem.errors import UsageError

NAMES = ("Anna", "Boris")
FIRST_SEED = "citadel"

if TYPE_CHECKING:
    from kursk_pbem.demo.script import Script


@cli.command()
@click.argument("words", nargs=-1, metavar="[RULESET] [FOLDER]")
@click.option("--seed", default=FIRST_SEED, show_default=True, help="Keys and nonces are made from this word.")
@click.option("--fresh", is_flag=True, help="Use fresh keys and nonces, as in a real game.")
def demo(words: tuple[str, ...], seed: str, fresh: bool) -> None:
    """Play the opening of a game of RULESET between two keys in FOLDER, and leave it there to explore.

    If nothing in FOLDER has changed since the last demonstration, it is used again; any other folder must be empty.

    Each player has their own folder and private folder (KURSK_HOME), as two people would. Everybody knows the keys made
    with --seed: never play with them.
    """
    from kursk_pbem.demo import folder as demofolder
    from kursk_pbem.demo import script as scripts
    from kursk_pbem.game import entropy

    named = words[:1] if words and words[0] in scripts.MODULES else ()
    rid, rest = (named or (*scripts.MODULES,))[0], words[len(named) :]
    if len(rest) > 1:
        raise UsageError(f"say a ruleset ({', '.join(scripts.MODULES)}), a folder, or both")
    folder = Path(rest[0] if rest else "kursk-demo")
    if folder.exists() and not folder.is_dir():
        raise UsageError(f"{folder} is a file; name a folder")
    if folder.exists():
        demofolder.clear(folder)
    folder.mkdir(parents=True, exist_ok=True)
    try:
        with nullcontext() if fresh else entropy.fixed(seed):
            _play(folder, scripts.script(rid))
    finally:  # also what was interrupted may be replaced
        demofolder.write_list(folder)


def _play(folder: Path, script: Script) -> None:
    first, second = script.sides
    for side in script.sides:
        (folder / side).mkdir(parents=True, exist_ok=True)
        _command(folder, side, "keygen", _own(folder, side, "me"))
    one, two = (_own(folder, side) for side in script.sides)
    names = ("--name", NAMES[0], "--opponent-name", NAMES[1])
    _title(script.begins)
    _command(
        folder, first, "propose", script.scenario, "--as", first, "--key", f"{one}/me",
        "--opponent", f"{two}/me.pub", *names, "--dir", one,
    )  # fmt: skip
    game = next((folder / first).glob("game-*")).name
    mail = _mail(folder, script, 0, game)
    _command(folder, second, "accept", mail, "--key", f"{two}/me", "--dir", two, "-q")
    _turn(folder, script, 1, game)
    for seq, title in enumerate(script.steps, 2):
        _title(title)
        letter = _mail(folder, script, seq - 1, game)
        _command(folder, script.sides[seq % 2], "adjudicate", letter, *_loud(script, seq - 1))
        _turn(folder, script, seq, game)
    last = len(script.steps) + 1
    _title(script.ends)
    _command(folder, first, "adjudicate", _mail(folder, script, last, game), *_loud(script, last))
    for words in script.looks:
        _command(folder, first, *words)
    _command(folder, "", "verify", folder.as_posix())
    _tamper(folder, script, game)


def _loud(script: Script, seq: int) -> tuple[str, ...]:
    """The reports with battles are shown whole; the others lie in the folder."""
    return () if seq in script.loud else ("-q",)


def _own(folder: Path, side: str, name: str = "") -> str:
    return (folder / side / name).as_posix() if name else (folder / side).as_posix()


def _mail(folder: Path, script: Script, seq: int, game: str) -> str:
    """Deliver a message as mail does: a copy in the receiver's inbox."""
    sender, receiver = script.sides[seq % 2], script.sides[1 - seq % 2]
    inbox = folder / receiver / "inbox"
    inbox.mkdir(exist_ok=True)
    letter = inbox / f"from-{NAMES[seq % 2].lower()}-{seq:04d}.yaml"
    shutil.copyfile(folder / sender / game / f"{seq:04d}.yaml", letter)
    return letter.as_posix()


def _turn(folder: Path, script: Script, seq: int, game: str) -> None:
    """A player fills in their draft, checks it and signs it."""
    from kursk_pbem.demo import script as scripts
    from kursk_pbem.desk import desk

    side = script.sides[seq % 2]
    draft = folder / side / game / f"{seq:04d}.draft.yaml"
    with _at_home(folder, side) as home:
        written = scripts.fill(draft, desk.sit(draft.parent, home), script.choices)
    say(f"  {NAMES[seq % 2]} writes into {draft.as_posix()}:\n")
    say("\n".join(f"    {line}" for line in written.splitlines()) + "\n")
    _command(folder, side, "check", "-q")
    _command(folder, side, "sign", "--yes", "-q")


def _tamper(folder: Path, script: Script, game: str) -> None:
    """Show that a changed die is found out."""
    seq, before = script.forged
    _title(f"A cheat turns one die of message {seq} in a copy, and signs nothing")
    copy = folder / "tampered" / game
    shutil.copytree(folder / script.sides[0] / game, copy)
    path = copy / f"{seq:04d}.yaml"
    text = path.read_text(encoding="ascii")
    at = text.index(before) + len(before)
    path.write_text(text[:at] + ("1" if text[at] != "1" else "6") + text[at + 1 :], encoding="ascii", newline="\n")
    status = _command(folder, "", "verify", copy.as_posix(), expected=3)
    say(f"  exit status {status}")
    shutil.rmtree(copy.parent)


def _title(text: str) -> None:
    say("\n" + click.style(f"== {plain(text)}", bold=True) + "\n", styled=True)


@contextmanager
def _at_home(folder: Path, side: str) -> Iterator[Path]:
    """Inside, KURSK_HOME is that of a player; nobody's (an empty one) for an auditor."""
    home = folder / (side or "auditor") / "private"
    before = os.environ.get("KURSK_HOME")
    os.environ["KURSK_HOME"] = str(home)
    try:
        yield home
    finally:
        if before is None:
            del os.environ["KURSK_HOME"]
        else:
            os.environ["KURSK_HOME"] = before


def _command(folder: Path, side: str, *arguments: str, expected: int = 0) -> int:
    """Show a command as it is typed, and run it."""
    words = " ".join(f'"{word}"' if " " in word else word for word in arguments)
    prefix = f"KURSK_HOME={_own(folder, side, 'private')} " if side else ""
    say(click.style(plain(f"$ {prefix}kursk {words}"), bold=True), styled=True)
    with _at_home(folder, side):
        status = run(arguments)
    if status != expected:
        raise UsageError(f"the demonstration stops: this command ended with status {status}")
    return status
