"""Fraud proofs (protocol 2.8): every cheat is convicted, no honest neighbour is, and no proof is believed."""

import json
import shutil
from dataclasses import replace

import pytest
from helpers import finished_games, mutations, sweeps
from helpers.falsified import (
    add_stop,
    false_die,
    falsified,
    game_folder,
    missing_die,
    no_reveal,
    noted,
    other_opening,
    other_reveal,
    state_in,
    state_out,
)
from helpers.replays import replayed

from kursk_pbem.audit import gather, proof_file, single_step
from kursk_pbem.formats.canonical import state_hash
from kursk_pbem.kernel.ruleset import Ruleset
from kursk_pbem.kernel.state import from_plain
from kursk_pbem.trust import commit as commits
from kursk_pbem.trust import keys, messages, sshsig


def too_far(content):
    content["orders"] = {"movement": [{"unit": "g-27", "to": "2713"}]}


def early_dice(content):
    content["dice"] = {"ponyri/combat": "2"}


def bare(text):
    """Return a message without the attached position."""
    return text[: text.index("\nstate:\n") + 1]


def nobody(paths, words=""):
    found = gather.prove_all(paths)
    assert found.convictions == ()
    assert words in "\n".join(found.reasons)
    return found


def surplus_by_seed(content):
    """A die that the seed gives and the rules do not call for."""
    seed = commits.derive_seed(bytes.fromhex(content["open"]), bytes.fromhex(content["prev"]))
    content["dice"] = {**content["dice"], "zzz/combat": commits.roll_dice(seed, "zzz/combat", 1)}


CHEATS = {
    "false opening": (4, other_opening, "opening", "german", "does not fit the commitment in message 2"),
    "false die": (4, false_die, "dice", "german", "by the opening"),
    "die too early": (2, early_dice, "dice", "german", "can fall in message 3"),
    "false reveal": (4, other_reveal, "reveal", "german", "sealed in message 2"),
    "false reveal of the other": (3, other_reveal, "reveal", "russian", "sealed in message 1"),
    "missing die": (4, missing_die, "state", "german", "is missing"),
    "surplus die": (4, surplus_by_seed, "state", "german", "the rules roll no die"),
    "false stop": (4, add_stop, "state", "german", "'pending' must be"),
    "false position after the dice": (4, state_in, "state", "german", "state-in is not"),
    "false position": (4, state_out, "state", "german", "state-out is not"),
    "false position of the other": (3, state_out, "state", "russian", "state-out is not"),
}


def evidence_for(seq):
    return list(range(max(seq - 2, 1), seq))


@pytest.mark.some(3)
@pytest.mark.parametrize("cheat", CHEATS)
def test_T2_T20_T22_T35_a_cheat_is_convicted_by_the_fewest_messages(demo, record, at_hand, cheat):
    seq, change, claim, side, words = CHEATS[cheat]
    false = falsified(demo, record, seq, change, state=False)
    found = gather.prove_all(at_hand([0, *evidence_for(seq)], false))
    assert [(each.side, each.claim, each.seq) for each in found.convictions] == [(side, claim, seq)]
    assert words in found.convictions[0].why
    assert (found.convictions[0].before is not None) == (claim == "state")
    # More files do not change the proof.
    more = gather.prove_all(at_hand(range(8), false))
    assert [proof_file.write_proof(each) for each in more.convictions] == [proof_file.write_proof(found.convictions[0])]


@pytest.mark.parametrize("cheat", CHEATS)
def test_a_cheat_is_not_convicted_where_a_message_is_missing(demo, record, at_hand, cheat):
    seq, change, _claim, _side, _words = CHEATS[cheat]
    false = falsified(demo, record, seq, change, state=False)
    needed = [0, *evidence_for(seq)]
    for missing in needed:
        place = at_hand([number for number in needed if number != missing], false)
        nobody(place, f"message {missing}")


def test_the_opening_is_checked_first(demo, record, at_hand):
    def both(content):
        other_opening(content)
        false_die(content)

    found = gather.prove_all(at_hand([0, 2, 3], falsified(demo, record, 4, both)))
    assert [each.claim for each in found.convictions] == ["opening"]


@pytest.mark.parametrize("seq", [2, 3, 4])
def test_T1_2_6_a_message_signed_twice_convicts_nobody_and_the_longer_line_counts(demo, record, at_hand, seq):
    twin = falsified(demo, record, seq, noted(), state=False)
    nobody(at_hand(range(seq + 1), twin), "the message that came first counts: no fraud")
    nobody(at_hand(range(8), twin), f"{record.games[seq].chain.head_id[:16]} counts, because message {seq + 1} follows")


