"""Draw offers at two desks: accepted, declined, with dice due, with open seals; no player rolls twice."""

from __future__ import annotations

import json

import pytest
from helpers.agreements import decline, forged, offer, same

from kursk_pbem.audit import prove, verify
from kursk_pbem.desk.deals import offers
from kursk_pbem.desk.draft import drafts
from kursk_pbem.desk.own import desks
from kursk_pbem.errors import TrustError, UsageError
from kursk_pbem.game import chapters, folders, games
from kursk_pbem.trust import commit

PAUSE = {"posture": "pause", "reaction": "no"}
SEAL_2 = {"seal": {"posture/turn-2": PAUSE}}


@pytest.fixture
def rolling(declared):
    """Return the game before the German dice of message 4."""
    declared.turn({"policy": {"stand-fast": "always"}})
    return declared


def test_a_draw_offered_in_place_of_the_answer_and_accepted_ends_the_game(declared, kursk):
    got = offer(declared)
    assert "The Russian side offers a draw. The next message of the German side" in got.report
    assert "Owed next: German to reply to the offer" in got.report
    _title, first, *_more, last = got.report.partition("\n\n")[0].splitlines()
    assert first == "  The Russian side offers a draw"
    assert last == "  Next, message 4 of the German side: the reply to the offer"
    assert "posture" in got.report  # the reveal is done
    german = declared.german
    due = "due is message 4 of the German side: the reply to an offer, a draw"
    kursk(german, "status", german.folder, ends=0, told=due)
    kursk(german, "reply", german.folder, "accept", "--yes", ends=0)
    german.sit()
    assert (declared.russian.folder / "0003.draft.yaml").exists()  # needed if the offer is declined
    declared.russian.take(declared.mail(german.folder / "0004.yaml", "russian"))
    assert not (declared.russian.folder / "0003.draft.yaml").exists()
    game = same(declared)
    assert game.over
    assert (game.verdict.winner, game.verdict.how) == ("", "agreed draw")
    assert "Draw: both sides agreed on it" in verify.verify_game(german.folder).text
    assert "THE GAME IS OVER. Draw" in (declared.russian.folder / "report-0004.txt").read_text()
    with pytest.raises(UsageError, match="the game is over"):
        drafts.make_offer(declared.russian.desk, "draw")


def test_declined_in_place_of_the_answer_the_secrets_stay_sealed_until_the_dice(declared):
    plans = next(iter(declared.german.desk.own.read_slot(2).seals))
    offer(declared)
    assert declared.german.desk.game.chain.outstanding_seals("german").keys() == {plans}
    letter = declared.german.sign(drafts.make_reply(declared.german.desk, "decline"))
    assert "away 2713" not in letter.read_text(encoding="ascii")  # the plan of retreat
    assert "reveal" not in folders.read_message(letter).content
    got = declared.russian.take(declared.mail(letter, "russian"))
    told = " ".join(got.report.split())
    assert "declines the offer of message 3, a draw. The Russian side now makes the choices" in told
    assert declared.russian.draft().exists()
    declared.turn({"policy": {"stand-fast": "always"}})
    declared.turn({})
    game = same(declared)
    assert game.chain.next_seq == 7
    rolled = folders.read_message(declared.german.folder / "0006.yaml")
    assert rolled.mapping("dice").keys() == {"ponyri/combat"}
    assert rolled.mapping("reveal").keys() == {plans} == {"plans/2"}


