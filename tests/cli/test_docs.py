"""The pages for people: examples are valid, and named commands and files exist."""

import re
import shlex
import shutil
from contextlib import suppress
from pathlib import Path

import click
import pytest
from helpers.commands import well

from kursk_pbem import errors, rulesets
from kursk_pbem.cli import COMMANDS, cli, order_words, run
from kursk_pbem.cli.groups import ListingGroup
from kursk_pbem.errors import FileError
from kursk_pbem.formats import canonical, schema, strictyaml
from kursk_pbem.game import games
from kursk_pbem.game import scenario_files as scenario
from kursk_pbem.kernel.state import OVER
from kursk_pbem.rulesets.battle_for_kursk import RULESET, sequence
from kursk_pbem.trust import messages

ROOT = Path(__file__).parents[2]
GAMES = tuple(f"docs/games/{each.id}.md" for each in rulesets.every())
PAGES = (
    "README.md",
    "CONTRIBUTING.md",
    "SECURITY.md",
    "docs/players.md",
    "docs/formats.md",
    "docs/auditors.md",
    "docs/library.md",
    "docs/referees.md",
    *GAMES,
)
DOCS = {page: (ROOT / page).read_text(encoding="utf-8") for page in PAGES}
FORMATS = DOCS["docs/formats.md"]
ENVELOPE = {"kursk-pbem": "1", "type": "turn", "seq": "2", "from": "german"}
OF_A_MESSAGE = {*messages.READING_ORDER, "signature", "state"}


def blocks(kind):
    """Yield the place and text of every fenced block of a kind. test_readme.py compares the blocks of the README."""
    found = []
    for name in ("docs/players.md", "docs/formats.md", "docs/games/battle-for-kursk.md"):
        for match in re.finditer(rf"^```{kind}\n(.*?)^```$", DOCS[name], re.MULTILINE | re.DOTALL):
            line = DOCS[name].count("\n", 0, match.start()) + 2
            found.append(pytest.param(match.group(1), id=f"{name}:{line}"))
    return found


def contains(whole, part):
    """Return whether a mapping contains all values of a shorter mapping."""
    if isinstance(part, dict):
        return isinstance(whole, dict) and all(key in whole and contains(whole[key], part[key]) for key in part)
    return whole == part


@pytest.fixture(scope="module")
def demo_messages(demo):
    """Return the content of the demonstration's messages, with positions."""
    files = sorted(demo.glob("german/game-*/[0-9][0-9][0-9][0-9].yaml"))
    return [strictyaml.read(path.read_bytes(), path.name).data for path in files]


def whose(data, document):
    """Return the shipped system of an example: the first system with orders of this form, or the default system."""
    for each in rulesets.every():
        with suppress(FileError):
            games.check_choices(data, each, document)
            return each
    return RULESET


@pytest.mark.parametrize("text", blocks("yaml"))
def test_every_example_is_strict_yaml_and_fits_its_schema(text):
    raw = text.encode("ascii")
    top = set(strictyaml.read(raw, "example", "scenario").data)
    if top <= OF_A_MESSAGE:
        document = strictyaml.read(raw, "example")
        data = document.data
        if state := data.get("state"):
            assert set(state) <= {"type", "turn", "side", "stage", "marks", "tracks", "agenda", "units"}
        schema.check({**ENVELOPE, **data}, "message", document)
        games.check_choices(data, whose(data, document), document)
        if "ruleset" in data:
            assert data["ruleset"] == {"id": RULESET.id, "version": str(RULESET.version)}
    else:
        shipped = [scenario.load(scenario.find(f"battle-for-kursk/{name}")).data for name in ("campaign", "citadel")]
        data = strictyaml.read(raw, "example", "scenario").data
        assert any(contains(part, data) for whole in shipped for part in whole.values()), "no shipped scenario has this"


