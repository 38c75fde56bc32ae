"""The replay of a finished game of each system in a browser, by keyboard and mouse."""

import email
import email.policy
import functools
from dataclasses import replace
from email.message import EmailMessage
from pathlib import Path

import pytest

from board.screens import violations
from kursk_pbem.desk.seat.room import Room
from kursk_pbem.desk.trial import studies
from kursk_pbem.game import histories
from kursk_pbem.game import replay as replays
from kursk_pbem.practice import analysis, opponent, partner
from kursk_pbem.report import replay as pages

GAMES = Path(__file__).parents[1] / "games"
ENDED = ("armor-commander/village-draw", "battle-for-kursk/draw", "juggernauts/draw", "kursk-1971/draw")
TABS = ("Events", "Report", "Standing", "Chart", "Luck", "Proof")


VIEW = "document.querySelector('#map svg').getAttribute('viewBox').split(' ').map(Number)"
SEEN = """([x, y]) => {
  const at = new DOMPoint(x, y).matrixTransform(document.querySelector('#map svg').getScreenCTM());
  const map = document.getElementById('map').getBoundingClientRect();
  return at.x > map.left && at.x < map.right && at.y > map.top && at.y < map.bottom;
}"""
OVERLAPS = """() => {
  const boxes = (of) => [...document.querySelectorAll(of)].filter((shown) => shown.checkVisibility())
    .map((shown) => [shown, shown.getBoundingClientRect()]);
  const meet = (one, other) => Math.min(one.right, other.right) - Math.max(one.left, other.left) > 2
    && Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top) > 2;
  const counters = boxes("#pieces use");
  return boxes("text.name").flatMap(([name, at]) =>
    counters.some(([, counter]) => meet(at, counter)) ? [name.textContent] : []);
}"""
LETTERS = (
    "[...document.querySelectorAll('text.name')].filter((n) => n.checkVisibility())"
    ".map((n) => n.getBoundingClientRect().height)"
)


@pytest.fixture(params=ENDED)
def replay(request, browser, tmp_path):
    yield from opened(browser, tmp_path, request.param)


@pytest.fixture
def fights(browser, tmp_path):
    """Return a replay with battles in the first turn, without motion."""
    yield from opened(browser, tmp_path, "battle-for-kursk/draw", reduced_motion="reduce")


@functools.cache
def draw(game):
    return pages.render_page(replays.make_replay(histories.load(GAMES / game)))


def opened(browser, tmp_path, game, *, first="", **window):
    """Open a replay page from a disk; check for errors and requests at the end."""
    path = tmp_path / "game.html"
    path.write_text(draw(game), encoding="utf-8")
    page = browser.new_context(**{"viewport": {"width": 1280, "height": 800}, **window}).new_page()
    wrong = []
    page.on("console", lambda said: wrong.append(said.text))
    page.on("pageerror", lambda error: wrong.append(str(error)))
    page.on("request", lambda asked: wrong.append(asked.url) if not asked.url.startswith("file:") else None)
    if first:
        page.add_init_script(first)
    page.goto(path.as_uri())
    yield page
    page.context.close()
    assert not wrong


def frame(page):
    return int(page.get_by_role("slider", name="Frame").input_value())


def data_of(page):
    return page.evaluate("JSON.parse(document.getElementById('data').textContent)")


def battle(page):
    """Step to the first battle and return the frame."""
    frames = data_of(page)["frames"]
    number = next(at for at, each in enumerate(frames) if each["kind"] == "battle")
    page.get_by_role("slider", name="Frame").fill(str(number))
    return frames[number]


def whole_map(page):
    """Go to the first position, show the whole map, and return the view."""
    page.keyboard.press("Home")
    page.keyboard.press("0")
    return page.evaluate(VIEW)


