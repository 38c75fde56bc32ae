"""A referee's receipts and forfeits: their form, whose they are, what they are about, and when they contradict."""

import itertools
import random

import pytest
from helpers import sweeps
from helpers.referee_papers import T, content, forfeit, made, refused, relayed, text_of
from helpers.signing_desk import PLAYERS, SIGNERS, propose, sample, signed

from kursk_pbem.errors import FileError, TrustError
from kursk_pbem.formats.canonical import canon
from kursk_pbem.game import inbox
from kursk_pbem.trust import chains, mail, messages, papers, referee, sshsig
from kursk_pbem.trust.referee import ContradictionError

L = 2**252 + 27742317777372353535851937790883648493


# Form


def test_the_sample_receipt_holds_in_both_forms_and_is_written_again_byte_for_byte():
    mailed = (PLAYERS / "receipt-0010.yaml").read_bytes()
    one = papers.read(mailed, "receipt-0010.yaml")
    raw, armour = (PLAYERS / "receipt-0010.json").read_bytes(), (PLAYERS / "receipt-0010.json.sig").read_text("ascii")
    two = papers.read_archive(raw, armour, "receipt-0010.json")
    assert (one.content, one.id, one.signed) == (two.content, two.id, raw)
    for each in (one, two):
        assert papers.emit(each).encode("ascii") == mailed
    of = chains.start(sample(0))
    for k in range(1, 11):
        of = of.extend(sample(k))
    found = referee.weigh(of, [one, two], over=False)
    assert found.receipts == {10: one}
    assert found.due(10) == "1943-07-16T03:00:00Z"


@pytest.mark.parametrize(
    "change",
    [
        {"received": None},
        {"due": None},
        {"id": None},
        {"game": None},
        {"seq": None},
        {"from": None},
        {"side": "german"},
        {"declared": T[3]},
        {"note": "hello"},
        {"prev": "ab" * 32},
        {"state": {"type": "state"}},
        {"seq": "01"},
        {"seq": "10000"},
        {"seq": "-1"},
        {"seq": ["1"]},
        {"id": "AB" * 32},
        {"game": "ab" * 31},
        {"kursk-pbem": "2"},
        {"received": ""},
        {"received": {"at": T[0]}},
        {"received": [T[0]]},
        *(
            {name: text}
            for name in ("received", "due")
            for text in (
                "1943-02-30T03:00:00Z",
                "1943-07-06T24:00:00Z",
                "1943-07-06T03:00:00z",
                "1943-07-06t03:00:00Z",
                "1943-07-06T03:00:00+00:00",
                "1943-07-06T23:59:60Z",
                "1943-07-06T03:00Z",
                "1943-07-06 03:00:00Z",
                "0000-01-01T00:00:00Z",
                "1943-7-6T03:00:00Z",
                "1943-07-06",
                "now",
            )
        ),
    ],
)
def test_a_receipt_of_another_form_is_not_read(change):
    said = content(relayed(4)) | change
    said = {name: value for name, value in said.items() if value is not None}
    with pytest.raises(FileError) as caught:
        papers.read(text_of(said).encode("ascii"), "receipt-0003.yaml")
    assert str(caught.value).startswith("receipt-0003.yaml")
    assert str(caught.value).isascii()


@pytest.mark.parametrize(
    "change",
    [
        {"side": None},
        {"declared": None},
        {"due": None},
        {"received": T[0]},
        {"declared": "1943-02-30T03:00:00Z"},
        {"side": "German"},
        {"side": ""},
    ],
)
def test_a_forfeit_of_another_form_is_not_read(change):
    said = content(relayed(4), None, "forfeit") | change
    with pytest.raises(FileError):
        papers.read(text_of({k: v for k, v in said.items() if v is not None}).encode("ascii"), "forfeit.yaml")


def test_a_line_end_behind_a_time_is_refused_in_both_forms():
    said = content(relayed(4)) | {"received": f"{T[0]}\n"}
    with pytest.raises(FileError):
        papers.read(text_of(said).encode("ascii"), "x.yaml")
    with pytest.raises(FileError):
        papers.read_archive(canon(said), SIGNERS["referee"].sign(sshsig.NAMESPACE, canon(said)), "x.json")


