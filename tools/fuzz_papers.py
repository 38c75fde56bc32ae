"""Papers of a hostile referee for the target ``adjudicate``: receipts and forfeits, mostly false."""

from __future__ import annotations

import random
from dataclasses import replace
from typing import Any

from fuzz_corpus import STRINGS, any_value, change_tree
from fuzz_games import Moment
from fuzzing import Watch, Wrong, check_refusal

from kursk_pbem.errors import KurskError
from kursk_pbem.formats.canonical import canon
from kursk_pbem.trust import keys, messages, papers, referee, sshsig

NAME = "paper.yaml"
SIGNER = keys.from_seed(bytes(range(32)))
TIMES = (
    "1943-07-06T03:00:00Z",
    "1943-07-06T03:00:01Z",
    "1943-07-07T03:00:00Z",
    "1943-07-08T23:59:59Z",
    "0001-01-01T00:00:00Z",
    "9999-12-31T23:59:59Z",
    "1943-02-29T00:00:00Z",
    "1943-13-01T00:00:00Z",
    "1943-07-06T24:00:00Z",
    "1943-7-6T3:0:0Z",
)


def make_papers(rng: random.Random, moment: Moment) -> list[dict[str, Any]]:
    """Make the contents of a few papers on the game of a moment."""
    chain, last = moment.game.chain, moment.seq - 1
    found: list[dict[str, Any]] = []
    for _ in range(rng.choice((1, 1, 2, 4))):
        seq = last if rng.random() < 0.7 else rng.randrange(moment.seq + 2)
        one: dict[str, Any] = {
            "kursk-pbem": "1",
            "type": "receipt",
            "game": chain.game,
            "seq": str(seq),
            "from": referee.REFEREE,
            "id": chain.ids[min(seq, last)],
            "received": rng.choice(TIMES[:4]),
            "due": rng.choice(TIMES[:4]),
        }
        if rng.random() < 0.4:
            one |= {"type": "forfeit", "side": moment.writer, "declared": rng.choice(TIMES[:4])}
            del one["received"]
        found.append(change_tree(rng, one, rng.choice((0, 0, 0, 1, 2)), _replace_value, 0.3))
    return found


def judge_papers(contents: list[dict[str, Any]], moment: Moment, watch: Watch) -> str:
    """Sign the papers as a relaying referee; return the effect on the game."""
    chain = moment.game.chain
    chain = replace(chain, keys={**chain.keys, referee.REFEREE: SIGNER.public})
    read: list[papers.Paper] = []
    for content in contents:
        text = messages.emit_message(content, SIGNER.sign(sshsig.NAMESPACE, canon(content)))
        try:
            with watch.watch_step("a paper is read"):
                read.append(papers.read_paper(text.encode("ascii", "backslashreplace"), NAME))
        except KurskError as error:
            check_refusal(error, NAME)
            continue
        again = papers.read_paper(papers.emit_paper(read[-1]).encode("ascii"), NAME)
        if (again.id, again.content) != (read[-1].id, read[-1].content):
            raise Wrong("a paper comes back as another")
    try:
        with watch.watch_step("papers are weighed"):
            found = referee.weigh_papers(chain, read, over=moment.game.played_out)
    except KurskError as error:
        return f"{check_refusal(error, NAME)}, a referee's papers"
    if found.forfeit is not None and found.forfeit.text("side") != chain.writer(chain.next_seq):
        raise Wrong("a forfeit of a side that owes nothing counts")
    return "status 0, a referee's papers"


def _replace_value(rng: random.Random, old: Any) -> Any:
    words = ("receipt", "forfeit", "german", "russian", "referee", *TIMES)
    return rng.choice((*words, *words, rng.choice(STRINGS), any_value(rng, old)))
