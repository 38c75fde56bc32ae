"""The server of a board: opening file, end, and attacks by other programs of the machine."""

import gc
import http.client
import signal
import socket
import stat
import subprocess
import sys
import threading
import time
from contextlib import ExitStack
from pathlib import Path

import pytest
from helpers import sweeps
from waitress.buffers import ReadOnlyFileBasedBuffer
from waitress.channel import HTTPChannel

from board.seats import Client, begun
from kursk_pbem.board import serve
from kursk_pbem.board.serve import Board

CITADEL = "battle-for-kursk/citadel"
SERVES = """
import signal, sys
from pathlib import Path
for name in sys.argv[3:]:  # whatever whoever runs the tests has set: 'nohup', a shell in the background
    signal.signal(getattr(signal, name), signal.default_int_handler if name == "SIGINT" else signal.SIG_DFL)
from kursk_pbem.board.serve import Board
from kursk_pbem.desk.seat.room import Room
board = Board(Room(Path(sys.argv[1]), Path(sys.argv[2])))
print(board.opening, flush=True)
board.run()
print("ended", flush=True)
"""


@pytest.fixture(scope="module")
def seat(tmp_path_factory):
    return list(begun(tmp_path_factory.mktemp("serve"), CITADEL).values())[1]


class Visitor:
    """A browser with a new HTTP connection for each request."""

    def __init__(self, board):
        self.access = board.access
        self.cookie = ""

    def get(self, path, method="GET", timeout=5):
        connection = http.client.HTTPConnection("127.0.0.1", self.access.port, timeout=timeout)
        try:
            connection.request(method, path, headers={"Cookie": self.cookie} if self.cookie else {})
            answer = connection.getresponse()
            if cookie := answer.getheader("Set-Cookie"):
                self.cookie = cookie.partition(";")[0]
            return answer.status, answer.read().decode()
        finally:
            connection.close()

    def enters(self):
        assert self.get(f"/enter/{self.access.token}")[0] == 200
        return self


def connect(board, stack, said=b""):
    held = stack.enter_context(socket.create_connection(("127.0.0.1", board.access.port), timeout=5))
    if said:
        held.sendall(said)
    return held


# Many connections


@pytest.mark.some(9)
@pytest.mark.parametrize("number", sweeps.sizes(150, 300))
@pytest.mark.parametrize(
    "said",
    [b"", b"GET / HTT", b"POST /take HTTP/1.1\r\nContent-Length: 9000\r\n\r\nno"],
    ids=["silent", "half a request", "a promised body"],
)
def test_idle_connections_of_another_program_keep_nobody_out(seat, number, said):
    """Bug: a hundred idle connections blocked all later visitors."""
    with seat.served() as board, ExitStack() as stack:
        visitor = Visitor(board).enters()
        home = f"{board.access.root}/"
        held = [connect(board, stack, said) for _ in range(number)]
        begins = time.monotonic()
        for _ in range(5):
            assert visitor.get(home)[0] == 200
        assert time.monotonic() - begins < 4
        held += [connect(board, stack, said) for _ in range(50)]
        assert visitor.get(home)[0] == 200


