"""The two checkers that share nothing with the program: docs/verify_game.py, and the complete one of the test tree."""

import importlib.util
import re
from pathlib import Path

SHORT = Path(__file__).parents[2] / "docs" / "verify_game.py"
SECOND = Path(__file__).with_name("second_auditor.py")


def load(path):
    """A fresh copy of one of them as a module."""
    spec = importlib.util.spec_from_file_location(path.stem, path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def remembering(check):
    """The check of a signature of either, which starts ssh-keygen once for the same bytes, signature and key."""
    good = set()

    def checked(path, data, side, key):
        sig = path.with_name(path.name + ".sig")
        seen = (data, sig.read_bytes() if sig.is_file() else b"", side, key)
        if seen not in good:
            check(path, data, side, key)
            good.add(seen)

    return checked


def said_to_be(line):
    """(file, fault) that the last line of either names."""
    found = re.fullmatch(r"(\S+): FAULT: ([a-z]+): .+", line)
    assert found, line
    return found[1], found[2]


LEFT = {
    "a_missing_message_whose_signature_is_there": "the last messages can always be missing: the head tells",
    "a_hidden_letter": "free text is for people; the program refuses what steers a terminal, the script prints none",
    "a_wide_text": "limits of size protect a reader, and change nothing that was said",
    "a_deep_value": "the same",
    "a_big_file": "the same",
    "a_list_for_orders": "the form of orders is a matter of the rules",
    "a_key_that_is_none": "the same",
    "a_note_that_is_no_text": "nothing follows from a note",
    "a_seal_that_is_no_hash": "nothing can be shown for it: the next message of its writer is refused",
    "a_scenario_without_its_hash": "the scenario is a matter of the rules",
    "a_ruleset_without_its_version": "so is their number",
    "another_hash_under_the_signature": "the same key has signed the same bytes, and nothing follows from a signature",
    "an_offer_of_peace": "what is offered is a matter of the rules; that an accepted offer ends the game is checked",
    "a_short_successor": "the same",
    "a_receipt_from_a_player": "receipts and forfeits: only the signature and the message named",
    "a_receipt_named_forfeit": "the same",
}
"""Lies that docs/verify_game.py leaves to ``kursk verify``, and why it may."""

ELSEWHERE = {
    "a_missing_message": ("0006.json", "chain"),  # the one in its place
    "a_die_with_seven_faces": ("0004.json", "dice"),
    "no_dice": ("0004.json", "dice"),
    "a_short_salt": ("0003.json", "reveal"),
    "no_salt": ("0003.json", "reveal"),
    "who_names_nobody_ends_the_game": ("0007.json", "sender"),
    "dice_from_nobody": ("0000.json", "head"),
}
"""What it calls otherwise, or finds in another file."""
