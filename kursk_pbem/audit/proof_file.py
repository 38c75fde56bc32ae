"""A proof as one file: what it claims, then the messages as they were signed, each a YAML document of its own.

The claim is for people; a reader of the file works it out again from the messages. Each of these is a whole turn
file, which can be cut out and checked alone. Where the rules are needed, the last document is the position on which
the false message stands; it must hash to what the message before it signed.
"""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path
from typing import Any

from kursk_pbem.audit.prove import CLAIMS, Conviction, fingerprint
from kursk_pbem.errors import FileError, Where
from kursk_pbem.formats import strictyaml
from kursk_pbem.formats.canonical import MAX_BYTES, state_hash
from kursk_pbem.formats.yamlout import yaml_lines
from kursk_pbem.trust import messages
from kursk_pbem.trust.messages import Message

MARK = "kursk-pbem-proof"
VERSION = "1"
MAX_PROOF = 8 * MAX_BYTES
"""Bytes of a proof: its few messages, each as long as one may be."""
MAX_MESSAGES = 512
"""Messages of a proof: at most those of a whole game, and no game is half as long."""

# possessive: nothing is tried in two ways, which would take for ever over a few dozen line ends (T27)
_FIRST = re.compile(rb"(?:[ \t]*+(?:#[^\r\n]*+)?+(?:\r\n?+|\n))*+" + MARK.encode("ascii") + rb":")
_BETWEEN = re.compile(rb"^---[ \t]*(?:\r\n?|\n)", re.MULTILINE)
_POSITION = re.compile(rb"state:")
_KEYS = {MARK, "game", "convicts", "claim", "messages"}


def file_name(conviction: Conviction) -> str:
    """What the file of a proof is called: game and number of the false message."""
    return f"proof-{conviction.game[:16]}-{conviction.seq:04d}.yaml"


def claim(conviction: Conviction) -> dict[str, Any]:
    """The first document of a proof."""
    return {
        MARK: VERSION,
        "game": conviction.game,
        "convicts": conviction.side,
        "claim": conviction.claim,
        "messages": [conviction.head.id, *(message.id for message in conviction.evidence)],
    }


def text(conviction: Conviction) -> str:
    """The proof of a conviction, as a file: pure ASCII, the same bytes whatever the messages were found in."""
    lines = [
        f"# {conviction.side} (key {fingerprint(conviction)}) is convicted of {CLAIMS[conviction.claim]} in message",
        f"# {conviction.seq}. Believe nothing that stands up here: 'kursk prove FILE' works it out again",
        "# from the messages below, which are as they were signed.",
        *yaml_lines(claim(conviction)),
    ]
    parts = ["\n".join((*lines, ""))]
    head = conviction.head
    agreed = head.state if "continues" in head.content else None  # a game that continues another begins from it
    parts.append(messages.emit_message(head.content, head.armour, agreed))
    parts += [messages.emit_message(message.content, message.armour) for message in conviction.evidence]
    if conviction.before is not None:
        parts.append("\n".join((*yaml_lines({"state": conviction.before.to_plain()}), "")))
    return "---\n".join(parts)


def is_proof(raw: bytes) -> bool:
    """Whether a file says that it is a proof."""
    return _FIRST.match(raw) is not None


def read(raw: bytes, name: str) -> tuple[dict[str, Any], list[Message]]:
    """What a proof claims, and its messages, nothing checked but the form. FileError, with document and line."""
    if len(raw) > MAX_PROOF:
        raise FileError(f"more than {MAX_PROOF} bytes; this is hardly a proof", Where(name))
    parts = _BETWEEN.split(raw)
    said = strictyaml.read(parts[0], name)
    data = said.data
    if set(data) != _KEYS or data[MARK] != VERSION:
        why = f"a proof begins with exactly {', '.join(sorted(_KEYS))}, of version {VERSION}; ask for the file again"
        raise FileError(why, said.where())
    if len(parts) > MAX_MESSAGES + 2:  # the claim, and perhaps a position
        raise FileError(f"more than {MAX_MESSAGES} messages; this is hardly a proof", said.where())
    run: list[Message] = []
    for number, part in enumerate(parts[1:], 2):
        called = f"{name} (document {number})"
        if number == len(parts) and _POSITION.match(part):
            run = _with_position(run, part, called)
        else:
            run.append(messages.read_message(part, called))
    # Each would be judged, whatever the file claims (T27).
    if len({message.id for message in run}) > len({message.seq for message in run}) + 1:
        why = "a proof is a run of messages, of which two at most have one number; ask for the file again"
        raise FileError(why, said.where())
    return data, run


def _with_position(run: list[Message], part: bytes, name: str) -> list[Message]:
    """The messages; those that have left this very position, with it."""
    document = strictyaml.read(part, name)
    state = document.data["state"]
    if set(document.data) != {"state"} or not isinstance(state, dict) or state.get("type") != "state":
        raise FileError("the position must hold 'state', with 'type: state' in it, and nothing else", document.where())
    digest = state_hash(state)
    return [replace(message, state=state) if message.content.get("state-out") == digest else message for message in run]


def read_bytes(path: Path) -> bytes:
    """The bytes of a file that is known to be an ordinary one, at most as many as a proof may have and one more."""
    with path.open("rb") as file:
        return file.read(MAX_PROOF + 1)
