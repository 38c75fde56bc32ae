"""The tools of ``kursk mcp``, called by the client of the official SDK."""

import asyncio
import inspect
import os
import random
import subprocess
import sys
from contextlib import AsyncExitStack

import pytest
from helpers import registry
from helpers.signed_play import Table
from helpers.tourney import World
from mcp.client import Client
from mcp.client.stdio import StdioServerParameters, stdio_client

from agents import assistants
from agents.assistants import MARK, Script, ask, ask_all, connect, find_battles, rename, walk
from kursk_pbem.agents import server
from kursk_pbem.agents.assistant import BINDS, HELPED, NO_SIGN, OTHER, require_open_key
from kursk_pbem.agents.foreign import finish_result, make_labels, refuse_call
from kursk_pbem.audit import verify
from kursk_pbem.desk.draft import drafts
from kursk_pbem.desk.own import desks
from kursk_pbem.errors import UsageError

KITS = [pytest.param(kit, id=kit.id) for kit in reversed([*registry.kits()])]  # the fastest system first
MOST = 300
pytestmark = pytest.mark.usefixtures("sooner")


async def play_game(table, may_sign):
    """Play a game by a script for each side; the owners take the mails. Return the last answer of ``sign``."""
    game = table.game.chain.game
    async with AsyncExitStack() as stack:
        scripts = {}
        for side, player in table.players.items():
            scripts[side] = Script(await stack.enter_async_context(connect(player, may_sign)), game, seed=side)
        while not table.game.over and table.game.chain.next_seq < MOST:
            writer = table.due
            signed = await scripts[writer.side].play_message()
            if not signed["signed"]:
                return signed
            letter = table.mail(writer.sit().newest, table.other(writer.side))
            table.players[table.other(writer.side)].take(letter)
    return signed


@pytest.mark.some(4)
@pytest.mark.parametrize("kit", KITS)
def test_a_script_plays_a_whole_game_that_verifies(kit, tmp_path):
    table = assistants.begin_table(tmp_path, kit)
    asyncio.run(play_game(table, table.game.chain.game))
    assert table.game.over
    for player in table.players.values():
        assert verify.verify_game(player.folder, table.game.chain.head_id).status == 0


@pytest.mark.some(4)
@pytest.mark.parametrize("kit", KITS)
def test_without_the_owners_word_nothing_is_signed(kit, tmp_path):
    table = assistants.begin_table(tmp_path, kit)
    writer, before = table.due, [read_journal(player.home) for player in table.players.values()]
    signed = asyncio.run(play_game(table, ""))
    assert signed["why"] == NO_SIGN
    assert len(signed["digest"]) == 64
    assert signed["command"] == f"kursk sign {table.game.chain.game[:8]}"
    assert [read_journal(player.home) for player in table.players.values()] == before
    assert writer.draft().exists()


def read_journal(home):
    """Return the bytes of the journal in a private folder, without drafts and the memory of verified messages."""
    paths = [path for path in sorted((home / "games").glob("*/*")) if path.is_file() and path.name != "verified"]
    assert len(paths) > 1
    return {path: path.read_bytes() for path in paths}


@pytest.mark.parametrize(
    ("kit", "much"),
    [(KITS[0].values[0], 2), *(pytest.param(kit.values[0], 15, marks=pytest.mark.long("test-all")) for kit in KITS)],
)
def test_words_of_strangers_are_in_fields_of_their_own(kit, much, tmp_path, monkeypatch):
    """Injections: names, talk, names of battles, a title, quoted orders; 20 and more in the long cases."""
    title, names = kit.ruleset.title, {side: f"{MARK} name {side}" for side in kit.sides}
    monkeypatch.setattr(registry.Kit, "names", property(lambda _kit: names))
    object.__setattr__(kit.ruleset, "title", f"{MARK} title")
    try:
        planted, seen = plant_words(Table(tmp_path / "game", kit.scenarios[0]).begin(), kit, much)
    finally:
        object.__setattr__(kit.ruleset, "title", title)
    assert len(planted) >= much  # five more are the names, the title and the typed words
    assert planted <= seen
    assert all(any(name in text for text in seen) for name in names.values())


