"""Three auditors of a folder: the program and two independent scripts.

The scripts are docs/verify_game.py, and the complete auditor second_auditor.py.
"""

import importlib.util
import re
import subprocess
from pathlib import Path
from types import SimpleNamespace

from kursk_pbem.audit import verify
from kursk_pbem.errors import FileError, TrustError
from kursk_pbem.game import folders
from kursk_pbem.trust import chains, commit, messages, papers, referee
from trust.lies import Found, Leaves

SHORT = Path(__file__).parents[2] / "docs" / "verify_game.py"
SECOND = Path(__file__).with_name("second_auditor.py")


def load(path):
    """Return a new copy of a script as a module."""
    spec = importlib.util.spec_from_file_location(path.stem, path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def load_together(*paths):
    """Return new copies of the scripts with a common cache of ssh-keygen's answers.

    The key of an answer is the command, the contents of its files, and the signed bytes.
    """
    said = {}

    def run(command, *, check=False, **more):
        words = dict(zip(command[1::2], map(Path, command[2::2]), strict=True))
        words |= {word: words[word].read_bytes() for word in ("-f", "-s") if words[word].is_file()}
        question = command[0], frozenset(words.items()), more["input"]
        if question not in said:
            said[question] = subprocess.run(command, check=check, **more)
        return said[question]

    loaded = [load(path) for path in paths]
    for script in loaded:
        script.subprocess = SimpleNamespace(run=run)
    return loaded


def said_to_be(line):
    """Return (file, fault) from the last line of a script."""
    found = re.fullmatch(r"(\S+): FAULT: ([a-z]+): .+", line)
    assert found, line
    return found[1], found[2]


def make_script_auditor(main, capsys):
    """Return a script as an auditor: a function from a folder to the fault found."""

    def judge(folder):
        capsys.readouterr()
        status = main(folder)
        lines = capsys.readouterr().out.splitlines()
        assert status == ("FAULT" in lines[-1]), lines
        return Found(*said_to_be(lines[-1])) if status else Leaves("")

    return judge


def audit_by_program(folder):
    """Return the fault that ``kursk verify`` finds in a game with available rules."""
    found = verify.verify_game(folder)
    if not found.status:
        return Leaves("")
    (name,) = {file for file in re.findall(r"[a-z0-9-]+\.json", found.text) if str(folder / file) in found.text}
    return Found(name, found.fault or {1: "rules", 2: "canonical"}[found.status])


def chain_alone(folder):
    """Return the fault that the program finds without rules: in the chain, claimed dice, or a referee's papers."""
    held = None
    for path in sorted(folder.glob("[0-9]*.json")) + sorted(folder.glob("receipt-*.json")):
        due = f"{held.next_seq if held else 0:04}.json"
        file = path.name if path.name.startswith("receipt") else due
        try:
            held = _extend_chain(held, path)
        except TrustError as error:
            return Found(file, error.fault)
        except FileError:
            return Found(file, "canonical")
    return Leaves("")


def _extend_chain(held, path):
    """Return the chain extended by a message, or unchanged after a check of a paper."""
    armour = folders.signature_path(path).read_text(encoding="ascii")
    if path.name.startswith("receipt"):
        referee.check_paper(held, papers.read_archive(path.read_bytes(), armour, path.name))
        return held
    read = messages.read_archive(path.read_bytes(), armour, path.name)
    longer = held.extend(read) if held else chains.start_chain(read)
    for label, digits in read.mapping("dice").items():
        if commit.roll_dice(longer.seed(read.seq), label, len(digits)) != digits:
            raise TrustError("dice", "another die")
    return longer
