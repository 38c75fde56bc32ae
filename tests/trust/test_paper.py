"""A referee's receipts and forfeits: form, signer, subject, contradictions."""

import pytest
from helpers.referee_papers import T, content, forfeit, made, refused, relayed, text_of
from helpers.signing_desk import PLAYERS, SIGNERS, propose, sample_chain, signed

from kursk_pbem.errors import FileError, TrustError
from kursk_pbem.formats.canonical import canon
from kursk_pbem.game import inbox
from kursk_pbem.trust import chains, messages, papers, reader, referee, sshsig, terms, turns
from kursk_pbem.trust.referee import ContradictionError


def test_2_10_sample_receipt_holds_in_both_forms_and_is_written_again_byte_for_byte():
    mailed = (PLAYERS / "receipt-0010.yaml").read_bytes()
    one = papers.read_paper(mailed, "receipt-0010.yaml")
    raw, armour = (PLAYERS / "receipt-0010.json").read_bytes(), (PLAYERS / "receipt-0010.json.sig").read_text("ascii")
    two = papers.read_archive(raw, armour, "receipt-0010.json")
    assert (one.content, one.id, one.signed) == (two.content, two.id, raw)
    for each in (one, two):
        assert papers.emit_paper(each).encode("ascii") == mailed
    found = referee.weigh_papers(sample_chain(11), [one, two], over=False)
    assert found.receipts == {10: one}
    assert found.due(10) == "1943-07-16T03:00:00Z"


TIMES = ("1943-02-30T03:00:00Z", "", f"{T[0]}\n", {"at": T[0]})
"""tests/formats/test_times.py has more of what is no time."""


@pytest.mark.parametrize(
    ("kind", "name", "values"),
    [
        *(("receipt", name, (None,)) for name in ("received", "due", "id", "game", "seq", "from")),
        *(("receipt", name, TIMES) for name in ("received", "due")),
        ("receipt", "seq", ("01", "10000", "-1", ["1"])),
        ("receipt", "id", ("AB" * 32,)),
        ("receipt", "kursk-pbem", ("2",)),
        *(("receipt", name, (value,)) for name, value in {"side": "german", "declared": T[3], "note": "hello"}.items()),
        ("receipt", "state", ({"type": "state"},)),
        *(("forfeit", name, (None,)) for name in ("side", "declared", "due")),
        ("forfeit", "received", (T[0],)),
        ("forfeit", "declared", TIMES[:1]),
        ("forfeit", "side", ("German", "")),
    ],
)
def test_5_3_paper_of_another_form_is_not_read(kind, name, values):
    for value in values:
        said = content(relayed(4), None, kind) | {name: value}
        said = {name: value for name, value in said.items() if value is not None}
        with pytest.raises(FileError) as caught:
            papers.read_paper(text_of(said).encode("ascii"), "paper.yaml")
        assert str(caught.value).startswith("paper.yaml")
        assert str(caught.value).isascii()
        with pytest.raises(FileError):
            papers.read_archive(canon(said), SIGNERS["referee"].sign(sshsig.NAMESPACE, canon(said)), "paper.json")


def test_5_3_unsigned_paper_is_not_read():
    said = messages.emit_message(content(relayed(4)))
    with pytest.raises(FileError, match="not signed"):
        papers.read_paper(said.encode("ascii"), "x.yaml")
    with pytest.raises(FileError, match="an archived paper has its signature in a file"):
        papers.read_archive(canon(content(relayed(4)) | {"signature": "x"}), "", "x.json")


def test_5_3_message_is_no_paper_and_a_paper_no_message():
    receipt = text_of(content(relayed(4))).encode("ascii")
    assert isinstance(turns.read_turn(receipt, "x.yaml"), papers.Paper)
    with pytest.raises(FileError, match="a referee's receipt"):
        messages.read_message(receipt, "x.yaml")
    turn = (PLAYERS / "0005.yaml").read_bytes()
    noted = turn.replace(b"type: turn", b"type: turn\nnote: receipt forfeit")
    assert not any(isinstance(turns.read_turn(each, "x.yaml"), papers.Paper) for each in (turn, noted))
    with pytest.raises(FileError):
        papers.read_paper(turn, "x.yaml")


def test_2_10_receipt_and_forfeit_that_hold():
    of = relayed(5)
    receipt, end = made(of), forfeit(of)
    found = referee.weigh_papers(of, [end, receipt], over=False)
    assert (found.receipts, found.forfeit) == ({4: receipt}, end)
    assert found.due(4) == T[9]
    assert found.due(3) == ""
    assert referee.weigh_papers(of, [], over=False) == referee.NONE


def test_T9_2_10_receipt_of_another_message_than_the_one_here_does_not_count():
    of = relayed(5)
    refused(of, [made(of, 3, id=of.ids[2])], "chain", "another message 3", "that counts here", kind=ContradictionError)
    refused(of, [made(of, 4, id="ab" * 32)], "chain", kind=ContradictionError)


def test_T53_2_10_the_earliest_receipt_tells_the_arrival_and_the_latest_term_counts():
    """The referee does not take back signed time, in any order of arrival."""
    of = relayed(5)
    earlier, one, two = made(of, received="1943-06-30T03:00:00Z", due=T[7]), made(of, due=T[8]), made(of, due=T[9])
    for held in ([earlier, one, two], [two, one, earlier]):
        weighed = referee.weigh_papers(of, held, over=False)
        assert (weighed.receipts, weighed.due(4)) == ({4: earlier}, T[9])
    said = terms.describe_receipts([earlier, one, two], 4)
    assert said == f"the referee has signed 3 terms for message 5, {T[7]} and {T[8]} and {T[9]}: the latest counts"
    assert terms.describe_receipts([one, one], 4) == ""


