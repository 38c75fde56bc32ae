"""Games to read and games to continue: two desks, a relaying referee, a referee who rolls."""

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
    """Return another game of equal length. Read only."""
    return play_demo(tmp_path_factory.mktemp("stranger") / "played", "stranger")


@pytest.fixture(scope="session")
def _agreed(tmp_path_factory):
    with entropy.fix_random_bytes("a table"):
        return Table(tmp_path_factory.mktemp("agreed") / "table").begin()


@pytest.fixture(scope="session")
def _begun(_agreed, tmp_path_factory):
    return played_on(_agreed, tmp_path_factory, OPENING)


@pytest.fixture(scope="session")
def _declared(_begun, tmp_path_factory):
    return played_on(_begun, tmp_path_factory, ORDERS)


@pytest.fixture(scope="session")
def _later(_declared, tmp_path_factory):
    return played_on(_declared, tmp_path_factory, {}, {})


def played_on(table, tmp_path_factory, *contents):
    """Return a copy of the game with more messages. Copy only."""
    with entropy.fix_random_bytes(f"a table after message {table.game.chain.next_seq}"):
        longer = table.copy(tmp_path_factory.mktemp("longer") / "table")
        for content in contents:
            longer.turn(content)
    return longer


def to_go_on_with(table, place):
    """Return a copy of a game for one test; random bytes are equal in every run."""
    with entropy.fix_random_bytes("a table goes on"):
        yield table.copy(place / "table")


@pytest.fixture
def table(_agreed, tmp_path):
    """Two players who have agreed on a game of Citadel; message 1 is due."""
    yield from to_go_on_with(_agreed, tmp_path)


@pytest.fixture(scope="session")
def record(demo, tmp_path_factory):
    """The German copy of the demonstration's game, message by message."""
    folder = next((demo / "german").glob("game-*"))
    return mutations.Record(folder, tmp_path_factory.mktemp("record") / "game")


@pytest.fixture
def at_hand(record, tmp_path):
    """Save message files: numbers of good messages, texts of other files; return the paths."""

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
    """Run a command at a player's machine; return status and output. ``ends`` and ``told``: what must be found."""

    def command(player, *words, ends=None, told=""):
        monkeypatch.setenv("KURSK_HOME", str(player.home))
        monkeypatch.delenv("KURSK_KEY", raising=False)
        capsys.readouterr()
        status, said = run([str(word) for word in words]), "".join(capsys.readouterr())
        assert ends in (None, status), said
        assert told in said
        return status, said

    return command


@pytest.fixture
def begun(_begun, tmp_path):
    """Message 1 is sent; the German orders of turn 1 are due."""
    yield from to_go_on_with(_begun, tmp_path)


@pytest.fixture
def declared(_declared, tmp_path):
    """Message 2 is sent, with a battle and sealed plans; the Russian answer is due."""
    yield from to_go_on_with(_declared, tmp_path)


@pytest.fixture
def later(_later, tmp_path):
    """The battle is answered and fought; message 5, Russian orders, is due."""
    yield from to_go_on_with(_later, tmp_path)


# Against a cheat


@pytest.fixture(scope="session")
def second(tmp_path_factory):
    """Return the German's game with message 2 due. Only for messages that are not taken."""
    with entropy.fix_random_bytes("hostile orders"):
        table = Table(tmp_path_factory.mktemp("second") / "table").begin()
        table.turn(OPENING)
    return Cheat(table)


@pytest.fixture(scope="session")
def fourth(tmp_path_factory):
    """Return a game with message 4 due. Only for messages that are not taken."""
    return sealed_plans(tmp_path_factory.mktemp("fourth") / "table", {})


# With a referee who relays


@pytest.fixture(scope="session")
def _relayed(tmp_path_factory):
    """Return a game with messages 0 to 3 sent; the German's dice are due. The referee has a folder with all
    messages."""
    with entropy.fix_random_bytes("a referee"):
        table = Relayed(tmp_path_factory.mktemp("relayed") / "table").begin()
        for content in (OPENING, ORDERS, {}):
            table.turn(content)
    table.folder.mkdir()
    for seq in range(4):
        shutil.copy(folders.message_path(table.german.folder, seq), table.folder)
    return table


@pytest.fixture
def relayed(_relayed, tmp_path):
    """Return the relayed game, to continue."""
    with entropy.fix_random_bytes("a referee goes on"):
        yield _relayed.copy(tmp_path / "table")


@pytest.fixture
def whistle(relayed, monkeypatch, capsys):
    """Run a command as the referee; return status and output."""

    def command(*words, key=None):
        monkeypatch.setenv("KURSK_HOME", str(relayed.home))
        monkeypatch.setenv("KURSK_KEY", str(key or relayed.key))
        return run([str(word) for word in words]), "".join(capsys.readouterr())

    return command


@pytest.fixture
def overdue(relayed, whistle):
    """The referee has received message 3; the answer was due on the 13th."""
    well(whistle("referee", "receipt", relayed.folder, "--received", day(3), "--days", "10"))
    return relayed


@pytest.fixture
def forfeited(overdue, whistle):
    """Return the game after a forfeit on the 14th."""
    well(whistle("referee", "forfeit", overdue.folder, "--yes", "--declared", day(14)))
    return overdue


# With a referee who rolls


@pytest.fixture(scope="session")
def _three(tmp_path_factory):
    with entropy.fix_random_bytes("three desks"):
        return RefereedTable(tmp_path_factory.mktemp("three") / "table").begin()


@pytest.fixture(scope="session")
def _joined(_three, tmp_path_factory):
    return played_on(_three, tmp_path_factory, OPENING)


@pytest.fixture(scope="session")
def _rolled(_joined, tmp_path_factory):
    return played_on(_joined, tmp_path_factory, ORDERS)


@pytest.fixture
def three(_three, tmp_path):
    """A referee and two players who have the proposal; message 1 is due."""
    yield from to_go_on_with(_three, tmp_path)


@pytest.fixture
def joined(_joined, tmp_path):
    """Message 1 is sent and handed on; the German accepts with message 3."""
    yield from to_go_on_with(_joined, tmp_path)


@pytest.fixture
def rolled(_rolled, tmp_path):
    """The German has attacked, the referee has rolled; message 5 is the German's."""
    yield from to_go_on_with(_rolled, tmp_path)
