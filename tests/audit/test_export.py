"""The archive form: exports, refusals, and commands that read archives."""

import hashlib
import json
import re
import shutil
import subprocess
from pathlib import Path

import pytest
from helpers import alone, finished_games, registry

from kursk_pbem.audit import export, verify
from kursk_pbem.cli import run
from kursk_pbem.desk.deals import begin
from kursk_pbem.desk.draft import prospects
from kursk_pbem.desk.own import desks
from kursk_pbem.errors import FileError, TrustError, UsageError
from kursk_pbem.game import entropy, folders, histories, reports
from kursk_pbem.trust import keys

SHORT = finished_games.folder_of(registry.kit(), "resignation-german")


@pytest.fixture(scope="module")
def mailed(demo):
    """The German's game folder of the demonstration. Only to be read."""
    return next((demo / "german").glob("game-*"))


@pytest.fixture(scope="module")
def exported(mailed, tmp_path_factory):
    """The archive of it. Only to be read."""
    out = tmp_path_factory.mktemp("exported") / "archive"
    export.export(mailed, out)
    return out


@pytest.fixture
def archive(exported, tmp_path):
    return Path(shutil.copytree(exported, tmp_path / "archive"))


def contents(folder):
    return {path.name: path.read_bytes() for path in folder.iterdir()}


