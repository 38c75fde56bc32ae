"""The program's pages by section, for readers at the terminal."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from kursk_pbem import rulesets
from kursk_pbem.formats import data
from kursk_pbem.frozen import frozen

HANDBOOK, _CALLED = "players", "handbook"
PAGES = {
    HANDBOOK: "the player's handbook",
    "directors": "the handbook of tournaments",
    "referees": "a referee's mailbox",
    "auditors": "the protocol: signatures and proofs",
    "formats": "the files, field by field",
    "library": "for programs of others",
}
"""Page -> description. Pages of games have the names of rulesets and follow this list."""

SCRIPT = "verify_game.py"
"""The checker of exported games that works without this program."""

_PAGE = "page.md"
"""The file with the page of a package's game."""
_HEADING = re.compile(r"^(#{1,4}) +(?:([0-9]+(?:\.[0-9]+)*)\.? +)?(.*)$")
_FENCE = re.compile(r"^ *```")
_ITEM = re.compile(r"[*-] |\||[0-9]+\. ")
_RULE = re.compile(r"\|[|: -]+\|")
_PICTURE = re.compile(r"!\[[^\]]*\]\([^)]*\)")
_FILE = re.compile(r"`?(?:\.\./)?(?:docs/)?(games/|rulings/)?([a-z0-9-]+)\.md`?")
_AS_FILE = re.compile(r"^(?:docs/)?(?:games/)?|\.md$")
"""Parts of a file name beyond the page's name, as in the README."""
_SPAN = re.compile(r"`[^`]+`")
_SPAN_WIDTH = 62
_LEAST = 4
"""Minimum number of letters for the beginning of a page's name."""
_LINK = re.compile(r"\[([^\]]+)\]\([^)]*\)")


@frozen
class Section:
    """A heading of a handbook ``page``, with its text up to the next heading.

    ``level``: 1 for the title of the page. ``number``: the printed number, such as ``2.10``, or ''.
    """

    page: str
    level: int
    number: str
    title: str
    text: str

    @property
    def heading(self) -> str:
        """The heading with the number, as printed on the page."""
        return f"{self.number}{'' if '.' in self.number else '.'} {self.title}" if self.number else self.title


def list_pages() -> dict[str, str]:
    """Return the handbook's pages with descriptions, including the pages of games. A system may lack a page."""
    games = data.find_folder("docs") / "games"
    systems = [system for system in rulesets.every() if (games / f"{system.id}.md").is_file()]
    found = {system.id: f"the page of {system.title}" for system in systems}
    brought = [package for package in rulesets.list_packages() if data.find_brought(package.ruleset, _PAGE)]
    return {**PAGES, **found, **{each.ruleset: f"the page of {each.ruleset}, by {each.name}" for each in brought}}


def match_page(words: Sequence[str]) -> tuple[str, int]:
    """Return the page named by the first words, such as 'armor' or 'docs/players.md', and how many words name it."""
    for count in range(len(words), 0, -1):
        said = _AS_FILE.sub("", "-".join(words[:count]).lower())
        said = HANDBOOK if said == _CALLED else said
        fits = [page for page in list_pages() if page == said or (len(said) >= _LEAST and page.startswith(said))]
        if len(fits) == 1:
            return fits[0], count
    return "", 0


def load(page: str) -> list[Section]:
    """Return the sections of a page in order. Raises KeyError for an unknown page, KurskError if not installed."""
    if page not in list_pages():
        raise KeyError(page)
    file = data.find_folder("docs") / ("" if page in PAGES else "games") / f"{page}.md"
    file = data.find_brought(page, _PAGE) or file if rulesets.find_package(page) else file
    sections: list[Section] = []
    head, lines, fenced = ("#", "", ""), list[str](), False
    text = file.read_text(encoding="utf-8")
    for line in [*text.splitlines(), "# "]:
        fenced ^= bool(_FENCE.match(line))
        if not fenced and (heading := _HEADING.fullmatch(line)):
            sections.append(Section(page, len(head[0]), head[1], head[2], "\n".join(lines).strip()))
            head, lines = (heading[1], heading[2] or "", heading[3]), []
        else:
            lines.append(line)
    return sections[1:]


def load_script() -> str:
    """Return the text of the script ``SCRIPT``. Raises KurskError if the script is not installed."""
    return (data.find_folder("docs") / SCRIPT).read_text(encoding="utf-8")


def select_below(sections: list[Section], first: Section) -> list[Section]:
    """Return the section ``first`` together with its subsections."""
    start = sections.index(first)
    stop = next((n for n in range(start + 1, len(sections)) if sections[n].level <= first.level), len(sections))
    return sections[start:stop]


def search(words: str, page: str = "") -> list[Section]:
    """Return the sections of a page, or of all pages, that have this number or have all these words in the heading."""
    order = [page] if page else sorted(list_pages(), key=lambda name: name != HANDBOOK and name in PAGES)
    every = [section for name in order for section in load(name) if section.level > 1]
    wanted = words.lower().removesuffix(".")
    numbered = [section for section in every if section.number == wanted]
    if numbered:
        return [section for section in numbered if section.page == (page or HANDBOOK)] or numbered
    titled = [section for section in every if all(word in section.heading.lower() for word in wanted.split())]
    return titled or [section for section in every if all(word in section.text.lower() for word in wanted.split())]


def split_items(block: str) -> Iterator[str]:
    """Yield the texts of a block: one for each list item and table row, otherwise one for all its lines."""
    text = ""
    for line in block.split("\n"):
        if _ITEM.match(line):
            if text:
                yield text
            text = line
        else:
            text = f"{text} {line.strip()}" if text else line
    if text:
        yield text


def is_item(text: str) -> bool:
    """Return whether a text is a list item or a table row."""
    return bool(_ITEM.match(text))


def split_blocks(text: str) -> Iterator[tuple[str, bool]]:
    """Yield the blocks of a section as (block, whether to keep line ends, as in commands, files and reports)."""
    lines: list[str] = []
    fenced = False
    for line in [*_PICTURE.sub("", text).split("\n"), ""]:
        fence = bool(_FENCE.match(line))
        if lines and (fence or (not fenced and not line)):
            yield ("\n".join(lines), True) if fenced else (_clean_block("\n".join(lines)), False)
            lines = []
        fenced ^= fence
        if not fence and (fenced or line):
            lines.append(line)


def _clean_block(block: str) -> str:
    """Return a block without pictures, table rules, link marks and bold marks; commands keep their line."""
    block = _FILE.sub(_shown_by, _LINK.sub(r"\1", block).replace("**", ""))
    rows = [line for line in block.split("\n") if not _RULE.fullmatch(line)]
    return _SPAN.sub(_join_span, "\n".join(rows)).replace("\\|", "|")


def _join_span(span: re.Match[str]) -> str:
    """Return a command without line breaks, unless the command is very long."""
    return re.sub("[ \n]", "\u00a0", span[0]) if len(span[0]) <= _SPAN_WIDTH else span[0]


def _shown_by(file: re.Match[str]) -> str:
    folder, name = file.groups()
    if folder == "rulings/":
        return f"`kursk rule {name}`"
    return f"`kursk help {name}`" if name in list_pages() else file[0]
