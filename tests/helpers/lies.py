"""Lies that players could write and sign: the demonstration, changed in one place, with their own keys.

Each lie changes a :class:`Desk` and returns the number of the message at which it must be found, and for which fault.
"""

import copy
import json
import shutil
import subprocess

from kursk_pbem.formats.canonical import sha256_hex
from kursk_pbem.game import folder as folders
from kursk_pbem.trust import message as messages
from kursk_pbem.trust import sshsig


class Desk:
    """The demonstration as both players might forge it: contents to change, and their keys to sign anew."""

    def __init__(self, archive, signers, folder, demo):
        self.signers, self.folder, self.demo = signers, folder, demo
        self.said = [json.loads(path.read_bytes()) for path in folders.message_files(archive)]
        shutil.copytree(archive, folder, dirs_exist_ok=True)

    def forge(self, k, by="", **changes):
        """Change message k (None takes a field away) and sign it; the later ones go."""
        self.put(k, by, **changes)
        self.cut(k + 1)

    def put(self, k, by="", **changes):
        content = {**self.said[k], **{name.replace("_", "-"): value for name, value in changes.items()}}
        content = {name: value for name, value in content.items() if value is not None}
        self.said[k] = content
        signed = messages.signed_bytes(content)
        path = folders.archive_path(self.folder, k)
        path.write_bytes(signed)
        armour = self.signers[by or content["from"]].sign(sshsig.NAMESPACE, signed)
        folders.signature_path(path).write_text(armour, encoding="ascii", newline="")
        return sha256_hex(signed)

    def cut(self, k):
        for number in range(k, len(self.said)):
            folders.archive_path(self.folder, number).unlink()
            folders.signature_path(folders.archive_path(self.folder, number)).unlink()


def other(hex_):
    return ("1" if hex_[0] == "0" else "0") + hex_[1:]


def changed(mapping, label, value):
    found = copy.deepcopy(mapping)
    found[label] = value
    return found


def a_die(desk):
    dice = desk.said[4]["dice"]
    label = min(dice)
    desk.forge(4, dice=changed(dice, label, str(int(dice[label]) % 6 + 1)))
    return 4, "dice"


def a_second_die(desk):
    dice = desk.said[4]["dice"]
    desk.forge(4, dice=changed(dice, "izyum/combat", dice["izyum/combat"] + "1"))
    return 4, "dice"


def a_renamed_die(desk):
    dice = dict(desk.said[4]["dice"])
    dice["ponyri/other"] = dice.pop("ponyri/combat")
    desk.forge(4, dice=dice)
    return 4, "dice"


def another_message_of_his(desk):
    """Message 6 with the number of message 4: everything fits but what it follows."""
    desk.forge(4, **{**desk.said[6], "seq": "4"})
    return 4, "chain"


def an_early_die(desk):
    desk.forge(2, dice={"ponyri/combat": "6"})
    return 2, "dice"


def an_opening(desk):
    desk.forge(4, open=other(desk.said[4]["open"]))
    return 4, "opening"


def a_commitment(desk):
    """Message 2 commits to something else; all that follows is signed anew, and only the opening can tell."""
    before = desk.put(2, commit=other(desk.said[2]["commit"]))
    before = desk.put(3, prev=before)
    desk.forge(4, prev=before)
    return 4, "opening"


def a_commitment_alone(desk):
    desk.put(2, commit=other(desk.said[2]["commit"]))
    return 3, "chain"


def a_reveal(desk):
    shown = copy.deepcopy(desk.said[3]["reveal"])
    shown["posture/turn-1"]["value"]["posture"] = "deploy"
    desk.forge(3, reveal=shown)
    return 3, "reveal"


def a_salt(desk):
    shown = copy.deepcopy(desk.said[3]["reveal"])
    shown["posture/turn-1"]["salt"] = other(shown["posture/turn-1"]["salt"])
    desk.forge(3, reveal=shown)
    return 3, "reveal"


