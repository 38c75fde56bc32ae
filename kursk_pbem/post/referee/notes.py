"""Letters in words that a referee's mailbox writes by itself: answers, reminders, the director's list.

Each is written down once, whole, under a name that follows from its day, its reader and what it says; so the same one
is never written twice. A try is counted before it is made; the next waits longer and longer, since a round may follow
the other within seconds, and after five, or a refusal, it is over; so it is where its reader is not reached at that
address any more. They carry no turn, say by what they are made (RFC 3834), and answers to machines are never written
at all.
"""

from __future__ import annotations

import hmac
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from kursk_pbem.desk import clock
from kursk_pbem.errors import DiskError, UsageError
from kursk_pbem.formats import times
from kursk_pbem.formats.canonical import DS, canon, sha256_hex
from kursk_pbem.game import entropy
from kursk_pbem.post import address as addresses
from kursk_pbem.post import letter as letters
from kursk_pbem.post import people, place
from kursk_pbem.post.servers import smtp
from kursk_pbem.post.servers.smtp import Transport
from kursk_pbem.post.told import untold

BOUNCED, MOVED = "bounced", "moved"
NOBODY = "0" * 32
"""The mark of the director's own list, who has no key among the players."""
REPLIED, GENERATED = "auto-replied", "auto-generated"
A_DAY, IN_ALL = 10, 500
"""Answers to one person, and all answers, on one day."""
_WAITS = (5 * 60, 15 * 60, 60 * 60, 4 * 3600)
"""Seconds from each try to the next."""
KEPT = 40
"""Days after that of a letter, for which what became of it is kept."""
_SECRET = 32
"""Bytes of a secret."""
_NAME = re.compile(r"([0-9]{4}-[0-9]{2}-[0-9]{2})-([0-9a-f]{16})-([0-9a-f]{32})")


@dataclass(frozen=True)
class Note:
    """A letter in words to one person: the ``mark`` of their key, and the ``address`` on file.

    ``answers``: the Message-ID of what it answers, ``question``: the hash of that mail, ``game``: whose thread it
    belongs to; '' without. ``reply``: that was itself a reply to a letter in words. ``files``: name, type, content.
    """

    mark: str
    address: str
    subject: str
    body: str
    kind: str = GENERATED
    answers: str = ""
    game: str = ""
    reply: bool = False
    files: tuple[tuple[str, str, bytes], ...] = ()
    question: str = ""


def _folder(home: Path) -> Path:
    return place.root(home) / "out" / "words"


def _day(home: Path, day: str) -> list[str]:
    """The names of what was written for a day, sent or not."""
    return [name for name in place.names(_folder(home)) if name.startswith(day) and name.endswith(".json")]


Given = Counter[tuple[str, str, bool]]
"""How many answers there are, by the beginning of their reader's mark, their address, and if they answer replies."""


def given(home: Path, day: str) -> tuple[Given, set[str]]:
    """How many answers of a day there are, and the hashes of the mails that are answered.

    A reminder is of the day on which a term ends, and many are of a pause. What cannot be read counts for both kinds,
    at an address ''. DiskError.
    """
    counted, questions = Given(), set[str]()
    for name in _day(home, day):
        kind, reply, question, to = _kind(_folder(home) / name)
        if kind == REPLIED:
            counted.update((name[11:27], to, said) for said in ((True, False) if reply is None else (reply,)))
            questions.add(question)
    return counted, questions - {""}


def full(counted: Given, mark: str, address: str, *, reply: bool) -> bool:
    """Whether nobody's, or not this person's, questions of this day are answered any more; the first one of theirs is.

    ``counted``: what was ``given``. ``address``: where their answers go; what was asked in their name at another one
    takes none from them. ``reply``: questions in replies to our letters, which count apart from those that anybody can
    have written.
    """
    theirs = sum(counted[mark[:16], there, reply] for there in (address.lower(), ""))
    all_given = sum(number for (_mark, _to, said), number in counted.items() if said == reply)
    return theirs >= A_DAY or (theirs > 0 and all_given >= IN_ALL)


def _kind(path: Path) -> tuple[str, bool | None, str, str]:
    """Of which kind a letter in words is, if it answers a reply, the hash of what it answers, and where it went.

    '' without. An answer, where that cannot be read.
    """
    with suppress(UsageError):
        said = place.load(path)
        question, to = (str(said.get(name, "")) for name in ("question", "to"))
        return str(said.get("kind", REPLIED)), bool(said.get("reply")), question, to.lower()
    return REPLIED, None, "", ""


