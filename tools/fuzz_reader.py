"""Target ``reader``: strict YAML, canonical JSON, and messages, drafts and archived messages from YAML and JSON.

An accepted file must stay equal when the program writes and reads it again, in either form, with an equal id.
"""

from __future__ import annotations

import json
import random
import re

from fuzz_corpus import LIMIT, change_tree, fatten_message, fill_file, read_all, spoil_bytes, write_yaml
from fuzzing import Watch, Wrong, check_refusal

from kursk_pbem.audit import proof_file
from kursk_pbem.errors import FileError, TrustError
from kursk_pbem.formats import strictyaml
from kursk_pbem.formats.canonical import canon, parse_canonical
from kursk_pbem.formats.yamlout import yaml_lines
from kursk_pbem.trust import messages, papers, sshsig, turns
from kursk_pbem.trust.messages import Message

NAME = "fuzz.yaml"
SMALL = 3000
"""Size limit in bytes for PyYAML's own parser, which replaces a missing libyaml and is slow."""

HASH = "ab" * 32
KEY = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIBJqPkQ9wVW6j39rujLlgnCFTHtXsRWbiPLBn8EiXrbz"
_ARMOUR = re.compile(rb"-----BEGIN SSH SIGNATURE-----[^-]*-----END SSH SIGNATURE-----")


