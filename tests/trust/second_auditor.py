#!/usr/bin/env python3
"""Check a game of kursk-pbem without kursk-pbem and without rules: ``python3 second_auditor.py FOLDER``.

The complete second implementation of the protocol. It must refuse what the program refuses, with an equal fault;
docs/verify_game.py is the short script, for people.

FOLDER holds the archive form: NNNN.json (the signed bytes) and NNNN.json.sig. The script needs only Python 3.9 and
OpenSSH's ssh-keygen. For every message the script checks form, signature, order, sender, opening and reveals, and
computes every die again. Orders, positions and the need for a die depend on the rules, so the script does not check
them. Written from the protocol, not from the program; section numbers are from docs/auditors.md.

Exit status 0: no fault, the last line names the head. 1: a fault, named by file and reason. 2: cannot run.
"""

import base64
import binascii
import hashlib
import hmac
import json
import re
import subprocess
import sys
import tempfile
from datetime import date
from pathlib import Path
from typing import Any

DS = b"kursk-pbem/v1/"
HASH, LABEL, KEY = "[0-9a-f]{64}", "[a-z0-9][a-z0-9./-]{0,63}", "[A-Za-z0-9][A-Za-z0-9./-]{0,63}"
SIDE, NUMBER, NAME = "[a-z][a-z-]{0,31}", "0|[1-9][0-9]{0,8}", "(?s).{0,200}"
CHOICES = {"choice", "waive", "orders", "decisions", "policy", "secret", "kept"}
MAPPINGS = {"choice", "orders", "decisions", "policy", "pending", "names", "ruleset", "scenario", "options"}
PROPOSAL = {"nonce", "keys", "names", "ruleset", "scenario", "options", "dice-from"}
MACHINE = re.compile("[ -~]*")  # 3.1; free text (note, names) may contain all characters except these, 4.3:
UNSEEN = re.compile(
    "[\0-\t\x0b-\x1f\x7f-\x9f\xad\u034f\u0600-\u0605\u061c\u06dd\u070f\u0890\u0891\u08e2\u115f\u1160\u17b4\u17b5"
    "\u180b-\u180f\u200b-\u200f\u2028-\u202f\u2060-\u206f\u2800\u3164\ud800-\uf8ff\ufdd0-\ufdef\ufe00-\ufe0f\ufeff\uffa0"
    "\ufff0-\uffff\U000110bd\U000110cd\U00013430-\U0001343f\U00016fe4\U0001bca0-\U0001bca3\U0001d159"
    "\U0001d173-\U0001d17a\U000e0000-\U0010ffff]"
)
P, L = 2**255 - 19, 2**252 + 27742317777372353535851937790883648493  # the field and the group order of Ed25519
ORDER_8 = [  # 3.4: with y = -1, 0, 1 in every spelling: keys with signatures that fit many messages
    int.from_bytes(bytes.fromhex(text), "little")
    for text in (
        "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05",
        "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a",
    )
]
WEAK = {(y + sign * 2**255).to_bytes(32, "little") for y in (0, 1, P - 1, P, P + 1, *ORDER_8) for sign in (0, 1)}


class FaultError(Exception):
    """A fault: its kind and reason."""


def need(holds: object, kind: str, why: str) -> None:
    """Raise a fault if a condition is false."""
    if not holds:
        raise FaultError(f"{kind}: {why}")


def digest(*parts: bytes) -> str:
    """Return SHA-256 of the joined parts, in hex digits."""
    return hashlib.sha256(b"".join(parts)).hexdigest()


def spell(value: Any) -> bytes:
    """Return the canonical spelling of a value (3.1)."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()


def check_text(value: Any, pattern: str = HASH) -> str:
    """Return the value if it is a text of this form."""
    need(isinstance(value, str) and re.fullmatch(pattern, value), "canonical", f"{ascii(value)[:80]} has not the form")
    return str(value)


def check_mapping(value: Any, keys: str = LABEL) -> dict[str, Any]:
    """Return the value if it is a mapping with keys of this form."""
    need(isinstance(value, dict), "canonical", f"{ascii(value)[:80]} is no mapping")
    return {check_text(key, keys): value[key] for key in value}


def walk(value: Any, where: tuple[str, ...] = ()) -> None:
    """Check for texts, lists and mappings only, 12 levels deep, in printable ASCII except for free text (4.2, 4.3)."""
    why = f"{'.'.join(where)}: {ascii(value)[:80]}"
    if isinstance(value, str):
        free = where == ("note",) or (len(where) == 2 and where[0] == "names")
        need(len(value) <= 4096, "canonical", f"{why} is too long")
        need(
            not UNSEEN.search(value) if free else MACHINE.fullmatch(value), "canonical", f"{why} holds what may not be"
        )
        return
    need(isinstance(value, (dict, list)), "canonical", f"{why} is neither a text nor a list nor a mapping")
    need(len(where) < 12, "canonical", f"{why} lies too deep")
    for key, item in check_mapping(value, KEY).items() if isinstance(value, dict) else (("-", item) for item in value):
        walk(item, (*where, key))


def time(value: object) -> str:
    """Return a referee's time; each second has one spelling, so texts can be compared (2.10)."""
    said = check_text(value, "[0-9]{4}(-[0-9]{2}){2}T([01][0-9]|2[0-3])(:[0-5][0-9]){2}Z")
    try:
        date.fromisoformat(said[:10])
    except ValueError:
        raise FaultError(f"canonical: {said} is no date") from None
    return said


