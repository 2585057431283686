"""Every text still leads to its cause after what consoles, loggers, chats and colours do to it. No new alarm either."""

from __future__ import annotations

import pytest

from gpu_assistant.troubleshoot.engine import diagnose
from gpu_assistant.troubleshoot.evidence import Evidence
from gpu_assistant.troubleshoot.rules import rule_base
from tests.troubleshoot.disguise import DISGUISES
from tests.troubleshoot.test_cases import SHARED
from tests.troubleshoot.test_negative import CASES, HARMLESS

TEXTS = [
    *(
        (case["id"], case["input"], {case["expected"]["cause"], *case["expected"]["also_acceptable"]})
        for case in SHARED
    ),
    *((case.id, case.values[0]["text"], HARMLESS | set(case.values[0].get("causes", ()))) for case in CASES),
]


@pytest.mark.parametrize("disguise", DISGUISES)
def test_a_disguise_changes_no_answer(disguise: str) -> None:
    wrong = []
    for name, text, causes in TEXTS:
        best = diagnose(Evidence(text=DISGUISES[disguise](text)), rule_base())[0]
        if best.cause not in causes:
            wrong.append((name, best.cause))
    assert wrong == []
