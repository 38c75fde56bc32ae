"""Key and mails make journal, seals and board again, byte for byte; the player signs on with equal bytes (2.6, 3.7)."""

import random
import shutil

import pytest
from helpers import registry, signed_play

from kursk_pbem.desk.own import desks
from kursk_pbem.desk.rescue import restore
from kursk_pbem.game import entropy, folders

KITS = [pytest.param(kit, id=kit.id, marks=[pytest.mark.long] * bool(n)) for n, kit in enumerate(registry.kits()[::-1])]
LAST = 8


@pytest.mark.parametrize("kit", KITS)
def test_3_7_key_and_mails_make_journal_seals_and_board_again(kit, tmp_path):
    scenario, options = kit.of_seed(0)
    with entropy.fix_random_bytes("key and mails"):
        table = signed_play.Table(tmp_path / "table", scenario, options).begin()
        chooser = kit.chooser(table.game.setting, random.Random(7))
        while table.game.chain.next_seq < LAST and not table.game.over:
            table.turn(table.due.choose(chooser))
    for side, player in table.players.items():
        old, new = player.sit(), tmp_path / side
        new.mkdir()
        shutil.copy(player.key, new)
        mails = folders.message_files(table.players[table.other(side)].folder)
        got = restore.restore_game(new / old.folder.name, mails, new / player.key.name, new / "private")
        desk = desks.open_desk(got.desk.folder, new / "private")
        assert got.lost == ()
        assert (desk.own.secret, desk.own.side, desk.own.seqs) == (old.own.secret, side, old.own.seqs)
        for seq in old.own.seqs:
            now, was = desk.own.read_slot(seq), old.own.read_slot(seq)
            assert (now.id, now.text) == (was.id, was.text)
        for path in (*folders.message_files(old.folder), *old.folder.glob("report-????.txt")):
            assert (desk.folder / path.name).read_bytes() == path.read_bytes(), path.name
        if desk.game.chain.outstanding_seals(side):
            assert desks.list_reveals(desk, desk.own) == desks.list_reveals(old, old.own)
