from __future__ import annotations

from tests.kill_test import play


def test_kills_at_random_moments_leave_no_orphan_and_no_false_environment():
    assert play(rounds=8, seed=11) == []
