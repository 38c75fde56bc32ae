"""Tournaments by mail: a director's letters have addresses, papers that came are taken, a stranger's entry waits."""

from __future__ import annotations

import email
from dataclasses import replace
from datetime import timedelta

import pytest
from helpers import postal
from helpers.cup_by_mail import Cup
from helpers.postmen import Time, text
from rulesets import toys

from kursk_pbem.errors import UsageError
from kursk_pbem.game import entropy, folders
from kursk_pbem.post import people, waiting
from kursk_pbem.post.office import hindrance
from kursk_pbem.post.tournaments import events, held, presiding
from kursk_pbem.tournament import letters as drafts
from kursk_pbem.tournament import record
from kursk_pbem.tournament.proof import verify

DAY = timedelta(days=1)


@pytest.fixture
def time(monkeypatch):
    monkeypatch.delenv("KURSK_KEY", raising=False)
    toys.plug(monkeypatch)
    with Time().rules() as time, entropy.fixed("cup"):
        yield time


def announced(root, time, *words, players=2, terms=None):
    """A tournament whose rules are signed and mailed to nobody yet."""
    cup = Cup(root, time, players=players)
    if terms:
        path = cup.ref.friend.home / "post" / "referee.toml"
        path.write_text(path.read_text(encoding="utf-8").replace(*terms), encoding="utf-8")
    cup.new("--round-robin", "--system", "hex-toy/fords", *words)
    return cup


def enters(cup, name="p01"):
    """Somebody enters, and the mailbox has done a round since."""
    player = cup.players[name]
    player.friend.kursk("tournament", "enter", cup.folder / "log" / "0000.yaml", name, "--yes")
    player.post()
    cup.time.now += DAY
    return cup.ref.post()


@pytest.fixture
def entered(time, tmp_path):
    """Two have entered by mail; nothing of the director's has been mailed."""
    cup = announced(tmp_path, time)
    for name in cup.players:
        enters(cup, name)
    cup.direct("tournament", "inbox")
    return cup


def waits(cup):
    return [draft.stem for draft in drafts.waiting(record.every(cup.ref.friend.home)[0].letters)]


def slates(cup):
    return [slate for slate in cup.ref.sits().office().slates() if isinstance(slate.about, events.Event)]


def mailed(cup, sender):
    """What somebody has mailed to people who take part: (reader, mail)."""
    sent = ((reader, raw) for _at, by, reader, raw in cup.office.mails if by == sender and "boss" not in reader)
    return [(reader, email.message_from_bytes(raw)) for reader, raw in sent]


def test_a_strangers_entry_waits_for_the_directors_word(time, tmp_path):
    """Anybody can make a key and mail an entry; what is acknowledged stands in the log for ever."""
    cup = announced(tmp_path, time)
    day = enters(cup)
    assert [line for line in day.done if "'p01' enters: 'kursk tournament inbox' acknowledges it" in line]
    assert len(cup.book().log) == 1
    assert any("1 paper of strangers" in line for line in cup.ref.errand.chair.pending())
    cup.direct("tournament", "inbox")
    assert [entrant.name for entrant in cup.book().entrants.values()] == ["p01"]
    assert list(held.every(cup.ref.friend.home, cup.book().id)) == []


def test_entries_are_acknowledged_as_they_come_if_the_terms_say_so(time, tmp_path):
    cup = announced(tmp_path, time, terms=('entries = "ask"', 'entries = "automatic"'))
    enters(cup)
    assert [entrant.name for entrant in cup.book().entrants.values()] == ["p01"]


def test_only_so_many_strangers_wait(time, tmp_path, monkeypatch):
    monkeypatch.setattr(held, "MOST", 1)
    cup = announced(tmp_path, time)
    enters(cup)
    (full,) = enters(cup, "p02").refused
    assert "1 papers wait already" in str(full)


