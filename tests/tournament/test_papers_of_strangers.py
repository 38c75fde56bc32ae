"""The director's desk keeps papers of entrants as evidence, but no papers of strangers (decision 81)."""

from helpers.strangers import says, stranger
from helpers.tourney import begin_two

from kursk_pbem.tournament.papers import fields, mails
from kursk_pbem.trust import keys


def test_false_papers_of_strangers_are_told_and_not_kept(tmp_path):
    world = begin_two(tmp_path, "--swiss", 2)
    false = {"seq": "0", "id": "ab" * 32}
    papers = [says(world.book(), stranger(each), fields.CLAIM, board="1-1", note="x", seen=false) for each in range(20)]
    (tmp_path / "mail").write_text(mails.bundle_papers(papers), encoding="ascii")
    before = len(world.book().log)
    said = world.director.kursk("tournament", "inbox", tmp_path / "mail", "--in", world.folder, status=1)
    assert said.count("two logs exist") == 20
    assert len(world.book().log) == before
    assert not (world.folder / "evidence").exists()
    anna = keys.load_key(world.entrants["anna"].key)
    paper = says(world.book(), anna, fields.CLAIM, board="1-1", note="x", seen=false)
    (tmp_path / "mail").write_text(mails.bundle_papers([paper]), encoding="ascii")
    world.director.kursk("tournament", "inbox", tmp_path / "mail", "--in", world.folder, status=1)
    assert len(list((world.folder / "evidence").iterdir())) == 1
