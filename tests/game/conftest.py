"""Plays the demonstration once for all who look at its files."""


import mutations
import pytest
from demo_game import play_demo
from signed_play import Table

from kursk_pbem.cli import run
from kursk_pbem.game import entropy


@pytest.fixture(scope="session")
def demo(tmp_path_factory):
    """The folder of the demonstration. Only to be read."""
    return play_demo(tmp_path_factory.mktemp("demo") / "played")


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
