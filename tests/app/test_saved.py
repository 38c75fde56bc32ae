"""Saved folders between program and page, and bad files in the page: nothing is lost."""

import pytest
from board.moves import CITADEL, play
from board.seats import begun

from app.pages import Page
from kursk_pbem.audit import verify
from kursk_pbem.cli import run
from kursk_pbem.desk.own.desks import SECOND

pytestmark = pytest.mark.app


def test_a_saved_folder_goes_from_the_program_to_the_page_and_back(context, origin, tmp_path, at):
    context.set_default_timeout(60_000)
    seats = begun(tmp_path / "program", CITADEL)
    german, russian = seats["german"], seats["russian"]
    play(at, russian, german)
    play(at, german, russian)
    at(russian)
    assert run(["save", str(tmp_path / "move.zip")]) == 0
    page = Page(context, origin).open()
    board = page.board
    (tmp_path / "cut.zip").write_bytes((tmp_path / "move.zip").read_bytes()[:5000])
    for name, said in (("cut", "no zip, or it is damaged"), ("move", "No key is here to compare")):
        page.home()
        board.get_by_role("link", name="Save and move").click()
        board.get_by_label("The file").set_input_files(tmp_path / f"{name}.zip")
        board.get_by_role("button", name="Open the saved file").click()
        board.get_by_text(said).wait_for()
    board.get_by_role("button", name="Open it").click()
    board.get_by_text("The file is open; games here: 1").wait_for()
    board.get_by_role("region", name="Games").get_by_role("link").first.click()
    page.sign()
    board.get_by_role("dialog", name="Signed").get_by_role("button", name="OK").click()
    page.home()
    board.get_by_role("link", name="Save and move").click()
    with page.window.expect_download() as saved:
        board.get_by_role("link", name="Save everything").click()
    saved.value.save_as(tmp_path / "back.zip")
    at(russian)
    assert run(["open", "--yes", str(tmp_path / "back.zip")]) == 0
    (folder,) = (russian.home / "board").glob("game-*")
    at(german)
    assert run(["inbox", "-q", str(folder / "0003.yaml")]) == 0
    play(at, german, russian)
    at(russian)
    assert run(["sign", "--yes", "-q", str(folder)]) == 0
    assert verify.verify_game(folder).messages == 6


def test_a_game_begun_in_the_page_goes_on_in_the_program(context, origin, tmp_path, monkeypatch):
    context.set_default_timeout(60_000)
    page = Page(context, origin).open()
    page.begin()
    page.sign()
    page.board.get_by_text("is at this board").wait_for()
    page.home()
    page.board.get_by_role("link", name="Save and move").click()
    with page.window.expect_download() as saved:
        page.board.get_by_role("link", name="Save everything").click()
    saved.value.save_as(tmp_path / "move.zip")
    monkeypatch.setenv("KURSK_HOME", str(tmp_path / "home"))
    assert run(["open", "--yes", str(tmp_path / "move.zip")]) == 0
    folders = [message.parent for message in (tmp_path / "home").rglob("game-*/0001.yaml")]
    assert [verify.verify_game(folder).messages for folder in folders] == [2, 2]
    (folder,) = (each for each in folders if SECOND not in each.parts)
    assert run(["sign", "--yes", "-q", str(folder)]) == 0
    assert verify.verify_game(folder).messages == 3


def test_a_cut_off_link_is_refused_with_what_to_do(context, origin):
    context.set_default_timeout(60_000)
    page = Page(context, origin).open("#k1.c3RvcHBlZA")
    page.board.get_by_text("the link is cut off: copy the whole link").wait_for()
    assert "#" not in page.window.url
