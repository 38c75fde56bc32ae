"""Typed times: no impossible time is signed, and no file is lost without a question."""

import pytest
from helpers.relaying import day
from helpers.signed_play import RefereedTable, Table
from rulesets.battle_for_kursk.first_turn import OPENING

from kursk_pbem.cli import run
from kursk_pbem.desk.ground import clock
from kursk_pbem.formats import times
from kursk_pbem.game import entropy
from kursk_pbem.trust import keys


@pytest.mark.parametrize(
    ("said", "meant"),
    [
        ("2026-11-20 10:00", "2026-11-20T10:00:00Z"),
        ("2026-11-20T10:00", "2026-11-20T10:00:00Z"),
        ("2026-11-20 9:05:07 UTC", "2026-11-20T09:05:07Z"),
        ("2026-11-20 10:00 +0100", "2026-11-20T09:00:00Z"),
        ("2026-11-20 10:00-05:30", "2026-11-20T15:30:00Z"),
        ("Fri, 20 Nov 2026 10:00:00 +0100", "2026-11-20T09:00:00Z"),
        ("20 Nov 2026 10:00:00", "2026-11-20T10:00:00Z"),
        ("1943-07-06T03:00:00Z", "1943-07-06T03:00:00Z"),
    ],
)
def test_a_time_as_people_write_it_is_understood(said, meant):
    assert times.read_time(said) == meant
    assert times.is_time(meant)


@pytest.mark.parametrize(
    "said",
    ["", "tomorrow", "2026-02-30 10:00", "2026-11-20 24:00", "2026-11-20", "9999-12-31 23:00 -0500", "10:00", "\n"],
)
def test_what_is_no_time_stays_as_it_is(said):
    assert times.read_time(said) == said


@pytest.fixture
def directed(tmp_path, monkeypatch):
    """Return a game of a rolling referee after the acceptance."""
    with entropy.fix_random_bytes("plausible"):
        table = RefereedTable(tmp_path).begin()
        table.send({})
    monkeypatch.setenv("KURSK_HOME", str(table.referee.home))
    return table


def asked(directed, capsys, *words):
    """Run a command of the referee; return status and output."""
    command = words[: 2 if words[0] == "referee" else 1]
    given = words[len(command) :]
    status = run([*command, str(directed.referee.folder), "--key", str(directed.referee.key), *given])
    said = capsys.readouterr()
    return status, " ".join((said.out + said.err).split())


def test_no_receipt_is_signed_for_a_time_to_come(directed, capsys):
    status, said = asked(directed, capsys, "referee", "receipt", "--received", "2199-01-01 10:00", "--days", "7")
    assert (status, "the time is only" in said) == (2, True)
    assert not list(directed.referee.folder.glob("receipt-*"))


def test_a_forfeit_is_asked_for_and_never_declared_ahead(relayed_overdue, capsys):
    folder, key = relayed_overdue
    lost = ["referee", "forfeit", str(folder), "--key", str(key)]
    assert run([*lost, "--declared", "2199-01-01 10:00", "--yes"]) == 2
    assert "the time is only" in " ".join(capsys.readouterr().err.split())
    assert run(lost) == 2
    said = " ".join(capsys.readouterr().err.split())
    assert "Declare the game lost for the russian side (message 3 was due" in said
    assert "give --yes" in said
    assert not list(folder.glob("forfeit*"))
    assert run([*lost, "--yes"]) == 0
    assert "declared the game lost for russian" in " ".join(capsys.readouterr().out.split())


@pytest.fixture
def relayed_overdue(tmp_path, monkeypatch):
    """Return a relayed game with a long unanswered proposal."""
    with entropy.fix_random_bytes("overdue"):
        key = tmp_path / "whistle"
        keys.generate_key_pair(key, entropy.random_bytes())
        table = Table(tmp_path / "table", relay=keys.read_public(key.with_suffix(".pub"))).begin()
        table.turn(OPENING)
        table.turn({"choice": {"posture/turn-1": {"posture": "deploy", "reaction": "no"}}})
    monkeypatch.setenv("KURSK_HOME", str(tmp_path / "referee"))
    folder = table.german.folder
    with clock.fix_time(day(3)):
        assert run(["referee", "receipt", str(folder), "--key", str(key), "--days", "1", "-q"]) == 0
    return folder, key
