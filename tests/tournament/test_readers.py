"""12: independent programs read the exports: two readers of TRF16, one of Atom, one of iCalendar."""

from __future__ import annotations

import feedparser
import icalendar
import pytest
import trf
from fidetournament.tournament import Tournament
from helpers.ledger import Ledger

from kursk_pbem.tournament.papers import fields
from kursk_pbem.tournament.score import listing, table
from kursk_pbem.tournament.site import feed, view

NAMES = ["Müller, Änne", "Ковалёва, Анна", "岡田 直樹", "Żółć, Łukasz", "Brøndum, Zoë", "carla", "dora", "emil", "f"]
LATE = "Grétarsdóttir, Sigríður Ragnheiður"
FEW = ["anna", "boris", "carla", "dora", "emil"]
HALVES = dict.fromkeys("1+FU", 2) | dict.fromkeys("=H", 1) | dict.fromkeys("0-Z", 0)


def by_trf(text, _path):
    """Read with PyPI trf, which matches a whole line by a pattern."""
    read = trf.loads(text)
    for player in read.players:
        rounds = [(game.startrank, game.color, game.result) for game in player.games]
        yield player.startrank, (player.name, player.rating, 2 * player.points, player.rank or 0, rounds)


def by_fidetournament(text, path):
    """Read with PyPI fidetournament, which uses columns. The reader drops the last round of a line, so add a round."""
    lines = [f"{line}  0000 - Z" if line.startswith("001") else line for line in text.splitlines()]
    path.write_text("\n".join([*lines, ""]))
    read = Tournament()
    read.parse(path)
    assert read.numplayers == len(read.players)
    for player in read.players:
        rounds = [(int(each["id"]), each["color"], each["result"]) for each in player.opponents]
        worth = (player.name, int(player.fide or 0), 2 * float(player.points), int(player.rank or 0), rounds)
        yield int(player.startrank), worth


@pytest.fixture(params=[by_trf, by_fidetournament])
def read(request, tmp_path):
    """Read the export of a book, and check the properties of every export."""

    def of(book):
        found = table.compute_standings(book)
        players = dict(request.param(listing.format_trf(book, found), tmp_path / "tournament.trf"))
        assert sorted(players) == list(range(1, len(book.numbers) + 1))
        assert sorted(player[3] for player in players.values() if player[3]) == [row.place for row in found.rows]
        for number, (_name, _rating, halves, _rank, rounds) in players.items():
            assert halves == sum(HALVES[result] for _opponent, _color, result in rounds)
            for at, (opponent, color, result) in enumerate(rounds):
                assert (opponent == 0) == (color == "-") == (result in "FHUZ")
                if opponent:
                    foe, other, against = players[opponent][4][at]
                    assert foe == number
                    assert {color, other} == {"w", "b"}
                    assert result + against in ("10", "01", "==", "+-", "-+", "--")
        return players

    return of


def rounds_of(players, name):
    """Return the rounds of a player; readers have 33 columns for a name."""
    return next(player[4] for player in players.values() if player[0] == name[:33].strip())


def test_every_end_and_every_way_to_sit_out_comes_back(read):
    form = {"late": {"until": "2", "points": "2"}}
    ledger = Ledger(rounds_=2, form=form).begin(NAMES)
    first = dict(ledger.book.boards)
    ledger.result("1-1")
    ledger.result("1-2", "draw")
    ledger.result("1-3", "", "forfeit")
    ledger.later(30).sign(fields.JUDGED, {"board": "1-4", "by": "silence", "winner": "nobody", "why": "neither began"})
    ledger.announce()
    ledger.receive(ledger.entry(LATE, 1))
    who = [ledger.book.entrant(number).name for number in first["1-1"].numbers]
    ledger.receive(ledger.wish(who[0], "bye"), ledger.wish(who[1], "no"))
    ledger.close()
    ledger.open_all()
    ledger.draw()
    ledger.pair()
    ledger.results()
    players = read(ledger.book)
    assert {player[0] for player in players.values()} == {*NAMES, LATE[:33]}
    for board, ends in (("1-1", "10"), ("1-2", "=="), ("1-3", "+-"), ("1-4", "--")):
        one, other = map(int, first[board].numbers)
        assert players[one][4][0] == (other, "w", ends[0])
        assert players[other][4][0] == (one, "b", ends[1])
    (bye,) = (int(number) for number, how in ledger.book.rounds[0].spent.items() if how == "bye")
    assert players[bye][4][0] == (0, "-", "U")
    assert [rounds_of(players, name)[1] for name in who] == [(0, "-", "H"), (0, "-", "Z")]
    assert rounds_of(players, LATE)[0] == (0, "-", "H")


