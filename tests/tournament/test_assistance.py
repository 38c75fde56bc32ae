"""Help by programs in the games of a tournament: the field ``assistance`` of paper 0 (directors.md 6.2)."""

import pytest
from board.seats import Client, Seat
from helpers.tourney import World, begin_two

from kursk_pbem.cli.views import boarding
from kursk_pbem.errors import UsageError
from kursk_pbem.tournament import assistance

REFUSED = "paper 0 of the tournament says 'assistance: forbidden', and the game is not over"
HINT = ("hint", "GAME")
HELP = [HINT, ("hint", "GAME", "take", "1"), ("report", "GAME", "--analysis"), ("replay", "GAME", "--analysis")]
HELP += [("play", "--from", "GAME", "--board"), ("play", "--from", "GAME/0001.yaml", "--board", "--level", "1")]


def begin(root, *rules):
    """Return a tournament of two entrants whose first game waits for message 4, with the game."""
    world = begin_two(root, "--round-robin", *rules)
    return world, world.play(world.book().boards["1-1"], 3)


@pytest.fixture(scope="module")
def forbidden(tmp_path_factory):
    return begin(tmp_path_factory.mktemp("forbidden"), "--assistance", "forbidden")


def ask(who, folder, words, status=0):
    said = who.kursk(*(word.replace("GAME", str(folder)) for word in words), status=status)
    return " ".join(said.split())


@pytest.mark.parametrize("words", HELP, ids=" ".join)
def test_a_forbidding_paper_0_refuses_help_until_the_end(forbidden, monkeypatch, words):
    """The refusal quotes the paper, and names what stays possible."""
    monkeypatch.setattr(boarding, "serve", lambda *_begun: pytest.fail("the board opens"))
    _world, game = forbidden
    who, desk = game.due()
    draft = sorted(desk.folder.iterdir())
    said = ask(who, desk.folder, words, 2)
    assert REFUSED in said
    assert "odds of declared attacks" in said
    assert sorted(desk.folder.iterdir()) == draft
    assert ask(who, desk.folder, ("odds", "GAME"))
    assert ask(who, desk.folder, ("report", "GAME"))


@pytest.mark.parametrize("path", ["hints", "replay?analysis=1", "hint", "what-if"])
def test_the_board_refuses_help_that_paper_0_forbids(forbidden, path):
    _world, game = forbidden
    who, desk = game.due()
    with who.sitting():
        client = Client(Seat(who.home, who.place)).enter()
        id_ = desk.game.chain.game
        stamp = client.get(f"/game/{id_}/stamp").get_json()["stamp"]
        where = f"/game/{id_}/{path}"
        got = client.post(where, {"number": "1", "stamp": stamp}) if path in ("hint", "what-if") else client.get(where)
    assert got.status_code == 400
    assert "assistance: forbidden" in got.get_data(as_text=True)


def test_a_game_in_the_tournaments_folder_is_refused_without_a_record(forbidden):
    """A reader has no private record; paper 0 is above the game."""
    world, game = forbidden
    world.inbox()
    reader = world.person("reader")
    folder = world.folder / "games" / next(iter(game.desks.values())).folder.name
    assert REFUSED in ask(reader, folder, ("report", "GAME", "--analysis"), 2)


def test_a_missing_or_different_paper_0_is_a_refusal_and_names_the_file(forbidden):
    """A game that names a tournament is not silently allowed, and an edited copy is another paper."""
    world, game = forbidden
    who, desk = game.due()
    path = who.tournament / "log" / "0000.yaml"
    text = path.read_text(encoding="ascii")
    try:
        path.write_text(text.replace("assistance: forbidden\n", ""), encoding="ascii")
        assert text != path.read_text(encoding="ascii")
        edited = ask(who, desk.folder, HINT, 2)
        path.unlink()
        missing = ask(who, desk.folder, HINT, 2)
    finally:
        path.write_text(text, encoding="ascii")
    for said in (edited, missing):
        assert f"paper 0 of tournament {world.book().id[:16]} is missing here" in said
        assert f"copy it to {path}".replace(" ", "") in said.replace(" ", "")


def test_help_is_possible_after_the_end(forbidden):
    """The last test of this tournament: the game ends."""
    _world, game = forbidden
    who, desk = game.due()
    with pytest.raises(UsageError, match="assistance: forbidden"):
        assistance.need_allowed(who.home, desk.game)
    game.go(3, desk.game.chain.writer(desk.seq))
    assert assistance.find_assistance(who.home, game.desks[desk.own_side].game) == assistance.ALLOWED
    assert "Where was it lost" in ask(who, desk.folder, HELP[2])


@pytest.mark.parametrize("value", ["told", ""])
def test_a_paper_0_that_wants_help_told_or_says_nothing_refuses_nothing(tmp_path, value):
    """The signed field decides, and the rules in words repeat it."""
    world, game = begin(tmp_path, *(["--assistance", value] if value else []))
    who, desk = game.due()
    assert assistance.find_assistance(who.home, desk.game) == (value or assistance.ALLOWED)
    assert ask(who, desk.folder, HINT)
    rules = ask(who, world.folder / "log" / "0000.yaml", ("tournament", "enter", "GAME", "x", "--yes"))
    assert ("help by programs in running games: told" in rules) == bool(value)


def test_the_form_of_the_rules_offers_the_field(tmp_path):
    """A director without the option finds the field in the form; other values are refused before signing."""
    world = World(tmp_path)
    spring, system = tmp_path / "spring", "juggernauts/july-1943"
    world.director.kursk("tournament", "new", spring, "--round-robin", "--system", system)
    form = spring / "rules.yaml"
    text = form.read_text(encoding="ascii")
    assert "# assistance: forbidden\n" in text
    form.write_text(text.replace("# assistance: forbidden", "assistance: never"), encoding="ascii")
    assert "assistance" in world.director.kursk("tournament", "new", spring, "--yes", status=2)
