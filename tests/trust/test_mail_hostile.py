"""Turns in mails that are wrapped or damaged in any way, or made to do harm (T26, T27)."""

import base64
import email.policy
import resource
import time
from contextlib import ExitStack
from unittest import mock

import pytest
from helpers import pace, sweeps
from helpers.mails import WAYS, attached, fits, letter, noted, quoted, refused_in_words, same, taken
from hypothesis import given
from hypothesis import strategies as st

from kursk_pbem.errors import FileError
from kursk_pbem.trust import mail, mailtext, messages

pytestmark = pytest.mark.slow

SECOND = 2.0  # of processor time: half of it or less where nobody else wants the processor


# Any wrapping, any damage

TEXT = st.text(st.characters(codec="utf-8", exclude_categories=["Cs", "Cc"]), max_size=60)
MARKS = st.sampled_from([b"", b"> ", b">", b">> ", b"> > ", b"| ", b"    ", b"\xc2\xa0 "])


@st.composite
def wrappers(draw):
    """A function that does to a turn what mail programs do."""
    marks, ends = draw(MARKS), draw(st.sampled_from([b"\n", b"\r\n"]))
    before, after = (draw(st.lists(TEXT, max_size=4)) for _ in range(2))
    style = draw(st.sampled_from(["raw", "7bit", "8bit", "quoted-printable", "base64", "attachment", "both"]))
    charset = draw(st.sampled_from(["utf-8", "utf-16"] if style == "base64" else ["utf-8"]))
    depth = draw(st.integers(0, 3))
    blanks = draw(st.sampled_from([b"", b" ", b"  "]))

    def wrap(turn):
        body = quoted(turn.replace(b"\n", blanks + b"\n"), marks).decode("utf-8")
        text = "\n".join([*before, "", body.rstrip("\n"), "", *after, ""])
        if style == "raw":
            return text.encode("utf-8").replace(b"\n", ends)
        cte = style if style in WAYS else "quoted-printable"
        if cte == "7bit":
            text = text.encode("ascii", "ignore").decode("ascii")
        made = letter("see below\n" if style == "attachment" else text, charset, cte)
        if style in ("attachment", "both"):
            attached(made, turn)
        for _ in range(depth):
            outer = letter("forwarded\n")
            outer.add_attachment(made)
            made = outer
        return made.as_bytes(policy=email.policy.default.clone(linesep=ends.decode(), cte_type="8bit"))

    return wrap


@sweeps.tries(150)
@given(st.data())
def test_however_a_turn_is_wrapped_it_comes_out_the_same(demo, data):
    each = data.draw(st.sampled_from([*demo, noted()]))
    found = taken(data.draw(wrappers())(each))
    assert found is not None
    assert found.id == messages.read(each, "turn").id


@sweeps.tries(150)
@given(st.data())
def test_T26_no_damage_makes_another_message_of_it(demo, keys, data):
    each = data.draw(st.sampled_from(demo))
    raw = bytearray(data.draw(wrappers())(each))
    for _ in range(data.draw(st.integers(1, 4))):
        at = data.draw(st.integers(0, len(raw) - 1))
        match data.draw(st.integers(0, 3)):
            case 0:
                raw[at] = data.draw(st.integers(0, 255))
            case 1:
                del raw[at : at + data.draw(st.integers(1, 200))]
            case 2:
                raw[at:at] = data.draw(st.binary(max_size=20))
            case _:
                raw[at:at] = raw[at : at + data.draw(st.integers(1, 3000))]
        raw = raw or bytearray(b"\n")
    began = time.process_time()
    found = taken(bytes(raw))
    assert time.process_time() - began < SECOND
    assert found is None or found.id == messages.read(each, "turn").id or not fits(found, keys)


PIECES = [
    b"kursk-pbem: '1'\n",
    b"> ",
    b"\n",
    b"seq: '1'\n",
    b"signature: |\n",
    b"-----BEGIN SSH SIGNATURE-----\n",
    b"U1NIU0lH\n",
    b"-----END SSH SIGNATURE-----\n",
    b"state:\n",
    b"  x: y\n",
    b"type: turn\n",
    b"from: german\n",
    b"Content-Transfer-Encoding: base64\n\n",
    b"Content-Transfer-Encoding: quoted-printable\n\n",
    b"From x\n",
    b"\r",
    b"=C2=A0",
    b"\xa0",
    b"\x00",
    b"=\n",
    b"--b\n",
    base64.encodebytes(b"kursk-pbem: 1\n"),
    "kursk-pbem: 1\n".encode("utf-16-le"),
]


@sweeps.tries(300)
@given(st.lists(st.sampled_from(PIECES), max_size=40).map(b"".join))
def test_T26_pieces_of_mails_in_any_order_are_refused_in_words(keys, raw):
    found = taken(raw)
    assert found is None or not fits(found, keys)
    try:
        mail.extract(raw, "mail.txt")
    except FileError as error:
        refused_in_words(error)


def test_T26_what_a_mail_holds_is_read_as_strictly_as_a_file(turn):
    bomb = b"".join(b"%c: &%c [*%c, *%c, *%c]\n" % (k, k, *[k - 1] * 3) for k in range(98, 107))
    for more in (bomb, b"<<: {type: turn}\n", b"x: !!python/object/apply:os.system ls\n", b"type: turn\n", b"--- \n"):
        assert taken(b"Hi\n" + turn.replace(b"signature:", more + b"signature:")) is None