@pytest.mark.some(4)
def test_a_replay_is_stepped_and_read(replay):
    heading = replay.get_by_role("heading", level=2)
    fights = replay.locator("#list .event.battle, #list .event.shot")
    assert ", Battle" in heading.inner_text() or " fires at " in heading.inner_text() or not fights.count()
    replay.keyboard.press("Home")
    assert heading.inner_text().endswith("the first position")
    last = int(replay.get_by_role("slider", name="Frame").get_attribute("max"))
    data = replay.evaluate("JSON.parse(document.getElementById('data').textContent)")
    assert len(data["frames"]) == last + 1
    assert all(each["title"] for each in data["frames"])
    for number, each in enumerate(data["frames"][1:20], 1):
        replay.keyboard.press("ArrowRight")
        assert frame(replay) == number
        assert heading.inner_text().startswith(f"Turn {each['turn']}, {each['card']['title']}")
        replay.get_by_role("heading", name=f"Turn {each['turn']}, {each['title']}", exact=True).wait_for()
    replay.keyboard.press("Home")
    assert frame(replay) == 0
    replay.keyboard.press("PageDown")
    assert frame(replay) > 0
    replay.get_by_role("button", name="To the last frame").click()
    assert frame(replay) == last
    assert "verified" in replay.locator("#check").inner_text()
    replay.get_by_role("combobox", name="Find").fill(min(data["names"]))
    replay.keyboard.press("Enter")
    for scheme in ("light", "dark"):
        replay.emulate_media(color_scheme=scheme)
        for name in TABS:
            replay.get_by_role("tab", name=name).click()
            assert violations(replay, "aside") == [], (scheme, name)
    assert violations(replay, "body") == []


def test_the_view_goes_where_a_battle_is_and_can_be_told_not_to(fights):
    """Without motion the view jumps, at a readable size; without Follow the view stays."""
    whole = whole_map(fights)
    fights.get_by_role("checkbox", name="Follow").uncheck()
    found = battle(fights)
    assert fights.evaluate(VIEW) == whole
    fights.keyboard.press("f")
    assert fights.get_by_role("checkbox", name="Follow").is_checked()
    at = found["bursts"][0][:2]
    assert fights.evaluate(SEEN, at)
    counter = fights.locator("#pieces use").first.bounding_box()
    assert counter["width"] > 24
    fights.get_by_role("slider", name="Frame").fill("0")
    fights.get_by_role("slider", name="Frame").fill(str(data_of(fights)["frames"].index(found)))
    assert fights.evaluate(SEEN, at)


def test_the_view_glides_for_whom_motion_is_welcome(browser, tmp_path):
    for page in opened(browser, tmp_path, "battle-for-kursk/draw", reduced_motion="no-preference"):
        whole = whole_map(page)
        found = battle(page)
        page.wait_for_function(f"(was) => {VIEW}[2] < was", arg=whole[2])
        page.wait_for_function(f"({SEEN})({found['bursts'][0][:2]})")


def test_a_battle_is_told_in_sentences_with_its_dice_on_the_hex(fights):
    found = battle(fights)
    scene = fights.get_by_role("region", name="What happens")
    assert scene.locator("#told").inner_text() == found["told"]
    assert found["told"].endswith(".")
    assert "attacked" in found["told"]
    assert [die.get_attribute("aria-label") for die in scene.locator(".die").all()] == list(found["card"]["dice"][0])
    assert fights.locator("#new .cast text").all_text_contents() == list(found["card"]["dice"][0])
    assert fights.locator("#new .tag > text").text_content() == found["card"]["result"]