def no_reveal(desk):
    desk.forge(3, reveal=None)
    return 3, "reveal"


def one_reveal_too_many(desk):
    shown = desk.said[3]["reveal"]
    desk.forge(3, reveal=changed(shown, "plans/1", shown["posture/turn-1"]))
    return 3, "reveal"


def swapped_messages(desk):
    """Messages 4 and 6, both the German's, under each other's names."""
    four, six = (folders.archive_path(desk.folder, k) for k in (4, 6))
    for one, two in ((four, six), tuple(map(folders.signature_path, (four, six)))):
        kept = one.read_bytes()
        one.write_bytes(two.read_bytes())
        two.write_bytes(kept)
    return 4, "chain"


def a_missing_message(desk):
    path = folders.archive_path(desk.folder, 5)
    path.unlink()
    folders.signature_path(path).unlink()
    return 5, "chain"


def a_missing_message_whose_signature_is_there(desk):
    folders.archive_path(desk.folder, 7).unlink()
    return 7, "chain"


def another_predecessor(desk):
    desk.forge(5, prev=desk.said[4]["prev"])
    return 5, "chain"


def another_game(desk):
    desk.forge(5, game=other(desk.said[5]["game"]))
    return 5, "chain"


def another_number(desk):
    desk.forge(5, seq="7")
    return 5, "chain"


def a_wrong_sender(desk):
    desk.forge(4, **{"from": "russian"})
    return 4, "sender"


def a_stranger(desk):
    desk.forge(4, by="german", **{"from": "soviet"})
    return 4, "sender"


def another_signer(desk):
    desk.forge(4, by="russian")
    return 4, "signature"


def nobody_signs(desk):
    """The signature of another message."""
    path = folders.signature_path(folders.archive_path(desk.folder, 4))
    path.write_bytes(folders.signature_path(folders.archive_path(desk.folder, 6)).read_bytes())
    return 4, "signature"


def another_purpose(desk):
    path = folders.archive_path(desk.folder, 4)
    armour = desk.signers["german"].sign("file", path.read_bytes())
    folders.signature_path(path).write_text(armour, encoding="ascii", newline="")
    return 4, "signature"


def an_early_resignation(desk):
    desk.forge(2, type="resign", choice=None, waive=None, orders=None, secret=None)
    return 2, "order"


def a_second_acceptance(desk):
    desk.forge(3, type="accept")
    return 3, "order"


def a_resignation_with_orders(desk):
    desk.forge(4, type="resign")
    assert "orders" in desk.said[4]
    return 4, "order"


def no_commitment(desk):
    desk.forge(4, commit=None)
    return 4, "order"


def choices_in_the_proposal(desk):
    desk.forge(0, secret={"posture/turn-1": "ab" * 32})
    return 0, "order"


def a_key_for_both(desk):
    both = dict.fromkeys(desk.said[0]["keys"], desk.said[0]["keys"]["german"])
    desk.forge(0, keys=both)
    return 0, "head"


def a_blank(desk):
    path = folders.archive_path(desk.folder, 4)
    path.write_bytes(path.read_bytes() + b"\n")
    return 4, "canonical"


def an_escape(desk):
    path = folders.archive_path(desk.folder, 4)
    assert b'"russian"' not in path.read_bytes()
    path.write_bytes(path.read_bytes().replace(b'"german"', b'"\\u0067erman"', 1))
    return 4, "canonical"


def a_hidden_letter(desk):
    desk.forge(4, note="out of sight \u202e")
    return 4, "canonical"


def a_wide_text(desk):
    desk.forge(4, note="x" * 4097)
    return 4, "canonical"


def a_deep_value(desk):
    deep = "x"
    for _ in range(12):
        deep = {"a": deep}
    desk.forge(4, orders=deep)
    return 4, "canonical"


def a_big_file(desk):
    desk.forge(4, orders={f"a{n}": "x" * 4000 for n in range(70)})
    return 4, "canonical"


