"""Target ``adjudicate``: validly signed messages of a hostile player with a genuine key.

The player writes a message of a game in progress. The tool computes dice and positions as an honest program would,
unless the player lies about dice or positions. The opponent's program must refuse or read the message by the rules. A
refusing command must leave every file of the game unchanged.
"""

from __future__ import annotations

import copy
import hashlib
import json
import os
import random
import shutil
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from dataclasses import replace
from io import StringIO
from pathlib import Path
from typing import Any

import fuzz_games
import fuzz_papers
from fuzz_games import Moment
from fuzz_orders import Orders
from fuzzing import Watch, Wrong, check_refusal
from helpers import registry

from kursk_pbem.audit import proof_file, prove
from kursk_pbem.cli import run as command
from kursk_pbem.errors import KurskError, RulesError
from kursk_pbem.formats.canonical import MAX_BYTES, REFEREE, canon, sha256_hex
from kursk_pbem.game import games as record
from kursk_pbem.game import reports, verified
from kursk_pbem.game.games import Game
from kursk_pbem.kernel.adjudicate import keep_position
from kursk_pbem.kernel.orders import filing
from kursk_pbem.kernel.state import OVER, from_plain
from kursk_pbem.trust import commit, messages, sshsig
from kursk_pbem.trust.chains import Seals

NAME = "letter.yaml"
SALT = bytes(16)
RANDOM, MOST = (5, 6, 3), 40
"""Seeds of the first random games, and their number of messages. The seeds give every scenario and option."""
BY_COMMAND = 0.06
"""The share of inputs for the command ``adjudicate``."""


