"""Turn files of every type, and the result of reading a thing (docs/formats.md 4.1)."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, TypeAlias

from kursk_pbem.errors import FileError, Where
from kursk_pbem.formats import strictyaml
from kursk_pbem.formats.strictyaml import Document
from kursk_pbem.formats.text import show
from kursk_pbem.frozen import frozen
from kursk_pbem.trust import card as cards
from kursk_pbem.trust import decoding, messages, papers
from kursk_pbem.trust.card import Card
from kursk_pbem.trust.messages import Message
from kursk_pbem.trust.papers import Paper

if TYPE_CHECKING:
    from kursk_pbem.trust.decoding import Unread
    from kursk_pbem.trust.invitation import Invitation

AnyTurn: TypeAlias = "Message | Paper | Card"
Claim: TypeAlias = "tuple[str, str, bool]"
"""The claims of an unreadable turn: its game (in a proposal the nonce), its number, and whether it is cut off."""
MAIL, TEXT = "a mail without a turn", "a text without a turn"
BEGINS = ": a turn begins with the line kursk-pbem: '1', and may be an attachment that was not saved"
AGAIN = "ask for it again, as an attachment"
EARLY_PROOF = re.compile(rb"^kursk-pbem-proof: +['\"]?1['\"]?[ \t]*\r?$", re.MULTILINE)
"""The first word of a proof from before release 1.0."""
NUMBERED = re.compile(r"(?s:.*(?:/|: ))?[0-9]{4}\.yaml")
"""The name of a turn file."""
_KINDS = (
    (b"ssh-ed25519 AAAA", "a public key: name the key with --opponent or --key"),
    (b"Report of message ", "a report of this program: ask for the turn, a file such as 0002.yaml"),
    (b"kursk-pbem-proof:", "a proof: 'kursk prove' checks the proof"),
    (b'{"commit":', "a message in the archive form: 'kursk verify' checks the folder of the archive"),
    (b'{"branches":', "a study, which is no turn and counts nowhere: 'kursk replay' shows the study"),
)
"""The beginning of a line in a text that is no turn, and what the text is."""
_TALK = ("a picture", "a PDF", "a signature", "a database", decoding.EMPTY, decoding.PRIVATE, *dict(_KINDS).values())
"""Kinds of files that lie beside turns and hide none."""


@frozen
class Reading:
    """The content of the file, mail, text or link ``name``, in order and without copies.

    ``papers``: tournament papers, with form and signature unchecked. ``faults``: an error for each unreadable turn,
    card or invitation. ``event_faults``: an error for each unreadable tournament paper. ``unread``: the files that are
    no text. ``kind``: the kind of file, if nothing else could be read. ``claims``: the claims of the unreadable turns.
    """

    name: str
    turns: tuple[Message | Paper, ...] = ()
    cards: tuple[Card, ...] = ()
    invitations: tuple[Invitation, ...] = ()
    papers: tuple[Document, ...] = ()
    faults: tuple[FileError, ...] = ()
    event_faults: tuple[FileError, ...] = ()
    unread: tuple[Unread, ...] = ()
    kind: str = ""
    claims: tuple[Claim, ...] = ()

    @property
    def anything(self) -> bool:
        """Whether the file contains something that the program can process: a turn, paper, card or invitation."""
        return bool(self.turns or self.cards or self.invitations or self.papers)

    @property
    def words(self) -> bool:
        """Whether the file contains only words that a person wrote."""
        return self.kind in (MAIL, TEXT) and not self.unread

    @property
    def may_hide(self) -> bool:
        """Whether the file may hide a turn: by a turn file's name, or by an inner file that is no text or picture."""
        strange = any(each.what not in _TALK for each in self.unread)
        return not (self.anything or self.faults) and (strange or NUMBERED.fullmatch(self.name) is not None)

    @property
    def reasons(self) -> tuple[FileError, ...]:
        """The reasons why no part can be processed: faults, otherwise unread files, otherwise the kind of file."""
        kind = f"this is {self.kind}{BEGINS if self.words else ''}"
        words = [_describe_unread(each) for each in self.unread] or [kind]
        others = tuple(FileError(each, Where(self.name)) for each in words)
        return self.faults or self.event_faults or others


def name_text(text: bytes) -> str:
    """Return a description of a text written by this program that is not a turn. For other texts return ''."""
    return next((kind for begin, kind in _KINDS if text.startswith(begin) or b"\n" + begin in text), "")


def _describe_unread(unread: Unread) -> str:
    """Return what an unreadable file is, and the remedy."""
    remedy = "" if ": " in unread.what else ": ask for the turn as an ordinary attachment"
    return f"{f'the file {show(unread.place)}' if unread.place else 'this'} is {unread.what}{remedy}"


def read_turn(raw: bytes, name: str) -> AnyTurn:
    """Return a turn file's message, referee's paper or card. The signature is not checked. Raises FileError."""
    return parse_turn(strictyaml.read(raw, name))


def parse_turn(document: Document) -> AnyTurn:
    """Return the message, referee's paper or address card in a parsed file. Raises FileError."""
    schema = find_schema(document)
    if schema == "slip":
        return cards.parse_card(document)
    return papers.parse_paper(document) if schema == "paper" else messages.parse_message(document)


def find_schema(document: Document) -> str:
    """Return the name of the JSON Schema for a turn file."""
    kind = document.data.get("type")
    return "slip" if kind in tuple(cards.FIELDS) else "paper" if kind in tuple(papers.FIELDS) else "message"
