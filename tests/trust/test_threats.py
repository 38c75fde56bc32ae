"""The threats of docs/auditors.md, section 6: every row has tests that bear its number, here or elsewhere."""

from __future__ import annotations

import base64
import hashlib
import re
import shutil
from itertools import product
from pathlib import Path

from helpers.cheating import Cheat
from helpers.commands import tree
from helpers.signed_play import RefereedTable, Table
from rulesets.battle_for_kursk.first_turn import BATTLE, ENGAGE, OPENING, ORDERS

from kursk_pbem.audit import verify
from kursk_pbem.desk.own import desks
from kursk_pbem.formats.canonical import canon, sha256_hex
from kursk_pbem.game import entropy, folders, journal
from kursk_pbem.trust import commit, keys, messages, sshsig

TESTS = Path(__file__).parents[1]
DOC = (TESTS.parent / "docs" / "auditors.md").read_text(encoding="utf-8")
POSTURES = [
    {"posture": posture, "reaction": reaction}
    for posture, reaction in product(("pause", "reposition", "deploy", "engage"), ("no", "yes"))
]


def test_every_row_of_the_threat_table_has_a_test():
    """Every test with a number has a row, and the rows follow the design, in order."""
    section = re.split(r"^## ", DOC.split("## 6. Threats and limits\n", 1)[1], maxsplit=1, flags=re.MULTILINE)[0]
    rows = [int(number) for number in re.findall(r"^\* T([0-9]+), ", section, re.MULTILINE)]
    code = "\n".join(path.read_text(encoding="utf-8") for path in TESTS.rglob("test_*.py"))
    names = re.findall(r"^ *def test_((?:T[0-9]+_)+)", code, re.MULTILINE)
    tested = {int(number) for name in names for number in re.findall(r"T([0-9]+)_", name)}
    assert rows == [*range(1, 62)]
    assert tested == set(rows)


def test_T4_who_has_his_dice_in_sight_has_nothing_left_to_choose_for_them(declared):
    """Before the answer he cannot know them, though he knows his secret; after it his orders and plans are bound."""
    german, russian = declared.german, Cheat(declared)
    opening = desks.compute_opening(russian_writes(german, russian, "one"), german.desk.own)
    there = [russian_writes(german, russian, note) for note in ("one", "two", "three")]
    assert len({desk.game.chain.seed_with(opening) for desk in there}) == 3
    declared.turn({})
    cheat = Cheat(declared)
    honest = cheat.content({})
    assert cheat.heard(cheat.text(honest)) == (0, "")
    for choices in (
        {"orders": {"battles": [BATTLE]}},
        {"policy": {"stand-fast": "always"}},
        {"waive": "posture"},
        {"choice": {"posture/turn-1": ENGAGE}},
        {"decisions": {"ponyri": "accept"}},
    ):
        assert cheat.heard(cheat.text(cheat.content(choices)))[0] == 1, choices
    sealed_plan = honest["reveal"]["plans/2"]
    for plan in ({"losses": ["g-41-pz"]}, {"retreat": ["away 2113"]}, {}):
        revealed = {"plans/2": {**sealed_plan, "value": {"ponyri": plan}}}  # dice and positions go with it
        assert cheat.heard(cheat.text(cheat.content({"reveal": revealed})))[0] == 3, plan


def russian_writes(german, russian, note):
    """The German's desk, had the Russian's answer this note."""
    text = russian.text({**russian.content({}), "note": note})
    return desks.add_message(german.desk, messages.read_message(text.encode("ascii"), "letter"))


def test_T5_a_right_that_is_not_used_before_the_dice_is_lost(declared):
    """The empty answer counts: the dice fall on it at once, and no later message can use the right or wait for it."""
    declared.turn({})
    german = Cheat(declared)
    rolled = german.content({})
    assert set(rolled["dice"]) == {"ponyri/combat"}
    unrolled = {key: value for key, value in rolled.items() if key != "dice"}
    status, said = german.heard(german.text(unrolled))
    assert (status, "is missing" in said) == (3, True)
    letter = declared.turn({})
    assert folders.read_message(letter).mapping("dice") == rolled["dice"]
    late = Cheat(declared)
    answer = {"battles": {"ponyri": {"exchange-dr": "always"}}}
    for choices in ({"policy": answer}, {"decisions": {"ponyri": "exchange"}}):
        assert late.heard(late.text(late.content(choices)))[0] == 1, choices


