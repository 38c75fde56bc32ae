"""What has to be true of a referee's mailbox after each round of a walk, by docs/auditors.md 2.10 and 2.12 alone.

It asks the world what happened (helpers/walk_world.py), never the program what it thinks; of the program it reads what
anybody gets: the files of a game, the letters, what a round tells. Where the words leave room, it lets both pass.
"""

import re
from collections import Counter, defaultdict
from datetime import datetime, timedelta

from helpers.postmen import text
from helpers.walk_world import BOSS, fields
from kursk_pbem.audit import verify

HOUR, DAY = timedelta(hours=1), timedelta(days=1)
SLACK, BACK, MOST_AHEAD = timedelta(minutes=5), timedelta(minutes=2), 60 * DAY
ON_ITS_WAY = timedelta(minutes=15)
FEW = 4
"""Rounds in which a game that may end by itself has to."""
_LIVELY = 4 * HOUR


def moment(said):
    """A time as papers say it."""
    return datetime.strptime(f"{said[:19]}+0000", "%Y-%m-%dT%H:%M:%S%z")


class Clockwork:
    """What 2.12 says of the referee's clock: whether it is in ``doubt``, and until when no game ends by itself."""

    def __init__(self):
        self.latest = self.last = self.run = self.quiet = None
        self.doubt = False

    def look(self, one):
        """A round looks at it."""
        if one.removed:
            self.latest = self.last = None
            self.quiet = one.own + DAY
        if one.fresh or self.run is None:
            self.run = one
        said, passed = (one.own - self.last.own, one.right - self.last.right) if self.last else (HOUR, HOUR)
        drift = (one.own - self.run.own) - (one.right - self.run.right)
        back = self.latest is not None and self.latest - one.own > BACK
        self.doubt = back or abs(drift) > SLACK or said < passed - SLACK or said > MOST_AHEAD
        if self.doubt:
            return
        if said > DAY or said > passed + SLACK:
            self.quiet = one.own + DAY
        self.last, self.latest = one, max(self.latest or one.own, one.own)


