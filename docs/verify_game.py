#!/usr/bin/env python3
"""Check a game of kursk-pbem with Python and OpenSSH alone: ``python3 -I verify_game.py FOLDER``.

FOLDER is what ``kursk export`` writes: NNNN.json is message NNNN, NNNN.json.sig its signature.
Written from docs/auditors.md, whose sections stand in brackets, and not from the program. It knows
no rules: 3.8 says what is left to ``kursk verify``. Exit status 0: all holds, the last line is the
head. 1: the last line names the file that does not hold, and why. 2: it cannot run.
"""

import sys
sys.path = sys.path[__name__ == "__main__" and not sys.flags.isolated :]  # nothing beside it counts
import base64, hashlib, hmac, json, re, subprocess, tempfile
from pathlib import Path

TAG = b"kursk-pbem/v1/"  # begins all that is hashed and is not JSON (3)
HASHES = {"game", "prev", "nonce", "open", "commit", "mix", "state-in", "state-out"}
CHOICES = ("choice", "waive", "orders", "decisions", "policy", "secret", "kept")
BEGINNING = ["propose", "accept", "turn", "accept"]  # the last only where a referee rolls (2.11)
GOING_ON = "(turn |offer reply (?!offer))*(offer |resign )?"  # what players write then (2.2, 2.9)


def need(holds, why):
    """Go on only if it holds."""
    if not holds:
        raise ValueError(why)


