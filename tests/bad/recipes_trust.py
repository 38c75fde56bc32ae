"""Well written messages with a false content, or a false signature.

Each message is honest except for the fault in the name of its file.
"""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Callable
from typing import Any

from bad.bad_desk import Bad, Base, Content
from bad.bad_text import ACCEPT, spoil_mail, swap
from kursk_pbem.trust import commit, ed25519, messages, sshsig

ZERO = "0" * 64
ENGAGE = {"posture": "engage", "reaction": "no"}
Change = Callable[[Base, Content], None]
DESKS = {
    0: "russian 0",
    1: "german 1",
    2: "russian 2",
    3: "german 3",
    4: "russian 4",
    5: "german 5",
    7: "german 7",
    8: "russian 8",
    9: "german 9",
}
"""The machine where a message is due."""


def sign(seq: int, change: Change, *, at: str = "", by: str = "", command: str = "", name: str = "") -> Bad:
    """Return a changed message ``seq``, signed by its writer or by ``by``."""

    def made(base: Base) -> bytes:
        content = base.content(seq)
        change(base, content)
        return base.signed(content, by).encode("ascii")

    return Bad(command or ("inbox --report" if seq else ACCEPT), at or DESKS[seq], made, name=name)


def put(**fields: Any) -> Change:
    """Set fields, with ``_`` for ``-``; None removes a field."""
    return lambda _base, content: content.update({key.rstrip("_").replace("_", "-"): fields[key] for key in fields})


# Signatures


def _pack(data: bytes) -> bytes:
    return len(data).to_bytes(4, "big") + data


def make_armour(blob: bytes, width: int = 70) -> str:
    text = base64.b64encode(blob).decode("ascii")
    return "\n".join([sshsig.BEGIN, *(text[at : at + width] for at in range(0, len(text), width)), sshsig.END, ""])


def read_blob(base: Base) -> bytes:
    return sshsig.read_armour(str(base.read[4].armour))


def sign_otherwise(
    base: Base,
    *,
    version: int = 1,
    namespace: bytes = b"kursk-pbem",
    reserved: bytes = b"",
    digest: str = "sha512",
    kind: bytes = b"ssh-ed25519",
) -> bytes:
    """Return a signature blob of a forbidden kind, correct for its own declaration."""
    hashed = hashlib.new(digest, base.read[4].signed).digest()
    data = b"SSHSIG" + _pack(namespace) + _pack(reserved) + _pack(digest.encode()) + _pack(hashed)
    key = sshsig.public_key(base.signers["german"].public)
    held = base64.b64decode(b"".join((base.demo / "german" / "me").read_bytes().splitlines()[1:-1]))
    seed = held[held.rindex(key) - 32 : held.rindex(key)]  # the file has the seed before the last copy of the key
    public = _pack(kind) + _pack(key)
    return (
        b"SSHSIG"
        + version.to_bytes(4, "big")
        + _pack(public)
        + _pack(namespace)
        + _pack(reserved)
        + _pack(digest.encode())
        + _pack(_pack(kind) + _pack(ed25519.sign(seed, data)))
    )


def replace_armour(change: Callable[[Base], str]) -> Bad:
    """Return message 4 with another signature."""
    return Bad(
        "inbox --report",
        "russian 4",
        lambda base: messages.emit_message(base.read[4].content, change(base)).encode("ascii"),
    )


def respell_armour(change: Callable[[str], str]) -> Bad:
    """Return message 4 with another spelling of its signature."""
    return replace_armour(lambda base: change(str(base.read[4].armour)))


def s_plus_l(base: Base) -> str:
    raw = read_blob(base)
    group = 2**252 + 27742317777372353535851937790883648493
    return make_armour(raw[:-32] + (int.from_bytes(raw[-32:], "little") + group).to_bytes(32, "little"))


def flip_byte(base: Base, at: int) -> str:
    raw = bytearray(read_blob(base))
    raw[at] ^= 1
    return make_armour(bytes(raw))


