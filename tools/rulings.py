"""Check the ground of every ruling, and its quotations against rulebooks. Exits 1 if a ruling has a fault.

python tools/rulings.py [RULESET...] [RULEBOOK...]    only these rulesets

The name of a rulebook file begins with the id of its ruleset, such as kursk-1971-hexwar.txt. A quotation should be in
a rulebook of its ruleset. If you give no rulebook of a ruleset, the tool does not compare the quotations.
"""

import re
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT)]

from kursk_pbem.rulebook import rulings  # noqa: E402
from kursk_pbem.rulesets import MODULES  # noqa: E402

PAGES = ROOT / "docs" / "rulings"
MAX_WORDS = 15
ELLIPSIS, MAX_GAP = " ... ", 400
"""The separator of two passages in a quotation; the maximum number of characters between the passages."""
_MARKS = str.maketrans(dict.fromkeys('"\u2018\u2019\u201a\u201c\u201d\u201e', "'"))


def find_faults(page: Path, books: Sequence[str]) -> Iterator[str]:
    """Yield the faults of the rulings of a page as ``file:line: ruling: fault``. ``books``: texts of rulebooks."""
    lines = page.read_text(encoding="utf-8").splitlines()
    plain = [_normalize_text(book) for book in books]
    for ruling in rulings.read(page).values():
        line = next(number for number, text in enumerate(lines, 1) if text.startswith(f"### {ruling.id}: "))
        found = rulings.parse_ground(ruling.text)
        for what in [found] if isinstance(found, str) else _find_misquoted(found.words, plain):
            yield f"{page}:{line}: {ruling.id}: {what}"


def _find_misquoted(quotations: Sequence[str], books: Sequence[str]) -> Iterator[str]:
    for words in quotations:
        count = len(words.replace(ELLIPSIS, " ").split())
        if count > MAX_WORDS:
            yield f"{count} words are quoted in one piece, at most {MAX_WORDS}"
        pattern = f".{{0,{MAX_GAP}}}?".join(map(re.escape, _normalize_text(words).split(ELLIPSIS)))
        if books and not any(re.search(pattern, book) for book in books):
            yield f'no rulebook holds "{words}"'


def _normalize_text(text: str) -> str:
    """Return a text on one line, with one form of quotation marks."""
    return " ".join(text.translate(_MARKS).split())


def main(words: Sequence[str]) -> int:
    """Print the faults of the requested rulesets; return the exit status."""
    asked = [word for word in words if word in MODULES]
    books: dict[str, list[str]] = {rid: [] for rid in MODULES}
    for word in words:
        rid = next((rid for rid in MODULES if Path(word).name.startswith(rid)), None)
        if rid is None or (word not in MODULES and not Path(word).is_file()):
            why = f"{word} is neither a ruleset nor a rulebook file of one; rulesets are {', '.join(MODULES)}"
            print(f"rulings: {why}", file=sys.stderr)
            return 2
        if word not in MODULES:
            books[rid].append(Path(word).read_text(encoding="utf-8"))
    wrong = [fault for rid in asked or MODULES for fault in find_faults(PAGES / f"{rid}.md", books[rid])]
    for fault in wrong:
        print(fault.removeprefix(f"{ROOT}/"))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
