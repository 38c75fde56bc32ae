"""The saved position and the log of a whole game, step by step, with dice and headlines as chat."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path

from kursk_pbem.audit.vassal import module
from kursk_pbem.audit.vassal.encode import join_parts, log_step, pack_commands, say
from kursk_pbem.audit.vassal.scenes import Place, Stage, draw, make_stage
from kursk_pbem.game import disk, folders, histories, reports
from kursk_pbem.game.games import Game
from kursk_pbem.game.histories import Step
from kursk_pbem.kernel.events import Event, Moved, Placed, Removed
from kursk_pbem.report import lines
from kursk_pbem.report.pictures.svgtext import escape


def begin_game(stage: Stage, scene: Mapping[str, Place]) -> list[str]:
    """Return the VASSAL commands that put every counter on the map. Counters at one place become a stack."""
    commands, stacks = ["begin_save", ""], dict[tuple[int, int], list[str]]()
    for uid, place in sorted(scene.items()):
        made = module.describe_counter(stage, uid), module.describe_place(stage, uid, place)
        commands.append("+/" + join_parts([f"u-{uid}", *made], "/"))
        stacks.setdefault(place[:2], []).append(f"u-{uid}")
    for number, ((x, y), counters) in enumerate(stacks.items()):
        stack = join_parts(["Main", x, y, *counters, "@@0"], ";")
        commands.append("+/" + join_parts([f"s-{number}", "stack", stack], "/"))
    return [*commands, "MainBoardPicker\t" + join_parts(["Board", "0", "0"], "\t"), "end_save"]


def _move(uid: str, old: Place, new: Place) -> str:
    return "M/" + join_parts([f"u-{uid}", "Main", *new[:2], "null", "Main", *old[:2], "null", "kursk"], "/")


def _change_look(stage: Stage, uid: str, old: Place, new: Place) -> str:
    states = [module.describe_place(stage, uid, (*new[:2], place[2])) for place in (new, old)]
    return "D/" + join_parts([f"u-{uid}", *states], "/")


def list_steps(stage: Stage, steps: tuple[Step, ...]) -> Iterator[str]:
    """Yield the steps of a VASSAL log. The last step of a message makes the counter changes that no event shows."""
    now = stage.place_counters(steps[0].after.state)
    for step in steps[1:]:
        told = reports.make_headlines(step.before, step.after, step.message, step.result)
        who = f"message {step.message.seq}, {step.message.sender}, turn {step.before.state.turn}"
        yield log_step([say(f"=== {who}: {' | '.join(told)}", "!")])
        for event in step.result.events if step.result else ():
            if commands := list(_show_event(stage, event, now)):
                yield log_step(commands)
        want, commands = stage.place_counters(step.after.state), list[str]()
        for uid, place in sorted(want.items()):
            if place[:2] != now[uid][:2]:
                commands.append(_move(uid, now[uid], place))
            if place[2] != now[uid][2]:
                commands.append(_change_look(stage, uid, now[uid], place))
        now = want
        last = say(f"position after message {step.message.seq}, with the signed head {step.after.chain.head_id[:32]}")
        yield log_step([*commands, last])


def _show_event(stage: Stage, event: Event, now: dict[str, Place]) -> Iterator[str]:
    if isinstance(event, Moved | Placed | Removed) and event.unit in now:
        label = event.path[-1] if isinstance(event, Moved) else event.place
        if label in stage.middles:
            old = now[event.unit]
            now[event.unit] = new = (*stage.to_pixels(stage.middles[label]), old[2])
            if new != old:
                yield _move(event.unit, old, new)
    for entry in lines.list_entries(event, stage.ruleset.seen.words(stage.setting)):
        if entry:
            yield say(entry)


def make_module_files(stage: Stage) -> dict[str, bytes]:
    """Return the files of a scenario's VASSAL module and set-up as name -> bytes, equal for games of the scenario."""
    file, opening = stage.setting.scenario.id.replace("/", "-"), begin_game(stage, stage.place_counters(stage.opening))
    saved = pack_commands(opening, escape(module.name_module(stage)))
    return {f"{file}.vmod": module.make_module(stage), f"{file}.vsav": saved}


def make_files(history: histories.History) -> dict[str, bytes]:
    """Return the VASSAL files of a verified game as name -> bytes: module, present position, and log."""
    steps, game = tuple(history.steps), history.game
    shown = (piece for step in steps for piece in draw(game.ruleset, game.setting, step.after.state).pieces)
    plain = make_stage(game.ruleset, game.setting.scenario, shown)
    stage, name = replace(plain, setting=game.setting), escape(module.name_module(plain))
    begun, now = (begin_game(stage, stage.place_counters(step.after.state)) for step in (steps[0], steps[-1]))
    (file, made), *_set_up = make_module_files(plain).items()
    position, moves = (f"{folders.folder_name(game.chain.game)}.{ending}" for ending in ("vsav", "vlog"))
    log = pack_commands([*begun, *list_steps(stage, steps)], name)
    return {file: made, position: pack_commands(now, name), moves: log}


def export_game(folder: Path, out: Path) -> tuple[Game, dict[Path, int]]:
    """Verify a game and write its VASSAL files over earlier files. Return the game, and file -> size in bytes."""
    history = histories.load(folder)
    return history.game, write_files(make_files(history), out)


def write_files(files: Mapping[str, bytes], out: Path) -> dict[Path, int]:
    """Write files into a folder, and make the folder if it is missing. Return file -> size in bytes."""
    folders.make(out)
    for name, data in files.items():
        disk.replace(out / name, data)
    return {out / name: len(data) for name, data in files.items()}
