"""The games of a thing (mails, a mailbox, an archive, a text), laid out as game folders for the time of a command.

A spectator has no record of a game, so the messages are found by content. Nothing is written beside the thing.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from functools import lru_cache
from pathlib import Path

from kursk_pbem.errors import KurskError, TrustError, Where
from kursk_pbem.formats.canonical import REFEREE
from kursk_pbem.game import copies, folders, receipts
from kursk_pbem.game.copies import Copies
from kursk_pbem.trust import messages, sshsig

_EVIDENCE = re.compile(r"(proof|evidence)-")
_USUAL = re.compile(
    rf"[0-9]{{4}}\.(yaml|json(\.sig)?)|(state|report|receipt|extension|forfeit)[0-9a-z.-]*|{_EVIDENCE.pattern}.*"
)
"""The files of a game folder that count by their names, or never."""


@dataclass
class Laid:
    """The games of the thing ``path``: id and folder of each. ``faults``: the games that cannot be laid out.

    ``single``: it is a file with less than the wanted number of turns. ``left_out``: why copies do not count.
    ``names``: a temporary path -> its name for people.
    """

    path: Path
    games: list[tuple[str, Path]] = field(default_factory=list)
    faults: list[KurskError] = field(default_factory=list)
    single: bool = False
    left_out: tuple[str, ...] = ()
    names: dict[str, str] = field(default_factory=dict)


def lay_out(path: Path, place: Path, least: int = 2) -> Laid:
    """Lay out the games of a thing below ``place``. Game folders without messages under other names stay as they are.

    Raises FileError if a file cannot be read.
    """
    found, laid, is_game = Copies(), Laid(path), lru_cache(maxsize=8)(folders.is_game_folder)
    found.add([path], lambda file: _USUAL.fullmatch(file.name) is not None and is_game(file.parent))
    if not path.is_dir() and len(found.messages) + len(found.papers) < least:
        return replace(laid, single=True)
    games, there = found.list_games(), list[str]()
    for folder in folders.find_games(path) if path.is_dir() else ():
        there.append(folders.read_game_id(folder) if games else "")
        new, own = {message.id for message in found.of_game(there[-1])}, Copies()
        if new:
            own.add([folder], lambda file: not _USUAL.fullmatch(file.name) or _EVIDENCE.match(file.name) is not None)
        if new <= {message.id for message in own.messages}:
            laid.games.append((there[-1], folder))
            continue
        whole = Copies([*own.messages, *found.messages], [*own.faults], [*own.papers, *found.papers])
        _lay_out_game(laid, whole, there[-1], place, str(folder))
        found.faults += whole.faults
    for game in [each for each in games if each not in there]:
        _lay_out_game(laid, found, game, place, f"{path}/{game[:8]}" if games[1:] or there else str(path))
    return replace(laid, left_out=tuple(dict.fromkeys(found.faults)))


def _lay_out_game(laid: Laid, found: Copies, game: str, place: Path, shown: str) -> None:
    """Write the messages and papers of a game."""
    folder = place / f"{len(laid.names)}" / folders.folder_name(game)
    try:
        in_order = [*copies.list_messages(found, game)]
    except KurskError as error:
        error.where = error.where or Where(shown)
        laid.faults.append(error)
        return
    folders.make(folder)
    laid.games.append((game, folder))
    laid.names[str(folder)] = shown
    for message in in_order:
        path = folders.message_path(folder, message.seq)
        raw = message.document.raw or messages.emit_message(message.content, message.armour, message.state).encode()
        path.write_bytes(raw)
        laid.names[str(path)] = message.document.name
    referee = str(in_order[0].mapping("keys").get(REFEREE, ""))
    for paper in {each.id: each for each in found.papers if each.text("game") == game}.values():
        try:
            sshsig.verify(referee, sshsig.NAMESPACE, paper.signed, paper.armour)
        except TrustError as error:
            found.faults.append(f"{paper.document.name}: {error.message}")
            continue
        path = receipts.paper_path(folder, paper)
        path = path.with_name(f"{path.stem}-{paper.id[:16]}.yaml") if path.exists() else path
        receipts.write(path, paper)
        laid.names[str(path)] = paper.document.name
