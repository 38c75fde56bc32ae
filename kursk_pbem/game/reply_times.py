"""How long the sides have taken to answer, by a referee's receipts. Loads no rules."""

from __future__ import annotations

from dataclasses import dataclass

from kursk_pbem.formats import times
from kursk_pbem.trust.chains import Chain
from kursk_pbem.trust.referee import Papers


@dataclass(frozen=True)
class Times:
    """How long a side has taken by a referee's receipts: how many answers are ``timed``; seconds for the rest.

    ``total`` and ``longest`` from the receipt of the message before to that of its answer; ``late``: beyond what was
    due, all together.
    """

    timed: int = 0
    total: int = 0
    longest: int = 0
    late: int = 0

    def add(self, taken: int, late: int) -> Times:
        """With one answer more."""
        return Times(self.timed + 1, self.total + taken, max(self.longest, taken), self.late + late)

    def __str__(self) -> str:
        number = f"{self.timed} answer{'' if self.timed == 1 else 's'}"
        late = f", {times.in_words(self.late)} late" if self.late else ""
        return f"{number} in {times.in_words(self.total)}, longest {times.in_words(self.longest)}{late}"


def of_game(chain: Chain, papers: Papers) -> dict[str, Times]:
    """The times of each side that has any."""
    by_side: dict[str, Times] = {}
    for seq, receipt in sorted(papers.receipts.items()):
        before = papers.receipts.get(seq - 1)
        if before is None:
            continue
        taken = times.seconds_between(before.text("received"), receipt.text("received"))  # receipts are in order (2.10)
        side = chain.writer(seq)
        late = max(0, times.seconds_between(papers.due(seq - 1), receipt.text("received")))
        by_side[side] = by_side.get(side, Times()).add(taken, late)
    return dict(sorted(by_side.items()))
