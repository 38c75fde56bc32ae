"""Two independent checkers agree with the program on valid games; test_lies.py has the false games."""

import ast
import shutil
import subprocess
import sys

import pytest
from helpers import finished_games, sweeps
from helpers.signing_desk import VECTORS, following, load_vectors, signed

from kursk_pbem.audit import export, verify
from kursk_pbem.game import folders, histories
from kursk_pbem.trust import chains
from trust.auditors import SECOND, SHORT, load, load_together
from trust.referee_desk import DRAW, make_proposal

GAMES = sorted(path.parent for path in finished_games.ROOT.glob("*/*/0000.yaml"))
assert len(GAMES) >= 8

pytestmark = [pytest.mark.slow, pytest.mark.skipif(shutil.which("ssh-keygen") is None, reason="they need ssh-keygen")]


@pytest.fixture(params=[SHORT, SECOND], ids=lambda path: path.stem)
def path(request):
    return request.param


@pytest.fixture
def check(path, capsys):
    """Run a checker on a folder: (exit status, lines)."""
    main = load(path).main

    def run(folder):
        capsys.readouterr()
        status = main(folder)
        return status, capsys.readouterr().out.splitlines()

    return run


class TestTheScript:
    def test_3_8_it_shares_nothing_with_the_program_and_needs_no_library(self, path):
        tree = ast.parse(path.read_text("ascii"))
        modules = {alias.name for node in ast.walk(tree) if isinstance(node, ast.Import) for alias in node.names}
        modules |= {node.module for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
        assert modules <= sys.stdlib_module_names

    def test_3_8_it_runs_alone(self, path, archive, tmp_path, monkeypatch, capsys):
        def run(*words):
            command = [sys.executable, "-I", "-S", path, *words]
            return subprocess.run(command, capture_output=True, text=True, check=False, cwd=tmp_path)

        done = run(archive)
        assert (done.returncode, done.stderr) == (0, "")
        assert done.stdout.splitlines()[-1] == f"head {verify.verify_game(archive).head}"
        assert run(tmp_path).returncode == (2 if path is SHORT else 1)
        assert run().returncode == 1
        assert "FOLDER" in run().stderr
        monkeypatch.setenv("PATH", "")
        assert load(path).main(archive) == 2  # the copy proves no fraud
        printed = capsys.readouterr()
        assert ("ssh-keygen" in printed.err, "FAULT" in printed.out) == (True, False)


@pytest.fixture(scope="module")
def checkers():
    """The two scripts, with a start of ssh-keygen for every signature."""
    return load_together(SHORT, SECOND)


def agree(checkers, folder, game, capsys):
    """Both print the ids and dice that the messages hold, and the program's head."""
    read = [folders.read_message(path) for path in folders.message_files(folder)]
    expected = []
    for message in read:
        dice = "".join(f", {label} {digits}" for label, digits in sorted(message.mapping("dice").items()))
        expected.append(f"{message.seq:04}.json: {message.sender}, {message.type}, {message.id[:32]}{dice}")
    for checker in checkers:
        capsys.readouterr()
        status = checker.main(folder)
        assert capsys.readouterr().out.splitlines() == [*expected, f"head {game.chain.head_id}"]
        assert status == 0


class TestGamesThatHold:
    @pytest.mark.parametrize("folder", sweeps.some(GAMES, 13), ids=lambda folder: folder.name)
    def test_3_8_finished_games(self, folder, tmp_path, checkers, capsys):
        game = export.export(folder, tmp_path).game
        agree(checkers, tmp_path, game, capsys)
        assert f"head: {game.chain.head_id}\n" in (folder / "game.txt").read_text("ascii")

    def test_3_8_the_demonstration(self, archive, checkers, capsys):
        agree(checkers, archive, histories.load(archive).game, capsys)

    @pytest.mark.parametrize("name", ["sample-players", "sample-referee", "sample-kept", "sample-kept-referee"])
    def test_3_8_samples(self, name, check):
        known = load_vectors("kept.json" if "kept" in name else "vectors.json")[name]
        status, lines = check(VECTORS / name)
        assert status == 0, lines
        assert lines[-1] == f"head {known['id'][str(len(known['id']) - 1)]}"
        for k, mid in known["id"].items():
            assert mid[:32] in lines[int(k)]
        assert sum(line.count("/") for line in lines) == len(known["dice"])
        for die in known["dice"]:
            assert f"{die['label']} {die['used']}" in lines[int(die["seq"])]

    def test_2_9_successor_that_is_offered_is_a_proposal(self, check):
        assert check(VECTORS / "sample-players" / "offered")[0] == 0


def test_2_11_an_empty_mapping_of_dice_says_the_same_as_none(tmp_path, check):
    """The referee's message continues after an offer: the program accepts ``dice: {}``, so the scripts must, too."""
    chain = chains.start_chain(first := signed(make_proposal()))
    lines = [first]
    for more in ({}, {}, {}, {}, {"type": "offer", "offer": DRAW}, {"dice": {}}):
        lines.append(signed(following(chain, **more)))
        chain = chain.extend(lines[-1])
    for message in lines:
        (tmp_path / f"{message.seq:04}.json").write_bytes(message.signed)
        (tmp_path / f"{message.seq:04}.json.sig").write_text(message.armour, encoding="ascii")
    assert "dice" in lines[-1].content
    status, said = check(tmp_path)
    assert (status, said[-1]) == (0, f"head {lines[-1].id}")
