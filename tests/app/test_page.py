"""The page: boot, storage, one tab, offline, errors, releases."""

import functools
import hashlib
import json
import shutil
import threading
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer

import pytest
from board.screens import IN_CLICK

from app.pages import Page, hosted, hosted_after
from kursk_pbem.board import hosting

pytestmark = pytest.mark.app

SHARES = "Navigator.prototype.share = async ({ files }) => (window.shared = files[0].name)"


def test_the_first_message_is_signed_and_there_after_a_reload(context, origin):
    page = Page(context, origin).open()
    page.board.get_by_text("Play an opponent: make your key").click()
    page.board.get_by_label("Your name").first.fill("Anna")
    page.board.get_by_role("button", name="Make my key").click()
    page.board.get_by_text("Your key is ready").wait_for()
    with page.window.expect_download() as saved:
        page.board.get_by_role("link", name="Save my public key, to send").click()
    assert saved.value.suggested_filename.endswith(".pub")
    page.begin()
    page.sign()
    page.board.get_by_text("is at this board").wait_for()
    page.open()
    assert "message 2" in page.bar()
    assert page.wrong == []


def test_the_loading_page_has_a_name_a_picture_and_progress(context, origin):
    """The page was one line of text in white, and a hash lay open over the first page of the board."""
    page = Page(context, origin)
    page.window.goto(origin, wait_until="commit")
    name = page.window.get_by_role("heading", name="Kursk, turn by turn", exact=True)
    name.wait_for()
    assert page.window.locator("#cover img").evaluate("(image) => image.decode().then(() => image.naturalWidth)") > 0
    page.wait("ready")
    shown = page.window.locator("#loaded").evaluate("(each) => each.value")
    assert 14 < shown < 22  # the part that is fetched after the first page may have begun
    assert not name.is_visible()
    trust = page.window.get_by_text("Can I trust this page?")
    trust.wait_for()
    release = page.window.locator("footer code").first
    assert not release.is_visible()
    trust.click()
    assert release.is_visible()


def test_a_phone_shares_a_file_at_once_after_a_click(chromium, origin):
    """Bug: an iPhone shares only at once, so the file that was fetched before was saved instead."""
    context = chromium.new_context(viewport={"width": 390, "height": 664}, is_mobile=True, has_touch=True)
    context.add_init_script(f"Navigator.prototype.canShare = () => true; {SHARES}; {IN_CLICK}")
    page = Page(context, origin).open()
    page.board.get_by_text("Play an opponent: make your key").tap()
    page.board.get_by_label("Your name").first.fill("Anna")
    page.board.get_by_role("button", name="Make my key").tap()
    page.board.get_by_role("link", name="Save my public key, to send").tap()
    page.window.get_by_role("button", name="Share it").tap()
    page.window.wait_for_function("window.shared")
    assert page.window.evaluate("shared").endswith(".txt")
    assert page.wrong == []
    context.close()


def test_nothing_runs_from_text_and_nothing_leaves_the_origin(context, origin):
    page = Page(context, origin).open()
    header = "(address) => fetch(address).then((got) => got.headers.get('Content-Security-Policy'))"
    policies = [page.window.evaluate(header, origin)]
    policies.append(page.window.locator("meta[http-equiv]").get_attribute("content"))
    policies += page.window.evaluate(
        "Promise.all(performance.getEntriesByType('resource').filter((each) => each.name.includes('/r/'))"
        ".map(async (each) => (await fetch(each.name)).headers.get('Content-Security-Policy')))"
    )
    for policy in policies:
        assert "script-src 'self'" in policy
        assert not {"'unsafe-eval'", "'unsafe-inline'", "https:", "*"} & set(policy.replace(";", " ").split())
    assert page.wrong == []


def test_a_second_tab_is_told(context, origin):
    Page(context, origin).open()
    assert "open in another tab" in Page(context, origin).open(state="failed").said()


def test_it_works_without_its_server_after_the_first_visit(context):
    with hosted(hosting.BUILT) as address:
        page = Page(context, address).open()
        page.window.locator("html[data-kept]").wait_for(state="attached")
    page.open()
    page.begin()
    assert "message 1" in page.bar()


def test_a_link_with_a_message_leaves_the_address_before_it_is_shown(context, origin):
    page = Page(context, origin).open("#k1.c3RvcHBlZA")
    page.board.get_by_text("the link is cut off").wait_for()
    assert page.window.url == origin
    assert page.window.evaluate("performance.getEntriesByType('resource').filter((each) => /k1/.test(each.name))") == []


BREAKS = """
new BroadcastChannel("break").onmessage = ({ data }) => {
  if (data === "storage") IDBObjectStore.prototype.put = () => { throw new DOMException("", "QuotaExceededError"); };
  else TextDecoder.prototype.decode = () => { throw new RangeError("too deep"); };
  new BroadcastChannel("broken").postMessage(data);
};"""
"""What a worker gets that can break."""
TOLD = """(what) => new Promise((broken) => {
  new BroadcastChannel("broken").onmessage = broken;
  new BroadcastChannel("break").postMessage(what);
}).then(() => true)"""


