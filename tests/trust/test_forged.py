"""Forged messages by the thousand, all well signed: program and script refuse the same (protocol 2.6, 3.8).

The verdicts may differ only if a judgement needs the rules. Then the program is stricter.
"""

from __future__ import annotations

import random
from collections import Counter

import pytest
from helpers import sweeps
from helpers.forging import Line, make_proposal, make_signer, random_game
from rulesets.battle_for_kursk import forger
from rulesets.battle_for_kursk.first_turn import CAMPAIGN, CITADEL, other

from kursk_pbem.desk.draft import drafts
from kursk_pbem.errors import KurskError, TrustError
from kursk_pbem.formats.canonical import canon
from kursk_pbem.game import folders, histories
from kursk_pbem.game import games as record
from kursk_pbem.rulesets.battle_for_kursk.resume import resume_game
from kursk_pbem.trust import keys, messages, sshsig
from trust import auditors

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def script():
    """The script, with our signature check instead of ssh-keygen (4 ms each). Other tests compare the two checks."""
    module = auditors.load(auditors.SECOND)

    def check_signature(path, data, _side, key):
        try:
            sshsig.verify(key, sshsig.NAMESPACE, data, path.armour)
        except TrustError as error:
            raise module.FaultError(f"signature: {error.message}") from None

    module.check_signature = check_signature
    return module


class Paper:
    """A file that lies nowhere."""

    def __init__(self, seq, data, armour):
        self.name, self.data, self.armour = f"{seq:04}.json", data, armour

    def read_bytes(self):
        return self.data


class Bench:
    """The script after the messages of a line. ``ask`` returns the verdict on a next message."""

    def __init__(self, script, played):
        self.script, self.game = script, script.Game()
        for seq, message in enumerate(played):
            self.game.add(Paper(seq, message.signed, message.armour))

    def ask(self, data, armour):
        """The kind of fault, or ''."""
        trial = self.script.Game()
        trial.__dict__.update(
            {
                key: type(value)(value) if isinstance(value, (list, dict)) else value
                for key, value in self.game.__dict__.items()
            }
        )
        try:
            trial.add(Paper(len(trial.chain), data, armour))
        except self.script.FaultError as fault:
            return str(fault).split(":")[0]
        return ""


def said(work):
    """('', '') if it goes well, else (status, kind of fault)."""
    try:
        work()
    except KurskError as error:
        return error.exit_status, getattr(error, "fault", "")
    return "", ""


def agree(bench, here, rng, pool, key_of):
    """Forge messages for a place and compare the two verdicts. Return the counts of verdicts."""
    verdicts: Counter = Counter()
    for what, content, by in forger.forged(here, rng, EACH, pool):
        chain, whole, data, armour = judged(here, content, key_of(by))
        found = bench.ask(data, armour)
        where = (here.seq, what, chain, whole, found)
        verdicts[whole] += 1
        if not any(whole):
            assert not found, where
        elif not found:  # the script accepts; only the rules refuse
            assert chain == ("", ""), where
        if any(chain):
            assert found, where
    return verdicts


def judged(line, content, key):
    """Return the verdict on a signed content: by the chain alone, and with the rules."""
    data = canon(content)
    armour = key.sign(sshsig.NAMESPACE, data)
    try:
        message = messages.read_archive(data, armour, "forged")
    except KurskError as error:
        return (error.exit_status, ""), (error.exit_status, ""), data, armour
    return (
        said(lambda: line.game.chain.extend(message)),
        said(lambda: record.extend(line.game, message)),
        data,
        armour,
    )


def ways(line):
    """Return a game after every message, and with another message there: an accept, a resignation."""
    for each in line.lines:
        yield each
        if each.game.chain.offer:
            yield each.reply("accept")
        elif 3 <= each.seq < 8 and not each.game.over:
            yield each.then("resign")


def continued(line):
    """Return a successor from the last possible position of a line."""
    for old in reversed(line.lines):
        state = resume_game(old.game.setting, old.game.state)
        if not isinstance(state, str):
            said = {"game": old.game.chain.game, "seq": str(old.seq - 1), "id": old.game.chain.head_id}
            head = old.game.chain.head
            message = make_proposal(
                f"after {line.name}",
                head["scenario"]["id"],
                other(state.side),
                state,
                options=head["options"],
                continues=said,
            )
            return random_game(f"after {line.name}", 6, line=Line(f"after {line.name}", message, record.begin(message)))
    raise AssertionError(line.name)


EACH = 1
"""Changes of each message; raise it for a longer look."""

GAMES = {"short": (CITADEL, {"uncovered": "ask"}), "whole": (CAMPAIGN, {"weather": "die", "uncovered": "ask"})}


@pytest.mark.parametrize("name", sweeps.some(GAMES, 2))
def test_2_6_forged_messages_are_refused_by_both_or_for_the_rules_alone(script, name):
    scenario, options = GAMES[name]
    rng = random.Random(name)
    line = random_game(name, 14, 0.5, scenario=scenario, options=options)
    lines = [*ways(line), *ways(continued(line))]
    pool = [message for each_line in lines for message in each_line.messages]
    verdicts: Counter = Counter()
    for here in lines:
        verdicts += agree(Bench(script, here.messages), here, rng, pool, make_signer)
    assert verdicts[("", "")] > 40
    assert {kind for _status, kind in verdicts} >= {"order", "signature", "chain", "reveal", "state"}


def test_2_6_forged_messages_where_a_referee_rolls(script, rolled):
    rolled.send(drafts.make_offer(rolled.due.desk, "draw"))
    rolled.send(drafts.make_reply(rolled.due.desk, "decline"))
    key_of = {side: keys.load_key(player.key) for side, player in rolled.players.items()}.__getitem__
    games = histories.load(rolled.referee.folder).games
    played = [folders.read_message(path) for path in folders.message_files(rolled.referee.folder)]
    assert {message.type for message in played} == {"propose", "accept", "turn", "offer", "reply"}
    rng, verdicts = random.Random(0), Counter()
    for seq, game in enumerate(games, 1):
        verdicts += agree(Bench(script, played[:seq]), forger.Place(game, played, seq), rng, played, key_of)
    assert verdicts[("", "")] > 10
    assert {kind for _status, kind in verdicts} >= {"order", "signature", "chain", "sender", "state"}
