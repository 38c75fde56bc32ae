"""Whatever a person gives to the inbox is answered about itself, in every wrapping: nothing is silence."""

import re
import shutil
from io import BytesIO
from types import SimpleNamespace

import pytest
from helpers import postal, referee_papers, strangers
from helpers.mailbags import turn
from helpers.mails import attached, letter
from helpers.packed import pack_zip
from helpers.things import TAKEN, TALK, THINGS, WRAPPINGS, wrap
from rulesets import toys

from kursk_pbem.cli import run
from kursk_pbem.desk.deals import invitations
from kursk_pbem.desk.rescue import moving
from kursk_pbem.desk.seat import frontpage, linked
from kursk_pbem.desk.seat.room import Room
from kursk_pbem.game import entropy, folders, journal
from kursk_pbem.tournament.papers import forms
from kursk_pbem.trust import card, keys, sofar, sshsig

DOORS = (
    "public key",
    "turn of a later protocol",
    "turn of an unknown type",
    "turn with a changed word",
    "turn cut in its text",
    "turn with one long dash",
    "own unsigned draft",
    "7-Zip archive",
    "encrypted by PGP",
    "PDF",
    "report",
)
CELLS = [(thing, wrapping) for thing in THINGS for wrapping in thing.wrappings]


@pytest.fixture(scope="module")
def _toys():
    with pytest.MonkeyPatch.context() as patch:
        patch.delenv("KURSK_KEY", raising=False)
        toys.plug(patch)
        yield


@pytest.fixture(scope="module")
def _world(tmp_path_factory, _toys):
    """Anna waits for message 1 of Boris, and must write message 1 of a second game; with what she may hold."""
    root = tmp_path_factory.mktemp("things")
    with entropy.fix_random_bytes("things"):
        return build(*postal.make_friends(root, "anna", "boris", "carla"), root / "kept")


def is_text(data):
    try:
        return bool(data.decode())
    except UnicodeDecodeError:
        return False


def build(anna, boris, carla, kept):
    game, second, third = postal.began(anna, boris), postal.began(boris, anna), postal.began(boris, carla)
    for each in (game, third):
        (boris if each == game else carla).sign(each)
    drafted, _checked = anna.fill(second)
    saved = moving.save_everything(anna.home)[0]
    for _time in range(2):
        anna.kursk("tournament", "new", "cup", "--swiss", "3", "--system", "hex-toy/fords", "--yes", "-q")
    shutil.copytree(anna.place, kept)
    raw = sofar.cut_block(turn(boris, game, 1))
    (kept.parent / "1.yaml").write_bytes(raw)
    anna.kursk("inbox", kept.parent / "1.yaml", "-q")
    anna.sign(game)
    boris.kursk("inbox", folders.message_path(anna.folder(game), 2), "-q")
    boris.sign(game)
    relayed = referee_papers.relayed(3)
    invited = invitations.write_invitation(boris.home, boris.key, "hex-toy/fords", {}, {"name": "Boris"})
    log = SimpleNamespace(id="ab" * 32, log=[SimpleNamespace(id="cd" * 32)])
    signer = keys.load_key(boris.key)
    (record,) = (one for one in journal.load_records(anna.home)[0] if one.game == game)
    answer = invitations.write_answer(carla.home, invited, carla.key, "Carla")
    return SimpleNamespace(
        anna=anna,
        kept=kept,
        game=game,
        signer=signer,
        turn=raw,
        mailed=attached(letter(TALK), raw, name="0001.yaml").as_bytes(),
        folder=[(f"game/{path.name}", path.read_bytes()) for path in folders.message_files(boris.folder(game))[:2]],
        first=turn(boris, game, 0),
        later=sofar.cut_block(turn(boris, game, 3)),
        foreign=turn(carla, third, 1),
        draft=folders.draft_path(drafted.folder, 1).read_bytes(),
        report=folders.report_path(anna.folder(game), 1).read_bytes(),
        private=anna.key.read_bytes(),
        public=(boris.place / "me.pub").read_bytes(),
        armour=signer.sign(sshsig.NAMESPACE, b"hello").encode(),
        receipt=referee_papers.text_of(referee_papers.content(relayed)).encode(),
        entry=forms.emit_paper(strangers.says(log, strangers.stranger(1))).encode(),
        card=card.emit_card(card.sign_card(anna.public, "boris@example.test", 3, signer)).encode(),
        invitation=invited.emit().encode(),
        answer=answer.emit().encode(),
        saved=saved,
        record=(record.path / "game.json").read_bytes(),
        secrets=[*anna.key.read_text().splitlines()[1:-1], record.secret.hex()],
    )


@pytest.fixture
def world(_world, monkeypatch):
    """The world, with Anna before message 1."""
    shutil.rmtree(_world.anna.place)
    shutil.copytree(_world.kept, _world.anna.place)
    return _world


