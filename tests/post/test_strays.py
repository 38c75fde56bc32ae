"""What of a turn stands beside others and belongs to none of them is seen, whatever words stand around it."""

import base64
import tracemalloc

import pytest
from helpers.mailbags import turn
from helpers.postmen import Time
from helpers.refereed_mail import World, played_on

from kursk_pbem.trust import leftover, mailhtml, mailtext, messages, strays


@pytest.fixture
def turns(friends, tmp_path, monkeypatch):
    """Anna's message 2, and what Boris signs behind it."""
    world = World(friends, tmp_path, Time().set(monkeypatch))
    played_on(world)
    world.boris.sign(world.game)
    return turn(world.anna, world.game, 2), turn(world.boris, world.game, 3)


def seen_beside(text, *read):
    return leftover.spoilt_beside(b"From: b@x.test\n\n" + text, "mail", [messages.read(raw, "").armour for raw in read])


FIRST = b"kursk-pbem: '1'\n"
CHANGED = {
    "lost": b"",
    "entities": b"kursk-pbem: &#39;1&#39;\n",
    "a gap": b"kursk-pbem:" + b" " * 12 + b"'1'\n",
    "far": b" " * 300 + FIRST,
    "a mark": b"kursk-pbem: '1' <br\n",
    "capital": b"Kursk-pbem: '1'\n",
}


@pytest.mark.parametrize("ends", [b"\n", b"\r\n", b"\r"])
def test_a_turn_whose_first_line_was_changed_is_seen_beside_another(turns, ends):
    """Entities in plain text counted as a whole first line, and no line ended with a CR alone."""
    hers, mine = turns
    for how, first in CHANGED.items():
        changed = first + mine.removeprefix(FIRST)
        assert changed != mine
        for text in (changed + b"\n" + hers, hers + b"\n" + changed):
            assert seen_beside(text.replace(b"\n", ends), hers), how


WORDS = {
    "a paper": b"kursk-tournament: '1'\n",
    "a paper, indented": b"  kursk-tournament: '1'\n",
    "a turn of entities": b"kursk-pbem: &#39;1&#39;\n",
    "a turn and a mark": b"kursk-pbem: '1' <br\n",
    "an end": b"kursk-tournament: '1'\n-----END SSH SIGNATURE-----\n",
}


def test_no_words_that_are_quoted_above_it_hide_a_turn_without_its_first_line(turns):
    """One line seemed to begin something to which all of the turn then belonged."""
    hers, mine = turns
    lost = mine.removeprefix(FIRST)
    for how, words in WORDS.items():
        assert seen_beside(hers + b"\n" + words + lost, hers), how
        assert seen_beside(words + lost + b"\n" + hers, hers), how
        assert leftover.spoilt(b"From: b@x.test\n\n" + words + lost, "mail"), how


def test_no_second_copy_of_a_signature_takes_the_place_of_anothers(turns):
    hers, mine = turns
    armour = hers[hers.index(b"  -----BEGIN") :].partition(b"-----END SSH SIGNATURE-----")[0]
    assert seen_beside(armour * 3 + hers + mine.removeprefix(FIRST), hers)


def test_a_turn_that_was_read_is_none_that_was_lost(turns):
    hers, mine = turns
    assert not seen_beside(hers + b"\n" + mine + b"\n" + hers, hers, mine)
    assert not seen_beside(b"\n".join(b"> " + line for line in mine.split(b"\n")) + b"\n" + hers, hers)
    assert not seen_beside(hers.replace(b"  ", b"\xc2\xa0 "), hers)
    page = b"<p>So:</p><pre>" + hers + b"</pre><p>&gt; well</p>\n> " + mine.replace(b"\n", b"\n> ")
    assert not seen_beside(page, hers)
    assert seen_beside(page + b"\n" + mine.removeprefix(FIRST), hers)


def test_a_line_across_a_page_ends_a_line():
    """Words and the first line of a turn stood in one, and the turn was lost."""
    assert mailhtml.plain(b"Thanks<hr>kursk-pbem: '1'<br>\n") == b"Thanks\nkursk-pbem: '1'\n\n"