def test_T61_2_10_the_receipts_that_count_are_in_the_order_of_the_messages():
    """Message 4 holds the id of message 3. Two messages may arrive at an equal time. The check uses no clock."""
    of = relayed(5)
    three, four = made(of, 3, received=T[3]), made(of, 4, received=T[2])
    for held in ([three, four], [four, three]):
        refused(of, held, "order", T[2], T[3], "needs message 3", "by a year", kind=ContradictionError)
    same = made(of, 4, received=T[3])
    assert len(referee.weigh_papers(of, [three, same], over=False).receipts) == 2
    refused(of, [made(of, 0, received=T[4]), same], "order", "needs message 0", kind=ContradictionError)
    known = referee.weigh_papers(of, [four], over=False)
    with pytest.raises(ContradictionError) as told:
        referee.weigh_papers(of, [three], over=False, known=known)
    assert told.value.where.file == "receipt.yaml"


def test_T6_2_10_forfeit_for_want_of_a_message_that_is_here_is_told_and_never_decided():
    of, shorter = relayed(6), relayed(5)
    papers = [made(shorter), forfeit(shorter)]
    refused(of, papers, "order", "but message 5 is here", "too late", kind=ContradictionError)
    in_time, late = made(of, 5, received=T[9], due=T[20]), made(of, 5, received=T[10], due=T[20])
    refused(of, [*papers, in_time], "order", "in time", "contradict each other", kind=ContradictionError)
    refused(of, [*papers, late], "order", "late, but received", "contradict each other", kind=ContradictionError)


def test_4_1_message_and_its_receipt_in_one_mail_are_both_read():
    turn, receipt = ((PLAYERS / name).read_bytes() for name in ("0010.yaml", "receipt-0010.yaml"))
    both = turn.replace(b"\n", b"\r\n") + b"\n" + receipt + b"-- \nthe referee\n"
    assert [one.type for one in reader.read_thing(both, "mail.txt").turns] == ["turn", "receipt"]
    with pytest.raises(FileError, match="receipt about message 10 of referee"):
        inbox.read_any(both, "mail.txt")


def test_T12_T15_2_10_receipts_that_do_not_belong_here_are_refused():
    of, another = relayed(5), relayed(5, note="another")
    refused(
        chains.start_chain(signed(propose())),
        [made(chains.start_chain(signed(propose())))],
        "sender",
        "names no referee",
    )
    for by in ("german", "russian", "stranger"):
        refused(of, [made(of, by=by)], "signature", "differs from the signed message")
    refused(of, [made(of, by="german", from_="german")], "sender", "the referee's to sign")
    refused(of, [made(another)], "chain", "another game")
    refused(of, [forfeit(another)], "chain", "another game")
    refused(of, [made(relayed(7), 6)], "chain", "search your mail")
    refused(of, [made(of, received=T[5], due=T[4])], "order", "due is before received")
    assert referee.weigh_papers(of, [made(of, received=T[5], due=T[5])], over=False).due(4) == T[5]


@pytest.mark.parametrize("change", [{"received": T[1]}, {"due": T[8]}, {"seq": "3"}, {"id": "ab" * 32}, {}])
def test_T17_T31_2_10_receipt_that_was_changed_is_not_what_was_signed(change):
    """Of the signature itself test_sshsig.py has all changes."""
    of = relayed(5)
    said = content(of)
    armour = SIGNERS["referee"].sign(sshsig.NAMESPACE if change else "file", canon(said))
    refused(of, [papers.read_paper(text_of(said | change, armour=armour).encode("ascii"), "x")], "signature")


def test_2_10_forfeit_takes_the_receipt_and_the_term_that_count():
    of = relayed(5)
    for held in ([], [made(of, 3)]):
        refused(of, [forfeit(of), *held], "chain", "the receipt of message 4 is missing", "receipt-0004.yaml")
    refused(of, [made(of, due=T[8]), forfeit(of)], "chain", T[8], T[9], "a receipt or an extension is missing")
    several = [made(of, received=T[1], due=T[9]), made(of, received=T[0], due=T[8])]
    assert referee.weigh_papers(of, [*several, forfeit(of)], over=False).forfeit == forfeit(of)
    longer = made(of, received=T[0], due=T[10])
    refused(of, [*several, longer, forfeit(of)], "order", "contradict each other", kind=ContradictionError)


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"due": T[8]}, (T[8], T[9], "contradict")),
        ({"declared": T[9]}, ("must be after due",)),
        *(({"side": side}, ("message 5 is german's to write",)) for side in ("russian", "referee")),
    ],
)
def test_2_10_forfeit_that_cannot_be_true_is_told(changes, words):
    of = relayed(5)
    kind = TrustError if "declared" in changes else ContradictionError
    refused(of, [made(of), forfeit(of, **changes)], "order", *words, kind=kind)


def test_2_10_only_one_forfeit_ends_a_bound_game():
    of = relayed(5)
    both = [made(of), forfeit(of), forfeit(of, declared=T[11])]
    refused(of, both, "order", "two different forfeits", T[10], T[11], kind=ContradictionError)
    assert referee.weigh_papers(of, [*both[:2], both[1]], over=False).forfeit == both[1]
    refused(of, both[:2], "order", "had ended with message 4", kind=ContradictionError, over=True)
    for length in (1, 2):
        of = relayed(length)
        refused(of, [made(of), forfeit(of)], "order", "not bound before message 2", kind=ContradictionError)
    of = relayed(1)
    continued = chains.start_chain(signed({**of.head, "continues": {"game": "ab" * 32, "seq": "4", "id": "cd" * 32}}))
    for of in (relayed(3), continued):
        assert referee.weigh_papers(of, [made(of), forfeit(of)], over=False).forfeit
