"""Practise against the program at the board: no key, no mail; the page shows the answers."""

from board.seats import Client, Stranger

CITADEL = "battle-for-kursk/citadel"


class Pupil(Stranger):
    """A person whose only game is a practice game."""

    @property
    def first(self):
        (found,) = (self.home / "practice").glob("game-*")
        return found


def wait_for(client, seq):
    """Return the page of the game when the program has written the message before ``seq``."""
    for _look in range(30):  # each look waits for the answer
        page = client.get(client.at("?came=1")).text
        if f"message {seq}" in page:
            return page
        assert "Practice, level 1 is thinking" in page
    raise AssertionError("no answer")


def test_a_stranger_practises_from_the_first_page_without_a_mail(tmp_path):
    client = Client(Pupil("", tmp_path)).enter()
    page = client.get("/").text
    assert "unequal chances" in page
    assert 'aria-label="Practise: Citadel' in page
    assert '<option value="0">a recruit</option>' in page
    assert '<option value="1" selected>level 1</option>' in page
    page = client.post("/practise", {"scenario": CITADEL, "side": "german", "level": "1"}).text
    assert "you are </span>German" in page
    wait_for(client, 2)
    said = client.signs().get_json()
    assert said["mail"] == ""
    assert "Practice, level 1 answers" in said["said"][0]
    page = wait_for(client, 4)
    assert "and mail it" not in page
    assert "practice, level 1" in client.get("/").text
    assert client.post("/practise", {"scenario": CITADEL, "side": "soviet", "level": "1"}).status_code == 400
    assert client.post("/practise", {"scenario": CITADEL, "side": "german", "level": "9"}).status_code == 400
