"""Lies that players can write and sign: the demonstration, changed in a single place, with their own keys."""

from __future__ import annotations

import copy
import subprocess

from kursk_pbem.game import folders
from trust.lies import NEEDS_RULES, Found, Leaves, change_hash, lie, replace_entry

# Dice, openings, reveals


@lie(4, "dice")
def a_die(desk):
    dice = desk.said[4]["dice"]
    label = min(dice)
    desk.forge(4, dice=replace_entry(dice, label, str(int(dice[label]) % 6 + 1)))


@lie(4, "dice")
def a_second_die(desk):
    """The true second die would be a 1, and only the rules know that no player rolls it."""
    dice = desk.said[4]["dice"]
    desk.forge(4, dice=replace_entry(dice, "izyum/combat", dice["izyum/combat"] + "2"))


@lie(4, "dice")
def a_renamed_die(desk):
    dice = dict(desk.said[4]["dice"])
    dice["ponyri/other"] = dice.pop("ponyri/combat")
    desk.forge(4, dice=dice)


@lie(4, "chain")
def another_message_of_his(desk):
    """Message 6 with the number of message 4: only the predecessor is wrong."""
    desk.forge(4, **{**desk.said[6], "seq": "4"})


@lie(2, "dice")
def an_early_die(desk):
    desk.forge(2, dice={"ponyri/combat": "6"})


@lie(4, "opening")
def an_opening(desk):
    desk.forge(4, open=change_hash(desk.said[4]["open"]))


@lie(4, "opening")
def a_commitment(desk):
    """Message 2 with another commitment; the later messages are signed again, so only the opening shows the lie."""
    before = desk.put(2, commit=change_hash(desk.said[2]["commit"]))
    before = desk.put(3, prev=before)
    desk.forge(4, prev=before)


@lie(3, "chain")
def a_commitment_alone(desk):
    desk.put(2, commit=change_hash(desk.said[2]["commit"]))


@lie(3, "reveal")
def a_reveal(desk):
    shown = copy.deepcopy(desk.said[3]["reveal"])
    shown["posture/turn-1"]["value"]["posture"] = "deploy"
    desk.forge(3, reveal=shown)


@lie(3, "reveal")
def a_salt(desk):
    shown = copy.deepcopy(desk.said[3]["reveal"])
    shown["posture/turn-1"]["salt"] = change_hash(shown["posture/turn-1"]["salt"])
    desk.forge(3, reveal=shown)


@lie(3, "reveal")
def no_reveal(desk):
    desk.forge(3, reveal=None)


@lie(3, "reveal")
def one_reveal_too_many(desk):
    shown = desk.said[3]["reveal"]
    desk.forge(3, reveal=replace_entry(shown, "plans/1", shown["posture/turn-1"]))


@lie(4, "chain")
def swapped_messages(desk):
    """Messages 4 and 6, both by the German, with exchanged names."""
    four, six = (folders.archive_path(desk.folder, k) for k in (4, 6))
    for one, two in ((four, six), tuple(map(folders.signature_path, (four, six)))):
        kept = one.read_bytes()
        one.write_bytes(two.read_bytes())
        two.write_bytes(kept)


@lie(5, "chain", short=Found("0006.json", "chain"))  # the script names the message in its place
def a_missing_message(desk):
    path = folders.archive_path(desk.folder, 5)
    path.unlink()
    folders.signature_path(path).unlink()


@lie(7, "chain", short=Leaves("the last messages can always be missing: the head tells"))
def a_missing_message_whose_signature_is_there(desk):
    folders.archive_path(desk.folder, 7).unlink()


@lie(5, "chain")
def another_predecessor(desk):
    desk.forge(5, prev=desk.said[4]["prev"])


@lie(5, "chain")
def another_game(desk):
    desk.forge(5, game=change_hash(desk.said[5]["game"]))


@lie(5, "chain")
def another_number(desk):
    desk.forge(5, seq="7")


