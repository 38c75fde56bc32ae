"""A message plays on the map at arrival, and again on request."""

from __future__ import annotations

import re

import pytest
from helpers.demo_game import play_demo
from rulesets.battle_for_kursk import first_turn

from board import seats
from board.screens import enters, opened, violations
from board.seats import Client, Seat, begun
from kursk_pbem.desk.seat import playback, scene
from kursk_pbem.game import folders

HIDDEN = """() => {
  const boxes = (of) => [...document.querySelectorAll(of)].filter((shown) => shown.checkVisibility())
    .map((shown) => [shown.textContent, shown.getBoundingClientRect()]);
  const meet = (one, other) => Math.min(one.right, other.right) - Math.max(one.left, other.left) > 2
    && Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top) > 2;
  const cards = boxes("#layer-counters .card");
  const names = boxes("#map text.name");
  return { names: names.length, least: Math.min(...names.map(([, at]) => at.height)),
    hidden: names.filter(([, at]) => cards.some(([, card]) => meet(at, card))).map(([name]) => name) };
}"""
PLACED = "(each) => each.getAttribute('transform')"


@pytest.fixture
def fought(tmp_path):
    """Return a game with German dice in message 4: the defender retreats, the attacker advances."""
    return Seat("russian", seats.fought(tmp_path).russian.place)


def looks_at(screen):
    enters(screen)
    screen.page.get_by_role("tab", name="Report").click()
    screen.button(re.compile("^Watch message"))
    screen.settled()


def test_frames_lead_from_the_position_before_to_the_one_after(fought):
    """The frames move every counter to the place of the game."""
    desk = fought.sit()
    found = playback.make_playback(desk, 4)
    spots = {each["unit"]: tuple(each["at"]) for each in found["counters"]}
    for frame in found["frames"]:
        for unit, way in frame["moves"].items():
            assert spots[unit] == tuple(way[0])
            spots[unit] = tuple(way[-1])
        spots |= {unit: tuple(at) for unit, at in frame["came"].items()}
        for unit in frame["gone"]:
            del spots[unit]
    ground = scene.open_scene(fought.room, fought.game).ground
    game = desk.game
    pieces = game.ruleset.seen.picture(game.setting, game.state).pieces
    assert spots == {piece.id: ground.point(piece.at) for piece in pieces}
    (die,) = desk.history.steps[4].result.dice.values()
    assert any(frame["card"]["dice"] == [die] for frame in found["frames"])
    assert {unit for frame in found["frames"] for unit in frame["moves"]} >= {"r-70", "g-46-pz"}


def test_attacks_that_were_only_just_declared_are_drawn_on_what_is_watched(tmp_path):
    """The newest message declares the attacks, before any battle."""
    seat = Seat("russian", seats.fought(tmp_path, 2).russian.place)
    *_rest, last = playback.make_playback(seat.sit(), 2)["frames"]
    many = len({*first_turn.BATTLE["attackers"], *first_turn.BATTLE.get("offensive", {}).get("support", ())})
    assert last["drawn"].count("arrow attack") == many
    assert last["drawn"].count('class="burst"') == 1


def test_what_waits_is_told_and_who_is_disrupted_lies_above_the_others(browser, tmp_path):
    """Juggernauts: attacks and answers have sentences; a played message ends with the last frame."""
    play_demo(tmp_path / "demo", ruleset="juggernauts")
    seat = Seat("russian", tmp_path / "demo" / "russian")
    desk = seat.sit()
    assert "The German side prepared four attacks" in playback.make_playback(desk, 1)["frames"][-1]["told"]
    assert "The Russian side gave answers" in playback.make_playback(desk, 2)["frames"][-1]["told"]
    frames = playback.make_playback(desk, 3)["frames"]
    at, shaken = next(
        (number, units)
        for number, frame in enumerate(frames, 1)
        if (units := [unit for unit, look in frame["looks"].items() if "disrupted" in look])
    )
    assert re.search("(was|were) Disrupted", frames[at - 1]["told"])
    with opened(browser, seat, reduced_motion="no-preference") as screen:
        looks_at(screen)
        screen.button("Message before")
        screen.page.get_by_role("heading", name=re.compile("^Message 3 of 4, step 1 of")).wait_for()
        screen.page.get_by_label("Step of the message").fill(str(at))
        spot = f"#layer-watch [data-watched={shaken[0]}]"
        alike = "(one) => [...document.querySelectorAll('[data-watched]')].filter((other) => "
        same = "other.getAttribute('transform') === one.getAttribute('transform')).pop().dataset.watched"
        assert screen.page.locator(spot).evaluate(alike + same) in shaken
        screen.page.get_by_label("Speed").select_option("fast")
        screen.button("Message before")
        screen.page.get_by_role("heading", name=re.compile("^Message 2 of 4, step 1 of 1")).wait_for()
        screen.button("Back")
        screen.button("Play")
        screen.page.get_by_role("button", name="Done").wait_for()
        screen.page.locator("#map").click(position={"x": 30, "y": 30})
        screen.page.get_by_role("region", name="What happened").wait_for(state="hidden")


