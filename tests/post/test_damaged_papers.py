"""Papers of tournaments that were changed on their way are told, whoever mails them and whatever stands beside them."""

from email.message import EmailMessage

import pytest
from helpers import sweeps
from helpers.cup_by_mail import announced
from helpers.refereed_mail import DAY
from helpers.strangers import says, stranger

from kursk_pbem.tournament.papers import mails
from kursk_pbem.trust import keys

DAMAGED = {
    "a letter": lambda text: text.replace(b"newcomer", b"newcommer"),
    "its signature": lambda text: text.replace(b"U1NIU0lH", b"U1NIU0lI"),
    "its end": lambda text: text[: 9 * len(text) // 10],
    "a line": lambda text: b"\n".join(line for line in text.split(b"\n") if not line.startswith(b"draw")),
    "its quotes": lambda text: text.replace(b"'", "\u2019".encode()),
    "its first line": lambda text: text.partition(b"\n")[2],
    "its lines": lambda text: text.replace(b"\n", b" "),
    "marks": lambda text: b"".join(b"* %b\n" % line for line in text.splitlines()),
    "its blanks": lambda text: text.replace(b" ", b"\xc2\xa0"),
    "its case": lambda text: text.replace(b"kursk-tournament", b"Kursk-tournament"),
    "no signature": lambda text: text.partition(b"signature:")[0],
}
WAYS = ("attached", "8bit", "html", "base64")


def written(sender, text, how, beside=b""):
    """A mail with a paper in some way, and perhaps with another one that is whole."""
    made = EmailMessage()
    made["From"], made["Subject"], made["Message-ID"] = sender, "papers", "<1@x>"
    said = text.decode("utf-8")
    if how == "attached":
        made.set_content("Hello,\n")
        for name, held in (("a.yaml", beside), ("b.yaml", text)):
            if held:
                made.add_attachment(held, "application", "octet-stream", filename=name)
    elif how == "quoted":
        made.set_content("Hello\n\n" + "".join(f"> {line}\n" for line in beside.decode().splitlines()))
        made.add_attachment(text, "application", "octet-stream", filename="b.yaml")
    elif how == "html":
        shown = said.replace("&", "&amp;").replace("'", "&#39;").replace("\n", "<br>\n")
        made.set_content(f"<html><body>{shown}</body></html>", subtype="html")
    else:
        made.set_content(f"Hello,\n\n{beside.decode()}\n{said}-- \nN\n", cte=how)
    return made.as_bytes()


@pytest.fixture
def cup(time, tmp_path):
    return announced(tmp_path, time)


def told(cup, raw):
    cup.office.put(raw, cup.ref.address)
    day = cup.ref.post()
    return [*day.faults, *day.refused]


@pytest.mark.parametrize(("what", "how"), sweeps.some([(what, how) for what in DAMAGED for how in WAYS], 7))
def test_T48_a_damaged_entry_of_a_newcomer_is_told(cup, what, how):
    """Nobody who enters is known yet: all that was damaged was passed over."""
    text = mails.bundle([says(cup.book(), stranger(1), name="newcomer")]).encode("ascii")
    assert not told(cup, written("new@elsewhere.test", text, how).replace(b"<1@x>", b"<2@x>"))
    assert told(cup, written("new@elsewhere.test", DAMAGED[what](text), how))


@pytest.mark.parametrize(
    ("what", "how"), sweeps.some([(what, how) for what in DAMAGED for how in ("attached", "8bit", "quoted")], 5)
)
def test_T48_so_is_a_players_beside_a_paper_that_is_here_already(entered, what, how):
    """A whole one that was old kept all others from being looked at."""
    cup = entered
    cup.ref.post()
    player = next(iter(cup.players.values()))
    old = next(path.read_bytes() for path in sorted((cup.folder / "papers").iterdir()))
    own = keys.load(player.friend.key)
    text = mails.bundle([says(cup.book(), own, name="newcomer")]).encode("ascii")
    assert told(cup, written(player.address, DAMAGED[what](text), how, old))


@pytest.mark.parametrize("name", ["<br>", "a<br>b", "</html>", "kursk-1a2b3c4d-0001.yaml"])
def test_T29_an_entrant_whose_name_looks_like_a_page_or_a_file_damages_no_letter(time, tmp_path, name):
    """Each letter of the director was told as falsified, at every desk."""
    cup = announced(tmp_path, time)
    wrong = []
    for player, called in zip(cup.players.values(), (name, "Good"), strict=False):
        rules = cup.folder / "log" / "0000.yaml"
        player.friend.kursk("tournament", "enter", "--yes", "--", rules, called)
        player.post()
    cup.time.now += DAY
    for step in (None, "inbox", "close"):
        if step:
            cup.direct("tournament", step)
            cup.ref.sits()
        day = cup.ref.post()
        wrong += [*day.faults, *day.refused]
        cup.time.now += DAY
        if step == "inbox":
            cup.direct("people", "confirm", "--all", "--yes")
        for player in cup.players.values():
            day = player.post()
            wrong += [*day.faults, *day.refused]
    assert wrong == []
