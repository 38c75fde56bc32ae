"""Commands of directors, relaying referees and players: no keys, no paths, no ambiguous game."""

import shutil

import pytest
from helpers.commands import refused, well

from kursk_pbem.desk.ground import clock
from kursk_pbem.game import keyring


@pytest.fixture
def desk(seat, capsys):
    """Return a function that changes to a person's folders. Each person has a key, and the public keys of all."""
    places = {who: seat(who) for who in ("director", "anna", "boris")}
    for who in places:
        seat(who)
        well(capsys, "keygen", "me")
    for who, place in places.items():
        for other in places.values():
            shutil.copyfile(place / "me.pub", other / f"{who}.pub")
    return seat


def propose(capsys, *words):
    return well(capsys, "propose", "battle-for-kursk/citadel", "--key", "me", *words)


def test_an_opponent_is_called_as_the_file_of_their_key(capsys, desk):
    """'kursk keygen' gives every key the same comment; a player who saves boris.pub means Boris."""
    desk("anna")
    said = propose(capsys, "--as", "german", "--opponent", "boris.pub")
    assert said.startswith("wrote game-")  # the next step comes first, the provenance follows
    assert well(capsys, "status").splitlines()[1].split()[1] == "boris"
    assert "Citadel" in well(capsys, "status", "boris")


def test_a_director_keeps_time_with_the_key_of_the_proposal(capsys, desk):
    """In a game with dice by a referee the private folder knows the key, as for 'adjudicate'."""
    desk("director")
    propose(capsys, "--referee", "--player", "german=anna.pub", "--player", "russian=boris.pub")
    assert "anna against boris" in well(capsys, "status")
    with clock.fix_time("1943-07-01T10:00:00Z"):
        said = well(capsys, "referee", "receipt", "--days", "7")
    assert "message 1 is due 1943-07-08T10:00:00Z" in said
    with clock.fix_time("1943-07-06T08:00:00Z"):
        running = well(capsys, "status")
    with clock.fix_time("1943-07-08T13:00:00Z"):
        over = well(capsys, "status")
    assert "    deadline: 1943-07-08 10:00 UTC (2 days 2 hours left), by the referee's word\n" in running
    assert "    deadline: 1943-07-08 10:00 UTC (over for 3 hours), by the referee's word\n" in over
    assert "boris (Russian) writes the message" in " ".join(well(capsys, "status").split())
    assert "not bound" in refused(capsys, 2, "referee", "forfeit", "anna")
    assert "give your key with --key" in refused(capsys, 2, "referee", "receipt", "nosuch.yaml", "--days", "7")


def test_mails_saved_among_the_folders_are_no_second_game(capsys, desk):
    """A relaying referee saves 0000.yaml and takes the proposal: the game is in its folder, and not a second time
    here."""
    propose_at = desk("anna")
    propose(capsys, "--as", "german", "--opponent", "boris.pub", "--relay", "director.pub")
    proposal = next(propose_at.glob("game-*/0000.yaml"))
    place = desk("director")
    shutil.copyfile(proposal, place / "0000.yaml")
    folder = proposal.parent.name
    well(capsys, "referee", "receipt", "0000.yaml", "--key", "me", "--received", "1943-07-01T10:00:00Z", "--days", "7")
    assert well(capsys, "status").count("battle-for-kursk/citadel") == 1
    assert folder in well(capsys, "status", folder[5:9])
    said = refused(capsys, 2, "referee", "forfeit", "--key", "me")  # the folder of the game, with the receipt
    assert "no receipt" not in said
    assert "of an id give 4 digits or more" in refused(capsys, 2, "status", "ab")
    assert "message 3 of a game is 'NAME/3'" in refused(capsys, 2, "report", "3")


def test_an_offer_is_answered_without_a_path(capsys, desk):
    anna = desk("anna")
    propose(capsys, "--as", "german", "--opponent", "boris.pub")
    letter = next(anna.glob("game-*/0000.yaml"))
    boris = desk("boris")
    well(capsys, "accept", letter, "--key", "me")
    well(capsys, "sign", "--yes")
    reply = next(boris.glob("game-*/0001.yaml"))
    desk("anna")
    said = well(capsys, "inbox", "--report", reply)
    assert ": type 'kursk order' or edit game-" in said
    assert f"wrote {letter.parent.name}/0001.yaml\n" in said
    well(capsys, "sign", "--yes")
    desk("boris")
    well(capsys, "inbox", "--report", letter.with_name("0002.yaml"))
    well(capsys, "sign", "--yes")
    desk("anna")
    well(capsys, "inbox", "--report", reply.with_name("0003.yaml"))
    well(capsys, "offer", "draw", "--yes")
    desk("boris")
    said = well(capsys, "inbox", "--report", letter.with_name("0004.yaml"))
    assert f"'kursk reply {letter.parent.name[5:13]} decline', or" in said
    assert f"wrote {letter.parent.name}/0005.yaml: mail it" in well(capsys, "reply", "no", "--yes")
    assert "was signed before" in well(capsys, "reply", "decline")
    said = refused(capsys, 2, "reply", letter.parent, "yes", silent=False)
    assert "says 'decline'" in said


def test_a_key_that_everybody_calls_so_names_nobody(tmp_path):
    for name, called in (("me", ""), ("boris", "boris"), ("id_ed25519", ""), ("petra of orel", "petra of orel")):
        keyring.make(tmp_path / name)
        assert keyring.read_comment(tmp_path / f"{name}.pub") == called


def test_a_rule_needs_no_ruleset_where_one_is_played(capsys, desk):
    desk("anna")
    assert "name a ruleset before '9.2.1'" in refused(capsys, 2, "rule", "9.2.1")
    propose(capsys, "--as", "german", "--opponent", "boris.pub")
    assert well(capsys, "rule", "9.2.1").startswith("[9.2.1] Offensives")
    assert "K-52" in well(capsys, "rule", "fortification")


def test_a_rule_is_found_by_the_name_of_a_scenario(capsys, desk):
    """Bug: the command answered 'name a ruleset before 'citadel 7.2'', although every other command accepts the
    name."""
    desk("anna")
    for said in ("citadel", "battle-for-kursk/citadel"):
        assert well(capsys, "rule", said, "7.2") == well(capsys, "rule", "battle-for-kursk", "7.2")
        assert well(capsys, "rule", said) == well(capsys, "rule", "battle-for-kursk")
    assert "name a ruleset before 'nowhere 7.2'" in refused(capsys, 2, "rule", "nowhere", "7.2")


@pytest.mark.parametrize("command", ["sign", "check"])
def test_any_other_file_is_no_broken_game(capsys, desk, command):
    """Status 3 is for possible fraud: a key or a note among saved mails is harmless."""
    place = desk("anna")
    (place / "0001.yaml").write_text("a mail that was saved here\n", encoding="ascii")
    assert "me is no draft" in refused(capsys, 2, command, "me")
