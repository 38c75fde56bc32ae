"""The first page: a battle to watch and to play for strangers, a shelf of scenarios, and folders for new games."""

from __future__ import annotations

import io
import re
import shutil

from helpers import intake

from board.seats import Client, Seat, Stranger, begun, pair
from kursk_pbem.desk.seat import scene
from kursk_pbem.desk.seat.room import Room
from kursk_pbem.desk.turn import play
from kursk_pbem.game import scenarios

CITADEL = "battle-for-kursk/citadel"


class Guest(Seat):
    """A player whose board begins games in the private folder."""

    @property
    def room(self):
        return Room(self.home, self.place, self.key)


def test_an_empty_home_shows_a_battle_before_it_asks_for_a_name(tmp_path):
    client = Client(Stranger("", tmp_path)).enter()
    page = client.get("/").text
    order = [page.index(words) for words in ("battle.svg", "Watch a battle (1 minute)", "Play both sides", "Your name")]
    assert order == sorted(order)
    picture = client.get("/static/battle.svg").text
    assert picture.startswith("<svg")
    assert 'class="burst"' in picture
    assert "http" not in picture.replace("http://www.w3.org/2000/svg", "")


def test_the_shelf_tells_system_length_and_size_of_every_scenario(tmp_path):
    page = Client(Stranger("", tmp_path)).enter().get("/").text
    for ruleset, found in scenarios.list_scenarios():
        (told,) = re.findall(f"<h3>{re.escape(ruleset.title)}</h3>\n<p>([^<]+)</p>", page)
        assert told.count(".") == 2
        assert all(f'propose={each.id}#first"' in page for each in found)
    cards = page.split("<article")[1:]
    assert all(
        re.search(
            r'"quiet">\d+ turns, \d+ (counters|models)</p>\s*(<details class="quiet"><summary>(Even |Nearly |B)|<div)',
            card,
        )
        for card in cards
    )
    assert [f'value="{CITADEL}"' in card for card in cards if "Start here" in card] == [True]


def test_L9_games_begun_at_a_board_are_in_the_private_folder_of_their_player(tmp_path):
    """Bug: a second home, started from the same folder, listed the games of the first."""
    stranger = Stranger("", tmp_path / "here")
    stranger.place.mkdir()
    assert Client(stranger).enter().post("/play", {"scenario": CITADEL}).status_code == 200
    assert stranger.folder.is_dir()
    one, other = pair(tmp_path / "two", CITADEL).values()
    client = Client(Guest(one.side, one.place)).enter()
    page = client.get(f"/?propose={CITADEL}").text
    told = dict(re.findall(r'name="(shown/[^"]+)" value="([0-9a-f]{64})"', page))
    public = io.BytesIO((other.place / "me.pub").read_bytes())
    form = {**told, "scenario": CITADEL, "key": client.key, "opponent": (public, "me.pub")}
    assert client.post("/propose", form).status_code == 200
    assert len([*(one.home / "board").glob("game-*")]) == 1
    for place in (stranger.place, one.place):
        assert not [*place.glob("game-*")]
        assert Room(tmp_path / "second", place).known() == ()


def test_both_sides_of_an_unknown_scenario_are_refused(tmp_path):
    client = Client(Stranger("", tmp_path)).enter()
    assert client.post("/play", {"scenario": "../../etc/passwd"}).status_code == 400
    assert client.post("/play", {"scenario": "battle-for-kursk/chess"}).status_code == 400


def test_a_home_moved_as_a_whole_behind_a_link_plays_on(tmp_path):
    """Records name key and folder relative to the private folder. Bug: they were read relative to a link to it."""
    waiting, mine = begun(tmp_path / "old", CITADEL).values()
    game, new = mine.game, tmp_path / "new" / "far" / "away"
    shutil.copytree(mine.place, new)
    shutil.rmtree(mine.place)
    (tmp_path / "link").symlink_to(new / "private")
    room = Room(tmp_path / "link", tmp_path / "link")
    signed = play.sign_message(room.desk(game), scene.open_scene(room, game).checked, None)
    assert signed.newest.resolve() == new / mine.folder.name / "0001.yaml"
    intake.receive(signed.newest.read_bytes(), "message 1", waiting.home, None)
    assert waiting.sit().mine
