"""An auditor who knows docs/protocol.md and not the program: ``python auditor.py FOLDER``.

From the files of a game alone: ids, order, signatures (ssh-keygen), openings against commitments, reveals against
seals, and every die computed again. Of the rules it knows nothing: whether an order is legal, whether a die is missing
and whether a position is right it does not say.
"""

import hashlib
import hmac
import json
import re
import subprocess
import sys
import tempfile
from pathlib import Path

import yaml

PREFIX = b"kursk-pbem/v1/"
FIRST_DICE = FIRST_RESIGNATION = 3


class Fault(Exception):  # noqa: N818
    """What does not hold: ``seq`` of the message, ``kind`` of the check, and words."""

    def __init__(self, seq, kind, words):
        super().__init__(f"message {seq}: {kind}: {words}")
        self.seq, self.kind = seq, kind


def canonical(value):
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode("utf-8")


def sha(*parts):
    return hashlib.sha256(b"".join(parts)).hexdigest()


def mac(key, *parts):
    return hmac.new(key, b"".join(parts), hashlib.sha256).digest()


def roll(opening, previous, label, many):
    """``many`` dice of a label in the message that opens ``opening`` and follows ``previous``."""
    seed = mac(opening, PREFIX, b"seed\0", previous)
    faces, block = "", 0
    while len(faces) < many:
        stream = mac(seed, PREFIX, b"dice\0", label.encode("ascii"), b"\0", block.to_bytes(4, "big"))
        faces += "".join(str(byte % 6 + 1) for byte in stream if byte < 252)
        block += 1
    return faces[:many]


def signed_by(key, signed, armour):
    """Whether stock OpenSSH finds the signature of a key over these bytes good."""
    with tempfile.TemporaryDirectory() as name:
        allowed, signature = Path(name, "allowed"), Path(name, "signature")
        allowed.write_text(f'writer namespaces="kursk-pbem" {key}\n', encoding="ascii")
        signature.write_text(armour, encoding="ascii")
        command = ["ssh-keygen", "-Y", "verify", "-f", allowed, "-I", "writer", "-n", "kursk-pbem", "-s", signature]
        return subprocess.run(command, input=signed, capture_output=True, check=False).returncode == 0


