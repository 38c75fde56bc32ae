"""The games of a thing as game folders, for the time of a command."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from kursk_pbem.errors import KurskError, TrustError, Where
from kursk_pbem.formats.canonical import REFEREE
from kursk_pbem.game import copies, folders, receipts
from kursk_pbem.game.copies import EVIDENCE, USUAL, Copies
from kursk_pbem.trust import earlier, messages, sshsig
from kursk_pbem.trust.messages import Message
from kursk_pbem.trust.papers import Paper


@dataclass
class Laid:
    """The folders of the ``games`` of a thing. ``faults``: the games that cannot be laid out.

    ``left_out``: why copies do not count. ``names``: a temporary path -> its name for people.
    """

    games: list[Path] = field(default_factory=list)
    faults: list[KurskError] = field(default_factory=list)
    left_out: tuple[str, ...] = ()
    names: dict[str, str] = field(default_factory=dict)


def lay_out(path: Path, make_place: Callable[[], Path], least: int = 2) -> Laid:
    """Lay out each game of a thing in a new folder. Game folders without messages under other names stay as they are.

    A file with less than ``least`` turns stays as it is, too. Raises FileError if a file cannot be read.
    """
    found, laid = Copies(), Laid()
    found.add([path], copies.make_filter())
    if not _has_predecessor(found, path.parent):
        found.open_blocks()
    if not path.is_dir() and len(found.messages) + len(found.papers) < least:
        return laid
    games, there = found.list_games(), list[str]()
    for folder in folders.find_games(path) if path.is_dir() else ():
        there.append(folders.read_game_id(folder) if games else "")
        new, own = {message.id for message in found.of_game(there[-1])}, Copies()
        if new:
            own.add([folder], lambda file: not USUAL.fullmatch(file.name) or EVIDENCE.match(file.name) is not None)
        if new <= {message.id for message in own.messages} or _is_damaged(own, folder):
            laid.games.append(folder)
            continue
        whole = Copies([*own.messages, *found.messages], [*own.faults], [*own.papers, *found.papers])
        whole.counting |= {message.id for message in own.messages}
        _lay_out_game(laid, whole, there[-1], make_place, str(folder))
        found.faults += whole.faults
    for game in [each for each in games if each not in there]:
        _lay_out_game(laid, found, game, make_place, f"{path}/{game[:8]}" if games[1:] or there else str(path))
    laid.left_out = tuple(dict.fromkeys(found.faults))
    return laid


def _is_damaged(own: Copies, folder: Path) -> bool:
    """Return whether a message of a game folder is unreadable or changed. No copy elsewhere makes the folder good."""
    proposals = [message for message in own.messages if message.seq == 0]
    changed = own.list_changed(proposals[0]) if proposals else set()
    return len({message.seq for message in own.messages} - changed) < len(folders.message_files(folder))


def _has_predecessor(found: Copies, folder: Path) -> bool:
    """Return whether the message before a single turn lies in the folder, under the name of a game folder."""
    turns: list[Message | Paper] = [*found.messages, *found.papers]
    before = [(turn.seq - isinstance(turn, Message), earlier.name_predecessor(turn)) for turn in turns]
    return len(turns) == 1 and all(folders.has_message(folders.message_path(folder, seq), id_) for seq, id_ in before)


def _lay_out_game(laid: Laid, found: Copies, game: str, make_place: Callable[[], Path], shown: str) -> None:
    """Write the messages and papers of a game."""
    try:
        in_order = [*copies.list_messages(found, game)]
    except KurskError as error:
        error.where = error.where or Where(shown)
        laid.faults.append(error)
        return
    folder = make_place() / folders.folder_name(game)
    folders.make(folder)
    laid.games.append(folder)
    laid.names[str(folder)] = shown
    for message in in_order:
        path = folders.message_path(folder, message.seq)
        raw = message.document.raw or messages.emit_message(message.content, message.armour, message.state).encode()
        path.write_bytes(raw)
        laid.names[str(path)] = message.document.name
    key = str(in_order[0].mapping("keys").get(REFEREE, ""))
    for paper in {each.id: each for each in found.papers if each.text("game") == game}.values():
        try:
            sshsig.verify(key, sshsig.NAMESPACE, paper.signed, paper.armour)
        except TrustError as error:
            found.faults.append(f"{paper.document.name}: {error.message}")
            continue
        path = receipts.paper_path(folder, paper)
        path = path.with_name(f"{path.stem}-{paper.id[:16]}.yaml") if path.exists() else path
        receipts.write(path, paper)
        laid.names[str(path)] = paper.document.name