def test_T15_the_keys_are_shown_before_anything_is_agreed_and_no_others_sign(table, tmp_path):
    """Players compare keys by telephone, so a man in the middle cannot replace keys unseen."""

    def fingerprint(path):
        blob = base64.b64decode(path.read_text("ascii").split()[1])
        return "SHA256:" + base64.b64encode(hashlib.sha256(blob).digest()).decode("ascii").rstrip("=")

    anna, boris, mallory = table.german, table.russian, tmp_path / "mallory"
    keys.generate_key_pair(mallory, hashlib.sha256(b"mallory").digest())
    proposal = folders.read_message(anna.folder / "0000.yaml")

    def proposed(name, pinned):
        content = {**proposal.content, "keys": pinned}
        armour = keys.load_key(mallory).sign(sshsig.NAMESPACE, messages.signed_bytes(content))
        path = tmp_path / f"{name}.yaml"
        path.write_text(messages.emit_message(content, armour, proposal.state), encoding="ascii")
        return path

    said = boris.kursk("accept", anna.folder / "0000.yaml", "--key", boris.key, "--dir", boris.place)
    assert f"key of german: {fingerprint(anna.place / 'me.pub')}\n" in said
    assert f"key of russian: {fingerprint(boris.place / 'me.pub')}\n" in said
    for_anna = proposed("for-anna", {**proposal.content["keys"], "german": keys.load_key(mallory).public})
    said = boris.kursk("accept", for_anna, "--key", boris.key, "--dir", tmp_path / "new")
    assert fingerprint(anna.place / "me.pub") not in said
    assert f"key of german: {fingerprint(mallory.with_suffix('.pub'))}\n" in said
    stranger = keys.from_seed(bytes(32)).public
    for_boris = proposed("for-boris", {"german": keys.load_key(mallory).public, "russian": stranger})
    words = ("accept", for_boris, "--key", boris.key, "--dir", tmp_path / "newer")
    boris.kursk(*words, status=2, told="ask for a proposal with your key")
    table.turn(OPENING)
    german = Cheat(table)
    text = messages.emit_message(
        content := german.content(ORDERS), keys.load_key(mallory).sign(sshsig.NAMESPACE, canon(content))
    )
    assert german.heard(text)[0] == 3


def sealed(root, value):
    """Return a table with a sealed Russian posture, and his game folder: name -> text."""
    with entropy.fix_random_bytes("guess"):
        table = Table(root).begin()
        table.turn({**OPENING, "seal": {"posture/turn-1": value}})
    files = (path for path in table.russian.folder.rglob("*") if path.is_file())
    return table, {path.name: path.read_text("utf-8") for path in files}


def test_T23_a_hidden_choice_is_not_found_by_trying_all(tmp_path):
    """Mail and game folder are equal for every posture, except hashes, and the hashes cannot be computed."""
    shown = []
    hashes = re.compile(r"[0-9a-f]{16,}|[A-Za-z0-9+/]{20,}=*")
    for value in POSTURES[1::3]:
        table, files = sealed(tmp_path / str(value), value)
        shown.append({name: re.sub(r"\s+", " ", hashes.sub("#", text)) for name, text in files.items()})
        mailed = " ".join(files.values())
        chain, salt = table.russian.desk.game.chain, table.russian.desk.own.read_slot(1).seals["posture/turn-1"]["salt"]
        assert commit.choice_hash(chain.nonce, 1, "posture/turn-1", bytes.fromhex(salt), value).hex() in mailed
        assert salt not in mailed
        known = [bytes(16), chain.nonce[:16], chain.openings[1][:16], bytes.fromhex(chain.game)[:16]]
        for guess in POSTURES:
            for each in known:
                assert commit.choice_hash(chain.nonce, 1, "posture/turn-1", each, guess).hex() not in mailed
            for text in (guess, guess["posture"], {"posture/turn-1": guess}):
                assert sha256_hex(canon(text)) not in mailed
    assert all(each == shown[0] for each in shown)
    assert len(shown) > 2


def test_T25_a_stolen_private_folder_tells_nothing_of_another_game(tmp_path):
    """Openings and salts follow from the secret of a game. The secret does not reveal the key."""
    with entropy.fix_random_bytes("thief"):
        first = Table(tmp_path / "first").begin()
        first.turn(OPENING)
    with entropy.fix_random_bytes("thief"):
        second = Table(tmp_path / "second")  # the same two keys
        entropy.random_bytes()  # and another game
        second.begin().turn(OPENING)
    stolen, other = first.russian.desk.own, second.russian.desk.own
    chain = second.russian.desk.game.chain
    assert chain.keys == first.russian.desk.game.chain.keys
    assert chain.game != first.russian.desk.game.chain.game

    def opens(secret):
        return commit.commit_to_opening(chain.nonce, 3, desks.derive_opening(chain, secret, 3)) == chain.commitments[3]

    assert opens(other.secret)
    assert not opens(stolen.secret)
    assert stolen.read_slot(1).seals["posture/turn-1"]["salt"] != other.read_slot(1).seals["posture/turn-1"]["salt"]
    private_half = base64.b64decode(b"".join(first.russian.key.read_bytes().splitlines()[1:-1]))
    seed = private_half[private_half.rindex(sshsig.public_key(chain.keys["russian"])) - 32 :][:32]
    assert keys.from_seed(seed).public == chain.keys["russian"]
    for path in (each for each in stolen.path.rglob("*") if each.is_file()):
        assert not any(found in path.read_bytes() for found in (seed, seed.hex().encode(), other.secret.hex().encode()))