def read(path: Path) -> tuple[bytes, dict[str, Any]]:
    """Return the bytes of a file and their content; the bytes must be canonical (3.1)."""

    def once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        need(len(dict(pairs)) == len(pairs), "canonical", "a key stands twice")
        return dict(pairs)

    data = path.read_bytes()
    need(len(data) <= 262_144, "canonical", "larger than 262144 bytes")
    try:
        said = json.loads(data.decode(), object_pairs_hook=once)
        walk(said)
        need(spell(said) == data, "canonical", "not the canonical form of what it says")
    except (ValueError, RecursionError) as error:
        raise FaultError(f"canonical: {error}") from None
    need(check_mapping(said, KEY).get("kursk-pbem") == "1", "canonical", "not version 1 of the protocol")
    need(isinstance(said.get("note", ""), str), "canonical", "note is no text")
    for field in MAPPINGS & said.keys():
        check_mapping(said[field], KEY)
    return data, said


def check_signature(path: Path, data: bytes, side: str, key: str) -> None:
    """Check that the signature is canonical, by the ssh-ed25519 key, and accepted by ssh-keygen (3.4)."""

    def string(part: bytes) -> bytes:
        return len(part).to_bytes(4, "big") + part

    sig = path.with_name(path.name + ".sig")
    need(sig.is_file(), "signature", f"{sig.name} is missing")
    lines = sig.read_bytes().decode("ascii", "replace").split("\n")
    markers = ["-----BEGIN SSH SIGNATURE-----", "-----END SSH SIGNATURE-----"]
    lines = [line.strip() for line in lines if line.strip()]
    need(lines[:1] + lines[-1:] == markers, "signature", "not one armoured SSH signature")
    try:
        blob = base64.b64decode("".join(lines[1:-1]), validate=True)
    except binascii.Error as error:
        raise FaultError(f"signature: {error}") from None
    public, last = base64.b64decode(key.split()[1]), blob[-64:]
    head = b"SSHSIG" + (1).to_bytes(4, "big") + string(public) + string(b"kursk-pbem") + string(b"") + string(b"sha512")
    need(blob == head + string(string(b"ssh-ed25519") + string(last)), "signature", f"not one of {side}'s pinned key")
    need(int.from_bytes(last[32:], "little") < L, "signature", "S is not below the group order")
    with tempfile.TemporaryDirectory() as folder:
        allowed = Path(folder, "allowed_signers")
        allowed.write_text(f'{side} namespaces="kursk-pbem" {key}\n')
        command = ["ssh-keygen", "-Y", "verify", "-f", str(allowed), "-I", side, "-n", "kursk-pbem", "-s", str(sig)]
        ran = subprocess.run(command, input=data, capture_output=True, check=False)
    need(ran.returncode == 0, "signature", f"this copy is not what {side} signed")


