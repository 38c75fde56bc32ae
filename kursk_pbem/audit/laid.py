"""The games of a thing as game folders, for the time of a command."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from kursk_pbem.errors import KurskError, TrustError, Where
from kursk_pbem.formats.canonical import REFEREE
from kursk_pbem.game import copies, folders, receipts
from kursk_pbem.game.copies import EVIDENCE, Copies
from kursk_pbem.kernel.words import plural
from kursk_pbem.trust import earlier, messages
from kursk_pbem.trust.messages import Message
from kursk_pbem.trust.papers import Paper


@dataclass
class Laid:
    """The ``games`` of a file or folder, as game folders. ``faults``: damaged turns, and games without a folder.

    ``left_out``: why copies do not count. ``passed``: surplus copies next to a whole game. ``helped``: messages from a
    player's own game. ``hint``: why nothing counts. ``names``: temporary path -> name for people. ``single``: the turn
    of a file with one turn.
    """

    games: list[Path] = field(default_factory=list)
    faults: list[KurskError] = field(default_factory=list)
    left_out: tuple[str, ...] = ()
    passed: list[str] = field(default_factory=list)
    helped: list[str] = field(default_factory=list)
    names: dict[str, str] = field(default_factory=dict)
    single: list[Message] = field(default_factory=list)
    hint: str = ""


def lay_out(path: Path, make_place: Callable[[], Path], least: int = 2, home: Path | None = None) -> Laid:
    """Write each game in a file or folder into a new game folder. A complete game folder is used as it is.

    A file with fewer than ``least`` turns is used as it is, too. ``home``: a player's private folder, whose games
    supply missing messages. Raises FileError if a file is unreadable, or if the only turn of a file is damaged.
    """
    found, laid = Copies(), Laid()
    found.add([path], copies.make_filter())
    laid.single, laid.hint = found.need_whole(path), found.hint()
    below = folders.find_games(path) if path.is_dir() else ()
    there = {folder: game for folder in below if (game := folders.read_game_id(folder, "damaged"))}
    if not there and not _has_predecessor(found, path.parent):
        found.open_blocks()
        found.add_desk(home, path)
    if not path.is_dir() and len(found.messages) + len(found.papers) < least:
        return laid
    games = found.list_games()
    found.alone = len({*games, *there.values()}) == 1
    for folder, game in there.items():
        whole = _join_copies(laid, found, folder, there, home)
        if whole is not None:
            _lay_out_game(laid, whole, game, make_place, str(folder))
            found.faults += whole.faults
    for game in [each for each in games if each not in there.values()]:
        _lay_out_game(laid, found, game, make_place, f"{path}/{game[:8]}" if games[1:] or there else str(path))
    laid.faults += [] if found.alone else [one.error for one in found.uncounted if not one.game]
    told = [*map(str, laid.faults)]
    laid.left_out = tuple(fault for fault in dict.fromkeys(found.faults) if fault not in told)
    laid.helped += found.helped
    return laid


def _join_copies(
    laid: Laid, found: Copies, folder: Path, there: Mapping[Path, str], home: Path | None
) -> Copies | None:
    """Return a folder's messages with copies and missing messages from elsewhere; None if nothing is to lay out.

    The folder is then verified as it is, or passed over as copies of a game that is whole below. No copy elsewhere
    makes a damaged message good.
    """
    game = there[folder]
    below = [other for other in there if there[other] == game and folder in other.parents]
    new = {message.id for message in found.of_game(game)}
    if not (below or new or found.uncounted or _has_gap(folder)):
        laid.games.append(folder)
        return None
    whole = Copies(alone=found.alone)
    whole.add_numbered(folder)
    whole.add([folder], lambda file: not EVIDENCE.match(file.name) or file.parent != folder)
    own = {message.id for message in whole.messages}
    damaged = not whole.messages or whole.uncounted or whole.list_changed(whole.messages[0])
    if not damaged and (larger := next((each for each in below if own < _list_ids(each)), None)):
        count = plural(len(own), "message")
        laid.passed.append(f"{folder}: copies of {count} of the game {game[:8]}, which is in {larger}")
        return None
    if not damaged:
        whole.merge(found)
        whole.open_blocks()
        whole.add_desk(home, folder)
    if damaged or {message.id for message in whole.of_game(game)} <= own:
        if damaged or not _add_uncounted(laid, found, whole.messages):
            laid.games.append(folder)
        return None
    laid.helped += whole.helped
    return whole


def _has_gap(folder: Path) -> bool:
    try:
        folders.message_files(folder)
    except KurskError:
        return True
    return False


def _list_ids(folder: Path) -> set[str]:
    there = Copies()
    there.add_numbered(folder)
    return {message.id for message in there.messages}


def _add_uncounted(laid: Laid, found: Copies, line: Sequence[Message]) -> bool:
    """Add the damaged turns of a game to the faults; return whether any is there: then the game is not verified."""
    faults = found.list_uncounted(line[0], [message.seq for message in line])
    laid.faults += faults
    return bool(faults)


def _has_predecessor(found: Copies, folder: Path) -> bool:
    """Return whether the message before a single turn lies in the folder, under the name of a game folder."""
    turns: list[Message | Paper] = [*found.messages, *found.papers]
    before = [(turn.seq - isinstance(turn, Message), earlier.name_predecessor(turn)) for turn in turns]
    return len(turns) == 1 and all(folders.has_message(folders.message_path(folder, seq), id_) for seq, id_ in before)


def _lay_out_game(laid: Laid, found: Copies, game: str, make_place: Callable[[], Path], shown: str) -> None:
    """Write the messages and papers of a game."""
    from kursk_pbem.game import histories  # noqa: PLC0415  loads the rules, which a single file does not need

    try:
        in_order = [*histories.list_messages(found, game)]
        for message in laid.single:
            histories.need_counted(message, in_order)
    except KurskError as error:
        error.where = error.where or Where(shown)
        laid.faults.append(error)
        return
    if _add_uncounted(laid, found, in_order):
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
            paper.check_signature(key)
        except TrustError as error:
            found.faults.append(str(error))
            continue
        path = receipts.paper_path(folder, paper)
        path = path.with_name(f"{path.stem}-{paper.id[:16]}.yaml") if path.exists() else path
        receipts.write(path, paper)
        laid.names[str(path)] = paper.document.name
