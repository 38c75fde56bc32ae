"""The messages of one game among mail copies: found, ordered and verified."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from kursk_pbem.errors import FileError, KurskError, RulesError, TrustError, UsageError, Where
from kursk_pbem.formats.canonical import MAX_BYTES, shorten
from kursk_pbem.game import folders, histories, inbox
from kursk_pbem.game.histories import History
from kursk_pbem.trust import mail, sshsig
from kursk_pbem.trust.messages import Message


@dataclass
class Copies:
    """Messages found in mails, including duplicates.

    ``unreadable``: errors of unreadable files; the files may be large and many (T27). ``left_out``: ids and reasons of
    messages ignored by :func:`order_messages`.
    """

    messages: list[Message] = field(default_factory=list)
    unreadable: list[str] = field(default_factory=list)
    left_out: list[tuple[str, str]] = field(default_factory=list)

    def add(self, paths: Iterable[Path]) -> None:
        """Add the turns in files and folders; a file may be a mailbox. Raises FileError."""
        for path in paths:
            if not path.is_dir():
                self._add_file(path)
                continue
            for file in sorted(path.iterdir()):
                if file.name.startswith(".") or not file.is_file():
                    continue
                try:
                    folders.need_one_line(file)
                    self._add_file(file)
                except FileError as error:
                    self.unreadable.append(str(error))

    def _add_file(self, path: Path) -> None:
        raw, name = inbox.read_bytes(path), str(path)
        if len(raw) > MAX_BYTES and self._add_all(raw, name):
            return
        try:
            self.messages.append(inbox.read(raw, name))
        except FileError as error:
            if len(raw) > MAX_BYTES or not self._add_all(raw, name):
                self.unreadable.append(str(error))

    def _add_all(self, raw: bytes, name: str) -> bool:
        """Add the turns and errors of a mail; return whether anything was found."""
        try:
            found = mail.survey_mail(raw, name)
        except FileError as error:  # the mail exceeds the limits
            found = mail.Survey((), (error,))
        self.messages += [turn for turn in found.turns if isinstance(turn, Message)]
        self.unreadable += map(str, found.faults)
        return bool(found.turns or found.faults)

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
        if len(fitting) > 1:  # a stranger's proposal may name any key, so signed messages decide
            fitting = [game for game in fitting if self._written_in(game, key)] or fitting
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

    def _written_in(self, game: str, key: str) -> bool:
        return any(
            key and _is_signed_by(message, key) for candidates in self.of_game(game).values() for message in candidates
        )

    def hint(self) -> str:
        """Return a sentence about unreadable and ignored files."""
        told = ""
        if self.unreadable:
            several = f"{len(self.unreadable)} cannot" if len(self.unreadable) > 1 else "one cannot"
            told = f". Of the files named {several} be read: {self.unreadable[0]}"
        return told + (f". Not counted: {self.left_out[0][1]}" if self.left_out else "")


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
            raise TrustError(
                "chain",
                f"message {seq} is missing, and {later.document.name} is message {later.seq}, well signed by "
                f"{later.sender}: look for message {seq} in your mails, sent ones too, or ask your opponent, who has "
                f"all of them{copies.hint()}",
            )
        try:
            line = _extend_history(line, signed[seq], {m.content.get("prev") for m in signed.get(seq + 1, ())})
        except (RulesError, FileError) as error:
            if seq < max(signed) or any(line.game.chain.keys[m.sender] == public for m in signed[seq]):
                raise
            void = str(error).split("\n", 1)[0]
            copies.left_out += [(m.id, f"{m.document.name} is void: {void}") for m in signed[seq]]
    return line


def _filter_signed(line: History, candidates: Sequence[Message], copies: Copies) -> list[Message]:
    """Return the copies signed by a side that may write this number."""
    chain, good = line.game.chain, []
    for message in candidates:
        if chain.may_write(message.seq, message.sender) and _is_signed_by(message, chain.keys[message.sender]):
            good.append(message)
        else:
            said = f"{message.where('signature')}: this copy of message {message.seq} is not what was signed"
            copies.left_out.append((message.id, said))
    return good


def _is_signed_by(message: Message, public: str) -> bool:
    try:
        sshsig.verify(public, sshsig.NAMESPACE, message.signed, message.armour or "")
    except TrustError:
        return False
    return True


def _begin_history(candidates: Sequence[Message], game_id: str) -> History:
    fault: KurskError = UsageError(f"message 0 of the game {game_id[:16]} is not among these files")
    for message in candidates:
        try:
            return histories.begin(message)
        except KurskError as error:
            fault = error
    raise fault


def _extend_history(line: History, candidates: Sequence[Message], followed: AbstractSet[Any]) -> History:
    """Return the game with the only valid message; among several, the message that a later message follows."""
    good: dict[str, History] = {}
    fault: KurskError | None = None
    for message in candidates:
        if message.id in good:
            continue
        try:
            good[message.id] = line.extend(message)
        except KurskError as error:
            fault = fault or error
    if len(good) > 1 and len(followed & good.keys()) == 1:
        good = {mid: history for mid, history in good.items() if mid in followed}
    if len(good) > 1:
        one, two = [history.last for history in good.values()][:2]
        ids = ", there ".join(shorten(two.id, one.id))
        raise TrustError(
            "chain",
            f"this is another message {one.seq} than that of {one.document.name} ({ids}), "
            f"and both are good and signed by {one.sender}; keep both files: they are evidence",
            Where(two.document.name),
        )
    if good:
        return next(iter(good.values()))
    if fault is None:
        raise AssertionError("no message")
    raise fault
