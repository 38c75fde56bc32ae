"""Hostile successor proposals: the program shows every undone or changed part (2.9; T34, T36)."""

from __future__ import annotations

import shutil
from dataclasses import replace
from email.message import EmailMessage

import pytest
from helpers import forging
from helpers.agreements import agreed, decline, go_on, hashed, offered, propose, send, tampered
from helpers.forging import begin, make_proposal
from helpers.signed_play import Table
from rulesets.battle_for_kursk.first_turn import CAMPAIGN, ENGAGE, OPENING, PAUSE, fought

from kursk_pbem.audit import verify
from kursk_pbem.desk.deals import begin as beginning
from kursk_pbem.desk.deals import offers, successors
from kursk_pbem.desk.draft import drafts
from kursk_pbem.errors import TrustError, UsageError
from kursk_pbem.game import entropy, folders, histories, scenarios, successor
from kursk_pbem.game import games as record
from kursk_pbem.rulesets.battle_for_kursk import RULESET
from kursk_pbem.rulesets.battle_for_kursk.resume import resume_game
from kursk_pbem.trust import keys, referee

pytestmark = pytest.mark.slow


def shown(table, path, change=None):
    """The terms that the Russian, who writes next, is shown of a proposal, changed and signed again if need be."""
    if change is not None:
        path = tampered(path, table.german.key, change)
    return offers.make_successor_offer(table.russian.desk, path, table.russian.place / "new")[1]


# Shown terms


def test_2_9_of_an_honest_proposal_nothing_changes(later):
    terms = shown(later, propose(later.german))
    assert not [line for line in terms if "CHANGE" in line.upper() or "UNDONE" in line.upper()]
    assert terms == [
        "position: as now, after message 4 (turn 1, russian to write, orders of the Russian player turn)",
        "keys: as before",
        "option uncovered: default, as before",
        "option weather: script, as before",
        "ruleset: battle-for-kursk, as before",
        "scenario: battle-for-kursk/citadel, as before",
        "the german side has proposed it, the russian side writes message 1: orders of the Russian player turn",
    ]


STRANGER = forging.make_signer("stranger").public
TOLD = {
    "keys": (lambda c: c["keys"].update(referee=STRANGER), "key of referee: CHANGES from none to SHA256:"),
    "options": (lambda c: c["options"].update(uncovered="ask"), "option uncovered: CHANGES from default to ask"),
    "names": (lambda c: c["names"].update(german="Boris"), "name of german: changes from 'Anna' to 'Boris'"),
    "no name": (lambda c: c["names"].pop("russian"), "name of russian: changes from 'Boris' to ''"),
    "note": (lambda c: c.update(note="you lose\nkeys: as before"), r"note: 'you lose\nkeys: as before'"),
    "scenario": (
        lambda c: c["scenario"].update(id="x/y", sha256="ab" * 32),
        "scenario: CHANGES from battle-for-kursk/citadel ",
    ),
    "ruleset": (lambda c: c["ruleset"].update(version="2"), "ruleset: CHANGES from battle-for-kursk 1 to battle-for-"),
    "dice-from": (lambda c: c.update({"dice-from": "referee"}), "dice-from: CHANGES from 'players' to 'referee'"),
    "a field to come": (lambda c: c.update(mix="12"), "mix: CHANGES from 'nothing' to '12'"),
}


@pytest.mark.parametrize("what", TOLD)
def test_2_9_whatever_differs_in_message_0_is_told(what, monkeypatch):
    """Also what this version would not play: the words do not rest on another check."""
    change, said = TOLD[what]
    line = begin("told").then("accept", OPENING)
    state = resume_game(line.game.setting, line.game.state)
    goes_on = {"game": line.game.chain.game, "seq": "1", "id": line.game.chain.head_id}
    new = record.begin(make_proposal("told anew", state=state, continues=goes_on))
    games = [each.game for each in line.lines]
    before = successor.describe_terms(games, new)
    content = {key: dict(value) if isinstance(value, dict) else value for key, value in new.chain.head.items()}
    change(content)
    other = replace(new, chain=replace(new.chain, head=content, keys=content["keys"]))
    after = successor.describe_terms(games, other)
    assert [line for line in after if line not in before and line.startswith(said)]
    assert ("keys: as before" in after) == (what != "keys")


