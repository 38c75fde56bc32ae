"""Chapter 12: pages follow from the folder alone, reveal no hidden game, and show player text as text."""

from __future__ import annotations

import copy
import re
import shutil
import zipfile
from dataclasses import replace
from pathlib import Path
from xml.etree import ElementTree as ET

import feedparser
import icalendar
import pytest
from helpers.ledger import Ledger
from justhtml import JustHTML

from kursk_pbem.errors import TrustError, UsageError
from kursk_pbem.tournament.proof import verify
from kursk_pbem.tournament.site import feed, layout, pictures, publication, view, words
from tournament.pages import links_of, read_pages

EVIL = "<b onclick=x>&\"'"


@pytest.fixture
def over(published):
    """Return an ended tournament and its site."""
    return published[0], published[2]


def test_every_file_is_linked_and_every_page_allows_its_own_style_alone(over):
    _world, site = over
    pages = read_pages(site)
    linked = {link.partition("#")[0] for page in pages.values() for link in links_of(page)}
    assert set(site) - linked <= {"made-by.txt"}
    for name, data in site.items():
        if name.startswith("replay"):
            assert b"default-src 'none'" in data
    for page in pages.values():
        assert "default-src 'none'" in page.query_one("meta[http-equiv]").attrs["content"]


def test_replay_story_luck_and_maps_of_a_game_are_on_its_board_and_in_its_round(over):
    world, site = over
    boards = world.book().boards.values()
    for board in boards:
        assert f"replay-{board.name}.html" in site
        page = site[f"board-{board.name}.html"].decode()
        assert all(words in page for words in ("The story", "The luck of the dice", "Turn 1"))
        assert f'href="map-{board.name}.svg"' in page
        assert f'src="thumb-{board.name}.svg"' in site[f"round-{board.round}.html"].decode()
        shown = {name for name in links_of(JustHTML(page)) if name.endswith(".svg")}
        assert len(page) + sum(len(site[name]) for name in shown if f'src="{name}"' in page) < 300_000
        assert all(site[name].startswith(b"<svg") and b"color-scheme:light dark" in site[name] for name in shown)
        assert all(ET.fromstring(site[name]).tag.endswith("svg") for name in shown)  # noqa: S314 - our own
    fought = [board for board in boards if f"fight-{board.name}.svg" in site]
    assert fought
    for board in fought:
        for page in (f"board-{board.name}.html", f"round-{board.round}.html"):
            assert f'src="fight-{board.name}.svg"' in site[page].decode()
        assert b'class="burst"' in site[f"fight-{board.name}.svg"]


def test_people_read_names_scores_and_the_champion(over):
    world, site = over
    champion = view.make_view(world.book(), world.folder).table.rows[0].number
    read = {name: " ".join(page.to_text().split()) for name, page in read_pages(site).items()}
    assert f"{world.book().entrant(champion).name} wins spring" in read["index.html"]
    assert "Champion" in read["index.html"]
    outcome = world.book().boards["1-1"].outcome
    score = "4-1" if outcome.winner == "german" else "1-4"
    assert f"{score} {outcome.winner.capitalize()}s win by resignation" in read["round-1.html"]
    assert f"wins with the {outcome.winner.capitalize()}s by resignation" in read["index.html"]
    for name, said in read.items():
        assert not re.search(r"battle-for-kursk|german wins|buchholz-1", said), name


def test_who_wants_no_name_on_pages_is_a_number(over):
    world, site = over
    number = next(each.number for each in world.book().ranked() if each.name == "dmitri")
    assert f"number {number}" in site["index.html"].decode()
    assert not [name for name, data in site.items() if b"dmitri" in data and name != layout.ARCHIVE]


def test_the_archive_proves_the_tournament_alone_and_gives_the_same_site(over, tmp_path):
    world, site = over
    (tmp_path / "archive.zip").write_bytes(site[layout.ARCHIVE])
    with zipfile.ZipFile(tmp_path / "archive.zip") as archive:
        assert {info.compress_type for info in archive.infolist()} == {zipfile.ZIP_STORED}
        archive.extractall(tmp_path / "copy")
    proof = verify.verify_tournament(tmp_path / "copy")
    assert proof.status == 0, proof.text
    assert publication.build_files(publication.load_view(tmp_path / "copy", proof)) == site
    assert world.book().head.id.encode() in site[layout.VERIFY]