def canonical(value):
    """The one spelling of a value (3.1)."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()


def read(path):
    """The bytes of a file, and what they say, whose one spelling they must be (3.1)."""
    said = json.loads((data := path.read_bytes()).decode())
    need(canonical(said) == data, "canonical: not the one spelling, or a key stands twice")
    unquoted = re.sub(rb'"(\\.|[^"\\])*"', b"", data).strip(b"{}[],:")
    need(isinstance(said, dict) and not unquoted, "canonical: not texts, lists and mappings only")
    need(said.get("kursk-pbem") == "1", "canonical: not version 1 of the protocol")
    for name in said.keys() & HASHES:
        need(re.fullmatch("[0-9a-f]{64}", str(said[name])), f"canonical: {name} is no hash")
    for name in said.keys() & {"keys", "secret", "kept", "reveal", "dice"}:
        words = all(re.fullmatch("[a-z0-9./-]+", str(label)) for label in said[name])
        need(words and isinstance(said[name], dict), f"canonical: {name} maps no labels")
    return data, said


def check_keys(first):
    """Two sides, a referee where he rolls, and a good key of its own for each (2.2, 3.4)."""
    keys = first.get("keys", {})
    for side, key in keys.items():
        good = re.fullmatch("ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAI[A-Za-z0-9+/]{43}", str(key))
        need(good, f"head: the key of {side} is no ed25519 key")
        y = int.from_bytes(base64.b64decode(key[12:])[19:], "little") % 2**255
        weak = y * (y**2 - 1) * (121665 * y**4 - 243332 * y**2 + 121666) % (2**255 - 19) == 0
        need(not weak, f"head: with the weak key of {side} one signature fits many messages")
    sides = keys.keys() - {"referee"}
    need(len(sides) == 2 and len({*keys.values()}) == len(keys), "head: not two keys for two sides")
    need(first.get("dice-from") in ["players", *(keys.keys() - sides)], "head: who rolls the dice?")


def check_signature(path, data, side, key):
    """OpenSSH finds it good, and its second half S is below the order of the group (3.4)."""
    armour = path.with_name(path.name + ".sig")
    with tempfile.TemporaryDirectory() as folder:
        (allowed := Path(folder, "signers")).write_text(f'{side} namespaces="kursk-pbem" {key}\n')
        command = ["ssh-keygen", "-Y", "verify", "-n", "kursk-pbem", "-I", side, "-f", allowed]
        done = subprocess.run([*command, "-s", armour], input=data, capture_output=True)
    need(done.returncode == 0, f"signature: {armour.name} is not {side}'s under these bytes")
    s = int.from_bytes(base64.b64decode(armour.read_bytes().split(b"-----")[2])[-32:], "little")
    need(s < 2**252 + 27742317777372353535851937790883648493, "signature: S is too large")


def check_message(k, chain, ids):
    """What section 2 wants of message k, the last in the chain of which the ids are."""
    first, last, said = chain[0], chain[k - 1], chain[k]
    side, kind, nonce = said["from"], said.get("type"), bytes.fromhex(first.get("nonce", ""))
    refereed, referee = first["dice-from"] == "referee", side == "referee"
    sides = sorted(first["keys"].keys() - {"referee"}, key=lambda each: each != first["from"])

    # Number, game and predecessor (2.1)
    need(said.get("seq") == str(k), f"chain: message {k} should be here")
    need(k == 0 or said.get("game") == ids[0], "chain: it is of another game")
    need(k == 0 or said.get("prev") == ids[k - 1], "chain: it does not follow the one before it")

    # Whose turn it is (2.1, 2.11), and of which type it may be (2.2, 2.9)
    writer = (["referee", last.get("next")] if refereed else sides)[k % 2]
    need(side == writer, f"sender: {writer} writes message {k}")
    ended = last.get("type") == "resign" or last.get("reply") == "accept"
    types = [str(each.get("type")) for each in chain]
    begun, free = (types[:4], types[5::2]) if refereed else (types[:3], types[3:])
    fits = begun == BEGINNING[: len(begun)] and re.fullmatch(GOING_ON, " ".join([*free, ""]))
    fits = fits and (kind == "turn" or not referee or k == 0) and not (k and ended)
    need(fits and " " not in kind, f"order: no {kind!a} may stand here")

    # Fields (2.3, 2.5, 2.9, 2.11): who rolls opens and commits; if the referee does, players mix
    rolls, chooses = referee or not refereed, not referee and kind in ("accept", "turn")
    must = {"nonce": k == 0, "state-in": k > 0, "state-out": True, "offer": kind == "offer"}
    must |= {"reply": kind == "reply", "mix": not rolls, "commit": rolls, "open": rolls and k > 0}
    may = {"seals": k == 0, "next": referee, "reveal": not referee and kind != "reply"}
    may |= {"dice": rolls, "pending": rolls and kind != "offer", **dict.fromkeys(CHOICES, chooses)}
    wrong = [name for name in must if must[name] != (name in said)]
    wrong += [name for name in may if name in said and not may[name]]
    wrong += ["reply"] if said.get("reply", "accept") not in ("accept", "decline") else []
    due = said.get("secret", {}) if "seals" in first else {}  # then each seal has its text in kept
    wrong += ["kept"] if said.get("kept", {}).keys() != due.keys() else []
    need(not wrong, f"order: missing or wrong: {', '.join(sorted(wrong))}")

    # What is opened message k-2 has committed to; to r_1 nobody had (2.3, 3.2)
    if k > 1 and rolls:
        opened = TAG + b"commit\0" + nonce + k.to_bytes(8, "big") + bytes.fromhex(said["open"])
        made, due = hashlib.sha256(opened).hexdigest(), chain[k - 2]["commit"]
        need(made == due, f"opening: not what message {k - 2} has committed to")

    # Shown is all that the writer's last message but a reply had sealed, and no more (2.5, 3.2)
    own = [each for each in chain[:k] if each["from"] == side and each["type"] != "reply"]
    seals = own[-1].get("secret", {}) if own and kind != "reply" else {}
    shown = said.get("reveal", {})
    need(shown.keys() == seals.keys(), f"reveal: due {[*seals]}, shown {[*shown]}")
    for label, entry in shown.items():
        good = isinstance(entry, dict) and entry.keys() == {"salt", "value"}
        need(good and re.fullmatch("[0-9a-f]{32}", str(entry["salt"])), "reveal: no salt and value")
        seal = TAG + b"choice\0" + nonce + int(own[-1]["seq"]).to_bytes(8, "big") + label.encode()
        seal += b"\0" + bytes.fromhex(entry["salt"]) + canonical(entry["value"])
        need(hashlib.sha256(seal).hexdigest() == seals[label], f"reveal: {label} was not sealed so")

    # Dice come from the opening and the message before, none before the game is bound (2.3, 3.2)
    for label, digits in said.get("dice", {}).items():
        need(k >= (4 if refereed else 3), "dice: the game is not bound yet")
        before = TAG + b"seed\0" + bytes.fromhex(ids[k - 1])
        seed = hmac.digest(bytes.fromhex(said["open"]), before, "sha256")
        block = TAG + b"dice\0" + label.encode() + b"\0"  # and its number; a die each is plenty
        numbers = [j.to_bytes(4, "big") for j in range(len(digits))]
        stream = b"".join(hmac.digest(seed, block + j, "sha256") for j in numbers)
        right = "".join(str(byte % 6 + 1) for byte in stream if byte < 252)[: len(digits)]
        need(digits and digits == right, f"dice: {label} is {right}, not {digits!a}")

    # Who has nothing to choose or to roll changes nothing; a referee names who is next (2.9, 2.11)
    handed = referee and last["type"] in ("offer", "reply")
    chooses = k == 0 or not (referee or kind in ("offer", "reply", "resign"))
    need(chooses or said["state-in"] == said["state-out"], "state: changed without a choice")
    rolls = not handed and kind != "reply"
    need(rolls or said["state-in"] == last["state-out"], "state: changed by what only hands on")
    need(rolls or not said.get("dice"), "dice: none fall in what only hands on")
    fit = [each for each in sides if each != last["from"] or not (handed or k == 2)]
    fit += [None] if k > 3 and not handed else []  # nobody: the rules have ended the game
    need(not referee or said.get("next") in fit, "order: the wrong side is next, or none")


def main(folder):
    """Check message after message, then what a referee has signed beside them (2.10)."""
    chain, ids, path = [], [], folder / "0000.json"
    try:
        for k, path in enumerate(sorted(folder.glob("[0-9][0-9][0-9][0-9].json")) or [path]):
            data, said = read(path)
            chain, ids = [*chain, said], [*ids, hashlib.sha256(data).hexdigest()]
            check_keys(chain[0])
            side, keys = said.get("from"), chain[0]["keys"]
            need(side in [*keys], "sender: message 0 pins no key of the writer")
            check_signature(path, data, side, keys[side])
            check_message(k, chain, ids)
            dice = "".join(f", {label} {digits}" for label, digits in said.get("dice", {}).items())
            print(f"{path.name}: {side}, {said['type']}, {ids[k][:32]}{dice}")
        for path in [*sorted(folder.glob("[er]*t*-[0-9]*.json")), *folder.glob("forfeit.json")]:
            data, said = read(path)
            check_signature(path, data, "referee", keys.get("referee"))
            about = (said.get("game"), said.get("seq"), said.get("id"))
            there = [(ids[0], str(k), ids[k]) for k in range(len(ids))]
            need(about in there, "chain: it names no message of this game")
            print(f"{path.name}: the referee, of message {about[1]}")
    except (ValueError, RecursionError) as fault:
        print(f"{path.name}: FAULT: {fault}")
        return 1
    except OSError as error:
        print(f"cannot run: {error}", file=sys.stderr)
        return 2
    print(f"head {ids[-1]}")
    return 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])) if len(sys.argv) == 2 else __doc__)
