"""A mailbox that referees: receipts by the rule, answers in words, reminders, and what waits for the director."""

import pytest
from helpers import postal
from helpers.mailbags import MACHINES, letter, turn
from helpers.postmen import BEGIN, Faults, Line, Member, PostOffice, Time, text
from helpers.refereed_mail import DAY, HOUR, lets_pass, played_on

from kursk_pbem.desk.referee import director
from kursk_pbem.errors import UsageError
from kursk_pbem.post.mailbox import spool
from kursk_pbem.post.referee import absent
from kursk_pbem.post.wire.smtp import LATER, Answer


def test_a_receipt_says_when_a_message_came_and_both_get_it(world):
    world.boris.sign(world.game)
    world.time.passes(3600)
    world.office.put(letter(turn(world.boris, world.game, 1), world.boris.address), world.ref.address)
    world.time.passes(7200)
    world.director.post()
    held = world.ref.desk(world.game).game.papers.receipts[1]
    assert (held.text("received"), held.text("due")) == (text(BEGIN + HOUR), text(BEGIN + HOUR + 7 * DAY))
    assert sorted(reader for _at, _sender, reader, _raw in world.office.mails) == [
        world.anna.address,
        world.boris.address,
    ]
    for _at, _sender, _reader, raw in world.office.mails:
        assert b"Auto-Submitted: auto-generated" in raw
        assert b"X-Kursk-Referee: 1" in raw
    world.director.sits()
    world.director.post()
    assert len(world.office.mails) == 2


def test_T51_where_the_border_servers_clock_is_ahead_the_time_of_fetching_counts(world):
    """A receipt with a time still to come is never signed: for minutes there was none, and a false reason."""
    for seq, (who, other) in enumerate(((world.boris, world.anna), (world.anna, world.boris)), 1):
        who.sign(world.game)
        postal.carried(world.game, seq, who, other)
        now = world.time.now
        raw = letter(turn(who, world.game, seq), who.address)
        spool.put(world.ref.home, raw, fetched=text(now), arrived=text(now + HOUR / 15))
        world.director.post()
        world.director.sits()
        assert not any("receipt" in line for line in world.director.errand.chair.pending())
        assert world.ref.desk(world.game).game.papers.receipts[seq].text("received") == text(now)
        world.time.passes(60)


def test_a_late_message_waits_for_the_director(world):
    world.boris.sign(world.game)
    world.time.passes((8 * DAY + HOUR).total_seconds())
    world.office.put(letter(turn(world.boris, world.game, 1), world.boris.address), world.ref.address)
    day = world.director.post()
    (outcome,) = day.games[0].outcomes
    assert outcome.state == "waits"
    assert "it is late" in outcome.told[0]
    assert not (world.folder / "0001.yaml").exists()
    pending = world.director.errand.chair.pending()
    assert any("message 1 came late" in line for line in pending)
    lets_pass(world)
    world.director.post()
    assert (world.folder / "0001.yaml").exists()
    received = world.ref.desk(world.game).game.papers.receipts[1].text("received")
    assert received == text(BEGIN + 8 * DAY + HOUR)


def test_within_the_grace_a_message_is_not_late(world):
    world.boris.sign(world.game)
    world.time.passes((7 * DAY + 23 * HOUR).total_seconds())
    world.office.put(letter(turn(world.boris, world.game, 1), world.boris.address), world.ref.address)
    world.director.post()
    assert "receipt-0001.yaml" in world.papers()


def test_reminders_go_out_at_half_the_term_and_a_day_before_once_each(directed):
    for _quarter in range(7 * 4):
        directed.time.passes(6 * 3600)
        directed.director.post()
        if directed.time.now.hour == 6:
            directed.director.sits()
    reminders = [(reader, raw) for reader, raw in directed.words() if "a reminder" in raw]
    assert [reader for reader, _raw in reminders] == [directed.boris.address] * 2
    left = ("3 days 12 hours", "1 day")
    assert all(
        f"Your message 1 is due 2026-09-08 00:00 UTC ({how} left)." in raw
        for (_reader, raw), how in zip(reminders, left, strict=True)
    )
    assert all(f"kursk-{directed.game[:8]}-0000.yaml" in raw for _reader, raw in reminders)


@pytest.mark.parametrize("file", ["receipt-0002.yaml", "extension-0002-0123456789abcdef.yaml", "forfeit.yaml"])
def test_a_damaged_paper_in_a_game_folder_stops_no_round(directed, file):
    world = directed
    played_on(world)
    (world.folder / file).unlink(missing_ok=True)
    (world.folder / file).write_bytes(b"x")
    assert world.asks("HELP").mails == 1
    assert [reader for reader, raw in world.words() if "STATUS [GAME]" in raw] == [world.anna.address]
    told = [*world.director.errand.faults, *world.director.errand.chair.pending()]
    assert any(file in str(line) for line in told)


def test_a_letter_in_words_outlives_an_hour_of_greylisting_in_a_busy_mailbox(world, monkeypatch):
    """Each mail that comes begins a round: five of them within a minute are not all the tries there are."""
    until = world.time.now + HOUR
    real = Line.send

    def grey(line, raw, sender, reader):
        early = b"k1.words." in raw and world.time.now < until
        return Answer(LATER, 450, "later") if early else real(line, raw, sender, reader)

    monkeypatch.setattr(Line, "send", grey)
    world.asks("HELP")
    for _round in range(8):
        world.time.passes(10)
        world.director.post()
    assert world.words() == []
    for _quarter in range(24):
        world.time.passes(900)
        world.director.post()
    assert [reader for reader, _raw in world.words()] == [world.anna.address]


