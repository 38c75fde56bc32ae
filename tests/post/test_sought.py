"""What a mailbox fetches of the mails of an address that nobody knows: all that would be told if it were here."""

from dataclasses import replace
from email.message import EmailMessage

import pytest
from helpers import mail_servers, postal, sweeps
from helpers.mailbags import letter, turn
from helpers.postmen import MX, text
from helpers.refereed_mail import ends_by_itself

from kursk_pbem.post import spool
from kursk_pbem.post.servers import account as accounts

NEW = "boris@new.test"
NAMES = ["game-{1}.zip", "kursk_{0}.zip", "kursk-{0}.7z", "kursk-{0}-0003.zip", "Kursk {0}.zip", "game-{1}.tar.gz"]
RAW = ["\u201egame-{1}\u201c.zip", "\u041a\u043e\u043f\u0438\u044fgame-{1}.zip", "\u2013kursk_{0}.7z"]


@pytest.fixture
def served(owed, imap, certificates):
    """The director's mailbox lies on a server: a round there."""
    home = owed.director.friend.home
    mail_servers.account(owed.director.friend, certificates, imap.port)
    errand = owed.director.errand
    errand.account = replace(accounts.load(home), arrival=(MX,))

    def comes(*mails):
        for raw in mails:
            imap.add(raw)
        with errand.mailbox() as client:
            errand.fetch(client)
            return owed.director.rest(errand)

    return owed, comes


def mail(words, name="", kind="plain", number=1):
    made = EmailMessage()
    made["From"], made["Subject"], made["Message-ID"] = NEW, "my turn", f"<{number}@new.test>"
    made.set_content(words, subtype=kind)
    if name:
        made.add_attachment(b"PK\x03\x04\x14\0\0\0", "application", "octet-stream", filename=name)
    return made.as_bytes()


@pytest.mark.parametrize("name", sweeps.some(NAMES, 2))
def test_2_12_a_file_is_fetched_whose_name_says_what_game_it_is_of(served, name):
    world, comes = served
    day = comes(mail("I cannot send it otherwise.\n", name.format(world.game[:8], world.game[:16])))
    assert len(day.faults) == 1
    assert not ends_by_itself(world)


@pytest.mark.parametrize("name", RAW)
def test_2_12_so_is_one_whose_name_stands_behind_a_letter_of_another_script(served, name):
    world, comes = served
    name = name.format(world.game[:8], world.game[:16])
    raw = mail("I cannot send it otherwise.\n", "x.zip").replace(b'filename="x.zip"', f'filename="{name}"'.encode())
    assert len(comes(raw).faults) == 1


def test_2_12_so_is_a_mail_that_names_a_file_that_was_taken_away(served):
    world, comes = served
    day = comes(mail(f"The attachment kursk-{world.game[:8]}-0003.yaml was removed by the scanner.\n"))
    assert len(day.faults) == 1
    assert not ends_by_itself(world)


def test_2_12_so_is_a_turn_without_its_ends(served):
    world, comes = served
    lines = turn(world.boris, world.game, 3).decode("ascii").splitlines()
    end = next(number for number, line in enumerate(lines) if line.startswith("signature"))
    assert comes(mail("\n".join(["Hello", "", *lines[2:end], ""]))).faults
    assert not ends_by_itself(world)


@pytest.mark.parametrize(
    ("begins", "signs"), [("<span>kursk</span>-pbem", "SSH <span>SIGNATURE"), ("kursk-<wbr>pbem", "SSH&#32;SIGNATURE")]
)
def test_2_12_so_is_a_page_whose_marks_break_its_words(served, begins, signs):
    world, comes = served
    page = turn(world.boris, world.game, 3).decode("ascii").replace("\n", "<br>\n")
    page = page.replace("kursk-pbem", begins).replace("SSH SIGNATURE", signs)
    comes(mail(f"<html><body><p>Hi</p>{page}</body></html>", kind="html"))
    assert (world.folder / "0003.yaml").exists()


@pytest.mark.parametrize(("rounds", "more"), [(1, b""), (2, b""), (1, b"Content-Transfer-Encoding: utf-8\r\n")])
def test_2_12_words_behind_a_turn_from_a_new_address_are_read(served, rounds, more):
    """In one fetch the address was not known yet: the words were passed by, and the game ended by itself."""
    world, comes = served
    mails = [more + letter(turn(world.boris, world.game, 3), NEW), mail("I go to hospital, please wait\n")]
    for some in (mails,) if rounds == 1 else ([one] for one in mails):
        comes(*some)
        world.time.passes(3600)
    world.ref.kursk("people", "confirm", "boris", NEW, "--yes", "-q")
    postal.carried(world.game, 3, world.boris, world.anna)
    world.anna.sign(world.game)
    comes(letter(turn(world.anna, world.game, 4), world.anna.address))
    assert (world.folder / "0004.yaml").exists()
    assert not ends_by_itself(world)


@pytest.mark.parametrize(
    "above", [b"X-Scan: " + b"a" * 900 + b"\r\n", b"X-Scan: a\r\rb\r\n", b"\r\n"], ids=["long", "ends", "empty"]
)
def test_T48_a_turn_is_fetched_whose_header_is_not_read_to_its_end(served, above):
    """A server had put more above it than is read: who it is from was not seen, and it was passed by."""
    world, comes = served
    raw = letter(turn(world.boris, world.game, 3), world.boris.address)
    comes(above * (77 if len(above) > 900 else 1) + raw)
    assert (world.folder / "0003.yaml").exists()


@pytest.mark.parametrize("size", [100, 9_000_000])
def test_2_12_what_is_not_given_names_the_game_that_its_files_name(served, imap, size):
    """It was wanted for them, and then told as of nobody knows what: the game ended by itself."""
    world, comes = served
    real = type(imap)._uid_fetch

    def spoilt(name, text):
        if name == "UID FETCH" and "PEEK[]" in text:
            return [b"* 1 FETCH (UID 1 BODY[] NIL)", b"OK done"]
        if name == "UID FETCH" and "SIZE" in text:
            return [line.replace(b"SIZE ", b"SIZE 1") if size > 100 else line for line in real(imap, text)]
        return None

    imap.spoilt = spoilt
    comes(mail("Here it is.\n" + "x" * 100_000 * (size > 100), f"kursk-{world.game[:8]}-0003.yaml"))
    assert not ends_by_itself(world)


def test_T48_words_are_read_of_whoever_sent_what_was_fetched_before_the_program_died(served):
    """What lay in the spool was no turn of anybody yet: its writer was unknown to the next fetch."""
    world, comes = served
    raw, now = letter(turn(world.boris, world.game, 3), NEW), text(world.time.now)
    spool.put(world.ref.home, raw, folder="x", uid="1", fetched=now)
    world.time.passes(60)
    comes(mail("I go to hospital, please wait\n"))
    assert (world.folder / "0003.yaml").exists()
    world.ref.kursk("people", "confirm", "boris", NEW, "--yes", "-q")
    postal.carried(world.game, 3, world.boris, world.anna)
    world.anna.sign(world.game)
    comes(letter(turn(world.anna, world.game, 4), world.anna.address))
    assert not ends_by_itself(world)
