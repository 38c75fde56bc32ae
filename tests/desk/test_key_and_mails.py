"""Key and mails make the record, the sealed plans and the next message again, byte for byte (protocol 3.7)."""

import random
import shutil

import pytest
from helpers import registry
from helpers.commands import tree
from helpers.signed_play import Table

from kursk_pbem.cli import run
from kursk_pbem.game import entropy, folders

pytestmark = pytest.mark.slow


def play_until_plans(kit, root):
    """Return a table before the message that must reveal plans, and the choices of that message."""
    with entropy.fix_random_bytes(f"key and mails {kit.id}"):
        table = Table(root, kit.scenarios[0]).begin()
        chooser = kit.chooser(table.game.setting, random.Random(7))
        while True:
            writer = table.due
            choose_and_send(table, writer, chooser)
            slot = writer.desk.own.read_slot(writer.desk.seq - 1)
            if any(entry["value"] for label, entry in slot.seals.items() if not label.startswith("posture")):
                choose_and_send(table, table.due, chooser)
                assert table.due is writer
                writer.choose(chooser)
                return table, writer


def choose_and_send(table, writer, chooser):
    writer.choose(chooser)
    table.send()


@pytest.mark.parametrize("kit", registry.kits(), ids=lambda kit: kit.id)
def test_3_7_one_key_and_the_mails_make_the_record_and_the_next_message_again(kit, tmp_path):
    table, writer = play_until_plans(kit, tmp_path / "all")
    draft = writer.draft().read_bytes()
    before = tree(writer.place)
    lost = tmp_path / "lost"
    lost.mkdir()
    shutil.copy(writer.key, lost / "me")
    shutil.copy(writer.place / "me.pub", lost)
    (lost / "mails").mkdir()
    for path in folders.message_files(writer.folder):
        shutil.copy(path, lost / "mails")
    shutil.rmtree(writer.place)
    lost.rename(writer.place)
    words = ["restore", str(writer.folder), str(writer.place / "mails"), "--key", str(writer.key)]
    assert run([*words], ) == 0
