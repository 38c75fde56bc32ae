"""When a game may end by itself, and when it must, by the list in docs/auditors.md 2.12."""

from helpers.postmen import text
from helpers.walk_facts import DAY, HOUR, moment
from helpers.walk_world import BOSS

UNCALLED = "no last call went"


class Silence:
    """What stands against the end of a game, as far as the world says so for certain; ``facts`` is what happened."""

    def __init__(self, facts):
        self.facts, self.world = facts, facts.world

    def against(self, table, one):
        """Why a game must not end by itself now, as far as the world says so for certain."""
        seq, late = table.newest(), table.owes()
        due = self.facts.due(table, seq) if seq >= 0 else None
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
        if self.facts.clock.doubt or (self.facts.clock.quiet is not None and one.own < self.facts.clock.quiet):
            yield "the clock was in doubt less than a day ago"
        yield from self._not_reached(table, seq, late, due, one)
        yield from self._written(table, seq, late)
        yield from self._not_whole(table, seq)

    def unanswered(self, table, one):
        """Why nobody has kept silent after a last call, as far as the world says so for certain."""
        seq, late = table.newest(), table.owes()
        due = self.facts.due(table, seq)
        day = max(due, moment(self.world.paused) if self.world.paused else due).strftime("%Y-%m-%d %H:%M UTC")
        subject = f"[kursk {table.game[:8]}] a last call: message {seq + 1} was due {day}"
        calls = [letter for letter in self.world.office.letters if letter.subject == subject]
        told = []
        for reader in (late.on_file, table.other(late).on_file, BOSS):
            there = [letter for letter in calls if letter.reader == reader]
            if any(letter.troubled for letter in there):
                yield f"a server reported of a last call to {reader}"
            if not there:
                yield f"{UNCALLED} to {reader}"
            told += [min(letter.at for letter in there)] if there else []
        if table.other(late).stopped is not None:
            yield "letters to the other player came back"
        if not told:
            return
        looks = [each.own for each in self.world.rounds if each.whole and max(told) + 2 * DAY <= each.own <= one.own]
        if not looks or looks[-1] - looks[0] < HOUR:
            yield "two days behind it the mailbox was not fetched twice, an hour apart"
        first = min(each.number for each in self.world.rounds if any(letter in calls for letter in each.letters))
        for sent in self.world.mails:
            about = sent.about and table.game in sent.names and sent.sender in table.other(late).said
            if about and (sent.round or 0) > first and self._by_person(sent) and not self.facts.brought(table, sent):
                yield f"{sent.sender} answered a last call in round {sent.round}"

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
        received = moment(self.facts.receipts(table)[seq]["received"])
        first = min([*outs, *(letter.at for letter in reminders)], default=None)
        if first is None or (first > received and 2 * (due - first) < due - received):
            yield f"what is to be answered went out at {first and text(first)}, when less than half was left"

    def _written(self, table, seq, late):
        """What was damaged, and who wrote."""
        since = self.facts.came(table, seq - 1 if table.rolled else seq) or 0
        own = [k for k in range(seq + 1) if self.facts.writer(table, k) is late]
        spoke = self.facts.came(table, own[-1]) or 0 if own else 0
        everybody = set().union(*(player.said for player in table.players))
        theirs = everybody.union(*(player.boxes for player in table.players))  # as far as they may be known
        for sent in self.world.mails:
            if sent.round is None or self.facts.brought(table, sent):
                continue
            counts = sent.round > since or seq + 1 <= sent.newest[table.game] + 4
            if sent.spoilt and counts and (table.game in sent.names or sent.sender in everybody):
                yield f"a damaged mail from {sent.sender} was read in round {sent.round}"
            near = bool(self.world.at(sent.sender)) or (sent.about and bool(sent.names))
            written = sent.spoilt or (near and self._by_person(sent))
            if written and table.game in sent.away and sent.round > since:
                yield f"a mail from {sent.sender} was read in round {sent.round}, while the folder was away"
            about = sent.about and table.game in sent.names and sent.sender not in theirs
            if self._by_person(sent) and sent.round > spoke and (sent.sender in late.said or about):
                yield f"{sent.sender} wrote in round {sent.round}"

    @staticmethod
    def _by_person(sent):
        """Whether a person wrote a mail, for all that its header says."""
        return sent.person and not sent.desk and not sent.machine and sent.reports is None

    def _not_whole(self, table, seq):
        """What has come and is not in the folder; what it lacks."""
        here = {path.name for path in table.folder.glob("*.yaml")}
        lacks = {name for name in self.facts.known[table.game] if name not in here}
        if table.set_back is not None and lacks:
            yield f"{', '.join(sorted(lacks))} is missing from the folder"
        if any(name.startswith("evidence") for name in here):
            yield "there is evidence of two messages for one number"
        owed = table.owes()
        for sent in self.world.mails:
            for game, k in sent.turns if sent.round is not None else ():
                if game == table.game and k > seq and (k == seq + 1 or self.facts.writer(table, k) is not owed):
                    yield f"message {k} came in round {sent.round}"

    def doubtful(self, table):
        """Whether something happened after which nobody promises that it ends: since five messages, or ever."""
        newest, late = table.newest(), table.owes()
        if late is None or table.set_back is not None or self.world.time.offset:
            return True
        since = min(self.facts.came(table, k) or 0 for k in range(max(newest - 5, 0), newest + 1)) if newest > 5 else 0
        return any(lasting or number >= since or k > newest - 5 for _why, number, k, lasting in table.tainted)


def carries(about, said):
    """Whether a file of a letter is one of these messages or receipts."""
    return (said.get("game"), said["seq"], said["type"]) in about or (
        said["type"] not in ("receipt", "extension", "forfeit")
        and any((said.get("game"), said["seq"]) == (game, seq) for game, seq, _kind in about)
    )
