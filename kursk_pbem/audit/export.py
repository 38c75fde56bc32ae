"""The archive form of a game for auditors (protocol 3.8): signed bytes and signatures for standard tools.

All files follow from the signed messages of a verified game. Private files are never read.
"""

from __future__ import annotations

import re
from pathlib import Path

from kursk_pbem.errors import UsageError
from kursk_pbem.formats.canonical import canon
from kursk_pbem.frozen import frozen
from kursk_pbem.game import folders, histories
from kursk_pbem.game.games import Game
from kursk_pbem.trust import sshsig

_README = """\
{title} by mail, in the archive form of kursk-pbem.

game      {game}
ruleset   {ruleset}, adjudication {version}
scenario  {scenario}, data {data}

NNNN.json        message NNNN: the bytes that were signed, canonical JSON
NNNN.json.sig    its SSH signature, namespace kursk-pbem
allowed_signers  the keys that message 0 names
{more}
The id of a message is the SHA-256 of its file. The id of message 0 is the
game's; each later message names that of the one before as "prev". So the id
of the last message, the head that reports print, fixes everything:

    sha256sum *.json

One signature (SIDE is what the message says under "from": {sides}):

    ssh-keygen -Y verify -f allowed_signers -I SIDE -n kursk-pbem \\
        -s 0000.json.sig < 0000.json

Whose keys they are no file can tell: compare them with the players' own.

What needs no rules (form, signatures, order, openings, reveals, every
die), with verify_game.py, one file for Python and ssh-keygen, which
'kursk help verify_game.py > verify_game.py' writes out; 'kursk help auditors'
says what it checks:

    python3 -I verify_game.py .

All of it, orders and positions too, with kursk-pbem:

    kursk verify .
"""
_POSITION = """\
state-0000.json  the agreed first position; "state-out" of message 0 is the
                 SHA-256 of the file. The game counts only if the game named
                 in "continues" of message 0 ends with the acceptance
"""
_PAPERS = """\
receipt-NNNN.json, extension-NNNN-ID.json, forfeit.json
                 papers signed by the referee: the arrival of message NNNN,
                 more time for the answer, the missed term of a side. Times
                 are the referee's word
"""
_MESSAGE = re.compile(r"([0-9]{4}|(?:receipt|extension)-[0-9a-f-]*|forfeit)\.(yaml|json|json\.sig)")


@frozen
class Exported:
    """The result of an export: the verified game, and the files that are new."""

    game: Game
    written: tuple[Path, ...]


def export(folder: Path, out: Path) -> Exported:
    """Verify the game in ``folder``. Write the archive into the folder ``out``, which may have files of the archive.

    Raises KurskError, without writing, if the game is invalid or ``out`` has different files with these names.
    """
    game, files = _make_files(folder)
    _refuse_others(folder, out, files)
    folders.make(out)
    # Message 0 comes last, so that an interruption leaves no archive of a shorter game.
    ordered = sorted(files, reverse=True)
    return Exported(game, tuple(out / name for name in ordered if folders.write(out / name, files[name])))


def _make_files(folder: Path) -> tuple[Game, dict[str, str]]:
    """Return the verified game of a folder, and the archive: name -> text."""
    files: dict[str, str] = {}
    history = histories.load(folder)
    game = history.game
    for step in history.steps:
        message = step.message
        key, archived = game.chain.keys[message.sender], folders.archive_path(folder, message.seq)
        raw = sshsig.verify(key, sshsig.NAMESPACE, message.signed, message.armour)
        files[archived.name] = message.signed.decode("utf-8")
        if "continues" in message.content:  # no rule determines the first position
            files[folders.position_path(archived).name] = canon(step.after.state.to_plain()).decode("utf-8")
        files[folders.signature_path(archived).name] = sshsig.armour_signature(
            sshsig.public_key(key), sshsig.NAMESPACE, raw
        )  # in the form of ssh-keygen, even if mail changed the line breaks
    signed_papers = game.papers.all
    for paper in signed_papers:
        name = Path(paper.document.name).with_suffix(".json").name
        raw = sshsig.verify(game.chain.keys[paper.sender], sshsig.NAMESPACE, paper.signed, paper.armour)
        files[name] = paper.signed.decode("utf-8")
        public = sshsig.public_key(game.chain.keys[paper.sender])
        files[f"{name}.sig"] = sshsig.armour_signature(public, sshsig.NAMESPACE, raw)
    keys = game.chain.keys.items()
    files["allowed_signers"] = "".join(f'{side} namespaces="{sshsig.NAMESPACE}" {key}\n' for side, key in keys)
    pinned = game.chain.head["scenario"]
    files["README.txt"] = _README.format(
        title=game.ruleset.title,
        game=game.chain.game,
        ruleset=game.ruleset.id,
        version=game.version,
        more=(_POSITION if "continues" in game.chain.head else "") + (_PAPERS if signed_papers else ""),
        scenario=pinned["id"],
        data=pinned["sha256"][:32],
        sides=" or ".join(game.chain.keys),
    )
    return game, files


def _refuse_others(folder: Path, out: Path, files: dict[str, str]) -> None:
    """Refuse to overwrite different files, or to leave messages of another or a longer game."""
    if out.exists() and not out.is_dir():
        raise UsageError(f"{out} is a file; choose a folder for the archive")
    for path in sorted(out.iterdir()) if out.is_dir() else ():
        if path.name not in files:
            if _MESSAGE.fullmatch(path.name):
                raise UsageError(f"{path} is not part of the archive of {folder}; choose another folder")
        elif not path.is_file() or path.read_bytes() != files[path.name].encode("utf-8"):
            raise UsageError(f"{path} exists with other contents; choose another folder, or move this file away")