def test_the_list_of_events_goes_with_the_play_and_a_click_on_it_goes_there(fights):
    frames = data_of(fights)["frames"]
    found = battle(fights)
    assert fights.get_by_role("tab", name="Chart").get_attribute("aria-selected") == "true"
    fights.get_by_role("tab", name="Events").click()
    now = fights.locator(".event[aria-current]")
    assert now.inner_text().startswith(found["title"])
    fights.get_by_role("slider", name="Frame").fill(str(len(frames) - 1))
    for width, last in ((1280, len(frames) - 1), (390, len(frames) - 2)):
        fights.get_by_role("slider", name="Frame").fill(str(last))
        panel, item = fights.locator("#events").bounding_box(), now.bounding_box()
        assert panel["y"] <= item["y"] < panel["y"] + panel["height"] <= 844, width
        told = fights.locator("#told").bounding_box()
        assert told["y"] + 20 < panel["y"]
    fights.get_by_role("button", name=found["title"]).first.click()
    assert frame(fights) == frames.index(found)


def test_a_hex_lists_what_happened_on_it_and_a_line_leads_to_its_hex(fights):
    found = battle(fights)
    x, y = found["bursts"][0][:2]
    hexes = {tuple(at): name for name, at in data_of(fights)["at"].items()}
    name = hexes[x, y]
    at = fights.evaluate(
        "([x, y]) => { const p = new DOMPoint(x, y).matrixTransform("
        "document.querySelector('#map svg').getScreenCTM()); return [p.x, p.y]; }",
        [x, y],
    )
    fights.mouse.click(*at)
    assert fights.get_by_role("status").inner_text().startswith(f"On {name}:")
    shown = fights.locator(".event:visible")
    assert 0 < shown.count() < len(data_of(fights)["frames"]) / 2
    assert found["title"] in "".join(shown.all_inner_texts())
    fights.get_by_role("button", name="All events").click()
    assert fights.locator(".event:visible").count() == len(data_of(fights)["frames"])
    fights.get_by_role("tab", name="Report").click()
    fights.locator("#report").get_by_role("button", name=name, exact=True).first.click()
    assert fights.locator("#found circle").get_attribute("cx") == str(x)


@pytest.mark.some(3)
@pytest.mark.parametrize("width", [390, 1280, 1920])
def test_city_names_can_be_read_and_no_counter_lies_on_them(browser, tmp_path, width):
    """On the whole map, from afar, and after view jumps."""
    window = {"viewport": {"width": width, "height": 900}, "reduced_motion": "reduce"}
    for page in opened(browser, tmp_path, "battle-for-kursk/draw", **window):
        page.locator("#map").focus()
        page.keyboard.press("0")
        for least in (8, 2):  # a near view holds few cities
            found = page.locator("text.name:visible").count()
            assert found >= least
            assert min(page.evaluate(LETTERS)) >= 11
            hidden = page.evaluate(OVERLAPS)
            assert len(hidden) <= (3 if width == 390 else 0), hidden  # on a phone major cities keep names
            battle(page)


def test_city_names_are_drawn_to_scale_before_the_size_of_the_map_is_observed(browser, tmp_path):
    """The browser reports the size some time after loading."""
    silent = "window.ResizeObserver = class { observe() {} };"
    for page in opened(browser, tmp_path, "battle-for-kursk/draw", first=silent):
        assert min(page.evaluate(LETTERS)) >= 11


def test_a_shot_is_an_event_with_its_line_of_fire(browser, tmp_path):
    for page in opened(browser, tmp_path, "armor-commander/assault-destroyed", reduced_motion="reduce"):
        frames = data_of(page)["frames"]
        number, shot = next((at, each) for at, each in enumerate(frames) if each["kind"] == "shot")
        page.get_by_role("slider", name="Frame").fill(str(number))
        assert page.locator("#new .arrow.attack").count() == 1
        assert page.locator("#new .tag > text").text_content() in ("hit", "miss", "saved", "destroyed")
        assert shot["told"] == page.locator("#told").inner_text()
        for each in frames:
            assert each["kind"] != "shot" or len(each["arrows"]) == len(each["bursts"]) == 1, each["title"]