def test_T27_many_first_lines_before_the_end_of_one_signature_are_none_of_it():
    """Each was taken with what the last one says: a megabyte took twelve seconds."""
    said = base64.b64encode(b"SSHSIG\0\0\0\1\0\0\0\x10kursk-tournament" + b"x" * 20)
    first = b"kursk-tournament: '1'\n"
    lines = b"-----BEGIN SSH SIGNATURE-----\n%b\n-----END SSH SIGNATURE-----\n" % said
    one = first + lines
    assert not strays.found(one * 2, ())
    assert strays.found(first + lines[:30] + lines, ())
    read = strays.signatures([lines.decode("ascii")])
    assert not strays.found(lines, read, in_page=True)
    assert strays.found(lines.replace(b"\n", b"&#1;" * (mailtext.MAX_HTML + 1), 1), read, in_page=True)


@pytest.mark.parametrize(
    "first",
    [
        "",
        "kursk-tournament: \u20181\u2019",
        "kursk-tournament:\u200b '1'",
        "\u200bkursk-tournament: '1'",
        "kursk- tournament: 1",
    ],
)
def test_a_paper_of_a_tournament_whose_first_line_was_changed_is_seen(first):
    """Whoever pasted one from a program that writes other quotes heard nothing, and had not entered."""
    said = base64.b64encode(b"SSHSIG\0\0\0\1\0\0\0\x10kursk-tournament" + b"x" * 20)
    below = b"type: open\nsignature: |\n  -----BEGIN SSH SIGNATURE-----\n  %b\n  -----END SSH SIGNATURE-----\n" % said
    assert leftover.spoilt(first.encode() + b"\n" + below, "mail")
    assert not leftover.spoilt(b"> " + first.encode() + b"\n" + below.replace(b"\n", b"\n> "), "mail") or not first


def test_T49_quoted_lines_of_a_page_are_passed_over_where_they_stand():
    """They were taken out of it: 8 MB of them made millions of pieces, and cost 790 MB."""
    tracemalloc.start()
    try:
        assert not strays.found(b">\n" * 500_000, (), in_page=True)
        assert tracemalloc.get_traced_memory()[1] < 8 * 1024 * 1024
    finally:
        tracemalloc.stop()


def test_a_page_with_too_many_marks_to_be_shown_may_hold_a_turn(turns):
    """What it showed was left, and nothing was told: a long thread hid a changed turn."""
    hers, mine = turns
    lines = b"".join(b"<p>%b</p>" % line for line in mine.removeprefix(FIRST).split(b"\n"))
    for more in (b"", b"<b></b>" * mailtext.MAX_HTML):
        assert seen_beside(hers + b"\n" + lines + more, hers)
        assert leftover.spoilt(b"From: b@x.test\n\n" + lines + more, "mail")


SAVED = b"From: shop@x.test\nContent-Type: text/plain\nContent-Transfer-Encoding: quoted-printable\n\nGr=C3=BC=C3=9Fe\n"


def test_a_saved_mail_that_is_attached_in_base64_hides_no_changed_turn(turns):
    """What the mail itself said was not looked at where a part of that was quoted-printable; the game was lost."""
    quoted, lost = turns[0], turns[1].removeprefix(FIRST)
    kind = b'Content-Type: message/rfc822; name="old.eml"\r\nContent-Transfer-Encoding: base64\r\n\r\n'
    attached = b"\n--b\r\n" + kind + base64.encodebytes(SAVED) + b"\r\n--b--\r\n"
    head = b"From: b@x.test\r\nContent-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\n\r\n"
    assert leftover.spoilt(head + lost + attached, "mail")
    read = messages.read(quoted, "").armour
    assert leftover.spoilt_beside(head + lost + quoted + attached, "mail", [read])
    assert not leftover.spoilt_beside(head + quoted + attached, "mail", [read])
