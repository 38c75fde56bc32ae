"""The package for strangers: description, version, what to install, and its pages."""

import importlib.util
import json
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from kursk_pbem import __version__, rulesets
from kursk_pbem.cli import COMMANDS, run
from kursk_pbem.errors import EXTRAS
from kursk_pbem.rulebook import pages

ROOT = Path(__file__).resolve().parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
NAME_OF_OURS = re.compile(r"(?:pip|pipx) install (?:-[-\w]+ )*'?kursk|kursk[-_]pbem\[[a-z]")


@pytest.fixture(scope="module")
def hatch_build():
    spec = importlib.util.spec_from_file_location("hatch_build", ROOT / "tools" / "hatch_build.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def read_topic(capsys, *words):
    assert run(["help", *words]) == 0
    return capsys.readouterr().out


@pytest.mark.parametrize("home", ["", "https://example.org/kursk/"])
def test_links_of_the_description_hold_away_from_the_folder(hatch_build, home):
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    links = [link for link in re.findall(r"\]\(([^)]*)\)", text) if not link.startswith("http")]
    assert len(links) >= 4
    shown = hatch_build.adapt_links(text, home)
    left = re.findall(r"\]\(([^)]*)\)", shown)
    assert all(link.startswith("https://") for link in left)
    assert {f"https://example.org/kursk/{link}" for link in links} <= set(left) or not home
    assert "\n## Your first turn\n" in shown


def test_no_page_and_no_message_names_a_package_that_nobody_has_registered():
    files = [
        ROOT / "Makefile",
        *ROOT.glob("*.md"),
        *(ROOT / "docs").rglob("*.md"),
        *(ROOT / "kursk_pbem").rglob("*.py"),
    ]
    told = [
        f"{path.relative_to(ROOT)}: {line.strip()}"
        for path in files
        for line in path.read_text(encoding="utf-8").splitlines()
        if NAME_OF_OURS.search(line)
    ]
    assert told == []
    assert NAME_OF_OURS.search("pip install 'kursk-pbem[board]'")
    assert NAME_OF_OURS.search("$ pip install kursk-pbem")


def test_what_is_said_of_an_extra_is_what_it_brings():
    extras = PROJECT["project"]["optional-dependencies"]
    assert {extra: tuple(re.split("[<>=]", need)[0] for need in needs) for extra, needs in extras.items()} == EXTRAS


def test_every_pin_of_development_has_hashes_and_names_no_index():
    """Otherwise the server of the files decides what runs here; and not everyone uses the same index."""
    for path in sorted((ROOT / "tools" / "requirements").glob("*.txt")):
        text = path.read_text(encoding="ascii")
        pins = re.findall(
            r"^[a-z0-9.-]+==\S+(?: ; [^\\\n]+)? \\\n(?: {4}--hash=sha256:[0-9a-f]{64}(?: \\)?\n)+", text, re.MULTILINE
        )
        left = [line for line in re.sub("|".join(map(re.escape, pins)), "", text).splitlines() if line]
        assert pins, path.name
        assert [line for line in left if not line.startswith("#")] == [], path.name
    locked = json.loads((ROOT / "tools" / "js" / "package-lock.json").read_text(encoding="ascii"))["packages"]
    scripts = {name: said for name, said in locked.items() if name}
    assert all(said["integrity"].startswith("sha512-") and "resolved" not in said for said in scripts.values())
    wanted = json.loads((ROOT / "tools" / "js" / "package.json").read_text(encoding="ascii"))["devDependencies"]
    assert {name: scripts[f"node_modules/{name}"]["version"] for name in wanted} == wanted


def test_no_lower_bound_is_a_release_with_a_known_hole():
    """An installed release stays if the bound allows the release."""
    groups = (PROJECT["project"]["dependencies"], *PROJECT["project"]["optional-dependencies"].values())
    needs = [need for group in groups for need in group]
    bounds = {
        name: tuple(map(int, least.partition(",")[0].split(".")))
        for name, least in (need.split(">=") for need in needs)
    }
    safe = {"click": (8, 3, 3), "cryptography": (46, 0, 7), "flask": (3, 1, 3), "waitress": (3, 0, 1)}
    safe["distributed"] = (2026, 1, 1)
    assert all(bounds[name] >= least for name, least in safe.items())


def test_the_version_stands_once_and_the_changelog_begins_with_it():
    assert "version" in PROJECT["project"]["dynamic"]
    headings = re.findall(r"^## (.*)$", (ROOT / "CHANGELOG.md").read_text(encoding="utf-8"), re.MULTILINE)
    assert headings[0].split(" - ")[0] == __version__
    assert all(re.fullmatch(r"\d+\.\d+\.\d+ - (unreleased|\d{4}-\d\d-\d\d)", heading) for heading in headings)


def test_every_page_of_the_handbook_is_shown_section_by_section(capsys):
    assert set(pages.list_pages()) >= {"players", *(system.id for system in rulesets.every())}
    for page in pages.list_pages():
        contents = read_topic(capsys, page)
        numbered = [section for section in pages.load(page) if section.number]
        assert numbered
        for section in numbered:
            assert section.heading in contents
            shown = read_topic(capsys, page, section.number)
            assert shown.startswith(f"{section.heading}\n\n")
            typed = re.findall(r"^```[a-z]+\n(.*)$", section.text, re.MULTILINE)
            assert all(f"    {line}" in shown.splitlines() for line in typed)


def test_a_section_is_found_by_the_words_of_its_heading(capsys):
    assert read_topic(capsys, "hidden", "choices").startswith("4. Hidden choices, and answers\n")
    assert read_topic(capsys, "4") == read_topic(capsys, "players", "4")
    listed = read_topic(capsys, "orders").splitlines()
    assert "players 3. Orders in words" in listed
    assert read_topic(capsys, "tournament", "enter").startswith("Usage: kursk tournament enter ")
    assert run(["help", "xyzzy"]) == 2
    assert "No such command, page or section 'xyzzy'" in capsys.readouterr().err


def test_the_first_words_may_be_those_of_a_page_and_a_section_says_of_which_game_it_is(capsys):
    """Bug: 'armor' was the section on armor movement of another game."""
    page = read_topic(capsys, "armor-commander")
    assert page.startswith("Armor Commander by mail\n")
    assert {read_topic(capsys, *words.split()) for words in ("armor", "Armor Commander", "armor-c")} == {page}
    assert read_topic(capsys, "battle", "for", "kursk").startswith("Battle for Kursk by mail\n")
    assert read_topic(capsys, "armor", "facings").startswith("Places, facings, distances\n")
    assert read_topic(capsys, "facings").startswith("armor-commander Places, facings, distances\n")


def test_the_program_for_auditors_can_be_written_out(capsys):
    assert read_topic(capsys, "verify_game.py") == (ROOT / "docs" / "verify_game.py").read_text(encoding="utf-8")


def test_sections_fit_the_terminal_and_name_the_command_that_shows_a_page(capsys):
    shown = read_topic(capsys, "players")
    assert "`kursk help formats`" in shown
    assert "](" not in shown
    assert max(map(len, shown.splitlines())) <= 78
    assert "`kursk rule battle-for-kursk`" in read_topic(capsys, "players", "12")


def test_every_link_of_a_page_leads_to_a_file():
    listed = [*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")]
    links = [
        (path, link)
        for path in listed
        for link in re.findall(r"\]\(([^)#\s]+)", path.read_text(encoding="utf-8"))
        if "://" not in link
    ]
    assert len(links) > 90
    assert [(path.name, link) for path, link in links if not (path.parent / link).is_file()] == []


def test_the_site_lists_every_page_once():
    listed = re.findall(r"([\w/-]+\.md)$", (ROOT / "docs" / "mkdocs.yml").read_text(encoding="utf-8"), re.MULTILINE)
    folder = ROOT / "docs"
    there = {path.relative_to(folder).as_posix() for path in folder.rglob("*.md") if not path.name.startswith("0")}
    beside = {path.name for path in ROOT.glob("*.md")} - {"README.md"}
    assert sorted(listed) == sorted({*there, *beside, "commands.md", "start.md"})


def test_there_is_a_man_page_of_every_command(tmp_path):
    """In a child process, because the settings for the pages must not affect other tests."""
    code = "import hatch_build, pathlib, sys; hatch_build.man_pages(pathlib.Path('..'), pathlib.Path(sys.argv[1]))"
    subprocess.run([sys.executable, "-c", code, str(tmp_path)], cwd=ROOT / "tools", check=True)
    written = {page.name: page.read_text(encoding="utf-8") for page in tmp_path.iterdir()}
    assert {"kursk.1", "kursk-tournament-enter.1", *(f"kursk-{name}.1" for name in COMMANDS)} <= set(written)
    assert f'"{__version__}"' in written["kursk.1"]
    assert ".nf\nA game begins:   scenario, keygen, propose, accept\n" in written["kursk.1"]
    assert (
        r"kursk\-order \- Write orders in words into your draft, if the rules allow them." in written["kursk-order.1"]
    )
    for name, text in written.items():
        assert not re.search(r"^'|[\x00-\x09\x0b-\x1f]", text, re.MULTILINE), name
        assert text.count("\n.nf") - text.count("\n.fi") in (0, 1), name