def test_T33_a_referee_who_relays_has_no_die_to_tell_and_one_who_rolls_has(relayed, tmp_path):
    """A limit: what he knows he can tell. Relaying he has the mails, and no secret of a die is in them ahead of it."""
    rolled = RefereedTable(tmp_path / "rolled").begin()
    rolled.turn(OPENING)
    german = relayed.german.desk
    secret = desks.compute_opening(german, german.own).hex()
    seen = b"".join((german.folder / f"{seq:04d}.yaml").read_bytes() for seq in range(4))
    assert seen.count(bytes.fromhex(secret)) + seen.count(secret.encode()) == 0
    assert secret in folders.read_message(relayed.turn({})).text("open")
    referee = rolled.referee.desk
    assert referee.game.chain.next_seq == 3  # the German's orders are due, and the dice for them are the referee's
    ahead = desks.derive_opening(referee.game.chain, referee.own.secret, 4)
    assert commit.commit_to_opening(referee.game.chain.nonce, 4, ahead) == referee.game.chain.commitments[4]


def test_T39_nothing_remembers_that_a_game_was_well(declared):
    """A head covers no signature, and a stranger can write a file "verified": every check is complete."""
    folder = declared.german.folder
    before = tree(declared.german.place)
    assert verify.verify_game(folder).status == 0
    declared.german.kursk("verify", folder)
    assert tree(declared.german.place) == before
    head = verify.verify_game(folder).head
    for name in ("verified", "cache.json", f"{head}.ok"):
        (folder / name).write_text(f"{head}\n", encoding="ascii")
    path = folder / "0001.yaml"
    good = folders.read_message(path)
    raw = bytearray(sshsig.read_armour(good.armour))
    raw[-40] ^= 1
    key = sshsig.public_key(declared.german.desk.game.chain.keys["russian"])
    proposed = folders.read_message(folder / "0000.yaml").armour
    for armour in (sshsig.armour_signature(key, sshsig.NAMESPACE, bytes(raw[-64:])), proposed):
        path.write_text(messages.emit_message(good.content, armour, good.state), encoding="ascii")
        assert folders.read_message(path).id == good.id  # the same game, the same head
        assert verify.verify_game(folder).fault == "signature"
        declared.german.kursk("verify", folder, "--head", head, status=3)
        declared.german.kursk("status", folder, status=2)  # the journal has the right message


def test_T40_a_game_whose_id_begins_like_anothers_gets_nothing_of_it(table, tmp_path, monkeypatch):
    """Sixteen digits name a folder, and 2^32 tries make two alike. Here all begin alike."""
    with entropy.fix_random_bytes("threats"):
        stranger = Table(tmp_path / "stranger")  # the same two players
        entropy.random_bytes()
        letter = stranger.begin().turn(OPENING)
    boris, name = table.russian, table.russian.folder.name
    with monkeypatch.context() as patch:
        patch.setattr(folders, "folder_name", lambda game: name)
        patch.setattr(journal, "_game_path", lambda home, game: home / "games" / name.removeprefix("game-"))
        before = tree(table.root)
        proposal = stranger.german.folder / "0000.yaml"
        boris.kursk("accept", proposal, "--key", boris.key, "--dir", boris.place, status=2)
        for path in (proposal, letter):
            boris.kursk("inbox", "--report", path, status=2, told="another game with a similar id")
            beside = Path(shutil.copyfile(path, boris.folder / "mail.yaml"))
            boris.kursk("inbox", "--report", beside, status=2)
            beside.unlink()
        assert tree(table.root) == before
        boris.kursk("verify", boris.folder)
    head = verify.verify_game(stranger.russian.folder).head
    boris.kursk("verify", stranger.russian.folder, "--head", head[:16], status=2)  # a few digits prove no identity
    boris.kursk("verify", stranger.russian.folder, "--head", head[:32])
    assert head[:32] in re.sub(r"\s", "", (stranger.russian.folder / "report-0001.txt").read_text("utf-8"))