SIGNATURES: dict[str, Bad] = {
    "text-changed.yaml": spoil_mail(4, swap("to: '2110'", "to: '2109'"), "russian 4"),
    "sender-changed.yaml": spoil_mail(4, swap("from: german", "from: russian"), "russian 4"),
    "signature-of-another-message.yaml": replace_armour(lambda base: str(base.read[2].armour)),
    "signature-of-the-other-side.yaml": sign(4, put(), by="russian"),
    "signature-of-a-stranger.yaml": sign(4, put(), by="stranger"),
    "signature-names-another-key.yaml": replace_armour(
        lambda base: make_armour(
            read_blob(base).replace(
                sshsig.public_key(base.signers["german"].public), sshsig.public_key(base.signers["russian"].public)
            )
        )
    ),
    "signature-one-bit.yaml": replace_armour(lambda base: flip_byte(base, -10)),
    "signature-one-bit-of-r.yaml": replace_armour(lambda base: flip_byte(base, -50)),
    "signature-s-plus-l.yaml": replace_armour(s_plus_l),
    "signature-for-git.yaml": replace_armour(lambda base: make_armour(sign_otherwise(base, namespace=b"git"))),
    "signature-for-login.yaml": replace_armour(lambda base: make_armour(sign_otherwise(base, namespace=b"ssh"))),
    "signature-for-the-secret.yaml": replace_armour(
        lambda base: make_armour(sign_otherwise(base, namespace=b"kursk-pbem-secret"))
    ),
    "signature-no-namespace.yaml": replace_armour(lambda base: make_armour(sign_otherwise(base, namespace=b""))),
    "signature-sha256.yaml": replace_armour(lambda base: make_armour(sign_otherwise(base, digest="sha256"))),
    "signature-reserved.yaml": replace_armour(lambda base: make_armour(sign_otherwise(base, reserved=b"x"))),
    "signature-version-2.yaml": replace_armour(lambda base: make_armour(sign_otherwise(base, version=2))),
    "signature-of-another-kind.yaml": replace_armour(lambda base: make_armour(sign_otherwise(base, kind=b"ssh-rsa"))),
    "signature-of-a-security-key.yaml": replace_armour(
        lambda base: make_armour(sign_otherwise(base, kind=b"sk-ssh-ed25519@openssh.com"))
    ),
    "signature-bytes-behind.yaml": replace_armour(lambda base: make_armour(read_blob(base) + b"\0")),
    "signature-bytes-before.yaml": replace_armour(lambda base: make_armour(b"\0" + read_blob(base))),
    "signature-cut-short.yaml": replace_armour(lambda base: make_armour(read_blob(base)[:-1])),
    "signature-empty.yaml": replace_armour(lambda _base: make_armour(b"")),
    "signature-padded.yaml": respell_armour(lambda text: text.replace(f"\n{sshsig.END}", f"=\n{sshsig.END}")),
    "signature-padded-much.yaml": respell_armour(lambda text: text.replace(f"\n{sshsig.END}", f"====\n{sshsig.END}")),
    "signature-odd-letter.yaml": respell_armour(lambda text: text.replace("U1NI", "U1N!")),
    "signature-url-letters.yaml": respell_armour(lambda text: text.replace("+", "-").replace("/", "_")),
    "signature-one-digit-lost.yaml": respell_armour(lambda text: text.replace("U1NI", "U1N")),
    "signature-comment-inside.yaml": respell_armour(lambda text: text.replace("\n", "\nComment: mine\n", 1)),
    "signature-of-pgp.yaml": respell_armour(lambda text: text.replace("SSH", "PGP")),
    "signature-marks-small.yaml": respell_armour(
        lambda text: text.replace("BEGIN SSH SIGNATURE", "begin ssh signature")
    ),
    "signature-no-begin.yaml": respell_armour(lambda text: text.replace(f"{sshsig.BEGIN}\n", "")),
    "signature-no-end.yaml": respell_armour(lambda text: text.replace(f"{sshsig.END}\n", "")),
    "signature-words-before.yaml": respell_armour(lambda text: f"signed by me\n{text}"),
    "signature-a-word.yaml": replace_armour(lambda _base: "Anna"),
}


