"""The director's letters: what each entrant has not had yet, as drafts.

A letter's name says whose it is and how far it goes, so what is due follows from the letters that are there; after a
crash the same letters come into being again.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from kursk_pbem.formats.canonical import sha256_hex
from kursk_pbem.game import folders, receipts
from kursk_pbem.tournament import letters
from kursk_pbem.tournament.book.people import open_draw
from kursk_pbem.tournament.book.records import Board, Book, Entrant
from kursk_pbem.tournament.office import games
from kursk_pbem.tournament.office.office import Office
from kursk_pbem.tournament.papers import fields, mails
from kursk_pbem.trust import messages
from kursk_pbem.trust import papers as referees

_DIGITS = 8


def owner(key: str) -> str:
    """How the name of a letter begins: with digits that follow from the reader's key."""
    return sha256_hex(key.encode("ascii"))[:_DIGITS]


def owner_of(letter: Path) -> str:
    """The digits with which the name of a letter begins."""
    return letter.name[:_DIGITS]


def readers(book: Book) -> dict[str, str]:
    """Digits with which a letter's name begins -> what the director calls its reader."""
    return {owner(entrant.key): f"{entrant.name} {entrant.number}".strip() for entrant in book.entrants.values()}


def write(office: Office) -> list[Path]:
    """Write every letter that is due; those that are new. UsageError."""
    there = letters.names(office.record.letters)
    found = [*_of_log(office, there), *_of_games(office, there)]
    return [path for path in found if path is not None]


def _of_log(office: Office, there: Sequence[str]) -> Iterator[Path | None]:
    """To everybody who takes part: the log papers since their last letter, with the papers that these acknowledge."""
    book = office.book
    last = len(book.log) - 1
    for entrant in book.entrants.values():
        if entrant.out.startswith("refused") and not entrant.number:
            continue
        whose = f"{owner(entrant.key)}-log-"
        since = max((int(name.removeprefix(whose)) for name in there if name.startswith(whose)), default=-1) + 1
        if since <= last:
            yield _letter(office, entrant, since, f"{whose}{last:05d}")


def _letter(office: Office, entrant: Entrant, since: int, name: str) -> Path | None:
    book = office.book
    log = book.log[since:]
    acknowledged = [book.papers[id_] for paper in log if paper.type == fields.RECEIVED for id_ in paper.texts("papers")]
    text = mails.bundle([*log, *acknowledged])
    title = letters.subject(book.id, f"{book.rules.title}: {_news(book, since)}")
    body = [
        f"Dear {entrant.name},",
        "",
        *tell(book, entrant, since),
        "",
        "Save this mail or its attachment, and let your program take it:",
        "",
        "    kursk tournament inbox FILE",
    ]
    letter = letters.compose(title, body, {f"{book.id[:8]}-{since:05d}.yaml": text}, book.head.id)
    return letters.write(office.record.letters, name, letter)


def _news(book: Book, since: int) -> str:
    """What is new, for a subject."""
    kinds = [paper.type for paper in book.log[since:]]
    if fields.END in kinds:
        return "the end"
    if fields.ROUND in kinds:
        return f"round {book.round}"
    if open_draw(book) is not None:
        return "a draw"
    return "news"


def tell(book: Book, entrant: Entrant, since: int) -> list[str]:
    """What is new for somebody, in lines."""
    lines: list[str] = []
    if (draw := open_draw(book)) is not None and entrant.entry in draw.entries:
        lines.append(
            "A draw is open. Your program opens your secret by itself: take this mail, and send what it writes."
        )
    new = [board for board in book.boards.values() if board.seq >= since and entrant.number in board.sides.values()]
    lines += [_meeting(book, board, entrant.number) for board in new]
    announced = [paper for paper in book.log[since:] if paper.type == fields.STANDINGS]
    lines += [
        f"The standings after round {paper.text('round')} are announced, hash {paper.text('sha256')[:16]}."
        for paper in announced
    ]
    return lines or ["Here is what has been put down since my last mail."]


def _meeting(book: Book, board: Board, number: str) -> str:
    other = book.entrant(board.against(number))
    system = book.rules.systems[board.system - 1]
    side = board.side_of(number) if board.sides_known else "sides are bid for"
    return f"Board {board.name}: {system.scenario} against {other.name} (number {other.number}), {side}."


def _of_games(office: Office, there: Sequence[str]) -> Iterator[Path | None]:
    """To both players: messages of their games that are not their own, and what was signed beside them."""
    for board in office.book.boards.values():
        place = games.folder_of(office, board.game)
        if board.game and folders.proposal_path(place).is_file():
            for side, number in board.sides.items():
                yield from _game_letters(office, place, (side, office.book.entrant(number)), there)


def _game_letters(
    office: Office, place: Path, whose: tuple[str, Entrant], there: Sequence[str]
) -> Iterator[Path | None]:
    """The letters of one game to one side: of a game whose dice the director rolls its messages, otherwise papers."""
    side, entrant = whose
    prefix = f"{owner(entrant.key)}-{place.name}-"
    if not office.book.rules.refereed:
        if entrant.substituted and f"{prefix}taken-over" not in there:
            yield _game_letter(office, place, f"{prefix}taken-over", _all_messages(place))
        for paper in receipts.of_folder(place):
            name = f"{prefix}{paper.type}-{paper.seq:04d}"
            if name not in there:
                yield _game_letter(office, place, name, {receipts.path_of(place, paper).name: referees.emit(paper)})
        return
    since = max((int(name.removeprefix(prefix)) for name in there if name.startswith(prefix)), default=-1) + 1
    files = {}
    last = since - 1
    for path in folders.message_files(place)[since:]:
        message = folders.read_message(path)
        last = message.seq
        if message.sender != side:
            files[path.name] = messages.mailed(message.content, message.armour or "", message.state)
    if files:
        yield _game_letter(office, place, f"{prefix}{last:04d}", files)


def _all_messages(place: Path) -> dict[str, str]:
    """All messages of a game, for somebody who takes it over."""
    found = [folders.read_message(path) for path in folders.message_files(place)]
    return {
        f"{message.seq:04d}.yaml": messages.mailed(message.content, message.armour or "", message.state)
        for message in found
    }


def _game_letter(office: Office, place: Path, name: str, files: Mapping[str, str]) -> Path | None:
    title = letters.subject(office.book.id, f"your game {place.name[5:13]}")
    body = ["Take the attached with 'kursk adjudicate', message 0 with 'kursk accept'."]
    attached = {f"{place.name}-{file}": text for file, text in files.items()}
    return letters.write(office.record.letters, name, letters.compose(title, body, attached, office.book.head.id))
