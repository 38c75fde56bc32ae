"""The first time: what was signed before has been mailed by hand, or goes out; that word can be taken back."""

from helpers import postal

from kursk_pbem.post.round.delivery import begin, begun
from kursk_pbem.post.round.office import Office, hindrance


def office(friend):
    return Office(friend.home, friend.place)


def slates(friend):
    return list(office(friend).slates())


def test_letters_go_out_by_themselves_only_after_the_first_time(pair):
    """What was signed before this desk had a post may have been mailed by hand: its owner says so once."""
    anna, boris, game = pair
    boris.sign(game)
    assert not begun(boris.home)
    begin(office(boris), slates(boris))
    assert begun(boris.home)
    assert slates(boris) == []
    postal.carried(game, 1, boris, anna)
    anna.sign(game)
    postal.carried(game, 2, anna, boris)
    boris.sign(game)
    assert [slate.letter.seq for slate in slates(boris)] == [3]


def test_what_was_not_mailed_after_all_goes_out(pair, capsys):
    """Whoever had once said --as-sent by mistake had to mail the file by hand: '--again' knew no such letter."""
    anna, boris, game = pair
    anna.kursk("people", "add", "boris", boris.address, "-q")
    begin(office(anna), slates(anna))
    assert slates(anna) == []
    anna.kursk("outbox", "--again", f"{game[:8]}/1", status=2)
    anna.kursk("outbox", "--again", f"{game[:8]}/0")
    assert f"{game[:8]}/0 counts as mailed no more: it is to go out" in capsys.readouterr().out
    (slate,) = slates(anna)
    assert (slate.letter.seq, slate.letter.edition, hindrance(office(anna), slate)) == (0, 0, "")
    begin(office(anna), slates(anna))
    boris.sign(game)
    postal.carried(game, 1, boris, anna)
    anna.kursk("outbox", "--again", f"{game[:8]}/0", status=2)  # its answer is here