def test_a_connection_that_is_in_use_is_not_closed_for_idle_ones(seat):
    """The player's connection is younger than idle connections."""
    with seat.served() as board, ExitStack() as stack:
        visitor = Visitor(board).enters()
        own = http.client.HTTPConnection("127.0.0.1", board.access.port, timeout=5)
        style = f"{board.access.root}/map.css"
        for _round in range(6):
            own.request("GET", style, headers={"Cookie": visitor.cookie})
            answer = own.getresponse()
            assert answer.status == 200
            answer.read()
            own.auto_open = 0  # never opened again
            for _ in range(serve.MAX_CONNECTIONS // 8):
                connect(board, stack)
            assert visitor.get(style)[0] == 200  # by now the board has accepted all connections
        own.close()


def test_a_board_that_ends_closes_the_files_that_it_was_sending(seat, monkeypatch):
    """A loading page requests about forty files."""
    left_open = []
    monkeypatch.setattr(sys, "unraisablehook", left_open.append)
    with seat.served() as board, ExitStack() as stack:
        visitor = Visitor(board).enters()
        monkeypatch.setattr(HTTPChannel, "_flush_some", lambda _channel, **_how: False)
        asked = (
            f"GET {board.access.root}/static/plane.js HTTP/1.1",
            f"Host: {board.access.host}",
            f"Cookie: {visitor.cookie}",
        )
        connect(board, stack, "\r\n".join([*asked, "", ""]).encode())
        waiting = time.monotonic() + 10
        while not sends_a_file(board) and time.monotonic() < waiting:
            time.sleep(0.02)
        assert sends_a_file(board)
    gc.collect()
    assert [str(each.exc_value) for each in left_open] == []


def sends_a_file(board):
    buffers = [buffer for channel in board._server.active_channels.values() for buffer in channel.outbufs]
    return any(isinstance(buffer, ReadOnlyFileBasedBuffer) for buffer in buffers)


# The way in


@pytest.mark.parametrize("method", ["HEAD", "POST", "PUT", "DELETE", "OPTIONS", "TRACE", "PROPFIND"])
def test_nothing_but_a_get_uses_up_the_login_url(seat, method):
    with seat.served() as board:
        visitor, login_path = Visitor(board), f"/enter/{board.access.token}"
        status, _page = visitor.get(login_path, method)
        assert status in (403, 405)
        assert visitor.cookie == ""
        assert Visitor(board).get(login_path)[0] == 200
        assert Visitor(board).get(login_path)[0] == 403


@pytest.mark.parametrize("path", ["/enter/wrong", "/enter/", "/", "/nothing"])
def test_a_page_for_those_who_are_not_let_in_links_nowhere(seat, path):
    client = Client(seat)
    answer = client.raw(path)
    page = answer.get_data(as_text=True)
    assert answer.status_code in (403, 404)
    assert 'href="/' not in page
    assert '<a class="skip"' in page
    if answer.status_code == 403:
        assert "Start 'kursk board' again" in page.replace("&#39;", "'")


def test_a_used_login_url_links_nowhere_and_a_page_inside_does(seat):
    client = Client(seat).enter()
    page = client.raw(f"/enter/{client.access.token or 'x'}").get_data(as_text=True)
    assert "To your games" not in page
    assert "To your games" in client.get("/nothing").get_data(as_text=True)


# The opening file


def served_elsewhere(seat, *signals):
    """Serve a board in a process that signals can end; return the opening file."""
    command = [sys.executable, "-c", SERVES, str(seat.home), str(seat.place), *signals]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    path = seat.home / Path(process.stdout.readline().strip()).name
    port = int(path.stem.removeprefix("board-"))
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=20)
    connection.request("GET", "/")  # answered by the running server
    connection.getresponse()
    connection.close()
    return process, path


@pytest.mark.some(9)
@pytest.mark.parametrize("how", sweeps.some([n for n in ("SIGTERM", "SIGHUP", "SIGINT") if hasattr(signal, n)], 3))
def test_a_board_that_is_told_to_end_takes_its_file_away(seat, how):
    process, path = served_elsewhere(seat, how)
    try:
        assert path.is_file()
        assert stat.S_IMODE(path.stat().st_mode) == 0o600
        process.send_signal(getattr(signal, how))
        assert process.communicate(timeout=20)[0] == "ended\n"
    finally:
        process.kill()
        process.communicate()
    assert not path.exists()


@pytest.mark.skipif(not hasattr(signal, "SIGHUP"), reason="this system knows no closed terminal")
def test_a_board_that_is_to_outlive_its_terminal_does(seat):
    """Like 'nohup kursk board'."""
    before = signal.signal(signal.SIGHUP, signal.SIG_IGN)  # inherited by the process
    try:
        process, path = served_elsewhere(seat)
    finally:
        signal.signal(signal.SIGHUP, before)
    try:
        process.send_signal(signal.SIGHUP)
        with pytest.raises(subprocess.TimeoutExpired):
            process.wait(2)
        assert path.is_file()
    finally:
        process.kill()
        process.communicate()


def test_a_port_can_be_used_again_at_once(seat):
    board = Board(seat.room)
    port = board.access.port
    with ExitStack() as stack:
        connect(board, stack)
        board.stop()
        board.run()
    again = Board(seat.room, port)
    again.stop()
    again.run()


def test_a_board_that_is_started_again_goes_on_where_it_was(browser, tmp_path):
    """Same port, same game, same part of the map."""
    _first, second = begun(tmp_path, "battle-for-kursk/citadel").values()
    context = browser.new_context(viewport={"width": 1280, "height": 800})
    seen = "document.querySelector('#map svg').getAttribute('viewBox')"
    port = 0
    views = []
    for _twice in range(2):
        board = Board(second.room, port)
        thread = threading.Thread(target=board.run, daemon=True)
        thread.start()
        page = context.new_page()
        page.goto(board.access.login_url)
        if not port:
            page.get_by_role("link", name="Anna").click()
        page.get_by_role("tab", name="Orders").wait_for()
        page.wait_for_load_state("networkidle")  # the scripts are loaded, and no request is open
        if not port:
            page.keyboard.press("+")
        views.append(page.evaluate(seen))
        page.close(run_before_unload=False)
        port = board.access.port
        board.stop()
        thread.join(10)
    assert views[0] == views[1]
    assert second.room.was == second.game
    context.close()