@pytest.mark.parametrize(
    "raw",
    [
        b"",
        b"receipt",
        b"type: receipt",
        b"type: [receipt]",
        b"{type: receipt, type: receipt}",
        b"type: receipt\n--- \ntype: receipt",
        b"%YAML 1.1\ntype: receipt",
        b"type: &a receipt",
        b"a: " + b"[" * 40_000 + b"receipt",
    ],
)
def test_what_is_no_paper_is_told_plainly(raw):
    if papers.is_paper(raw):
        with pytest.raises(FileError):
            papers.read(raw, "x.yaml")


def test_an_unsigned_paper_is_not_read():
    said = messages.emit(content(relayed(4)))
    with pytest.raises(FileError, match="not signed"):
        papers.read(said.encode("ascii"), "x.yaml")
    with pytest.raises(FileError, match="not signed"):
        papers.read_archive(canon(content(relayed(4)) | {"signature": "x"}), "", "x.json")


def test_a_message_is_no_paper_and_a_paper_no_message():
    receipt = text_of(content(relayed(4))).encode("ascii")
    assert papers.is_paper(receipt)
    with pytest.raises(FileError, match="a referee's receipt"):
        messages.read(receipt, "x.yaml")
    turn = (PLAYERS / "0005.yaml").read_bytes()
    assert not papers.is_paper(turn)
    assert not papers.is_paper(turn.replace(b"type: turn", b"type: turn\nnote: receipt forfeit"))
    with pytest.raises(FileError):
        papers.read(turn, "x.yaml")


# One paper


def test_a_receipt_and_a_forfeit_that_hold():
    of = relayed(5)
    receipt, end = made(of), forfeit(of)
    found = referee.weigh(of, [end, receipt], over=False)
    assert (found.receipts, found.forfeit) == ({4: receipt}, end)
    assert found.due(4) == T[9]
    assert found.due(3) == ""
    assert referee.weigh(of, [], over=False) == referee.NONE


def test_T15_a_game_without_a_referee_takes_nobodys_word():
    of = chains.start(signed(propose()))
    refused(of, [made(of)], "sender", "names no referee")


@pytest.mark.parametrize("by", ["german", "russian", "stranger"])
def test_only_the_referees_key_signs(by):
    of = relayed(5)
    refused(of, [made(of, by=by)], "signature", "not what was signed")
    for side in ("german", "russian"):
        refused(of, [made(of, by=by, from_=side)], "sender", "the referee's to sign")


@pytest.mark.parametrize("change", [{"received": T[1]}, {"due": T[8]}, {"seq": "3"}, {"id": "ab" * 32}])
def test_T17_a_receipt_that_was_changed_is_not_what_was_signed(change):
    of = relayed(5)
    said = content(of)
    armour = SIGNERS["referee"].sign(sshsig.NAMESPACE, canon(said))
    refused(of, [papers.read(text_of(said | change, armour=armour).encode("ascii"), "x")], "signature")


def malleated(armour, change):
    key, blob = sshsig.public_key(SIGNERS["referee"].public), bytearray(sshsig.dearmour(armour))
    raw = bytes(blob[-64:])
    if change == "S+L":
        raw = raw[:32] + (int.from_bytes(raw[32:], "little") + L).to_bytes(32, "little")
        return sshsig.armour(key, sshsig.NAMESPACE, raw)
    if change == "namespace":
        return SIGNERS["referee"].sign("file", canon(content(relayed(5))))
    if change == "bit":
        return sshsig.armour(key, sshsig.NAMESPACE, bytes([raw[0] ^ 1]) + raw[1:])
    if change == "trailing":
        return armour.replace("\n-----END", "AAAA\n-----END")
    return armour.replace("-----BEGIN SSH", "-----BEGIN PGP")


@pytest.mark.parametrize("change", ["S+L", "namespace", "bit", "trailing", "marker"])
def test_T17_T31_a_signature_that_was_rewritten(change):
    of = relayed(5)
    said = content(of)
    armour = malleated(SIGNERS["referee"].sign(sshsig.NAMESPACE, canon(said)), change)
    refused(of, [papers.read(text_of(said, armour=armour).encode("ascii"), "x")], "signature")


