"""Turns in pages of HTML as mail programs write them: what is pasted is taken, and what is quoted is no damage."""

import html
from email.message import EmailMessage

import pytest
from helpers.mailbags import turn
from helpers.refereed_mail import taken


def lines(text, begin, end):
    return "".join(f"{begin}{html.escape(line) or '<br>'}{end}" for line in text.split("\n"))


PROGRAMS = {
    "Gmail": lambda text: f'<div dir="ltr">Hello<br><br>{lines(text, "", "<br>")}</div>',
    "Gmail, lines": lambda text: f'<div dir="ltr">Hello<br>\n<br>\n{lines(text, "", "<br>" + chr(10))}</div>',
    "Thunderbird": lambda text: (
        f'<p>Hello</p><pre class="moz-quote-pre" wrap="">{html.escape(text, quote=False)}</pre>'
    ),
    "Outlook": lambda text: (
        f"<div class=WordSection1>{lines(text, '<p class=MsoNormal>', '<o:p></o:p></p>' + chr(10))}</div>"
    ),
    "Exchange": lambda text: (
        f'<div class="PlainText">Hello<br>\n{html.escape(text, quote=False).replace(chr(10), "<br>" + chr(10))}</div>'
    ),
    "Apple Mail": lambda text: f"<body>Hello<br><div><div>{lines(text, '', '<br>')}</div></div></body>",
    "OWA": lambda text: f"<div>Hello</div>\n{lines(text, '<div>' + chr(10), '</div>' + chr(10))}",
    "code": lambda text: f"<p>Hello</p><pre><code>{html.escape(text, quote=False)}</code></pre>",
}


def mailed(world, text, page, cte, attached=b""):
    made = EmailMessage()
    made["From"], made["To"] = world.boris.address, world.ref.address
    made["Subject"] = f"Re: [kursk {world.game[:8]}] yours"
    made.set_content(text, cte=cte)
    made.add_alternative(page, subtype="html", cte=cte)
    if attached:
        made.add_attachment(attached, "application", "octet-stream", filename="turn.yaml")
    world.office.put(made.as_bytes(), world.ref.address)
    return world.director.post()


@pytest.mark.parametrize("cte", ["quoted-printable", "base64", "8bit"])
@pytest.mark.parametrize("page", PROGRAMS.values(), ids=PROGRAMS)
def test_T48_a_page_with_a_turn_that_is_read_is_no_damage(owed, page, cte):
    """Its source was taken for another turn that is cut off: told, and the game waited for the director."""
    own, quoted = (turn(who, owed.game, seq).decode() for who, seq in ((owed.boris, 3), (owed.anna, 2)))
    thread = "".join(f"> {line}\n" for line in quoted.splitlines())
    assert mailed(owed, f"Thanks.\n{thread}", page(quoted), cte).faults == []
    day = mailed(owed, f"Mine.\n{thread}", page(quoted), cte, own.encode())
    assert (taken(day), day.faults) == ([3], [])
    assert mailed(owed, own, page(own), cte).faults == []


@pytest.mark.parametrize("page", PROGRAMS.values(), ids=PROGRAMS)
def test_T48_a_turn_that_is_pasted_into_a_page_is_taken(owed, page):
    own = turn(owed.boris, owed.game, 3).decode()
    day = mailed(owed, own, page(own), "quoted-printable")
    assert (taken(day), day.faults) == ([3], [])


@pytest.mark.parametrize(
    "words",
    [
        '<a href="https://x.test/dl?name=rules.pdf">rules</a>',
        "See https://x.test/get?filename=Kursk_rules.pdf, and my name = see map.docx",
        "It was encrypted by pkcs7-mime.",
    ],
)
def test_what_a_link_names_is_no_file(owed, words):
    assert mailed(owed, f"{words}\n", f"<p>{words}</p>", "8bit").faults == []
