"""Papers in the log without effect: told to the writer and to the director, with the reason (directors.md 6.3)."""

from __future__ import annotations

import re
import shutil

from helpers.ledger import Ledger, key_of
from helpers.tourney import World, begin_two

from kursk_pbem.tournament import entrant_steps, open_papers, status
from kursk_pbem.tournament.director import mailing
from kursk_pbem.tournament.papers import fields
from kursk_pbem.tournament.proof import verify
from kursk_pbem.tournament.score import table
from kursk_pbem.tournament.site import publication

NAMES = ("anna", "boris", "carla", "dmitri")


def tells(ledger, name, since=0):
    """Return the sentences of the director's letter and list, and of the writer's own list."""
    book, key = ledger.book, key_of(name).public
    letter = " ".join(mailing.describe_news(book, ledger.of(name), since, table.compute_standings(book, book.round)))
    own, every = open_papers.describe_useless(book, key), open_papers.describe_useless(book)
    assert len(own) == len(every) == 1, (own, every)
    assert own[0] in letter
    return every[0]


def test_a_second_bid_is_told_to_its_writer_and_to_the_director():
    """8.3: two different bids for a board lose the bid; before, nobody read why."""
    ledger = Ledger(form={"sides": "bids"}).begin(NAMES)
    board = next(each for each in ledger.book.boards.values() if ledger.of("anna").number in each.numbers)
    for digit in "01":
        said = {"round": "1", "board": board.name, "seal": digit * 64}
        ledger.receive(ledger.player(fields.BID, "anna", said))
    assert tells(ledger, "anna", ledger.book.head.seq) == (
        f"The bid of anna has no effect: two different bids for board {board.name} are signed: neither counts."
    )


def test_a_late_opening_is_told_to_its_writer_and_to_the_director():
    ledger = Ledger().begin(NAMES)
    ledger.end_round()
    ledger.draw_field(silent=["carla"])
    ledger.receive(ledger.opening("carla", 1))
    assert "lots 1 are closed; the paper only commits to lots 2" in tells(ledger, "carla")
    assert 2 in ledger.of("carla").commits


def test_a_claim_that_the_director_refused_is_told_to_its_writer():
    ledger = Ledger().begin(NAMES)
    claim = ledger.player(fields.CLAIM, "anna", {"board": "1-1", "note": "it is mine"})
    ledger.receive(claim)
    ledger.sign(fields.REFUSED, {"paper": claim.id, "why": "play on"})
    assert tells(ledger, "anna").endswith("has no effect: the director refused the paper: play on.")


def test_an_offer_for_a_closed_field_is_told_and_leads_to_no_command(tmp_path):
    """N-6: the printed command 'substitute' was refused, because the offer commits to a former draw."""
    ledger = Ledger().begin(NAMES)
    number, draw = ledger.of("anna").number, ledger.book.next_draw
    said = {"number": number, "name": "greta", "draw": str(draw), "commit": ledger.commit("greta", draw)}
    ledger.receive(ledger.player(fields.STAND_IN, "greta", said))
    (step,) = status.steps.list_decisions(ledger.book, tmp_path, "")
    assert ("has neither withdrawn" in step.words, step.command) == (True, "")
    ledger.receive(ledger.player(fields.WITHDRAW, "anna", {}))
    assert any("substitute" in step.command for step in status.steps.list_decisions(ledger.book, tmp_path, ""))
    ledger.next_round() if not ledger.results() else None
    assert not any(
        "offers to take over" in str(step) for step in status.steps.list_decisions(ledger.book, tmp_path, "")
    )
    why = f"The offer to take over a number of greta has no effect: the field of lots {draw} is closed: sign again."
    assert why in open_papers.describe_useless(ledger.book)
    assert "sign again" in " ".join(entrant_steps.list_facts(ledger.book, None, key_of("greta").public))


def test_a_result_for_a_decided_board_has_a_reason():
    ledger = Ledger().begin(NAMES)
    board = next(each for each in ledger.book.boards.values() if ledger.of("anna").number in each.numbers)
    ledger.results()
    said = {"board": board.name, "game": board.game, "head": "1" * 64, "winner": "draw"}
    ledger.receive(ledger.player(fields.AGREE, "anna", said))
    assert f"board {board.name} is decided" in tells(ledger, "anna")


