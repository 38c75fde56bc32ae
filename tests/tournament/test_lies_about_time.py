"""Twelve lies of a director about time, and eight honest events. Both lists were fixed before the code was written.

Lies, with the status of ``verify``:

 1. receipts from before the pairing, then a forfeit (N-1): 3
 2. a receipt from before the log paper that the receipt names: 3
 3. an extension declared before the log paper that the extension names: 3
 4. a forfeit declared before the log paper that the forfeit names: 3
 5. a judgement dated before the receipt of the message on which the judgement stands: 3
 6. receipts of an assistant, a friend of a player, from before the pairing: 1, two papers named
 8. a board judged at an earlier message than the director had by a receipt: 1, until a correction
 9. a forfeit, though a paper logged before names the message that came: 1
10. ``drawn`` dated a week ahead in the evening of ``closed`` (M1): two programs told by name
11. ``closed`` kept back until ``drawn``: told with numbers
12. ``missing`` mailed together with ``closed``: told with numbers

Honest events: no player is accused or stopped, and the status is 0 except as stated:

 1. a director who reads mail once a week
 2. wrong clocks: of a player (a note), and of the director's machine, corrected later
 3. a player's future dates (a note)
 4. an answer to a message that never was
 5. a message that came after a forfeit (a note)
 6. a director and a player restored from a backup
 7. lost mail: letters with ``closed`` that came with ``drawn`` to one player
"""

from __future__ import annotations

import shutil

from helpers.four import enter_four
from helpers.tourney import Playing, World

from kursk_pbem.desk.deals import begin
from kursk_pbem.desk.own import desks
from kursk_pbem.desk.referee import grants, timekeeper
from kursk_pbem.desk.referee.grants import Grant
from kursk_pbem.formats import times
from kursk_pbem.game import entropy, histories
from kursk_pbem.tournament import boards
from kursk_pbem.tournament.papers import fields, forms, store
from kursk_pbem.tournament.proof import verify
from kursk_pbem.trust import keys
from tournament.dated import START, day, grant, head_of, lie, place_of, sign_next, sign_receipts, told, undecided

BEFORE = "2026-12-01T12:00:00Z"


def false(world, field, *words):
    """Check that verify convicts the director by the times of two papers."""
    proof = verify.verify_tournament(world.folder)
    assert (proof.status, proof.place) == (3, field), proof
    for word in words:
        assert word in proof.text


def lie_before_the_pairing(world):
    """N-1: sign receipts of messages from before the pairing, and win the game by a forfeit."""
    sign_receipts(world, place_of(world), [BEFORE] * 4, seqs=(0, 1, 2, 3))
    world.director.kursk("tournament", "forfeit", "1-2", "--yes", "--in", world.folder)
    world.pair()


def test_lie_1_receipts_older_than_the_pairing_convict(four):
    lie_before_the_pairing(four)
    false(four, "received", "receipt-0000.yaml", "log/000", BEFORE, START)


def test_lie_2_a_receipt_older_than_its_log_paper_convicts(four):
    four.later(2)
    grant(four)
    sign_receipts(four, place_of(four), [START])
    false(four, "received", f"received {START}, before log/0009.yaml of {day(2)}")


def test_lie_3_an_extension_older_than_its_log_paper_convicts(four):
    four.later(2)
    grant(four)
    with four.director.sitting():
        given = Grant(days=1, declared=START, log=head_of(four))
        grants.extend_deadline(place_of(four), four.director.key, given)
    false(four, "declared", f"declared {START}, before log/0009.yaml of {day(2)}")


def test_lie_4_a_forfeit_older_than_its_log_paper_convicts(four):
    four.later(9)
    grant(four)
    with four.director.sitting():
        timekeeper.forfeit(place_of(four), four.director.key, day(8), head_of(four))
    false(four, "declared", f"declared {day(8)}, before log/0009.yaml of {day(9)}")


def judge(world, head, time):
    said = {"board": "1-2", "by": "points", "winner": "draw", "why": "so", "game": world.book().boards["1-2"].game}
    return lie(world, fields.JUDGED, {**said, "head": head, "margin": "0"}, time)


def test_lie_5_a_judgement_older_than_its_receipt_convicts(four):
    sign_receipts(four, place_of(four), [day(92)])
    judge(four, histories.load(place_of(four)).game.chain.head_id, day(91))
    false(four, "received", f"received {day(92)}, after log/0009.yaml of {day(91)}")