def plant_words(table, kit, much):
    """Play until ``much`` words are planted, talk and names of battles; return them and all answers' foreign words."""
    mind, game = kit.chooser(table.game.setting, random.Random(3)), table.game.chain.game
    planted, seen = set(), set()
    while len(planted) < much:
        writer = table.due
        content = writer.choose(mind)
        talk = f"{MARK} talk {writer.desk.seq}: {'very ' * 120}long"
        labels = [f"{MARK.lower()}-label-{writer.desk.seq}-{n}" for n in range(len(find_battles(content)))]
        table.turn({**rename(content, dict(zip(find_battles(content), labels, strict=True))), "note": talk})
        planted |= {*labels, talk[:500]}
        for tool, answer in ask_all(table.players[table.other(writer.side)], game):  # the sides write in turn
            for text, foreign in walk(answer):
                assert foreign or MARK.lower() not in text.lower(), (tool, text)
                if foreign and MARK.lower() in text.lower():
                    assert len(text) <= 500, (tool, text)
                    assert text.isprintable(), (tool, text)
                    seen.add(text)
    return planted, seen


def test_a_battle_named_like_a_word_of_ours_breaks_no_answer():
    """An opponent may name battles 'word', 'legal' and 'german'; a script still finds its keys."""
    labels = make_labels([{"battles": [{"id": name} for name in ("word", "legal", "german", "label-2")]}], [], {})
    told = {"legal": True, "form": [{"word": "german", "among": [["word", "x"]]}], "position": {"agenda": {"word": 1}}}
    hidden = finish_result(told, labels)
    assert hidden["legal"]
    assert hidden["form"] == [{"word": "label-3", "among": [["label-1", "x"]]}]
    assert hidden["position"] == {"agenda": {"label-1": 1}}
    assert hidden["foreign"] == {"label-1": "word", "label-3": "german"}
    assert labels.restore("answer label-4 label-1, note x-label-1") == "answer label-2 word, note x-label-1"


def test_a_refusal_names_no_path():
    error = UsageError(r"/home/anna/.kursk/0003.yaml has changed, C:\Users\a.yaml too; 2:1 and/or orders/battles stay")
    why = "(a path) has changed, (a path) too; 2:1 and/or orders/battles stay"
    assert refuse_call(error)["foreign"]["why"] == why


@pytest.fixture(scope="module", params=["forbidden", "told"])
def tournament_game(request, tmp_path_factory):
    """Return a person, the desk of a due message, and the rule of the game's tournament."""
    world = World(tmp_path_factory.mktemp(request.param))
    world.new("--round-robin", "--system", "battle-for-kursk/citadel", "--assistance", request.param)
    world.enter(["anna", "boris"])
    world.begin()
    game = world.play(world.book().boards["1-1"], 3)
    side = game.desks["german"].game.chain.writer(game.desks["german"].seq)
    who, desk = game.people[side], game.desks[side]
    who.folder, who.sit = desk.folder, lambda: desk
    return who, desk.game.chain.game, request.param


def test_a_tournament_decides_about_the_help(tournament_game):
    """Forbidden: all tools but the report are refused. Told: a line in the signed note, also after another note."""
    who, game, rule = tournament_game
    for tool, answer in ask_all(who, game):
        refused = "assistance: forbidden" in str(answer.get("foreign"))
        assert refused == (rule == "forbidden" and tool not in ("games", "report")), (tool, answer)
    paper = who.tournament / "log" / "0000.yaml"
    away = paper.rename(paper.with_name("away"))
    told = dict(reversed(ask_all(who, game)))  # the first answer of each tool
    assert all("paper 0 of tournament" in str(told[tool]["foreign"]) for tool in told.keys() - {"games", "report"})
    assert "refused" not in told["report"]
    away.rename(paper)
    if rule == "told":
        assert f"note {HELPED} Good luck" in ask(who, "order", game=game, orders=["note Good luck"])["orders"]
        assert f"{HELPED} Good luck" in (who.folder / f"{who.sit().seq:04}.draft.yaml").read_text(encoding="ascii")
        digest = ask(who, "check", game=game)["digest"]
        assert ask(who, "sign", game, game=game, digest=digest)["signed"]
        assert desks.open_desk(who.folder, who.home).last.content["note"] == f"{HELPED} Good luck"


