"""A referee extends deadlines: commands of desk, player and auditor (protocol 2.10, decision 55)."""

import shutil

import pytest
from helpers.relaying import day, no, well
from trust import second_auditor

from kursk_pbem.audit import export, verify
from kursk_pbem.game import histories
from kursk_pbem.trust import terms


def extensions(folder):
    return sorted(folder.glob("extension-*.yaml"))


def due(folder):
    papers = histories.load(folder).game.papers
    return papers.due(3)


@pytest.fixture
def extended(overdue, whistle):
    """Return a game with a deadline extended beyond the 13th."""
    well(
        whistle("referee", "extend", overdue.folder, "--days", 2, "--declared", day(12), "--yes"),
        "more time out of the bank",
        day(15),
    )
    return overdue


def test_T54_an_extension_names_the_paper_it_replaces(extended, whistle):
    [path] = extensions(extended.folder)
    held = histories.load(extended.folder).game.papers
    [paper] = held.extensions(3)
    assert path.name == f"extension-0003-{paper.id[:16]}.yaml"
    assert paper.text("replaces") == held.receipts[3].id
    well(
        whistle("referee", "extend", extended.folder, "--until", day(20), "--yes", "--declared", day(14)),
        "for a holiday",
        day(20),
    )
    second = histories.load(extended.folder).game.papers.extensions(3)[-1]
    assert second.text("replaces") == paper.id
    assert due(extended.folder) == day(20)
    well(whistle("referee", "extend", extended.folder, "--until", day(20), "--yes"), "was signed before")
    assert len(extensions(extended.folder)) == 2


def test_the_desk_signs_none_that_another_would_refuse(overdue, whistle):
    folder = overdue.folder
    for words, why in (
        (("--until", day(13), "--declared", day(5)), "a deadline can only be extended"),
        (("--days", 2, "--declared", day(14)), "a past deadline cannot be extended"),
        (("--days", 2, "--declared", day(2)), "replaces a later paper"),
        (("--days", 2, "--until", day(20)), "either --days or --until"),
        ((), "either --days or --until"),
        (("--until", "tomorrow"), "is no time"),
    ):
        no(whistle("referee", "extend", folder, *words, "--yes"), 2, why)
    assert extensions(folder) == []


def test_it_asks_before_it_signs(overdue, whistle):
    no(whistle("referee", "extend", overdue.folder, "--days", 2, "--declared", day(12)), 2, day(15), "is final")
    assert extensions(overdue.folder) == []


def test_a_message_without_a_receipt_has_no_term_to_extend(relayed, whistle):
    no(whistle("referee", "extend", relayed.folder, "--days", 2, "--yes"), 2, "has no receipt")


def test_a_forfeit_waits_for_the_term_as_it_was_extended(extended, whistle):
    no(whistle("referee", "forfeit", extended.folder, "--declared", day(14), "--yes"), 2, day(15))
    well(whistle("referee", "forfeit", extended.folder, "--declared", day(16), "--yes"), "message 4 was due 1943-07-15")
    no(
        whistle("referee", "extend", extended.folder, "--days", 2, "--declared", day(14), "--yes"),
        2,
        "no player owes a message",
    )


def test_players_take_it_in_any_order_and_verify(extended, whistle, kursk):
    for side, names in (("german", [0, 1]), ("russian", [1, 0])):
        player = extended.players[side]
        files = ["receipt-0003.yaml", extensions(extended.folder)[0].name]
        for number in names:
            well(kursk(player, "inbox", "--report", extended.to(side, files[number])))
        assert due(player.folder) == day(15)
        well(kursk(player, "verify", player.folder))


def test_the_same_receipt_again_is_the_same_after_a_holiday_was_given(extended, whistle):
    well(whistle("referee", "extend", extended.folder, "--until", day(20), "--declared", day(14), "--yes"))
    well(whistle("referee", "receipt", extended.folder, "--received", day(3), "--days", 10), "was signed before")


def test_X3_verify_asks_for_the_paper_that_is_missing_while_the_term_runs(extended, whistle, kursk):
    player = extended.players["german"]
    well(kursk(player, "inbox", "--report", extended.to("german", extensions(extended.folder)[0].name)))
    assert due(player.folder) == day(15)
    no(kursk(player, "verify", player.folder), 2, "ask the referee for a copy")
    well(kursk(player, "inbox", "--report", extended.to("german", "receipt-0003.yaml")))
    well(kursk(player, "verify", player.folder))


def test_prove_knows_the_term_of_an_extended_forfeit(extended, whistle, kursk, tmp_path):
    well(whistle("referee", "forfeit", extended.folder, "--declared", day(16), "--yes"))
    names = ["0000.yaml", "receipt-0003.yaml", "forfeit.yaml", extensions(extended.folder)[0].name]
    files = [extended.folder / name for name in names]
    player = extended.players["german"]
    well(kursk(player, "prove", *files), day(15), day(16))
    status, said = kursk(player, "prove", *files[:-1])
    assert status
    assert f"the receipt or extension with time until {day(15)} is missing" in said


def test_T53_X4_prove_tells_of_two_tales(extended, whistle, kursk):
    first = extensions(extended.folder)[0].rename(extended.place / "first.yaml")
    well(whistle("referee", "extend", extended.folder, "--days", 5, "--declared", day(12), "--yes"))
    player = extended.players["german"]
    _status, said = kursk(player, "prove", extended.folder / "0000.yaml", first, extensions(extended.folder)[0])
    assert "extended a term in two ways" in " ".join(said.split())
    shutil.copy(first, extended.folder / extensions(extended.folder)[0].with_name(f"extension-0003-{'0' * 16}.yaml"))
    assert len(terms.find_rivals(histories.load(extended.folder).game.papers.all)) == 1
    assert due(extended.folder) == day(18)


def test_an_archive_holds_extensions_and_both_auditors_take_them(extended, tmp_path):
    export.export(extended.folder, tmp_path / "archive")
    assert len(list((tmp_path / "archive").glob("extension-0003-*.json"))) == 1
    assert verify.verify_game(tmp_path / "archive").status == 0
    assert second_auditor.main(tmp_path / "archive") == 0
