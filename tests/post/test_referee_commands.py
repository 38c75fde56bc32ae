"""The referee's commands with servers in this process: set up, run, list, let pass."""

from helpers import mail_servers, postal
from helpers.mailbags import letter, turn

from kursk_pbem.desk.ground import clock
from kursk_pbem.formats import times
from post.refereed_mail import lets_pass


def test_a_director_sets_up_runs_and_is_told_what_waits(friends, certificates, imap, smtp, capsys):
    anna, boris, ref = friends("anna", "boris", "ref")
    mail_servers.account(ref, certificates, imap.port, smtp.port)
    ref.kursk("people", "card", ref.address, "--no", "-q")
    ref.kursk("people", "add", "anna", anna.address, "--key", anna.place / "me.pub", "-q")
    ref.kursk("referee", "run", "--once", status=2, told="set the days for an answer first")
    ref.kursk("referee", "setup", "--days", "7", "-q")
    ref.kursk("referee", "setup", "--days", "3", status=2)
    game = postal.began(anna, boris, relay=ref.public)
    imap.add(letter(turn(anna, game, 0), anna.address))
    ref.kursk("referee", "run", "--once", told="you may referee: ")
    ref.kursk("referee", told=f"is proposed: 'kursk referee receipt {game[:16]} --days 7'")
    ref.kursk("referee", "receipt", game[:16], "--days", "7", "-q")
    assert "is proposed" not in ref.kursk("referee")
    boris.sign(game)
    imap.add(b"Received: from a by mx.example.test; x\r\n" + letter(turn(boris, game, 1), boris.address))
    imap.add(b"From: anna@example.test\r\nSubject: [kursk 00000000]\r\nMessage-ID: <q@x.test>\r\n\r\nSTATUS\r\n")
    out = ref.kursk("referee", "run", "--once")
    assert f"game {game[:8]}: " in out
    assert "answered anna: status" in out
    said = ref.kursk("referee")
    assert "no address of the" in said
    assert 'arrival-hosts = ["mx.example.test"] to account.toml' in said
    readers = {reader for _sender, reader, _raw in smtp.post.mails}
    assert readers == {anna.address}
    ref.kursk("referee", "pass", game[:8], status=2)  # no late message: the term would end the game anyway
    assert "'kursk referee extend' gives more time" in capsys.readouterr().err
    late = times.add_days(ref.desk(game).game.papers.due(1), 2)
    postal.carried(game, 1, boris, anna)
    anna.sign(game)
    with clock.fix_time(late):
        imap.add(letter(turn(anna, game, 2), anna.address))
        ref.kursk("referee", "run", "--once")
    assert "late: due" in capsys.readouterr().out
    assert not (ref.folder(game) / "0002.yaml").exists()
    with clock.fix_time(late):
        ref.kursk("referee", "pass", game[:8])
        ref.kursk("referee", "pass", "00000000", status=2)
        ref.kursk("referee", "run", "--once")
    assert (ref.folder(game) / "0002.yaml").exists()
    ref.kursk("referee", "pause", "tomorrow", status=2)
    with clock.fix_time(late):
        ref.kursk("referee", "pause", times.add_days(late, 20)[:10], status=2, told="cannot take the time back")
        ref.kursk("referee", "pause", times.add_days(late, 20)[:10], "--yes")
    assert f"is due {times.add_days(late, 20)[:10]}T00:00:00Z" in capsys.readouterr().out


def test_terms_that_cannot_be_understood_are_refused(friends, certificates):
    (ref,) = friends("ref")
    mail_servers.account(ref, certificates, 1, 1)
    ref.kursk("people", "card", ref.address, "--no", "-q")
    path = ref.home / "post" / "referee.toml"
    for text, why in (
        ("days = 0", "days is a number"),
        ("days = 7\nentries = 'always'", "entries is"),
        ("days = 7\nforfeit = 'automatic'", "no setting"),
        ("days = 7\n[games]\n1a = 3", "[games] contains"),
        ("days = 7\ndirector = 'x\\n'", "mail address"),
        ("days =", "referee.toml"),
    ):
        path.write_text(text, encoding="utf-8")
        ref.kursk("referee", status=2, told=why)
    path.write_text("days = 7\n[games]\n1a2b3c4d = 3\n", encoding="utf-8")
    ref.kursk("referee", told="no decisions wait for you")


def test_a_referee_by_hand_reads_what_waits_without_a_mail_account(friends):
    """Bug: the director read only about the missing mail account."""
    anna, boris, ref = friends("anna", "boris", "ref")
    ref.kursk("referee", told="no decisions wait for you")
    game = postal.began(anna, boris, relay=ref.public)
    (ref.place / "0000.yaml").write_bytes(turn(anna, game, 0))
    ref.kursk("referee", "receipt", ref.place / "0000.yaml", "--days", "7", "-q")
    due = ref.desk(game).game.papers.due(0)
    with clock.fix_time(times.add_days(due, 1)):
        said = ref.kursk("referee")
    assert said == (
        f"game {game[:8]}: message 1 of the {boris.desk(game).own_side} side was due {times.tell(due)}, "
        "by the receipt of message 0, with 0 hours of grace: no side can lose before the game binds both players\n"
    )


def test_T55_a_late_message_waits_for_the_director_whatever_file_an_inbox_is_given(late, tmp_path):
    """Bug: 'kursk inbox' accepted waiting turns without a check for lateness."""
    path = tmp_path / "hello.eml"
    path.write_bytes(b"From: carla@example.test\nSubject: hello\n\nhi\n")
    late.ref.kursk("inbox", path, status=2)
    late.director.post()
    assert not (late.folder / "0003.yaml").exists()
    late.ref.kursk("referee", told="message 3 is late")
    late.ref.kursk("inbox", late.boris.folder(late.game) / "0003.yaml")
    assert not (late.folder / "0003.yaml").exists()
    lets_pass(late)
    late.ref.kursk("inbox", path, status=2)
    assert (late.folder / "0003.yaml").exists()