def test_dice_that_are_owed_are_rolled_in_the_offer_and_not_again(rolling):
    due = desks.preview_duties(rolling.german.desk, rolling.german.desk.own)
    got = offer(rolling)
    sent = folders.read_message(rolling.german.folder / "0004.yaml")
    assert sent.type == "offer"
    assert sent.mapping("dice") == dict(due.dice)
    assert sent.mapping("reveal").keys() == {"plans/2"}
    assert "Result:" in got.report
    state = rolling.german.desk.game.state
    assert (state.stage, "battles" in state.agenda) == ("german-dice", False)
    decline(rolling)
    again = desks.preview_duties(rolling.german.desk, rolling.german.desk.own)
    assert (again.dice, again.events, again.middle) == ({}, (), state)
    rolling.turn({"orders": {"movement": [{"unit": "g-24-pz", "to": "2219"}]}})
    game = same(rolling)
    assert folders.read_message(rolling.german.folder / "0006.yaml").mapping("dice") == {}
    assert (game.state.stage, game.state.side) == ("russian-orders", "russian")
    assert sum(throws.dice for throws in game.luck.throws.values()) == 1
    told = " ".join(chapters.tell_story(rolling.german.desk.history.steps).split())
    assert told.index("attacked the 70th Army") < told.index("The German side offered a draw.")
    assert "The Russian side declined. The XXIV Panzer Corps moved to a hex " in told


def test_a_second_roll_after_the_decline_is_refused(rolling):
    offer(rolling)
    decline(rolling)
    die = games.SeedDice(
        rolling.german.desk.game.chain.seed_with(desks.compute_opening(rolling.german.desk, rolling.german.desk.own)), 6
    ).roll("ponyri/combat", 1)
    with pytest.raises(TrustError, match="the rules roll no die") as caught:
        games.extend(rolling.russian.desk.game, forged(rolling, "german", "turn", dice={"ponyri/combat": die}))
    assert caught.value.fault == "dice"


def test_an_offer_without_the_dice_that_are_owed_is_refused(rolling):
    opened = desks.list_reveals(rolling.german.desk, rolling.german.desk.own)
    with pytest.raises(TrustError, match="the die ponyri/combat is missing"):
        games.extend(
            rolling.russian.desk.game, forged(rolling, "german", "offer", offer={"kind": "draw"}, reveal=dict(opened))
        )


def test_what_is_declared_waits_and_its_die_was_known_to_nobody(declared):
    early = declared.german.desk.own
    first = desks.compute_opening(forked(declared), early)
    offer(declared)
    decline(declared)
    declared.turn({})
    declared.turn({})
    chain = same(declared).chain
    assert chain.openings[6] != first
    assert chain.openings[4] is not None
    die = folders.read_message(declared.german.folder / "0006.yaml").mapping("dice")["ponyri/combat"]
    assert die == commit.roll_dice(chain.seed(6), "ponyri/combat", 1)


def test_after_a_declined_offer_the_edited_draft_is_carried_over(declared, kursk):
    russian = declared.russian
    old = russian.draft()
    old.write_text(old.read_text(encoding="ascii") + "# my plan\nnote: We stand.\n", encoding="ascii")
    offer(declared)
    assert old.exists()
    letter = declared.mail(declared.german.sign(drafts.make_reply(declared.german.desk, "decline")), "russian")
    kursk(russian, "inbox", "--report", letter, ends=0, told="your earlier draft of message 5, which")
    russian.sit()
    text = russian.draft().read_text(encoding="ascii")
    assert "# my plan\nnote: We stand.\n" in text
    assert "message 5, from the russian side" in text
    assert not old.exists()
    checked = russian.check()
    assert checked.result.violations == ()
    assert checked.content["note"] == "We stand."


def forked(table):
    """Return the German desk after an immediate Russian answer."""
    player = table.russian
    checked = drafts.check_draft(player.desk, drafts.read_draft(player.desk, player.draft().read_bytes(), "draft"))
    message, _slot = drafts.sign_draft(player.desk, checked, desks.load_signer(player.desk.own, None))
    return desks.add_message(table.german.desk, message)


def test_one_declined_offer_a_side_and_turn(rolling):
    offer(rolling)  # German, message 4
    decline(rolling)
    with pytest.raises(UsageError, match="declined in this turn already"):
        drafts.make_offer(rolling.german.desk, "draw")
    rolling.turn({})
    offer(rolling)  # Russian, message 7: first message
    decline(rolling)
    rolling.turn(SEAL_2)
    assert rolling.german.desk.game.declined == {("german", "1"), ("russian", "1")}
    offer(rolling)  # German again, message 10, in turn 2
    assert same(rolling).chain.next_seq == 11


