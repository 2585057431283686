from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gpu_assistant.base.message import message
from gpu_assistant.base.resources import BadData
from gpu_assistant.base.texts import (
    LANGUAGES,
    Sentence,
    Texts,
    format_bytes,
    format_duration,
    load_texts,
    placeholders,
    texts,
)

STEPS = Sentence(
    en={"one": "{count} step left", "other": "{count} steps left"},
    ru={"one": "остался {count} шаг", "few": "осталось {count} шага", "many": "осталось {count} шагов"},
)


def test_every_sentence_of_the_program_is_complete_in_both_languages():
    assert texts().ids()


@pytest.mark.parametrize(
    ("count", "said"),
    [
        (1, "остался 1 шаг"),
        (3, "осталось 3 шага"),
        (11, "осталось 11 шагов"),
        (21, "остался 21 шаг"),
        (112, "осталось 112 шагов"),
    ],
)
def test_russian_counts(count, said):
    assert Texts({"steps": STEPS}).say(message("steps", count=count), "ru") == said


def test_a_message_inside_a_message_is_said_in_the_same_language():
    table = Texts(
        {"outer": Sentence(en="Because {why}.", ru="Потому что {why}."), "why": Sentence(en="rain", ru="дождь")}
    )
    assert table.say(message("outer", why=message("why")), "ru") == "Потому что дождь."


def test_sizes_and_times_speak_the_language():
    table = Texts({"x": Sentence(en="{size:bytes} in {time:duration}", ru="{size:bytes} за {time:duration}")})
    wanted = message("x", size=int(2.4 * 1024**3), time=200)
    assert table.say(wanted, "en") == "2.4 GiB in 3 min 20 s"
    assert table.say(wanted, "ru") == "2,4 ГиБ за 3 мин 20 с"


@given(st.floats(0, 1e16), st.sampled_from(LANGUAGES))
def test_any_size_and_time_can_be_said(number, language):
    assert format_bytes(number, language)
    assert format_duration(number, language)


def test_a_missing_argument_is_an_error_not_a_hole():
    with pytest.raises(KeyError):
        Texts({"x": Sentence(en="{who}", ru="{who}")}).say(message("x"), "en")


def test_bad_text_files_complain_about_everything_at_once(tmp_path):
    (tmp_path / "a.toml").write_text('[one]\nen = "Hello {name}"\nru = "Привет"\n[two]\nen = "x"\n', "utf-8")
    (tmp_path / "b.toml").write_text('[three]\nen = "a"\nru = ""\n[four]\nen = "a"\nrru = "b"\nru = "b"\n', "utf-8")
    (tmp_path / "c.toml").write_text('[five]\nen = "a"\nru = "б"\nen = broken\n', "utf-8")
    (tmp_path / "d.toml").write_text(
        '[six]\nen = "Hello {name}"\nru = "Привет"\n[seven]\nen = "a"\nru = " "\n', "utf-8"
    )
    with pytest.raises(BadData) as raised:
        load_texts(tmp_path)
    said = str(raised.value)
    assert "a.toml: two: Object missing required field `ru`" in said
    assert 'did you mean "ru"?' in said
    assert "line 4" in said
    assert "d.toml: six: placeholder in one language only: name" in said
    assert "d.toml: seven: ru: empty" in said


def test_placeholders_of_plural_forms():
    assert placeholders(STEPS.ru) == {"count"}
