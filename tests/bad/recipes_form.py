"""Strict YAML without the form of a message: every field of every type is wrong once (protocol 2.2).

The messages are changed after signing, because the program checks the form before the signature. The types take turns
with the wrong values of a field, so that every value occurs.
"""

from __future__ import annotations

import copy
from collections.abc import Callable
from itertools import count
from typing import Any

from bad.bad_desk import Bad, Base, Content
from bad.bad_text import ACCEPT, draft, spoil_mail, swap
from kursk_pbem.trust import messages

HASH = "ab" * 32
WRONG: dict[str, list[Any]] = {
    "kursk-pbem": ["2", "1.0", ["1"], "one", "01", ""],
    "type": ["trun", "Turn", ["turn"], "", "proposal", {"turn": "yes"}],
    "game": [HASH[:63], HASH.upper(), f"0x{HASH[:62]}", "", f"{HASH}0", [HASH]],
    "seq": ["04", "-4", "four", "4.0", "1234567890", ["4"]],
    "from": ["German", "the german side", "", "german!", "x" * 33, ["german"]],
    "prev": [HASH.replace("a", "g"), "", f"{HASH} ", HASH[:32], {"id": HASH}, "message 3"],
    "open": [HASH[:62], HASH.upper(), "", "secret", [HASH], f"{HASH}ab"],
    "commit": ["", HASH[:60], f"sha256:{HASH}", [HASH], "none", HASH.upper()],
    "nonce": ["", HASH[:32], "random", [HASH]],
    "dice-from": ["server", "Players", "", ["players"]],
    "keys": [
        "german",
        {"german": "ssh-ed25519 AAAA", "russian": "ssh-rsa AAAA"},
        {"german": f"ssh-ed25519 {'A' * 68}"},
        {"German": f"ssh-ed25519 {'A' * 68}", "russian": f"ssh-ed25519 {'B' * 68} boris"},
        dict.fromkeys(("german", "russian", "referee", "guest"), f"ssh-ed25519 {'A' * 68}"),
    ],
    "mix": ["", HASH[:63], "shaken", [HASH]],
    "next": ["", "Russian", ["russian"], "the russian side"],
    "names": [["Anna", "Boris"], {"german": "A" * 201}, {"german": {"first": "Anna"}}, {"The Germans": "Anna"}],
    "ruleset": [
        "battle-for-kursk",
        {"id": "battle-for-kursk"},
        {"id": "battle for kursk", "version": "1"},
        {"id": "battle-for-kursk", "version": "1.0"},
        {"id": "battle-for-kursk", "version": "1", "author": "me"},
    ],
    "scenario": [
        "citadel",
        {"id": "battle-for-kursk/citadel"},
        {"id": "../citadel", "sha256": HASH},
        {"id": "battle-for-kursk/citadel", "sha256": "0"},
    ],
    "options": [["weather"], {"weather": ["die"]}, {"the weather": "die"}],
    "seals": ["open", ["kept"], ""],
    "continues": [
        "no",
        {"game": HASH},
        {"game": HASH, "seq": "last", "id": HASH},
        {"game": "1", "seq": "1", "id": "1"},
    ],
    "what-if": ["", "yes", "04", "-1", ["4"]],
    "tournament": [
        HASH,
        {"id": HASH, "board": "1-1", "seq": "3"},
        {"id": HASH, "board": "first", "seq": "3", "head": HASH},
        {"id": HASH, "board": "1-1", "seq": "3", "head": HASH, "handicap": {"german": "-1"}},
    ],
    "reveal": [
        ["posture"],
        {"posture/turn-1": "engage"},
        {"posture/turn-1": {"salt": "abc", "value": "engage"}},
        {"posture/turn-1": {"value": "engage"}},
        {"Posture": {"salt": "ab" * 16, "value": "engage"}},
    ],
    "dice": ["6", {"ponyri/combat": "7"}, {"ponyri/combat": ["6"]}, {"Ponyri": "6"}, {"ponyri/combat": ""}],
    "state-in": ["", HASH[:63], {"turn": "1"}, "the same", HASH.upper()],
    "pending": ["none", ["ponyri"], {"who is asked": "german"}],
    "choice": ["engage", ["engage"], {"posture turn 1": {"posture": "engage"}}],
    "waive": [{"pos ture": "yes"}, [{"a:b": "c"}]],
    "orders": ["attack", ["attack"], {"battles!": []}],
    "decisions": ["accept", [{"orel": "accept"}], {"at orel": "accept"}],
    "policy": ["never", ["never"], {"stand fast": "never"}],
    "secret": ["hidden", {"plans/2": "abc"}, {"plans/2": {"hash": HASH}}, {"PLANS": HASH}],
    "kept": ["hidden", {"plans/2": "AAAA"}, {"plans/2": []}, {"plans/2": ["a plan"]}, {"PLANS": ["AAAA"]}],
    "offer": ["draw", {"kind": "peace"}, {"game": HASH}, {"kind": "successor", "game": "next"}],
    "reply": ["yes", ["accept"], {"accept": "yes"}, ""],
    "note": [["hello"], {"to": "Boris"}],
    "state-out": [HASH[:63], "", [HASH], "unknown", HASH.upper()],
    "signature": [["-----BEGIN SSH SIGNATURE-----"], {"armour": "none"}],
    "state": ["state", ["r-13"], {"turn": "1"}, {"type": "position"}],
}


