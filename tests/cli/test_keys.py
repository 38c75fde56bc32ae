"""Keys of a turn in the shell: at most three quarters of the earlier number; a slip costs 25 keys and leaves no
trace."""

import pytest
from helpers import sweeps

from cli.turns import TURNS, Played

BEFORE = {"battle-for-kursk": 463, "kursk-1971": 377, "juggernauts": 528, "armor-commander": 132}
"""Keys of the turns typed by strangers without a slip, when every order needed 'kursk order'."""
SLIP = 25


@pytest.fixture(scope="module", params=sweeps.some(reversed(TURNS), 4))  # the shortest turn first
def played(request, tmp_path_factory):
    """Return the name of a system, and its turn typed at the command line and in the shell, with slips and without."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("KURSK_HOME", "")
        turn = TURNS[request.param]
        ways = {
            (shell, slips): Played(turn, tmp_path_factory.mktemp("keys"), shell=shell, slips=slips)
            for shell, slips in ((False, False), (True, False), (True, True))
        }
    return request.param, ways


@pytest.mark.long
def test_a_clean_turn_costs_at_most_three_quarters_of_what_it_did(played):
    system, ways = played
    print(f"{system}: {ways[False, False].keys} keys, before {BEFORE[system]}")
    assert 4 * ways[False, False].keys <= 3 * BEFORE[system]


def test_in_the_shell_it_costs_at_most_half(played):
    system, ways = played
    print(f"{system}: {ways[True, False].keys} keys in the shell, before {BEFORE[system]}")
    assert 2 * ways[True, False].keys <= BEFORE[system]


def test_a_slip_costs_little_and_leaves_no_trace(played):
    """``Played`` checks after each slip that the draft is unchanged, byte for byte."""
    system, ways = played
    costs = ways[True, True].costs
    print(f"{system}: {sum(costs)} keys for {len(costs)} slips, {max(costs)} at most")
    assert len(costs) == 10
    assert max(costs) <= SLIP
    assert ways[True, True].chosen == ways[True, False].chosen == ways[False, False].chosen