def test_what_is_said_to_come_from_the_demonstration_does(demo_messages):
    """Examples with an envelope, keys or a position are quotations."""
    quoted = 0
    for each in blocks("yaml"):
        data = strictyaml.read(each.values[0].encode("ascii"), "example", "scenario").data
        if {"kursk-pbem", "keys", "state"} & set(data):
            quoted += 1
            assert any(contains(message, data) for message in demo_messages), each.id
    assert quoted >= 3


def commands():
    """Yield the page and words of every command in code spans and console blocks of the pages."""
    for path in (*ROOT.glob("*.md"), *ROOT.glob("docs/*.md"), *ROOT.glob("docs/games/*.md")):
        text = path.read_text(encoding="utf-8").replace("\\\n", "")
        shell = "\n".join(re.findall(r"^```(?:console|bash)\n(.*?)^```$", text, re.MULTILINE | re.DOTALL))
        prose = re.sub(r"^```.*?^```$", "", text, flags=re.MULTILINE | re.DOTALL)
        for span in (*re.findall(r"`([^`]+)`", prose), *shell.splitlines()):
            for said in re.findall(r"(?:^|[\s/])kursk ([a-z].*)", span.replace("\n", " ")):
                yield path.name, shlex.split(re.split(r" [|>;#&]|[\[\]]", said)[0])


def open_context(command, **given):
    """Return a context as the program makes it: a command keeps its first help option, with its names."""
    return click.Context(command, **cli.context_settings, **given)


def left_over(command, words):
    """Return the words that a command does not take. Raises click.UsageError for an unknown option."""
    if isinstance(command, click.Group):
        for at, word in enumerate(words):
            if below := command.get_command(open_context(command), word):
                return left_over(below, words[at + 1 :])
        command = command.commands["list"] if isinstance(command, ListingGroup) else command
    return command.make_parser(open_context(command)).parse_args([*words])[1]


def test_every_command_named_takes_its_words_and_options():
    """Bug: a page wrote '--referee ref.pub', but this option takes no value."""
    named = set()
    for page, (first, *words) in commands():
        order = first in order_words()
        assert first in COMMANDS or order, f"{page} names 'kursk {first}'"
        command = cli.get_command(open_context(cli), "order" if order else first)
        assert left_over(command, words) == [], f"{page}: kursk {first} {' '.join(words)}"
        named.add(first)
    assert named >= {"keygen", "propose", "accept", "inbox", "check", "sign", "verify", "status", "report", "map"}


def test_every_option_named_alone_exists():
    """An option in prose, such as `--relay`, belongs to a command."""

    def options(command):
        under = command.list_commands(open_context(command)) if isinstance(command, click.Group) else ()
        below = (options(command.get_command(open_context(command), name)) for name in under)
        return {option for param in command.params for option in param.opts}.union(*below)

    known = options(cli) | {"--help"}
    for page, text in DOCS.items():
        assert {*re.findall(r"`(--[a-z][a-z-]*)", text)} <= known, page


def test_help_names_nothing_that_the_installed_program_lacks():
    """Help text must not name a folder of the sources, the README, or an argument that the command lacks."""
    for name in COMMANDS:
        with open_context(cli) as context:
            command = cli.get_command(context, name)
            text = command.get_help(open_context(command, info_name=name))
            taken = {word for param in command.params for word in re.findall("[A-Z]+", param.make_metavar(context))}
        assert "docs/" not in text, name
        assert "README" not in text, name
        for word in ("FOLDER", "OUT"):
            explained = word in taken or isinstance(command, click.Group)  # commands of a group have the arguments
            assert explained or not re.search(rf"\b{word}\b", text), f"{name}: {word}"
    assert "(README" not in DOCS["docs/players.md"]


@pytest.mark.long
def test_every_paragraph_asked_for_is_there(capsys):
    asked = [words for _name, words in commands() if words[0] == "rule" and len(words) > 2]
    assert asked
    for words in asked:
        assert run(words) == 0
        assert words[2] in capsys.readouterr().out or words[2:] == ["rulings"]  # a list of rulings


