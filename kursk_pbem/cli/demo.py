"""demo: the opening of a real game between two keys, every step a command that a player would type."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from pathlib import Path

import click

from kursk_pbem.cli import cli, run
from kursk_pbem.cli.common import PATH, plain, say
from kursk_pbem.errors import UsageError

SIDES = ("german", "russian")
NAMES = {"german": "Anna", "russian": "Boris"}
FIRST_SEED = "citadel"


@cli.command()
@click.argument("folder", type=PATH, default=Path("kursk-demo"))
@click.option("--seed", default=FIRST_SEED, show_default=True, help="Keys and nonces are made from this word.")
@click.option("--fresh", is_flag=True, help="Use fresh keys and nonces, as in a real game.")
def demo(folder: Path, seed: str, fresh: bool) -> None:
    """Play the opening of a game between two keys in FOLDER, and leave it there to explore.

    If nothing in FOLDER has changed since the last demonstration, it is used again; any other folder must be empty.

    Each player has their own folder and private folder (KURSK_HOME), as two people would. Everybody knows the keys made
    with --seed: never play with them.
    """
    from kursk_pbem.demo import folder as demofolder
    from kursk_pbem.game import entropy

    if folder.exists() and not folder.is_dir():
        raise UsageError(f"{folder} is a file; name a folder")
    if folder.exists():
        demofolder.clear(folder)
    folder.mkdir(parents=True, exist_ok=True)
    try:
        with nullcontext() if fresh else entropy.fixed(seed):
            _play(folder)
    finally:  # also what was interrupted may be replaced
        demofolder.write_list(folder)


def _play(folder: Path) -> None:
    for side in SIDES:
        (folder / side).mkdir(parents=True, exist_ok=True)
        _command(folder, side, "keygen", _own(folder, side, "me"))
    german, russian = (_own(folder, side) for side in SIDES)
    names = ("--name", NAMES["german"], "--opponent-name", NAMES["russian"])
    _title("Anna proposes a game; Boris takes it, brings units to full strength and seals his posture")
    _command(
        folder, "german", "propose", "battle-for-kursk/citadel", "--as", "german", "--key", f"{german}/me",
        "--opponent", f"{russian}/me.pub", *names, "--dir", german,
    )  # fmt: skip
    game = next((folder / "german").glob("game-*")).name
    mail = _mail(folder, "german", game, 0)
    _command(folder, "russian", "accept", mail, "--key", f"{russian}/me", "--dir", russian, "-q")
    _turn(folder, "russian", game, 1)
    steps = (
        ("german", "Anna engages, waives seeing his posture, and declares three battles; her plans are sealed"),
        ("russian", "Boris shows his posture and answers the battles: his full units in fortifications exchange"),
        ("german", "Anna's dice fall, her plans are shown, her units move"),
        ("russian", "The Russian player turn: a replacement, tanks move up, three battles"),
        ("german", "Anna answers"),
        ("russian", "Boris's dice fall, his units move, the turn ends; he seals his next posture"),
    )
    for seq, (side, title) in enumerate(steps, 2):
        _title(title)
        other = SIDES[1 - SIDES.index(side)]
        _command(folder, side, "adjudicate", _mail(folder, other, game, seq - 1), *_loud(seq - 1))
        _turn(folder, side, game, seq)
    _title("Anna takes the last message; then anyone proves the whole game from the files alone")
    _command(folder, "german", "adjudicate", _mail(folder, "russian", game, 7), *_loud(7))
    _command(folder, "german", "map", "boris", "--around", "2113", "--radius", "2")
    _command(folder, "german", "status")
    _command(folder, "german", "status", "boris")
    _command(folder, "", "verify", folder.as_posix())
    _tamper(folder, game)


def _loud(seq: int) -> tuple[str, ...]:
    """The reports with battles are shown whole; the others lie in the folder."""
    return () if seq in (4, 7) else ("-q",)


def _own(folder: Path, side: str, name: str = "") -> str:
    return (folder / side / name).as_posix() if name else (folder / side).as_posix()


def _mail(folder: Path, sender: str, game: str, seq: int) -> str:
    """Deliver a message as mail does: a copy in the receiver's inbox."""
    receiver = SIDES[1 - SIDES.index(sender)]
    inbox = folder / receiver / "inbox"
    inbox.mkdir(exist_ok=True)
    letter = inbox / f"from-{NAMES[sender].lower()}-{seq:04d}.yaml"
    shutil.copyfile(folder / sender / game / f"{seq:04d}.yaml", letter)
    return letter.as_posix()


def _turn(folder: Path, side: str, game: str, seq: int) -> None:
    """A player fills in their draft, checks it and signs it."""
    from kursk_pbem.demo import players
    from kursk_pbem.desk import desk

    draft = folder / side / game / f"{seq:04d}.draft.yaml"
    with _at_home(folder, side) as home:
        written = players.fill(draft, desk.sit(draft.parent, home))
    say(f"  {NAMES[side]} writes into {draft.as_posix()}:\n")
    say("\n".join(f"    {line}" for line in written.splitlines()) + "\n")
    _command(folder, side, "check", "-q")
    _command(folder, side, "sign", "--yes", "-q")


def _tamper(folder: Path, game: str) -> None:
    """Show that a changed die is found out."""
    _title("A cheat turns one die of message 4 in a copy, and signs nothing")
    copy = folder / "tampered" / game
    shutil.copytree(folder / "german" / game, copy)
    path = copy / "0004.yaml"
    text = path.read_text(encoding="ascii")
    at = text.index("/combat: '") + len("/combat: '")
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