def test_nothing_is_signed_while_the_clock_is_in_doubt_and_nothing_is_lost(time, tmp_path, monkeypatch):
    cup = announced(tmp_path, time, terms=('entries = "ask"', 'entries = "automatic"'))
    monkeypatch.setattr(cup.ref.sits().chair.watch, "doubt", lambda: "the clock was set")
    cup.ref.errand.intake.doubt = cup.ref.errand.chair.watch.doubt
    enters(cup)
    assert len(cup.book().log) == 1
    cup.ref.sits()
    cup.ref.post()
    assert [entrant.name for entrant in cup.book().entrants.values()] == ["p01"]


def test_an_entrants_address_is_used_once_the_director_says_yes(entered):
    """As with all mail: an address that a paper came from is only seen."""
    assert len(waits(entered)) == 2
    entered.ref.post()
    assert mailed(entered, entered.ref.address) == []
    why = [hindrance(entered.ref.errand.office(), slate) for slate in slates(entered)]
    assert sorted(why) == [
        f"p0{number} may be at p0{number}@example.test (their entry came from there): 'kursk people confirm p0{number}'"
        for number in (1, 2)
    ]
    assert any("no address of p01 may be used" in line for line in entered.ref.errand.chair.pending())
    entered.direct("people", "confirm", "--all", "--yes")
    entered.ref.sits()
    entered.ref.post()
    readers = sorted(reader for reader, _mail in mailed(entered, entered.ref.address))
    assert readers == ["p01@example.test", "p02@example.test"]


def test_a_directors_letter_is_one_letter_with_an_address_a_message_id_and_its_thread(entered):
    entered.direct("people", "confirm", "--all", "--yes")
    entered.ref.sits()
    for _round in range(3):
        entered.ref.post()
    sent = mailed(entered, entered.ref.address)
    assert len(sent) == 2
    assert waits(entered) == []
    for reader, mail in sent:
        (came,) = [theirs for _to, theirs in mailed(entered, reader)]
        assert mail["To"] == reader
        assert mail["In-Reply-To"] == came["Message-ID"]
        assert (
            mail["References"].split()[0] == came["References"] == f"<k1.game.{entered.book().id[:32]}@kursk.invalid>"
        )
        assert mail["Auto-Submitted"] == "auto-generated"
        assert mail["X-Unsent"] is None
    assert len({mail["Message-ID"] for _reader, mail in sent}) == 2


def test_letters_of_a_tournament_are_drafts_of_the_outbox_too(entered, tmp_path):
    entered.direct("people", "confirm", "--all", "--yes")
    entered.direct("outbox", "--eml", tmp_path / "drafts")
    written = sorted((tmp_path / "drafts").iterdir())
    assert len(written) == 2
    mail = email.message_from_bytes(written[0].read_bytes())
    assert mail["To"] in ("p01@example.test", "p02@example.test")
    assert mail["X-Unsent"] == "1"
    entered.direct("outbox", "--sent", entered.book().id[:8])
    assert waits(entered) == slates(entered) == []


def test_what_is_said_to_be_mailed_by_hand_does_not_go_out(entered):
    entered.direct("people", "confirm", "--all", "--yes")
    entered.direct("tournament", "letters", "--sent")
    entered.ref.sits()
    entered.ref.post()
    assert mailed(entered, entered.ref.address) == []


def test_each_letter_holds_what_its_reader_has_not_shown_to_have(entered):
    """A letter is lost: the next one heals it, so nobody waits for a log paper that never comes."""
    entered.direct("people", "confirm", "--all", "--yes")
    entered.ref.sits()
    entered.ref.post()
    lost = entered.players["p01"]
    entered.office.boxes[lost.address].clear()
    entered.direct("tournament", "close")
    entered.ref.post()
    entered.time.now += DAY
    day = lost.post()
    assert day.refused == []
    assert events.every(lost.friend.home)[0].book.head.id == entered.book().head.id