def test_dice_of_both_sides_in_one_frame_say_whose_they_are(browser, tmp_path):
    """3.1, bug: two dice without sides next to 'Initiative'."""
    play_demo(tmp_path / "demo", ruleset="armor-commander")
    seat = Seat("german", tmp_path / "demo" / "german")
    film = playback.make_playback(seat.sit(), 3)["frames"]
    at = next(number for number, frame in enumerate(film, 1) if frame["card"]["whose"])
    assert [frame["card"]["title"] for frame in film if frame["card"]["whose"]] == ["Initiative"]
    with opened(browser, seat) as screen:
        looks_at(screen)
        while not screen.page.get_by_role("heading", name=re.compile("^Message 3 of")).count():
            screen.button("Message before")
            screen.settled()
        screen.page.get_by_label("Step of the message").fill(str(at))
        dice = screen.page.get_by_role("group", name="Dice")
        assert re.fullmatch(r"German\s*Soviet", dice.inner_text())
        assert dice.get_by_role("img", name=re.compile("^[1-6]$")).count() == 2


def test_what_was_never_sent_cannot_be_watched(fought):
    client = Client(fought).enter()
    assert client.get(client.at("watch/4")).status_code == 200
    for seq in (0, 5, 99):
        assert client.get(client.at(f"watch/{seq}")).status_code == 400


def test_counters_slide_and_dice_fall(browser, fought):
    """The whole message plays; afterwards the map is unchanged and the player's counters work."""
    with opened(browser, fought, reduced_motion="no-preference") as screen:
        looks_at(screen)
        page = screen.page
        page.get_by_label("Speed").select_option("fast")
        box = page.get_by_role("region", name="What happened")
        start = next(
            shown["at"] for shown in playback.make_playback(fought.sit(), 4)["counters"] if shown["unit"] == "r-70"
        )
        before = f"translate({start[0]},{start[1]})"  # may have left the page already
        box.get_by_text("South-west of Orel").wait_for()
        assert box.locator("#watch-told").inner_text() == playback.make_playback(fought.sit(), 4)["frames"][0]["told"]
        dice = box.get_by_role("group", name="Dice")
        dice.get_by_role("img", name="5", exact=True).wait_for()
        dice.get_by_text("EX", exact=True).wait_for()
        page.wait_for_function(
            "(was) => document.querySelector('[data-watched=r-70]')?.getAttribute('transform') !== was", arg=before
        )
        screen.button("Done", box)  # the end stays until a click
        box.wait_for(state="hidden")
        assert page.locator("#layer-watch").count() == 0
        screen.unit("r-70")
        page.get_by_role("heading", name="70th Army").wait_for()


@pytest.mark.long("test-board-all")
def test_without_motion_it_is_stepped_and_skipped(browser, fought):
    with opened(browser, fought) as screen:
        looks_at(screen)
        box = screen.page.get_by_role("region", name="What happened")
        box.get_by_text("1 of 1: Battle at 2011").wait_for()
        for width in (390, 1280):  # the words are next to the map or below, never over the map
            screen.page.set_viewport_size({"width": width, "height": 800})
            table, words = (shown.bounding_box() for shown in (screen.page.locator("#map"), box))
            beside, below = words["x"] - table["x"] - table["width"], words["y"] - table["y"] - table["height"]
            assert max(beside, below) >= 0
            assert words["x"] + words["width"] <= width
        assert violations(screen.page) == []
        screen.button("Message before")
        box.get_by_text("Message 3 of 4, step 1 of").wait_for()
        screen.button("Step")
        box.get_by_text("Message 3 of 4, step 2 of").wait_for()
        screen.press("Escape")
        box.wait_for(state="hidden")
        screen.unit("r-70")