def test_no_tool_takes_a_path_a_key_or_an_address():
    taken = {name: [*inspect.signature(tool).parameters][1:] for name, tool in server.TOOLS.items()}
    assert {word for words in taken.values() for word in words} == {
        *("game", "around", "word", "choice", "orders", "paragraph", "message", "digest")
    }


@pytest.mark.parametrize("kind", ["draw", "resign"])
def test_an_offer_and_a_resignation_are_the_owners(tmp_path, kind):
    """A hostile opponent offers a draw; the assistant with leave to sign answers nothing."""
    table = assistants.begin_table(tmp_path, registry.kit(), until=4)
    game = table.game.chain.game
    if kind == "draw":
        table.send(drafts.make_offer(table.due.desk, "draw"))
    else:
        path = table.due.draft()
        ask(table.due, "check", game=game)
        head = path.read_text(encoding="utf-8").replace("type: turn", "type: resign").partition("\n\n")[0]
        path.write_text(f"{head}\n", encoding="utf-8")
    before = read_journal(table.due.home)
    for tool, more in (("order", {"orders": ["note yes"]}), ("check", {}), ("sign", {"digest": ""})):
        answer = ask(table.due, tool, game, game=game, **more)
        digest = answer.get("digest", "")
    assert "refused" in answer or answer["signed"] is False
    answer = ask(table.due, "sign", game, game=game, digest=digest)
    assert "refused" in answer or answer["signed"] is False
    assert read_journal(table.due.home) == before


def test_a_changed_draft_is_not_signed_with_an_old_digest(tmp_path):
    table = assistants.begin_table(tmp_path, registry.kit())
    game, before = table.game.chain.game, table.game.chain.next_seq
    digest = ask(table.due, "check", game=game)["digest"]
    ask(table.due, "order", game=game, orders=["note changed meanwhile"])
    answer = ask(table.due, "sign", game, game=game, digest=digest)
    assert (answer["signed"], answer["why"]) == (False, OTHER)
    assert table.due.sit().seq == before
    assert ask(table.due, "sign", game, game=game, digest=answer["digest"])["signed"]


def test_the_messages_that_bind_are_the_owners(tmp_path):
    table = assistants.begin_table(tmp_path, registry.kit(), until=1)
    game = table.game.chain.game
    digest = ask(table.due, "check", game=game)["digest"]
    answer = ask(table.due, "sign", game, game=game, digest=digest)
    assert (answer["signed"], answer["why"]) == (False, BINDS.format(1))


def test_a_game_is_named_by_its_id_alone(tmp_path):
    player = assistants.begin_table(tmp_path, registry.kit()).due
    for game in ("", "abc", "..", "/", "g" * 8, "0" * 8, str(player.folder)):
        assert "8 or more digits" in ask(player, "position", game=game)["foreign"]["why"]


def test_the_command_serves_its_tools(tmp_path):
    """The program of a host starts ``kursk mcp`` and speaks to it."""
    table = assistants.begin_table(tmp_path, registry.kit())
    player, game = table.due, table.game.chain.game

    async def call(*options):
        environment = {**os.environ, "KURSK_HOME": str(player.home)}
        words = ["-P", "-m", "kursk_pbem", "mcp", *options]
        started = StdioServerParameters(command=sys.executable, args=words, env=environment)
        async with Client(stdio_client(started)) as client:
            return (await client.call_tool("sign", {"game": game, "digest": digest})).structured_content

    digest = ask(player, "check", game=game)["digest"]
    assert asyncio.run(call("--may-sign", game[:8]))["signed"]


def test_a_key_with_a_passphrase_needs_an_agent(tmp_path):
    """The command has no terminal to ask for the passphrase."""
    player = assistants.begin_table(tmp_path, registry.kit()).due
    subprocess.run(["ssh-keygen", "-q", "-p", "-N", "secret", "-P", "", "-f", str(player.key)], check=True)
    with pytest.raises(UsageError, match="passphrase"):
        require_open_key(player.sit())