def test_a_board_names_its_pictures_and_chats_get_the_whole_address(published, tmp_path, monkeypatch):
    """Chats follow no relative address. A game that goes on gets another name, so chats forget the old picture."""
    world, proof, site = published
    address = "https://cup.example/2026"
    shown = publication.load_view(world.folder, proof, address=address, pictures=True)
    drawn, made = pictures.list_pictures(shown), publication.build_files(shown)
    for board in world.book().boards.values():
        page = made[f"board-{board.name}.html"].decode()
        named = {name for name in links_of(JustHTML(page)) if name.endswith((".png", ".gif"))}
        assert named == {name for name in drawn if f"-{board.name}-" in name}
        heads = re.findall(r'property="og:image" content="([^"]+)"', page)
        assert heads == [f"{address}/{name}" for name in named if name.endswith(".png")]
        assert b"og:image" not in site[f"board-{board.name}.html"]
    monkeypatch.setattr(pictures.pixels, "draw_film", lambda _stage, _kind: b"drawn")  # tests/film draws
    first = {name: game for name, game in drawn.items() if name.startswith("turn-1-1") and name.endswith(".png")}
    assert pictures.draw_missing(tmp_path, first, lambda names, _number: names) == [*first] != []


def test_a_page_that_is_missing_changed_or_too_many_is_named(over, tmp_path):
    _world, site = over
    publication.write_site(tmp_path, site)
    publication.check_site(tmp_path, site)
    page = tmp_path / "index.html"
    text = page.read_text()
    for put, said in ((page.unlink, "missing"), (lambda: page.write_text(text + " "), "differs")):
        put()
        with pytest.raises(TrustError, match=said):
            publication.check_site(tmp_path, site)
    page.write_text(text)
    (tmp_path / "round-9.html").write_text("a round that nobody paired")
    with pytest.raises(TrustError, match="no page of the tournament"):
        publication.check_site(tmp_path, site)


def test_a_folder_with_something_else_is_left_alone(over, tmp_path):
    _world, site = over
    (tmp_path / "letter.txt").write_text("mine")
    with pytest.raises(UsageError, match="contains files that this command did not write"):
        publication.write_site(tmp_path, site)
    assert [path.name for path in tmp_path.iterdir()] == ["letter.txt"]
    (tmp_path / publication.MARKED).write_text("This folder is written by 'kursk rating --site'.\n")
    with pytest.raises(UsageError, match="contains files that this command did not write"):
        publication.write_site(tmp_path, site)


def test_what_does_not_hold_is_not_published(over, tmp_path):
    world, _site = over
    place = tmp_path / "copy"
    shutil.copytree(world.folder, place)
    (place / "log" / "0003.yaml").unlink()
    told = "not published"
    world.director.kursk("tournament", "publish", "--no-pictures", place, "-o", tmp_path / "site", status=3, told=told)
    assert not (tmp_path / "site").exists()


@pytest.fixture(scope="module")
def begun(_four):
    """Return the folder and the proof of a tournament in its first round."""
    return _four.folder, verify.verify_tournament(_four.folder)


class TestSecrets:
    """Games that paper 0 hides for now."""

    def shown(self, begun, **publish):
        folder, proof = begun
        book = copy.copy(proof.book)
        book.rules = replace(book.rules, publish=publish or book.rules.publish)
        return publication.build_files(publication.load_view(folder, replace(proof, book=book)))

    def test_a_round_that_goes_on_shows_none_of_its_games(self, begun, tmp_path):
        site = self.shown(begun)
        assert not [name for name in site if name.startswith("replay")]
        assert "public once round 1 is over" in site["board-1-1.html"].decode()
        (tmp_path / "archive.zip").write_bytes(site[layout.ARCHIVE])
        with zipfile.ZipFile(tmp_path / "archive.zip") as archive:
            assert not [name for name in archive.namelist() if name.startswith("games")]
            archive.extractall(tmp_path / "copy")
        other = verify.verify_tournament(tmp_path / "copy")
        assert other.status == 1
        assert len(other.missing) == 2
        assert begun[1].book.boards["1-1"].game[:16] in other.missing[0]
        assert b"is to move since" in site["board-1-2.html"]
        assert publication.build_files(publication.load_view(tmp_path / "copy", other)) == site

    def test_at_once_shows_them_all(self, begun):
        assert {"replay-1-1.html", "replay-1-2.html"} <= set(self.shown(begun, games="at-once"))

    def test_after_a_turn_shows_what_has_passed_it(self, begun):
        site = self.shown(begun, games="after-turn", turn="9")
        assert "replay-1-1.html" in site  # the game has ended
        assert "replay-1-2.html" not in site

    def test_addresses_and_terms_of_one_person_stand_nowhere(self, begun):
        site = self.shown(begun)
        texts = [path.read_text() for path in (begun[0] / "games").glob("*/receipt-*.yaml")]
        due = max(re.search(r"due: '?([0-9T:Z-]+)", text)[1] for text in texts)  # no answer is due after a last message
        for name in (layout.CALENDAR, layout.FEED, "index.html", "board-1-2.html"):
            assert due.encode() not in site[name]
            assert due[:16].replace("T", " ").encode() not in site[name]


