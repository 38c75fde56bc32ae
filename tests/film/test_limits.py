"""A film of a very long game: random play on a table top with 30 turns, a referee, and an offer in each turn."""

import multiprocessing
import random
import re
import resource
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

import pytest
from helpers import finished_games
from helpers.signed_play import RefereedTable

from kursk_pbem.cli import run
from kursk_pbem.desk.draft import drafts
from kursk_pbem.errors import UsageError
from kursk_pbem.film import stills
from kursk_pbem.game import entropy, histories

LONGEST = finished_games.ROOT / "battle-for-kursk" / "referee"
MESSAGES = 300


def choose(player, chooser):
    """Return an offer or a reply; None means: the draft has random orders."""
    desk = player.desk
    if desk.game.chain.offer:
        return drafts.make_reply(desk, "decline")
    if desk.seq > desk.game.chain.bound:
        try:
            return drafts.make_offer(desk, "draw")
        except UsageError:  # an offer was declined in this turn
            pass
    player.fill(player.choose(chooser))
    return None


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """Return the folder of a game of more than 300 messages."""
    assert run(["scenario", "copy", "armor-commander/crossroads", "endless", "--dir", str(tmp_path), "-q"]) == 0
    path = tmp_path / "armor-commander" / "endless" / "scenario.yaml"
    turns = ", ".join(f"'{number}'" for number in range(1, 31))
    text = re.sub(r"(?m)^turns: .*$", f"turns: [{turns}]", path.read_text(encoding="utf-8"))
    path.write_text(text, encoding="utf-8")
    monkeypatch.setenv("KURSK_SCENARIOS", str(tmp_path))
    with entropy.fix_random_bytes("long"):
        table = RefereedTable(tmp_path / "play", "armor-commander/endless").begin()
        chooser = table.kit.chooser(table.game.setting, random.Random(4))
        while table.game.chain.next_seq <= MESSAGES:
            table.send(choose(table.due, chooser))
    return table.referee.folder


def draw(folder, path):
    """Draw a game in this process; return the seconds of CPU, the megabytes and the length of the film.

    VmHWM leaves out the memory of the process that began this one; ``ru_maxrss`` counts it.
    """
    assert run(["picture", str(folder), "--game", "-q", "-o", str(path)]) == 0
    used = resource.getrusage(resource.RUSAGE_SELF)
    most = int(Path("/proc/self/status").read_text().split("VmHWM:")[1].split()[0])
    return used.ru_utime + used.ru_stime, most // 1024, path.stat().st_size


def measure(folder, path):
    with ProcessPoolExecutor(1, multiprocessing.get_context("spawn")) as pool:
        return pool.submit(draw, folder, path).result()


@pytest.mark.long("test-all")
def test_a_film_of_300_messages_has_60_stills_and_costs_no_more_than_three_long_games(folder, tmp_path):
    assert len(stills.make_film(histories.load(folder), 0).stills) <= stills.MOST
    seconds, megabytes, size = measure(folder, tmp_path / "long.gif")
    assert (size < 1_500_000, megabytes < 300) == (True, True), (size, megabytes)
    assert seconds < 3 * measure(LONGEST, tmp_path / "longest.gif")[0]