def test_lie_6_receipts_of_an_assistant_are_named(tmp_path):
    """Two people dated the papers: verify names both papers and convicts nobody."""
    world = World(tmp_path)
    helper = world.person("helper")
    world.new("--swiss", 2, "--system", "battle-for-kursk/citadel", "--assistant", helper.place / "me.pub")
    world.enter(["anna", "boris"])
    world.begin()
    playing = Playing(world, board := world.book().boards["1-1"])
    side, other = playing.people
    more = {boards.FIELD: boards.build_field(world.book(), board)}
    relay = keys.read_public(helper.place / "me.pub")
    one, two = playing.people.values()
    proposal = begin.Proposal("battle-for-kursk/citadel", side, two.public, {}, {}, relay, more=more)
    with one.sitting(), entropy.fix_random_bytes("relayed"):
        path = begin.propose_game(proposal, one.key, one.place, one.home).newest
    playing.desks[side] = desks.open_desk(path.parent, one.home)
    with two.sitting(), entropy.fix_random_bytes("accepted"):
        playing.desks[other] = begin.accept_proposal(playing._mail(path, two), two.key, two.place, two.home)
    playing._copy(path)
    playing.go(3)
    world.inbox()
    place = place_of(world, "1-1")
    sign_receipts(world, place, [BEFORE] * 4, helper.key, (0, 1, 2, 3))
    undecided(world, "receipt-0000.yaml of board 1-1", "before log/000")


def test_lie_8_a_board_judged_before_a_received_message_asks_for_a_correction(four):
    log = judge(four, histories.load(place_of(four)).game.chain.ids[-2], day(91))
    undecided(four, f"receipt-0003.yaml: the director had a message after the last message of board 1-2; {log.name}")


def test_lie_9_a_forfeit_after_a_paper_with_the_message_asks_for_the_message(four):
    four.later(8)
    who = next(iter(Playing(four, four.book().boards["1-2"]).people.values()))
    said = {"kursk-tournament": "2", "type": "open", "tournament": four.book().id, "from": who.public}
    said |= {"seen": head_of(four), "time": four.time, "draw": "0", "open": "1" * 64, "next": "1", "commit": "2" * 64}
    said |= {"games": [{"id": four.book().boards["1-2"].game, "head": "3" * 64}]}
    paper = forms.sign_paper(said, keys.load_key(who.key), "x")
    store.write_paper(store.paper_path(four.folder, paper), paper)
    log = lie(four, fields.RECEIVED, {"papers": [paper.id]}, four.time)
    shutil.copyfile(four.folder / log.name, four.director.inbox / "received.yaml")
    with four.director.sitting():
        timekeeper.forfeit(place_of(four), four.director.key, four.time, head_of(four))
    played = histories.load(place_of(four)).game
    result = {"board": "1-2", "game": played.chain.game, "head": played.chain.head_id, "how": "forfeit"}
    lie(four, fields.RESULT, {**result, "winner": played.verdict.winner}, four.time)
    undecided(four, f"had message {'3' * 16} of board 1-2, and the message is missing")


def test_lie_10_a_draw_dated_ahead_is_told_by_the_names_of_two_programs(watched):
    """M1: the director dates drawn a week ahead, in the evening of closed, and mails both together."""
    watched.exchange()
    watched.pair()
    evening = watched.time
    watched.later(8)
    assert "the witness is silent" in watched.pair()
    watched.time = evening
    watched.post()
    anna = watched.entrants["anna"]
    letters = sorted(anna.inbox.glob("*-log-*.eml"))
    said = anna.kursk("tournament", "inbox", *letters, "--in", anna.tournament)
    assert "ahead of your clock: log/0005.yaml is dated 2027-01-09" in " ".join(said.split())
    watched.take()
    watched.post()
    proof = sign_next(watched)
    told(
        proof,
        "log/0005.yaml (drawn) is dated 2027-01-09",
        "anna by 2027-01-01T12:00:00Z and boris by",
        "the witness by",
    )


def test_lie_11_a_closed_draw_kept_back_is_told_with_numbers(watched):
    """The director waits for the days of the witness before the mail with closed goes."""
    watched.exchange()
    watched.pair()
    watched.later(8)
    watched.pair()
    watched.inform()
    watched.post()
    told(sign_next(watched), "nobody saw log/0004.yaml (closed) before log/0005.yaml (drawn", "5 sights, the first at")


def test_lie_12_missing_kept_back_is_told_with_numbers(tmp_path):
    """The director names a missing opening in the log, and mails the paper after the draw."""
    world = World(tmp_path)
    world.new("--swiss", 2, "--system", "battle-for-kursk/citadel")
    world.enter(["anna", "boris", "carla", "dmitri"])
    world.collect()
    world.director.kursk("tournament", "close", world.folder)
    world.exchange(silent=["dmitri"])
    world.later(6)
    assert "1 reveal missing" in world.pair()
    world.later(3)
    assert "lots 0 are closed" in world.pair()
    world.inform()
    proof = sign_next(world, ("anna", "boris", "carla"))
    told(proof, "nobody saw log/0004.yaml (missing) 48 hours before log/0005.yaml (closed", "4 sights, the first at")


def test_7_every_program_names_a_log_ahead_of_its_clock(tmp_path):
    """M1: a log of next year was taken and verified without a word."""
    world = enter_four(tmp_path)
    world.time = times.add_days(START, -200)
    late = world.person("late")
    rules_file = world.folder / "log" / "0000.yaml"
    entered = late.kursk("tournament", "enter", rules_file, "Late", "--dir", late.place, "--yes")
    for said in (entered, world.verify(), world.director.kursk("tournament", "status", world.folder)):
        assert "ahead of your clock" in " ".join(said.split())
