"""Draw the picture of the first page: ``python tools/battle.py``. Play the demonstration up to its first battles."""

from __future__ import annotations

import re
import tempfile
from pathlib import Path

from kursk_pbem.demo import script
from kursk_pbem.desk.draft import ordering
from kursk_pbem.desk.seat import bothsides, scene
from kursk_pbem.desk.seat.room import Room
from kursk_pbem.report import trails
from kursk_pbem.report.pictures import svg, svgstyle

OUT = Path(__file__).resolve().parent.parent / "kursk_pbem" / "board" / "static" / "battle.svg"
FRAME = (21_800, 15_000, 18_000, 14_400)
"""Left, top, width and height of the Kursk bulge, in map units."""
UNUSED = re.compile(r"<title>.*?</title>| data-[a-z]+=\"[^\"]*\"|<g class=\"numbers\">.*?</g>", re.DOTALL)


def main() -> None:
    """Write the picture into the package."""
    chosen = script.load_script(script.FIRST)
    with tempfile.TemporaryDirectory() as folder:
        room = Room(Path(folder), Path(folder))
        game = bothsides.start_practice(room, chosen.scenario)
        script.play_messages(lambda: room.desk(game), chosen, 1)
        desk = room.desk(game)
        ordering.open_draft(desk)
        script.fill(chosen, desk)
        shown = scene.open_scene(room, game)
        arrows = [*trails.list_arrows(shown.ground, shown.words, shown.declared)]
        bursts = [*trails.list_bursts(shown.ground, shown.declared)]
    drawn = svg.render(svg.crop_picture(shown.picture, FRAME), shown.sides, arrows=arrows, bursts=bursts, styled=False)
    drawn = re.sub('viewBox="[^"]*"', 'viewBox="{} {} {} {}"'.format(*FRAME), UNUSED.sub("", drawn), count=1)
    style = f"<style>{svgstyle.CSS}{svgstyle.PAGE}.kursk-map{{color-scheme:light dark}}</style>"
    OUT.write_text(drawn.replace("\n", f"\n{style}", 1), encoding="utf-8")


if __name__ == "__main__":
    main()