@lie(4, "sender")
def a_wrong_sender(desk):
    desk.forge(4, **{"from": "russian"})


@lie(4, "sender")
def a_stranger(desk):
    desk.forge(4, by="german", **{"from": "soviet"})


@lie(4, "signature")
def another_signer(desk):
    desk.forge(4, by="russian")


@lie(4, "signature")
def nobody_signs(desk):
    """The signature of another message."""
    path = folders.signature_path(folders.archive_path(desk.folder, 4))
    path.write_bytes(folders.signature_path(folders.archive_path(desk.folder, 6)).read_bytes())


@lie(4, "signature")
def another_purpose(desk):
    path = folders.archive_path(desk.folder, 4)
    armour = desk.signers["german"].sign("file", path.read_bytes())
    folders.signature_path(path).write_text(armour, encoding="ascii", newline="")


@lie(2, "order")
def an_early_resignation(desk):
    desk.forge(2, type="resign", choice=None, waive=None, orders=None, secret=None)


@lie(3, "order")
def a_second_acceptance(desk):
    desk.forge(3, type="accept")


@lie(4, "order")
def a_resignation_with_orders(desk):
    desk.forge(4, type="resign")
    assert "orders" in desk.said[4]


@lie(4, "order")
def no_commitment(desk):
    desk.forge(4, commit=None)


@lie(0, "order")
def choices_in_the_proposal(desk):
    desk.forge(0, secret={"posture/turn-1": "ab" * 32})


@lie(0, "head")
def a_key_for_both(desk):
    both = dict.fromkeys(desk.said[0]["keys"], desk.said[0]["keys"]["german"])
    desk.forge(0, keys=both)


@lie(4, "canonical")
def a_blank(desk):
    path = folders.archive_path(desk.folder, 4)
    path.write_bytes(path.read_bytes() + b"\n")


@lie(4, "canonical")
def an_escape(desk):
    path = folders.archive_path(desk.folder, 4)
    assert b'"russian"' not in path.read_bytes()
    path.write_bytes(path.read_bytes().replace(b'"german"', b'"\\u0067erman"', 1))


@lie(
    4,
    "canonical",
    short=Leaves("free text is for people; the program refuses what steers a terminal, the script prints none"),
)
def a_hidden_letter(desk):
    desk.forge(4, note="out of sight \u202e")


@lie(4, "canonical", short=Leaves("limits of size protect a reader, and change nothing that was said"))
def a_wide_text(desk):
    desk.forge(4, note="x" * 4097)


@lie(4, "canonical", short=Leaves("limits of size protect a reader, and change nothing that was said"))
def a_deep_value(desk):
    deep = "x"
    for _ in range(12):
        deep = {"a": deep}
    desk.forge(4, orders=deep)


@lie(4, "canonical", short=Leaves("limits of size protect a reader, and change nothing that was said"))
def a_big_file(desk):
    desk.forge(4, orders={f"a{n}": "x" * 4000 for n in range(70)})


@lie(4, "canonical", short=Leaves("the form of orders is a matter of the rules"))
def a_list_for_orders(desk):
    desk.forge(4, orders=["movement"])


@lie(4, "canonical", short=Leaves("nothing follows from a note"))
def a_note_that_is_no_text(desk):
    desk.forge(4, note=["a", "b"])


@lie(4, "canonical")
def another_version(desk):
    desk.forge(4, kursk_pbem="2")


@lie(4, "canonical", short=Leaves("the form of orders is a matter of the rules"))
def a_key_that_is_none(desk):
    desk.forge(4, orders={"a b": "c"})


@lie(2, "canonical")
def a_label_that_is_none(desk):
    desk.forge(2, secret={"Plans/2": "ab" * 32})


@lie(2, "canonical", short=Leaves("nothing can be shown for it: the next message of its writer is refused"))
def a_seal_that_is_no_hash(desk):
    desk.forge(2, secret={"plans/2": "AB" * 32})


