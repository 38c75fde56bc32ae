"""9.4: the ladder follows from archives alone, and names an archive that is changed, shortened or left out."""

from __future__ import annotations

import copy
import json
import shutil
import zipfile
from dataclasses import replace
from pathlib import Path

import pytest
from glicko2 import MatchResult, RatingEngine, RatingPeriod
from helpers import printed
from helpers.ledger import Ledger, make_finding
from helpers.tourney import World

from kursk_pbem.cli import run
from kursk_pbem.errors import TrustError
from kursk_pbem.tournament.book import plan
from kursk_pbem.tournament.ladder import pages, players
from kursk_pbem.tournament.ladder.archives import Archive, choose_newest
from kursk_pbem.tournament.pace import Pace
from kursk_pbem.tournament.papers import fields
from kursk_pbem.tournament.proof.verify import verify_tournament
from tournament.pages import read_pages

EVIL = "<b onclick=x>&\"'\u202e" + "x" * 10_000


def hold_duel(root, title, time, names):
    """Hold a knock-out of two players who show only their numbers."""
    world = World(root / title, time)
    world.new("--knock-out", "--system", "battle-for-kursk/citadel", "--title", title)
    world.enter(names, "--only-number")
    world.begin()
    world.play_round(moves=1)
    world.inbox()
    world.later(1)
    world.director.kursk("tournament", "end", world.folder)
    return world


def name_of(book, board, side):
    return book.entrant(board.sides[side]).name


def publish(world, site):
    """Return the archive of the tournament's site."""
    world.director.kursk("tournament", "publish", "--no-pictures", world.folder, "-o", site)
    return site / "archive.zip"


@pytest.fixture(scope="module")
def cups(tmp_path_factory, ended):
    """Return three tournaments in two quarters with a year between them."""
    root = tmp_path_factory.mktemp("cups")
    return [
        ended,
        hold_duel(root, "Duel", "2027-03-29T12:00:00Z", ["boris", "anna"]),
        hold_duel(root, "Winter", "2028-10-01T12:00:00Z", ["emil", "dmitri"]),
    ]


@pytest.fixture
def shelf(cups, tmp_path):
    """Return a folder with the three archives."""
    folder = tmp_path / "archives"
    folder.mkdir()
    for at, cup in enumerate(cups):
        publish(cup, tmp_path / f"site-{at}").rename(folder / f"{at}.zip")
    return folder


def rate(capsys, out, *archives, status=0):
    """Write a ladder; return the printed text of both streams."""
    capsys.readouterr()
    assert run(["rating", "--site", str(out), *map(str, archives)]) == status
    return "".join(capsys.readouterr())


def read_site(out):
    return {path.name: path.read_bytes() for path in out.iterdir()}


