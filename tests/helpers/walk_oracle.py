"""What has to be true of a referee's mailbox after each round of a walk, by docs/auditors.md 2.10 and 2.12 alone.

It asks the world what happened (helpers/walk_world.py), never the program what it thinks; of the program it reads what
anybody gets: the files of a game, the letters, what a round tells. Where the words leave room, it lets both pass.
"""

import re
from collections import Counter, defaultdict

from helpers.postmen import text
from helpers.walk_facts import Facts, moment
from helpers.walk_mails import fields
from helpers.walk_silence import UNCALLED, Silence
from helpers.walk_world import BOSS
from kursk_pbem.audit import verify

FEW = 4
"""Rounds in which a game that may end by itself has to."""


class Oracle(Facts):
    """Judges a walk; ``faults`` holds what is wrong, ``ended`` the games that ended by themselves."""

    def __init__(self, world):
        super().__init__(world)
        self.ended, self.ready, self.untold, self.answered = {}, Counter(), [], defaultdict(set)
        self.silence = Silence(self)
        for table in world.tables:
            self.files(table)
        for one in world.rounds:
            self.clock.look(one)
        world.judge = self.after

    def after(self, one):
        """Judge a round."""
        self.clock.look(one)
        self.read(one)
        for table in self.world.tables:
            if table.away is None:
                for name in self.files(table):
                    self._paper(table, name, one)
        self._letters(one)
        self._told(one)
        for table in self.world.tables:
            self._lively(table, one)

    # 2.10 and 2.12

    def _paper(self, table, name, one):
        if name.startswith("receipt-"):
            self._receipt(table, fields(self.known[table.game][name].decode("ascii")), one)
        elif name.startswith("forfeit"):
            self._forfeit(table, one)
        elif name[0].isdigit():
            self._in_time(table, int(name[:4]))
        elif name.startswith("evidence"):
            self.counts["evidence"] += 1
        signs = name.startswith(("receipt-", "forfeit"))
        if name.startswith("extension-"):  # or the director signed it before, by hand
            signs = fields(self.known[table.game][name].decode("ascii"))["declared"] == text(one.own)
        if self.clock.doubt and not one.killed and signs:
            self.wrong(f"{table.game[:8]}: {name} was signed while the clock was in doubt")

    def _in_time(self, table, seq):
        """A message later than its term and the grace is not taken in, unless the director lets it pass."""
        due, came = self.due(table, seq - 1), self.received(table, seq)
        if due is None or not came or self.world.jumped or table.two or seq in table.passed:
            return
        self.counts["taken"] += 1
        if min(came) - due > self.world.grace:
            self.wrong(f"{table.game[:8]}: message {seq} came {text(min(came))}, was due {text(due)}, and was taken")

    def _receipt(self, table, said, one):
        """The rule for ``received``, one receipt for each message, and their order."""
        seq, received = int(said["seq"]), moment(said["received"])
        there = [name for name in self.known[table.game] if name.startswith(f"receipt-{seq:04d}")]
        if len(there) > 1:
            self.wrong(f"{table.game[:8]}: two receipts of message {seq}")
        for other, paper in self.receipts(table).items():
            first, second = (paper, said) if other < seq else (said, paper)
            if first["received"] > second["received"]:
                self.wrong(f"{table.game[:8]}: the receipts of {other} and {seq} are out of order")
        self.counts["receipts"] += 1
        if table.rolled:
            if received != one.own and not self.world.jumped:
                self.wrong(f"{table.game[:8]}: the receipt of the referee's message {seq} says {said['received']}")
        elif not self.world.jumped and not table.two:
            may = self.received(table, seq)
            if may and received not in may:
                told = ", or ".join(sorted(map(text, may)))
                self.wrong(f"{table.game[:8]}: message {seq} came {told}, and its receipt says {said['received']}")

    def _forfeit(self, table, one):
        reasons = [*self.silence.against(table, one), *self.silence.unanswered(table, one)]
        self.ended[table.game] = one.number
        self.counts["ended by themselves"] += 1
        if reasons:
            self.wrong(f"{table.game[:8]}: it ended by itself, although {'; '.join(reasons)}")

    def _lively(self, table, one):
        """A game where nothing is doubtful ends in a few rounds, behind a last call that goes out in a few."""
        if table.game in self.ended or table.away is not None or not one.whole or one.killed is not False:
            return
        if table.newest() < 0 or self.silence.doubtful(table) or next(self.silence.against(table, one), ""):
            self.ready[table.game] = 0
            return
        waits = list(self.silence.unanswered(table, one))
        if waits and not all(why.startswith(UNCALLED) for why in waits):
            self.ready[table.game] = 0
            return
        self.ready[table.game] += 1
        if self.ready[table.game] > FEW:
            self.wrong(f"{table.game[:8]}: nothing is in doubt, and it does not end by itself: {self.pending(table)}")
            self.ready[table.game] = -1000

    def pending(self, table):
        """What the program says of it."""
        return [line for line in self.world.ref.errand.chair.pending() if table.game[:8] in line]

    # letters and what is told

    def _letters(self, one):
        """Nobody gets words who must not; answers have their number; no letter goes where nobody said."""
        said = {BOSS}.union(*(player.said for player in self.world.players))
        now = {BOSS, *(player.on_file for player in self.world.players)}
        bad = {sent.mid: sent.sender for sent in self.world.mails if sent.machine or sent.sender not in said}
        for letter in one.letters:
            if letter.reader not in (now if letter.words else said):
                self.wrong(f"a letter went to {letter.reader}: {letter.subject}")
            if letter.words and self.clock.doubt and one.killed is False:
                self.wrong(f"a letter in words went out while the clock was in doubt: {letter.subject}")
            answers = re.search(rb"(?i)\r\nIn-Reply-To: (\S+)", letter.raw)
            if letter.words and answers and answers[1].decode() in bad:
                self.wrong(f"{letter.subject} answers a mail of {bad[answers[1].decode()]}")
            if letter.words and answers and b"\r\nAuto-Submitted: auto-replied" in letter.raw:
                self._answer(letter, answers[1].decode())

    def _answer(self, letter, mid):
        """Of answers there are ten a day."""
        self.counts["answers"] += 1
        at = next((self.fetched.get(id(sent)) for sent in self.world.mails if sent.mid == mid), None)
        if at is not None:
            there = self.answered[letter.reader, text(at)[:10]]
            there.add(mid)  # a letter in doubt is sent once more
            if len(there) > 10 and not self.world.jumped:
                self.wrong(f"more than ten answers on a day to {letter.reader}")

    def _told(self, one):
        """Every damaged turn is told, by the round that read it, or by the next one after a kill."""
        if one.killed is None:  # it was to die, did not, and has told it
            self.untold = []
            return
        self.untold += [sent for sent in one.mails if sent.spoilt and sent.told]
        if one.killed:
            return
        for sent in self.untold:
            if not any(all(word in line for word in sent.told) for line in one.lines):
                self.wrong(f"a damaged mail from {sent.sender} is not told: {sent.told}, {one.lines}")
        self.counts["damaged and told"] += len(self.untold)
        self.untold = []

    def finish(self):
        """Nothing is lost or doubled, and every game verifies."""
        mails, files = defaultdict(set), defaultdict(set)
        for letter in self.world.office.letters:
            mails[letter.mid, letter.reader].add(letter.raw)
            for said in letter.carried:
                if "game" in said and said["type"] != "extension":
                    files[said["game"], said["seq"], said["type"]].add(str(said))
        for key, found in [*mails.items(), *files.items()]:
            if len(found) > 1:
                self.wrong(f"{key} is not one set of bytes")
        for table in self.world.tables:
            verdict = verify.verify_game(table.folder)
            if verdict.status and not any(name.startswith("evidence") for name in self.known[table.game]):
                self.wrong(f"{table.game[:8]} does not verify: {verdict.text}")
            self._lost(table)

    def _lost(self, table):
        """A whole turn that came in time is in the folder."""
        seq = table.newest() + 1
        copies, due = self.copies(table, seq), self.due(table, seq - 1)
        if not copies or table.game in self.ended or self.world.jumped or table.two or self.writer(table, seq) is None:
            return
        if due is None:
            if not table.rolled:
                self.wrong(f"{table.game[:8]}: message {seq - 1} has no receipt, and {seq} came")
            return
        came = min(self.received(table, seq) or {due})
        if came - due <= self.world.grace or seq in table.passed:
            self.wrong(f"{table.game[:8]}: message {seq} came {text(came)}, was due {text(due)}, and is not there")
