"""12: independent programs read the exports: two readers of TRF16, one of CSV, one of Atom, one of iCalendar."""

from __future__ import annotations

import csv
import os
import subprocess
import sys

import feedparser
import icalendar
import pytest
import trf
from fidetournament.tournament import Tournament
from helpers.commands import Terminal, refused, well
from helpers.ledger import Ledger

from kursk_pbem.cli import run
from kursk_pbem.tournament.papers import fields
from kursk_pbem.tournament.score import listing, table
from kursk_pbem.tournament.site import feed

NAMES = ["Müller, Änne", "Ковалёва, Анна", "岡田 直樹", "Żółć, Łukasz", "Brøndum, Zoë", "carla", "dora", "emil", "f"]
LATE = "Grétarsdóttir, Sigríður Ragnheiður"
FEW = ["anna", "boris", "carla", "dora", "emil"]
SCRIPTS = [
    *("Grétarsdóttir, Sigríður Ragnheiður", "Достоевская-Рождественская, Анастасия", "Ελένη Παπαδοπούλου"),
    *("محمد عبد الله العلي", "דוד בן־גוריון", "अनुष्का शर्मा", "岡田 直樹", "김민준", "A" * 33),
]
SPRING = "Frühling, 1; ליגה & <Кубок>"
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
    """Read the export of a book, and check the properties of every export. ``text``: the output of a command."""

    def of(book, text=""):
        found = table.compute_standings(book)
        players = dict(request.param(text or listing.format_trf(book, found), tmp_path / "tournament.trf"))
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
    ledger.draw_field()
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
    ledger.draw_field()
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
    ledger.withdraw("1")
    ledger.next_round()
    ledger.results()
    ((walked, _gone),) = ledger.book.rounds[-1].walkovers.items()
    players = read(ledger.book)
    assert players[int(walked)][4][2] == (0, "-", "F")
    assert players[1][4][2] == (0, "-", "Z")


def count_all_rounds(ledger):
    return trf.loads(listing.format_trf(ledger.book, table.compute_standings(ledger.book))).numrounds


def test_12_trf_tells_the_number_of_all_rounds():
    """bbpPairings pairs no round without the number (R10)."""
    swiss = Ledger(rounds_=5).begin(FEW)
    assert count_all_rounds(swiss) == 5
    swiss.results()
    swiss.next_round()
    assert count_all_rounds(swiss) == 5
    assert count_all_rounds(Ledger("round-robin").begin(FEW)) == 5
    mirrored = Ledger(rounds_=3, form={"mirror": "yes"}).begin(FEW)
    mirrored.results()
    assert count_all_rounds(mirrored) == 6
    cup = Ledger("knock-out").begin(FEW[:4])
    cup.results(winners={"1-1": "draw"})
    cup.pair()
    cup.results()
    assert count_all_rounds(cup) == 3  # two rounds, and a second game of a tie
    field = Ledger("knock-out").enter(FEW).book
    assert "XXR" not in listing.format_trf(field, table.compute_standings(field))


@pytest.fixture(scope="module")
def world_cup(tmp_path_factory):
    """Play four of five rounds with names in eight scripts; return the folder, the site and the book."""
    root = tmp_path_factory.mktemp("scripts")
    ledger = Ledger(rounds_=5, form={"title": SPRING}).begin(SCRIPTS)
    won = set()
    for _round in range(4):
        open_boards = [board for board in ledger.book.boards.values() if not board.decided]
        first = {b.name: min(b.sides, key=lambda side, b=b: b.sides[side] in won) for b in open_boards}
        won.update(board.sides[first[board.name]] for board in open_boards)
        ledger.results(first)
        ledger.next_round()
    folder = ledger.save(root / "cup")
    assert run(["tournament", "publish", "--no-pictures", str(folder), "-o", str(root / "site")]) == 0
    return folder, root / "site", ledger.book


def test_12_trf_in_eight_scripts_comes_back(world_cup, read, tmp_path):
    """Names are cut after 33 letters, never by bytes, and no column moves (R10)."""
    folder, site, book = world_cup
    assert run(["tournament", "standings", str(folder), "--trf", "-o", str(tmp_path / "cup.trf")]) == 0
    text = (tmp_path / "cup.trf").read_bytes().decode("utf-8")
    assert text.encode() == (site / "tournament.trf").read_bytes()
    players = read(book, text)
    assert {player[0] for player in players.values()} == {name[:33].strip() for name in SCRIPTS}
    rows = table.compute_standings(book, 4).rows
    wins = {book.entrant(row.number).name[:33].strip(): (row.place, row.won) for row in rows}
    won = {player[0]: (player[3], sum(result == "1" for *_who, result in player[4])) for player in players.values()}
    assert won == wins