def test_what_nobody_acknowledged_is_sent_again_after_three_days_and_not_for_ever(time, tmp_path):
    cup = announced(tmp_path, time)
    player = cup.players["p01"]
    player.friend.kursk("tournament", "enter", cup.folder / "log" / "0000.yaml", "p01", "--yes")
    for _day in range(30):
        player.post()
        cup.office.boxes.clear()
        time.now += DAY
    sent = mailed(cup, player.address)
    assert len(sent) == 5
    assert len({mail["Message-ID"] for _reader, mail in sent}) == 5


def paired(cup, *silent):
    """The field is closed, everybody but the silent opens, and the first round is paired."""
    cup.direct("people", "confirm", "--all", "--yes")
    cup.direct("tournament", "close")
    cup.ref.sits()
    cup.ref.post()
    cup.time.now += DAY
    for name, player in cup.players.items():
        if name not in silent:
            player.post()
    cup.time.now += DAY
    cup.ref.post()


def test_whoever_has_not_opened_is_reminded_with_all_that_they_lack(entered):
    paired(entered, "p02")
    entered.office.boxes.clear()
    entered.time.now += 2 * DAY
    day = entered.ref.post()
    assert [line for line in day.done if "reminded" in line] == ["cup: reminded p02 of draw 0"]
    entered.time.now += DAY / 2
    entered.players["p02"].post()
    entered.time.now += DAY / 8
    entered.ref.post()
    entered.direct("tournament", "pair")
    assert entered.book().round == 1


def test_a_proposal_is_accepted_by_its_number_while_its_receipt_waits_too(time, tmp_path):
    cup = announced(tmp_path, time, "--roll")
    for name in cup.players:
        enters(cup, name)
    cup.direct("tournament", "inbox")
    paired(cup)
    cup.direct("tournament", "pair")
    cup.ref.post()
    cup.time.now += DAY
    cup.ref.post()
    cup.time.now += DAY
    player = cup.players["p01"]
    player.post()
    (short,) = waiting.games(player.friend.home)
    assert len(list(waiting.turns(player.friend.home, short))) == 2
    player.friend.kursk("accept", short)
    player.post()
    assert player.friend.desk(cup.book().boards["1-1"].game).game.papers.receipts.keys() == {0}


@pytest.fixture
def relayed(entered):
    """Board 1-1 is paired, and its proposal lies in the director's mailbox."""
    paired(entered)
    entered.direct("tournament", "pair")
    entered.ref.post()
    entered.time.now += DAY
    for player in entered.players.values():
        player.post()
        player.friend.kursk("tournament", "propose")
        player.post()
    entered.time.now += DAY
    return entered


def test_a_players_proposal_is_taken_into_the_tournament_it_is_for(relayed):
    """The game is logged, and its receipts name the log."""
    day = relayed.ref.post()
    assert day.refused == []
    board = relayed.book().boards["1-1"]
    assert board.game
    place = relayed.folder / "games" / folders.folder_name(board.game)
    assert (place / "receipt-0000.yaml").read_text(encoding="ascii").count("log:") == 1
    assert verify.verify(relayed.folder).status == 0
    other = next(player for player in relayed.players.values() if waiting.games(player.friend.home) == [])
    relayed.time.now += DAY
    for player in relayed.players.values():
        player.post()
        for short in waiting.games(player.friend.home):
            player.friend.kursk("accept", short)
            player.post()
    assert other.friend.desk(board.game).game.papers.receipts.keys() == {0}


def test_a_game_that_is_no_board_does_not_come_among_its_games(relayed):
    """L5: a friendly game that names the same referee is one more game to referee, and none of the tournament."""
    wild = postal.proposed(*(player.friend for player in relayed.players.values()), relay=relayed.ref.friend.public)
    relayed.office.put(b"From: p01@example.test\r\nSubject: a game\r\n\r\n" + wild[0], relayed.ref.address)
    relayed.ref.post()
    (place,) = (relayed.folder / "games").iterdir()
    assert place.name == folders.folder_name(relayed.book().boards["1-1"].game)
    assert wild[1] not in place.name


