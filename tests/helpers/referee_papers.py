"""Papers of a referee about an uneventful game, for tests of the trust layer."""

from functools import cache

import pytest

from helpers.signing_desk import SIGNERS, game, propose
from kursk_pbem.errors import TrustError
from kursk_pbem.formats.canonical import canon
from kursk_pbem.trust import messages, papers, referee, sshsig

T = [f"1943-07-{day:02}T03:00:00Z" for day in range(1, 31)]


@cache
def relayed(length, **changes):
    """Return an uneventful game of ``length`` messages with a referee; the German writes the odd messages."""
    keys = {side: SIGNERS[side].public for side in ("german", "russian", "referee")}
    return game(length, propose(keys=keys, **changes))


def content(of, seq=None, kind="receipt", **changes):
    seq = of.next_seq - 1 if seq is None else seq
    said = {"kursk-pbem": "1", "type": kind, "game": of.game, "seq": str(seq), "from": "referee", "id": of.ids[seq]}
    said |= {"received": T[0], "due": T[9]} if kind == "receipt" else {}
    said |= {"side": of.writer(seq + 1), "due": T[9], "declared": T[10]} if kind == "forfeit" else {}
    said |= {name.rstrip("_"): value for name, value in changes.items()}
    return {name: value for name, value in said.items() if value is not None}


def text_of(said, by="referee", armour=None):
    return messages.emit_message(said, armour or SIGNERS[by].sign(sshsig.NAMESPACE, canon(said)))


def made(of, seq=None, kind="receipt", by="referee", **changes):
    """Return a paper, signed and read as mailed."""
    return papers.read_paper(text_of(content(of, seq, kind, **changes), by).encode("ascii"), f"{kind}.yaml")


def forfeit(of, seq=None, **changes):
    return made(of, seq, "forfeit", **changes)


def refused(of, papers, fault, *words, kind=TrustError, over=False):
    with pytest.raises(TrustError) as caught:
        referee.weigh_papers(of, papers, over=over)
    assert type(caught.value) is kind, caught.value
    assert caught.value.fault == fault, caught.value
    for word in words:
        assert word in str(caught.value)
