"""The messages of one game out of a heap of mail copies: found, put in order, each verified as usual."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from kursk_pbem.errors import FileError, KurskError, RulesError, TrustError, UsageError, Where
from kursk_pbem.formats.canonical import MAX_BYTES, apart
from kursk_pbem.game import folders, histories, inbox
from kursk_pbem.game.histories import History
from kursk_pbem.trust import mail, sshsig
from kursk_pbem.trust.messages import Message


@dataclass
class Copies:
    """What was found: ``messages``, copies of one and the same among them, and why others are not among them.

    ``unreadable``: in words, and nothing else of those files, which may be large and many (T27). ``left_out``: why
    those did not count that say to be of the game, by :func:`line_up`; with the id of each.
    """

    messages: list[Message] = field(default_factory=list)
    unreadable: list[str] = field(default_factory=list)
    left_out: list[tuple[str, str]] = field(default_factory=list)

    def add(self, paths: Iterable[Path]) -> None:
        """All turns in these files, and in the files of these folders; a file may be a whole mailbox. FileError."""
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
        """What a file holds. One that is larger than a turn is looked through for all its turns at once."""
        raw, name = inbox.read_bytes(path), str(path)
        if len(raw) > MAX_BYTES and self._add_all(raw, name):
            return
        try:
            self.messages.append(inbox.read(raw, name))
        except FileError as error:
            if len(raw) > MAX_BYTES or not self._add_all(raw, name):
                self.unreadable.append(str(error))

    def _add_all(self, raw: bytes, name: str) -> bool:
        """All turns in a mail, and why others cannot be read; whether anything was found."""
        try:
            found = mail.survey_mail(raw, name)
        except FileError as error:  # too much of everything in it
            found = mail.Survey((), (error,))
        self.messages += [turn for turn in found.turns if isinstance(turn, Message)]
        self.unreadable += map(str, found.faults)
        return bool(found.turns or found.faults)

    def of_game(self, game: str) -> dict[int, list[Message]]:
        """The messages that say to be of this game, by number."""
        by_number: dict[int, list[Message]] = {}
        for message in self.messages:
            if game == (message.id if message.seq == 0 else message.content.get("game")):
                by_number.setdefault(message.seq, []).append(message)
        return by_number

    def choose_game(self, folder: Path, key: str) -> str:
        """The game meant: that of the folder, or of the folder's name, or the only one with this key. UsageError."""
        first = folders.message_path(folder, 0)
        if first.is_file():
            return folders.read_message(first).id
        proposals = {message.id: message for message in self.messages if message.seq == 0}
        named = [game for game in proposals if folders.folder_name(game) == folder.name]
        fitting = named or [game for game, m in proposals.items() if not key or key in m.mapping("keys").values()]
        if len(fitting) > 1:  # a stranger's proposal may name any key; what its owner has signed counts
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
        """Whether the owner of a key has written in a game, so far as these copies show; False without a key."""
        return any(key and _fits(message, key) for candidates in self.of_game(game).values() for message in candidates)

    def hint(self) -> str:
        """Why some file may be the one that is missed."""
        told = ""
        if self.unreadable:
            several = f"{len(self.unreadable)} cannot" if len(self.unreadable) > 1 else "one cannot"
            told = f". Of the files named {several} be read: {self.unreadable[0]}"
        return told + (f". Not counted: {self.left_out[0][1]}" if self.left_out else "")


def line_up(copies: Copies, game_id: str, public: str) -> History:
    """Put the messages of a game in order; only those count that are signed by somebody who may write them.

    A void message of somebody else at the end is left out: its writer may send another. ``public`` is the player's own
    key. TrustError for a gap, for two different good ones in one place; KurskError for one that does not hold.
    """
    heap = copies.of_game(game_id)
    line = _begin(heap.pop(0, ()), game_id)
    signed = {seq: good for seq, candidates in sorted(heap.items()) if (good := _well_signed(line, candidates, copies))}
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
            line = _extend(line, signed[seq], {m.content.get("prev") for m in signed.get(seq + 1, ())})
        except (RulesError, FileError) as error:
            if seq < max(signed) or any(line.game.chain.keys[m.sender] == public for m in signed[seq]):
                raise
            void = str(error).split("\n", 1)[0]
            copies.left_out += [(m.id, f"{m.document.name} is void: {void}") for m in signed[seq]]
    return line


def _well_signed(line: History, candidates: Sequence[Message], copies: Copies) -> list[Message]:
    """Those of these copies that bear the signature of the side which they name, and which may write that number.

    Anybody can send a file that says to be of a game; what else there is to say against a message is said later.
    """
    chain, good = line.game.chain, []
    for message in candidates:
        if chain.may_write(message.seq, message.sender) and _fits(message, chain.keys[message.sender]):
            good.append(message)
        else:
            said = f"{message.where('signature')}: this copy of message {message.seq} is not what was signed"
            copies.left_out.append((message.id, said))
    return good


def _fits(message: Message, public: str) -> bool:
    try:
        sshsig.verify(public, sshsig.NAMESPACE, message.signed, message.armour or "")
    except TrustError:
        return False
    return True


def _begin(candidates: Sequence[Message], game_id: str) -> History:
    fault: KurskError = UsageError(f"message 0 of the game {game_id[:16]} is not among these files")
    for message in candidates:
        try:
            return histories.begin(message)
        except KurskError as error:
            fault = error
    raise fault


def _extend(line: History, candidates: Sequence[Message], followed: AbstractSet[Any]) -> History:
    """The game with the one good message among these; of several the one that is ``followed`` (ids) by a later one."""
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
        ids = ", there ".join(apart(two.id, one.id))
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