def test_2_9_a_key_that_falls_away_is_told(later):
    games = histories.load(later.german.folder).games
    new = successor.read(propose(later.german))
    had = {**games[-1].chain.keys, "referee": STRANGER}
    games = (*games[:-1], replace(games[-1], chain=replace(games[-1].chain, keys=had)))
    assert f"key of referee: CHANGES from {keys.sshsig.fingerprint(STRANGER)} to none" in successor.describe_terms(
        games, new
    )


def test_T29_thousands_of_names_push_nothing_out_of_sight(later):
    """The names are invented. A long name must not begin a line."""

    def flood(content, _state):
        content["names"].update({f"x-{''.join(chr(97 + int(d)) for d in str(n))}": "\n" * 20 for n in range(3000)})
        content["names"]["german"] = "\n" * 199 + "A"

    terms = shown(later, propose(later.german), flood)
    assert len(terms) < 12
    assert all("\n" not in line and len(line) < 600 for line in terms)


def test_2_9_a_die_that_the_offer_rolls_and_the_new_game_rolls_again_is_told(tmp_path):
    """A player with bad weather offers to continue "as it stands", before his die: the only way to a second roll."""
    with entropy.fix_random_bytes("weather"):
        table = Table(tmp_path / "table", CAMPAIGN, {"weather": "die"}).begin()
        table.turn({})
        table.turn({})
        path = propose(table.german)
        checked, terms = offers.make_successor_offer(table.russian.desk, path)
        said = "dice and reveals of message 3, the offer, are UNDONE too"
        assert said in terms
        got = send(table, checked)
        assert got.message.mapping("dice").keys() == {"weather/turn-a"}
        reply, terms, _path = offers.make_acceptance(table.german.desk, path)
        assert said in terms
        assert terms[0].startswith("position: as now, after message 2")
        send(table, reply)


def test_11_3_no_weather_die_falls_where_the_new_terms_have_none():
    """The option is changed while a die is due: the position is refused, and no die falls against the option."""
    line = begin("weather", CAMPAIGN, options={"weather": "die"})
    script = RULESET.data.load(line.game.setting.scenario, {})
    die = RULESET.data.load(line.game.setting.scenario, {"weather": "die"})
    assert "a weather die is due" in resume_game(script, line.game.state)
    assert resume_game(die, line.game.state) == line.game.state
    fallen = line.then("accept").then().then(choices={"seal": {"posture/turn-a": {"posture": "pause"}}})
    for setting in (script, die):
        assert resume_game(setting, fallen.game.state).stage == "resumed"


# The side of the writer


def test_T15_who_agrees_keeps_his_side(later, kursk):
    """A proposal may name any key for either side. The command warns a player about a successor without his key."""
    keys.generate_key_pair(later.german.place / "second", entropy.random_bytes())
    public = keys.read_public(later.german.place / "second.pub")
    path = propose(later.german, keys={"russian": public})
    words = ("offer", later.russian.folder, "successor", path, "--yes")
    kursk(later.russian, *words, ends=2, told="has a new key for your side")
    keys.generate_key_pair(later.russian.place / "new", entropy.random_bytes())
    kursk(later.russian, *words, "--new-key", later.russian.place / "new", ends=2, told="has a new key for your side")
    mine = propose(later.german, keys={"russian": keys.read_public(later.russian.place / "new.pub")})
    told = "the owner of the new key plays YOUR side"
    kursk(later.russian, *words[:3], mine, "--yes", "--new-key", later.russian.place / "new", ends=0, told=told)


def test_T15_nobody_accepts_a_proposal_of_his_own_that_another_wrote(later):
    """The Russian writes both: a message 0 in the German's name with a second key of his own, and the offer of it."""
    keys.generate_key_pair(later.russian.place / "second", entropy.random_bytes())
    path = propose(later.german)

    def mine(content, _state):
        content["keys"]["german"] = keys.read_public(later.russian.place / "second.pub")

    letter = offered(later, tampered(path, later.russian.place / "second", mine))
    with pytest.raises(UsageError, match="would play your side"):
        offers.make_acceptance(later.german.desk, letter)
    decline(later)


# The proposal of the game


def test_T34_the_nonce_is_a_fresh_one(later):
    """Openings and seals are bound to the nonce. With the old nonce a player could copy a commitment."""
    nonce = later.german.desk.game.chain.nonce.hex()
    with pytest.raises(TrustError, match="needs a fresh nonce") as caught:
        shown(later, propose(later.german), lambda content, _state: content.update(nonce=nonce))
    assert caught.value.fault == "head"


