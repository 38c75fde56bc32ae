"""The reply times of both sides, from a referee's receipts. Loads no rules."""

from __future__ import annotations

from kursk_pbem.formats import times
from kursk_pbem.frozen import frozen
from kursk_pbem.trust.chains import Chain
from kursk_pbem.trust.referee import Papers


@frozen
class Times:
    """How fast a side replies. ``timed``: the number of timed answers. The other fields are in seconds.

    ``total`` and ``longest``: from the receipt of a message to the receipt of its answer. ``late``: total time after
    deadlines.
    """

    timed: int = 0
    total: int = 0
    longest: int = 0
    late: int = 0

    def add(self, taken: int, late: int) -> Times:
        """Return the times with one more answer. ``taken``: seconds needed. ``late``: seconds after the deadline."""
        return Times(self.timed + 1, self.total + taken, max(self.longest, taken), self.late + late)

    def __str__(self) -> str:
        number = f"{self.timed} answer{'' if self.timed == 1 else 's'}"
        late = f", {times.in_words(self.late)} late" if self.late else ""
        return f"{number} in {times.in_words(self.total)}, longest {times.in_words(self.longest)}{late}"


def measure_reply_times(chain: Chain, papers: Papers) -> dict[str, Times]:
    """Return the reply times of each side that has at least one timed answer."""
    by_side: dict[str, Times] = {}
    for seq, receipt in sorted(papers.receipts.items()):
        before = papers.receipts.get(seq - 1)
        if before is None:
            continue
        # protocol 2.10 guarantees the order of receipts
        taken = times.seconds_between(before.text("received"), receipt.text("received"))
        side = chain.writer(seq)
        late = max(0, times.seconds_between(papers.due(seq - 1), receipt.text("received")))
        by_side[side] = by_side.get(side, Times()).add(taken, late)
    return dict(sorted(by_side.items()))
