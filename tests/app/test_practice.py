"""Practice in the page: the opponent is a second worker with its own storage."""

import pytest

from app.pages import Page

pytestmark = pytest.mark.app


def test_a_practice_opponent_answers_and_knows_its_game_after_a_reload(context, origin):
    page = Page(context, origin).open()
    page.board.locator("#hero .practise summary").click()
    page.board.get_by_role("button", name="Practise: Citadel").first.click()
    page.board.locator("body[data-asked='0']").wait_for(state="attached", timeout=120_000)
    for message in (3, 5):
        page.sign()
        page.board.get_by_text("Practice, level 1 answers").wait_for(state="attached")  # perhaps below new dice
        page.board.get_by_text(f"message {message}").first.wait_for(state="attached", timeout=120_000)
        page.open()
    names = page.window.evaluate("indexedDB.databases().then((all) => all.map((each) => each.name).sort())")
    assert names == ["kursk", "kursk-practice"]
    form = page.board.locator("form[action$='/what-if']")
    form.wait_for(state="attached")
    form.evaluate("(form) => { form.how.value = 'german 1'; form.requestSubmit(); }")
    page.board.get_by_text("A what-if game counts nowhere").wait_for(state="attached", timeout=120_000)
    assert page.wrong == []


ENDLESS = """() => {
  const post = Worker.prototype.postMessage;
  Worker.prototype.postMessage = function (data, ...more) {
    const thinks = data.ask && data.ask.path.includes("/opponent/") && !data.ask.query;
    if (!thinks) post.call(this, data, ...more);
  };
}"""
"""The opponent hears nothing, as if it thought for ever."""


def test_the_thinking_can_be_stopped_and_the_report_says_so(context, origin):
    """A worker that computes hears nothing: another worker answers, with the next lower level."""
    page = Page(context, origin).open()
    page.board.locator("#hero .practise summary").click()
    page.board.get_by_role("button", name="Practise: Citadel").first.click()
    page.board.locator("body[data-asked='0']").wait_for(state="attached", timeout=120_000)
    page.window.evaluate(ENDLESS)
    page.sign()
    page.window.get_by_role("button", name="Stop thinking").click(timeout=120_000)
    page.board.get_by_text("these are the orders of recruit").first.wait_for(state="attached", timeout=120_000)
    assert page.window.get_by_role("alert").filter(has_text="opponent thinks").is_visible() is False
    assert page.wrong == []
