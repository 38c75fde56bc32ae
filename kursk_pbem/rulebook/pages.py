"""The pages that come with the program, section by section, for people who read them at the terminal."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from kursk_pbem import rulesets
from kursk_pbem.formats import data

HANDBOOK, _CALLED = "players", "handbook"
PAGES = {
    HANDBOOK: "the player's handbook",
    "directors": "the handbook of tournaments",
    "auditors": "the protocol: what is signed, what can be proved",
    "formats": "the files, field by field",
    "library": "for programs of others",
}
"""Page -> what it is. The pages of the games are named after their rulesets and stand behind these."""

SCRIPT = "verify_game.py"
"""What checks an exported game without this program."""

_HEADING = re.compile(r"^(#{1,4}) +(?:([0-9]+(?:\.[0-9]+)*)\.? +)?(.*)$")
_FENCE = re.compile(r"^ *```")
_ITEM = re.compile(r"[*-] |\||[0-9]+\. ")
_RULE = re.compile(r"\|[|: -]+\|")
_PICTURE = re.compile(r"!\[[^\]]*\]\([^)]*\)")
_FILE = re.compile(r"`?(?:\.\./)?(?:docs/)?(games/|rulings/)?([a-z0-9-]+)\.md`?")
_AS_FILE = re.compile(r"^(?:docs/)?(?:games/)?|\.md$")
"""What is more than the name of a page in that of its file, as the README has it."""
_SPAN = re.compile(r"`[^`]+`")
_SPAN_WIDTH = 62
_LEAST = 4
"""Letters that are enough for the name of a page."""
_LINK = re.compile(r"\[([^\]]+)\]\([^)]*\)")


@dataclass(frozen=True)
class Section:
    """A heading of ``page`` and what stands below it, up to the next heading.

    ``level`` is 1 for the title of the page; ``number`` as the page has it, such as ``2.10``, or nothing.
    """

    page: str
    level: int
    number: str
    title: str
    text: str

    @property
    def heading(self) -> str:
        """The heading as the page has it."""
        return f"{self.number}{'' if '.' in self.number else '.'} {self.title}" if self.number else self.title


def pages() -> dict[str, str]:
    """Return page -> what it is, with the pages of the games. A system may have no page."""
    games = data.find_folder("docs") / "games"
    systems = [system for system in rulesets.every() if (games / f"{system.id}.md").is_file()]
    return {**PAGES, **{system.id: f"the page of {system.title}" for system in systems}}


def begun(words: Sequence[str]) -> tuple[str, int]:
    """The page that the first words name or begin, and how many they are: 'armor', 'battle for', 'docs/players.md'."""
    for count in range(len(words), 0, -1):
        said = _AS_FILE.sub("", "-".join(words[:count]).lower())
        said = HANDBOOK if said == _CALLED else said
        fits = [page for page in pages() if page == said or (len(said) >= _LEAST and page.startswith(said))]
        if len(fits) == 1:
            return fits[0], count
    return "", 0


def load(page: str) -> list[Section]:
    """The sections of a page in their order. KeyError if there is no such page, KurskError if it is not installed."""
    place = "" if page in PAGES else "games/"
    if page not in pages():
        raise KeyError(page)
    sections: list[Section] = []
    head, lines, fenced = ("#", "", ""), list[str](), False
    text = (data.find_folder("docs") / f"{place}{page}.md").read_text(encoding="utf-8")
    for line in [*text.splitlines(), "# "]:
        fenced ^= bool(_FENCE.match(line))
        if not fenced and (heading := _HEADING.fullmatch(line)):
            sections.append(Section(page, len(head[0]), head[1], head[2], "\n".join(lines).strip()))
            head, lines = (heading[1], heading[2] or "", heading[3]), []
        else:
            lines.append(line)
    return sections[1:]


def program() -> str:
    """The text of SCRIPT, to be written into a file. KurskError if it is not installed."""
    return (data.find_folder("docs") / SCRIPT).read_text(encoding="utf-8")


def under(sections: list[Section], first: Section) -> list[Section]:
    """A section and those below it."""
    start = sections.index(first)
    stop = next((n for n in range(start + 1, len(sections)) if sections[n].level <= first.level), len(sections))
    return sections[start:stop]


def search(words: str, page: str = "") -> list[Section]:
    """Sections of a page, or of all, with that number, or whose headings hold all those words.

    Where no heading does, sections whose text does. What is for players comes first: the handbook, then the games.
    """
    order = [page] if page else sorted(pages(), key=lambda name: name != HANDBOOK and name in PAGES)
    every = [section for name in order for section in load(name) if section.level > 1]
    wanted = words.lower().removesuffix(".")
    numbered = [section for section in every if section.number == wanted]
    if numbered:
        return [section for section in numbered if section.page == (page or HANDBOOK)] or numbered
    titled = [section for section in every if all(word in section.heading.lower() for word in wanted.split())]
    return titled or [section for section in every if all(word in section.text.lower() for word in wanted.split())]


def items(block: str) -> Iterator[str]:
    """A block of a page: its lines as one text, but each item of a list and each row of a table by itself."""
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
    """Whether a text is an item of a list or a row of a table."""
    return bool(_ITEM.match(text))


def blocks(text: str) -> Iterator[tuple[str, bool]]:
    """The blocks of a section, each a text and whether its lines stand as they are: what is typed, files, reports."""
    lines: list[str] = []
    fenced = False
    for line in [*_PICTURE.sub("", text).split("\n"), ""]:
        fence = bool(_FENCE.match(line))
        if lines and (fence or (not fenced and not line)):
            yield ("\n".join(lines), True) if fenced else (_plain("\n".join(lines)), False)
            lines = []
        fenced ^= fence
        if not fence and (fenced or line):
            lines.append(line)


def _plain(block: str) -> str:
    """A block without pictures, rules of tables, and the signs of links and bold words; no line ends in a command.

    A page that is named becomes the command that shows it.
    """
    block = _FILE.sub(_shown_by, _LINK.sub(r"\1", block).replace("**", ""))
    rows = [line for line in block.split("\n") if not _RULE.fullmatch(line)]
    return _SPAN.sub(_unbroken, "\n".join(rows)).replace("\\|", "|")


def _unbroken(span: re.Match[str]) -> str:
    """What is typed, with no line end in it; what is longer than most of a line may be broken."""
    return re.sub("[ \n]", "\u00a0", span[0]) if len(span[0]) <= _SPAN_WIDTH else span[0]


def _shown_by(file: re.Match[str]) -> str:
    folder, name = file.groups()
    if folder == "rulings/":
        return f"`kursk rule {name}`"
    return f"`kursk help {name}`" if name in pages() else file[0]