CHANGES = (
    lambda c, _s: c["options"].update(uncovered="ask"),
    lambda c, _s: c["names"].update(german="Boris"),
    lambda c, _s: c["keys"].update(russian=STRANGER),
    lambda c, _s: c.update(note="more"),
    lambda c, _s: c.update(commit="ab" * 32),
    lambda c, s: s["tracks"].update(mud="1") or hashed(c, s),
)


def test_2_9_what_was_agreed_on_cannot_be_changed_afterwards(later):
    """The offer names the id of message 0, and the id covers the whole message."""
    path = propose(later.german)
    letter = agreed(later, path)
    for change in CHANGES:
        wrong = tampered(path, later.german.key, change)
        with pytest.raises((UsageError, TrustError), match=r"counts only after|never occurred|with your key"):
            beginning.accept_proposal(wrong, later.russian.key, later.russian.place, later.russian.home)
    assert beginning.accept_proposal(letter, later.russian.key, later.russian.place, later.russian.home).seq == 1


def test_T36_a_proposal_counts_for_one_offer_only(later):
    """A declined message 0 stays declined in later offers."""
    path = propose(later.german)
    letter = offered(later, path)
    decline(later)
    with pytest.raises(UsageError, match="declined in this turn already"):
        drafts.make_offer(later.russian.desk, "draw")
    later.turn({"orders": {}, "seal": {"posture/turn-2": PAUSE}})
    with pytest.raises(UsageError, match="new proposal"):
        offers.make_successor_offer(later.german.desk, path)
    with pytest.raises(UsageError, match=r"^the received proposal continues"):  # remove the copy again
        successors.keep_proposal(later.german.desk, path.read_text("ascii"))
    checked = drafts.make_offer(later.german.desk, "successor", game=successor.read(path).chain.game)
    send(later, checked)  # signed by a program without scruples
    with pytest.raises(UsageError, match="new proposal"):
        offers.make_acceptance(later.russian.desk, letter)
    send(later, offers.drafts.make_reply(later.russian.desk, "accept"))  # and accepted by another
    for player in (later.german, later.russian):
        with pytest.raises(UsageError, match="counts only after"):
            beginning.accept_proposal(letter, player.key, player.place, player.home)
    found = verify.join([verify.verify_game(each) for each in (later.german.folder, path.parent)])
    assert [each.status for each in found] == [0, 0]
    assert "a proposal only: not agreed to" in found[1].text


def test_T36_of_two_proposals_the_accepted_one_alone_is_played(later):
    first, second = propose(later.german), propose(later.german, at=1)
    agreed(later, second)
    with pytest.raises(UsageError, match="counts only after"):
        beginning.accept_proposal(first, later.russian.key, later.russian.place, later.russian.home)
    new = go_on(later, second)
    new.turn({"seal": {"posture/turn-1": ENGAGE}})
    with pytest.raises(TrustError, match="the game is over"):
        record.extend(later.german.desk.game, folders.read_message(new.german.folder / "0001.yaml"))


def test_T6_a_game_that_a_referee_has_decided_is_not_continued(later, monkeypatch):
    declared = replace(referee.NONE, forfeit=folders.read_message(later.german.folder / "0004.yaml"))
    monkeypatch.setattr(histories.receipts, "load", lambda *_words, **_more: declared)
    later.german.sit()
    with pytest.raises(UsageError, match="the game is over; offers are impossible"):
        propose(later.german)
    assert len(list(later.german.place.glob("game-*"))) == 1


def test_T12_a_proposal_continues_one_game_only(later, tmp_path):
    """The two players have another game of equal length. The agreement of the other game has no effect here."""
    with entropy.fix_random_bytes("another table"):
        second = fought(Table(tmp_path / "second").begin())
    path = propose(later.german)
    for player in (second.german, second.russian):
        with pytest.raises((TrustError, UsageError), match="does not continue"):
            offers.describe_proposal(player.desk, path)


def test_T23_message_0_of_a_successor_shows_nothing_of_a_seal(table):
    """The Russian has sealed his posture; the new game begins there, and neither seal nor value is in it."""
    table.turn(OPENING)
    table.turn({"choice": {"posture/turn-1": ENGAGE}})
    table.turn({})
    path = propose(table.german, at=1)
    text = path.read_text(encoding="ascii")
    slot = table.russian.desk.own.read_slot(1)
    (seal,) = folders.read_message(table.russian.folder / "0001.yaml").mapping("secret").values()
    for hidden in (seal, slot.seals["posture/turn-1"]["salt"], "sealed/", "posture: engage"):
        assert hidden not in text


