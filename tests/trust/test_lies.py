"""Auditors compared on a set of lies: an auditor finds every lie, with the right file and fault."""

import shutil

import pytest
from helpers import finished_games, registry, sweeps

from kursk_pbem.audit import export
from trust import auditors, lies
from trust.lies import DEMO, NEEDS_RULES, PROGRAM, REFEREED, SECOND, SHORT, Desk, Leaves

TABLE = lies.list_lies()
CLEAN = Leaves("")

pytestmark = [pytest.mark.slow, pytest.mark.skipif(shutil.which("ssh-keygen") is None, reason="two need ssh-keygen")]


@pytest.fixture(scope="module")
def scripts():
    """The two scripts. Equal signatures start ssh-keygen once."""
    second, short = auditors.load_together(auditors.SECOND, auditors.SHORT)
    return {SECOND: second.main, SHORT: short.main}


@pytest.fixture
def judge(scripts, capsys):
    """Return the findings of the auditors on a folder: auditor -> found."""

    def ask(folder, on=DEMO):
        found = {name: auditors.make_script_auditor(main, capsys)(folder) for name, main in scripts.items()}
        program = auditors.audit_by_program if on in lies.WITH_RULES else auditors.chain_alone
        return {PROGRAM: program(folder), **found}

    return ask


@pytest.fixture(scope="module")
def refereed(tmp_path_factory):
    """A finished game with a referee's dice in the form for auditors, and the keys of the three."""
    out, made = tmp_path_factory.mktemp("refereed") / "game", tmp_path_factory.mktemp("keys")
    kit = registry.kit()
    export.export(finished_games.folder_of(kit, "referee"), out)
    return out, finished_games.make_signers(kit, "referee", made)


@pytest.fixture
def desk_of(archive, signers, demo_folder, refereed, tmp_path):
    """A copy of the game of a lie, and the keys of the signers."""

    def lay(on):
        if on == DEMO:
            return Desk(tmp_path / "desk", archive, signers, demo_folder)
        if on == REFEREED:
            return Desk(tmp_path / "desk", *refereed)
        return Desk(tmp_path / "desk", lies.source_of(on), lies.signers_of_samples())

    return lay


@pytest.mark.parametrize("lie", sweeps.some(TABLE, 6), ids=lambda lie: lie.name)
def test_3_8_every_auditor_finds_it_where_and_as_what_it_must(lie, desk_of, judge):
    desk = desk_of(lie.on)
    lie.tell(desk)
    expected = {auditor: lie.by(auditor) for auditor in lies.AUDITORS}
    found = judge(desk.folder, lie.on)
    assert found == {auditor: CLEAN if isinstance(each, Leaves) else each for auditor, each in expected.items()}


@pytest.mark.parametrize("on", sweeps.some([DEMO, REFEREED, lies.PLAYERS, lies.REFEREE], 2))
def test_3_8_signing_anew_is_no_lie_by_itself(on, desk_of, judge):
    """The signatures of the lies must be good."""
    desk = desk_of(on)
    before = {path.name: path.read_bytes() for path in desk.folder.iterdir()}
    for k in range(len(desk.said)):
        desk.put(k)
    assert {path.name: path.read_bytes() for path in desk.folder.iterdir()} == before
    assert set(judge(desk.folder, on).values()) == {CLEAN}


def test_2_11_what_a_lie_is_told_beside_is_true(desk_of, judge):
    """The last message names no next side, and a proposal may be signed again."""
    desk = desk_of(lies.REFEREE)
    desk.cut(7)
    desk.put(6, next=None, pending=None)
    assert set(judge(desk.folder, lies.REFEREE).values()) == {CLEAN}
    desk.cut(1)
    assert set(judge(desk.folder, lies.REFEREE).values()) == {CLEAN}


def test_3_8_the_table_is_whole():
    """Every tampered sample of the protocol is in it; every auditor leaves little, and says why."""
    names = [lie.name for lie in TABLE]
    assert len(names) == len(set(names)) >= 110
    assert {entry["name"] for entry in lies.tampered_samples()} <= {*names}
    left = {auditor: [each for each in TABLE if isinstance(each.by(auditor), Leaves)] for auditor in lies.AUDITORS}
    assert all(each.by(auditor).why for auditor, found in left.items() for each in found)
    assert not [each.name for each in left[PROGRAM] if each.on in lies.WITH_RULES]
    assert all(each.by(SECOND).why == NEEDS_RULES for each in left[SECOND])
    assert {name: len(found) for name, found in left.items()} == {PROGRAM: 5, SECOND: 4, SHORT: 22}