# Number, predecessor, sender, type, fields


def early_die(base: Base, content: Content) -> None:
    seed = commit.derive_seed(bytes.fromhex(content["open"]), bytes.fromhex(content["prev"]))
    content["dice"] = {"ponyri/combat": commit.roll_dice(seed, "ponyri/combat", 1)}


def after_the_end(base: Base, content: Content) -> None:
    content |= {"prev": base.resignation.id, "type": "turn"}
    del content["reply"]


SLOTS: dict[str, Bad] = {
    "game-unknown.yaml": sign(4, put(game=ZERO)),
    "game-missing.yaml": sign(4, put(game=None)),
    "game-of-another-in-a-folder.yaml": sign(4, put(game=ZERO), at="german 5", command="verify GAME", name="0004.yaml"),
    "prev-none.yaml": sign(4, put(prev=ZERO)),
    "prev-of-the-one-before.yaml": sign(4, lambda base, content: content.update(prev=base.read[2].id)),
    "prev-itself-the-game.yaml": sign(4, lambda base, content: content.update(prev=base.read[0].id)),
    "prev-missing.yaml": sign(4, put(prev=None)),
    "number-to-come.yaml": sign(4, put(seq="6")),
    "number-far-off.yaml": sign(4, put(seq="999999999")),
    "one-message-missing.yaml": sign(5, put(), at="german 4"),
    "two-messages-missing.yaml": sign(7, put(), at="german 5"),
    "second-message-2.yaml": sign(2, put(note="on second thoughts"), at="russian 4"),
    "second-message-2-that-is-void.yaml": sign(2, put(note="odd", state_out=ZERO), at="russian 4"),
    "second-message-1.yaml": sign(1, put(note="on second thoughts"), at="german 3"),
    "second-proposal-in-a-folder.yaml": sign(
        0, put(note="another"), at="german 3", command="verify GAME", name="0000.yaml"
    ),
    "file-of-another-number.yaml": sign(3, put(), at="german 5", command="verify GAME", name="0004.yaml"),
    "head-of-another-game.yaml": sign(4, put(), at="german 5", name="0004.yaml", command=f"verify GAME --head {ZERO}"),
    "sender-not-due.yaml": sign(4, put(from_="russian")),
    "sender-referee.yaml": sign(4, put(from_="referee"), by="german"),
    "sender-unknown.yaml": sign(4, put(from_="italian"), by="german"),
    "type-accept-again.yaml": sign(4, put(type="accept", dice=None)),
    "type-turn-for-an-acceptance.yaml": sign(1, put(type="turn")),
    "type-reply-without-offer.yaml": sign(4, put(type="reply", reply="accept", dice=None, reveal=None, orders=None)),
    "type-resign-before-the-game-is-bound.yaml": sign(2, put(type="resign")),
    "type-offer-before-the-game-is-bound.yaml": sign(2, put(type="offer", offer={"kind": "draw"})),
    "type-propose-again.yaml": sign(4, put(type="propose")),
    "turn-instead-of-a-reply.yaml": sign(9, put(type="turn", reply=None)),
    "resignation-instead-of-a-reply.yaml": sign(9, put(type="resign", reply=None)),
    "after-the-end.yaml": Bad(
        "verify GAME",
        "german 8",
        sign(9, after_the_end).made,
        name="0009.yaml",
        beside=lambda base: {
            "0008.yaml": messages.emit_message(base.resignation.content, base.resignation.armour).encode("ascii")
        },
    ),
    "turn-with-an-offer.yaml": sign(4, put(offer={"kind": "draw"})),
    "turn-with-a-reply.yaml": sign(4, put(reply="accept")),
    "turn-with-a-nonce.yaml": sign(4, put(nonce=ZERO)),
    "turn-with-keys.yaml": sign(4, lambda base, content: content.update(keys=base.content(0)["keys"])),
    "turn-with-options.yaml": sign(4, put(options={"weather": "die"})),
    "turn-with-a-ruleset.yaml": sign(4, put(ruleset={"id": "battle-for-kursk", "version": "1"})),
    "turn-with-a-scenario.yaml": sign(4, put(scenario={"id": "battle-for-kursk/campaign", "sha256": ZERO})),
    "turn-with-names.yaml": sign(4, put(names={"german": "Anton"})),
    "turn-with-dice-from.yaml": sign(4, put(dice_from="players")),
    "turn-that-continues.yaml": sign(4, put(continues={"game": ZERO, "seq": "1", "id": ZERO})),
    "turn-with-an-open-seal.yaml": sign(4, put(seal={"plans/4": {}})),
    "turn-without-opening.yaml": sign(4, put(open=None)),
    "turn-without-commitment.yaml": sign(4, put(commit=None)),
    "turn-without-state-in.yaml": sign(4, put(state_in=None)),
    "turn-without-state-out.yaml": sign(4, put(state_out=None)),
    "acceptance-with-dice.yaml": sign(1, put(dice={"weather/turn-1": "1"})),
    "acceptance-without-opening.yaml": sign(1, put(open=None)),
    "offer-of-nothing.yaml": sign(8, put(offer=None)),
    "offer-with-orders.yaml": sign(8, put(orders={"give-ups": ["g-40-pz"]})),
    "offer-with-a-choice.yaml": sign(8, put(choice={"posture/turn-2": ENGAGE})),
    "offer-with-a-seal.yaml": sign(8, put(secret={"plans/8": ZERO})),
    "offer-that-stops.yaml": sign(8, put(pending={"owner": "russian"})),
    "offer-of-a-draw-with-a-game.yaml": sign(8, put(offer={"kind": "draw", "game": ZERO})),
    "offer-of-no-game.yaml": sign(8, put(offer={"kind": "successor"})),
    "offer-that-moves.yaml": sign(8, put(state_out=ZERO)),
    "reply-of-nothing.yaml": sign(9, put(reply=None)),
    "reply-with-orders.yaml": sign(9, put(orders={})),
    "reply-with-dice.yaml": sign(9, put(dice={"ponyri/combat": "1"})),
    "reply-that-reveals.yaml": sign(9, put(reveal={"posture/turn-2": {"salt": "00" * 16, "value": ENGAGE}})),
    "reply-that-moves.yaml": sign(9, put(state_in=ZERO, state_out=ZERO)),
    "resignation-with-orders.yaml": sign(8, put(type="resign", offer=None, orders={"give-ups": ["g-40-pz"]})),
    "resignation-with-a-seal.yaml": sign(8, put(type="resign", offer=None, secret={"plans/8": ZERO})),
    "resignation-that-moves.yaml": sign(8, put(type="resign", offer=None, state_out=ZERO)),
}


