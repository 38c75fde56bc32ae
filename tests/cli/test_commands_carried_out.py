"""Commands in messages do what the message promises, typed as printed in a path with a blank.

The commands were drawn once from ``tools/commands.py`` (seed 22), or are commands that a newcomer met. A test of
this name in another folder has the commands of mail and of tournaments."""

import re
import shutil

import pytest
from helpers.commands import carry_out, refused, well
from helpers.signed_play import RefereedTable, Table
from rulesets.battle_for_kursk.first_turn import OPENING, ORDERS

from kursk_pbem.cli import run
from kursk_pbem.game import entropy

ATTACK = "attack 2015 all"


@pytest.fixture(scope="module")
def opened(tmp_path_factory):
    """Return a game in which the German writes message 2."""
    with entropy.fix_random_bytes("carried out"):
        table = Table(tmp_path_factory.mktemp("carried") / "my games").begin()
        table.turn(OPENING)
        return table


@pytest.fixture
def table(opened, tmp_path):
    with entropy.fix_random_bytes("carried out later"):
        yield opened.copy(tmp_path / "my games")


@pytest.fixture
def german(table, sits):
    """Return the German player's folder next to the game's folder; message 2 is due."""
    return sits(table.german)


def said_of(capsys, status, *words):
    """Return the output of a command on both streams; check the exit status."""
    capsys.readouterr()
    assert run([str(word) for word in words]) == status
    return "".join(capsys.readouterr())


def test_a_slip_names_the_list_of_commands(capsys):
    said = said_of(capsys, 2, "xqzw")
    assert "restore" in carry_out(capsys, said, "help")


def test_the_help_of_a_command_names_commands_that_run(capsys, german):
    """Covers the help of all commands, and ``kursk propose --help``."""
    said = said_of(capsys, 0, "help", "commands")
    assert "24 Pz (g-24-pz) from 2221 to 2219" in carry_out(capsys, said, "move")
    said = said_of(capsys, 0, "propose", "--help")
    assert "battle-for-kursk/citadel" in carry_out(capsys, said, "scenario")


def test_whoever_mailed_a_private_key_makes_a_new_one(capsys, german, table):
    shutil.copy(table.russian.key, "boris")
    said = refused(capsys, 2, "propose", "battle-for-kursk/citadel", "--opponent", "boris")
    assert "is a private key; use the public key" in said
    carry_out(capsys, said, "keygen", FILE="new")
    assert (german.place / "new.pub").exists()


def test_an_order_after_signing_says_how_the_file_comes_back(capsys, german):
    well(capsys, "sign", "--yes")
    signed = german.folder / "0002.yaml"
    raw = signed.read_bytes()
    signed.unlink()
    carry_out(capsys, refused(capsys, 2, "order", "note", "hello"), "sign")
    assert signed.read_bytes() == raw


def test_all_choices_of_one_order_word_are_listed(capsys, german):
    said = refused(capsys, 2, "order", "attack", "2015", "--all")
    assert "2015" in carry_out(capsys, said, "order attack")


def test_an_attack_on_nobody_says_where_the_enemies_are(capsys, german):
    said = said_of(capsys, 2, "order", "attack", "1108")
    assert "2015" in carry_out(capsys, said, "order attack", status=2)


def test_odds_of_a_draft_that_breaks_the_rules_name_the_command_that_says_all(capsys, german):
    well(capsys, "order", "attack", "2015", "all")
    said_of(capsys, 0, "order", "attack", "2015", "all", "advance", "48", "--anyway")
    path = german.draft()
    path.write_text(path.read_text("ascii").replace("hex: '2015'", "hex: '1108'"), "ascii")
    carry_out(capsys, said_of(capsys, 0, "odds"), "check", status=1)


def test_what_status_says_is_due_can_be_typed(capsys, german):
    said = well(capsys, "status")
    assert "legal" in carry_out(capsys, said, "check")
    assert "wrote" in carry_out(capsys, said, "sign", "--yes")


def test_what_status_says_of_another_players_message(capsys, table, sits, german):
    sits(table.russian)
    said = well(capsys, "status")
    letter = table.mail(german.sign(), "russian")
    assert "message 2" in carry_out(capsys, said, "inbox", letter)


def test_a_proposal_that_the_game_went_on_without_is_dropped(capsys, table, sits):
    table.turn(ORDERS)
    german = sits(table.german)
    well(capsys, "offer", "successor", "--at", "1")
    [new] = (path for path in german.place.glob("game-*") if path != german.folder)
    sits(table.russian)
    well(capsys, "offer", "draw", "--yes")
    sits(german)
    well(capsys, "inbox", "--report", table.mail(table.russian.folder / "0003.yaml", "german"))
    said = well(capsys, "status")
    shutil.rmtree(new)
    carry_out(capsys, said, "status --forget", "--yes")
    assert new.name[5:13] not in well(capsys, "status")


def test_an_offer_and_a_reply_without_words_give_an_example(capsys, table, sits):
    table.turn(ORDERS)
    sits(table.russian)
    carry_out(capsys, refused(capsys, 2, "offer"), "offer draw", "--yes")
    letter = table.mail(table.russian.folder / "0003.yaml", "german")
    sits(table.german)
    well(capsys, "inbox", "--report", letter)
    carry_out(capsys, refused(capsys, 2, "reply"), "reply accept", "--yes")
    assert (table.german.folder / "0004.yaml").exists()