def test_the_archive_of_a_site_is_entered_verified_and_rated(published, tmp_path, monkeypatch):
    """Bug: the handbook calls archive.zip the whole tournament, and three commands refused the file."""
    ended, _proof, site = published
    archive = tmp_path / "archive.zip"
    archive.write_bytes(site[archive.name])
    stranger = ended.person("stranger")
    assert f"{archive}: verified, ended: 4 entrants" in stranger.kursk("tournament", "verify", archive)
    assert "rated games: " in stranger.kursk("rating", archive)
    shutil.copyfile(archive, tmp_path / "other.zip")
    assert "no conviction" in stranger.kursk("tournament", "prove", archive, tmp_path / "other.zip", status=1)


def test_a_late_entrant_enters_with_the_archive_of_the_site(tmp_path):
    world = begin_two(tmp_path, "--swiss", 3, edit={"late: {until: '1'": "late: {until: '2'"})
    world.director.kursk("tournament", "publish", "--no-pictures", world.folder, "-o", tmp_path / "site")
    hal = world.person("hal")
    hal.kursk("tournament", "enter", tmp_path / "missing.yaml", "Hal", "--yes", status=2, told="there is no such file")
    hal.kursk("tournament", "enter", tmp_path / "site" / "archive.zip", "Hal", "--dir", hal.place, "--yes")
    world.entrants["hal"] = hal
    world.collect()
    assert [each.name for each in world.book().entrants.values()][-1] == "Hal"


def test_a_field_closes_and_a_tournament_ends_after_a_yes(four, tmp_path):
    """N-11: 'close' and 'end' signed at once; 'pair' and 'inbox' ask nothing, and accept --yes."""
    before = four.book().head.id
    four.director.kursk("tournament", "end", four.folder, status=130, answer="n\n")
    assert four.book().head.id == before
    four.director.kursk("tournament", "pair", four.folder, "--yes")
    four.director.kursk("tournament", "inbox", "--in", four.folder, "--yes")
    world = World(tmp_path / "new")
    world.new("--swiss", 3, "--system", "battle-for-kursk/citadel")
    world.enter(["anna", "boris"])
    world.collect()
    world.director.kursk("tournament", "close", world.folder, status=130, answer="n\n")
    assert world.book().draws == []
    world.director.kursk("tournament", "close", world.folder, "--yes")
    assert len(world.book().draws) == 1


def test_a_forfeit_and_a_bye_look_like_no_game_in_the_cross_table(tmp_path):
    """A win by forfeit was a green 'won', and times were '2027-01-21 12:00 UTC'."""
    world = World(tmp_path)
    world.new("--swiss", 2, "--system", "battle-for-kursk/citadel")
    world.enter(["anna", "boris", "carla"])
    world.begin()
    world.later(20)
    world.director.kursk("tournament", "judge", "1-1", "silence", "german", "--yes", "--in", world.folder)
    site = publication.build_files(publication.load_view(world.folder, verify.verify_tournament(world.folder)))
    page = site["cross.html"].decode()
    cells = re.findall(r'class="square ([a-z]+)".*?<span>([a-z ]+)</span>', page)
    assert sorted(cells) == [("spent", "bye"), ("spent", "forfeit"), ("spent", "forfeited")]
    assert ": won by forfeit, " in page
    home, text = site["index.html"].decode(), site["standings.txt"].decode()
    assert "21 Jan 2027, 12:00 UTC" in home
    assert (home.count(">Byes<"), home.count("1 won by forfeit")) == (1, 1)
    assert [line.split()[:8] for line in text.splitlines()[1:2]] == [
        ["Place", "No.", "Name", "Points", "Games", "+", "=", "-"]
    ]
    assert re.search(" 4 +0 +0 +0 +0 +1 ", text)
    assert "because the game did not begin in time<" in site["decisions.html"].decode()
    winner = world.book().entrant(world.book().boards["1-1"].sides["german"])
    lines = mailing.describe_news(world.book(), winner, 0, table.compute_standings(world.book(), 1))
    assert "Board 1-1: you won against" in lines[0]


def test_the_winner_reads_it_first_and_the_table_is_final(tmp_path):
    """Letter 10: 'place 1 of 7', with a table 'after round 3'."""
    ledger = Ledger(rounds_=1).begin(("anna", "boris"))
    ledger.end_round()
    sha256 = table.compute_standings(ledger.book).sha256
    since = ledger.book.head.seq
    ledger.sign(fields.END, {"sha256": sha256, "played": "1"})
    first = table.compute_standings(ledger.book).rows[0]
    winner = ledger.book.entrant(first.number)
    lines = mailing.describe_news(ledger.book, winner, since, table.compute_standings(ledger.book, 1))
    assert lines[0].startswith("Congratulations: you have won, place 1 of 2 with ")
    assert not any("after round" in line for line in lines)
    assert "Final standings:" in lines