class Game:
    """The chain so far. Message k is self.chain[k]."""

    def __init__(self) -> None:
        self.chain: list[dict[str, Any]] = []
        self.ids: list[str] = []
        self.keys: dict[str, str] = {}
        self.receipts: dict[int, dict[str, Any]] = {}  # by message; only receipts that count
        self.longer: dict[int, str] = {}  # by message, the extended deadline of its answer
        self.papers: dict[str, dict[str, Any]] = {}  # by id
        self.sealed: dict[str, tuple[int, dict[str, str]]] = {}  # by side: the message with open seals, and the seals

    def begin(self, message: dict[str, Any]) -> None:
        """Read the head fields of message 0 (2.2)."""
        keys = check_mapping(message.get("keys"), SIDE)
        self.keys = {side: check_text(key, "ssh-ed25519 [A-Za-z0-9+/]{68}") for side, key in keys.items()}
        self.sides = sorted(self.keys.keys() - {"referee"})
        raw = [base64.b64decode(key.split()[1]) for key in self.keys.values()]
        need(all(key[:19] == b"\0\0\0\x0bssh-ed25519\0\0\0\x20" for key in raw), "head", "a key is no ed25519 key")
        need(len(self.sides) == 2 and len(set(raw)) == len(raw), "head", "not two sides with a key each of their own")
        need(not WEAK & {key[19:] for key in raw}, "head", "a weak key: it would let one signature fit many messages")
        scenario, ruleset = check_mapping(message.get("scenario")), check_mapping(message.get("ruleset"))
        need(scenario.keys() == {"id", "sha256"}, "canonical", "scenario: id and sha256")
        need(ruleset.keys() == {"id", "version"}, "canonical", "ruleset: id and version")
        forms = [(scenario["id"], KEY), (scenario["sha256"], HASH), (ruleset["id"], KEY), (ruleset["version"], NUMBER)]
        forms += [(name, NAME) for name in check_mapping(message.get("names"), SIDE).values()]
        forms += [(value, "[ -~]*") for value in check_mapping(message.get("options"), KEY).values()]
        if "continues" in message:  # 2.9
            said = check_mapping(message["continues"])
            need(said.keys() == {"game", "seq", "id"}, "canonical", "continues: game, seq and id")
            forms += [(said["game"], HASH), (said["seq"], NUMBER), (said["id"], HASH)]
        for value, pattern in forms:
            check_text(value, pattern)
        self.keeps = "seals" in message and bool(check_text(message["seals"], "kept"))
        self.nonce = bytes.fromhex(check_text(message.get("nonce")))
        self.refereed = check_text(message.get("dice-from"), "players|referee") == "referee"
        need(not self.refereed or "referee" in self.keys, "head", "no key of the referee")

    def slot(self, k: int, message: dict[str, Any]) -> tuple[str, set[str]]:
        """Return the writer and the possible types of message k."""
        if k == 0:
            return ("referee" if self.refereed else check_text(message["from"], "|".join(self.sides))), {"propose"}
        last = self.chain[-1]
        over = last["from"] == "referee" and "next" not in last
        over = over or last["type"] == "resign" or last.get("reply") == "accept"
        need(not over, "order", "the game is over")
        proposer = self.chain[0]["from"]
        if not self.refereed:
            side = proposer if k % 2 == 0 else self.other(proposer)
        else:
            side = "referee" if k % 2 == 0 else last["next"]
        if k == 1 or (k == 3 and self.refereed):
            return side, {"accept"}
        if k == 2 or side == "referee":
            return side, {"turn"}
        if self.chain[k - 2 if self.refereed else k - 1]["type"] == "offer":
            return side, {"reply"}
        mine = [said["type"] for said in self.chain if said["from"] == side]
        return side, {"turn", "resign"} | ({"offer"} if mine[-1] != "offer" else set())

    def other(self, side: str) -> str:
        """Return the opponent of a side."""
        return self.sides[side == self.sides[0]]

    def fields(self, k: int, message: dict[str, Any], side: str) -> tuple[set[str], set[str]]:
        """Return the required and the optional fields of a message."""
        must = {"kursk-pbem", "type", "seq", "from", "state-out"} | ({"game", "prev", "state-in"} if k else PROPOSAL)
        may = {"note"} | (set() if k else {"continues", "seals"})
        rolls = side == "referee" or not self.refereed  # the message opens a secret of its writer
        must |= ({"commit", "open"} if k else {"commit"}) if rolls else {"mix"}
        if side == "referee":  # without "next" the game is over, impossible by any rules before M4
            (may if k >= 4 else must).add("next")
        kind = message["type"]
        must |= {kind} if kind in ("offer", "reply") else set()
        may |= CHOICES if kind in ("accept", "turn") and side != "referee" else set()
        may |= {"reveal"} if kind in ("accept", "turn", "offer", "resign") and side != "referee" else set()
        may |= {"dice"} if kind in ("turn", "offer", "resign") and rolls else set()
        may |= {"pending"} if kind in ("turn", "resign") and rolls else set()
        return must, may

    def add(self, path: Path) -> str:
        """Check the next message with its files; return a description. Raises FaultError for the first fault."""
        k = len(self.chain)
        data, message = read(path)
        if k == 0:
            self.begin(message)
        game = check_text(message.get("game")) if k else ""
        need(k == 0 or game == self.ids[0], "chain", "of another game")
        side = check_text(message.get("from"), LABEL)
        need(side in self.keys, "sender", f"message 0 pins no key of {side}")
        check_signature(path, data, side, self.keys[side])
        need(message.get("seq") == str(k), "chain", f"says that it is message {message.get('seq')!a}")
        need(k == 0 or message.get("prev") == self.ids[-1], "chain", "does not follow the message before it")
        writer, types = self.slot(k, message)
        need(side == writer, "sender", f"{writer} writes message {k}, not {side}")
        kind = check_text(message.get("type"), LABEL)
        need(kind in types, "order", f"{kind} where only {', '.join(sorted(types))} may stand")
        must, may = self.fields(k, message, side)
        wrong = (must - message.keys()) | (message.keys() - must - may)
        need(not wrong, "order", f"field missing or out of place: {', '.join(sorted(wrong))}")
        for field in must & {"state-in", "state-out", "commit", "mix"}:
            check_text(message[field])
        self.opening(k, message)
        self.reveals(k, side, message)
        self.dice(k, message)
        self.endings(k, side, message)
        self.chain.append(message)
        self.ids.append(digest(data))
        dice = "".join(f", {label} {rolled}" for label, rolled in sorted(message.get("dice", {}).items()))
        return f"{path.name}: {side}, {message['type']}, {self.ids[-1][:32]}{dice}"

    def opening(self, k: int, message: dict[str, Any]) -> None:
        """Check the opened secret against the commitment two messages earlier (2.3)."""
        if "open" in message:
            said = digest(DS, b"commit\0", self.nonce, k.to_bytes(8, "big"), bytes.fromhex(check_text(message["open"])))
            need(k == 1 or said == self.chain[k - 2]["commit"], "opening", f"not what message {k - 2} committed to")

    def reveals(self, k: int, side: str, message: dict[str, Any]) -> None:
        """Check that the seals of the side's last message are all opened (2.5); a reply opens none."""
        shown = check_mapping(message.get("reveal", {}))
        if message["type"] != "reply":
            seq, seals = self.sealed.pop(side, (0, {}))
            need(shown.keys() == seals.keys(), "reveal", f"due {sorted(seals)}, opened {sorted(shown)}")
            for label, entry in shown.items():
                need(check_mapping(entry).keys() == {"salt", "value"}, "canonical", f"{label}: not a salt and a value")
                salt, value = bytes.fromhex(check_text(entry["salt"], "[0-9a-f]{32}")), spell(entry["value"])
                said = digest(DS, b"choice\0", self.nonce, seq.to_bytes(8, "big"), label.encode(), b"\0", salt, value)
                need(said == seals[label], "reveal", f"{label} is not what message {seq} sealed")
        if sealed := {label: check_text(seal) for label, seal in check_mapping(message.get("secret", {})).items()}:
            self.sealed[side] = k, sealed
        kept = check_mapping(message.get("kept", {}))
        need(kept.keys() == (sealed.keys() if self.keeps else set()), "order", "kept does not hold what is sealed")
        need(self.keeps or "kept" not in message, "order", "the game began without kept")
        for texts in kept.values():
            need(isinstance(texts, list) and texts, "canonical", "kept: no list of texts")
            for text in texts:
                check_text(text, "[A-Za-z0-9+/]+={0,2}")

    def dice(self, k: int, message: dict[str, Any]) -> None:
        """Check every die against the opened secret and the message before (3.2)."""
        rolled = check_mapping(message.get("dice", {}))
        need(k >= (4 if self.refereed else 3) or not rolled, "dice", "no die may fall before the game is bound (2.3)")
        for label, digits in rolled.items():
            seed = hmac.digest(bytes.fromhex(message["open"]), DS + b"seed\0" + bytes.fromhex(self.ids[-1]), "sha256")
            stream, block = "", 0
            while len(stream) < len(check_text(digits, "[1-6]+")):
                part = hmac.digest(seed, DS + b"dice\0" + label.encode() + b"\0" + block.to_bytes(4, "big"), "sha256")
                stream, block = stream + "".join(str(byte % 6 + 1) for byte in part if byte < 252), block + 1
            need(stream.startswith(digits), "dice", f"{label} is {stream[: len(digits)]}, not {digits}")

    def endings(self, k: int, side: str, message: dict[str, Any]) -> None:
        """Check offers and replies, the next writer, and positions that must not change."""
        if "offer" in message:
            offer = {key: check_text(value, LABEL) for key, value in check_mapping(message["offer"]).items()}
            successor = offer.keys() == {"kind", "game"} and offer["kind"] == "successor" and check_text(offer["game"])
            need(successor or offer == {"kind": "draw"}, "order", "neither a draw nor a successor is offered")
        need(message.get("reply", "accept") in ("accept", "decline"), "order", "neither accepts nor declines")
        last = self.chain[-1] if k else {}
        handed = side == "referee" and last.get("type") in ("offer", "reply")
        if side == "referee" and (handed or "next" in message):  # in M2, after offer and reply: the other side
            fit = [self.other(last["from"])] if handed or k == 2 else self.sides
            need(check_text(message.get("next", ""), LABEL + "|") in fit, "order", f"next is not {' or '.join(fit)}")
        need(not handed or not message.get("dice"), "dice", "an offer and its answer are handed on without dice")
        if k and (side == "referee" or message["type"] in ("offer", "reply", "resign")):
            need(message["state-in"] == message["state-out"], "state", "it chooses nothing, and changes the position")
        if handed or message["type"] == "reply":
            need(message["state-in"] == last["state-out"], "state", "it rolls nothing, and changes the position")

    def paper(self, path: Path) -> str:
        """Check a referee's receipt, extension or forfeit: its signature and its message."""
        data, said = read(path)
        need("referee" in self.keys and said.get("from") == "referee", "sender", "not from the referee of this game")
        check_signature(path, data, "referee", self.keys["referee"])
        need(said.get("game") == self.ids[0], "chain", "of another game")
        k = int(check_text(said.get("seq"), "0|[1-9][0-9]{0,3}"))
        need(k < len(self.ids) and said.get("id") == self.ids[k], "chain", f"does not name message {k}")
        kind = said.get("type")
        need(kind == path.name.split("-")[0].split(".")[0], "order", "of another type than its name says")
        times = {"receipt": ["received", "due"], "extension": ["declared", "due"]}.get(kind, ["due", "declared"])
        more = {"receipt": [], "extension": ["replaces", "cause"]}.get(kind, ["side"])
        fields = {"kursk-pbem", "type", "game", "seq", "from", "id", *times, *more}
        need(said.keys() == fields, "order", "not the fields of its type")
        first, second = (time(said[name]) for name in times)
        if kind == "receipt":
            need(first <= second, "order", "due is before received")
            counts = self.receipts.setdefault(k, said)  # the earliest receipt tells the arrival
            self.receipts[k] = min(counts, said, key=lambda each: each["received"])
            self.longer[k] = max(self.longer.get(k, ""), second)  # the latest term counts
        elif kind == "extension":
            need(
                first < second and said["cause"] in ("bank", "holiday", "pause"),
                "order",
                "it gives no time, or says not why",
            )
            before = self.papers.get(check_text(said["replaces"]), said)
            since = before.get("received", before["declared"] if before["type"] == "extension" else "")
            need(
                before is said or since <= first <= before["due"] < second, "order", "no more time while the term runs"
            )
            need(before["seq"] == said["seq"], "order", "it replaces what sets another term")
            self.longer[k] = max(self.longer.get(k, ""), second)
        else:
            need(first < second, "order", "declared before it was due")
            need(k == len(self.ids) - 1, "order", f"message {k + 1} is here")
            need(k >= (4 if self.refereed else 2) or "continues" in self.chain[0], "order", "the game is not bound")
            need(said["side"] == self.slot(k + 1, {})[0] in self.sides, "order", "not the side that owes a message")
            need(k in self.receipts and self.longer[k] == first, "order", "not the term that a receipt has set")
        self.papers[hashlib.sha256(data).hexdigest()] = said
        return f"{path.name}: referee, {kind}"

    def papers_in_order(self) -> None:
        """Check that the times of the receipts that count never go back."""
        times = [self.receipts[k]["received"] for k in sorted(self.receipts)]
        need(times == sorted(times), "order", "the times of receipts go back")


def main(folder: Path) -> int:
    """Check the messages in order, with a line for each."""
    game, path = Game(), folder / "0000.json"
    try:
        names = [found.name for ending in ("", ".sig") for found in folder.glob(f"[0-9][0-9][0-9][0-9].json{ending}")]
        for k in range(int(max(names, default="0000")[:4]) + 1):
            path = folder / f"{k:04}.json"
            need(path.is_file(), "chain", "missing")
            print(game.add(path))
        extensions = sorted(folder.glob("extension-*.json"), key=lambda path: read(path)[1]["due"])
        for path in [*sorted(folder.glob("receipt-*.json")), *extensions, *folder.glob("forfeit.json")]:
            print(game.paper(path))
        game.papers_in_order()
    except FaultError as fault:
        print(f"{path.name}: FAULT: {fault}")
        return 1
    except OSError as error:
        print(f"{path.name}: cannot be checked: {error}", file=sys.stderr)
        return 2
    print(f"head {game.ids[-1]}")
    return 0


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    sys.exit(main(Path(sys.argv[1])))
