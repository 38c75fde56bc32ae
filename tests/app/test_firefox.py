"""A smoke of the page in the system's Firefox."""

import os
import re
import shutil
import socket
import subprocess
import time
from pathlib import Path

import pytest

from app.pages import hosted
from kursk_pbem.board import hosting

pytestmark = pytest.mark.app
FIREFOX = shutil.which("firefox-esr") or shutil.which("firefox")


def test_a_game_is_begun_signed_and_there_after_a_reload_in_firefox(tmp_path):
    if not os.environ.get("KURSK_APP") or not FIREFOX or not shutil.which("node"):
        pytest.skip("make test-app needs Firefox and node for this")
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    words = (FIREFOX, "-headless", "-no-remote", "-profile", tmp_path, "--remote-debugging-port", str(port))
    firefox = subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        for _try in range(120):
            with socket.socket() as tried:
                if tried.connect_ex(("127.0.0.1", port)) == 0:
                    break
            time.sleep(0.5)
        with hosted(hosting.BUILT) as address:
            script = Path(__file__).with_name("firefox.mjs")
            node = ("node", "--experimental-websocket", "--no-warnings", script, str(port), address)
            said = subprocess.run(node, capture_output=True, text=True, timeout=300, check=False)
        assert said.returncode == 0, said.stderr[-2000:]
        assert re.search(r"message\s+2", said.stdout), said.stdout
    finally:
        firefox.kill()
        firefox.wait()