def test_a_late_message_counts_by_what_the_log_has_granted(relayed):
    """6.5: time that everybody was given before a term began holds for it, and its game holds no paper of that."""
    relayed.direct("tournament", "grant", "all", "20", "flood", "--holiday", "--yes")
    relayed.ref.post()
    board = relayed.book().boards["1-1"]
    event = next(events.directed(relayed.ref.friend.home))
    side = next(iter(board.sides))
    now = text(relayed.time.now)
    assert presiding.granted(event, board.game, side, (now, now)) > text(relayed.time.now + 19 * DAY)
    with pytest.raises(UsageError, match="has time until"):
        presiding.forfeit(relayed.ref.friend.home, event, board.game)


def test_an_address_of_the_director_is_only_seen_by_an_entrant(entered):
    entered.direct("people", "confirm", "--all", "--yes")
    player = entered.players["p01"]
    people.forget(player.friend.home, people.load(player.friend.home, entered.ref.friend.public))
    entered.ref.sits()
    entered.ref.post()
    entered.time.now += DAY
    player.post()
    (person,) = [found for found in people.every(player.friend.home, ()) if found.name == "director of cup"]
    assert [entry.state for entry in person.addresses] == [people.SEEN]


def test_an_entrant_says_where_the_director_is_reached(time, tmp_path):
    """Chapter 3: nobody needs a key file for it, the rules name the key."""
    cup = announced(tmp_path, time)
    player = cup.players["p01"]
    people.forget(player.friend.home, people.load(player.friend.home, cup.ref.friend.public))
    player.friend.kursk("tournament", "enter", cup.folder / "log" / "0000.yaml", "p01", "--yes")
    player.friend.kursk("people", "add", "director", cup.ref.address)
    player.post()
    assert [reader for reader, _mail in mailed(cup, player.address)] == [cup.ref.address]


@pytest.mark.parametrize("mailbox", [True, False])
def test_a_game_that_was_judged_goes_on_no_more(relayed, mailbox):
    """A judgement is of the newest message: whoever took one behind it would make it false (6.4)."""
    relayed.ref.post()
    relayed.time.now += 20 * DAY
    board = relayed.book().boards["1-1"]
    side = next(iter(board.sides))
    for player in relayed.players.values():
        player.post()
    relayed.direct("tournament", "judge", "1-1", "silence", side, "--yes")
    for player in relayed.players.values():
        for short in waiting.games(player.friend.home):
            player.friend.kursk("accept", short)  # whoever has not heard of it goes on
            if player.friend.sign(board.game) is not None:
                path = folders.message_path(player.friend.folder(board.game), 1)
                player.post()
    relayed.time.now += DAY
    if mailbox:
        day = relayed.ref.post()
        errors = [str(outcome.error) for game in day.games for outcome in game.outcomes if outcome.error]
        assert errors == ["board 1-1 was judged by log/0007.yaml: its game goes on no more"]
    else:
        relayed.direct("tournament", "inbox", path, status=1)
    assert not folders.message_path(relayed.folder / "games" / folders.folder_name(board.game), 1).exists()
    relayed.time.now += 20 * DAY
    relayed.ref.errand.chair.terms = replace(relayed.ref.errand.chair.terms, forfeit="automatic")
    assert not [line for line in relayed.ref.post().done if "reminded" in line]
    assert verify.verify(relayed.folder).status == 0


def test_nobody_accepts_a_game_whose_board_was_judged(relayed):
    relayed.ref.post()
    relayed.time.now += 20 * DAY
    side = next(iter(relayed.book().boards["1-1"].sides))
    relayed.direct("tournament", "judge", "1-1", "silence", side, "--yes")
    relayed.ref.post()
    relayed.time.now += DAY
    asked = 0
    for player in relayed.players.values():
        player.post()
        for short in waiting.games(player.friend.home):
            player.friend.kursk("accept", short, status=2)
            asked += 1
    assert asked == 1