@pytest.mark.parametrize("what", ["storage", "engine"])
def test_a_step_that_is_not_stored_is_not_shown(context, tmp_path, what):
    shutil.copytree(hosting.BUILT, tmp_path / "app")
    add_release(tmp_path / "app", BREAKS, "worker.js")
    with hosted(tmp_path / "app") as address:
        page = Page(context, address).open()
        page.begin()
        assert page.window.evaluate(TOLD, what)
        page.board.get_by_role("button", name="Sign …").click()
        if what == "storage":  # the question before signing stores nothing
            page.board.get_by_role("button", name="Sign it").click()
        page.window.get_by_role("alert").get_by_text("your games are as they were").wait_for()
        page.open()
        assert "message 1" in page.bar()
        page.sign()
        page.board.get_by_text("is at this board").wait_for()


LACKS = {
    "Object.defineProperty(Navigator.prototype, 'serviceWorker', { value: undefined })": "does not let the page store",
    "delete globalThis.WebAssembly": "lacks WebAssembly",
}


@pytest.mark.parametrize("lack", LACKS)
def test_a_browser_that_cannot_run_the_page_is_told_why(context, tmp_path, lack):
    with hosted_after(lack, tmp_path / "app") as address:
        page = Page(context, address).open(state="failed")
        assert LACKS[lack] in page.said()
    page.address = f"{hosting.BUILT.as_uri()}/index.html"
    assert "kursk app --serve" in page.open(state="failed").said()


def add_release(folder, text, name="shell.js"):
    """Add a release with another script; return the hashes of both."""
    old = hashlib.sha256((folder / "app.json").read_bytes()).hexdigest()
    made = folder / "r" / "new"
    shutil.copytree(folder / "r" / old, made)
    with (made / name).open("a") as script:
        script.write(text)
    files = json.loads((made / "app.json").read_text())
    files[name] = hashlib.sha256((made / name).read_bytes()).hexdigest()
    (made / "app.json").write_text(json.dumps(files))
    shutil.copy(made / "app.json", folder)
    new = hashlib.sha256((made / "app.json").read_bytes()).hexdigest()
    made.rename(folder / "r" / new)
    return old, new


def test_a_new_release_waits_for_a_click(context, tmp_path):
    folder = tmp_path / "app"
    shutil.copytree(hosting.BUILT, folder)
    with hosted(folder) as address:
        page = Page(context, address).open()
        page.begin()
        old, new = add_release(folder, "// a new release\n")
        page.open()
        page.board.get_by_role("link", name="To your games").click()
        page.window.get_by_role("button", name="Take the new release").click()
        page.window.locator(f"iframe[src*='{new}']").wait_for()
        page.window.get_by_text("Can I trust this page?").click()
        page.window.get_by_role("link", name=f"Open with release {old[:12]}").click()
        page.window.locator(f"iframe[src*='{old}']").wait_for()


def test_M2_a_link_to_another_release_asks_first(context, tmp_path):
    """M2: a link ran any release that the host keeps on the player's games, perhaps one with a known hole."""
    folder = tmp_path / "app"
    shutil.copytree(hosting.BUILT, folder)
    with hosted(folder) as address:
        page = Page(context, address).open()
        own, other = add_release(folder, "// another release\n")
        for answer, taken in (("Stay with my release", own), ("Run the other release", other)):
            page.open(f"?release={other}#k1.x", state="asking")
            assert f"Asked for: {other}. Yours: {own}." in page.said()
            assert page.window.locator("iframe").count() == 0
            page.window.get_by_role("button", name=answer).click()
            page.window.locator(f"iframe[src*='{taken}']").wait_for()
        page.open(f"?release={own}").window.locator(f"iframe[src*='{own}']").wait_for()
        page.open("?release=../x").window.locator(f"iframe[src*='{own}']").wait_for()


def test_L7_the_page_runs_nothing_in_a_frame(context, tmp_path):
    """L7: a plain host sends no ``frame-ancestors``, and a page around this one could lead clicks."""
    handler = functools.partial(SimpleHTTPRequestHandler, directory=str(tmp_path))
    shutil.copytree(hosting.BUILT, tmp_path / "app")
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        (tmp_path / "index.html").write_text("<iframe name=inner src='/app/index.html'></iframe>")
        window = context.new_page()
        window.goto(f"http://127.0.0.1:{server.server_port}/")
        assert "only in a window of its own" in window.frame_locator("iframe").locator("#say[role]").inner_text()
        window.frame_locator("iframe").locator("html[data-state=failed]").wait_for()
        assert (
            window.frame(name="inner").evaluate("navigator.serviceWorker.getRegistrations().then((all) => all.length)")
            == 0
        )
        server.shutdown()


def test_a_changed_file_of_a_release_is_refused(context, tmp_path):
    folder = tmp_path / "app"
    shutil.copytree(hosting.BUILT, folder)
    with next(folder.glob("r/*/shell.js")).open("a") as shell:
        shell.write("// changed on its way\n")
    with hosted(folder) as address:
        assert "cannot start" in Page(context, address).open(state="failed").said()