def readers(home: Path) -> dict[str, tuple[str, str]]:
    """For each letter in words what its Message-ID holds: its name, and how the mark of its reader begins. DiskError.

    Nobody else can know it (``_secret``): whoever replies to one reads the mails that go to the address it went to.
    """
    matches = (_NAME.fullmatch(name[:-5]) for name in place.names(_folder(home)) if name.endswith(".json"))
    return {match[3]: (match[0], match[2]) for match in matches if match is not None}


def went_to(home: Path, name: str, address: str) -> bool:
    """Whether a letter in words is written to an address; not if nobody can tell."""
    with suppress(UsageError):
        return addresses.same(str(place.load(_folder(home) / f"{name}.json").get("to", "")), address)
    return False


def write(home: Path, note: Note, sender: str, day: str, key: str = "") -> bool:
    """Write a letter down for good; false if it was before. ``key``: what it is about, if not its words. UsageError.

    Bytes that nothing describes are of a round that was killed, and may say what is so no more: they are replaced.
    """
    held = [sha256_hex(content) for _name, _type, content in note.files]
    words = {"at": note.address, "subject": note.subject, "body": note.body, **({"files": held} if held else {})}
    said = {"to": note.mark, **({"key": key} if key else words)}
    digest, name = _named(home, day, note.mark, said)
    if (_folder(home) / f"{name}.json").exists():
        return False
    place.put(_folder(home) / f"{name}.eml", _render(note, sender, digest))
    noted = {"to": note.address, "from": sender, "kind": note.kind, "at": clock.now()}
    noted |= {"question": note.question} if note.question else {}
    return place.once(_folder(home) / f"{name}.json", {**noted, **({"reply": True} if note.reply else {})})


def _named(home: Path, day: str, mark: str, said: Mapping[str, Any]) -> tuple[str, str]:
    """The digest and the name of what says this. The same words of another day are another letter. DiskError."""
    digest = hmac.new(_secret(home), DS + b"words\0" + canon({"day": day, **said}), "sha256").hexdigest()[:32]
    return digest, f"{day}-{mark[:16]}-{digest}"


def _secret(home: Path) -> bytes:
    """What makes that digest one that nobody works out who has not got the letter. DiskError.

    One that is shorter than it was made is damaged: with an empty one anybody could.
    """
    path = place.root(home) / "referee" / "secret"
    if not path.exists():
        place.once(path, entropy.fresh())
    try:
        secret = place.read(path)
    except OSError as error:
        raise place.fault(error) from None
    if len(secret) < _SECRET:
        raise DiskError(f"{path} cannot be read: it is cut off; move it away")
    return secret


def known(home: Path, day: str, mark: str, key: str) -> bool:
    """Whether the letter with this key of this day was written down to somebody."""
    return (_folder(home) / f"{_named(home, day, mark, {'to': mark, 'key': key})[1]}.json").exists()


def _render(note: Note, sender: str, digest: str) -> bytes:
    """The bytes of a letter in words. Its Message-ID names its game, for an answer may hold nothing else of that."""
    about = f".game-{note.game[:8]}" if note.game else ""
    headers = [
        ("From", sender),
        ("To", note.address),
        ("Subject", note.subject),
        ("Date", letters.date_of(clock.now())),
        ("Message-ID", f"<k1.words.{digest}{about}@{addresses.domain(sender) or letters.GAME_HOST}>"),
    ]
    headers += [("In-Reply-To", note.answers)] if note.answers else []
    known = [letters.game_thread(note.game)] if note.game else []
    known += [note.answers] if note.answers else []
    headers += [("References", "\r\n ".join(known))] if known else []
    headers += [letters.MIME, ("Auto-Submitted", note.kind), (letters.OURS, "1")]
    return letters.assembled(headers, "\n".join(letters.harmless(note.body.split("\n"))), digest, note.files)