# Openings, reveals, dice, positions


def change_salt(_base: Base, content: Content) -> None:
    for opened in content["reveal"].values():
        opened["salt"] = "0" * 32


def another_plan(_base: Base, content: Content) -> None:
    content["reveal"]["plans/2"]["value"]["ponyri"]["losses"] = ["g-41-pz"]


def another_label(_base: Base, content: Content) -> None:
    content["reveal"]["plans/3"] = content["reveal"].pop("plans/2")


def one_more(_base: Base, content: Content) -> None:
    content["reveal"]["plans/4"] = {"salt": "00" * 16, "value": {}}


def another_posture(_base: Base, content: Content) -> None:
    content["reveal"]["posture/turn-1"]["value"]["posture"] = "deploy"


def die(label: str, digits: str | None) -> Change:
    def change(_base: Base, content: Content) -> None:
        content["dice"] = {key: value for key, value in {**content["dice"], label: digits}.items() if value}

    return change


def dice_swapped(_base: Base, content: Content) -> None:
    dice = content["dice"]
    dice["izyum/combat"], dice["ponyri/combat"] = dice["ponyri/combat"], dice["izyum/combat"]


def with_position(change: Callable[[Content], None]) -> Bad:
    """Return message 4 with a changed position below the signature."""

    def made(base: Base) -> bytes:
        state: Any = base.read[4].state
        state = {**state, "units": {**state["units"]}, "tracks": {**state["tracks"]}}
        change(state)
        return messages.emit_message(base.read[4].content, base.read[4].armour, state).encode("ascii")

    return Bad("inbox --report", "russian 4", made)