class Adjudicate:
    """Messages for every moment of a few games. An input is a line of JSON that describes the message."""

    name, suffix = "adjudicate", ".json"

    def __init__(
        self,
        ruleset: str = "all",
        finished: tuple[str, ...] | None = None,
        seeds: tuple[int, ...] = RANDOM,
        most: int = MOST,
        by_command: float = BY_COMMAND,
    ) -> None:
        """Load the ``finished`` games of a ruleset (default: every game) and play the random games of ``seeds``."""
        self.by_command = by_command
        self._root = tempfile.TemporaryDirectory(prefix="kursk-fuzz-")
        root = Path(self._root.name)
        self.scratch = root / "scratch"
        kits = registry.kits(ruleset)
        games = [fuzz_games.play_random(kit, root, seed, most) for kit in kits for seed in seeds]
        games += [fuzz_games.load_finished(kit, name) for kit in kits for name in (finished or kit.plots)]
        self.moments = {each.key: each for game in games for each in game}
        self.orders = {kit.id: Orders(kit) for kit in kits}
        self._laid = ""

    def close(self) -> None:
        """Delete the folders of the games."""
        self._root.cleanup()

    # Making

    def make(self, rng: random.Random) -> bytes:
        by_command = rng.random() < self.by_command
        moment = rng.choice([each for each in self.moments.values() if each.folders is not None or not by_command])
        if rng.random() < 0.03:
            return json.dumps({"at": moment.key, "papers": fuzz_papers.make_papers(rng, moment)}).encode("ascii")
        if rng.random() < 0.08:
            return json.dumps(self.make_proposal(rng, moment)).encode("ascii")
        made: dict[str, Any] = {"at": moment.key}
        orders = self.orders[moment.kit.id]
        if rng.random() < 0.3 and not by_command and (changes := orders.own.make_changes(rng, moment)):
            made["elsewhere"] = changes
            moment = self.move_moment(moment, changes)
        made["choices"], made["hidden"] = self.make_choices(rng, moment)
        if rng.random() < 0.35:
            made["reveal"] = orders.make_reveals(rng, moment)
        if rng.random() < 0.15:
            made["over"] = orders.make_lies(rng, moment)
            made["drop"] = rng.sample(sorted(moment.envelope), rng.choice((0, 0, 1)))
        if rng.random() < 0.05:
            made["type"] = rng.choice(("resign", "offer", "reply", "accept", "propose"))
        elif rng.random() < 0.05:
            made |= orders.make_agreement(rng)
        if rng.random() < 0.1:
            made["state"] = orders.spoil_position(rng, moment.game.state.to_plain())
        if rng.random() < 0.05:
            made["heard"] = rng.choice((1, 2, 2, 5))
        made["prove"], made["look"] = rng.random() < 0.15, rng.random() < 0.1
        if by_command:
            made["command"] = True
            for key in ("reveal", "offered"):  # the folders lack these seals and offers
                made.pop(key, None)
        return json.dumps(made).encode("ascii")

    def make_choices(self, rng: random.Random, moment: Moment) -> tuple[dict[str, Any], dict[str, Any]]:
        """Return choices and hidden choices: legal, almost legal, or of another moment."""
        kind, orders = rng.random(), self.orders[moment.kit.id]
        if kind < 0.1:
            found: Any = dict(moment.choices)
        elif kind < 0.45 and moment.middle.stage != OVER and moment.writer != REFEREE:
            found = moment.kit.chooser(moment.game.setting, rng).content(moment.middle, moment.seq)
        elif kind < 0.9:
            found = orders.own.make_likely(rng, moment)
        else:
            alike = [each for each in self.moments.values() if each.kit is moment.kit]
            found = dict(rng.choice(alike).choices)
        return orders.spoil_choices(rng, moment, found)

    def make_proposal(self, rng: random.Random, moment: Moment) -> dict[str, Any]:
        """Make a message 0, of a new game or of a successor with an invented position."""
        orders = self.orders[moment.kit.id]
        made: dict[str, Any] = {"at": moment.key, "propose": orders.spoil_proposal(rng, moment)}
        if rng.random() < 0.7:
            state = moment.game.state if rng.random() < 0.5 else moment.middle
            resumed = moment.game.ruleset.data.resume(moment.game.setting, state)
            plain = (state if isinstance(resumed, str) else resumed).to_plain()
            made["state"] = orders.spoil_position(rng, plain) if rng.random() < 0.8 else plain
            made["continues"] = True
        return made

    # Judging

    def judge(self, raw: bytes, watch: Watch) -> str:
        made = json.loads(raw)
        moment = self.moments[made["at"]]
        if "elsewhere" in made:
            moment = self.move_moment(moment, made["elsewhere"])
        if "papers" in made:
            return fuzz_papers.judge_papers(made["papers"], moment, watch)
        if "propose" in made:
            return self.judge_proposal(made, moment, watch)
        before = self.find_receiver_game(moment, made)
        before = _seal_values(before, moment, made["reveal"]) if "reveal" in made else before
        if "offered" in made:
            before = replace(before, chain=replace(before.chain, offer=made["offered"]))
        content = self.make_content(made, moment, before, watch)
        state = made.get("state")
        text = messages.emit_message(content, _sign_content(content, moment), state)
        word, game = self.receive_message(text, before, watch)
        if made.get("look") and not before.over and not before.hands_on and not before.chain.offer:
            with watch.watch_step("the draft is written"):
                moment.game.ruleset.seen.hints(moment.game.setting, moment.middle, moment.seq)
        if made.get("prove") and not {"reveal", "offered", "elsewhere", "heard"} & made.keys():
            _check_proofs(moment, text, word, watch)
        if made.get("command") and moment.folders is not None:
            status = self.run_command(moment, text, watch)
            # With another game or number, the command searches for the game; another predecessor is another line.
            here = all(content.get(key) == moment.envelope[key] for key in ("game", "seq", "prev"))
            if here and not made.get("heard") and word[:8] != f"status {status}":
                raise Wrong(f"the command ends with {status}, and the same by itself was {word}")
            word = f"status {status}, by the command"
        if game is not None:
            _check_position(game, watch)
        return word

    def move_moment(self, moment: Moment, changes: Mapping[str, Any]) -> Moment:
        """Return the moment with another position."""
        state = self.orders[moment.kit.id].own.apply_changes(moment.game.state, changes)
        return fuzz_games.move_moment(moment, state)

    def find_receiver_game(self, moment: Moment, made: Mapping[str, Any]) -> Game:
        """Return the receiver's game at this message or some messages later."""
        later = self.moments.get(f"{moment.kit.id}/{moment.played}/{moment.seq + made.get('heard', 0)}")
        return moment.game if later is None or not made.get("heard") else later.game

    def make_content(self, made: Mapping[str, Any], moment: Moment, before: Game, watch: Watch) -> dict[str, Any]:
        """Return the signed mapping: envelope, choices and results."""
        content: dict[str, Any] = {**copy.deepcopy(dict(moment.envelope)), **made["choices"]}
        content["type"] = made.get("type", content["type"])
        if "reveal" in made:
            content["reveal"] = {label: {"salt": SALT.hex(), "value": value} for label, value in made["reveal"].items()}
        content |= _compute_results(content, made.get("hidden", {}), moment, before, watch)
        content |= made.get("over", {})
        for key in made.get("drop", ()):
            content.pop(key, None)
        return {key: value for key, value in content.items() if value is not None}

    def receive_message(self, text: str, before: Game, watch: Watch) -> tuple[str, Game | None]:
        """Read the message as the receiver; return the outcome and the new game, or None after a refusal."""
        try:
            with watch.watch_step("read"):
                message = messages.read_message(text.encode("ascii", "backslashreplace"), NAME)
            with watch.watch_step("extend"):
                game, result = record.extend(before, message)
            with watch.watch_step("report"):
                reports.report_message(before, game, message, result)
        except RulesError as error:
            check_refusal(error, NAME)
            return f"status 1, {before.state.stage}", None
        except KurskError as error:
            fault = f", {getattr(error, 'fault', '')}" if error.exit_status == 3 else ""
            return f"{check_refusal(error, NAME)}{fault}", None
        kept = messages.emit_for_mail(message.content, message.armour or "", message.state)
        with watch.watch_step("what the receiver keeps is read"):
            again = messages.read_message(kept.encode("ascii"), NAME)
        if again.id != message.id:
            raise Wrong("what the receiver keeps is another message")
        return f"status 0, {before.state.stage}", game

    def run_command(self, moment: Moment, text: str, watch: Watch) -> int:
        """Run the command at the receiver's desk and return its status. A refusal must leave every file unchanged."""
        assert moment.folders is not None
        if self._laid != moment.key:
            shutil.rmtree(self.scratch, ignore_errors=True)
            shutil.copytree(moment.folders, self.scratch)
            self._laid = moment.key
        victim = self.scratch / moment.game.ruleset.other(moment.writer)
        letter = victim / "letters" / NAME
        letter.parent.mkdir(exist_ok=True)
        letter.write_text(text, encoding="ascii", errors="backslashreplace", newline="")
        before = _hash_files(self.scratch)
        said = StringIO()
        sinks = redirect_stdout(said), redirect_stderr(said)
        with _use_home(victim / "private"), sinks[0], sinks[1], watch.watch_step("kursk adjudicate", writes=True):
            status = command(["inbox", "--report", str(letter)])
        with _use_home(victim / "private"), sinks[0], sinks[1], watch.watch_step("kursk verify FILE", writes=True):
            alone = command(["verify", str(letter)])
        after = _hash_files(self.scratch)
        if status not in (0, 1, 2, 3) or alone not in (0, 2, 3):
            raise Wrong(f"status {status}: {said.getvalue()}")
        kept = [name for name in after if name not in before and ("/evidence-" in name or ".void.yaml" in name)]
        if status and {name: each for name, each in after.items() if name not in kept} != before:
            changed = sorted(name for name in {*before, *after} if before.get(name) != after.get(name))
            raise Wrong(f"status {status}, and changed are {changed[:5]}")
        if status == 0 or kept:
            self._laid = ""
        return status

    def judge_proposal(self, made: Mapping[str, Any], moment: Moment, watch: Watch) -> str:
        content = {**moment.game.chain.head, **made["propose"]}
        state = made.get("state")
        if made.get("continues"):
            old = moment.game.chain
            content["continues"] = {"game": old.game, "seq": str(moment.seq - 1), "id": old.head_id}
            content["from"] = _choose_proposer(moment, state)
            content["state-out"] = sha256_hex(canon(state)) if isinstance(state, dict) else "0" * 64
        content = {key: value for key, value in content.items() if value is not None}
        alike = (each for each in self.moments.values() if (each.kit, each.played) == (moment.kit, moment.played))
        signer = next((each.signer for each in alike if each.writer == content.get("from")), moment.signer)
        armour = signer.sign(sshsig.NAMESPACE, canon(content))
        text = messages.emit_message(content, armour, state)
        try:
            with watch.watch_step("read"):
                message = messages.read_message(text.encode("ascii", "backslashreplace"), NAME)
            with watch.watch_step("begin"):
                game = record.begin(message)
        except KurskError as error:
            word = check_refusal(error, NAME)
        else:
            word = "status 0"
            with watch.watch_step("report"):
                reports.report_proposal(game, message)
            _check_position(game, watch)
        return f"{word}, proposal{' of a successor' if made.get('continues') else ''}"