class TestWhatIsWritten:
    def test_signed_bytes_signatures_and_keys(self, mailed, archive):
        read = [folders.read_message(path) for path in folders.message_files(mailed)]
        names = {f"{k:04}.json{ending}" for k in range(len(read)) for ending in ("", ".sig")}
        assert {*contents(archive)} == {*names, "allowed_signers", "README.txt"}
        for message in read:
            path = folders.archive_path(archive, message.seq)
            assert path.read_bytes() == message.signed
            assert hashlib.sha256(path.read_bytes()).hexdigest() == message.id
            assert folders.signature_path(path).read_text("ascii") == message.armour
        pinned = read[0].mapping("keys")
        lines = (archive / "allowed_signers").read_text("ascii").splitlines()
        assert lines == [f'{side} namespaces="kursk-pbem" {key}' for side, key in pinned.items()]

    def test_what_was_written_is_told(self, mailed, tmp_path):
        done = export.export(mailed, tmp_path / "a" / "b")
        assert {path.name for path in done.written} == {*contents(tmp_path / "a" / "b")}
        assert done.game.chain == histories.load(mailed).game.chain
        assert done.written[-1].name == "0000.json"  # an interrupted export is no archive of a shorter game
        assert export.export(mailed, tmp_path / "a" / "b").written == ()

    @pytest.mark.skipif(not all(map(shutil.which, ("bash", "ssh-keygen", "sha256sum"))), reason="needs these tools")
    def test_the_lines_of_its_readme_hold(self, mailed, archive):
        readme = (archive / "README.txt").read_text("ascii")
        assert max(map(len, readme.splitlines())) < 80
        game = histories.load(mailed).game
        assert game.chain.game in readme
        sums, signature, independent, whole = re.findall(r"^ {4}(.+)$", readme.replace("\\\n    ", ""), re.MULTILINE)
        assert (independent, whole) == ("python3 -I verify_game.py .", "kursk verify .")

        def shell(line):
            return subprocess.run(["bash", "-c", line], cwd=archive, capture_output=True, text=True, check=False)

        assert [line.split()[0] for line in shell(sums).stdout.splitlines()] == [*game.chain.ids]
        writer = game.chain.writer(0)
        assert shell(signature.replace("SIDE", writer)).returncode == 0
        assert shell(signature.replace("SIDE", game.chain.writer(1))).returncode != 0
        assert shell(signature.replace("SIDE", writer).replace("0000", "0001")).returncode != 0

    def test_the_same_bytes_whatever_mail_did_to_the_files(self, mailed, archive, tmp_path):
        mangled = tmp_path / "mangled"
        mangled.mkdir()
        for path in folders.message_files(mailed):
            lines = path.read_text("ascii").splitlines()
            (mangled / path.name).write_bytes("".join(f"  {line}  \r\n\r\n" for line in lines).encode("ascii"))
        export.export(mangled, tmp_path / "again")
        assert contents(tmp_path / "again") == contents(archive)

    def test_an_archive_of_an_archive_is_the_same(self, archive, tmp_path):
        export.export(archive, tmp_path / "again")
        assert contents(tmp_path / "again") == contents(archive)

    def test_a_game_that_has_gone_on_goes_into_the_same_folder(self, mailed, archive, tmp_path):
        shorter = tmp_path / "shorter"
        shutil.copytree(mailed, shorter)
        for path in folders.message_files(shorter)[5:]:
            path.unlink()
        out = tmp_path / "growing"
        assert len(export.export(shorter, out).written) == 12
        assert {path.name for path in export.export(mailed, out).written} == {
            f"000{k}.json{ending}" for k in (5, 6, 7) for ending in ("", ".sig")
        }
        assert contents(out) == contents(archive)

    def test_other_letters_stay_what_they_are(self, tmp_path):
        for side in ("german", "russian"):
            keys.generate_key_pair(tmp_path / side, entropy.random_bytes())
        opponent = keys.read_public(tmp_path / "russian.pub")
        names = {"german": "J\u00fcrgen", "russian": "\u0411\u043e\u0440\u0438\u0441"}
        proposal = begin.Proposal("battle-for-kursk/citadel", "german", opponent, names, {})
        path = begin.propose_game(proposal, tmp_path / "german", tmp_path, tmp_path / "home").newest
        out = tmp_path / "archive"
        export.export(path.parent, out)
        assert names["russian"].encode("utf-8") in (out / "0000.json").read_bytes()
        assert (out / "README.txt").read_bytes().isascii()
        assert verify.verify_game(out).status == 0

    def test_nothing_private_is_in_it(self, demo, archive):
        """The archive has no secrets, no sealed values or salts, and no paths."""
        hidden, salts = set(), set()
        for side in ("german", "russian"):
            home = demo / side / "private"
            (facts,) = home.glob("games/*/game.json")
            hidden.add(json.loads(facts.read_text("utf-8"))["secret"])
            hidden.add((demo / side / "me").read_text("ascii").splitlines()[3])
            for slot in home.glob("games/*/journal/*.json"):
                seals = json.loads(slot.read_text("utf-8")).get("seals", {})
                salts |= {seal["salt"] for seal in seals.values()}
        read = [folders.read_message(path) for path in folders.message_files(archive)]
        opened = {entry["salt"] for message in read for entry in message.mapping("reveal").values()}
        text = b"\n".join(contents(archive).values()).decode("utf-8")
        assert len(hidden) == 4
        assert not any(secret in text for secret in hidden)
        assert {salt for salt in salts if salt in text} == opened
        assert len(salts - opened) == 1  # the posture that message 7 sealed
        assert str(demo) not in text