FALSE: dict[str, Bad] = {
    "opening-another.yaml": sign(4, put(open="11" * 32)),
    "opening-of-the-other-side.yaml": sign(4, lambda base, content: content.update(open=base.content(3)["open"])),
    "opening-of-message-2.yaml": sign(4, lambda base, content: content.update(open=base.content(2)["open"])),
    "opening-another-in-message-2.yaml": sign(2, put(open="11" * 32)),
    "commitment-where-the-opening-was.yaml": sign(
        4, lambda base, content: content.update(open=base.content(2)["commit"])
    ),
    "reveal-missing.yaml": sign(4, put(reveal=None)),
    "reveal-empty.yaml": sign(4, put(reveal={})),
    "reveal-of-a-posture-missing.yaml": sign(3, put(reveal=None)),
    "reveal-too-many.yaml": sign(4, one_more),
    "reveal-of-what-was-not-sealed.yaml": sign(2, put(reveal={"posture/turn-1": {"salt": "00" * 16, "value": ENGAGE}})),
    "reveal-under-another-label.yaml": sign(4, another_label),
    "reveal-another-salt.yaml": sign(4, change_salt),
    "reveal-another-plan.yaml": sign(4, another_plan),
    "reveal-another-posture.yaml": sign(3, another_posture),
    "die-turned.yaml": sign(4, die("ponyri/combat", "6")),
    "die-turned-by-the-russian.yaml": sign(7, die("yelnya/combat", "6")),
    "die-missing.yaml": sign(4, die("ponyri/combat", None)),
    "dice-missing.yaml": sign(4, put(dice=None)),
    "die-too-many.yaml": sign(4, die("orel/combat", "6")),
    "die-rolled-twice.yaml": sign(4, die("ponyri/combat", "22")),
    "dice-swapped.yaml": sign(4, dice_swapped),
    "die-too-early.yaml": sign(2, early_die),
    "die-where-none-falls.yaml": sign(3, early_die),
    "stop-for-nothing.yaml": sign(4, put(pending={"owner": "russian", "battle": "ponyri", "kind": "stand-fast"})),
    "state-in-another.yaml": sign(4, put(state_in=ZERO)),
    "state-out-another.yaml": sign(4, put(state_out=ZERO)),
    "state-out-as-before.yaml": sign(4, lambda base, content: content.update({"state-out": content["state-in"]})),
    "state-out-of-an-answer.yaml": sign(3, put(state_out=ZERO)),
    "state-out-of-an-acceptance.yaml": sign(1, put(state_out=ZERO)),
    "position-with-a-unit-moved.yaml": with_position(
        lambda state: state["units"].update({"g-11": {"place": "2113", "steps": "2"}})
    ),
    "position-with-a-unit-more.yaml": with_position(
        lambda state: state["units"].update({"g-99": {"place": "2113", "steps": "2"}})
    ),
    "position-with-markers.yaml": with_position(lambda state: state["tracks"].update({"offensives-german": "9"})),
    "position-of-another-turn.yaml": with_position(lambda state: state.update(turn="2")),
    "position-that-is-none.yaml": with_position(lambda state: state.update(units={"g-11": {"place": "2113"}})),
    "key-of-the-other-side.yaml": Bad("verify FILE --key ME.pub", "russian 4", sign(4, put()).made),
    "key-is-not-known.yaml": Bad("verify", "russian 0", sign(4, put()).made),
    "head-of-another-message.yaml": Bad(f"verify FILE --head {'ab' * 16}", "german 5", sign(4, put()).made),
}


# Proposals


def change_key(russian: str) -> Change:
    def change(base: Base, content: Content) -> None:
        content["keys"] = {"german": base.signers["german"].public, "russian": russian}

    return change


def change_within(field: str, key: str, value: str) -> Change:
    return lambda _base, content: content.update({field: {**content[field], key: value}})


