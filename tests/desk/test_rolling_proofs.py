"""Fraud with a rolling referee: signatures convict the referee or a player, and only the guilty (2.7)."""

from __future__ import annotations

import copy

import pytest
from helpers.falsified import add_stop, false_die, missing_die, other_opening, other_reveal, state_in, state_out
from helpers.signed_play import RefereedTable
from rulesets.battle_for_kursk.first_turn import OPENING, ORDERS, PAUSE, SEAL_2

from kursk_pbem.audit import gather, proof_file, prove, verify
from kursk_pbem.desk.deals import director
from kursk_pbem.desk.draft import drafts
from kursk_pbem.desk.own import desks
from kursk_pbem.errors import RulesError, TrustError
from kursk_pbem.game import entropy, folders, games
from kursk_pbem.kernel.ruleset import REFEREE
from kursk_pbem.trust import commit, keys, messages, sshsig

LENGTH = 17


@pytest.fixture(scope="module")
def table(tmp_path_factory):
    """Return a game of 17 messages at three desks, for reading only.

    1 Russian, seals · 3 German, attacks · 4 dice · 5 German offers a draw · 7 declined · 9 German moves ·
    11 Russian shows the posture of message 1 and seals the next · 13 German waits · 15 Russian shows the posture.
    """
    with entropy.fix_random_bytes("proofs with a referee"):
        table = RefereedTable(tmp_path_factory.mktemp("proofs") / "table").begin()
        table.turn(OPENING)
        table.turn(ORDERS)
        table.send(drafts.make_offer(table.due.desk, "draw"))
        table.send(drafts.make_reply(table.due.desk, "decline"))
        table.turn({})
        table.turn(SEAL_2)
        table.turn({"choice": {"posture/turn-2": PAUSE}})
        table.turn({})
        assert table.game.chain.next_seq == LENGTH
    return table


@pytest.fixture(scope="module")
def files(table):
    """Return the referee's files of the messages."""
    return [folders.read_message(path) for path in folders.message_files(table.referee.folder)]


def signed(table, content, state=None):
    """Sign a content unchanged, and read the message again."""
    armour = keys.load_key(table.players[content["from"]].key).sign(sshsig.NAMESPACE, messages.signed_bytes(content))
    return messages.read_message(messages.emit_message(content, armour, state).encode("ascii"), "false.yaml")


def falsified(table, files, seq, change):
    content = copy.deepcopy(files[seq].content)
    change(content)
    return signed(table, content)


def noted(content):
    content["note"] = "another word"


def surplus_by_seed(content):
    seed = commit.derive_seed(bytes.fromhex(content["open"]), bytes.fromhex(content["prev"]))
    content["dice"] = {**content["dice"], "zzz/combat": commit.roll_dice(seed, "zzz/combat", 1)}


def early_dice(content):
    content["dice"] = {"ponyri/combat": "2"}


def another_position(content):
    content.update({"state-in": "0" * 64, "state-out": "0" * 64})


CHEATS = {
    "opening": (4, other_opening, "opening", REFEREE, "does not fit the commitment in message 2", 2),
    "opening where nothing is rolled": (6, other_opening, "opening", REFEREE, "commitment in message 4", 4),
    "die": (4, false_die, "dice", REFEREE, "by the opening", 2),
    "die too early": (2, early_dice, "dice", REFEREE, "can fall in message 4", 1),
    "missing die": (4, missing_die, "state", REFEREE, "is missing", 2),
    "surplus die": (4, surplus_by_seed, "state", REFEREE, "the rules roll no die", 2),
    "false stop": (4, add_stop, "state", REFEREE, "must name the decision", 2),
    "position after the dice": (4, another_position, "state", REFEREE, "state-in is not", 2),
    "position after what he has rolled": (4, state_out, "state", REFEREE, "chooses nothing", 2),
    "position handed on": (10, another_position, "state", REFEREE, "state-in is not", None),
    "reveal, six messages later": (11, other_reveal, "reveal", "russian", "sealed in message 1", None),
    "reveal, four messages later": (15, other_reveal, "reveal", "russian", "sealed in message 11", None),
    "position of a player": (3, state_out, "state", "german", "state-out is not", 1),
    "position of a player before his orders": (9, state_in, "state", "german", "state-in is not", None),
}
"""Message, change, claim, who, words; the first message of the fewest that convict (None: not counted here)."""