def test_the_opponent_offers_a_proposal_that_is_mailed_first(capsys, table, sits):
    table.turn(ORDERS)
    german = sits(table.german)
    said = well(capsys, "offer", "successor", "--at", "1")
    [new] = (path for path in german.place.glob("game-*") if path != german.folder)
    letter = table.mail(new / "0000.yaml", "russian")
    russian = sits(table.russian)
    carry_out(capsys, said, "offer", "--yes", FOLDER=russian.folder, **{"0000.yaml": letter})
    assert (russian.folder / "0003.yaml").exists()


def test_whoever_accepts_a_successor_names_the_proposal_and_takes_the_game(capsys, table, sits):
    table.turn(ORDERS)
    table.turn({})
    german = sits(table.german)
    well(capsys, "offer", "successor", "--at", "1", "--yes")
    [new] = (path for path in german.place.glob("game-*") if path != german.folder)
    paper = table.mail(new / "0000.yaml", "russian").rename(table.russian.place / "the proposal.yaml")
    letter = table.mail(german.folder / "0004.yaml", "russian")
    sits(table.russian)
    well(capsys, "inbox", "--report", letter)
    said = refused(capsys, 2, "reply", "accept", "--yes")
    said = carry_out(capsys, said, "reply", "--yes", **{"0000.yaml": paper})
    assert "0001.draft.yaml" in carry_out(capsys, said, "accept")


@pytest.fixture
def three(tmp_path):
    """Return a game with dice by a referee. The German has not answered; the Russian has written message 1."""
    with entropy.fix_random_bytes("refereed"):
        table = RefereedTable(tmp_path / "my games").begin()
        shutil.rmtree(table.german.folder)
        shutil.rmtree(table.german.home)
        table.russian.fill(OPENING)
        table.referee.take(table.mail(table.russian.sign(), "referee"))
        table.referee.answer()
        yield table


def test_the_key_of_a_referee_opens_a_game_and_both_players_take_its_receipt(capsys, three, sits):
    proposal = three.mail(three.referee.folder / "0000.yaml", "russian")
    sits(three.russian)
    said = refused(capsys, 2, "accept", proposal, "--key", three.referee.key)
    sits(three.referee)
    said = carry_out(capsys, said, "referee", FILE=proposal)
    receipt = three.mail(three.referee.folder / "receipt-0000.yaml", "russian")
    sits(three.russian)
    assert "the referee had message 0" in carry_out(capsys, said, "inbox", receipt)


def test_a_name_that_is_given_early_goes_into_a_later_message(capsys, three, sits):
    mails = [three.mail(three.referee.folder / f"000{seq}.yaml", "german") for seq in range(3)]
    german = sits(three.german)
    said = well(capsys, "accept", mails[0], "--name", "Anna")
    well(capsys, "inbox", "--report", *mails[1:])
    carry_out(capsys, said, "order note", "My", "name", "is", "Anna.")
    [draft] = german.place.glob("game-*/0003.draft.yaml")
    assert "My name is Anna." in draft.read_text("ascii")


def test_with_two_games_that_wait_the_next_step_names_its_game(capsys, table, sits):
    """Bug: the program advised 'kursk sign' alone, and refused the command as ambiguous."""
    letter = table.turn(ORDERS)
    well(capsys, "keygen", table.root / "petra")
    sits(table.russian)
    me = table.russian.key.with_suffix(".pub")
    monkey = ("--key", table.root / "petra", "--opponent", me, "--dir", table.root)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("KURSK_HOME", str(table.root / "petra's"))
        well(capsys, "propose", "battle-for-kursk/citadel", "--as", "german", *monkey)
    [proposal] = table.root.glob("game-*/0000.yaml")
    said = well(capsys, "accept", proposal)
    assert "Message 1 of" in carry_out(capsys, said, "order")
    said = well(capsys, "inbox", "--report", letter)
    assert "Message 3 of" in carry_out(capsys, said, "order")
    carry_out(capsys, said, "check")
    carry_out(capsys, said, "sign", "--yes")


def test_a_game_is_named_by_its_digits_where_none_waits(capsys, table, sits):
    table.turn(ORDERS)
    sits(table.german)
    mine = ("--as", "german", "--opponent", table.russian.key.with_suffix(".pub"))
    well(capsys, "propose", "battle-for-kursk/citadel", *mine)
    said = " ".join(refused(capsys, 2, "check").split())
    digits = re.search("such as 'kursk [a-z ]+([0-9a-f]{8})'", said)[1]
    assert f"{digits} " in said
    assert well(capsys, "status", digits)
    assert "to write" in said.partition(digits + " ")[2]
    refused(capsys, 2, "check", digits)


def test_the_schema_of_a_command_names_the_command(capsys, german):
    assert "kursk status 1" in carry_out(
        capsys, well(capsys, "setup", "schema", "--command", "status"), "status", "--json"
    )


def test_the_form_of_a_tournament_names_a_chapter_of_the_handbook(capsys, german):
    well(capsys, "tournament", "new", "my cup", "--swiss", "2", "--system", "battle-for-kursk/citadel")
    said = (german.place / "my cup" / "rules.yaml").read_text("ascii")
    assert "adjourn" in carry_out(capsys, said, "help directors")