def _seal_values(game: Game, moment: Moment, values: Mapping[str, Any]) -> Game:
    """Return the game as if the writer's last message had sealed the values."""
    nonce = game.chain.nonce
    seq = game.chain.seals[moment.writer].seq if moment.writer in game.chain.seals else max(moment.seq - 2, 0)
    hashes = {label: commit.choice_hash(nonce, seq, label, SALT, value).hex() for label, value in values.items()}
    agenda = {key: value for key, value in game.state.agenda.items() if not key.startswith("sealed/")}
    agenda |= {f"sealed/{label}": {"seq": str(seq), "hash": each} for label, each in hashes.items()}
    seals = {**game.chain.seals, moment.writer: Seals(seq, hashes)}
    return replace(game, chain=replace(game.chain, seals=seals), state=game.state.with_(agenda=agenda))


def _choose_proposer(moment: Moment, state: Any) -> str:
    """Return the proposer of a successor: the referee, or the side without the next choice."""
    if moment.game.chain.refereed:
        return REFEREE
    owes = state.get("side") if isinstance(state, dict) else ""
    sides = moment.kit.sides
    return moment.game.ruleset.other(owes) if owes in sides else sides[0]


def _compute_results(
    content: Mapping[str, Any], hidden: Mapping[str, Any], moment: Moment, before: Game, watch: Watch
) -> dict[str, Any]:
    """Return dice, decision and positions as an honest program would write the fields, or zeros without a result.

    The program reviews the choices twice: with the ``hidden`` choices, as ``kursk check`` does, and without.
    """
    zeros: dict[str, Any] = {"state-in": "0" * 64, "state-out": "0" * 64}
    if before.over or before.chain.next_seq != moment.seq:
        return zeros
    try:
        text = messages.emit_message({**content, **zeros}, "-")
        form = messages.read_message(text.encode("ascii", "backslashreplace"), NAME)
        record.check_choices(form.content, before.ruleset, form.document)
        values = {label: entry["value"] for label, entry in form.mapping("reveal").items()}
        asked = replace(filing(form.content), reveal=values)
        with watch.watch_step("preview"):  # no duties and no choices in a reply, or if the referee only hands on
            idle = form.type == "reply" or bool(before.chain.offer) or before.hands_on
            done = keep_position(before.state) if idle else record.preview(before, moment.opening, asked)
        # The form of other values is wrong.
        if not idle and hidden and all(isinstance(each, dict) for each in hidden.values()):
            with watch.watch_step("check"):
                record.preview(before, moment.opening, replace(asked, sealed=hidden))
    except KurskError:
        return zeros
    found: dict[str, Any] = {"state-in": done.middle.sha256(), "state-out": done.after.sha256()}
    if done.dice:
        found["dice"] = dict(sorted(done.dice.items()))
    if done.pending is not None:
        found["pending"] = done.pending
    if moment.writer == REFEREE and (named := before.name_next_writer(done.after)):
        found["next"] = named
    return found


