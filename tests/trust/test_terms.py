"""Extensions of a term: allowed papers, meaning, and contradictions (protocol 2.10, decision 55)."""

import itertools

import pytest
from helpers.referee_papers import T, content, forfeit, made, refused, relayed, text_of

from kursk_pbem.errors import FileError, TrustError
from kursk_pbem.trust import papers, referee, terms
from kursk_pbem.trust.terms import ContradictionError


def extension(of, before, seq=None, by="referee", **changes):
    """An extension of what ``before`` says, by a day, signed a day before that term is over."""
    said = {"replaces": before.id if before else "0" * 64, "due": T[10], "declared": T[8], "cause": "bank"} | changes
    full = content(of, seq, "extension", **said)
    return papers.read_paper(text_of(full, by).encode("ascii"), f"extension-{full['due'][8:10]}.yaml")


@pytest.fixture
def of():
    return relayed(5)


def test_X1_2_10_an_extension_moves_the_term(of):
    receipt = made(of)
    longer = extension(of, receipt)
    weighed = referee.weigh_papers(of, [receipt, longer], over=False)
    assert (weighed.due(4), weighed.receipts[4], weighed.extensions(4)) == (T[10], receipt, [longer])


@pytest.mark.parametrize(
    ("receipt", "changes", "fault", "words", "kind"),
    [
        ({}, {"by": "german"}, "signature", "", TrustError),
        ({}, {"from_": "german", "by": "german"}, "sender", "", TrustError),
        ({}, {"id": "0" * 64}, "chain", "another message 4", ContradictionError),
        *(
            ({}, {"due": due, "declared": T[5]}, "order", "cannot shorten a deadline", ContradictionError)
            for due in (T[9], T[8])
        ),
        ({}, {"declared": T[10], "due": T[12]}, "order", "cannot be extended", ContradictionError),
        ({"received": T[5]}, {"declared": T[4]}, "order", T[5], ContradictionError),
        ({}, {"declared": T[10]}, "order", "no time is given", TrustError),
    ],
)
def test_X1_2_10_other_extensions_are_refused(of, receipt, changes, fault, words, kind):
    refused(of, [made(of, **receipt), extension(of, made(of, **receipt), **changes)], fault, words, kind=kind)


def test_X1_2_10_extension_of_a_message_to_come_is_refused(of):
    refused(of, [extension(relayed(6), made(relayed(6)))], "chain", "the last one here is message 4")


def test_X1_2_10_it_replaces_what_sets_a_term_of_that_message(of):
    other = made(of, seq=3, received=T[0])
    wrong = extension(of, other)
    refused(
        of, [made(of, received=T[0]), other, wrong], "order", "sets no deadline for the answer", kind=ContradictionError
    )


@pytest.mark.parametrize("changes", [{"cause": "word"}, {"cause": None}, {"replaces": "1"}, {"side": "german"}])
def test_X1_2_10_its_fields_are_these(of, changes):
    said = content(of, None, "extension", replaces="0" * 64, due=T[10], declared=T[8], cause="bank")
    said = {name: value for name, value in (said | changes).items() if value is not None}
    with pytest.raises(FileError):
        papers.read_paper(text_of(said).encode("ascii"), "extension.yaml")


def test_X2_2_10_the_latest_counts_in_whatever_order_they_came(of):
    receipt = made(of)
    one = extension(of, receipt)
    two = extension(of, one, due=T[15], declared=T[10], cause="holiday")
    for order in itertools.permutations((receipt, one, two)):
        weighed = referee.NONE
        for paper in order:
            weighed = referee.weigh_papers(of, [paper], over=False, known=weighed)
        assert weighed.due(4) == T[15]
        assert [paper.id for paper in weighed.extensions(4)] == [one.id, two.id]


def test_X2_X7_2_10_no_receipt_takes_back_what_was_given(of):
    receipt, earlier = made(of, received=T[1], due=T[9]), made(of, received=T[0], due=T[7])
    assert referee.weigh_papers(of, [receipt, extension(of, receipt), earlier], over=False).due(4) == T[10]
    answered = made(of, seq=3)
    held = referee.weigh_papers(of, [answered, extension(of, answered, seq=3), made(of)], over=False)
    assert (held.due(4), held.due(3)) == (T[9], T[10])


def test_X3_2_10_one_that_replaces_a_paper_which_is_not_here_counts_and_is_named(of):
    lost = extension(of, made(of))
    longer = extension(of, lost, due=T[12], declared=T[9])
    held = referee.weigh_papers(of, [made(of), longer], over=False)
    assert held.due(4) == T[12]
    assert terms.find_orphaned(held.all) == [longer]
    assert terms.find_orphaned([*held.all, lost]) == []


def test_X4_2_10_two_tales_of_one_term_both_count_and_are_told(of):
    one, two = extension(of, made(of)), extension(of, made(of), due=T[13])
    held = referee.weigh_papers(of, [made(of), one, two], over=False)
    assert held.due(4) == T[13]
    [pair] = terms.find_rivals(held.all)
    assert {paper.id for paper in pair} == {one.id, two.id}
    assert terms.find_rivals([made(of), one]) == []


def test_X5_2_10_a_forfeit_says_just_the_term_that_was_extended(of):
    longer = extension(of, made(of))
    held = referee.weigh_papers(of, [made(of), longer, forfeit(of, due=T[10], declared=T[11])], over=False)
    assert held.forfeit is not None
    refused(of, [made(of), longer, forfeit(of)], "order", T[10], "contradict each other", kind=ContradictionError)
    refused(of, [made(of), forfeit(of, due=T[10], declared=T[11])], "chain", "an extension is missing")


def test_X6_2_10_an_extension_that_outlasts_a_forfeit_convicts_with_it(of):
    known = referee.weigh_papers(of, [made(of), forfeit(of)], over=False)
    with pytest.raises(ContradictionError, match="contradict each other"):
        referee.weigh_papers(of, [extension(of, made(of))], over=False, known=known)