def test_two_acceptances_convict_nobody(demo, record, tmp_path):
    place = tmp_path / "accepted twice"
    place.mkdir()
    for name, text in (("0", record.texts[0]), ("1", record.texts[1]), ("1b", falsified(demo, record, 1, noted()))):
        (place / f"{name}.yaml").write_text(text, encoding="ascii")
    nobody([place], "message 1 was signed 2 times")


# Honest neighbours


def test_T8_T21_an_illegal_message_and_its_correction_convict_nobody(demo, record, at_hand):
    illegal = falsified(demo, record, 4, too_far, state=False)
    nobody(at_hand([0, 2, 3], illegal), "void, no fraud")
    nobody(at_hand(range(8), illegal), "void, no fraud")


def test_what_stands_on_a_void_message_is_void(demo, record, at_hand):
    void = falsified(demo, record, 4, too_far, state=False)
    name = messages.read_message(void.encode("ascii"), "void").id

    def on_it(words):
        return falsified(demo, record, 5, lambda content: content.update(prev=name, note=words), state=False)

    nobody(at_hand(range(4), void, on_it("one"), on_it("two")), "is void")


@pytest.mark.parametrize("layout", sweeps.some(mutations.LAYOUTS, 3))
def test_T7_T10_a_message_sent_again_in_another_layout_convicts_nobody(record, at_hand, layout):
    nobody(at_hand(range(8), *(mutations.LAYOUTS[layout](text) for text in record.texts)))


def test_a_message_that_follows_another_one_convicts_nobody(demo, record, at_hand):
    """The German signs message 4 twice, and the Russian answers both: two lines, and no fraud."""
    twin = falsified(demo, record, 4, noted())
    prev = messages.read_message(twin.encode("ascii"), "twin").id
    answer = falsified(demo, record, 5, lambda content: content.update(prev=prev))
    nobody(at_hand([0, 1, 2, 3, 4, 5], answer), f"message 4 ({prev[:16]}) is missing")
    nobody(at_hand([0, 1, 2, 3, 4, 5], answer, twin), "message 4 was signed 2 times")


@pytest.mark.parametrize("cheat", [name for name, (*_rest, claim, _side, _words) in CHEATS.items() if claim == "state"])
def test_T19_other_rules_convict_nobody(demo, record, at_hand, monkeypatch, cheat):
    seq, change, *_rest = CHEATS[cheat]
    false = falsified(demo, record, seq, change)
    monkeypatch.setattr(Ruleset, "versions", ("0",))  # a program without the adjudication that the game pins
    nobody(at_hand(range(8), false), "the game is played by version 1 of battle-for-kursk")


def test_openings_and_dice_convict_without_the_rules(demo, record, at_hand, monkeypatch):
    monkeypatch.setattr(Ruleset, "versions", ("0",))
    for change, claim in ((other_opening, "opening"), (false_die, "dice"), (other_reveal, "reveal")):
        found = gather.prove_all(at_hand([0, 2, 3], falsified(demo, record, 4, change)))
        assert [each.claim for each in found.convictions] == [claim]
    nobody(at_hand(range(8), falsified(demo, record, 4, noted())), "needs the rules")


def test_a_copy_with_a_bad_signature_accuses_nobody(demo, record, at_hand):
    text = record.texts[4]
    die = next(iter(messages.read_message(text.encode("ascii"), "4").mapping("dice").items()))
    false = text.replace(f"{die[0]}: '{die[1]}'", f"{die[0]}: '{int(die[1]) % 6 + 1}'")
    assert false != text
    nobody(at_hand([0, 2, 3], false), "proves nothing")
    foreign = messages.read_message(falsified(demo, record, 4, other_opening).encode("ascii"), "4").content
    armour = keys.load_key(demo / "russian" / "me").sign(sshsig.NAMESPACE, messages.signed_bytes(foreign))
    nobody(at_hand([0, 2, 3], messages.emit_message(foreign, armour)), "proves nothing")
    claimed = {**foreign, "from": "russian"}
    armour = keys.load_key(demo / "russian" / "me").sign(sshsig.NAMESPACE, messages.signed_bytes(claimed))
    nobody(at_hand([0, 2, 3], messages.emit_message(claimed, armour)), "is not russian's to write")


def test_a_damaged_copy_takes_nothing_from_a_good_one(demo, record, at_hand):
    head = record.texts[0].replace("battle-for-kursk/citadel", "battle-for-kursk/campaign")
    damaged = record.texts[3].replace("stand-fast: doomed", "stand-fast: always")
    assert damaged != record.texts[3]
    assert head != record.texts[0]
    for name in ("other-0", "other-9"):
        paths = at_hand([0, 2, 3], falsified(demo, record, 4, other_opening), head, damaged)
        shutil.move(paths[-2], paths[-2].with_name(f"{name}-head.yaml"))
        [convicted] = gather.prove_all([paths[0].parent]).convictions
        assert convicted.claim == "opening"


