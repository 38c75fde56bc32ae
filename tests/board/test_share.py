"""Share on the board and on the static page: the newest turn as ``kursk picture`` draws the turn, as PNG."""

import io

from film.noted import begin_pair
from PIL import Image

from board.screens import enters, opened
from board.seats import Client, Seat
from kursk_pbem.film.stage import draw_turn
from kursk_pbem.game import histories
from kursk_pbem.game import replay as replays
from kursk_pbem.report import replay as pages


def test_T57_share_has_no_hidden_plan_note_draft_or_unmailed_message(tmp_path):
    """The same game without these gives equal bytes at both seats."""
    noted, bare = begin_pair(tmp_path)

    def fetch(player):
        client = Client(Seat(player.side, player.place)).enter()
        return client.get(client.at("turn.svg")).get_data(as_text=True)

    plain = draw_turn(histories.load(bare.russian.folder))
    assert fetch(bare.russian) == fetch(noted.russian) == plain
    noted.russian.fill({"note": "a draft"})
    assert fetch(noted.russian) == plain
    noted.russian.sign()
    assert fetch(noted.russian) == plain
    assert fetch(noted.german) == draw_turn(histories.load(bare.german.folder, end=1))  # 'kursk post' has sent nothing


def read_png(download):
    """Return the size of a downloaded picture."""
    with Image.open(io.BytesIO(download.path().read_bytes())) as picture:
        assert picture.format == "PNG"
        return picture.size


def test_share_saves_the_turn_as_png_on_the_board_and_on_the_static_page(browser, tmp_path):
    table = begin_pair(tmp_path)[0]
    with opened(browser, Seat("russian", table.russian.place)) as screen:
        enters(screen)
        screen.page.get_by_role("tab", name="More").click()
        with screen.page.expect_download() as saved:
            screen.page.get_by_role("button", name="Share the newest turn").click()
        size = read_png(saved.value)
    assert size[0] == 1_600
    history = histories.load(table.russian.folder)
    path = tmp_path / "game.html"
    path.write_text(pages.render_page(replays.make_replay(history), turn=draw_turn(history)), encoding="utf-8")
    page = browser.new_context().new_page()
    page.goto(path.as_uri())
    with page.expect_download() as saved:
        page.get_by_role("button", name="Share").click()
    assert read_png(saved.value) == size