class Reader:
    """Files of many kinds, good and spoiled."""

    name, suffix = "reader", ".yaml"

    def __init__(
        self, more: list[bytes] | None = None, most: int = 60, ruleset: str = "*", bad: list[bytes] | None = None
    ) -> None:
        """Read the files of a ruleset's finished games. ``more`` and ``bad``: further good and bad files."""
        self.files = [*(more or []), *read_all(f"games/{ruleset}/*/*.yaml", most), *read_all("vectors/*/*.yaml")]
        self.archives = read_all("vectors/*/[0-9]*.json")
        self.archives += [each.signed for raw in self.files if (each := _read_message(raw)) is not None]
        self.trees = [strictyaml.read(raw, NAME).data for raw in self.files]
        receipt = {
            "kursk-pbem": "1",
            "type": "receipt",
            "game": HASH,
            "seq": "3",
            "from": "referee",
            "id": HASH,
            "received": "1943-07-06T03:00:00Z",
            "due": "1943-07-08T03:00:00Z",
        }
        self.others = [self.make_proof(most), messages.emit_message(receipt, "x").encode("ascii"), *(bad or [])]
        self.armour = next(found[0] for raw in self.files if (found := _ARMOUR.search(raw))).decode("ascii")

    def make(self, rng: random.Random) -> bytes:
        kind = rng.random()
        if kind < 0.06:
            return spoil_bytes(rng, rng.choice(self.others), self.files)
        if kind < 0.35:
            return spoil_bytes(rng, rng.choice(self.files), self.files)
        if kind < 0.75:
            tree = change_tree(rng, rng.choice(self.trees), rng.choice((0, 1, 1, 2, 5)))
            raw = write_yaml(rng, tree)
            return raw if rng.random() < 0.7 else spoil_bytes(rng, raw, self.files)
        if kind < 0.9:
            tree = change_tree(rng, json.loads(rng.choice(self.archives)), rng.choice((0, 1, 1, 2)))
            loose = json.dumps(tree, ensure_ascii=rng.random() < 0.5)
            raw = canon(tree) if rng.random() < 0.7 else loose.encode("utf-8")
            return raw if rng.random() < 0.3 else spoil_bytes(rng, raw, self.archives)
        if kind < 0.93:
            tree = fatten_message(rng, rng.choice(self.trees))
            return write_yaml(rng, tree) if rng.random() < 0.7 else canon(tree)
        if kind < 0.98:
            return fill_file(rng, rng.choice((b"", rng.choice(self.files), rng.choice(self.archives))))
        return b"".join(spoil_bytes(rng, b"a: b\n", self.files) for _ in range(rng.randrange(30)))

    def make_proof(self, most: int) -> bytes:
        """Return a file in the form of a proof, with a few messages and a position."""
        head = b"kursk-pbem-proof: '1'\ngame: x\nconvicts: german\nclaim: dice\nmessages: [x]\n"
        parts = [*self.files[: min(most, 4)], b"state: {type: state, turn: '1'}\n"]
        return b"---\n".join([head, *parts])

    def judge(self, raw: bytes, watch: Watch) -> str:
        kinds = (self.read_other_kinds, self.read_document, self.read_message, self.read_archive)
        words = [kind(raw, watch) for kind in kinds]
        try:
            with watch.watch_step("read_draft"):
                messages.read_draft(raw, NAME)
            words.append("draft")
        except FileError as error:
            check_refusal(error, NAME)
        return ", ".join(filter(None, words)) or "refused by all"

    def read_other_kinds(self, raw: bytes, watch: Watch) -> str:
        """Read the file as a proof and as a referee's paper; return the kind, or ''."""
        found = ""
        try:
            with watch.watch_step("paper.read"):
                found = "paper" if isinstance(turns.read_turn(raw, NAME), papers.Paper) else ""
        except FileError as error:
            check_refusal(error, NAME)
        try:
            with watch.watch_step("prooffile.read"):
                if proof_file.is_proof(raw):
                    proof_file.read(raw, NAME)
                    found = "proof"
        except FileError as error:
            check_refusal(error, NAME)
        return found

    def read_document(self, raw: bytes, watch: Watch) -> str:
        """Read the file with the YAML reader, in both settings."""
        found = ""
        for kind in ("scenario", "message"):
            try:
                with watch.watch_step(f"strictyaml.read, {kind}"):
                    document = strictyaml.read(raw, NAME, kind)  # type: ignore[arg-type]
            except FileError as error:
                check_refusal(error, NAME)
                continue
            found = "YAML"
            text = "\n".join([*yaml_lines(document.data), ""])
            # No YAML reader accepts very long keys.
            keys = re.search(r"^ *(?:- )*(['\"]?)[^\n]{1000,}", text, re.MULTILINE)
            if document.data and len(text) <= LIMIT and not keys:
                with watch.watch_step("what was written is read"):
                    again = strictyaml.read(text.encode("ascii"), NAME, kind)  # type: ignore[arg-type]
                check_same(again.data, document.data, "written and read again")
            if kind == "message" and len(raw) < SMALL:
                self.compare_parsers(raw, document.data)
        return found

    def compare_parsers(self, raw: bytes, data: object) -> None:
        """Check that both parsers find equal data in a file."""
        import yaml

        kept = strictyaml.event_parser
        strictyaml.event_parser = lambda: yaml.BaseLoader  # type: ignore[assignment]
        try:
            check_same(strictyaml.read(raw, NAME).data, data, "PyYAML's own parser")
        except FileError as error:
            check_refusal(error, NAME)
        finally:
            strictyaml.event_parser = kept

    def read_message(self, raw: bytes, watch: Watch) -> str:
        try:
            with watch.watch_step("message.read"):
                found = messages.read_message(raw, NAME)
        except FileError as error:
            check_refusal(error, NAME)
            return ""
        armour = found.armour or ""
        if not armour.isascii():  # the program never saves such a message
            check_signature(found, watch)
            return "message with a strange signature"
        text = messages.emit_message(found.content, armour)
        with watch.watch_step("what was emitted is read"):
            again = messages.read_message(text.encode("ascii"), NAME)
        check_same((again.content, again.id), (found.content, found.id), "emitted and read again")
        check_same(messages.emit_message(again.content, again.armour), text, "emitted twice")
        with watch.watch_step("read_archive of what was read"):
            archived = messages.read_archive(found.signed, armour, NAME)
        check_same((archived.content, archived.id), (found.content, found.id), "the archive form")
        if found.state is not None:
            self.mail_position(found, armour)
        return "message"

    def mail_position(self, found: Message, armour: str) -> None:
        text = messages.emit_for_mail(found.content, armour, found.state)
        if re.search(r"^ *(['\"]?)[^\n:]{1000,}", text, re.MULTILINE) is None:
            again = messages.read_message(text.encode("ascii"), NAME)
            check_same(again.content, found.content, "mailed with its position")
            if again.state is not None:
                check_same(again.state, found.state, "its position")

    def read_archive(self, raw: bytes, watch: Watch) -> str:
        try:
            with watch.watch_step("parse_canonical"):
                check_same(canon(parse_canonical(raw, NAME)), raw, "canonical JSON")
            with watch.watch_step("read_archive"):
                found = messages.read_archive(raw, self.armour, NAME)
        except FileError as error:
            check_refusal(error, NAME)
            return ""
        with watch.watch_step("an archived message as it is mailed"):
            mailed = messages.read_message(messages.emit_message(found.content, self.armour).encode("ascii"), NAME)
        check_same((mailed.content, mailed.id), (found.content, found.id), "archived and mailed")
        return "archived message"


def check_signature(found: Message, watch: Watch) -> None:
    """Raise Wrong if a signature with strange characters is accepted."""
    try:
        with watch.watch_step("sshsig.verify"):
            sshsig.verify(KEY, sshsig.NAMESPACE, found.signed, found.armour or "")
    except TrustError:
        return
    raise Wrong("a signature in other letters fits")


def _read_message(raw: bytes) -> Message | None:
    try:
        return messages.read_message(raw, NAME)
    except FileError:  # a kind of message from a newer version
        return None


def check_same(one: object, two: object, what: str) -> None:
    """Raise Wrong if two values differ."""
    if one != two:
        raise Wrong(f"{what}: it differs: {ascii(one)[:300]} and {ascii(two)[:300]}")
