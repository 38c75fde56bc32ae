"""The commands of three players in a game with a relaying referee: every command that works on a game."""

import shlex

EVENING = """
anna: keygen me
boris: keygen me
ruth: keygen me
anna: propose citadel --yes --as german --opponent ../boris/me.pub --relay ../ruth/me.pub --opponent-name Boris
ruth: referee receipt mail-0000.yaml --days 7
boris: accept mail-0000.yaml
boris: status
boris: order
boris: order posture engage
boris: setup draft --force
boris: sign --yes
ruth: referee receipt mail-0001.yaml --days 7
ruth: referee extend GAME --days 3 --yes
anna: inbox --report mail-0001.yaml
anna: inbox --report receipt-0000.yaml
anna: status
anna: status boris
anna: status boris/1
anna: moves
anna: moves --to 2215
anna: moves 24 pz --to 2215
anna: order attack 2011 41 pz 46 pz 47 pz
anna: odds
anna: hint
anna: odds --plan "take 2011 and lose at most 0 steps"
anna: check
anna: check --plan "hold 2113"
anna: order undo
anna: policy
anna: prepare
anna: setup pass no
anna: save everything.zip
anna: open everything.zip --yes
anna: order posture engage
anna: sign --yes
ruth: referee receipt mail-0002.yaml --days 7
boris: inbox mail-0002.yaml
boris: offer draw --yes
anna: inbox --report mail-0003.yaml
anna: reply decline --yes
anna: report
anna: report --analysis
anna: report --turn 1
anna: map
anna: map --svg -o map.svg
anna: replay
anna: picture -o turn.png
anna: study new -o it.study --yes
anna: study comment it.study 0 Hello --yes
anna: study branch it.study TRIAL --yes
anna: lab citadel --games 1 -o lab.md
anna: tables
anna: tables --track
anna: ruleset list
anna: scenario list
anna: scenario citadel --data
anna: scenario --vassal citadel -o vassal
anna: scenario copy citadel mine --set-up vassal/battle-for-kursk-citadel.vsav
anna: scenario check battle-for-kursk/mine
anna: rule K-54
anna: rule battle-for-kursk 9 --code
anna: people
anna: people card anna@example.org --yes
anna: people add Boris boris@example.org
anna: outbox
anna: outbox --eml letters
anna: outbox --link
anna: invite citadel
anna: invite
boris: inbox ../anna/letters
anna: outbox --sent all
anna: people forget Boris
anna: verify
anna: adjudicate GAME
anna: export -o archive
anna: export --vassal -o vassal
anna: export --battles -o battles.csv
anna: restore GAME mail-0001.yaml
anna=1: prove GAME
boris: resign --yes
ruth+11: referee forfeit GAME --yes
ruth+11: prove GAME
"""
"""GAME is the folder of the game, TRIAL the id of a what-if game after message 1, mail-0000.yaml a received mail.

``=1``: the exit status if not 0. ``+11``: typed 11 days later."""
PEOPLE = ("anna", "boris", "ruth")


def read_lines(text):
    """Yield who types a line, its words, the exit status, and the days since the evening."""
    for line in filter(None, text.splitlines()):
        who, _colon, typed = line.partition(": ")
        who, _equals, status = who.partition("=")
        who, _plus, days = who.partition("+")
        yield who, shlex.split(typed), int(status or 0), int(days or 0)


def carry_files(root):
    """Save the messages of each player at all players as mails, and the first receipt at Anna's."""
    for name in PEOPLE:
        for signed in root.glob(f"{name}/game-*/[0-9][0-9][0-9][0-9].yaml"):
            for reader in PEOPLE:
                (root / reader / f"mail-{signed.name}").write_bytes(signed.read_bytes())
    for paper in root.glob("ruth/game-*/receipt-0000.yaml"):
        (root / "anna" / paper.name).write_bytes(paper.read_bytes())