# Hostile mails (T27)

MIB = 1024 * 1024
END = b"-----END SSH SIGNATURE-----\n"
PACKED = b"Content-Transfer-Encoding: base64\n\n"


def full(unit, size=mailtext.MAX_MAIL):
    return (unit * (size // len(unit) + 1))[:size]


def nested(inner, times):
    for _ in range(times):
        inner = PACKED + base64.encodebytes(inner)
    return inner


def parts(count):
    return b"".join(b"Content-Type: multipart/mixed; boundary=b%d\n\n--b%d\n" % (k, k) for k in range(count))


def copies(count, mark, body, position):
    """Copies of what says to be one turn, each with another signature."""
    head = mark + b"kursk-pbem: 1\n" + mark + b"seq: 1\n" + body + mark + b"-----BEGIN SSH SIGNATURE-----\n"
    return b"".join(head + b"%d\n" % k + mark + END + position for k in range(count))


HOSTILE = {
    "an mbox of From lines": lambda: full(b"From a\n"),
    "line ends": lambda: full(b"\r\n"),
    "line ends of old": lambda: full(b"\r"),
    "quotation marks": lambda: full(b"> "),
    "quoted lines": lambda: full(b"> > > > \n"),
    "one header": lambda: b"Subject: " + full(b"x", 31 * MIB),
    "many headers": lambda: full(b"X-Y: z\n"),
    "a folded header": lambda: b"Subject:" + full(b" y\n", 31 * MIB),
    "multiparts in multiparts": lambda: parts(600_000),
    "beginnings": lambda: full(b"kursk-pbem: '1'\n"),
    "beginnings with room": lambda: full(b"kursk-pbem: '1'\n" + b"x\n" * 1600),
    "mentions": lambda: full(b"kursk-pbem:"),
    "ends": lambda: full(END),
    "turns of nothing": lambda: full(b"kursk-pbem: 1\n" + b"x\n" * 3300 + END),
    "bad copies": lambda: copies(9000, b"", b"x: y\n" * 600, b""),
    "big bad copies": lambda: copies(64, b"> ", b"> x\n" * 60_000, b"> state:\n" + b">  x: y\n" * 30_000),
    "a turn of blanks": lambda: b"kursk-pbem: 1\n" + END + b"\n" * 31 * MIB,
    "headers of parts": lambda: full(b"Content-Transfer-Encoding: base64\n"),
    "parts": lambda: (PACKED + b"QUFB" * 100 + b"\n--b\n") * 49_000,
    "parts in parts": lambda: nested(b"x", 1) * 40_000,
    "a big part": lambda: PACKED + full(b"QUFB" * 18 + b"\n", 31 * MIB),
    "parts in parts in parts": lambda: nested(full(b"From a\n", 3 * MIB), 6)[: mailtext.MAX_MAIL],
    "quoted-printable": lambda: b"Content-Transfer-Encoding: quoted-printable\n\n" + full(b"=3D", 31 * MIB),
    "soft line ends": lambda: b"Content-Transfer-Encoding: quoted-printable\n\n" + full(b"=\n", 31 * MIB),
    "broken UTF-16": lambda: "kursk-pbem: 1\n".encode("utf-16-le") + full(b"\x00\xd8", 31 * MIB),
    "zeros": lambda: full(b"\x00"),
    "too much": lambda: bytes(mailtext.MAX_MAIL + 1),
}


@pytest.mark.parametrize("what", sweeps.some(HOSTILE, 4))
def test_T27_a_hostile_mail_costs_less_than_a_second(what):
    raw = HOSTILE[what]()
    with pace.within(SECOND):
        assert taken(raw) is None


BEFORE = ["many headers", "an mbox of From lines", "multiparts in multiparts", "quoted lines"]


@pytest.mark.parametrize("what", sweeps.some(BEFORE, 4))
def test_T27_a_turn_behind_all_that_is_found(what, turn):
    raw = HOSTILE[what]()[: 31 * MIB] + b"\n" + turn
    assert taken(raw).id == messages.read(turn, "turn").id


def test_T27_memory_stays_within_a_few_times_the_mail():
    raw = nested(full(b"From a\n", 12 * MIB), 3)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    assert taken(raw) is None
    assert (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) * 1024 < 8 * mailtext.MAX_MAIL


def test_T27_what_is_packed_too_deep_is_left_alone(turn):
    assert taken(nested(turn, mailtext.MAX_DEPTH)) is not None
    assert taken(nested(turn, mailtext.MAX_DEPTH + 1)) is None


def test_nothing_is_written_fetched_or_run(turn):
    made = letter('see <img src="https://example.org/x.png"> file:///etc/passwd\n' + turn.decode("ascii"))
    made["Content-Location"] = "https://example.org/turn.yaml"
    assert same(made.as_bytes(), turn)  # whatever is imported late is imported now
    with ExitStack() as stack:
        for name in ("builtins.open", "os.open", "socket.socket", "subprocess.Popen", "tempfile.mkstemp"):
            stack.enter_context(mock.patch(name, side_effect=AssertionError))
        assert same(made.as_bytes(), turn)