def test_without_the_position_or_with_a_false_one_the_rules_convict_nobody(demo, record, at_hand):
    false = falsified(demo, record, 4, state_out)
    nobody(at_hand([0, 2], bare(record.texts[3]), false), "needs the position before")
    other = messages.read_message(record.texts[2].encode("ascii"), "2").state
    third = messages.read_message(record.texts[3].encode("ascii"), "3")
    nobody(
        at_hand([0, 2], messages.emit_message(third.content, third.armour, other), false), "needs the position before"
    )
    [convicted] = gather.prove_all(at_hand([0, 1, 2], bare(record.texts[3]), false)).convictions  # replayed
    assert convicted.claim == "state"


def test_T24_a_reveal_that_is_owed_and_lacking_is_refused_and_convicts_nobody(demo, record, at_hand):
    nobody(at_hand([0, 2, 3], falsified(demo, record, 4, no_reveal)), "reveals no plans/2")


def test_a_position_that_both_have_made_up_is_judged_by_the_rules_or_not_at_all(demo, record, at_hand):
    """Two sides signed the position: the rules must not stop with a fault of the program."""
    refused = 0
    third = messages.read_message(record.texts[3].encode("ascii"), "3")

    def spoil(where, value):
        state = json.loads(json.dumps(third.state))
        *path, last = where
        inner = state
        for key in path:
            inner = inner[key]
        inner[last] = value
        return state

    for state in (
        spoil(("stage",), "nowhere"),
        spoil(("side",), "russian"),
        spoil(("turn",), "99"),
        spoil(("units",), {"nobody": {"place": "2011", "steps": "2"}}),
        spoil(("units", "g-46-pz", "place"), "9999"),
        spoil(("agenda", "battles"), "all of them"),
        spoil(("agenda", "declared"), "seven"),
        spoil(("marks", "german", "posture"), "sleep"),
        spoil(("tracks",), {}),
    ):
        digest = state_hash(state)
        content = {**third.content, "state-out": digest}
        armour = keys.load_key(demo / "russian" / "me").sign(sshsig.NAMESPACE, messages.signed_bytes(content))
        text = messages.emit_message(content, armour, state)
        prev = messages.read_message(text.encode("ascii"), "3").id

        def on_it(content, prev=prev):
            seed = commits.derive_seed(bytes.fromhex(content["open"]), bytes.fromhex(prev))
            dice = {label: commits.roll_dice(seed, label, len(digits)) for label, digits in content["dice"].items()}
            content.update(prev=prev, dice=dice)

        fourth = falsified(demo, record, 4, on_it)
        found = gather.prove_all(at_hand([0, 2], text, fourth))
        stopped = any("impossible under the rules" in reason for reason in found.reasons)
        assert [each.claim for each in found.convictions] == ([] if stopped else ["state"])
        refused += stopped
    assert refused >= 6


# One link without the history


each_game = pytest.mark.parametrize(
    "folder", sweeps.some(finished_games.list_folders(), 13), ids=lambda folder: folder.name
)


def run_before(before, sender):
    """Return the messages for a proof: from the sender's last message on, or from the writer of an offer."""
    first = max((each.seq for each in before if each.sender == sender and each.type != "reply"), default=1)
    while (reply := next((each for each in before[max(first, 1) :] if each.type == "reply"), None)) is not None:
        offer = max(each.seq for each in before[: reply.seq] if each.type == "offer")
        if first <= offer:
            break
        first = max(each.seq for each in before[:offer] if each.sender == sender)
    return before[max(first, 1) :]


@each_game
def test_a_message_adjudicated_from_the_position_before_it_is_the_same_as_replayed(folder):
    same_alone(folder)


def same_alone(folder):
    steps = replayed(folder)
    all_of = [step.message for step in steps]
    assert len(all_of) > 2
    for seq, step in enumerate(steps[1:], 1):
        run_ = run_before(all_of[:seq], step.message.sender)
        state = from_plain(steps[seq - 1].game.state.to_plain())
        assert single_step.read_position(replace(all_of[seq - 1], state=state.to_plain())) == state
        alone = single_step.adjudicate(steps[0].game, run_, state, step.message)
        assert alone == step.result, f"message {seq}"


@each_game
def test_finished_games_convict_nobody(folder):
    assert nobody([folder]).reasons == ()


def test_so_does_the_demonstration(demo):
    same_alone(game_folder(demo))
    assert nobody([game_folder(demo)]).reasons == ()
