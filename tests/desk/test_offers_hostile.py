"""A hostile player with offers and replies gains no second roll and no early knowledge (2.9; T34, T36)."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest
from helpers.agreements import decline, forged, offer, propose, same, send
from helpers.forging import DRAW, begin
from rulesets.battle_for_kursk import board, random_play
from rulesets.battle_for_kursk.first_turn import CAMPAIGN, CITADEL, OPENING, ORDERS

from kursk_pbem.audit import verify
from kursk_pbem.desk.deals import offers
from kursk_pbem.desk.draft import drafts
from kursk_pbem.desk.own import desks
from kursk_pbem.errors import TrustError, UsageError
from kursk_pbem.game import folders, games
from kursk_pbem.kernel.state import OVER

ANSWER = {"policy": {"stand-fast": "always"}}


@pytest.fixture
def rolling(declared):
    """Return the game before the German dice of message 4."""
    declared.turn(ANSWER)
    return declared


# No second roll, no early look


def plain(state):
    """Return a position without message numbers."""
    agenda = {}
    for key, value in state.agenda.items():
        told = key in ("declared", "answered") or key.startswith("sealed/")
        agenda["sealed/plans" if key.startswith("sealed/plans") else key] = "-" if told else value
    return {**state.to_plain(), "agenda": agenda}


def renamed(content, here):
    """Return the same choices two messages later, because plans are named after their message."""
    seals = content.get("seal", {})
    later = {f"plans/{here + 2}" if label == f"plans/{here}" else label: value for label, value in seals.items()}
    return {**content, "seal": later} if seals else content


def stages_with_offers(name, most, **changes):
    """Play at random, and compare games with and without a declined offer.

    Return the stages, and whether a duty was due.
    """
    rng, line, seen = random.Random(name), begin(name, **changes), set()
    chooser = random_play.Chooser(line.game.setting, rng)
    while not line.game.over and line.seq < most:
        ahead = line.duties()
        over = ahead.middle.stage == OVER
        content = {} if over else chooser.content(ahead.middle, line.seq)
        plainly = line.then("accept" if line.seq == 1 else "turn", content)
        if (
            line.seq >= 3
            and not over
            and ahead.pending is None
            and (line.side, line.game.state.turn) not in (line.game.declined)
        ):
            offered = line.offer()
            declined = offered.reply("decline")
            assert offered.game.state == declined.game.state == ahead.middle
            assert (declined.duties().events, declined.duties().dice) == ((), {})
            after = declined.then(choices=renamed(content, line.seq))
            assert plain(after.game.state) == plain(plainly.game.state)
            told = [(type(each), each.rule) for each in (*offered.result.events, *after.result.events)]
            assert told == [(type(each), each.rule) for each in plainly.result.events]
            assert offered.result.dice == plainly.result.dice
            seen.add((line.game.state.stage, bool(ahead.events)))
            plainly = after if rng.random() < 0.2 else plainly
        line = plainly
    return seen


def test_2_9_an_offer_that_is_declined_changes_nothing_but_numbers():
    seen = stages_with_offers("ask 5", 24, scenario=CITADEL, options={"uncovered": "ask"})
    seen |= stages_with_offers("ask 32", 20, scenario=CITADEL, options={"uncovered": "ask"})
    seen |= stages_with_offers("b", 14, scenario=CAMPAIGN, options={"weather": "die"})
    assert seen >= {
        ("posture", False),
        ("reveal", True),
        ("german-orders", False),
        ("german-answer", True),
        ("german-dice", True),
        ("german-decision", False),
        ("russian-orders", True),
        ("russian-orders", False),
        ("russian-answer", False),
        ("russian-dice", True),
        ("russian-decision", False),
        ("first-weather", True),
        ("weather", True),
        ("weather-answer", False),
    }


def test_2_9_a_battle_is_rolled_with_another_secret_only_where_nobody_knew_the_first():
    line = begin("moved").then("accept", OPENING).then(choices=ORDERS)
    plainly = line.then(choices=ANSWER).then()
    moved = line.declined().then(choices=ANSWER).then()
    assert (plainly.seq, moved.seq) == (5, 7)
    assert plainly.result.dice.keys() == moved.result.dice.keys() == {"ponyri/combat"}
    assert not any(each.result.dice for each in moved.lines[1:-1])
    seeds = [each.game.chain.seed(each.seq - 1) for each in (plainly, moved)]
    assert seeds[0] != seeds[1]


def test_2_9_dice_that_end_the_game_leave_no_room_for_an_offer():
    state = board.place("2402: r-9-tc reduced | 2403: g-3-pz | 2303: g-2-ss; turn A; clear")
    orders = board.battles(board.attack("2402", "g-3-pz g-2-ss", advance="g-3-pz"))
    waits = board.message(board.message(state, orders, seq=2).after, seq=3).after
    pause = {"posture/turn-a": {"posture": "pause"}}
    for number in range(40):
        line = begin(f"moscow {number}", CAMPAIGN).then("accept", {"seal": pause})
        line = line.then(choices={"choice": pause}).then()
        here = replace(line, game=replace(line.game, state=waits))
        if here.duties().middle.stage == OVER:
            break
    else:
        pytest.fail("Moscow does not fall")
    with pytest.raises(TrustError, match="the dice end the game") as caught:
        games.extend(here.game, here.signed(here.honest("offer", offer=DRAW)))
    assert caught.value.fault == "order"
    assert games.extend(here.game, here.signed(here.honest()))[0].over


# Replies


def test_2_9_a_forged_offer_too_many_is_no_offer_of_the_side_it_names(rolling):
    offer(rolling)
    decline(rolling)
    rolling.turn({})
    rolling.turn({"orders": {}, "seal": {"posture/turn-2": {"posture": "pause"}}})
    game = rolling.russian.desk.game
    turned = replace(game, declined=frozenset({("german", game.state.turn)}))
    false = forged(rolling, "german", "offer", offer=DRAW)
    with pytest.raises(TrustError, match="was declined in this turn already"):
        games.extend(turned, false)
    with pytest.raises(TrustError) as caught:
        games.extend(turned, replace(false, signed=false.signed.replace(b"draw", b"dram")))
    assert caught.value.fault == "signature"


def test_2_6_a_second_reply_is_void_and_convicts_nobody(rolling, tmp_path, kursk):
    offer(rolling)
    late = forged(
        rolling,
        "russian",
        "reply",
        reply="decline",
        **{"state-in": rolling.german.desk.game.state.sha256(), "state-out": rolling.german.desk.game.state.sha256()},
    )
    send(rolling, offers.make_acceptance(rolling.russian.desk, None)[0])
    assert same(rolling).over
    text = folders.messages.emit_message(late.content, late.armour)
    (letter := tmp_path / "late.yaml").write_text(text, encoding="ascii")
    kursk(rolling.german, "inbox", "--report", letter, ends=1, told="void, and no fraud")
    assert list(rolling.german.folder.glob("0005-*.void.yaml"))
    assert same(rolling).over
    told = "message 5 was signed 2 times"
    kursk(rolling.german, "prove", rolling.german.folder, "--dir", tmp_path, ends=1, told=told)


# At the desk


def test_2_9_who_signed_one_answer_is_not_told_that_he_gave_the_other(rolling, kursk):
    offer(rolling)
    russian = rolling.russian
    message, slot = drafts.sign_draft(
        russian.desk, drafts.make_reply(russian.desk, "decline"), drafts.desks.load_signer(russian.desk.own, None)
    )
    drafts.desks.record_slot(russian.desk, slot)
    for answer, number in (("accept", 2), ("decline", 0)):
        status, said = kursk(russian, "reply", russian.folder, answer, "--yes")
        assert status == number, said
        assert "message 5 was signed before" in said
        assert ("says 'decline'" in said) == bool(number)
        path = russian.folder / "0005.yaml"
        assert folders.read_message(path).id == message.id
        path.unlink()


def test_2_9_who_signed_a_turn_is_not_told_that_he_made_an_offer(rolling, kursk):
    german = rolling.german
    checked = german.check()
    _message, slot = drafts.sign_draft(german.desk, checked, drafts.desks.load_signer(german.desk.own, None))
    drafts.desks.record_slot(german.desk, slot)
    kursk(german, "offer", german.folder, "draw", "--yes", ends=2, told="says 'turn'")
    assert folders.read_message(german.folder / "0004.yaml").type == "turn"


def test_T37_a_record_that_was_made_anew_offers_and_replies(rolling, kursk):
    offer(rolling)
    russian = rolling.russian
    for entry in russian.desk.own.path.rglob("*.json"):
        entry.unlink()
    assert kursk(russian, "restore", russian.folder, "--key", russian.key)[0] == 0
    assert kursk(russian, "reply", russian.folder, "decline", "--yes")[0] == 0
    rolling.german.take(rolling.mail(russian.folder / "0005.yaml", "german"))
    rolling.german.fill({})
    german = rolling.german
    for entry in german.desk.own.path.rglob("*.json"):
        entry.unlink()
    assert kursk(german, "restore", german.folder, "--key", german.key)[0] == 0
    status, said = kursk(german, "offer", german.folder, "draw", "--yes")
    assert (status, "declined in this turn already" in said) == (2, True)
    assert kursk(german, "sign", german.draft(), "--yes")[0] == 0
    assert verify.verify_game(german.folder).status == 0


def test_2_9_offers_stop_nobody_who_wants_to_resign(rolling):
    offer(rolling)
    with pytest.raises(UsageError, match="your reply to an offer"):
        drafts.make_resignation(rolling.russian.desk)
    decline(rolling)
    send(rolling, drafts.make_resignation(rolling.german.desk))
    assert same(rolling).verdict.winner == "russian"


def test_2_9_an_offer_of_the_game_itself_or_of_none_is_not_accepted(later):
    for what in (later.german.desk.game.chain.game, "ab" * 32):
        checked = drafts.make_offer(later.russian.desk, "successor", game=what)
        message, _slot = drafts.sign_draft(later.russian.desk, checked, desks.load_signer(later.russian.desk.own, None))
        desk = desks.add_message(later.german.desk, message)
        with pytest.raises((UsageError, games.FileError), match=r"needs the proposal|no proposal of a successor"):
            offers.make_acceptance(desk, None)
    assert propose(later.german).is_file()