class TestWhatIsRefused:
    def test_a_game_that_does_not_hold(self, mailed, tmp_path):
        shutil.copytree(mailed, tmp_path / "game")
        path = tmp_path / "game" / "0004.yaml"
        path.write_text(path.read_text("ascii").replace("ponyri/combat: '2'", "ponyri/combat: '5'"), encoding="ascii")
        with pytest.raises(TrustError) as refused:
            export.export(tmp_path / "game", tmp_path / "out")
        assert refused.value.fault == "signature"
        assert not (tmp_path / "out").exists()

    def test_no_game(self, tmp_path):
        with pytest.raises(UsageError, match="no game folder"):
            export.export(tmp_path, tmp_path / "out")

    @pytest.mark.parametrize("name", ["0003.json", "0003.json.sig", "README.txt", "allowed_signers"])
    def test_a_file_that_differs_is_not_overwritten(self, mailed, archive, name):
        (archive / name).write_text("something else", encoding="ascii")
        (archive / "0000.json").unlink()
        before = contents(archive)
        with pytest.raises(UsageError, match=f"{name} exists with other contents"):
            export.export(mailed, archive)
        assert contents(archive) == before

    def test_a_folder_in_the_place_of_a_file(self, mailed, archive):
        (archive / "README.txt").unlink()
        (archive / "README.txt").mkdir()
        with pytest.raises(UsageError, match=r"README\.txt exists with other contents"):
            export.export(mailed, archive)

    @pytest.mark.parametrize("name", ["0008.json", "0008.json.sig", "0000.yaml"])
    def test_another_message_in_the_folder(self, mailed, archive, name):
        (archive / name).write_text("of a longer game", encoding="ascii")
        with pytest.raises(UsageError, match=f"{name} is not part of the archive"):
            export.export(mailed, archive)

    def test_other_files_may_lie_there(self, mailed, archive):
        (archive / "verify_game.py").write_text("a copy", encoding="ascii")
        assert export.export(mailed, archive).written == ()

    def test_another_game_in_the_folder(self, archive):
        before = contents(archive)
        with pytest.raises(UsageError, match=r"0000\.json exists with other contents"):
            export.export(SHORT, archive)
        assert contents(archive) == before

    def test_the_folder_of_the_game_itself(self, mailed):
        with pytest.raises(UsageError, match="choose another folder"):
            export.export(mailed, mailed / ".." / mailed.name)

    def test_a_file_in_the_place_of_the_folder(self, mailed, tmp_path):
        (tmp_path / "out").write_text("", encoding="ascii")
        with pytest.raises(UsageError, match="is a file"):
            export.export(mailed, tmp_path / "out")
        with pytest.raises(UsageError, match="cannot be made"):
            export.export(mailed, tmp_path / "out" / "below")


class TestReading:
    def test_it_is_verified_whole(self, mailed, archive):
        found, same = verify.verify_game(archive), verify.verify_game(mailed)
        assert found.status == 0
        assert (found.game, found.head, found.messages) == (same.game, same.head, same.messages)
        assert [*folders.find_games(archive.parent)] == [archive]
        other = verify.verify_game(archive, "ab" * 16)
        assert (other.status, other.fault) == (3, "head")
        assert str(archive / "0007.json") in other.text

    def test_reports_are_the_same(self, mailed, archive):
        assert [*map(reports.report_step, histories.walk(archive))] == [
            *map(reports.report_step, histories.walk(mailed))
        ]

    def test_commands_that_look_take_it(self, mailed, archive, monkeypatch, capsys, tmp_path):
        monkeypatch.setenv("KURSK_HOME", str(tmp_path / "nobody"))

        def shows(*words):
            capsys.readouterr()
            assert run([str(word) for word in words]) == 0
            return capsys.readouterr().out

        assert "verified, 8 messages" in shows("verify", archive)
        for command in ("status", "report", "map", "moves", "odds"):
            told, same = (shows(command, folder).replace(str(folder), "") for folder in (archive, mailed))
            assert told == same
            told, same = shows(command, archive / "0003.json"), shows(command, mailed / "0003.yaml")
            assert told.replace(str(archive), "") == same.replace(str(mailed), "")

    def test_one_message(self, archive, capsys):
        assert run(["verify", str(archive / "0004.json")]) == 0
        assert "the signature holds, without a position" in capsys.readouterr().out
        (archive / "0004.json.sig").write_bytes((archive / "0006.json.sig").read_bytes())
        assert run(["verify", str(archive / "0004.json")]) == 3
        assert "this copy differs from the signed message" in capsys.readouterr().err

    def test_the_bytes_must_be_the_canonical_ones(self, archive):
        path = archive / "0004.json"
        path.write_bytes(path.read_bytes().replace(b'":"', b'": "', 1))
        with pytest.raises(FileError, match="not canonical JSON"):
            histories.load(archive)

    def test_a_signature_is_missing(self, archive):
        (archive / "0004.json.sig").unlink()
        found = verify.verify_game(archive)
        assert found.status == 2
        assert "0004.json.sig: there is no such file" in found.text

    @pytest.mark.parametrize("letters", ["\u0421".encode(), b"", b"\xff"])
    def test_a_signature_that_is_none(self, archive, letters):
        (archive / "0004.json.sig").write_bytes(letters)
        assert verify.verify_game(archive).fault == "signature"

    @pytest.mark.parametrize(
        ("lost", "text"),
        [
            (("0005.json", "0005.json.sig"), "0005.json: message 5 is missing, and later messages are there"),
            (("0005.json",), "0005.json: message 5 is missing, and the signature is there"),
            (("0007.json",), "0007.json: message 7 is missing, and the signature is there"),
        ],
    )
    def test_a_gap(self, archive, lost, text):
        for name in lost:
            (archive / name).unlink()
        found = verify.verify_game(archive)
        assert found.fault == "chain"
        assert text in found.text

    def test_two_forms_are_not_mixed(self, mailed, archive):
        """A mailed file beside the archive is never passed over in silence; two whole games are never one verdict."""
        shutil.copyfile(mailed / "0007.yaml", archive / "0007.yaml")
        found = verify.verify_game(archive)
        assert found.fault == "chain"
        assert "0000.yaml: message 0 is missing" in found.text
        for path in folders.message_files(mailed):
            shutil.copyfile(path, archive / path.name)
        found = verify.verify_game(archive)  # the script for auditors would read the other form, perhaps another game
        assert (found.status, found.head) == (2, "")
        assert "perhaps of two games" in found.text
        assert [path.suffix for path in folders.message_files(archive)] == [".yaml"] * 8

    def test_a_journal_is_no_archive(self, demo):
        """The private folder holds files NNNN.json too."""
        (journal,) = demo.glob("german/private/games/*/journal")
        assert (journal / "0000.json").is_file()
        assert [*folders.find_games(demo / "german" / "private")] == []
        with pytest.raises(UsageError, match="no game folder"):
            folders.message_files(journal)

    def test_nobody_plays_in_an_archive(self, demo, mailed, archive):
        home = demo / "german" / "private"
        assert desks.open_desk(mailed, home).own is not None
        with pytest.raises(UsageError, match="is an archive for auditors"):
            desks.open_desk(archive, home)
        assert desks.open_desk(archive, archive / "nobody").own is None
        assert prospects.open_prospect(archive / "0004.json", home, ahead=False).what == "after message 4"