def _check_proofs(moment: Moment, text: str, word: str, watch: Watch) -> None:
    """Prove the game with this message: only the writer may be convicted, and only of an invalid message."""
    try:
        message = messages.read_message(text.encode("ascii", "backslashreplace"), NAME)
    except KurskError:
        return
    with watch.watch_step("prove"):
        found = prove.judge_messages((*moment.before, message))
    for each in found.convictions:
        if each.side != moment.writer or each.seq != message.seq:
            raise Wrong(f"{each.side} is convicted by a message of {moment.writer}: {each.why}")
        if word.startswith(("status 0", "status 1")):
            raise Wrong(f"convicted of {each.claim}, and received it was {word}: {each.why}")
        with watch.watch_step("the proof is read"):
            said, shown = proof_file.read(proof_file.write_proof(each).encode("ascii"), NAME)
        again = [proof_file.make_claim(one) for one in prove.judge_messages(shown).convictions]
        if said != proof_file.make_claim(each) or again != [said]:
            raise Wrong(f"the proof does not show what it claims: {each.why}")


def _sign_content(content: Mapping[str, Any], moment: Moment) -> str:
    return moment.signer.sign(sshsig.NAMESPACE, canon(content))


def _check_position(game: Game, watch: Watch) -> None:
    """Display a position in every way, and check the conditions of an accepted position."""
    ruleset, setting, state = game.ruleset, game.setting, game.state
    with watch.watch_step("the position is looked at"):
        ruleset.seen.standing(setting, state)
        ruleset.quiet(setting, state)
        ruleset.play.verdict(setting, state)
        ruleset.seen.picture(setting, state)
        if not game.over and not game.stage.duties:
            ruleset.seen.hints(setting, state, game.chain.next_seq)
            ruleset.seen.outlook(setting, state, "")
    if state.agenda and not game.over:
        with watch.watch_step("odds"):
            ruleset.seen.odds(setting, state, {})
    if breaches := game.ruleset.play.invariants(game.setting, game.state):
        raise Wrong(f"accepted, and the position is none: {breaches}")
    if from_plain(game.state.to_plain()) != game.state:
        raise Wrong("the position does not come back from its mapping")
    if len(canon(game.state.to_plain())) > MAX_BYTES:
        raise Wrong("the position has grown beyond what a file can hold")


def _hash_files(root: Path) -> dict[str, str]:
    """Return the hash of every file below a folder, except the desk's caches."""
    return {
        path.relative_to(root).as_posix(): hashlib.sha256(path.read_bytes()).hexdigest() if path.is_file() else ""
        for path in sorted(root.rglob("*"))
        if path.name != verified.NAME
    }


@contextmanager
def _use_home(home: Path) -> Iterator[None]:
    """Use the environment of a player."""
    before = {name: os.environ.pop(name, None) for name in ("KURSK_HOME", "KURSK_KEY")}
    os.environ["KURSK_HOME"] = str(home)
    try:
        yield
    finally:
        for name, value in before.items():
            os.environ.pop(name, None)
            if value is not None:
                os.environ[name] = value