class Game:
    """A game as far as it has been audited."""

    def __init__(self):
        self.said, self.ids, self.dice, self.reveals = [], [], 0, 0

    def add(self, text):
        """Audit the next message. Fault."""
        seq = len(self.said)
        said = yaml.load(text, yaml.BaseLoader)  # noqa: S506  every value as text
        armour, position = said.pop("signature", ""), said.pop("state", None)
        signed = canonical(said)
        self.check_order(seq, said)
        first = (self.said or [said])[0]
        if not signed_by(first["keys"][said["from"]], signed, armour):
            raise Fault(seq, "signature", f"it is not signed by {said['from']}")
        if seq:
            nonce = bytes.fromhex(first["nonce"])
            self.check_opening(seq, said, nonce)
            self.check_reveals(seq, said, nonce)
            self.check_dice(seq, said)
        if position is not None and sha(canonical(position)) != said["state-out"]:
            raise Fault(seq, "state", "the position is not the one that was signed")
        self.said.append(said)
        self.ids.append(sha(signed))

    def check_order(self, seq, said):
        """Number, type, writer, game and predecessor."""
        first, before = (self.said or [said])[0], (self.said or [{}])[-1]
        rolls = first["dice-from"] == "referee"
        if said["kursk-pbem"] != "1" or said["seq"] != str(seq) or said["type"] not in self.types(seq, rolls):
            raise Fault(seq, "order", f"version {said['kursk-pbem']}, number {said['seq']}, type {said['type']}")
        if seq == 0:
            many = len(said["keys"]) == len(set(said["keys"].values())) == 2 + rolls
            proposer = said["from"] == "referee" if rolls else said["from"] in said["keys"]
            if not many or not proposer or said["dice-from"] not in ("players", "referee"):
                raise Fault(seq, "order", "it needs two different keys, one of them the writer's; or a referee's too")
            return
        other = said["from"] in first["keys"] and said["from"] != before["from"]
        if not (said["from"] == ("referee" if seq % 2 == 0 else before["next"]) if rolls else other):
            raise Fault(seq, "order", f"{said['from']} does not write it")
        if said["game"] != self.ids[0] or said["prev"] != self.ids[-1]:
            raise Fault(seq, "order", "it follows another message, or belongs to another game")
        if before["type"] == "resign":
            raise Fault(seq, "order", "it comes after a resignation")

    def types(self, seq, rolls):
        """Of which types a message may be. Offers are known only where a referee hands them on."""
        if seq == 0:
            return ("propose",)
        if not rolls:
            return ("accept",) if seq == 1 else ("turn", "resign") if seq >= FIRST_RESIGNATION else ("turn",)
        if seq % 2 == 0:
            return ("turn",)
        if seq in (1, 3):
            return ("accept",)
        return ("reply",) if self.said[-2]["type"] == "offer" else ("turn", "resign", "offer")

    def check_opening(self, seq, said, nonce):
        """32 bytes that fit what the writer committed to in his last message; and a new commitment."""
        if self.said[0]["dice-from"] == "referee" and seq % 2:
            if not re.fullmatch("[0-9a-f]{64}", said["mix"]) or {"open", "commit", "dice"} & said.keys():
                raise Fault(seq, "opening", "a player mixes and does not open where a referee rolls")
            return
        if not re.fullmatch("[0-9a-f]{128}", said["open"] + said["commit"]) or len(said["open"]) != 64:
            raise Fault(seq, "opening", "opening and commitment are 64 hex digits")
        fits = sha(PREFIX, b"commit\0", nonce, seq.to_bytes(8, "big"), bytes.fromhex(said["open"]))
        if seq > 1 and fits != self.said[seq - 2]["commit"]:
            raise Fault(seq, "opening", f"it is not what message {seq - 2} committed to")

    def check_reveals(self, seq, said, nonce):
        """Exactly what the writer's last message that was no reply sealed; nothing in a reply."""
        mine = [each for each in self.said if each["from"] == said["from"] and each["type"] != "reply"]
        last = mine[-1] if mine and said["type"] != "reply" else {}
        sealed, shown = last.get("secret", {}), said.get("reveal", {})
        if sorted(sealed) != sorted(shown):
            raise Fault(seq, "reveal", f"sealed: {sorted(sealed)}, shown: {sorted(shown)}")
        for label, opened in shown.items():
            salt, value = bytes.fromhex(opened["salt"]), canonical(opened["value"])
            sealing = int(last["seq"]).to_bytes(8, "big")
            head = (PREFIX, b"choice\0", nonce, sealing, label.encode("ascii"), b"\0")
            if len(salt) != 16 or sha(*head, salt, value) != sealed[label]:
                raise Fault(seq, "reveal", f"{label} is not what was sealed")
        self.reveals += len(shown)

    def check_dice(self, seq, said):
        """What the opening and the message before give."""
        for label, faces in said.get("dice", {}).items():
            if seq < FIRST_DICE + (self.said[0]["dice-from"] == "referee"):
                raise Fault(seq, "dice", "no die may fall so early")
            right = roll(bytes.fromhex(said["open"]), bytes.fromhex(self.ids[-1]), label, len(faces))
            if not faces or faces != right:
                raise Fault(seq, "dice", f"{label} is given as {faces} and must be {right}")
            self.dice += len(faces)


def audit(folder):
    """Audit a folder, message by message. Fault; a file that cannot be read is an error of Python."""
    game = Game()
    for number, path in enumerate(sorted(Path(folder).glob("[0-9][0-9][0-9][0-9].yaml"))):
        if path.name != f"{number:04d}.yaml":
            raise Fault(number, "order", "it is missing")
        game.add(path.read_text(encoding="ascii"))
    return game


if __name__ == "__main__":
    try:
        audited = audit(sys.argv[1])
    except Fault as fault:
        sys.exit(str(fault))
    print(f"{len(audited.ids)} messages, {audited.reveals} reveals, {audited.dice} dice, head {audited.ids[-1]}")
