"""A proof as one file: the claim, then the signed messages, each a separate YAML document.

The claim is for people; a reader derives the claim again from the messages. Each message is a complete turn file and
can be checked alone. If the proof needs the rules, the last document is the position before the false message. The
position must match the hash signed in the message before.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

from kursk_pbem.audit.prove import CLAIMS, Conviction, show_fingerprint
from kursk_pbem.errors import TOO_EARLY, EarlyError, FileError, Where
from kursk_pbem.formats import strictyaml
from kursk_pbem.formats.canonical import MAX_BYTES, state_hash
from kursk_pbem.formats.yamlout import yaml_lines
from kursk_pbem.rulesets import hash_rules
from kursk_pbem.trust import messages
from kursk_pbem.trust.messages import Message

MARK = "kursk-pbem-proof"
VERSION = "2"
"""The version of the form of proofs, new in release 1.0."""
BY_RULES = ("state",)
"""The claims that can be checked only with the rules pinned by the game."""
RULES, UNKNOWN = "rules", "unknown"
"""The field with the hash of the maker's rules code, and its value if the maker had no such rules."""
MAX_PROOF = 8 * MAX_BYTES
"""Maximum number of bytes of a proof."""
MAX_MESSAGES = 512
"""Maximum number of messages of a proof. No game has half as many messages."""

# possessive, because backtracking over a few dozen line ends would take forever (T27)
_FIRST = re.compile(rb"(?:[ \t]*+(?:#[^\r\n]*+)?+(?:\r\n?+|\n))*+" + MARK.encode("ascii") + rb":")
_RULES = re.compile(f"[0-9a-f]{{64}}|{UNKNOWN}")
_BETWEEN = re.compile(rb"^---[ \t]*(?:\r\n?|\n)", re.MULTILINE)
_POSITION = re.compile(rb"state:")
_KEYS = {MARK, "game", "convicts", "claim", "messages", RULES}


def file_name(conviction: Conviction) -> str:
    """Return the file name of a proof, made from the game and the number of the false message."""
    return f"proof-{conviction.game[:16]}-{conviction.seq:04d}.yaml"


def make_claim(conviction: Conviction) -> dict[str, Any]:
    """Return the claim of a proof, which is the proof's first document, as plain data."""
    return {
        MARK: VERSION,
        "game": conviction.game,
        "convicts": conviction.side,
        "claim": conviction.claim,
        "messages": [conviction.head.id, *(message.id for message in conviction.evidence)],
        RULES: hash_rules(str(conviction.head.mapping("ruleset")["id"])) or UNKNOWN,
    }


def is_claimed(conviction: Conviction, said: dict[str, Any]) -> bool:
    """Return whether a proof claims this conviction. Version and rules code in the claim may differ from ours."""
    return {**make_claim(conviction), **{key: said.get(key) for key in (MARK, RULES)}} == {RULES: None, **said}


def describe_rules(said: dict[str, Any], pool: list[Message]) -> str:
    """Return a note if a proof was made with other rules code than this program's, otherwise ''."""
    head = next((message for message in pool if message.seq == 0), None)
    ours = hash_rules(str(head.mapping("ruleset")["id"])) if head else ""
    if not ours or said.get(RULES) in (None, ours):
        return ""
    return f". The proof was made with other rules' code ({said[RULES][:16]}) than here ({ours[:16]})"


def write_proof(conviction: Conviction) -> str:
    """Return the proof of a conviction as ASCII text. The source of the messages does not change the bytes."""
    key = show_fingerprint(conviction)
    lines = [
        f"# {conviction.side} (key {key}) is convicted of {CLAIMS[conviction.claim]} in message",
        f"# {conviction.seq}. Do not trust these lines: 'kursk prove FILE' judges the",
        "# messages below again. The messages are exactly as signed.",
        *yaml_lines(make_claim(conviction)),
    ]
    parts = ["\n".join((*lines, ""))]
    head = conviction.head
    agreed = head.state if "continues" in head.content else None  # a successor game begins with the agreed position
    parts.append(messages.emit_message(head.content, head.armour, agreed))
    parts += [messages.emit_message(message.content, message.armour) for message in conviction.evidence]
    if conviction.before is not None:
        parts.append("\n".join((*yaml_lines({"state": conviction.before.to_plain()}), "")))
    return "---\n".join(parts)


def is_proof(raw: bytes) -> bool:
    """Return whether a file begins like a proof."""
    return _FIRST.match(raw) is not None


def read(raw: bytes, name: str) -> tuple[dict[str, Any], list[Message]]:
    """Return the claim and the messages of a proof after a check of form. Raises FileError with document and line."""
    if len(raw) > MAX_PROOF:
        raise FileError(f"the file has more than {MAX_PROOF} bytes, and is too long for a proof", Where(name))
    parts = _BETWEEN.split(raw)
    said = strictyaml.read(parts[0], name)
    data = said.data
    if data.get(MARK) == "1":
        raise EarlyError(f"the proof {TOO_EARLY}", said.where((MARK,)))
    if set(data) != _KEYS or data[MARK] != VERSION or not _RULES.fullmatch(str(data[RULES])):
        why = f"a proof begins with exactly {', '.join(sorted(_KEYS))}, of version {VERSION}; ask for the file again"
        raise FileError(why, said.where())
    if len(parts) > MAX_MESSAGES + 2:  # the claim, and perhaps a position
        raise FileError(f"the file has more than {MAX_MESSAGES} messages, too many for a proof", said.where())
    run: list[Message] = []
    for number, part in enumerate(parts[1:], 2):
        called = f"{name} (document {number})"
        if number == len(parts) and _POSITION.match(part):
            run = _add_position(run, part, called)
        else:
            run.append(messages.read_message(part, called))
    # All messages would be judged, regardless of the claim (T27).
    if len({message.id for message in run}) > len({message.seq for message in run}) + 1:
        why = "in a proof, at most two messages may have an equal number; ask for the file again"
        raise FileError(why, said.where())
    return data, run


def _add_position(run: list[Message], part: bytes, name: str) -> list[Message]:
    """Return the messages, with the position added to each message that left this position."""
    document = strictyaml.read(part, name)
    state = document.data["state"]
    if set(document.data) != {"state"} or not isinstance(state, dict) or state.get("type") != "state":
        raise FileError("the position must have only the field 'state', with 'type: state' in it", document.where())
    digest = state_hash(state)
    return [replace(message, state=state) if message.content.get("state-out") == digest else message for message in run]