def send(home: Path, transport: Transport, director: str) -> Iterator[str]:
    """Try every letter in words that is not over; what is worth telling of that. UsageError.

    ``director``: where they are reached now, '' if nowhere.
    """
    root = _folder(home)
    endings: dict[str, set[str]] = {}
    for file in place.names(root):
        name, _dot, ending = file.partition(".")
        endings.setdefault(name, set()).add(ending)
    for name, there in sorted(endings.items()):
        if "json" not in there or "over" in there or not _NAME.fullmatch(name):
            continue
        tries = sum(ending.startswith("try-") for ending in there)
        if tries and _since(root / f"{name}.try-{tries}") < _WAITS[min(tries, len(_WAITS)) - 1]:
            continue
        if not transport.ready():
            return
        try:
            raw, (sender, reader) = place.read(root / f"{name}.eml"), _from_to(root / f"{name}.json")
        except (UsageError, OSError, ValueError) as error:
            yield f"a letter in words does not go out: {root / name}.json or .eml cannot be read; remove both ({error})"
            continue
        try:
            back = BOUNCED in there
            gone = back or not _reached(home, name, reader, director)
        except UsageError as error:
            yield f"a letter in words to {reader} waits: {error}"
            continue
        if gone:
            why = "it came back from there" if back else "its reader is not reached there any more"
            yield untold.add(home, f"a letter in words to {reader} does not go out: {why}", wrong=True)
            place.once(root / f"{name}.over", {"became": MOVED, "at": clock.now()})
            continue
        place.once(root / f"{name}.try-{tries + 1}", {"at": clock.now()})
        answer = transport.send(raw, sender, reader)
        if answer.state not in (smtp.SENT, smtp.REFUSED) and tries < len(_WAITS):
            continue
        if answer.state != smtp.SENT:
            yield untold.add(home, f"a letter in words to {reader} did not go out: {answer.words}", wrong=True)
        place.once(root / f"{name}.over", {"became": answer.state, "at": clock.now()})


def _from_to(path: Path) -> tuple[str, str]:
    """Who a letter is from, and who it is to, as it is described. UsageError; ValueError where it does not say so."""
    match place.load(path):
        case {"from": str(sender), "to": str(reader)}:
            return sender, reader
    raise ValueError("it names no sender or no reader")


def _reached(home: Path, name: str, address: str, director: str) -> bool:
    """Whether the reader of a letter is reached at an address now. UsageError."""
    if NOBODY.startswith(name[11:27]):
        return addresses.same(director, address)
    return any(addresses.same(one.reached, address) for one in people.marked(home, name[11:27]))


def _since(tried: Path) -> int:
    """Seconds since a try; many if it does not say when it was, or the clock was ahead then."""
    at = ""
    with suppress(UsageError):
        at = str(place.load(tried).get("at", ""))
    now = clock.now()
    return times.between(at, now) if times.is_time(at) and at <= now else _WAITS[-1]


def waiting(home: Path) -> bool:
    """Whether any of them is still to go out."""
    names = set(place.names(_folder(home)))
    return any(name.endswith(".json") and f"{name[:-5]}.over" not in names for name in names)


def tried(home: Path) -> dict[str, list[str]]:
    """The names of the letters that were tried, by what their Message-IDs hold. DiskError."""
    there = dict[str, list[str]]()
    for file in place.names(_folder(home)):
        name, _dot, ending = file.partition(".")
        match = _NAME.fullmatch(name)
        if match is not None and ending == "try-1":
            there.setdefault(match[3], []).append(name)
    return there


def came_back(home: Path, name: str) -> tuple[Path, str]:
    """Return the file that says that a letter came back, and the address that the letter went to. Raises DiskError."""
    to = str(place.load(_folder(home) / f"{name}.json").get("to", ""))
    return _folder(home) / f"{name}.{BOUNCED}", to


def troubled(home: Path, mark: str, since: str) -> bool:
    """Whether a server has reported trouble with a letter in words to somebody since a time. DiskError."""
    theirs = (_folder(home) / name for name in place.names(_folder(home)) if name[11:27] == mark[:16])
    told = (path for path in theirs if path.suffix == f".{BOUNCED}")
    return any(place.time_in(path, place.load(path), "at") >= since for path in told)


def tidy(home: Path) -> None:
    """Forget what is older than 40 days, but no answer before it is over: what it answers may have waited longer."""
    root, today = _folder(home), clock.now()
    there = dict.fromkeys(place.names(root))
    for name in sorted(there, key=lambda name: not name.endswith(".json")):  # without that the rest says nothing
        match, stem = _NAME.match(name), name.partition(".")[0]
        if match is None or times.between(f"{match[1]}T00:00:00Z", today) <= KEPT * times.DAY:
            continue
        if f"{stem}.over" in there or f"{stem}.json" not in there or _kind(root / f"{stem}.json")[0] != REPLIED:
            (root / name).unlink(missing_ok=True)


def listed(lines: Sequence[str]) -> str:
    """Lines as the body of a letter."""
    return "\n".join([*lines, ""])