class Oracle:
    """Judges a walk; ``faults`` holds what is wrong, ``ended`` the games that ended by themselves."""

    def __init__(self, world):
        self.world, self.faults, self.ended = world, [], {}
        self.clock, self.known, self.ready = Clockwork(), defaultdict(dict), Counter()
        self.fetched, self.untold, self.answered = {}, [], Counter()
        self.counts = Counter()
        for table in world.tables:
            self._files(table)
        for one in world.rounds:
            self.clock.look(one)
        world.judge = self.after

    def wrong(self, what):
        """Something is not as it must be."""
        self.faults.append(f"round {len(self.world.rounds)}, {text(self.world.time.own)}: {what}")

    def after(self, one):
        """Judge a round."""
        self.clock.look(one)
        self._read(one)
        for table in self.world.tables:
            if table.away is None:
                for name in self._files(table):
                    self._paper(table, name, one)
        self._letters(one)
        self._told(one)
        for table in self.world.tables:
            self._lively(table, one)

    # what happened

    def _files(self, table):
        """The files of a game that are new in its folder; none is ever another."""
        new, known = [], self.known[table.game]
        for path in sorted(table.folder.glob("*.yaml")) if table.folder.is_dir() else ():
            raw = path.read_bytes()
            if path.name not in known:
                known[path.name] = raw
                new.append(path.name)
            elif known[path.name] != raw:
                self.wrong(f"{table.game[:8]}: {path.name} is not what it was")
        return new

    def _read(self, one):
        """Mails were read: when, by the clock of the mailbox, as far as that is believed."""
        for sent in one.mails:
            self.fetched[id(sent)] = None if self.clock.doubt else one.own
        for sent in one.mails:
            if sent.reports is not None:
                sent.reports.troubled = True
                for player in self.world.players:
                    if sent.reports.reader == player.on_file and not sent.reports.words:
                        player.stopped = one.number
            for game, seq in sent.turns:
                self._seen(sent, self.world.table(game), seq)
        if not self.clock.doubt:
            for key, at in self.fetched.items():
                if at is None or at > one.own:
                    self.fetched[key] = one.own

    def _seen(self, sent, table, seq):
        """A turn came from an address that nobody has said: it waits for the director."""
        signer = self.writer(table, seq)
        known = set().union(*(player.said for player in table.players))
        if seq and signer is not None and sent.sender not in known and self.counted(table, seq) is sent:
            signer.seen.setdefault(sent.sender, sent.round)

    def writer(self, table, seq):
        """Who writes a message of a game; None for the referee's, or where that is not known."""
        path = f"{seq:04d}.yaml"
        for friend in (self.world.ref.friend, *(player.friend for player in table.players)):
            if (friend.folder(table.game) / path).exists():
                said = fields((friend.folder(table.game) / path).read_text(encoding="ascii"))
                return table.sides.get(said["from"])
        return None

    def copies(self, table, seq):
        """The mails that brought a message whole, and were read."""
        return [sent for sent in self.world.mails if sent.round is not None and (table.game, seq) in sent.turns]

    def came(self, table, seq):
        """The round in which a message came; None if it came by no mail."""
        return min((sent.round for sent in self.copies(table, seq)), default=None)

    def _first(self, copies):
        """The copy that counts: of those of the first fetch the one that came first."""
        first = min(sent.round for sent in copies)
        batch = [sent for sent in copies if sent.round == first]
        return min(batch, key=lambda sent: min(filter(None, [sent.said, self.fetched[id(sent)] or sent.at])))

    def counted(self, table, seq):
        """The mail by which a message came; None if it came by none."""
        copies = self.copies(table, seq)
        return self._first(copies) if copies else None

    def receipts(self, table):
        """The papers of the folder that say when a message came, by its number."""
        known = self.known[table.game]
        found = [fields(raw.decode("ascii")) for name, raw in known.items() if name.startswith("receipt-")]
        return {int(said["seq"]): said for said in found}

    def due(self, table, seq):
        """The latest term of the answer to a message, of all that was ever signed; None without a receipt."""
        known = self.known[table.game]
        said = [fields(raw.decode()) for name, raw in known.items() if name.startswith(("receipt-", "extension-"))]
        dues = [each["due"] for each in said if int(each["seq"]) == seq]
        if not any(name.startswith(f"receipt-{seq:04d}") for name in known) or not all(dues):
            return None
        return max(map(moment, dues + table.granted.get(seq, [])))

    # 2.10 and 2.12: receipts

    def _paper(self, table, name, one):
        if name.startswith("receipt-"):
            self._receipt(table, fields(self.known[table.game][name].decode("ascii")), one)
        elif name.startswith("forfeit"):
            self._forfeit(table, one)
        elif name.startswith("evidence"):
            self.counts["evidence"] += 1
        if self.clock.doubt and not one.killed and name.startswith(("receipt-", "extension-", "forfeit")):
            if not name.startswith("extension-") or not any(table.granted.values()):
                self.wrong(f"{table.game[:8]}: {name} was signed while the clock was in doubt")

    def _receipt(self, table, said, one):
        """The rule for ``received``, one receipt for each message, and their order."""
        seq, received = int(said["seq"]), moment(said["received"])
        there = [name for name in self.known[table.game] if name.startswith(f"receipt-{seq:04d}")]
        if len(there) > 1:
            self.wrong(f"{table.game[:8]}: two receipts of message {seq}")
        for other, paper in self.receipts(table).items():
            if other != seq and (other < seq) != (paper["received"] <= said["received"]):
                if paper["received"] != said["received"]:
                    self.wrong(f"{table.game[:8]}: the receipts of {other} and {seq} are out of order")
        self.counts["receipts"] += 1
        if table.rolled:
            if received != one.own and not self.world.jumped:
                self.wrong(f"{table.game[:8]}: the receipt of the referee's message {seq} says {said['received']}")
        elif not self.world.jumped:
            may = self.received(table, seq)
            if may and received not in may:
                told = ", or ".join(sorted(map(text, may)))
                self.wrong(f"{table.game[:8]}: message {seq} came {told}, and its receipt says {said['received']}")

    def received(self, table, seq):
        """When a message came by the rule of 2.12; it may be several times where a message behind it came too."""
        copies = self.copies(table, seq)
        if not copies:
            return set()
        last = max((moment(paper["received"]) for k, paper in self.receipts(table).items() if k < seq), default=None)
        first = self._by_rule(copies, last)
        behind, counted = {first}, {seq}
        newest = max((k for sent in self.world.mails for game, k in sent.turns if game == table.game), default=seq)
        for other in range(seq + 1, newest + 1):
            there = self.copies(table, other)
            taken = f"{other:04d}.yaml" in self.known[table.game]
            theirs = self.writer(table, other) is not self.writer(table, seq)
            if there and (taken or theirs or other - 1 in counted):
                counted.add(other)
                behind.add(self._by_rule(there, last))
        return {min(behind)}

    def _by_rule(self, copies, last):
        """``received`` of the copy that counts."""
        one = self._first(copies)
        arrived, fetched = one.said, self.fetched[id(one)]
        if fetched is None:
            return datetime.max.replace(tzinfo=one.at.tzinfo)
        if last is not None and fetched < last:
            return last
        if arrived is not None and last is not None and timedelta() < last - arrived <= ON_ITS_WAY:
            return last
        return arrived if arrived is not None and (last is None or last <= arrived) and arrived <= fetched else fetched

    # 2.12: a game ends by itself

    def _forfeit(self, table, one):
        reasons = list(self.against(table, one))
        self.ended[table.game] = one.number
        self.counts["ended by themselves"] += 1
        if reasons:
            self.wrong(f"{table.game[:8]}: it ended by itself, although {'; '.join(reasons)}")

    def against(self, table, one):
        """Why a game must not end by itself now, as far as the world says so for certain."""
        seq, late = table.newest(), table.owes()
        due = self.due(table, seq) if seq >= 0 else None
        if not self.world.automatic:
            yield "the director has not said automatic"
        if late is None or due is None:
            yield "nobody owes a message"
            return
        grace = self.world.grace
        if one.own - due <= grace:
            yield f"the term runs until {text(due)}"
        if self.world.paused and moment(self.world.paused) > due and one.own - moment(self.world.paused) <= grace:
            yield "there is a pause"
        if seq < (4 if table.rolled else 2):
            yield "nobody loses it before it is bound"
        if self.clock.doubt or (self.clock.quiet is not None and one.own < self.clock.quiet):
            yield "the clock was in doubt less than a day ago"
        over = max(due, moment(self.world.paused) if self.world.paused else due)
        looks = [each.own for each in self.world.rounds if each.whole and over + grace < each.own <= one.own]
        if not looks or looks[-1] - looks[0] < HOUR:
            yield "the mailbox was not fetched twice since, an hour apart"
        yield from self._not_reached(table, seq, late, due, one)
        yield from self._written(table, seq, late)
        yield from self._not_whole(table, seq)

    def _not_reached(self, table, seq, late, due, one):
        """The reminder, the address, and half of the term."""
        letters = [letter for letter in self.world.office.letters if letter.reader == late.on_file]
        subject = f"[kursk {table.game[:8]}] a reminder: message {seq + 1} is due"
        reminders = [letter for letter in letters if letter.subject.startswith(subject)]
        if not any(one.own - letter.at >= DAY and not letter.troubled for letter in reminders):
            yield "no reminder went out a day before, without trouble"
        if late.stopped is not None:
            yield f"letters to {late.on_file} came back"
        others = {BOSS}.union(*(player.said for player in table.players if player is not late))
        for address, number in late.seen.items():
            if number > late.said_in and address not in others:
                yield f"they may be reached at {address}"
        about = {(table.game, str(seq), kind) for kind in ("receipt", "turn", "accept", "propose", "answer")}
        outs = [letter.at for letter in letters if any(carries(about, each) for each in letter.carried)]
        received = moment(self.receipts(table)[seq]["received"])
        first = min([*outs, *(letter.at for letter in reminders)], default=None)
        if first is None or (first > received and 2 * (due - first) < due - received):
            yield f"what is to be answered went out at {first and text(first)}, when less than half was left"

    def _written(self, table, seq, late):
        """What was damaged, and who wrote."""
        since = self.came(table, seq - 1 if table.rolled else seq) or 0
        own = [k for k in range(seq + 1) if self.writer(table, k) is late]
        spoke = self.came(table, own[-1]) or 0 if own else 0
        everybody = set().union(*(player.said for player in table.players))
        theirs = everybody.union(*(player.boxes for player in table.players))  # as far as they may be known
        for sent in self.world.mails:
            if sent.round is None or self._brought(table, sent):
                continue
            counts = sent.round > since or seq + 1 <= sent.newest[table.game] + 4
            if sent.spoilt and counts and (table.game in sent.names or sent.sender in everybody):
                yield f"a damaged mail from {sent.sender} was read in round {sent.round}"
            if (sent.spoilt or self._by_person(sent)) and table.game in sent.away and sent.round > since:
                yield f"a mail from {sent.sender} was read in round {sent.round}, while the folder was away"
            about = sent.about and table.game in sent.names and sent.sender not in theirs
            if self._by_person(sent) and sent.round > spoke and (sent.sender in late.said or about):
                yield f"{sent.sender} wrote in round {sent.round}"

    @staticmethod
    def _by_person(sent):
        """Whether a person wrote a mail, for all that its header says."""
        return sent.person and not sent.desk and not sent.machine and sent.reports is None

    def _brought(self, table, sent):
        """Whether something new of a game came by a mail, from the address of whoever signed it."""
        for game, seq in sent.turns:
            if game == table.game and self.counted(table, seq) is sent:
                signer = self.writer(table, seq)
                if signer is None or sent.sender in signer.said:
                    return True
        return False

    def _not_whole(self, table, seq):
        """What has come and is not in the folder; what it lacks."""
        here = {path.name for path in table.folder.glob("*.yaml")}
        lacks = {name for name in self.known[table.game] if name not in here}
        if table.set_back is not None and lacks:
            yield f"{', '.join(sorted(lacks))} is missing from the folder"
        if any(name.startswith("evidence") for name in here):
            yield "there is evidence of two messages for one number"
        owed = table.owes()
        for sent in self.world.mails:
            for game, k in sent.turns if sent.round is not None else ():
                if game == table.game and k > seq and (k == seq + 1 or self.writer(table, k) is not owed):
                    yield f"message {k} came in round {sent.round}"

    def _lively(self, table, one):
        """A game where nothing is doubtful ends in a few rounds."""
        if table.game in self.ended or table.away is not None or not one.whole or one.killed is not False:
            return
        if table.newest() < 0 or self._doubtful(table) or next(self.against(table, one), ""):
            self.ready[table.game] = 0
            return
        self.ready[table.game] += 1
        if self.ready[table.game] > FEW:
            self.wrong(f"{table.game[:8]}: nothing is in doubt, and it does not end by itself: {self.pending(table)}")
            self.ready[table.game] = -1000

    def _doubtful(self, table):
        """Whether something happened after which nobody promises that it ends: since five messages, or ever."""
        newest, late = table.newest(), table.owes()
        if late is None or table.set_back is not None or self.world.time.offset:
            return True
        since = min(self.came(table, k) or 0 for k in range(max(newest - 5, 0), newest + 1)) if newest > 5 else 0
        return any(lasting or number >= since or k > newest - 5 for _why, number, k, lasting in table.tainted)

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
            if letter.words and b"\r\nAuto-Submitted: auto-replied" in letter.raw:
                question = next((sent for sent in self.world.mails if answers and sent.mid == answers[1].decode()), None)
                at = self.fetched.get(id(question)) if question is not None else None
                self.answered[letter.mid, letter.reader] = 1
                self.counts["answers"] += 1
                if at is not None:
                    self.answered[letter.reader, text(at)[:10]] += 1
                    if self.answered[letter.reader, text(at)[:10]] > 10 and not self.world.jumped:
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
        if not copies or table.game in self.ended or self.world.jumped or self.writer(table, seq) is None:
            return
        if due is None:
            if not table.rolled:
                self.wrong(f"{table.game[:8]}: message {seq - 1} has no receipt, and {seq} came")
            return
        came = min(self.received(table, seq) or {due})
        if came - due <= self.world.grace or seq in table.passed:
            self.wrong(f"{table.game[:8]}: message {seq} came {text(came)}, was due {text(due)}, and is not there")


def carries(about, said):
    """Whether a file of a letter is one of these messages or receipts."""
    return (said.get("game"), said["seq"], said["type"]) in about or (
        said["type"] not in ("receipt", "extension", "forfeit")
        and any((said.get("game"), said["seq"]) == (game, seq) for game, seq, _kind in about)
    )