def a_list_for_orders(desk):
    desk.forge(4, orders=["movement"])
    return 4, "canonical"


def a_note_that_is_no_text(desk):
    desk.forge(4, note=["a", "b"])
    return 4, "canonical"


def another_version(desk):
    desk.forge(4, kursk_pbem="2")
    return 4, "canonical"


def a_key_that_is_none(desk):
    desk.forge(4, orders={"a b": "c"})
    return 4, "canonical"


def a_label_that_is_none(desk):
    desk.forge(2, secret={"Plans/2": "ab" * 32})
    return 2, "canonical"


def a_seal_that_is_no_hash(desk):
    desk.forge(2, secret={"plans/2": "AB" * 32})
    return 2, "canonical"


def a_die_with_seven_faces(desk):
    desk.forge(4, dice=changed(desk.said[4]["dice"], "ponyri/combat", "7"))
    return 4, "canonical"


def no_dice(desk):
    desk.forge(4, dice=changed(desk.said[4]["dice"], "ponyri/combat", ""))
    return 4, "canonical"


def a_short_salt(desk):
    shown = copy.deepcopy(desk.said[3]["reveal"])
    shown["posture/turn-1"]["salt"] = shown["posture/turn-1"]["salt"][:30]
    desk.forge(3, reveal=shown)
    return 3, "canonical"


def no_salt(desk):
    shown = copy.deepcopy(desk.said[3]["reveal"])
    del shown["posture/turn-1"]["salt"]
    desk.forge(3, reveal=shown)
    return 3, "canonical"


def a_scenario_without_its_hash(desk):
    desk.forge(0, scenario={"id": desk.said[0]["scenario"]["id"]})
    return 0, "canonical"


def a_ruleset_without_its_version(desk):
    desk.forge(0, ruleset={"id": desk.said[0]["ruleset"]["id"]})
    return 0, "canonical"


def another_hash_under_the_signature(desk):
    """ssh-keygen takes a signature over the SHA-256 as well; only sha512 is the one spelling."""
    path = folders.archive_path(desk.folder, 4)
    key = desk.demo / "german" / "me"
    signing = ["ssh-keygen", "-Y", "sign", "-O", "hashalg=sha256", "-f", key, "-n", "kursk-pbem"]
    made = subprocess.run(signing, input=path.read_bytes(), capture_output=True, check=True).stdout
    assert made != folders.signature_path(path).read_bytes()
    folders.signature_path(path).write_bytes(made)
    return 4, "signature"


def words_around_the_signature(desk):
    path = folders.signature_path(folders.archive_path(desk.folder, 4))
    path.write_bytes(b"signed:\n" + path.read_bytes())
    return 4, "signature"


def no_base64(desk):
    path = folders.signature_path(folders.archive_path(desk.folder, 4))
    path.write_bytes(path.read_bytes().replace(b"U1NI", b"U1N!", 1))
    return 4, "signature"


LIES = [
    a_die, a_second_die, a_renamed_die, another_message_of_his, an_early_die, an_opening, a_commitment,
    a_commitment_alone, a_reveal, a_salt, no_reveal,
    one_reveal_too_many, swapped_messages, a_missing_message, a_missing_message_whose_signature_is_there,
    another_predecessor, another_game, another_number, a_wrong_sender, a_stranger, another_signer, nobody_signs,
    another_purpose, an_early_resignation, a_second_acceptance, a_resignation_with_orders, no_commitment,
    choices_in_the_proposal, a_key_for_both, a_blank, an_escape, a_hidden_letter, a_wide_text, a_deep_value, a_big_file,
    a_list_for_orders, a_note_that_is_no_text, another_version, a_key_that_is_none, a_label_that_is_none,
    a_seal_that_is_no_hash, a_die_with_seven_faces, no_dice, a_short_salt, no_salt, a_scenario_without_its_hash,
    a_ruleset_without_its_version, another_hash_under_the_signature, words_around_the_signature, no_base64,
]  # fmt: skip
