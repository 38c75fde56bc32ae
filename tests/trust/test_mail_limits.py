"""What a mail full of damaged copies may cost (T27): the work is counted, not timed. And turns that are too long."""

import hashlib
from unittest import mock

import pytest
from helpers import pace, sweeps
from helpers.mails import quoted, refused_in_words, taken
from helpers.signing_desk import SIGNERS, following, game

from kursk_pbem.errors import FileError
from kursk_pbem.formats import strictyaml
from kursk_pbem.formats.canonical import MAX_BYTES, canon
from kursk_pbem.game import inbox
from kursk_pbem.post.envelope import MAX_MAIL
from kursk_pbem.tournament.papers import mails as bundles
from kursk_pbem.trust import allowance, keys, leftover, mail, mailrepair, mailtext, messages, papers, sshsig

pytestmark = pytest.mark.slow

SAID = following(game(3))
MIB = 1024 * 1024


def written(content, armour, more=b"", below=b""):
    lines = b"".join(b"  " + line + b"\n" for line in armour.encode("ascii").splitlines())
    return messages.emit(content).encode("ascii") + more + b"signature: |\n" + lines + below


def damaged(number, more=b"", below=b""):
    """A copy with a signature that fits another text; each copy has another one."""
    return written(SAID, SIGNERS["german"].sign(sshsig.NAMESPACE, b"another text %d" % number), more, below)


def forged(number, below=b""):
    """A copy that a stranger has signed; each another stranger."""
    key = keys.from_seed(hashlib.sha256(b"%d" % number).digest())
    return written(SAID, key.sign(sshsig.NAMESPACE, canon(SAID)), b"", below)


