"""The rules in words, the log in words with its corrections in place, and how anybody verifies all of it."""

from __future__ import annotations

from collections.abc import Iterator

from kursk_pbem.formats import times
from kursk_pbem.tournament import summary
from kursk_pbem.tournament.papers.forms import Paper
from kursk_pbem.tournament.site import html, layout, view, words
from kursk_pbem.tournament.site.html import Column, Html
from kursk_pbem.tournament.site.view import View
from kursk_pbem.trust import sshsig


def rules(shown: View) -> str:
    """Paper 0 in words."""
    said = shown.book.rules
    lead = html.items(html.text(word) for word in summary.in_words(said)[1:])
    systems = html.table(
        "What is played",
        [
            Column("#", "number"),
            Column("Scenario"),
            Column("Sides"),
            Column("Adjudication", "number more"),
            Column("Options"),
        ],
        (
            [
                html.text(place),
                html.text(system.scenario),
                html.text(" and ".join(system.sides)),
                html.text(system.version),
                html.text(", ".join(f"{name} {value}" for name, value in system.options.items()) or "usual"),
            ]
            for place, system in enumerate(said.systems, 1)
        ),
        named=1,
    )
    awards = html.table(
        "Points",
        [Column("For"), Column("Winner", "number"), Column("Loser", "number")],
        ([html.text(name), *(html.text(point) for point in points)] for name, points in said.award.items()),
    )
    paper = said.paper
    whole = html.pairs(
        [
            ("Tournament", _hash(paper.id)),
            ("Signed", html.text(times.said(paper.text("time")))),
            ("Director's key", _hash(sshsig.fingerprint(said.key))),
        ]
    )
    never = html.tag(
        "p", html.text("These rules are log paper 0. They never change: their hash is the tournament's name.")
    )
    return layout.page(shown, layout.RULES, "Rules", never, lead, systems, awards, whole)


def _hash(words_: str) -> Html:
    return html.tag("span", html.text(words_), class_="hash")


def decisions(shown: View) -> str:
    """Every paper of the log, the oldest first, with what corrects it."""
    corrected = view.corrections(shown.book)
    entries = [_decision(shown, paper, corrected.get(paper.seq, [])) for paper in shown.book.log]
    lead = "Everything that the director has signed, in order. What is corrected stays, and says by what."
    return layout.page(
        shown,
        layout.DECISIONS,
        "Decisions",
        html.tag("p", html.text(lead)),
        html.tag("ol", html.lines(entries), class_="log"),
    )


def _decision(shown: View, paper: Paper, by: list[int]) -> Html:
    said = html.text(words.said(shown, paper))
    if to := words.page_of(paper):
        said = html.link(to, said) if not to.startswith(layout.DECISIONS) else said
    links = [html.link(f"#p{seq}", html.text(f"log paper {seq}")) for seq in by]
    more = html.join([html.text(" Corrected by "), html.join(links, ", "), html.text(".")]) if by else html.NOTHING
    time = html.tag("span", html.text(times.said(paper.text("time"))), class_="note")
    return html.tag("li", html.text(paper.seq), time, html.tag("span", said, more), id=f"p{paper.seq}")


def verify(shown: View) -> str:
    """How anybody checks that nothing here was made up."""
    return layout.page(shown, layout.VERIFY, "Verify it yourself", *_verify(shown))


_STEPS = (
    "unzip archive.zip -d tournament",
    "kursk tournament verify tournament",
    "kursk tournament publish tournament -o pages",
)


def _verify(shown: View) -> Iterator[Html]:
    head = shown.book.head
    yield html.tag(
        "p",
        html.text("Nothing on these pages has to be believed. Draws, pairings, results and standings follow from "),
        html.text("files that the director and the players have signed, and your own machine computes them again:"),
    )
    yield html.tag("pre", html.lines(map(html.text, _STEPS)), tabindex="0")
    yield html.tag(
        "p",
        html.link(layout.ARCHIVE, html.text("archive.zip")),
        html.text(" holds every paper, and every game that may be shown by now. While games are hidden until their "),
        html.text("round is over, 'verify' ends with status 1 and names them."),
    )
    yield html.pairs(
        [
            ("Tournament", _hash(shown.book.id)),
            ("Newest log paper", html.text(f"{head.seq}, {times.said(head.text('time'))}")),
            ("Its hash", _hash(head.id)),
            ("Table", _hash(shown.table.sha256)),
        ]
    )
    yield html.tag(
        "p",
        html.text("Compare the hash of the newest log paper with other entrants: if somebody has another paper under "),
        html.text("the same number, 'kursk tournament prove' convicts the director."),
    )
