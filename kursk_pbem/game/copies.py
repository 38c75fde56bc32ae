"""The messages of games among mail copies, found by content; `histories` orders and verifies them.

A spectator has no record of a game, so the messages are found by content.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

from kursk_pbem.errors import FileError, KurskError, TrustError, UsageError
from kursk_pbem.frozen import frozen
from kursk_pbem.game import folders, inbox, journal, receipts, things
from kursk_pbem.game.things import Skip, Thing
from kursk_pbem.trust import earlier, reader, referee
from kursk_pbem.trust.messages import Message
from kursk_pbem.trust.papers import FORFEIT, Paper
from kursk_pbem.trust.referee import Papers
from kursk_pbem.trust.turns import NUMBERED

if TYPE_CHECKING:
    from kursk_pbem.game.games import Game

EVIDENCE = re.compile(r"(proof|evidence)-|[0-9]{4}-[0-9a-f]{16}\.void\.")
USUAL = re.compile(
    rf"[0-9]{{4}}\.(yaml|json(\.sig)?)|(state|report|receipt|extension|forfeit)[0-9a-z.-]*|{EVIDENCE.pattern}.*"
)
"""Names of files in a game folder that the search for messages skips: numbered messages, reports, evidence."""
_NUMBERED = re.compile(r"(?:((?:receipt|extension)-)?([0-9]{4})(?(1)(?:-[0-9a-f]{16})?)|forfeit)\.(?:yaml|json)")
Letters = Sequence[Path | Message]


@frozen
class Uncounted:
    """A turn that does not count, because it is damaged or refused. ``error``: why. Others: as in `turns.Claim`."""

    error: KurskError
    game: str = ""
    seq: str = ""
    cut: bool = False


@dataclass
class Copies:
    """The messages found in files and mails, including duplicates."""

    messages: list[Message] = field(default_factory=list)
    faults: list[str] = field(default_factory=list)  # why turns and files do not count
    papers: list[Paper] = field(default_factory=list)  # the referees' papers
    others: list[str] = field(default_factory=list)  # descriptions of files without turns
    counting: set[str] = field(default_factory=set)  # ids of messages in the player's own record of the game
    boxes: dict[str, str] = field(default_factory=dict)  # id -> the mailbox of the first copy
    uncounted: list[Uncounted] = field(default_factory=list)  # the turns that are damaged or refused
    helped: list[str] = field(default_factory=list)  # sentences on messages taken from the player's record
    alone: bool = True  # all messages belong to one game

    def add(self, letters: Letters, skip: Skip | None = None) -> None:
        """Add the turns of files, mailboxes, folders, archives, and of messages read before.

        ``skip``: a function that tells which files of a folder to leave out. Raises FileError for an unreadable letter.
        """
        self._add_in_order([each for each in letters if isinstance(each, Message)], "the mailbox")
        for path in (each for each in letters if isinstance(each, Path)):
            for thing in things.list_things(path, skip):
                if isinstance(thing, Thing):
                    self.read(thing)
                else:
                    self.refuse(path, thing)

    def refuse(self, path: Path, fault: FileError) -> None:
        """Record the fault of a file found at ``path``. If ``path`` is the file itself, raise the fault."""
        if not path.is_dir() and (fault.where is None or fault.where.file == str(path)):
            raise fault
        self.faults.append(str(fault))

    def merge(self, other: Copies) -> None:
        """Add the messages, papers and faults that ``other`` contains."""
        for name in ("messages", "papers", "faults", "others", "uncounted"):
            getattr(self, name).extend(getattr(other, name))
        self.boxes = other.boxes | self.boxes

    def leave_out(self, *left_out: Uncounted) -> None:
        """Record turns that do not count, with the reasons."""
        self.faults += dict.fromkeys(str(each.error) for each in left_out)
        self.uncounted += left_out

    def list_uncounted(self, proposal: Message, there: Collection[int]) -> list[KurskError]:
        """Return the reasons why copies of a game's turns do not count: changed or unreadable copies (protocol 2.6).

        ``there``: numbers of messages with an intact copy. A cut-off copy of such a message gives no reason.
        """
        names = (proposal.id, proposal.text("nonce"), *([""] if self.alone else []))
        bad = [one for one in self.uncounted if one.game in names]
        named = {str(one.error): one.error for one in bad if not one.cut or one.seq not in map(str, there)}
        return [*named.values()]

    def add_numbered(self, folder: Path, newest: int = 9999) -> None:
        """Add a game folder's messages up to ``newest``, and the referee's papers: all YAML or JSON, like message 0."""
        for path in sorted(folder.glob(f"*{folders.proposal_path(folder).suffix}")):
            named = _NUMBERED.fullmatch(path.name)
            if named is None or int(named[2] or 0) > newest:
                continue
            try:
                if named[1] or path.stem == FORFEIT:
                    self.papers.append(receipts.read_file(path))
                else:
                    self.messages.append(folders.read_message(path))
            except FileError as error:
                if named[2] and not named[1] and int(named[2]) == newest:
                    continue  # beside the turn in the hand
                if path.suffix == ".json" or not path.is_file():
                    self.leave_out(Uncounted(error))
                else:  # the reader knows the game and number of a damaged turn
                    there = len(self.messages) + len(self.uncounted)
                    self.read(Thing(folders.read_bytes(path), str(path)))
                    if len(self.messages) + len(self.uncounted) == there:
                        self.leave_out(Uncounted(error))

    def need_whole(self, path: Path) -> list[Message]:
        """Return the message of a file or mail with only one turn, otherwise []. Raises FileError for a damaged turn.

        The user thus learns of a damaged turn before the program asks for other files.
        """
        turns = len(self.messages) + len(self.papers) + len(self.uncounted)
        if turns > 1 or not path.is_file() or path.suffix == ".json" or things.is_mbox(path) or things.is_packed(path):
            return []
        inbox.read_any(inbox.read_bytes(path), str(path))
        return self.messages

    def weigh_papers(self, game: Game) -> Papers:
        """Return the referee's papers about a game's messages, and what the papers change. Raises TrustError."""
        chain, good = game.chain, list[Paper]()
        for paper in self.papers:
            if paper.text("game") != chain.game or paper.seq >= chain.next_seq or referee.is_about_void(chain, paper):
                continue
            if referee.is_signed(chain, paper):
                good.append(paper)
            else:
                why = f"this copy of the {paper.type} differs from the signed text"
                self.leave_out(Uncounted(TrustError("signature", why, paper.where("signature")), chain.game))
        return referee.weigh_papers(chain, good, over=game.played_out)

    def add_desk(self, home: Path | None, here: Path) -> None:
        """Add missing messages and papers from the player's own games in ``home``. Skip the game folder ``here``."""
        for game in self.list_games():
            folder = find_desk(home, game)
            if folder is None or folder.resolve() == here.resolve():
                continue
            desk, mine = Copies(), self.of_game(game)
            about = [paper.seq for paper in self.papers if paper.text("game") == game]
            desk.add_numbered(folder, max([*(message.seq for message in mine), *about]))
            known = {turn.id for turn in (*self.messages, *self.papers)}
            changed = self.list_changed(desk.messages[0])
            self.counting |= {message.id for message in desk.messages}
            missing = {message.seq for message in desk.messages} - {message.seq for message in mine}
            self.messages += [one for one in desk.messages if one.id not in known and one.seq not in changed]
            self.papers += [paper for paper in desk.papers if paper.id not in known]
            if missing:
                self.helped.append(f"{join_numbers([*map(str, sorted(missing))])} of your game in {folder}")

    def _add_in_order(self, found: Sequence[Message], box: str) -> None:
        self.messages += found
        for message in found:
            self.boxes.setdefault(message.id, box)

    def open_blocks(self) -> None:
        """Add missing messages and papers from the blocks of earlier messages that follow turns, newest turn first.

        A block is read only if the message before its turn is missing. No block replaces a changed message.
        """
        turns: list[Message | Paper] = [*self.messages, *self.papers]
        for turn, new in earlier.open_blocks(turns, [turn.id for turn in turns]):
            first = next((one for one in (*new, *self.messages) if one.id == turn.text("game")), None)
            changed = self.list_changed(first) if isinstance(first, Message) else set()
            self.messages += [each for each in new if isinstance(each, Message) and each.seq not in changed]
            self.papers += [each for each in new if isinstance(each, Paper)]

    def list_changed(self, proposal: Message) -> set[int]:
        """Return the numbers of the game's changed messages, whose signatures do not fit."""
        keys = {side: str(key) for side, key in proposal.mapping("keys").items()}
        of_game = self.of_game(proposal.id)
        return {one.seq for one in of_game if one.sender not in keys or not one.is_signed_by(keys[one.sender])}

    def read(self, thing: Thing) -> None:
        """Add the turns of a file or mail, or the reason why it is unreadable."""
        try:
            reading = reader.read_thing(thing.raw, thing.name, check=False)
        except FileError as large:
            self.leave_out(Uncounted(large))
            return
        box, mail, _number = thing.name.rpartition(", mail ")
        self._add_in_order([turn for turn in reading.turns if isinstance(turn, Message)], box if mail else thing.name)
        self.papers += [turn for turn in reading.turns if isinstance(turn, Paper)]
        self.faults += map(str, reading.faults)
        why = FileError("; ".join(map(str, reading.faults)))
        self.uncounted += [Uncounted(why, *claim) for claim in reading.claims]
        self.others += [] if reading.turns or reading.faults else map(str, reading.reasons)
        if reading.may_hide:
            self.faults += map(str, reading.reasons)
            self.uncounted += [Uncounted(reading.reasons[0])] if NUMBERED.fullmatch(thing.name) else []

    def list_games(self) -> list[str]:
        """Return the game ids that the messages and papers name, in order of their arrival."""
        return list(dict.fromkeys(turn.game for turn in (*self.messages, *self.papers)))

    def of_game(self, game: str) -> list[Message]:
        """Return the messages with this game's id. The signatures are not checked."""
        return [message for message in self.messages if message.game == game]

    def choose_game(self, folder: Path, key: str) -> str:
        """Return the id of the game that the user means: by folder, name or the player's key. Raises UsageError."""
        first = folders.message_path(folder, 0)
        if first.is_file():
            return folders.read_message(first).id
        proposals = {message.id: message for message in self.messages if message.seq == 0}
        named = [game for game in proposals if folders.folder_name(game) == folder.name]
        fitting = named or [game for game, m in proposals.items() if not key or key in m.mapping("keys").values()]
        # a stranger's proposal may name any key, so signed messages decide
        signed = [game for game in fitting if any(m.is_signed_by(key) for m in self.of_game(game))]
        fitting = signed if len(fitting) > 1 and signed else fitting
        if len(fitting) == 1:
            return fitting[0]
        if fitting:
            listed = ", ".join(sorted(folders.folder_name(game) for game in fitting))
            raise UsageError(f"the mails belong to several games; give the folder of one of these games: {listed}")
        others = f" ({len(proposals)} proposals name other keys)" if proposals else ""
        raise UsageError(
            f"no message 0 with your key is in the files{others}: look in your mails, or ask your opponent{self.hint()}"
        )

    def hint(self) -> str:
        """Return a sentence about the first file or copy that does not count, or ''."""
        left_out = [*self.faults, *self.others]
        return f". Not counted: {left_out[0]}" if left_out else ""


def join_numbers(numbers: Sequence[str]) -> str:
    """Return message numbers as a phrase, such as ``messages 2 and 5 to 9`` for 2 and '5 to 9'."""
    several = "" if numbers[0].isdecimal() and not numbers[1:] else "s"
    return f"message{several} {' and '.join(filter(None, (', '.join(numbers[:-1]), numbers[-1])))}"


def find_desk(home: Path | None, game: str) -> Path | None:
    """Return the folder of a player's game by the private record; None for an unknown game or a what-if game."""
    with suppress(KurskError, OSError):
        own = journal.find(home, game) if home is not None else None
        if own is not None and own.what_if is None:
            places = (Path(own.folder), *folders.find_candidates(None, game))
            return next((place for place in places if folders.read_game_id(place) == game), None)
    return None


def make_filter() -> Skip:
    """Return a function that tells which files of a game folder to skip: its messages, reports and evidence."""
    read_id = lru_cache(maxsize=8)(folders.read_game_id)
    return lambda file: USUAL.fullmatch(file.name) is not None and read_id(file.parent, "damaged") != ""
