"""policy: a player's standing orders for defenders."""

from __future__ import annotations

from pathlib import Path

from kursk_pbem.cli import cli
from kursk_pbem.cli.common import desk_at, note, read_input, said_options, say
from kursk_pbem.cli.games import game_and_more, only_word
from kursk_pbem.desk.draft import defaults, policies
from kursk_pbem.desk.own import missing
from kursk_pbem.errors import UsageError
from kursk_pbem.report import draft


@cli.command()
@game_and_more("[GAME] [FILE]", name="folder", most=1, files=True)
@said_options
def policy_command(folder: Path, more: tuple[str, ...], quiet: bool) -> None:
    """Show the standing policy of GAME, or read a policy from FILE (- for standard input).

    The standing policy says what your defenders do. FILE has the form of 'policy:' in the draft of an answer. The
    program writes the policy into every answer with a use for the policy; before, only your private folder has the
    policy. If a referee rolls the dice, the program writes the policy into all your messages with a choice, and your
    opponent reads the policy.
    """
    desk, file = desk_at(folder), only_word(more)
    if desk.own is None:
        raise missing.make_no_record_error(desk.folder)
    ruleset = desk.game.ruleset
    stages = ruleset.play.stages(desk.game.setting).values()
    if not any("policy" in phase.reads for stage in stages for phase in stage.phases):
        raise UsageError(f"defenders have no choices in {ruleset.title}, so a standing policy has no use")
    if file:
        raw, name, _near = read_input(Path(file))
        written = policies.store_policy(desk.own, desk.game, raw, name)
        held = policies.load_policy(desk.own, desk.game.ruleset)
        say(f"wrote {written}", quiet=quiet, game=desk.game.chain.game, policy=held, wrote=[written])
        if lies := defaults.find_answer_draft(desk):
            say(
                f"the draft {lies} is older than the policy, but stays; 'kursk setup draft --force' writes a new draft",
                quiet=quiet,
            )
        return
    held = policies.load_policy(desk.own, desk.game.ruleset)
    told = draft.render(held, (), ()).rstrip() if held else "no standing policy: the umpire's defaults hold"
    note(game=desk.game.chain.game, policy=held or None, wrote=[])
    say(told)
