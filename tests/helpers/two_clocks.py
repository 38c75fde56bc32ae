"""A referee's machine whose clock may be wrong: true time goes on, and what the machine says is apart from it."""

from __future__ import annotations

from datetime import timedelta

from helpers.postmen import BEGIN, text
from helpers.refereed_mail import HOUR
from kursk_pbem.desk import clock
from kursk_pbem.post import place, spool
from kursk_pbem.post.referee import timing


class Machine:
    """The machine of a world's director. ``ahead``: how far its clock is; ``calls``: when last calls went, truly."""

    def __init__(self, world, patch):
        self.world, self.ahead, self.calls = world, timedelta(), []
        self._boots, self._booted = 0, BEGIN
        patch.setattr(clock, "now", lambda: text(self._says))
        patch.setattr(clock, "of_file", lambda _path: text(self._says))
        patch.setattr(clock, "elapsed", self._ticked)
        patch.setattr(clock, "start", lambda: f"boot {self._boots}")
        post = world.office.post

        def noted(raw, sender, reader):
            self.calls += [world.time.now] if b"a last call" in raw else []
            post(raw, sender, reader)

        patch.setattr(world.office, "post", noted)
        patch.setattr(world.director, "fetch", self._fetch, raising=False)

    @property
    def _says(self):
        return self.world.time.now + self.ahead

    def _ticked(self):
        return (self.world.time.now - self._booted).total_seconds()

    def _fetch(self):
        director = self.world.director
        there = list(director.office.take(director.address))
        doubt = bool(there) and bool(director.errand.intake.doubt())
        for number, (arrives, raw) in enumerate(there, 1):
            at = timing.UNSURE if doubt else text(self._says)
            spool.put(director.friend.home, raw, folder="INBOX", uid=str(number), fetched=at, arrived=text(arrives))

    def starts_anew(self, ahead=0):
        """Off and on again, with a clock that is further ahead by so many hours."""
        self._boots, self._booted = self._boots + 1, self.world.time.now
        self.is_set(ahead)

    def is_set(self, hours):
        """The clock is set while the machine runs, and the program begins anew."""
        self.ahead += hours * HOUR
        self.world.director.sits()

    def is_right(self):
        """The director sets the clock right, and says so."""
        self.ahead = timedelta()
        (place.root(self.world.ref.home) / "clock.json").unlink(missing_ok=True)
        self.world.director.sits()

    def goes_on(self, hours, step=2, until=lambda: False):
        """So many true hours, with rounds between them, or until the game has ended, or something is so."""
        for _round in range(int(hours / step)):
            if until() or self.ended:
                return
            self.world.time.passes(int(3600 * step))
            self.world.director.post()

    @property
    def ended(self):
        return "forfeit.yaml" in self.world.papers()

    @property
    def behind(self):
        """True hours since the last of the letters."""
        return (self.world.time.now - max(self.calls)).total_seconds() / 3600