class TestCommand:
    def test_what_it_says(self, mailed, tmp_path, capsys):
        out = tmp_path / "out"
        assert run(["export", str(mailed), "-o", str(out)]) == 0
        head = histories.load(mailed).game.chain.head_id
        assert capsys.readouterr().out == f"wrote {out}: 8 messages, head {head[:32]}\n"
        assert run(["export", str(mailed), "--out", str(out)]) == 0
        assert capsys.readouterr().out == f"{out} was complete: 8 messages, head {head[:32]}\n"
        assert run(["export", str(mailed), "-o", str(out), "-q"]) == 0
        assert capsys.readouterr().out == ""

    def test_json(self, mailed, tmp_path, capsys):
        assert run(["export", str(mailed), "-o", str(tmp_path / "out"), "--json"]) == 0
        said = json.loads(capsys.readouterr().out)
        chain = histories.load(mailed).game.chain
        assert (said["game"], said["head"], said["messages"]) == (chain.game, chain.head_id, 8)
        assert said["written"] == sorted(contents(tmp_path / "out"))
        assert Path(said["out"]) == tmp_path / "out"

    def test_it_refuses_with_the_status_of_the_fault(self, mailed, tmp_path, capsys):
        assert run(["export", str(mailed)]) == 2
        assert run(["export", str(mailed), "-o", str(mailed)]) == 2
        shutil.copytree(mailed, tmp_path / "game")
        (tmp_path / "game" / "0003.yaml").unlink()
        alone.cut_blocks(tmp_path / "game")
        assert run(["export", str(tmp_path / "game"), "-o", str(tmp_path / "out")]) == 3
        assert "message 3 is missing" in capsys.readouterr().err