def test_while_an_offer_is_open_nothing_but_a_reply_is_written(declared, kursk):
    offer(declared)
    german, russian = declared.german, declared.russian
    at = german.folder
    assert not german.draft().exists()
    for words in (("setup", "draft", at), ("resign", "--yes", at), ("offer", "--yes", at, "draw")):
        kursk(german, *words, ends=2, told="your reply to an offer: 'kursk reply")
    for kind in ("turn", "resign"):
        with pytest.raises(TrustError, match="where reply is due"):
            games.extend(declared.russian.desk.game, forged(declared, "german", kind))
    letter = german.inbox / "0003.yaml"
    told = f"message 4, the reply to an offer, a draw: 'kursk reply {german.desk.game.chain.game[:8]} decline'"
    kursk(german, "inbox", "--report", letter, ends=0, told=told)
    kursk(german, "inbox", "--report", letter, "--sign", ends=2)
    assert not (german.folder / "0004.yaml").exists()
    kursk(russian, "reply", russian.folder, "accept", "--yes", ends=2, told="the german side writes message 4")


def test_nothing_to_reply_to(declared):
    for work in (lambda desk: drafts.make_reply(desk, "decline"), lambda desk: offers.make_acceptance(desk, None)):
        with pytest.raises(UsageError, match="is no offer"):
            work(declared.russian.desk)


def test_T22_another_plan_than_sealed_before_a_reply_is_convicted(declared):
    offer(declared)
    decline(declared)
    declared.turn({})
    opened = desks.list_reveals(declared.german.desk, declared.german.desk.own)
    lie = {label: {**entry, "value": {"ponyri": {"losses": ["g-46-pz"]}}} for label, entry in opened.items()}
    false = forged(declared, "german", "turn", reveal=lie)
    files = [folders.read_message(path) for path in folders.message_files(declared.russian.folder)]
    for kept in (files, [files[0], *files[2:]]):
        found = prove.judge_messages([*kept, false])
        assert [(each.side, each.claim, each.seq) for each in found.convictions] == [("german", "reveal", 6)]


def test_an_edited_draft_outlives_the_offer_and_goes_with_the_next_message(rolling):
    path = rolling.german.fill({"orders": {"movement": [{"unit": "g-24-pz", "to": "2219"}]}})
    text = path.read_text()
    offer(rolling)
    assert path.read_text() == text
    decline(rolling)
    rolling.turn({})
    assert not path.exists()
    assert not list(rolling.german.folder.glob("*.draft.*"))


def test_the_command_asks_before_it_signs(rolling, kursk):
    german, russian = rolling.german, rolling.russian
    asked = "Offer a draw? Message 4 cannot be taken back. No terminal"
    kursk(german, "offer", german.folder, "draw", ends=2, told=asked)
    kursk(german, "offer", german.folder, "draw", "--at", "1", "--yes", ends=2)
    assert not (german.folder / "0004.yaml").exists()
    kursk(german, "offer", german.folder, "draw", "--yes", ends=0)
    _status, told = kursk(german, "status", "--json", german.folder, ends=0)
    assert json.loads(told.splitlines()[-1])["offer"] == "a draw"
    letter = rolling.mail(german.folder / "0004.yaml", "russian")
    kursk(russian, "inbox", "--report", letter, ends=0)
    kursk(russian, "reply", russian.folder, "decline", "x.yaml", "--yes", ends=2)
    told = "an offer of a draw is accepted without a proposal"
    kursk(russian, "reply", russian.folder, "accept", letter, "--yes", ends=2, told=told)
    kursk(russian, "reply", russian.folder, "decline", "--yes", ends=0)