def test_T45_the_same_question_is_answered_once_in_a_letter(world):
    world.asks("MAP\nMAP\nSTATUS\nMAP\nSTATUS")
    ((_reader, raw),) = world.words()
    assert raw.count("filename=") == 1
    assert raw.count("is awaited") == 1


def test_one_player_leaves_the_other_room_to_be_absent(world):
    game, first = world.game, text(world.time.now)[:10]
    for number in range(20):
        absent.note(world.ref.home, game, ["a" * 32], first, text(world.time.now + number * DAY)[:10])
    with pytest.raises(UsageError, match="too many absences of yours"):
        absent.note(world.ref.home, game, ["a" * 32], first, text(world.time.now + 30 * DAY)[:10])
    absent.note(world.ref.home, game, ["b" * 32], first, first)
    assert len(absent.listed(world.ref.home, first, "{}".format)) == 21


def test_commands_are_answered_in_words_to_the_address_on_file(world):
    played_on(world)
    world.office.mails.clear()
    world.asks("STATUS\nREPORT\nmap\nRULE hex-toy 1\nHELP\n\n> STATUS\n-- \nAnna")
    ((reader, raw),) = world.words()
    assert reader == world.anna.address
    assert "Auto-Submitted: auto-replied" in raw
    assert "In-Reply-To: <q1@example.test>" in raw
    assert "message 3 of" in raw
    assert f"kursk-{world.game[:8]}-map.svg" in raw
    assert "ABSENT [GAME] DAY DAY" in raw
    assert "> STATUS" not in raw


def test_the_same_answer_is_not_given_twice_on_a_day_and_ten_are_the_most(world):
    world.asks("STATUS")
    world.asks("STATUS", Message_ID="<q2@example.test>", X="2")
    assert len(world.words()) == 1
    for number in range(20):
        world.asks(f"REPORT {world.game[:8]} {100 + number}", X=number)
    assert len(world.words()) == 10


def test_T44_machines_get_no_answer(world):
    assert [each for each in MACHINES if world.asks("STATUS", **each).mails != 1 or world.words()] == []
    assert (world.asks("STATUS").mails, len(world.words())) == (1, 1), "a person gets one, whatever came before"


@pytest.mark.parametrize("who", ["ref", "stranger"])
def test_T45_T56_strangers_and_ourselves_get_no_answer(world, who):
    world.asks("STATUS", who=who)
    assert world.words() == []


def test_T56_what_is_quoted_or_said_below_is_no_command(world):
    world.asks("Hello,\n\nSTATUS\n")
    world.asks("> STATUS\n\nThanks!\nSTATUS\n", X=2)
    world.asks("STATUS " + "x" * 300, X=3)
    assert world.words() == []


def test_absent_is_told_to_the_director_and_changes_nothing(directed):
    directed.asks("ABSENT 2026-12-24 2027-01-02\nABSENT tomorrow 2027-01-02\n")
    _to_director, (reader, raw) = sorted(directed.words(), key=lambda word: word[0] == directed.anna.address)
    assert reader == directed.anna.address
    assert "the director is told" in " ".join(raw.split())
    assert "is no day" in raw
    pending = directed.director.errand.chair.pending()
    assert any("will be away from 2026-12-24 to 2027-01-02" in line for line in pending)
    assert directed.papers() == ["receipt-0000.yaml"]


def test_what_is_asked_beside_a_turn_is_heard(world):
    """Who mailed a turn and said that they will be away was not heard, and not told so."""
    raw = letter(turn(world.anna, world.game, 0), "anna@example.test", how="attached")
    world.office.put(raw.replace(b"Hello,", b"ABSENT 2026-12-24 2027-01-02", 1), world.ref.address)
    world.director.post()
    assert "will be away from 2026-12-24 to 2027-01-02" in str(world.director.errand.chair.pending())


def test_hostile_mails_are_no_commands_and_stop_nothing(world):
    nested = "".join(f"Content-Type: multipart/mixed; boundary=b{n}\n\n--b{n}\n" for n in range(3000))
    for words in ("\x00\xff" * 50, "STATUS\x1b[31m", "\u200bSTATUS", "STATUS " * 40):
        world.asks(words)
    lines = b"From: anna@example.test\r\nMIME-Version: 1.0\r\n"
    world.office.put(lines + nested.encode(), world.ref.address)
    world.director.post()
    assert all(reader == world.anna.address for reader, _raw in world.words())


def test_a_referee_who_rolls_gives_terms_for_their_own_messages(friends, tmp_path):
    with Time().rules() as time:
        office = PostOffice(tmp_path, time, Faults())
        anna, boris, ref = friends("anna", "boris", "ref")
        members = [Member(who, office, director=who is ref) for who in (anna, boris, ref)]
        for one in members:
            one.knows(*(other for other in members if other is not one))
        members[2].terms(7)
        sides = dict(zip(postal.registry.kit("hex-toy").sides, (anna, boris), strict=True))
        match = director.Match("hex-toy/fords", {side: who.public for side, who in sides.items()}, {}, {})
        game = director.propose(match, ref.key, ref.place, ref.home).game.chain.game
        members[2].post()
        for who in (anna, boris):
            who.accept(turn(ref, game, 0))
        first = next(who for who in (anna, boris) if who.desk(game).mine)
        first.sign(game)
        time.passes(3600)
        office.put(letter(turn(first, game, 1), first.address), ref.address)
        members[2].post()
        desk = ref.desk(game)
        assert sorted(desk.game.papers.receipts) == [0, 2]
        assert desk.game.papers.due(2) == text(BEGIN + HOUR + 7 * DAY)
        readers = sorted(reader for _at, _sender, reader, raw in office.mails if b"0002.yaml" in raw)
        assert readers == [anna.address, boris.address]