@lie(2, "order")
def a_seal_without_kept(desk):
    desk.forge(2, kept=None)


@lie(2, "order")
def a_kept_value_without_a_seal(desk):
    desk.forge(2, kept={**desk.said[2]["kept"], "plans/4": ["AAAA"]})


@lie(2, "order")
def a_promise_of_kept_after_message_0(desk):
    desk.forge(2, seals="kept")


@lie(0, "canonical", short=Leaves("the word alone says nothing about a message"))
def another_promise(desk):
    desk.forge(0, seals="open")


@lie(2, "canonical", short=Leaves("only the writer can read it"))
def a_kept_value_that_is_no_base64(desk):
    desk.forge(2, kept={"plans/2": ["?"]})


@lie(4, "canonical", short=Found("0004.json", "dice"))
def a_die_with_seven_faces(desk):
    desk.forge(4, dice=replace_entry(desk.said[4]["dice"], "ponyri/combat", "7"))


@lie(4, "canonical", short=Found("0004.json", "dice"))
def no_dice(desk):
    desk.forge(4, dice=replace_entry(desk.said[4]["dice"], "ponyri/combat", ""))


@lie(3, "canonical", short=Found("0003.json", "reveal"))
def a_short_salt(desk):
    shown = copy.deepcopy(desk.said[3]["reveal"])
    shown["posture/turn-1"]["salt"] = shown["posture/turn-1"]["salt"][:30]
    desk.forge(3, reveal=shown)


@lie(3, "canonical", short=Found("0003.json", "reveal"))
def no_salt(desk):
    shown = copy.deepcopy(desk.said[3]["reveal"])
    del shown["posture/turn-1"]["salt"]
    desk.forge(3, reveal=shown)


@lie(0, "canonical", short=Leaves("the scenario is a matter of the rules"))
def a_scenario_without_its_hash(desk):
    desk.forge(0, scenario={"id": desk.said[0]["scenario"]["id"]})


@lie(0, "canonical", short=Leaves("the rules' number is a matter of the rules"))
def a_ruleset_without_its_version(desk):
    desk.forge(0, ruleset={"id": desk.said[0]["ruleset"]["id"]})


@lie(4, "signature", short=Leaves("the same key has signed the same bytes, and nothing follows from a signature"))
def another_hash_under_the_signature(desk):
    """A signature over SHA-256: ssh-keygen accepts the signature, the protocol only sha512."""
    path = folders.archive_path(desk.folder, 4)
    key = desk.demo / "german" / "me"
    signing = ["ssh-keygen", "-Y", "sign", "-O", "hashalg=sha256", "-f", key, "-n", "kursk-pbem"]
    made = subprocess.run(signing, input=path.read_bytes(), capture_output=True, check=True).stdout
    assert made != folders.signature_path(path).read_bytes()
    folders.signature_path(path).write_bytes(made)


@lie(4, "signature")
def words_around_the_signature(desk):
    path = folders.signature_path(folders.archive_path(desk.folder, 4))
    path.write_bytes(b"signed:\n" + path.read_bytes())


@lie(4, "signature")
def no_base64(desk):
    path = folders.signature_path(folders.archive_path(desk.folder, 4))
    path.write_bytes(path.read_bytes().replace(b"U1NI", b"U1N!", 1))


@lie(4, "signature", program=Found("0004.json", "canonical"))  # like an unsigned mailed file
def a_missing_signature(desk):
    folders.signature_path(folders.archive_path(desk.folder, 4)).unlink()


# Lies about the rules


@lie(4, "state", second=Leaves(NEEDS_RULES), short=Leaves(NEEDS_RULES))
def another_position(desk):
    desk.forge(4, state_out=change_hash(desk.said[4]["state-out"]))


@lie(4, "rules", second=Leaves(NEEDS_RULES), short=Leaves(NEEDS_RULES))
def an_illegal_move(desk):
    desk.forge(4, orders={"movement": [{"unit": "g-27", "to": "2713"}]})