class TestHostile:
    """P12: text from players is shown as text."""

    def test_names_and_titles_are_text(self, tmp_path):
        ledger = Ledger(form={"title": EVIL})
        ledger.receive(*(ledger.entry(name) for name in ("a", "b", "c")))
        evil = ledger.entry("d")
        ledger.receive(evil)
        ledger.draw_field()
        ledger.pair()
        ledger.book.entrants[evil.id].name = EVIL
        proof = verify.Proof(0, "", book=ledger.book)
        site = publication.build_files(publication.load_view(ledger.save(tmp_path), proof))
        for name, page in read_pages(site).items():
            assert page.query("b") == [], name
            assert EVIL in page.to_text()
        assert feedparser.parse(site[layout.FEED]).feed.title == EVIL


def test_the_feed_begins_with_the_newest_paper(over):
    world, site = over
    told = feedparser.parse(site[layout.FEED])
    assert len({entry.id for entry in told.entries}) == len(told.entries)
    uuid = r"urn:uuid:[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}"
    assert all(re.fullmatch(uuid, entry.id) for entry in told.entries)
    assert told.feed.updated == world.book().head.text("time")
    times = [entry.updated for entry in told.entries]
    assert times == sorted(times, reverse=True)
    assert told.entries[0].title.startswith("The tournament has ended")


def test_the_calendar_names_terms_and_counts_what_moved_them():
    ledger = Ledger(rounds_=2).begin(["a", "b", "c", "d"])
    before = list(feed.list_deadlines(ledger.book))
    assert [each.about for each in before] == ["begin", "due"]
    ledger.sign("clock", {"who": "all", "days": "3", "why": "flood"})
    after = list(feed.list_deadlines(ledger.book))
    assert [(each.paper, each.about) for each in after] == [(each.paper, each.about) for each in before]
    assert [each.changed for each in after] == [1, 1]
    assert all(late.time > early.time for late, early in zip(after, before, strict=True))
    read = icalendar.Calendar.from_ical(feed.build_calendar(view.View(ledger.book, Path())))
    events = read.walk("VEVENT")
    assert [str(each["SUMMARY"]).partition(": ")[2] for each in events] == [
        "Games of round 1 must have begun",
        "End of round 1",
    ]
    assert {int(each["SEQUENCE"]) for each in events} == {1}
    assert all(str(each["UID"]).startswith("urn:uuid:") for each in events)


@pytest.mark.parametrize("format_", ["round-robin", "pods", "knock-out", "swiss"])
def test_every_format_has_its_pages(format_, tmp_path):
    form = {"pods": {"size": "3", "places": "2", "final": "pod"}} if format_ == "pods" else {}
    ledger = Ledger(format_, form=form)
    ledger.begin([f"player-{number:02d}" for number in range(1, 8)])
    ledger.play(lambda board: (next(iter(board.sides)), 2))
    proof = verify.Proof(0, "", book=ledger.book)
    site = publication.build_files(publication.load_view(ledger.save(tmp_path), proof))
    read_pages(site)
    assert ("Everybody against everybody" in site["cross.html"].decode()) == (format_ == "round-robin")
    assert len([name for name in site if name.startswith("board-")]) == len(ledger.book.boards)


def test_every_kind_of_log_paper_has_words():
    assert set(words._SAYING) == set(words.fields.LOG)
