"""Proofs from games with offers and replies convict liars, and only liars (protocol 2.8, 2.9)."""

from __future__ import annotations

import itertools
from dataclasses import replace

import pytest
from helpers.forging import DRAW, Line, begin, random_game
from rulesets.battle_for_kursk.first_turn import OPENING, ORDERS

from kursk_pbem.audit import proof_file, prove
from kursk_pbem.errors import KurskError, TrustError
from kursk_pbem.formats.canonical import canon
from kursk_pbem.game import games
from kursk_pbem.trust import messages

ANSWER = {"policy": {"stand-fast": "always"}}


def answered():
    """Return the game after a battle and an answer, before message 4."""
    return begin("proved").then("accept", OPENING).then(choices=ORDERS).then(choices=ANSWER)


def convicted(*given):
    """Return (side, claim, number) of each proof; each proof convinces from the file alone."""
    found = prove.judge_messages(given).convictions
    for each in found:
        said, again = proof_file.read(proof_file.write_proof(each).encode("ascii"), "proof")
        (once_more,) = prove.judge_messages(again).convictions
        assert (once_more.side, once_more.claim, once_more.seq) == (each.side, each.claim, each.seq)
        assert said["convicts"] == each.side
    return [(each.side, each.claim, each.seq) for each in found]


def with_position(line: Line):
    """Return the last message with the position, as mailed."""
    return replace(line.message, state=line.game.state.to_plain())


def lies(line, content):
    """Check a signed false message, refused at arrival."""
    message = line.signed(content)
    with pytest.raises(KurskError):
        games.extend(line.game, message)
    return message


# Convictions


@pytest.mark.parametrize("answer", ["accept", "decline"])
def test_2_8_a_reply_with_a_false_opening_convicts(answer):
    line = answered().offer()
    content = line.honest("reply", reply=answer) | {"open": "12" * 32}
    assert convicted(*line.messages, lies(line, content)) == [("russian", "opening", 5)]
    files = line.messages
    assert convicted(files[0], *files[3:], lies(line, content)) == [("russian", "opening", 5)]


def test_2_8_an_offer_with_a_false_die_or_none_convicts():
    line = answered()
    honest = line.honest("offer", offer=DRAW)
    die = honest["dice"]["ponyri/combat"]
    false = honest | {"dice": {"ponyri/combat": str(int(die) % 6 + 1)}}
    assert convicted(*line.messages, lies(line, false)) == [("german", "dice", 4)]
    none = {key: value for key, value in honest.items() if key != "dice"}
    assert convicted(*line.messages, lies(line, none)) == [("german", "state", 4)]


@pytest.mark.parametrize("names", [("state-in", "state-out"), ("state-in",), ("state-out",)])
def test_2_8_an_offer_or_a_reply_that_moves_something_convicts(names):
    line = answered()
    wrong = dict.fromkeys(names, "ab" * 32)
    assert convicted(*line.messages, lies(line, line.honest("offer", offer=DRAW) | wrong)) == [("german", "state", 4)]
    line = line.offer()
    assert convicted(*line.messages, lies(line, line.honest("reply", reply="decline") | wrong)) == [
        ("russian", "state", 5)
    ]


# No convictions


def test_2_6_two_messages_of_one_number_convict_nobody():
    line = answered()
    offer, turn = line.offer().message, line.then().message
    assert convicted(*line.messages, offer, turn) == []
    line = line.declined().then().offer()
    files, both = line.messages, [line.reply(answer).message for answer in ("accept", "decline")]
    assert convicted(files[0], *files[5:-1], with_position(line), *both) == []


def test_2_8_an_offer_too_many_is_void_whatever_part_of_the_game_is_shown():
    line = begin("part").then("accept", OPENING).then(choices={"choice": {"posture/turn-1": {"posture": "engage"}}})
    line = line.declined().then()  # the Russian offers instead of showing the posture
    line = line.then(choices={"orders": {}})
    assert (line.side, line.game.state.stage) == ("russian", "russian-orders")
    void = line.signed(line.honest("offer", offer=DRAW))
    with pytest.raises(TrustError, match="was declined in this turn already"):
        games.extend(line.game, void)
    good = line.then(choices={"orders": {}, "seal": {"posture/turn-2": {"posture": "pause"}}}).message
    files = [with_position(each) for each in line.lines]
    assert convicted(*files, void, good) == []
    for gone in range(1, len(files)):
        for count in range(gone, len(files) + 1):
            kept = [*files[:gone], *files[count:]]
            assert convicted(*kept, void, good) == [], (gone, count)


def test_2_8_the_honest_neighbours_convict_nobody():
    line = answered()
    offer = line.offer()
    again = messages.read_message(
        messages.emit_message(offer.message.content, offer.message.armour).encode("ascii"), "again"
    )
    assert convicted(*offer.messages, again, with_position(offer)) == []
    other_offer = line.signed({**line.honest("offer", offer=DRAW), "reveal": {}})  # void: no posture
    assert convicted(*offer.messages, other_offer) == []
    reply = offer.reply("decline")
    late = reply.signed(reply.honest("turn", note="after it"))
    assert convicted(*reply.messages, late) == []
    assert convicted(*reply.messages, reply.then().message, lies_nowhere(reply)) == []


def lies_nowhere(line):
    """Check that a second offer is refused and void."""
    return lies(line, line.honest("offer", offer=DRAW))


def test_2_8_no_part_of_an_honest_game_convicts_anybody():
    line = random_game("an honest game", 16, 0.6, options={"uncovered": "ask"})
    files = [with_position(each) if n % 2 else each.message for n, each in enumerate(line.lines)]
    for begins, ends in list(itertools.combinations(range(1, len(files) + 1), 2))[::5]:
        found = prove.judge_messages([files[0], *files[begins:ends]])
        assert not found.convictions, (begins, ends)
    assert sum(each.type == "offer" for each in files) > 1
    assert len({canon(each.content) for each in files}) == len(files)