@pytest.mark.some(4)
@pytest.mark.parametrize("cheat", CHEATS)
def test_T20_T22_T32_a_cheat_is_convicted(table, files, cheat):
    seq, change, claim, side, words, first = CHEATS[cheat]
    false = falsified(table, files, seq, change)
    game = games.begin(files[0])
    for message in files[1:seq]:
        game = games.extend(game, message)[0]
    with pytest.raises(TrustError):
        games.extend(game, false)
    [convicted] = prove.judge_messages([*files, false]).convictions
    assert (convicted.side, convicted.claim, convicted.seq) == (side, claim, seq)
    assert words in convicted.why
    assert (convicted.before is not None) == (claim == "state")
    again = proof_file.read(proof_file.write_proof(convicted).encode("ascii"), "proof")[1]
    assert [(each.side, each.claim) for each in prove.judge_messages(again).convictions] == [(side, claim)]
    if first is not None:
        fewest = [files[0], *files[first:seq], false]
        assert proof_file.write_proof(prove.judge_messages(fewest).convictions[0]) == proof_file.write_proof(convicted)
        for missing in range(1, len(fewest) - 1):
            assert prove.judge_messages([*fewest[:missing], *fewest[missing + 1 :]]).convictions == ()


def test_T32_a_referee_who_rolls_again_is_convicted(table, files, tmp_path, kursk):
    """Two frauds: wrong dice for a nonce, and dice of another nonce. A second message has the same dice."""
    opened = bytes(32)

    def another_nonce(content):
        seed = commit.derive_seed(opened, bytes.fromhex(content["prev"]))
        content["open"] = opened.hex()
        content["dice"] = {label: commit.roll_dice(seed, label, len(found)) for label, found in content["dice"].items()}

    for change, claim in ((false_die, "dice"), (another_nonce, "opening")):
        paths = [table.german.folder, tmp_path / f"{claim}.yaml"]
        false = falsified(table, files, 4, change)
        paths[1].write_text(messages.emit_message(false.content, false.armour), encoding="ascii")
        [convicted] = gather.prove_all(paths).convictions
        assert (convicted.side, convicted.claim, convicted.seq) == (REFEREE, claim, 4)
    status, said = kursk(table.german, "prove", *paths, "--dir", tmp_path)
    assert (status, "referee" in said, "opening" in said) == (0, True, True)
    (proof,) = tmp_path.glob("*proof*")
    assert kursk(table.russian, "prove", proof)[0] == 0


@pytest.mark.parametrize("seq", [1, 4, 7])
def test_2_6_two_messages_for_a_number_convict_nobody(table, files, seq):
    found = prove.judge_messages([*files, falsified(table, files, seq, noted)])
    assert found.convictions == ()
    assert any(f"message {seq} was signed 2 times" in reason for reason in found.reasons)


def test_T41_the_same_orders_under_two_mixes_are_two_messages(table, files):
    """A second ``mix`` for other dice is a second signature for a number."""
    again = falsified(table, files, 5, lambda content: content.update(mix="ab" * 32))
    assert prove.judge_messages([*files, again]).convictions == ()


@pytest.mark.parametrize(
    "change",
    [lambda content: content.update({"next": "russian"}), lambda content: content.pop("next")],
    ids=["the wrong side", "nobody"],
)
def test_T20_a_referee_who_names_the_wrong_side_is_convicted(table, files, change):
    """The next writer follows from the rules, like positions."""
    found = prove.judge_messages([*files[:4], falsified(table, files, 4, change)])
    assert [(each.side, each.claim, each.seq) for each in found.convictions] == [("referee", "state", 4)]


# Honest neighbours


