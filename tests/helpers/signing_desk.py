"""A small vocabulary for tests: write the messages of a game as its two players would."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

import pytest

from kursk_pbem.errors import TrustError
from kursk_pbem.formats.canonical import canon
from kursk_pbem.trust import chains, commit, keys, messages, sshsig
from kursk_pbem.trust.messages import Message

VECTORS = Path(__file__).parents[1] / "vectors"
PLAYERS = VECTORS / "sample-players"
STATE = "ab" * 32
NONCE = hashlib.sha256(b"a nonce").digest()
SIDES = ("russian", "german")  # the writers of even and odd messages
SIGNERS = {
    side: keys.from_seed(hashlib.sha256(b"kursk-pbem test key " + side.encode()).digest())
    for side in ("german", "russian", "soviet", "referee", "stranger")
}


def load_vectors(name: str = "vectors.json") -> Any:
    return json.loads((VECTORS / name).read_text(encoding="utf-8"))


def sample(k: int, folder: Path = PLAYERS) -> Message:
    """Read message k of a sample from its mailed form."""
    path = folder / f"{k:04}.yaml"
    return messages.read_message(path.read_bytes(), path.name)


def signed(content: dict[str, Any], by: str = "", armour: str | None = None) -> Message:
    """Sign any content unchanged, and read the message from its mailed form."""
    content = {key: value for key, value in content.items() if value is not None}
    signer = SIGNERS[by or content["from"]]
    text = messages.emit_message(content, armour or signer.sign(sshsig.NAMESPACE, canon(content)))
    return messages.read_message(text.encode("ascii"), "test.yaml")


def opening(k: int) -> bytes:
    return hashlib.sha256(b"opening %d" % k).digest()


def propose(**changes: Any) -> dict[str, Any]:
    """Return the content of an ordinary M0; ``None`` removes a field, names have underscores."""
    return change_fields(
        {
            "kursk-pbem": "1",
            "type": "propose",
            "seq": "0",
            "from": "russian",
            "commit": commit.commit_to_opening(NONCE, 2, opening(2)).hex(),
            "nonce": NONCE.hex(),
            "dice-from": "players",
            "keys": {side: SIGNERS[side].public for side in ("german", "russian")},
            "names": {"german": "Alice", "russian": "Bob"},
            "ruleset": {"id": "demo", "version": "1"},
            "scenario": {"id": "demo-1", "sha256": "cd" * 32},
            "options": {},
            "state-out": STATE,
        },
        changes,
    )


def make_mix(k: int) -> str:
    return hashlib.sha256(b"mix %d" % k).hexdigest()


def following(before: chains.Chain, **changes: Any) -> dict[str, Any]:
    """Return the content of an ordinary next message. A referee who rolls names the side that did not write last."""
    k = before.next_seq
    head = {
        "kursk-pbem": "1",
        "type": "accept" if k == 1 or (k == 3 and before.refereed) else "turn",
        "game": before.game,
        "seq": str(k),
        "from": (before.writer(k) or "referee") if before.refereed else SIDES[k % 2],
        "prev": before.head_id,
        "state-in": STATE,
        "state-out": STATE,
    }
    more = {"open": opening(k).hex(), "commit": commit.commit_to_opening(before.nonce, k + 2, opening(k + 2)).hex()}
    if before.refereed and k % 2:
        more = {"mix": make_mix(k)}
    elif before.refereed:
        more["next"] = "russian" if before.writers[k - 1] == "german" else "german"
    return change_fields(head | more, changes)


def change_fields(content: dict[str, Any], changes: dict[str, Any]) -> dict[str, Any]:
    content = content | {key.rstrip("_").replace("_", "-"): value for key, value in changes.items()}
    return {key: value for key, value in content.items() if value is not None}


def after(before: chains.Chain, **changes: Any) -> chains.Chain:
    """Return the chain with a next message."""
    return before.extend(signed(following(before, **changes)))


def game(length: int, proposal: dict[str, Any] | None = None) -> chains.Chain:
    """Return the chain of an uneventful game of ``length`` messages; the sides take turns."""
    result = chains.start_chain(signed(proposal or propose()))
    while result.next_seq < length:
        result = after(result)
    return result


def seal(before: chains.Chain, label: str, value: Any, salt: bytes = bytes(16)) -> dict[str, str]:
    """Return the ``secret`` entry of the next message after ``before``."""
    return {label: commit.choice_hash(before.nonce, before.next_seq, label, salt, value).hex()}


def sample_chain(length: int = 8, folder: Path = PLAYERS) -> chains.Chain:
    result = chains.start_chain(sample(0, folder))
    for k in range(1, length):
        result = result.extend(sample(k, folder))
    return result


def refused(work, fault: str, *words: str) -> TrustError:
    with pytest.raises(TrustError) as caught:
        work()
    assert caught.value.fault == fault, caught.value
    assert caught.value.exit_status == 3
    for word in words:
        assert word in str(caught.value)
    assert str(caught.value).isascii()
    return caught.value


def refused_next(before: chains.Chain, fault: str, *words: str, by: str = "", **changes) -> TrustError:
    found = signed(following(before, **changes), by)
    return refused(lambda: before.extend(found), fault, *words)