def test_every_make_target_named_exists():
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    targets = set(re.findall(r"^([a-z]+):", makefile, re.MULTILINE))
    for page in ("README.md", "CONTRIBUTING.md"):
        named = set(re.findall(r"(?:`|^\$ )make ([a-z]+)", DOCS[page], re.MULTILINE))
        assert named >= {"test"}
        assert named <= targets
        for variable in re.findall(r"`make [a-z]+ ([A-Z]+)=", DOCS[page]):
            assert f"\n{variable} ?=" in makefile


def rows(text, heading):
    """Yield the first cells of the tables of a section, as code spans."""
    section = text.split(f"{heading}\n", 1)[1]
    section = re.split(r"^## ", section, maxsplit=1, flags=re.MULTILINE)[0]
    cells = [line.split("|")[1] for line in section.splitlines() if line.startswith("|")]
    return {word for cell in cells for word in re.findall(r"`([^`]+)`", cell)}


def test_exit_statuses_are_those_of_the_program():
    statuses = {0, *(value for name, value in vars(errors).items() if name.startswith("EXIT_"))}
    for name in ("docs/players.md", "docs/formats.md"):
        listed = re.findall(r"^\| ([0-9]+) \|", DOCS[name], re.MULTILINE)
        assert set(map(int, listed)) == statuses, name


def test_every_field_stage_and_option_is_listed():
    fields = set().union(*(required | optional for required, optional in messages.FIELDS.values()))
    turn = FORMATS.split("## 1. The turn file\n", 1)[1].split("## 2.", 1)[0]
    assert {field for field in fields if f"`{field}" not in turn and f"\n{field}:" not in turn} == set()
    page = (ROOT / "docs" / "games" / "battle-for-kursk.md").read_text(encoding="utf-8")
    written = page.split("## 2. Its files", 1)[1].split("## 3.", 1)[0]
    stages = {**sequence.STAGES, **sequence.REFEREED}
    assert {stage for stage in stages if stage != OVER and f"`{stage}`" not in written} == set()
    listed = rows(page, "## 1. A turn")
    for option, values in ((each.key, () if each.many else each.values) for each in RULESET.options):
        assert option in listed
        assert all(f"`{value}`" in page for value in values)
    reads = {field for stage in sequence.STAGES.values() for phase in stage.phases for field in phase.reads}
    keys = {field.partition("/")[2] or field for field in reads}
    assert {key for key in keys if f"`{key}`" not in written and f"{key}:" not in written} == set()


def test_limits_are_those_of_the_readers():
    for number in (canonical.MAX_BYTES, strictyaml.MAX_NODES):
        assert all(f"{number:,}".replace(",", " ") in DOCS[name] for name in ("docs/formats.md", "docs/auditors.md"))
    assert f"{canonical.MAX_DEPTH} levels deep" in FORMATS
    assert f"{strictyaml.MAX_SCALAR} characters" in FORMATS


@pytest.mark.parametrize("saved", [(1, 3, 4), (0, 2, 4)], ids=["german", "russian"])
def test_the_start_page_is_typed_at_both_seats(demo, tmp_path, capsys, monkeypatch, saved):
    """In the folder of a player who has saved mails there under the names of the page, beside the game."""
    place = shutil.copytree(demo / ("russian" if 0 in saved else "german"), tmp_path / "place")
    [game] = place.glob("game-*")
    for seq in saved:
        shutil.copy(game / f"{seq:04d}.yaml", place)
    monkeypatch.setenv("KURSK_HOME", str(place / "private"))
    monkeypatch.chdir(place)
    typed = re.findall(r"(?:^\$ |`)kursk ([^`\n]+)", (ROOT / "docs/index.md").read_text("utf-8"), re.MULTILINE)
    assert [words.split()[0] for words in typed] == ["adjudicate", "adjudicate", "verify"]
    for words in typed:
        said = well(capsys, *words.split())
    assert "verified, 8 messages" in said
    assert (place / "next" / "0005.draft.yaml").is_file()