def test_the_ladder_equals_an_independent_glicko_2(cups, shelf, tmp_path, capsys):
    """The games come from the logs, the periods from the months of their papers, the ratings from glicko2-py."""
    (told,) = printed.told(capsys, 0, "rating", "--site", tmp_path / "out", shelf)
    assert [event["title"] for event in told["events"]] == ["spring", "Duel", "Winter"]
    periods = {quarter: RatingPeriod(id=str(quarter)) for quarter in range(8)}  # from January 2027 to December 2028
    for book in (cup.book() for cup in cups):
        for log in (log for log in book.log if log.type == fields.RESULT):
            board, month = book.boards[log.text("board")], int(log.text("time")[5:7]) - 1
            winner = name_of(book, board, log.text("winner"))
            (loser,) = {name_of(book, board, side) for side in board.sides} - {winner}
            periods[4 * (int(log.text("time")[:4]) - 2027) + month // 3].add_match(MatchResult(winner, loser, 1.0))
    engine = RatingEngine()
    for period in periods.values():
        engine.process_period(period)
    right = {player.id: player for player in engine.pool.all()}
    people = {cups[0].entrants.get(name, cups[2].entrants.get(name)).public: name for name in right}
    assert sorted(people[row["key"]] for row in told["players"]) == sorted(right)
    for row in told["players"]:
        player = right[people[row["key"]]]
        assert abs(float(row["rating"]) - 1500 - 173.7178 * player.mu) < 0.006
        assert abs(float(row["deviation"]) - 173.7178 * player.phi) < 0.006
    printed.told(capsys, 0, "rating", "--glicko", shelf)
    (alone,) = printed.told(capsys, 0, "rating", "--glicko", *shelf.iterdir())
    assert alone["players"] == told["players"], "one player has one number"


def test_equal_archives_give_equal_pages_from_zips_and_folders(cups, shelf, tmp_path, capsys):
    rate(capsys, tmp_path / "one", shelf)
    rate(capsys, tmp_path / "other", *(cup.folder for cup in reversed(cups)))
    assert read_site(tmp_path / "one") == read_site(tmp_path / "other")
    assert "wrote 0 of" in rate(capsys, tmp_path / "one", shelf, shelf / "0.zip", cups[0].folder)


def test_an_archive_that_is_left_out_is_named_and_counts(shelf, tmp_path, capsys):
    """The ladder carries its archives, so nobody can drop an event, and everybody computes the ladder again from it."""
    out = tmp_path / "out"
    rate(capsys, out, shelf)
    before = read_site(out)
    duel = next(path for path in out.glob("*.zip") if path.read_bytes() == (shelf / "1.zip").read_bytes())
    (shelf / "1.zip").rename(tmp_path / "1.zip")
    assert f"Duel: you named no archive as new as {duel}" in rate(capsys, out, shelf)
    assert read_site(out) == before
    assert "you named no" not in rate(capsys, tmp_path / "again", out)
    assert read_site(tmp_path / "again") == before
    rate(capsys, tmp_path / "less", shelf)
    assert f"Duel is new in {tmp_path / 'less'}" in rate(capsys, tmp_path / "less", tmp_path / "1.zip")
    assert read_site(tmp_path / "less") == before


def test_an_archive_that_is_changed_or_shortened_is_named(cups, shelf, tmp_path, capsys):
    """The longer log counts, if it contains the head of the shorter log. A correction can follow the end."""
    out, cup, older = tmp_path / "out", cups[1], shelf / "1.zip"
    end = cup.book().head
    cup.director.kursk("tournament", "correct", end.seq, "to be sure", "--now", "played=1", "--yes")
    newer = shutil.copyfile(publish(cup, tmp_path / "site"), shelf / "newer.zip")
    rate(capsys, out, shelf)
    told = json.loads((out / "ladder.json").read_text(encoding="ascii"))
    assert [event["seq"] for event in told["events"] if event["title"] == "Duel"] == [end.seq + 1]
    (whole,) = (path for path in out.glob("*.zip") if path.read_bytes() == newer.read_bytes())
    newer.unlink()
    assert f"Duel: you named no archive as new as {whole}" in rate(capsys, out, older)
    cut = rewrite(
        whole, tmp_path / "cut.zip", lambda name, data: data * (name < f"log/{end.seq:04d}" or "log" not in name)
    )
    assert f"the tournament in {cut} has not ended" in rate(capsys, out, cut, status=2)
    false = rewrite(whole, tmp_path / "false.zip", lambda _name, data: data.replace(b"Duel", b"Dual"))
    assert str(false) in rate(capsys, out, false, status=3)
    false.replace(whole)
    assert str(whole) in rate(capsys, out, older, status=3)


def rewrite(whole, path, change):
    """Write an archive whose files are changed; empty files are left out. Return the new path."""
    with zipfile.ZipFile(whole) as old, zipfile.ZipFile(path, "w") as new:
        for name in old.namelist():
            if data := change(name, old.read(name)):
                new.writestr(name, data)
    return path


def test_two_logs_of_a_tournament_are_both_named(tmp_path):
    """An older log is the beginning of the newer log. Otherwise two logs exist, and the newer log is no better."""

    def name(ledger, file):
        return Archive(tmp_path / file, copy.deepcopy(ledger.book), {})

    one, other = (Ledger("knock-out").begin(["anna", "boris"]) for _log in range(2))
    for ledger in (one, other):
        ledger.end_round()
        ledger.sign(fields.END, {"sha256": ledger.book.tables[1], "played": "1"})
    old, seq = name(one, "old.zip"), one.book.head.seq
    for ledger, why in ((one, "misread"), (other, "mistyped")):
        now = {"sha256": ledger.book.tables[1], "played": "1"}
        ledger.sign(fields.CORRECT, {"corrects": str(seq), "id": old.book.head.id, "now": now, "why": why})
    new, fork = name(one, "new.zip"), name(other, "fork.zip")
    assert choose_newest([old, new]) == choose_newest([new, old]) == [new]
    for pair in ([fork, new], [new, fork]):
        with pytest.raises(
            TrustError, match=r"two logs of .*(fork|new)\.zip and .*(fork|new)\.zip; 'kursk tournament prove"
        ):
            choose_newest(pair)


def log_event(format_, names, time, file):
    """Return the archive of a tournament with a verified game on every board: the first side wins."""
    ledger = Ledger(format_, time=time, form={"title": file}).begin(names)
    while True:
        ledger.end_round()
        if plan.find_hindrance(ledger.book) == plan.NO_ROUND:
            break
        ledger.pair()
    played = str(sum(bool(board.game) for board in ledger.book.boards.values()))
    ledger.sign(fields.END, {"sha256": ledger.book.tables[ledger.book.round], "played": played})
    boards = ledger.book.boards.values()
    return Archive(Path(file), ledger.book, {board.game: make_finding(ledger.book, board) for board in boards})


def test_established_players_stand_above_provisional_and_inactive_players():
    """12 rated games, and a game in the year before the newest paper. Reply times count over all tournaments."""
    four = ["anna", "boris", "carla", "dmitri"]
    found = [
        log_event("knock-out", ["emil", "frida"], "2027-01-01T00:00:00Z", "first"),
        *(log_event("round-robin", four, f"2027-{month:02}-01T00:00:00Z", f"table {month}") for month in (3, 6, 9, 12)),
        log_event("knock-out", ["greta", "hugo"], "2028-02-01T00:00:00Z", "last"),
    ]
    replies = {"1-1": Pace(replies=(("1", 60), ("2", 7200), ("1", 180)))}
    people = players.compute_players(found, {archive.book.id: replies for archive in found})
    states = {player.name: player.state for player in people.values()}
    assert {name for name, state in states.items() if state == players.ESTABLISHED} == {*four}
    assert {name for name, state in states.items() if state == players.PROVISIONAL} == {"greta", "hugo"}
    assert {name for name, state in states.items() if state == players.INACTIVE} == {"emil", "frida"}
    assert sorted(states.values()) == [*states.values()]
    (first, second) = (found[0].book.entrant(number).called for number in "12")
    taken = {player.name: player.replies for player in people.values()}
    assert (taken[first], taken[second]) == ((60, 180), (7200,))
    anna = next(player for player in people.values() if player.name == "anna")
    assert sum(len(player.honors) for player in people.values()) == 2 + 4 * 3 + 2
    assert [rated.games for _quarter, rated in anna.quarters] == [3, 6, 9, 12, 12]
    assert sum(counts.total() for _side, counts in anna.count_results("scenario", "side")) == 12
    assert all(counts.total() == 4 for _foe, counts in anna.count_results("foe"))


def test_pages_are_valid_and_escape_hostile_names(cups, shelf, tmp_path, capsys):
    """Papers allow 60 printable ASCII letters; the pages do not depend on it."""
    rate(capsys, tmp_path / "out", shelf)
    site = read_site(tmp_path / "out")
    wild = [Archive(cup.folder, cup.book(), verify_tournament(cup.folder).findings) for cup in cups]
    for archive in wild:
        names = dict.fromkeys(archive.event.names, EVIL)
        vars(archive)["event"] = replace(archive.event, names=names, title=EVIL)
    for made in (site, pages.build_ladder(wild)):
        read = read_pages(made)
        assert len(read) == 8
        for name, page in read.items():
            assert page.query("b") == [], name