def test_T37_who_has_lost_both_records_goes_on_when_both_are_made_anew(later, kursk):
    """The new game alone does not prove the agreement, and the player signs no first message."""
    path = propose(later.german)
    agreed(later, path)
    new = go_on(later, path)
    new.turn({"seal": {"posture/turn-2": PAUSE}})
    german, draft = new.german, new.german.draft()
    shutil.rmtree(german.home)
    draft.unlink()
    assert kursk(german, "restore", german.folder, "--key", german.key)[0] == 0
    german.sit()
    german.fill({"choice": {"posture/turn-2": ENGAGE}})
    _status, said = kursk(german, "sign", draft, "--yes", ends=2, told="was not played from this machine")
    assert "kursk restore" in said
    assert kursk(german, "restore", later.german.folder, "--key", german.key)[0] == 0
    assert kursk(german, "sign", draft, "--yes")[0] == 0


# Looking at both games


def test_2_9_another_copy_of_the_old_game_that_ends_before_the_accept_is_no_fault(later, tmp_path, kursk):
    """The folders of two players: the copy with the accept lies between two copies without it."""
    path = propose(later.german)
    agreed(later, path)
    new = go_on(later, path)
    new.turn({"seal": {"posture/turn-2": PAUSE}})
    for number, count in enumerate((6, 7, 5)):
        place = tmp_path / "copies" / f"copy {9 - number}"
        place.mkdir(parents=True)
        for seq in range(count):
            shutil.copy(later.german.folder / f"{seq:04d}.yaml", place)
    both = ("verify", new.german.folder, tmp_path / "copies")
    kursk(later.german, *both, ends=0, told="agreed to in")
    shutil.rmtree(tmp_path / "copies" / "copy 8")
    kursk(later.german, *both, ends=3, told="does not end with the acceptance")


def test_2_9_offer_and_proposal_in_one_mail(later, kursk):
    """``mail both files``: every command reads the mail."""
    path = propose(later.german)
    german, russian = later.german, later.russian
    checked, _terms = offers.make_successor_offer(russian.desk, path)
    offered_in = russian.sign(checked)
    mail = EmailMessage()
    mail["From"], mail["To"], mail["Subject"] = "boris@example.org", "anna@example.org", "an offer"
    mail.set_content("Dear Anna,\nshall we?\n")
    for each in (offered_in, path):
        mail.add_attachment(each.read_text(encoding="ascii"), filename=each.name)
    (letter := german.place / "inbox" / "offer.eml").write_bytes(mail.as_bytes())
    assert kursk(german, "inbox", "--report", letter, "--seq", "5")[0] == 0
    shutil.move(path.parent, german.place / "away")
    kursk(german, "reply", german.folder, "accept", letter, "--yes", ends=0, told="position: as now")


def test_T38_a_policy_stays_with_its_game_and_that_is_told(later, tmp_path, kursk):
    """The program does not copy private data of a game into a successor."""
    (file := tmp_path / "policy.yaml").write_text("stand-fast: never\n", encoding="ascii")
    assert kursk(later.russian, "policy", later.russian.folder, file)[0] == 0
    path = propose(later.german)
    assert not any("standing policy" in line for line in offers.describe_proposal(later.german.desk, path))
    assert any("your standing policy stays with the old game" in line for line in shown(later, path))
    agreed(later, path)
    new = go_on(later, path)
    assert "no standing policy" in kursk(new.russian, "policy", new.russian.folder)[1]


def test_T36_while_an_offer_is_open_no_other_game_is_proposed(later):
    offered(later, propose(later.german))
    with pytest.raises(UsageError, match="an offer is open already"):
        propose(later.russian, at=1)


def test_T2_the_scenario_of_another_system_is_no_head_of_a_game(later, tmp_path):
    """The position has the right hash, but belongs to other rules."""
    writer = (
        later.german if folders.read_message(later.german.folder / "0000.yaml").sender == "german" else later.russian
    )
    path = shutil.copyfile(writer.folder / "0000.yaml", tmp_path / "0000.yaml")
    other = scenarios.load("kursk-1971/july4")

    def change(content, _state):
        content["scenario"] = {"id": other.id, "sha256": other.sha256}

    wrong = folders.read_message(tampered(path, writer.key, change))
    with pytest.raises(TrustError, match="july4 is no scenario of battle-for-kursk"):
        record.begin(wrong)
