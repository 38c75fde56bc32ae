"""T9: two valid versions of one message accepted at once: the first version gets the name, the second version is
void and kept. The second version arrives between two system calls of the first version.
"""

import os
import shutil
from pathlib import Path

import pytest
from helpers import crash_play, sweeps
from helpers.relaying import Relayed
from helpers.two_processes import run_together, take_own_letter
from rulesets.battle_for_kursk.first_turn import ENGAGE, OPENING

from kursk_pbem.cli import run
from kursk_pbem.game import entropy, folders
from kursk_pbem.trust import keys, messages, sshsig

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="other calls of the system")


@pytest.fixture(scope="module")
def table(tmp_path_factory):
    """Return the referee and the German with messages 0 to 2, and two letters with message 3."""
    with entropy.fix_random_bytes("taken at once"):
        table = Relayed(tmp_path_factory.mktemp("at once") / "table").begin()
        table.turn(OPENING)
        table.turn({"choice": {"posture/turn-1": ENGAGE}})
        table.folder.mkdir()
        table.take_all(2)
        before = shutil.copytree(table.german.place, table.root / "before")
        one = shutil.copy(table.turn({}), table.root)
    shutil.rmtree(table.german.place)
    before.rename(table.german.place)
    message = messages.read_message(Path(one).read_bytes(), "")
    content = {**message.content, "note": "second thoughts"}
    armour = keys.load_key(table.russian.key).sign(sshsig.NAMESPACE, messages.signed_bytes(content))
    for place in (table.folder, table.german.folder):
        shutil.copy(one, place / "a.yaml")
        (place / "b.yaml").write_text(messages.emit_for_mail(content, armour, message.state), encoding="ascii")
    return table


def copied(table, who, to):
    """Return a copy of the private folder and the game folder."""
    place = table.place if who == "referee" else table.german.place
    shutil.copytree(place, to)
    return to / "private", to / table.folder.name


def take(home, folder, name):
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("KURSK_HOME", str(home))
        return run(["inbox", "--report", str(folder / name), "-q"])


def settled(folder, statuses, said=""):
    """Check that two versions are kept, and that one counts."""
    letters = {messages.read_message((folder / name).read_bytes(), name).id for name in ("a.yaml", "b.yaml")}
    here = folders.read_message(folders.message_path(folder, 3))
    kept = [folders.read_message(path) for path in folder.glob("0003-*.void.yaml")]
    assert sorted(statuses) == [0, 1], said
    assert {here.id, *(each.id for each in kept)} == letters
    assert len(kept) == 1


@pytest.mark.some(9)
@pytest.mark.parametrize("every", [4, sweeps.long(1)])
@pytest.mark.parametrize("who", ["referee", "german"])
def test_T9_a_version_that_is_taken_between_two_calls_is_not_lost(table, tmp_path, monkeypatch, capsys, who, every):
    real = {name: getattr(os, name) for name in crash_play.CALLS}
    for n in range(1, 99, every):
        home, folder = copied(table, who, tmp_path / str(n))
        statuses = []
        left = n

        def act(_name, _arguments, home=home, folder=folder, statuses=statuses):
            nonlocal left
            left -= 1
            if left == 0:
                statuses.append(take(home, folder, "b.yaml"))

        with monkeypatch.context() as patch:
            for name, call in real.items():
                patch.setattr(os, name, call)
            crash_play.watch(act)
            statuses.append(take(home, folder, "a.yaml"))
        if len(statuses) < 2:
            break
        settled(folder, statuses, capsys.readouterr().err)
    assert 5 < n < 98


@pytest.mark.parametrize("who", ["referee", "german"])
def test_T9_two_processes_that_take_two_versions_at_once_lose_none(table, tmp_path, who):
    for n in range(4):
        home, folder = copied(table, who, tmp_path / str(n))
        found = run_together(take_own_letter, folder, home)
        settled(folder, list(found.values()))
