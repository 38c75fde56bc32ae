"""The messages of one game out of a heap of mail copies: found, put in order, each verified as usual."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from kursk_pbem.errors import FileError, KurskError, TrustError, UsageError, Where
from kursk_pbem.game import folder as folders
from kursk_pbem.game import history, inbox
from kursk_pbem.game.history import History
from kursk_pbem.trust import mail
from kursk_pbem.trust import message as messages
from kursk_pbem.trust.message import Message


@dataclass
class Copies:
    """What was found: ``messages``, copies of one and the same among them, and ``unreadable``, why others are not."""

    messages: list[Message] = field(default_factory=list)
    unreadable: list[KurskError] = field(default_factory=list)

    def add(self, paths: Iterable[Path]) -> None:
        """All turns in these files, and in the files of these folders; a file may be a whole mailbox."""
        for path in paths:
            if path.is_dir():
                self.add(sorted(each for each in path.iterdir() if each.is_file() and not each.name.startswith(".")))
                continue
            raw = inbox.read_bytes(path)
            try:
                self.messages.append(inbox.read(raw, str(path)))
            except FileError as error:
                self._add_all(raw, str(path), error)

    def _add_all(self, raw: bytes, name: str, why_not_one: FileError) -> None:
        try:
            found = mail.extract(raw, name)
        except FileError:
            found = []
        readable = 0
        for each in found:
            try:
                self.messages.append(messages.read(each, name))
                readable += 1
            except FileError as error:
                self.unreadable.append(error)
        if not found:
            self.unreadable.append(why_not_one)

    def of_game(self, game: str) -> dict[int, list[Message]]:
        """The messages that say to be of this game, by number."""
        found: dict[int, list[Message]] = {}
        for message in self.messages:
            if game == (message.id if message.seq == 0 else message.content.get("game")):
                found.setdefault(message.seq, []).append(message)
        return found

    def choose_game(self, folder: Path, key: str) -> str:
        """The game meant: that of the folder, or of the folder's name, or the only one with this key. UsageError."""
        first = folders.message_path(folder, 0)
        if first.is_file():
            return folders.read_message(first).id
        proposals = {message.id: message for message in self.messages if message.seq == 0}
        named = [game for game in proposals if folders.folder_name(game) == folder.name]
        fitting = named or [game for game, m in proposals.items() if not key or key in m.mapping("keys").values()]
        if len(fitting) == 1:
            return fitting[0]
        if fitting:
            listed = ", ".join(sorted(folders.folder_name(game) for game in fitting))
            raise UsageError(f"these are mails of several games: name the folder of one, {listed}")
        why = f"{len(proposals)} of other keys are" if proposals else "none is"
        raise UsageError(
            f"a game begins with message 0, the proposal that names your key, and among these files {why}: look for it "
            f"in your mails, or ask your opponent for it{self.hint()}"
        )

    def hint(self) -> str:
        """Why some file may be the one that is missed."""
        if not self.unreadable:
            return ""
        several = f"{len(self.unreadable)} cannot" if len(self.unreadable) > 1 else "one cannot"
        return f". Of the files named {several} be read: {self.unreadable[0]}"


def line_up(copies: Copies, game_id: str) -> History:
    """Put the messages of a game in order. TrustError for a gap, for two different good ones in one place."""
    heap = copies.of_game(game_id)
    line = _begin(heap.get(0, ()), game_id)
    for seq in range(1, max(heap) + 1):
        if seq not in heap:
            raise TrustError(
                "chain",
                f"message {seq} is missing, and later ones are there: look for it in your mails, sent ones too, or ask "
                f"your opponent, who has all of them{copies.hint()}",
            )
        line = _extend(line, heap[seq], {m.content.get("prev") for m in heap.get(seq + 1, ())})
    return line


def _begin(found: Sequence[Message], game_id: str) -> History:
    fault: KurskError = UsageError(f"message 0 of the game {game_id[:16]} is not among these files")
    for message in found:
        try:
            return history.begin(message)
        except KurskError as error:
            fault = error
    raise fault


def _extend(line: History, found: Sequence[Message], followed: AbstractSet[Any]) -> History:
    """The game with the one good message among these; of several the one that is ``followed`` (ids) by a later one."""
    good: dict[str, History] = {}
    fault: KurskError | None = None
    for message in found:
        if message.id in good:
            continue
        try:
            good[message.id] = line.extend(message)
        except KurskError as error:
            fault = fault or error
    if len(good) > 1 and len(followed & good.keys()) == 1:
        good = {mid: each for mid, each in good.items() if mid in followed}
    if len(good) > 1:
        one, two = [each.last for each in good.values()][:2]
        raise TrustError(
            "chain",
            f"this is another message {one.seq} than that of {one.document.name} ({two.id[:16]}, there {one.id[:16]}), "
            f"and both are good and signed by {one.sender}; keep both files: they are evidence",
            Where(two.document.name),
        )
    if good:
        return next(iter(good.values()))
    if fault is None:
        raise AssertionError("no message")
    raise fault