def test_a_round_that_is_played_waits(read):
    """Zero points would be false for an unfinished round, and an empty result stops a reader."""
    ledger = Ledger(rounds_=2).begin(FEW)
    assert {len(player[4]) for player in read(ledger.book).values()} == {0}
    ledger.results()
    ledger.next_round()
    ledger.result("2-1")
    assert {len(player[4]) for player in read(ledger.book).values()} == {1}


def test_both_games_of_a_mirrored_meeting_are_rounds(read):
    ledger = Ledger(rounds_=1, form={"mirror": "yes"}).begin(FEW)
    ledger.results(winners={"1-1b": "draw"})
    players = read(ledger.book)
    one, other = map(int, ledger.book.boards["1-1a"].numbers)
    assert players[one][4] == [(other, "w", "1"), (other, "b", "=")]
    (bye,) = (int(number) for number, how in ledger.book.rounds[0].spent.items() if how == "bye")
    assert players[bye][4] == [(0, "-", "H")] * 2  # 4 of the 8 points of a meeting


def test_guests_and_games_that_decide_a_tie_are_told(read):
    ledger = Ledger(rounds_=1, form={"odd": "guest"})
    ledger.enter(FEW)
    ledger.receive(ledger.entry("the guest", guest="yes"))
    ledger.close()
    ledger.open_all()
    ledger.draw()
    ledger.pair()
    ledger.results()
    players = read(ledger.book)
    assert (players[6][0], players[6][3]) == ("the guest", 0)
    assert players[6][4][0][0]
    cup = Ledger("knock-out").begin(FEW[:4])
    cup.results(winners={"1-1": "draw"})
    cup.pair()
    cup.results()
    assert {tuple(result for *_who, result in player[4]) for player in read(cup.book).values()} == {
        ("=", "1"),
        ("=", "0"),
        ("1", "Z"),
        ("0", "Z"),
    }


def test_a_walkover_is_a_full_bye(read):
    ledger = Ledger("round-robin").begin(FEW[:4])
    ledger.results()
    ledger.next_round()
    ledger.results()
    gone = ledger.name_of(ledger.book.entrant("1"))
    ledger.receive(ledger.player(fields.WITHDRAW, gone, {}))
    ledger.sign(fields.WITHDRAWN, {"number": "1", "why": "ill", "papers": [list(ledger.book.received)[-1]]})
    ledger.next_round()
    ledger.results()
    ((walked, _gone),) = ledger.book.rounds[-1].walkovers.items()
    players = read(ledger.book)
    assert players[int(walked)][4][2] == (0, "-", "F")
    assert players[1][4][2] == (0, "-", "Z")


def test_a_reader_of_feeds_takes_the_feed(tmp_path):
    ledger = Ledger(rounds_=1, form={"title": "Frühling & <Kursk>"}).begin(NAMES)
    ledger.results()
    ledger.announce()
    told = feedparser.parse(feed.build_feed(view.View(ledger.book, tmp_path)))
    assert not told.bozo
    assert (told.version, told.feed.title) == ("atom10", ledger.book.rules.title)
    assert told.entries
    for entry in told.entries:
        assert entry.id.startswith("urn:uuid:")
        assert entry.title
        assert entry.updated_parsed
        assert entry.link


def test_a_reader_of_calendars_takes_the_deadlines(tmp_path):
    ledger = Ledger(rounds_=1, form={"title": "Frühling, 1; 2"}).begin(NAMES)
    raw = feed.build_calendar(view.View(ledger.book, tmp_path))
    read = icalendar.Calendar.from_ical(raw)
    assert not read.errors
    for event in read.events:
        assert not event.errors
        assert str(event["SUMMARY"]).startswith("Frühling, 1; 2: ")
        assert event["DTSTART"].dt.tzinfo is not None
    assert read.events
    assert max(map(len, raw.split(b"\r\n"))) <= 75
