"""A turn in a page whose marks or entities break its words is taken or told; what is in order is neither (T48)."""

import re
from email.message import EmailMessage

import pytest
from helpers import pace
from helpers.mailbags import turn
from helpers.refereed_mail import ends_by_itself, taken

from kursk_pbem.post import sorting
from kursk_pbem.post.envelope import Mail
from kursk_pbem.trust import mailbroken, mailhtml, mailtext

FORMS = {
    "marks of words": lambda text: lines(re.sub(r"[A-Za-z]+", r"<span class=x>\g<0></span>", text)),
    "marks of letters": lambda text: lines(
        "".join(f"<b>{letter}</b>" if letter.isalnum() else letter for letter in text)
    ),
    "places to break": lambda text: lines(re.sub(r"\w{3}", r"\g<0><wbr>", text)),
    "entities": lambda text: lines("".join(letter if letter == "\n" else f"&#{ord(letter)};" for letter in text)),
    "some entities": lambda text: lines(text.replace("k", "&#x6B;").replace("G", "&#0071;")),
    "words that are spelt otherwise": lambda text: lines(
        re.sub("kursk-pbem|SSH", r"<span class=SpellE>\g<0></span>", text)
    ),
    "nothing is closed": lambda text: (
        "<html><p>" + "".join("<p>" if letter == "\n" else f"&#{ord(letter)};" for letter in text)
    ),
    "a mark in each line": lambda text: lines(re.sub(r"(?m)^(.{0,7})(.*)$", r"\1<i>\2</i>", text)),
}
CTES = ("8bit", "quoted-printable", "base64")


def lines(marked):
    return "<html><body>" + marked.replace("\n", "<br>\n") + "</body></html>"


def written(page, text="", *, sender="boris-at-work@new.test", cte="8bit", attached=b""):
    made = EmailMessage()
    made["From"], made["To"], made["Subject"] = sender, "ref@example.test", "my orders"
    made.set_content(page, subtype="html", cte=cte)
    if text:
        made.set_content(text, cte=cte)
        made.add_alternative(page, subtype="html", cte=cte)
    if attached:
        made.add_attachment(attached, "application", "octet-stream", filename="turn.yaml")
    return made.as_bytes()


def mailed(world, *said, **how):
    world.office.put(written(*said, **how), world.ref.address)
    return world.director.post()


@pytest.mark.parametrize("cte", CTES)
@pytest.mark.parametrize("form", FORMS.values(), ids=FORMS)
def test_T48_a_turn_in_a_page_that_breaks_its_words_is_taken(owed, form, cte):
    """Pages were looked into only where their sources held the words: it was not read, nobody was told."""
    day = mailed(owed, form(turn(owed.boris, owed.game, 3).decode()), cte=cte)
    assert (taken(day), day.faults) == ([3], [])


@pytest.mark.parametrize("cte", CTES)
@pytest.mark.parametrize("form", FORMS.values(), ids=FORMS)
def test_2_12_what_of_it_cannot_be_read_is_told_and_ends_no_game(owed, form, cte):
    own = turn(owed.boris, owed.game, 3).decode()
    (fault,) = mailed(owed, form(own.replace("seq: ", "sq: ")), cte=cte).faults
    assert "boris-at-work@new.test" in str(fault)
    assert not ends_by_itself(owed)


PARTS = {
    "its first line": lambda own: own.partition("\n")[0] + "\n",
    "its game": lambda own: next(line for line in own.splitlines() if line.startswith("game:")) + "\n",
    "its signature": lambda own: own[own.index("-----BEGIN") :],
    "its lines joined": lambda own: "Here: " + own.replace("\n", " "),
    "an odd blank in each line": lambda own: re.sub(r"(?m)^(.{6})", "\\1\u200b", own),
}


@pytest.mark.parametrize("form", FORMS.values(), ids=FORMS)
@pytest.mark.parametrize("part", PARTS.values(), ids=PARTS)
def test_2_12_any_part_of_a_turn_is_seen_in_a_page_that_breaks_it(owed, form, part):
    raw = written(form(part(turn(owed.boris, owed.game, 3).decode())))
    assert len(sorting.read([Mail(raw, "here")]).faults) == 1


@pytest.mark.parametrize("cte", CTES)
@pytest.mark.parametrize("form", FORMS.values(), ids=FORMS)
def test_T48_a_turn_that_is_read_or_quoted_may_stand_in_such_a_page_as_well(owed, form, cte):
    own, quoted = (turn(who, owed.game, seq).decode() for who, seq in ((owed.boris, 3), (owed.anna, 2)))
    thread = "".join(f"> {line}\n" for line in quoted.splitlines())
    sender = owed.boris.address
    assert mailed(owed, form(f"Thanks.\n{quoted}"), f"Thanks.\n{thread}", sender=sender, cte=cte).faults == []
    assert mailed(owed, form(f"Thanks.\n{thread}"), sender=sender, cte=cte).faults == []
    day = mailed(owed, form(f"Mine.\n{thread}"), f"Mine.\n{thread}", sender=sender, cte=cte, attached=own.encode())
    assert (taken(day), day.faults) == ([3], [])
    assert mailed(owed, form(own), own, sender=sender, cte=cte).faults == []


WORDS = "Boris&#39;s game: of <b>kursk</b> by p<i>bem</i>, at &#98;oris&#64;example.test. <b>BEGIN</b> &amp; end"


def test_T48_no_other_page_is_told(owed):
    for cte in CTES:
        assert mailed(owed, f"<p>{WORDS}</p><table><tr><td>1</td></tr></table>" * 50, cte=cte).faults == []


def test_T27_a_page_without_such_words_is_not_shown(monkeypatch):
    """To show one costs four times as much."""
    monkeypatch.setattr(mailhtml, "plain", lambda _text: pytest.fail("shown"))
    page = f"<p>{WORDS.replace('&#98;', 'b')}</p>".encode()
    for most in (100_000, 1):  # nor one of more marks than are looked at
        assert mailbroken.Looks(most).shown(page + b"&#107;" * (most == 1)) == b""


@pytest.mark.parametrize("unit", ["&#107;", "k<b>", "&#107;<b>", "&k", "game0<b>"])
def test_T27_what_such_pages_cost_is_bounded_for_a_whole_mail(unit):
    page = (unit * (90_000 // mailhtml.marks(unit.encode()))).encode()
    looks = mailbroken.Looks(mailtext.MAX_HTML)
    with pace.within(0.6):
        assert not any(looks.shown(b"<br>%d" % number + page) for number in range(10))
    assert looks.left < 20_000


def test_T27_what_breaks_nothing_is_looked_at_once(monkeypatch):
    """A mail is looked through four times."""
    raw, seen, marks = written("<p>It breaks <b>nothing</b></p>"), [], mailhtml.marks
    monkeypatch.setattr(mailhtml, "marks", lambda text: seen.append(text) or marks(text))
    assert not sorting.read([Mail(raw, "here")], events=True).faults
    assert len(seen) == 1