def test_T12_a_receipt_of_another_game():
    of, another = relayed(5), relayed(5, note="another")
    assert of.game != another.game
    refused(of, [made(another)], "chain", "another game")
    refused(of, [forfeit(another)], "chain", "another game")


def test_a_receipt_of_a_message_that_is_not_here():
    refused(relayed(5), [made(relayed(7), 6)], "chain", "look for what is missing")


def test_T9_a_receipt_of_another_message_than_the_one_here_is_evidence():
    of = relayed(5)
    refused(of, [made(of, 3, id=of.ids[2])], "chain", "another message 3", "'kursk prove'", kind=ContradictionError)
    refused(of, [made(of, 4, id="ab" * 32)], "chain", kind=ContradictionError)


def test_times_that_cannot_be_true():
    of = relayed(5)
    refused(of, [made(of, received=T[5], due=T[4])], "order", "due is before received")
    referee.weigh(of, [made(of, received=T[5], due=T[5])], over=False)
    for declared in (T[9], T[8]):
        refused(of, [made(of), forfeit(of, declared=declared)], "order", "must be after due")


# All together


def test_of_several_receipts_the_earliest_counts_in_whatever_order_they_come():
    of = relayed(5)
    early, late = made(of, received=T[1], due=T[8]), made(of, received=T[2], due=T[20])
    for held in ([early, late], [late, early], [late, early, late]):
        found = referee.weigh(of, held, over=False)
        assert found.receipts == {4: early}
        assert len(found.all) == 2


def test_two_receipts_of_one_time_with_two_terms_are_told():
    of = relayed(5)
    one, two = made(of, due=T[8]), made(of, due=T[9])
    for held in ([one, two], [two, one]):
        refused(of, held, "order", T[8], T[9], "which is right", kind=ContradictionError)
    earlier = made(of, received="1943-06-30T03:00:00Z", due=T[7])
    refused(of, [one, two], "order", kind=ContradictionError)
    assert referee.weigh(of, [earlier, one, two], over=False).receipts == {4: earlier}


def test_T61_the_receipts_that_count_are_in_the_order_of_the_messages():
    """Message 4 holds the id of message 3. Two of one time came together; nothing is compared with a clock."""
    of = relayed(5)
    three, four = made(of, 3, received=T[3]), made(of, 4, received=T[2])
    for held in ([three, four], [four, three]):
        refused(of, held, "order", T[2], T[3], "without message 3", "by a year", kind=ContradictionError)
    same = made(of, 4, received=T[3])
    assert len(referee.weigh(of, [three, same], over=False).receipts) == 2
    refused(of, [made(of, 0, received=T[4]), same], "order", "without message 0", kind=ContradictionError)
    known = referee.weigh(of, [four], over=False)
    with pytest.raises(ContradictionError) as told:
        referee.weigh(of, [three], over=False, known=known)
    assert told.value.where.file == "receipt.yaml"


@pytest.mark.parametrize("sets", sweeps.sizes(60, 300))
def test_T61_papers_hold_or_contradict_each_other_in_whatever_order_they_come(sets):
    """Of all sets of receipts with these few times those hold, in any order, whose earliest ones never go back."""
    of = relayed(5)
    rng = random.Random(61)
    held = 0
    for _ in range(sets):
        said = [(rng.randrange(5), rng.choice(T[:4])) for _ in range(rng.randrange(1, 5))]
        papers = [made(of, seq, received=received) for seq, received in said]
        first = {seq: min(time for other, time in said if other == seq) for seq, _time in said}
        times = [first[seq] for seq in sorted(first)]
        for order in itertools.permutations(papers):
            try:
                found = referee.weigh(of, order, over=False)
            except ContradictionError:
                assert times != sorted(times)
            else:
                assert times == sorted(times)
                assert {seq: each.text("received") for seq, each in found.receipts.items()} == first
                held += 1
    assert 500 < held * 300 / sets < 3000