def test_the_game_itself_and_its_copies_convict_nobody(table, files):
    """Offers and passed messages included; every proof is decided."""
    paths = [player.folder for player in table.players.values()]
    found = gather.prove_all(paths)
    assert (found.convictions, found.reasons) == ((), ())
    assert found.messages == LENGTH
    assert verify.verify_game(table.russian.folder).status == 0


@pytest.mark.parametrize(
    "change",
    [
        lambda content: content.update({"orders": {"movement": [{"unit": "g-27", "to": "2713"}]}}),
        lambda content: content.pop("commit"),
    ],
    ids=["orders", "no commitment"],
)
def test_a_referees_message_that_is_only_wrong_is_void(table, files, change):
    """A wrong message is refused and may be corrected, but breaks no commitment."""
    found = prove.judge_messages([*files[:4], falsified(table, files, 4, change)])
    assert found.convictions == ()
    assert any("but no fraud" in reason for reason in found.reasons)


def test_T8_T21_an_illegal_message_and_its_correction_convict_nobody(table, files):
    illegal = falsified(
        table, files, 9, lambda content: content.update(orders={"movement": [{"unit": "g-27", "to": "2713"}]})
    )
    game = games.begin(files[0])
    for message in files[1:9]:
        game = games.extend(game, message)[0]
    with pytest.raises(RulesError):
        games.extend(game, illegal)
    found = prove.judge_messages([*files, illegal])
    assert found.convictions == ()
    assert any("void, no fraud" in reason for reason in found.reasons)


def test_what_a_referee_rolls_on_a_void_message_is_void(table, files):
    illegal = falsified(table, files, 3, lambda content: content["orders"]["battles"][0].update(hex="2713"))
    answer = falsified(table, files, 4, lambda content: content.update(prev=illegal.id))
    found = prove.judge_messages([*files[:3], illegal, answer])
    assert found.convictions == ()
    assert any("is void" in reason for reason in found.reasons)


def test_a_player_cannot_speak_for_the_referee(table, files):
    content = {**files[4].content, "dice": {"ponyri/combat": "6"}}
    armour = keys.load_key(table.german.key).sign(sshsig.NAMESPACE, messages.signed_bytes(content))
    false = messages.read_message(messages.emit_message(content, armour).encode("ascii"), "false.yaml")
    found = prove.judge_messages([*files, false])
    assert found.convictions == ()
    assert any("proves nothing" in reason for reason in found.reasons)
    content["from"] = "german"
    found = prove.judge_messages([*files, signed(table, content)])
    assert found.convictions == ()
    assert any("not german's to write" in reason for reason in found.reasons)


def test_T24_a_reveal_that_lacks_convicts_nobody(table, files):
    found = prove.judge_messages([*files[:11], falsified(table, files, 11, lambda content: content.pop("reveal"))])
    assert found.convictions == ()
    assert any("reveals no posture/turn-1" in reason for reason in found.reasons)


def test_each_message_is_judged_from_the_position_before_it(table, files):
    """The proof needs message 0, one position, and the messages since the last message of the writer."""
    judged = 0
    for seq in range(4, LENGTH):
        if files[seq].type == "offer":  # judged with earlier messages, because an offer may be declined
            continue
        first = max(k for k in range(seq) if files[k].sender == files[seq].sender and files[k].type != "reply")
        if files[seq - 1].type == "reply":  # the offer belongs to the reply
            first -= 2
        found = prove.judge_messages([files[0], *files[max(first, 1) : seq + 1]])
        assert found.convictions == ()
        assert not [reason for reason in found.reasons if f"message {seq} of" in reason]
        judged += first > 1
    assert judged > 8


def test_the_referee_signs_a_number_once(table):
    """The journal prevents a second roll: the bytes stay equal."""
    desk = desks.open_desk(table.referee.folder, table.referee.home)
    slot = desk.own.read_slot(4)
    assert (slot.kind, slot.id) == ("signed", table.game.chain.ids[4])
    assert director.sign_answer(desk, None) is None