def test_a_message_that_comes_is_played_at_once_if_anything_moves_or_a_die_falls(browser, fought, tmp_path):
    first, second = begun(tmp_path, "battle-for-kursk/citadel").values()
    Client(second).enter().signs()
    with opened(browser, first, news=True, reduced_motion="no-preference") as screen:
        enters(screen)
        screen.drop(folders.message_path(second.folder, 1))
        screen.page.wait_for_url("**came=1")
        screen.page.get_by_role("tab", name="Report").click()
        screen.page.get_by_role("button", name="Watch message 1 on the map").wait_for()
        screen.settled()
        assert not screen.page.get_by_role("region", name="What happened").is_visible(), "a sealed posture"
    with opened(browser, fought, news=True, reduced_motion="no-preference") as screen:
        screen.page.get_by_role("region", name="Games").get_by_role("link").first.click()
        box = screen.page.get_by_role("region", name="What happened")
        box.get_by_text(re.compile("1 of .*:")).wait_for()
        screen.page.locator("#map").click(position={"x": 30, "y": 30})
        box.wait_for(state="hidden")


def test_a_slider_goes_to_any_moment_and_the_whole_game_is_watched_message_by_message(browser, fought):
    """The slider shows past positions; then back, and from message to message."""
    film = playback.make_playback(fought.sit(), 4)
    ended = {unit: way[-1] for frame in film["frames"] for unit, way in frame["moves"].items()}
    with opened(browser, fought) as screen:
        looks_at(screen)
        page = screen.page
        slider = page.get_by_label("Step of the message")
        counter = page.locator("#layer-watch [data-watched=r-70]")
        slider.fill("0")
        first = counter.evaluate(PLACED)
        slider.fill(str(len(film["frames"])))
        assert counter.evaluate(PLACED) == f"translate({ended['r-70'][0]},{ended['r-70'][1]})"
        slider.fill("0")
        assert counter.evaluate(PLACED) == first
        screen.button("Message before")
        page.get_by_role("heading", name=re.compile("^Message 3 of 4, step 1 of")).wait_for()
        assert violations(page) == []
        screen.button("Skip")
        page.get_by_role("tab", name="More", exact=True).click()
        page.get_by_text("All messages", exact=True).click()
        screen.button("Watch the whole game on the map")
        page.get_by_role("heading", name=re.compile("^Message 1 of 4, step 1 of")).wait_for()
        while page.get_by_role("heading", name=re.compile("^Message 1 of 4")).count():
            screen.button("Step")
            screen.settled()
        page.get_by_role("heading", name=re.compile("^Message 2 of 4, step 1 of")).wait_for()


VIEW = "document.querySelector('#map > svg').getAttribute('viewBox').split(' ').map(Number)"


def test_the_view_follows_what_is_watched_and_can_be_told_not_to(browser, fought):
    """From afar a battle is too small: the view moves, or jumps without motion."""
    with opened(browser, fought, viewport={"width": 390, "height": 844}) as screen:
        looks_at(screen)
        page = screen.page
        follow = page.get_by_label("Follow")
        slider = page.get_by_label("Step of the message")
        assert follow.is_checked()
        slider.fill("0")
        follow.uncheck()
        page.locator("#map").focus()
        whole = page.locator("#map > svg").evaluate("(map) => map.viewBox.baseVal.width")
        screen.press("0")
        slider.fill("1")
        far = page.evaluate(VIEW)
        slider.fill("0")
        follow.check()
        slider.fill("1")
        near = page.evaluate(VIEW)
        assert near[2] < far[2]
        assert whole
        counter = page.locator("#layer-watch [data-watched=r-70]").bounding_box()
        at, box = page.locator("#map").bounding_box(), page.get_by_role("region", name="What happened").bounding_box()
        assert counter["width"] > 24
        assert at["y"] <= counter["y"] < at["y"] + at["height"]
        assert counter["y"] < box["y"]  # the words do not cover the counter


def test_names_of_cities_lie_where_no_counter_is(browser, fought):
    with opened(browser, fought, viewport={"width": 1280, "height": 800}) as screen:
        enters(screen)
        found = screen.page.evaluate(HIDDEN)
        assert found["names"] > 20
        assert found["hidden"] == []
        assert found["least"] >= 11