def test_two_forfeits_are_told():
    of = relayed(5)
    papers = [made(of), forfeit(of), forfeit(of, declared=T[11])]
    refused(of, papers, "order", "two different forfeits", T[10], T[11], kind=ContradictionError)
    assert referee.weigh(of, [*papers[:2], papers[1]], over=False).forfeit == papers[1]


def test_a_forfeit_takes_the_receipt_of_the_last_message():
    of = relayed(5)
    refused(of, [forfeit(of)], "chain", "the receipt of message 4 is missing", "receipt-0004.yaml")
    refused(of, [forfeit(of), made(of, 3)], "chain", "the receipt of message 4 is missing")


def test_a_forfeit_of_another_term_than_the_receipt_that_counts():
    of = relayed(5)
    refused(of, [made(of), forfeit(of, due=T[8])], "order", T[8], T[9], "contradict", kind=ContradictionError)
    refused(of, [made(of, due=T[8]), forfeit(of)], "chain", T[8], T[9], "an extension is missing")
    papers = [made(of, received=T[1], due=T[9]), made(of, received=T[0], due=T[8]), forfeit(of)]
    refused(of, papers, "order", "contradict each other", kind=ContradictionError)


@pytest.mark.parametrize("side", ["russian", "referee", "soviet"])
def test_a_forfeit_of_the_side_that_owes_nothing(side):
    of = relayed(5)
    assert of.writer(5) == "german"
    papers = [made(of), forfeit(of, side=side)]
    refused(of, papers, "order", "message 5 is german's to write", kind=ContradictionError)


def test_a_forfeit_of_a_game_that_is_over():
    of = relayed(5)
    refused(of, [made(of), forfeit(of)], "order", "had ended with message 4", kind=ContradictionError, over=True)


def test_nobody_loses_by_silence_before_the_game_is_bound():
    for length in (1, 2):
        of = relayed(length)
        refused(of, [made(of), forfeit(of)], "order", "not bound before message 2", kind=ContradictionError)
    of = relayed(3)
    assert referee.weigh(of, [made(of), forfeit(of)], over=False).forfeit


def test_a_game_that_continues_another_binds_from_its_beginning():
    of = relayed(1)
    continued = chains.start(signed({**of.head, "continues": {"game": "ab" * 32, "seq": "4", "id": "cd" * 32}}))
    assert referee.weigh(continued, [made(continued), forfeit(continued)], over=False).forfeit


def test_T6_a_forfeit_for_want_of_a_message_that_is_here_is_told_and_never_decided():
    of, shorter = relayed(6), relayed(5)
    papers = [made(shorter), forfeit(shorter)]
    refused(of, papers, "order", "but message 5 is here", "too late", kind=ContradictionError)
    in_time, late = made(of, 5, received=T[9], due=T[20]), made(of, 5, received=T[10], due=T[20])
    refused(of, [*papers, in_time], "order", "in time", "contradict each other", kind=ContradictionError)
    refused(of, [*papers, late], "order", "late, but received", "contradict each other", kind=ContradictionError)


# Every paper of a good set changed a little: refused, never an error of another kind


def test_every_single_change_of_a_signed_paper_is_refused():
    of = relayed(5)
    good = text_of(content(of))
    for at in range(len(good)):
        for letter in ("0", "Z", " ", "\n", "-"):
            text = good[:at] + letter + good[at + 1 :]
            try:
                found = papers.read(text.encode("ascii"), "x")
                referee.check(of, found)
            except (FileError, TrustError):
                continue
            assert found.content == content(of), text


def test_4_1_message_and_its_receipt_in_one_mail_are_both_read():
    turn, receipt = ((PLAYERS / name).read_bytes() for name in ("0010.yaml", "receipt-0010.yaml"))
    both = turn.replace(b"\n", b"\r\n") + b"\n" + receipt + b"-- \nthe referee\n"
    assert [one.type for one in mail.survey(both, "mail.txt").turns] == ["turn", "receipt"]
    with pytest.raises(FileError, match="receipt about message 10 of referee"):
        inbox.read_any(both, "mail.txt")