def many(size, copy, *arguments):
    one = len(copy(0, *arguments))
    return b"".join(copy(number, *arguments) for number in range(size // one))


PAIRS = b"{a: 1}," * 6300
LINES = b"state:\n" + b" x\n" * 39_000
VALUES = b"state:\n  {type: state, a: [" + PAIRS + b"]}\n"
COPIES = {
    "small": lambda: many(MIB, damaged, b"zz: 1\n"),
    "full of values": lambda: many(2 * MIB, damaged, b"orders: {a: [" + PAIRS + b"]}\n"),
    "full of empty lines": lambda: many(8 * MIB, damaged, b"\n" * 200_000),
    "a position of many lines below each": lambda: many(8 * MIB, damaged, b"", LINES),
    "a position full of values below each": lambda: many(4 * MIB, damaged, b"", VALUES),
    "quoted": lambda: quoted(many(MIB, damaged, b"#\n" * 20_000), b"> > "),
    "by strangers": lambda: many(MIB // 2, forged),
    "by strangers, a position of many lines": lambda: many(4 * MIB, forged, LINES),
    "by strangers, a position of too many lines": lambda: many(8 * MIB, forged, LINES + b" x\n" * 39_000),
    "by strangers, a position full of values": lambda: many(2 * MIB, forged, VALUES),
}


@pytest.mark.parametrize("what", sweeps.some(COPIES, 4))
def test_T27_what_is_spent_on_the_copies_of_a_turn_is_limited(what):
    """In tenths of a microsecond; whoever puts into words what is wrong reads one copy more."""
    raw = COPIES[what]()
    spent = 0
    read, look = strictyaml.read, mailrepair.plain_blanks

    def reading(data, name, kind="message"):
        nonlocal spent
        spent += allowance.cost(data)
        return read(data, name, kind)

    def looking(line):
        nonlocal spent
        spent += 40
        return look(line)

    with mock.patch.object(strictyaml, "read", reading), mock.patch.object(mailrepair, "plain_blanks", looking):
        try:
            mail.pick(raw, "mail.txt")
        except FileError as error:
            refused_in_words(error)
    assert spent < 2.5 * allowance.MAX_READ
    assert spent > allowance.MAX_READ / 8  # there was something to limit


@pytest.mark.parametrize("number", [1, 60])
def test_T27_a_good_copy_is_found_behind_damaged_ones(turn, number):
    bare = turn[: turn.index(b"state:\n")].replace(b"state-in", b"state in")
    spoilt = b"".join(bare.replace(b"U1NIU0lHAAAAAQ", b"U1NIU0lHAAAA%02d" % k) for k in range(number))
    assert taken(spoilt + b"\n\n" + quoted(turn)).id == messages.read(turn, "turn").id


def test_a_mailbox_of_hundreds_of_turns_is_looked_through():
    """What goes well is not counted as damage."""
    state = b"state:\n  type: state\n" + b"".join(b"  k%d:\n    place: '2011'\n" % k for k in range(500))
    said = [{**SAID, "seq": str(number)} for number in range(150)]
    signed = ((each, SIGNERS["german"].sign(sshsig.NAMESPACE, canon(each))) for each in said)
    box = b"".join(b"From a\n\n" + written(content, armour, below=state) for content, armour in signed)
    found = mail.extract(box, "box")
    assert len(found) == len(said)
    assert messages.read(found[-1].raw, "box").content == said[-1]


LONG = b"orders: {a: ['" + b"',\n '".join([b"x" * 4000] * 80) + b"']}\nsignature:"


@pytest.mark.parametrize(("before", "line"), [(b"", 1), (b"# mine\r\n\r\n---\n", 4), (b"Hello\n\n", 3)])
@pytest.mark.parametrize("layout", [bytes, quoted])
def test_a_turn_that_is_too_long_is_told_so(before, line, layout):
    text = before + layout(damaged(0).replace(b"signature:", LONG))
    assert len(text) > MAX_BYTES
    with pytest.raises(FileError) as caught:
        inbox.read(text, "mail.txt")
    assert str(caught.value) == f"mail.txt:{line}: {mailtext.TOO_LONG}"


@pytest.mark.parametrize("text", [damaged(0).replace(b"signature:", LONG * 3), messages.emit(SAID).encode("ascii")])
def test_a_turn_without_an_end_is_told_so(text):
    with pytest.raises(FileError, match=r"^mail\.txt:3: the turn that begins here does not end within the 262144 "):
        inbox.read(b"Hello\n\n" + text + b"and so on\n" * 60_000, "mail.txt")


def test_a_position_that_is_too_long_is_left_out():
    raw = written(SAID, SIGNERS["german"].sign(sshsig.NAMESPACE, canon(SAID)), below=LINES * 3)
    for text in (raw, b"Hello\n\n" + raw):
        found = inbox.read(text, "mail.txt")
        assert (found.content, found.state) == (SAID, None)


def test_where_no_turn_begins_in_a_long_file_that_is_told():
    with pytest.raises(FileError, match="no turn begins in any line of it"):
        inbox.read(b"hello\n" * 50_000, "mail.txt")


def test_T27_why_no_turn_is_in_a_large_file_is_looked_for_as_in_a_mail_that_is_fetched():
    """All 32 MB were looked through for names of files and signatures: up to eight seconds and 474 MB."""
    with mock.patch.object(leftover, "told", return_value="") as told, pytest.raises(FileError, match="no turn begins"):
        inbox.read(b"x" * (9 * MIB), "mail.txt")
    assert len(told.call_args[0][0]) == MAX_MAIL


def test_a_turn_at_the_end_of_a_large_file_is_read():
    raw = b"Subject: x\n\n" + (b"A" * 1000 + b"\n") * (10 * MIB // 1000)
    raw += written(SAID, SIGNERS["german"].sign(sshsig.NAMESPACE, canon(SAID)))
    assert inbox.read(raw, "mail.txt").content == SAID


def test_T49_of_a_mail_of_more_turns_than_are_read_the_last_are(monkeypatch):
    said = [{**SAID, "seq": str(number)} for number in range(4)]
    box = b"".join(written(one, SIGNERS["german"].sign(sshsig.NAMESPACE, canon(one))) for one in said)
    assert len(mail.survey(box, "box").turns) == len(said)
    monkeypatch.setattr(allowance, "MAX_MAIL", 4 * allowance.cost(forged(0)))
    found = mail.survey(box, "box")
    assert [turn.seq for turn in found.turns] == [3]
    assert "it holds too many turns to look through" in str(found.faults)


def test_T27_what_a_stranger_signs_that_is_no_turn_counts_as_damaged():
    """Each was read nine times, and what is wrong with it put into words: 25 seconds for 45 in less than 1 MB."""
    lame = {**SAID, "from": "?", "orders": {"move": [["a"]] * 1500}}
    text = written(lame, "ARMOUR")
    box = b""
    for number in map(str, range(100, 115)):
        armour = SIGNERS["german"].sign(sshsig.NAMESPACE, canon({**lame, "seq": number}))
        lines = armour.rstrip().replace("\n", "\n  ").encode("ascii")
        box += text.replace(b"seq: '%b'" % SAID["seq"].encode("ascii"), b"seq: '%b'" % number.encode("ascii")).replace(
            b"ARMOUR", lines
        )
    with pace.within(2):
        found = mail.survey(box, "box", allowance.Allowance("box", allowance.MAX_READ // 2, allowance.MAX_MAIL))
        assert "it holds too many damaged copies to look through" in str(found.faults)


def test_T27_a_mail_of_unknown_keys_is_read_within_bounds():
    """For each key one like it was looked for: five seconds for 1 MB of papers of a tournament."""
    keys_ = b"".join(b"a%d: b\n" % number for number in range(2500))
    armour = f"signature: |\n  {sshsig.BEGIN}\n  {sshsig.END}\n".encode("ascii")
    box = (b"kursk-tournament: '1'\ntype: turn\n" + keys_ + armour) * 20
    with pace.within(2):
        assert len(bundles.find(box, "box")[1]) > 1


PAGE = b"Content-Type: text/html\n\n<html><br>\nkursk-pbem: '1'<br>\n"


@pytest.mark.parametrize("number", [b"&#" + b"9" * 5000 + b";", b"&#x" + b"f" * 5000, b"&#" + b"0" * 5000 + b"39;"])
def test_T27_a_number_for_no_letter_in_a_page_of_html_stops_nothing(number):
    assert mail.survey(PAGE + number, "page").turns == ()
    good = written(SAID, SIGNERS["german"].sign(sshsig.NAMESPACE, canon(SAID))).replace(b"'", b"&#39;")
    page = PAGE + number + b"<br>\n" + good.replace(b"\n", b"<br>\n") + b"</html>"
    assert [turn.content for turn in mail.survey(page, "page").turns] == [SAID]


@pytest.mark.parametrize("mark", [b"&a", b"<b>"])
def test_T27_a_page_of_html_with_too_many_marks_is_refused(mark, monkeypatch):
    monkeypatch.setattr(mailtext, "MAX_HTML", 1000)
    mail.survey(PAGE + mark * 900, "page")
    with pytest.raises(FileError, match="too much in it looks like marks of HTML"):
        mail.survey(PAGE + mark * 1001, "page")


def test_T27_a_mail_of_more_encoded_parts_than_a_person_writes_is_refused():
    """Of 20,000, each a page with a turn in it, and megabytes below, one mail cost three seconds."""
    part = b"\nContent-Transfer-Encoding: base64\n\naGk=\n\n"
    mail.survey(part * 5000, "parts")
    with pytest.raises(FileError, match="too much in it looks like encoded parts"):
        mail.survey(part * 5001, "parts")


def test_T27_a_paper_in_a_mail_is_read_three_times(monkeypatch):
    """It was five times: whether it was a paper was asked twice, and read for that."""
    signer = keys.from_seed(b"k" * 32)
    said = {"seq": "3", "from": "german", "id": "ab" * 32, "received": "2026-09-01T00:00:00Z"}
    content = {"kursk-pbem": "1", "type": "receipt", "game": "cd" * 32, **said, "due": "2026-09-08T00:00:00Z"}
    raw = papers.emit(papers.sign(content, signer)).encode("ascii")
    reads, real = [], strictyaml.read
    monkeypatch.setattr(strictyaml, "read", lambda *given: reads.append(1) or real(*given))
    assert [turn.type for turn in mail.survey(raw, "a mail").turns] == ["receipt"]
    assert len(reads) <= 3


def test_T27_a_position_that_cannot_be_taken_is_paid_for_twice():
    """Why it cannot be is put into words that nobody sees: 1,000 turns with positions took more than two seconds."""
    said = {"game": "cd" * 32, "seq": "3", "from": "german", **dict.fromkeys(("prev", "open", "commit"), "ab" * 32)}
    content = {"kursk-pbem": "1", "type": "turn", **said, **dict.fromkeys(("state-in", "state-out"), "ab" * 32)}
    armour = keys.from_seed(b"k" * 32).sign(sshsig.NAMESPACE, messages.signed_bytes(content))
    raw = messages.emit(content, armour).encode("ascii")
    spent = []
    for below in (b"", b"state:\n" + b"".join(b"  a%d: 'b'\n" % number for number in range(400))):
        paid = allowance.Allowance("a mail", allowance.MAX_READ, allowance.MAX_MAIL)
        assert len(mail.survey(raw + below, "a mail", paid).turns) == 1
        spent.append(allowance.MAX_MAIL - paid.good - 2 * allowance.cost(raw + below))
    assert spent[1] >= spent[0] + allowance.cost(raw)


def holders(value):
    """How many lists and mappings there are, this one among them."""
    if isinstance(value, str):
        return 0
    return 1 + sum(map(holders, value.values() if isinstance(value, dict) else value))


NESTS = {
    "mappings by line ends": b"a:\n b:\n  c:\n   d:\n    e: f\n",
    "lists by line ends": b"a:\n -\n  -\n   - b\n",
    "lists behind two blanks": b"a:\n  -  -  -  -  - b\n",
    "lists behind odd blanks": b"a: \n  - \n    -   -    - b\n",
    "mappings in lists": b"a:\n - b:\n   - c: d\n   - e: f\n - g: h\n",
    "mappings without braces": b"a: [b: c, d: [e: f]]\n",
    "in brackets": b"a: {b: [{c: [d]}]}\n",
}


@pytest.mark.parametrize("raw", NESTS.values(), ids=NESTS)
def test_T27_every_list_and_mapping_is_paid_however_it_is_written(raw):
    """Line ends and blanks nest, too, and no search for marks finds all of them: 18 seconds of one mail."""
    document = strictyaml.read(raw, "a turn")
    assert document.holders == holders(document.data)
    assert (
        allowance.cost(raw) + allowance.beyond(document)
        >= 4096 + len(raw) + 24 * document.values + 80 * document.holders
    )
