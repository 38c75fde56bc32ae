"""Games to look at and games to go on with: two desks, a referee who relays, a referee who rolls."""

import shutil

import pytest
from helpers import mutations
from helpers.cheating import Cheat
from helpers.demo_game import play_demo
from helpers.relaying import Relayed, day, well
from helpers.signed_play import RefereedTable, Table

from kursk_pbem.cli import run
from kursk_pbem.game import entropy, folders
from rulesets.battle_for_kursk.first_turn import OPENING, ORDERS, sealed_plans


@pytest.fixture(scope="session")
def stranger(tmp_path_factory):
    """Another game of the same length. Only to be read."""
    return play_demo(tmp_path_factory.mktemp("stranger") / "played", "stranger")


@pytest.fixture
def table(tmp_path):
    """Two players who have agreed on a game of Citadel; message 1 is due."""
    with entropy.fixed("a table"):
        yield Table(tmp_path / "table").begin()


@pytest.fixture(scope="session")
def record(demo, tmp_path_factory):
    """The German copy of the demonstration's game, message by message."""
    folder = next((demo / "german").glob("game-*"))
    return mutations.Record(folder, tmp_path_factory.mktemp("record") / "game")


@pytest.fixture
def at_hand(record, tmp_path):
    """Lay message files down: (numbers of good ones, texts of others) -> their paths."""

    def lay(good, *others):
        place = tmp_path / "at hand"
        place.mkdir(exist_ok=True)
        texts = {f"{seq:04d}.yaml": record.texts[seq] for seq in good}
        texts |= {f"other-{number}.yaml": text for number, text in enumerate(others)}
        for name, text in texts.items():
            (place / name).write_text(text, encoding="ascii", newline="")
        return [place / name for name in texts]

    return lay


@pytest.fixture
def kursk(monkeypatch, capsys):
    """Run a command at a player's machine: (status, what it said)."""

    def command(player, *words):
        monkeypatch.setenv("KURSK_HOME", str(player.home))
        monkeypatch.delenv("KURSK_KEY", raising=False)
        status = run([str(word) for word in words])
        said = capsys.readouterr()
        return status, said.out + said.err

    return command


@pytest.fixture
def begun(table):
    """Message 1 is sent; the German orders of turn 1 are due."""
    table.turn(OPENING)
    return table


@pytest.fixture
def declared(begun):
    """Message 2 is sent, with a battle; the Russian answer is due."""
    begun.turn(ORDERS)
    return begun


# Against a cheat


@pytest.fixture(scope="session")
def second(tmp_path_factory):
    """Message 2 is due: the German has his orders to write. Only for messages that are not taken."""
    with entropy.fixed("hostile orders"):
        table = Table(tmp_path_factory.mktemp("second") / "table").begin()
        table.turn(OPENING)
    return Cheat(table)


@pytest.fixture(scope="session")
def fourth(tmp_path_factory):
    """Message 4 is due. Only for messages that are not taken."""
    return sealed_plans(tmp_path_factory.mktemp("fourth") / "table", {})


# With a referee who relays


@pytest.fixture(scope="session")
def _relayed(tmp_path_factory):
    """Messages 0 to 3 are sent; the German's dice are due. The referee has a folder with all of them."""
    with entropy.fixed("a referee"):
        table = Relayed(tmp_path_factory.mktemp("relayed") / "table").begin()
        for content in (OPENING, ORDERS, {}):
            table.turn(content)
    table.folder.mkdir()
    for seq in range(4):
        shutil.copy(folders.message_path(table.german.folder, seq), table.folder)
    return table


@pytest.fixture
def relayed(_relayed, tmp_path):
    """The same, to be gone on with."""
    with entropy.fixed("a referee goes on"):
        yield _relayed.copy(tmp_path / "table")


@pytest.fixture
def whistle(relayed, monkeypatch, capsys):
    """Run a command as the referee: (status, what it said)."""

    def command(*words, key=None):
        monkeypatch.setenv("KURSK_HOME", str(relayed.home))
        monkeypatch.setenv("KURSK_KEY", str(key or relayed.key))
        status = run([str(word) for word in words])
        said = capsys.readouterr()
        return status, said.out + said.err

    return command


@pytest.fixture
def overdue(relayed, whistle):
    """The referee has received message 3; the answer was due on the 13th."""
    well(whistle("receipt", relayed.folder, "--received", day(3), "--days", "10"))
    return relayed


@pytest.fixture
def forfeited(overdue, whistle):
    """And it was forfeited on the 14th."""
    well(whistle("forfeit", overdue.folder, "--yes", "--declared", day(14)))
    return overdue


# With a referee who rolls


@pytest.fixture
def three(tmp_path):
    """A referee and two players who have the proposal; message 1 is due."""
    with entropy.fixed("three desks"):
        yield RefereedTable(tmp_path / "three").begin()


@pytest.fixture
def joined(three):
    """Message 1 is sent and handed on; the German accepts with message 3."""
    three.turn(OPENING)
    return three


@pytest.fixture
def rolled(joined):
    """The German has attacked, the referee has rolled; message 5 is the German's."""
    joined.turn(ORDERS)
    return joined