def test_12_csv_in_eight_scripts_comes_back(world_cup, tmp_path):
    folder, site, book = world_cup
    assert run(["tournament", "standings", str(folder), "--csv", "-o", str(tmp_path / "cup.csv")]) == 0
    assert (tmp_path / "cup.csv").read_bytes() == (site / "standings.csv").read_bytes()
    with (tmp_path / "cup.csv").open(encoding="utf-8", newline="") as file:
        read = [tuple(row.values()) for row in csv.DictReader(file)]
    told = []
    for row in table.compute_standings(book).rows:
        byes = sum(round_.spent.get(row.number) == "bye" for round_ in book.rounds)
        sums = (row.points, row.games, row.won, row.drawn, row.lost, byes)
        told.append((row.place, row.number, book.entrant(row.number).name, *sums, *row.breaks.values()))
    assert read == [tuple(map(str, row)) for row in told]
    assert sorted(row[2] for row in read) == sorted(SCRIPTS)


def test_12_feed_and_calendar_in_eight_scripts_come_back(world_cup):
    _folder, site, book = world_cup
    told = feedparser.parse(site / "feed.atom")
    assert not told.bozo
    assert (told.version, told.feed.title) == ("atom10", SPRING)
    assert all(entry.updated_parsed and entry.link for entry in told.entries)
    titles = "\n".join(entry.title for entry in told.entries)
    for board in book.boards.values():
        if board.outcome:
            winner = book.entrant(board.sides[board.outcome.winner]).name
            assert f"Board {board.name}: {winner} wins" in titles
    assert all(name in titles for name in SCRIPTS)
    raw = (site / "deadlines.ics").read_bytes()
    assert max(map(len, raw.split(b"\r\n"))) <= 75
    calendar = icalendar.Calendar.from_ical(raw)
    assert not calendar.errors
    assert not any(event.errors for event in calendar.events)
    assert all(event["DTSTART"].dt.tzinfo is not None for event in calendar.events)
    events = {str(event["SUMMARY"]): f"{event['DTSTART'].dt:%Y-%m-%dT%H:%M:%SZ}" for event in calendar.events}
    deadlines = feed.list_deadlines(book)
    assert events == {f"{SPRING}: {deadline.title}": deadline.time for deadline in deadlines} != {}


@pytest.mark.parametrize(("option", "page"), [("--csv", "standings.csv"), ("--trf", "tournament.trf")])
def test_12_printed_table_equals_the_published_file(world_cup, option, page):
    """Bug: isolates of the terminal stood in the data, and another encoding wrote escapes for letters (R10)."""
    folder, site, _book = world_cup
    words = [sys.executable, "-m", "kursk_pbem", "tournament", "standings", folder, option]
    env = {**os.environ, "PYTHONIOENCODING": "cp1252"}
    assert subprocess.run(words, env=env, capture_output=True, check=True).stdout == (site / page).read_bytes()


def test_12_table_is_never_written_over_another_file(world_cup, capsys, tmp_path):
    out, standings = tmp_path / "cup.csv", ("tournament", "standings", world_cup[0])
    assert well(capsys, *standings, "--csv", "-o", out).startswith("wrote")
    assert well(capsys, *standings, "--csv", "-o", out).startswith("unchanged")
    before = out.read_bytes()
    assert str(out) in refused(capsys, 2, *standings, "--trf", "-o", out)
    assert out.read_bytes() == before
    well(capsys, *standings, "--trf", "-o", out, "--force")
    assert out.read_bytes() != before
    for wrong in ((), ("--csv", "--trf"), ("--csv", "--json")):
        assert "-o" in refused(capsys, 2, *standings, *wrong, "-o", tmp_path / "new", silent="--json" not in wrong)
    assert not (tmp_path / "new").exists()


def test_T29_table_for_programs_is_isolated_on_a_terminal(world_cup, monkeypatch):
    """On a terminal a person reads, and letters of a name must not turn the line around."""
    monkeypatch.setattr(sys, "stdout", Terminal())
    assert run(["tournament", "standings", str(world_cup[0]), "--csv"]) == 0
    assert f"\u2068{SCRIPTS[4]}\u2069" in sys.stdout.getvalue()