@pytest.mark.long("test-board-all")
def test_where_it_was_lost_is_a_page_with_a_curve_if_the_game_was_analyzed(browser, tmp_path):
    """The row of the shown message is marked; without an analysis there is no tab."""
    whole = histories.load(GAMES / "battle-for-kursk/russian-strategic")
    lost = analysis.make_page(whole, list(analysis.analyze_game(whole, tmp_path, tmp_path)))
    for given in (lost, {}):
        path = tmp_path / "game.html"
        path.write_text(pages.render_page(replace(replays.make_replay(whole), lost=given)), encoding="utf-8")
        page = browser.new_page()
        page.goto(path.as_uri())
        tab = page.get_by_role("tab", name="Where was it lost")
        if given:
            tab.click()
            assert page.locator("#lost .chart polyline").count() == 2
            assert page.locator("#lost tr.now td").first.inner_text() == str(data_of(page)["frames"][frame(page)]["m"])
            assert violations(page, "aside") == []
        else:
            assert not tab.count()
        page.close()


@pytest.fixture
def study(browser, tmp_path):
    """Return the page of a study with three branches that came as an attachment of a mail."""
    folder = GAMES / "battle-for-kursk/german-strategic"
    study = studies.begin(histories.load(folder))
    for seq, name in ((7, "early"), (9, "late"), (7, "<img src=x onerror=alert(1)>")):
        home = tmp_path / f"home-{len(study.branches)}"
        game = partner.start_what_if(home, partner.find_start(folder, home, seq), "", 1)
        room = Room(home, home)
        room.partner = partner.Partner(home, room.changing).bring
        for _message in range(3):
            opponent.write_due(room.desk(game), 1)
        study = studies.add_branch(studies.verify(study, "it"), room.desk(game).history, name)
    for at, text in (("5", "Here it begins."), ("b3/8", "<b>bold</b> and on")):
        study = studies.add_comment(study, at, text, "Anna")
    mail = EmailMessage()
    mail.set_content("A study.")
    mail.add_attachment(study.to_bytes(), maintype="application", subtype="octet-stream", filename="it.study")
    (attached,) = email.message_from_bytes(mail.as_bytes(), policy=email.policy.default).iter_attachments()
    (tmp_path / "it.study").write_bytes(attached.get_content())
    page, branches = studies.make_pages(studies.verify(studies.read(tmp_path / "it.study"), "it"))
    (tmp_path / "it.html").write_text(pages.render_page(page, branches=branches), encoding="utf-8")
    shown = browser.new_context(viewport={"width": 1280, "height": 800}).new_page()
    wrong = []
    shown.on("console", lambda said: wrong.append(said.text))
    shown.on("pageerror", lambda error: wrong.append(str(error)))
    shown.goto((tmp_path / "it.html").as_uri())
    yield shown
    shown.context.close()
    assert not wrong


@pytest.mark.long("test-board-all")
def test_a_study_shows_branches_in_a_list_and_comments_beside_the_map(study):
    """Names and comments are a stranger's texts."""
    listed = study.get_by_role("navigation", name="Branches, played by hand").get_by_role("link")
    assert listed.all_inner_texts() == ["The game", "b1: early", "b2: late", "b3: <img src=x onerror=alert(1)>"]
    comments = study.locator("#comments")
    while study.locator("#when").inner_text() != "Message 5, from the Russian side":
        study.keyboard.press("PageDown")
    comments.get_by_text("Here it begins.").wait_for()
    with study.expect_navigation():
        listed.nth(3).click()
    study.locator("#check").get_by_text("Played by hand", exact=True).wait_for()
    assert study.get_by_text("messages verified").count() == 0
    study.keyboard.press("Home")
    study.get_by_text("Message 7", exact=False).first.wait_for()
    study.keyboard.press("PageDown")
    comments.get_by_text("<b>bold</b> and on").wait_for()
    assert comments.locator("b").count() == 0
    assert not violations(study)
    with study.expect_navigation():
        listed.first.click()
    study.get_by_text("messages verified", exact=False).first.wait_for()
