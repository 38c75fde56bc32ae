"""Export of the papers as signed bytes and signatures for standard tools (docs/directors.md 10)."""

from __future__ import annotations

from pathlib import Path

from kursk_pbem.game import folders as game_folders
from kursk_pbem.tournament.papers import store
from kursk_pbem.tournament.papers.forms import NAMESPACE, Paper
from kursk_pbem.tournament.proof import verify
from kursk_pbem.trust import sshsig

_README = """\
{title}, a tournament of kursk-pbem: all its papers, for auditors.

tournament  {id}

log/NNNN.json         log paper NNNN: the bytes that were signed
papers/<16 hex>.json  a player's paper, named by its SHA-256
*.json.sig            its SSH signature, namespace {namespace}
*.json.new.sig        under a change of key: the signature of the new key
allowed_signers       the director and all keys that have signed

    ssh-keygen -Y verify -f allowed_signers -I director -n {namespace} \\
        -s log/0001.json.sig < log/0001.json
"""


def export_papers(folder: Path, out: Path) -> int:
    """Check the papers of a tournament, then write them into the folder ``out``. Return the number of files."""
    book, _open = verify.read_papers(folder)
    files: dict[str, str] = {}
    for paper in book.log:
        _add_signed(files, f"{store.LOG}/{paper.seq:04d}.json", paper, book.rules.key)
    for paper in book.papers.values():
        _add_signed(files, f"{store.PAPERS}/{paper.id[:16]}.json", paper, paper.sender)
    signers = {"director": book.rules.key}
    keys = sorted({paper.sender for paper in book.papers.values()})
    signers |= {f"key-{number}": key for number, key in enumerate(keys, 1)}
    files["allowed_signers"] = "".join(f'{who} namespaces="{NAMESPACE}" {key}\n' for who, key in signers.items())
    files["README.txt"] = _README.format(title=book.rules.title, id=book.id, namespace=NAMESPACE)
    for name in sorted(files, reverse=True):
        path = out / name
        game_folders.make(path.parent)
        game_folders.write(path, files[name])
    return len(files)


def _add_signed(files: dict[str, str], name: str, paper: Paper, key: str) -> None:
    raw = sshsig.verify(key, NAMESPACE, paper.signed, paper.armour)
    files[name] = paper.signed.decode("utf-8")
    files[f"{name}.sig"] = sshsig.armour_signature(sshsig.public_key(key), NAMESPACE, raw)
    if paper.second:
        new = sshsig.public_key(paper.text("new"))
        files[f"{name}.new.sig"] = sshsig.armour_signature(new, NAMESPACE, bytes.fromhex(paper.second))
