"""Turns whose lines were joined, or got something before each: they are told, and end no game by themselves (T48)."""

import base64
import html
import json
from email.message import EmailMessage

import pytest
from helpers import pace
from helpers.mailbags import taken, turn
from helpers.refereed_mail import ends_by_itself

from kursk_pbem.trust import leftover, mailmarks


def before(mark):
    """Each line behind this mark."""
    return lambda own: "".join(mark + line for line in own.splitlines(keepends=True))


def wrapped(own, most=10):
    """No line is longer than this."""
    return "\n".join(line[at : at + most] for line in own.split("\n") for at in range(0, len(line) or 1, most))


FORMS = {
    "one line": lambda own: "Here it is: " + own.replace("\n", " "),
    "one line, without blanks": lambda own: "Here it is: " + own.replace("\n", ""),
    "line ends in words": lambda own: "Here it is:" + own.replace("\n", "\\n"),
    "line ends of a page": lambda own: "Hi\x0b" + own.replace("\n", "\x0b"),
    "line ends of Unicode": lambda own: "Hi\u2028" + own.replace("\n", "\u2028"),
    "JSON": lambda own: json.dumps({"body": own}),
    "wrapped": wrapped,
    "numbers": lambda own: "".join(f"{at:4}  {line}\n" for at, line in enumerate(own.splitlines(), 1)),
    **{
        f"{mark!a} before each": before(mark)
        for mark in ("BT> ", "Boris>", "\u00bb ", "\u2022 ", "* ", "+ ", "# ", ": ", "\u2502 ", "[16:20] Boris: ")
    },
    **{f"{mark!a} before each": before(mark) for mark in ("\u3000", "\u200b", "\u200e")},
}
PAGES = {
    "a paragraph": lambda own: f"<p>Hello, {html.escape(own)}</p>".replace("\n", " "),
    "spans": lambda own: "<p>Hi " + "".join(f"<span>{html.escape(line)}</span>" for line in own.splitlines()),
    "numbers": lambda own: "".join(
        f"<tr><td>{at}</td><td>{html.escape(line)}</td></tr>" for at, line in enumerate(own.splitlines())
    ),
}


def written(sender, text, page=None, cte="8bit"):
    made = EmailMessage()
    made["From"], made["To"], made["Subject"] = sender, "ref@example.test", "my turn"
    if page is None:
        made.set_content(text, cte=cte)
    else:
        made.set_content(page, subtype="html", cte=cte)
    return made.as_bytes()


def mailed(world, text, page=None, cte="8bit", sender="boris@example.test"):
    world.office.put(written(sender, text, page, cte), world.ref.address)
    return world.director.post()


def quoted(world, mark="> "):
    """The turn of the other, quoted."""
    return "\nAnna wrote:\n" + before(mark)(turn(world.anna, world.game, 2).decode())


@pytest.mark.parametrize("beside", [False, True], ids=["alone", "beside one that is quoted"])
@pytest.mark.parametrize("form", FORMS.values(), ids=FORMS)
def test_T48_a_turn_whose_lines_do_not_begin_as_they_did_is_told(owed, form, beside):
    """A turn was looked for at the beginnings of lines alone: nobody was told, and the game ended."""
    text = form(turn(owed.boris, owed.game, 3).decode()) + beside * quoted(owed)
    assert len(mailed(owed, text).faults) == 1


@pytest.mark.parametrize("cte", ["base64", "quoted-printable"])
@pytest.mark.parametrize("page", PAGES.values(), ids=PAGES)
def test_T48_so_is_one_in_a_page(owed, page, cte):
    (fault,) = mailed(owed, "", page(turn(owed.boris, owed.game, 3).decode()), cte).faults
    assert "ask for" in str(fault)


@pytest.mark.parametrize("sender", ["boris@example.test", "boris@new.test"])
def test_T48_a_turn_in_one_line_ends_no_game_by_itself(owed, sender):
    """Nothing was told of one from an address that was not known: it was looked for in mails of players alone."""
    (fault,) = mailed(owed, FORMS["one line"](turn(owed.boris, owed.game, 3).decode()), sender=sender).faults
    assert "its lines are joined" in str(fault)
    assert not ends_by_itself(owed)


@pytest.mark.parametrize("form", ["JSON", "numbers", "'BT> ' before each"])
def test_T48_a_player_is_told_of_one_as_well(pair, tmp_path, form):
    anna, boris, game = pair
    boris.sign(game)
    path = tmp_path / "mail.eml"
    path.write_bytes(written(boris.address, FORMS[form](turn(boris, game, 1).decode())))
    assert len(taken(anna, path).faults) == 1


WORDS = "What does this mean? kursk-pbem: '1' is no turn. It had game: {} and -----BEGIN SSH SIGNATURE----- below.\n"


@pytest.mark.parametrize("mark", ["> ", ">", "| ", "> > ", "\t", "    ", "\u00a0> ", ">  | "])
def test_T48_what_is_quoted_in_a_usual_way_is_no_damage(owed, mark):
    """Nor is a question about what a turn looks like."""
    assert mailed(owed, WORDS.format(owed.game) + quoted(owed, mark)).faults == []
    assert mailed(owed, WORDS.format(owed.game)).faults == []


def test_T48_a_quoted_turn_whose_lines_were_put_together_is_no_damage(owed):
    """As programs do that fill the lines of what they quote."""
    line = quoted(owed).replace("\n> ", " ").replace("wrote: ", "wrote:\n> ")
    assert mailed(owed, line + quoted(owed)).faults == []


def test_T48_what_is_read_may_stand_joined_in_a_page_as_well(owed):
    own = turn(owed.boris, owed.game, 3).decode()
    for _time in range(2):
        made = EmailMessage()
        made["From"], made["To"], made["Subject"] = owed.boris.address, owed.ref.address, "my turn"
        made.set_content(own, cte="8bit")
        made.add_alternative(PAGES["a paragraph"](own), subtype="html", cte="base64")
        owed.office.put(made.as_bytes(), owed.ref.address)
        owed.time.passes(60)
        assert owed.director.post().faults == []


def test_T27_a_page_of_marks_alone_is_not_shown_to_look_for_a_signature(monkeypatch):
    """Each mark of it costs as much as hundreds of letters."""
    monkeypatch.setattr(leftover.mailmarks.mailhtml, "plain", lambda _text: pytest.fail("shown"))
    assert not leftover.hidden(b"<br>" * 100_001 + b"-----BEGIN SSH SIGNATURE-----U1NIU0lH", "here")


def test_T27_a_signature_in_a_mail_of_empty_lines_costs_no_look_at_each_of_them():
    """Every line was looked at for what may stand before a signature: a second and a half for what 8 MB unpack to."""
    with pace.within(1):
        assert not mailmarks.hidden([b"\n" * 40_000_000 + b"x" + mailmarks._FIRST + b"\n"])


def test_T27_signatures_are_too_many_in_a_mail_and_not_in_a_part_of_it():
    """Those of each part were counted by themselves: in 27 parts 132,000 cost three seconds."""
    quoted = b"> -----BEGIN SSH SIGNATURE-----\n> U1NIU0lH\n" * 1000
    for parts in (2, 6):
        coded = (base64.encodebytes(quoted + b"%d\n" % number) for number in range(parts))
        raw = b"".join(b"Content-Transfer-Encoding: base64\n\n%b\n" % part for part in coded)
        assert leftover.hidden(raw, "mail") == (parts > 5)
        assert leftover.spoilt(raw, "mail") == (parts > 5)
        assert leftover.spoilt_beside(raw, "mail", ()) == (parts > 5)
