"""Commands of post and of a referee's mailbox work with --json, and print only records (decision 67)."""

from helpers import mail_servers, postal, printed
from helpers.mail_servers import Imap
from helpers.mailbags import letter, turn

from kursk_pbem.desk.ground import clock
from kursk_pbem.formats import times


def test_post_with_json_alone(friends, certificates, imap, smtp, tmp_path, capsys):
    anna, boris, carla, ref, partner = friends("anna", "boris", "carla", "ref", "partner")
    done = set()

    def told(who, *words):
        with who.sitting():
            records = printed.told(capsys, 0, *words)
        names = {record["format"].removeprefix("kursk ").removesuffix(" 1") for record in records}
        assert len(names) == 1, words
        done.update(names)
        return records

    servers = ("--imap", "localhost", "--smtp", "localhost", "--no-check", "--yes")
    told(carla, "post", "setup", "--address", carla.address, *servers)
    for who in (anna, boris, ref, partner):
        mail_servers.account(who, certificates, imap.port, smtp.port)
        who.kursk("people", "card", who.address, "--yes", "-q")
    game = postal.began(anna, boris, relay=ref.public)
    boris.kursk("people", "add", "anna", anna.address, "-q")
    boris.sign(game)
    told(boris, "post", "send", "--unsent")
    imap.add(smtp.post.mails[-1][2])
    told(anna, "post", "fetch")
    told(anna, "inbox")
    told(anna, "people", "confirm", "boris", "--yes")
    told(anna, "post", "--unsent")
    told(partner, "practice", "--post", "--times", "1")
    anna.sign(game)
    (round_,) = told(anna, "post", "watch", "--times", "1")
    assert [tried["state"] for tried in round_["tried"]] == ["sent", "not tried"]  # the referee has no address here
    told(anna, "post", "backup", tmp_path / "copy.sqlite")
    told(anna, "post", "rebuild", "--yes")
    with Imap(certificates) as box:
        mail_servers.account(ref, certificates, box.port, smtp.port)
        _refereed(told, ref, anna, boris, game, box)
    assert done - {"inbox", "referee receipt"} == printed.OF_POST


def _refereed(told, ref, anna, boris, game, imap):
    """Run a director's mailbox: a game begins, a late message is accepted, all games pause."""
    ref.kursk("people", "add", "anna", anna.address, "--key", anna.place / "me.pub", "-q")
    told(ref, "referee", "setup", "--days", "7")
    imap.add(letter(turn(anna, game, 0), anna.address))
    told(ref, "referee", "run", "--once")
    told(ref, "referee", "receipt", game[:16], "--days", "7")
    imap.add(letter(turn(boris, game, 1), boris.address))
    told(ref, "referee", "run", "--once")
    (listed,) = told(ref, "referee")
    assert any("no address of the" in line for line in listed["waiting"])
    late = times.add_days(ref.desk(game).game.papers.due(1), 2)
    with clock.fix_time(late):
        imap.add(letter(turn(anna, game, 2), anna.address))
        told(ref, "referee", "run", "--once")
        told(ref, "referee", "pass", game[:8])
        told(ref, "referee", "run", "--once")
        told(ref, "referee", "pause", times.add_days(late, 20)[:10], "--yes")