def make_wrong(base: Base, kind: str, field: str, value: Any) -> bytes:
    """Return the message of a type with a wrong field."""
    message = {"propose": 0, "accept": 1, "turn": 4, "offer": 8, "reply": 9}
    read = base.read[message[kind]] if kind in message else base.resignation
    content: Content = copy.deepcopy(dict(read.content))
    armour = read.armour
    if field == "signature":
        text = messages.emit_message(content) + messages.emit_message({"signature": value})
    elif field == "state":
        text = messages.emit_message(content, armour) + messages.emit_message({"state": value})
    else:
        text = messages.emit_message({**content, field: value}, armour)
    return text.encode("ascii")


def one_wrong(kind: str, field: str, value: Any) -> Bad:
    if field == "state":  # only in a folder must the position be right: the inbox ignores it
        return Bad("verify GAME", "german 5", lambda base: make_wrong(base, kind, field, value), name="0004.yaml")
    command = ACCEPT if kind == "propose" else "inbox --report"
    return Bad(command, "russian 0", lambda base: make_wrong(base, kind, field, value))


def _every_field() -> dict[str, Bad]:
    turns: dict[str, Any] = {field: count() for field in WRONG}
    found = {}
    for kind, (required, optional) in messages.FIELDS.items():
        for field in WRONG:
            if field in required | optional or field == "signature" or (field == "state" and kind == "turn"):
                value = WRONG[field][next(turns[field]) % len(WRONG[field])]
                found[f"{kind}-{field}.yaml"] = one_wrong(kind, field, value)
    for field, values in WRONG.items():  # fields without a turn so far
        kind = next((kind for kind, fields in messages.FIELDS.items() if field in fields[0] | fields[1]), "turn")
        for number in range(next(turns[field]), len(values)):
            found[f"{kind}-{field}-{number + 1}.yaml"] = one_wrong(kind, field, values[number])
    return found


def _remove_lines(*names: str) -> Callable[[bytes], bytes]:
    """Remove the lines of some fields."""

    def change(text: bytes) -> bytes:
        kept = [line for line in text.split(b"\n") if line.split(b":")[0].decode() not in names]
        return b"\n".join(kept)

    return change


FILES: dict[str, Bad] = {
    **_every_field(),
    "no-kursk-pbem.yaml": spoil_mail(4, _remove_lines("kursk-pbem"), "russian 0"),
    "no-type.yaml": spoil_mail(4, _remove_lines("type"), "russian 0"),
    "no-seq-and-no-from.yaml": spoil_mail(4, _remove_lines("seq", "from"), "russian 0"),
    "field-unknown.yaml": spoil_mail(4, swap("seq: '4'", "seq: '4'\nmoves: []"), "russian 0"),
    "field-misspelt.yaml": spoil_mail(4, swap("orders:", "ordres:"), "russian 0"),
    "field-of-python.yaml": spoil_mail(4, swap("seq: '4'", "seq: '4'\n__class__: dict"), "russian 0"),
    "many-things-wrong.yaml": spoil_mail(
        4, swap("seq: '4'\nfrom: german", "seq: four\nfrom: Germans\nzeal: high"), "russian 0"
    ),
    # Wrong drafts
    "draft-of-another-number.yaml": draft(swap("seq: '2'", "seq: '3'"), "german 2"),
    "draft-of-the-other-side.yaml": draft(swap("from: german", "from: russian"), "german 2"),
    "draft-of-another-game.yaml": Bad(
        "check", "german 2", lambda base: base.draft("german 2").replace(base.read[0].id, HASH, 1).encode("ascii")
    ),
    "draft-after-another-message.yaml": Bad(
        "check",
        "german 2",
        lambda base: base.draft("german 2").replace(f"prev: {base.read[1].id}", f"prev: {HASH}").encode("ascii"),
    ),
    "draft-that-is-signed.yaml": Bad("check", "german 2", lambda base: base.text(2).encode("ascii")),
    "draft-with-dice.yaml": draft(swap("waive: posture", "dice: {ponyri/combat: '6'}"), "german 2"),
    "draft-with-an-opening.yaml": draft(swap("waive: posture", f"open: {HASH}"), "german 2"),
    "draft-with-a-hash.yaml": draft(swap("waive: posture", f"secret: {{plans/2: {HASH}}}"), "german 2"),
    "draft-of-a-proposal.yaml": draft(swap("type: turn", f"type: propose\nnonce: {HASH}"), "german 2"),
    "draft-with-a-reply.yaml": draft(swap("waive: posture", "reply: accept"), "german 2"),
}