PROPOSALS: dict[str, Bad] = {
    **{
        f"weak-key-{number:02d}.yaml": sign(0, change_key(sshsig.public_text(key)))
        for number, key in enumerate(sorted(sshsig.WEAK_KEYS))
    },
    "key-twice.yaml": sign(
        0,
        lambda base, content: content.update(keys=dict.fromkeys(("german", "russian"), base.signers["german"].public)),
    ),
    "key-not-as-written-by-ssh-keygen.yaml": sign(0, change_key("ssh-ed25519 " + "A" * 68)),
    "key-of-another-kind-inside.yaml": sign(
        0,
        change_key("ssh-ed25519 " + base64.b64encode(_pack(b"ssh-ed25518") + _pack(bytes(range(32)))).decode("ascii")),
    ),
    "key-of-another-player.yaml": sign(
        0, lambda base, content: content["keys"].update(russian=base.signers["stranger"].public)
    ),
    "keys-of-other-sides.yaml": sign(
        0,
        lambda base, content: content.update(
            keys={"german": base.signers["german"].public, "soviet": base.signers["russian"].public}
        ),
    ),
    "keys-of-three-sides.yaml": sign(
        0, lambda base, content: content["keys"].update(italian=base.signers["stranger"].public)
    ),
    "proposal-signed-by-the-other-side.yaml": sign(0, put(), by="russian"),
    "proposal-signed-by-a-stranger.yaml": sign(0, put(), by="stranger"),
    "proposal-by-the-other-side.yaml": sign(0, put(from_="russian")),
    "proposal-by-nobody.yaml": sign(0, put(from_="italian"), by="german"),
    "proposal-number-1.yaml": sign(0, put(seq="1")),
    "proposal-without-nonce.yaml": sign(0, put(nonce=None)),
    "proposal-without-keys.yaml": sign(0, put(keys=None)),
    "proposal-without-commitment.yaml": sign(0, put(commit=None)),
    "proposal-without-options.yaml": sign(0, put(options=None)),
    "proposal-without-names.yaml": sign(0, put(names=None)),
    "proposal-without-ruleset.yaml": sign(0, put(ruleset=None)),
    "proposal-without-scenario.yaml": sign(0, put(scenario=None)),
    "proposal-without-dice-from.yaml": sign(0, put(dice_from=None)),
    "proposal-without-state-out.yaml": sign(0, put(state_out=None)),
    "proposal-with-orders.yaml": sign(0, put(orders={})),
    "proposal-with-a-predecessor.yaml": sign(0, put(prev=ZERO)),
    "proposal-with-an-opening.yaml": sign(0, put(open=ZERO)),
    "proposal-with-dice.yaml": sign(0, put(dice={"weather/turn-1": "1"})),
    "ruleset-unknown.yaml": sign(0, change_within("ruleset", "id", "battle-for-moscow")),
    "ruleset-of-another-version.yaml": sign(0, change_within("ruleset", "version", "99")),
    "scenario-unknown.yaml": sign(0, change_within("scenario", "id", "battle-for-kursk/elsewhere")),
    "scenario-a-path.yaml": sign(0, change_within("scenario", "id", "battle-for-kursk/./citadel")),
    "scenario-with-other-data.yaml": sign(0, change_within("scenario", "sha256", ZERO)),
    "scenario-of-another-name.yaml": sign(0, change_within("scenario", "id", "battle-for-kursk/campaign")),
    "option-unknown.yaml": sign(0, put(options={"air-force": "yes"})),
    "option-of-another-value.yaml": sign(0, put(options={"weather": "sunny"})),
    "first-position-another.yaml": sign(0, put(state_out=ZERO)),
    "continues-without-position.yaml": sign(0, put(continues={"game": ZERO, "seq": "4", "id": ZERO})),
    "acceptance-for-a-proposal.yaml": sign(0, put(type="accept")),
    "turn-for-a-proposal.yaml": Bad(ACCEPT, "russian 0", lambda base: base.text(2).encode("ascii")),
}

FILES: dict[str, Bad] = {**SIGNATURES, **SLOTS, **FALSE, **PROPOSALS}
