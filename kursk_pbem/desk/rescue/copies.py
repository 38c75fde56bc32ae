"""The messages of one game among mail copies: found, ordered and verified."""

from __future__ import annotations

from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from kursk_pbem.errors import FileError, KurskError, RulesError, TrustError, UsageError, Where
from kursk_pbem.formats.canonical import shorten
from kursk_pbem.game import folders, histories, inbox
from kursk_pbem.game.histories import History
from kursk_pbem.trust import mail, sshsig
from kursk_pbem.trust.messages import Message

Letters = Sequence[Path | Message]


@dataclass
class Copies:
    """Messages found in mails, including duplicates. ``faults``: the reasons for files and copies that do not count."""

    messages: list[Message] = field(default_factory=list)
    faults: list[str] = field(default_factory=list)

    def add(self, letters: Letters) -> None:
        """Add the turns in files and folders, and turns already read; a file may be a mailbox. Raises FileError."""
        self.messages += [each for each in letters if isinstance(each, Message)]
        for path in (each for each in letters if isinstance(each, Path)):
            found = path.iterdir() if path.is_dir() else [path]
            for file in sorted(file for file in found if file == path or (file.is_file() and file.name[:1] != ".")):
                try:
                    self._add_file(file)
                except FileError as error:
                    if file == path:
                        raise
                    self.faults.append(str(error))

    def _add_file(self, path: Path) -> None:
        folders.need_one_line(path)
        raw, name = inbox.read_bytes(path), str(path)
        try:
            self.messages.append(inbox.read(raw, name))
        except FileError as error:
            try:
                found = mail.survey_mail(raw, name)
            except FileError as large:
                found = mail.Survey((), (large,))
            self.messages += [turn for turn in found.turns if isinstance(turn, Message)]
            self.faults += map(str, found.faults or (() if found.turns else (error,)))

    def of_game(self, game: str) -> dict[int, list[Message]]:
        """Return the messages that claim to be of a game, by number."""
        by_number: dict[int, list[Message]] = {}
        for message in self.messages:
            if game == (message.id if message.seq == 0 else message.content.get("game")):
                by_number.setdefault(message.seq, []).append(message)
        return by_number

    def choose_game(self, folder: Path, key: str) -> str:
        """Return the id of the selected game: by the folder, the folder's name, or the key. Raises UsageError."""
        first = folders.message_path(folder, 0)
        if first.is_file():
            return folders.read_message(first).id
        proposals = {message.id: message for message in self.messages if message.seq == 0}
        named = [game for game in proposals if folders.folder_name(game) == folder.name]
        fitting = named or [game for game, m in proposals.items() if not key or key in m.mapping("keys").values()]
        # a stranger's proposal may name any key, so signed messages decide
        signed = [
            game for game in fitting if any(_is_signed_by(m, key) for ms in self.of_game(game).values() for m in ms)
        ]
        fitting = signed if len(fitting) > 1 and signed else fitting
        if len(fitting) == 1:
            return fitting[0]
        if fitting:
            listed = ", ".join(sorted(folders.folder_name(game) for game in fitting))
            raise UsageError(f"the mails belong to several games: name the folder of one game, {listed}")
        others = f" ({len(proposals)} proposals name other keys)" if proposals else ""
        raise UsageError(
            f"no message 0 with your key is in the files{others}: look in your mails, or ask your opponent{self.hint()}"
        )

    def hint(self) -> str:
        """Return a sentence about files and copies that do not count."""
        return f". Not counted: {self.faults[0]}" if self.faults else ""


def order_messages(copies: Copies, game_id: str, public: str) -> History:
    """Put the messages of a game in order; ignore messages without a valid signature.

    An illegal last message of the opponent is ignored, because the opponent may send another. ``public``: the player's
    own key. Raises TrustError for a gap or two valid messages with one number, KurskError for an illegal message.
    """
    heap = copies.of_game(game_id)
    line = _begin_history(heap.pop(0, ()), game_id)
    signed = {
        seq: good for seq, candidates in sorted(heap.items()) if (good := _filter_signed(line, candidates, copies))
    }
    for seq in range(1, max(signed, default=0) + 1):
        if seq not in signed:
            later = signed[min(number for number in signed if number > seq)][0]
            why = f"message {seq} is missing, and {later.document.name} is message {later.seq}"
            how = f"look for message {seq} in your mails, also sent mails, or ask your opponent{copies.hint()}"
            raise TrustError("chain", f"{why}: {how}")
        try:
            line = _extend_history(line, signed[seq], {m.content.get("prev") for m in signed.get(seq + 1, ())})
        except (RulesError, FileError) as error:
            if seq < max(signed) or any(line.game.chain.keys[m.sender] == public for m in signed[seq]):
                raise
            void = str(error).split("\n", 1)[0]
            copies.faults += [f"{m.document.name} is void: {void}" for m in signed[seq]]
    return line


def _filter_signed(line: History, candidates: Sequence[Message], copies: Copies) -> list[Message]:
    """Return the copies signed by a side that may write this number."""
    chain, good = line.game.chain, []
    for message in candidates:
        if chain.may_write(message.seq, message.sender) and _is_signed_by(message, chain.keys[message.sender]):
            good.append(message)
        else:
            where = message.where("signature")
            copies.faults.append(f"{where}: this copy of message {message.seq} differs from the signed text")
    return good


def _is_signed_by(message: Message, public: str) -> bool:
    try:
        sshsig.verify(public, sshsig.NAMESPACE, message.signed, message.armour or "")
    except TrustError:
        return False
    return True


def _begin_history(candidates: Sequence[Message], game_id: str) -> History:
    fault: KurskError = UsageError(f"message 0 of the game {game_id[:16]} is not among the files")
    for message in candidates:
        try:
            return histories.begin(message)
        except KurskError as error:
            fault = error
    raise fault


def _extend_history(line: History, candidates: Sequence[Message], followed: AbstractSet[Any]) -> History:
    """Return the game with the only valid message; among several, the message that a later message follows."""
    good: dict[str, History] = {}
    faults: list[KurskError] = []
    for message in candidates:
        if message.id in good:
            continue
        try:
            good[message.id] = line.extend(message)
        except KurskError as error:
            faults.append(error)
    if len(good) > 1 and len(followed & good.keys()) == 1:
        good = {mid: history for mid, history in good.items() if mid in followed}
    if not good:
        raise faults[0]
    if len(good) > 1:
        one, two = [history.last for history in good.values()][:2]
        ids = ", there ".join(shorten(two.id, one.id))
        why = f"another message {one.seq} is in {one.document.name} ({ids})"
        how = f"{one.sender} has signed two messages; keep both files as evidence"
        raise TrustError("chain", f"{why}; {how}", Where(two.document.name))
    return next(iter(good.values()))