@pytest.mark.some(8)
@pytest.mark.parametrize(("thing", "wrapping"), CELLS, ids=[f"{thing.what}, {wrapping}" for thing, wrapping in CELLS])
def test_R2_a_thing_that_a_person_names_is_taken_or_named(thing, wrapping, world, tmp_path, capsys):
    """A player who waits for a turn believes "nothing new": the answer says what the thing is."""
    name, data = wrap(thing, thing.make(world), wrapping)
    (tmp_path / name).write_bytes(data)
    capsys.readouterr()
    with world.anna.sitting():
        status = run(["inbox", str(tmp_path / name)])
    said = " ".join("".join(capsys.readouterr()).split())
    assert "nothing new" not in said
    elsewhere = wrapping in ("mbox", "zip") and "unknown here" in said  # they may hold games of another machine
    assert status == (0 if thing.words == TAKEN or elsewhere else thing.status), said
    assert not [secret for secret in world.secrets if secret in said]
    taken = folders.message_path(world.anna.folder(world.game), 1)
    if thing.words == TAKEN:
        got = sofar.cut_block(taken.read_bytes())
        assert got in (world.turn, world.turn[: world.turn.index(b"state:")]), said
    else:
        assert not taken.exists()
        assert re.search(thing.words, said), said


def test_R2_a_place_of_an_earlier_day_is_counted_and_not_named(world, tmp_path, capsys):
    """The owner names the folder once; later only a person who owes a message is named."""
    folder = tmp_path / "saved"
    folder.mkdir()
    (folder / "talk.eml").write_bytes(b"From: carla@example.test\nSubject: hello\n\nhi\n")
    with world.anna.sitting():
        assert run(["inbox", str(folder)]) == 2
        assert "1 mail without a turn: look for the mail" in capsys.readouterr().err
        assert run(["inbox"]) == 0
    assert f"1 mail without a turn in {folder}\n" in capsys.readouterr().out


def open_doors(at, path):
    """Return what each door says of a file, with its status: the commands, and the board."""
    game = str(at.game[:12])
    commands = {
        "inbox": ("inbox",),
        "inbox of one turn": ("inbox", "--report"),
        "accept": ("accept",),
        "enter": ("tournament", "enter", "--yes"),
        "director": ("tournament", "inbox", "--in", "cup"),
        "referee": ("referee", "receipt", "--days", "7"),
        "restore": ("restore", game),
        "verify": ("verify",),
        "prove": ("prove",),
        "invite": ("invite", "--answer"),
    }
    said = {name: at.says(*words, str(path)) for name, words in commands.items()}
    room = Room(at.anna.home, at.anna.place, at.anna.key, at.anna.place)
    with path.open("rb") as stream:
        dropped = list(frontpage.take_file(room, stream, path.name))
    said["board, dropped"] = (2 * all(entry.get("bad") for entry in dropped), str(dropped))
    if is_text(path.read_bytes()):
        shown = linked.show_text(room, path.read_text(encoding="utf-8"))
        said["board, pasted"] = (2 * shown["bad"], str(shown["warnings"]))
    return said


@pytest.mark.parametrize("what", DOORS)
def test_R5_a_thing_gets_one_verdict_at_every_door(what, world, tmp_path, capsys):
    """The sender of a turn of a later program sends the same again, for ever, if one door asks for it again."""
    (thing,) = (each for each in THINGS if each.what == what)
    path = tmp_path / thing.name
    path.write_bytes(thing.make(world))

    def says(*words):
        capsys.readouterr()
        with world.anna.sitting():
            status = run([*words])
        return status, " ".join("".join(capsys.readouterr()).split())

    world.says = says
    found = open_doors(world, path)
    assert found["restore"][0] in (0, 2)  # 0: the game is complete without the thing
    found["restore"] = (2, found["restore"][1])
    if what == "turn with a changed word":  # a proof collects also what is signed wrongly
        assert found.pop("prove")[0] == 1
    wrong = {door: said for door, said in found.items() if said[0] != 2 or not re.search(thing.words, said[1])}
    assert not wrong, "\n".join(f"{door}: {said}" for door, said in wrong.items())


def test_R2_a_zip_dropped_on_the_board_is_taken_and_its_damaged_turn_named(world):
    """A player drops what the opponent sent; the intact turn counts, and the damaged turn is no silence."""
    room = Room(world.anna.home, world.anna.place, world.anna.key, world.anna.place)
    damaged = world.foreign.replace(b"seq: '1'", b"seq: '3'")
    sent = pack_zip(("1.yaml", world.turn), ("answer.yaml", world.answer), ("other.yaml", damaged))
    answered, taken, refused = frontpage.take_file(room, BytesIO(sent), "all.zip")
    assert sofar.cut_block(folders.message_path(world.anna.folder(world.game), 1).read_bytes()) == world.turn
    assert [entry.get("bad", False) for entry in (answered, taken, refused)] == [False, False, True]
    assert (taken["game"], answered["look"].encode()) == (world.game, world.answer)
    assert "changed on the way" in str(refused["lines"])


def test_R2_the_table_has_fifty_things_in_five_wrappings():
    assert len({thing.what for thing in THINGS}) == len(THINGS) >= 50
    assert {wrapping for _thing, wrapping in CELLS} == {*WRAPPINGS}
    assert len(CELLS) >= 250
