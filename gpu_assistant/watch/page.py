"""The page of a watched run as one HTML file: sentences, tables, and the curves as pictures inside of it."""

from __future__ import annotations

import html
from collections.abc import Iterable

import numpy as np

from gpu_assistant.base.message import message
from gpu_assistant.base.redact import redact
from gpu_assistant.base.texts import Language, say
from gpu_assistant.monitor.comparison import busiest_card
from gpu_assistant.monitor.hints import owner_of
from gpu_assistant.monitor.measures import Points
from gpu_assistant.monitor.metrics import format_value, metrics
from gpu_assistant.monitor.store import SeriesStore
from gpu_assistant.watch.events import Place, Profile
from gpu_assistant.watch.summary import WatchSummary

CURVES = ("steps_per_second", "utilization", "vram_used", "cpu", "data_wait", "program_memory")
WIDTH, HEIGHT = 640, 120

_STYLE = """
body { font: 16px/1.5 system-ui, "Segoe UI", sans-serif; max-width: 46rem; margin: 2rem auto; padding: 0 1rem;
  color: #1d2129; background: #fff }
h1 { font-size: 1.5rem } h2 { font-size: 1.15rem; margin-top: 2rem }
table { border-collapse: collapse; width: 100% } td { padding: .3rem .6rem; border-bottom: 1px solid #dfe3ea }
td:last-child { text-align: right; white-space: nowrap } code { font: .9em ui-monospace, Consolas, monospace }
.advice { border-left: 4px solid #d98a00; padding: .2rem 1rem; margin: 1rem 0; background: #fff8eb }
svg { width: 100%; background: #f6f8fb } polyline { fill: none; stroke: #2f6fed; stroke-width: 1.5 }
@media (prefers-color-scheme: dark) { body { color: #e6e9ef; background: #1b1e26 } td { border-color: #333a47 }
  .advice { background: #2c2617 } svg { background: #232733 } }
"""


def to_html(summary: WatchSummary, store: SeriesStore, language: Language) -> str:
    """One file that needs nothing else; names of the user are taken out."""
    parts = [
        f"<h1>{_text(summary.sentence)}</h1>",
        f"<p><code>{_text(' '.join(summary.command))}</code></p>",
        _table(_facts(summary, language)),
        *_section("watch-page-advice", language, [_advice(one.sentence, one.first) for one in summary.advice]),
        *_section("watch-page-time", language, [_table(_shares(summary, language))] if summary.shares else []),
        *_section("watch-page-places", language, [_table(map(_place, summary.places))] if summary.places else []),
        *_section("watch-page-memory", language, [f"<p>{_text(summary.memory)}</p>"] if summary.memory else []),
        *_section("watch-page-profile", language, [_profile(summary.profile, language)] if summary.profile else []),
        *_section("watch-page-curves", language, _curves(store, language)),
    ]
    title = _text(say(message("watch-page-title"), language))
    head = f'<meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>{title}</title>'
    page = f'<!DOCTYPE html><html lang="{language}"><head>{head}<style>{_STYLE}</style></head>'
    return redact(page + f"<body>{''.join(parts)}</body></html>\n")


def _text(text: str) -> str:
    return html.escape(text)


def _section(title: str, language: Language, inside: list[str]) -> list[str]:
    return [f"<h2>{_text(say(message(title), language))}</h2>", *inside] if inside else []


def _table(rows: Iterable[tuple[str, str]]) -> str:
    cells = "".join(f"<tr><td>{left}</td><td>{_text(right)}</td></tr>" for left, right in rows)
    return f"<table>{cells}</table>"


def _advice(sentence: str, first: str) -> str:
    return f'<div class="advice"><p><b>{_text(sentence)}</b></p><p>{_text(first)}</p></div>'


def _facts(summary: WatchSummary, language: Language) -> list[tuple[str, str]]:
    def name(id_: str) -> str:
        return _text(say(message(f"watch-fact-{id_}"), language))

    rows = [(name("seconds"), say(message("watch-seconds", seconds=summary.seconds), language))]
    if summary.steps:
        rows.append((name("steps"), str(summary.steps)))
    if summary.batch is not None:
        rows.append((name("batch"), str(summary.batch)))
    rows += [
        (_text(metrics()[id_].title(language)), format_value(stats.mean, metrics()[id_].unit, language))
        for id_, stats in summary.curves.items()
    ]
    return rows


def _shares(summary: WatchSummary, language: Language) -> list[tuple[str, str]]:
    return [
        (_text(say(message(f"watch-kind-{kind}"), language)), f"{share:.0%}") for kind, share in summary.shares.items()
    ]


def _place(place: Place) -> tuple[str, str]:
    name = place.file.replace("\\", "/").rpartition("/")[2]
    return f"<code>{_text(f'{name}:{place.line}')}</code> <code>{_text(place.text)}</code>", f"{place.share:.0%}"


def _profile(profile: Profile, language: Language) -> str:
    rows = [(_text(text), f"{share:.0%}") for text, share in profile_words(profile, language)]
    return _table(rows)


def profile_words(profile: Profile, language: Language) -> list[tuple[str, float]]:
    """The profiler's parts in words, each with its share (0 to 1) of the profiled time."""
    where = "card" if profile.on_card else "cpu"
    return [
        (
            say(message(f"watch-profile-{part}-{where}" if part == "kernels" else f"watch-profile-{part}"), language),
            seconds / profile.seconds if profile.seconds else 0.0,
        )
        for part, seconds in profile.parts.items()
    ]


def _curves(store: SeriesStore, language: Language) -> list[str]:
    card = busiest_card(store) or ""
    found = []
    for id_ in CURVES:
        series = store.window(owner_of(id_, card), id_)
        known = ~np.isnan(series.values)
        if known.sum() > 1:
            times, values = series.times[known], series.values[known].astype(float)
            row = metrics()[id_]
            top = format_value(float(values.max()), row.unit, language)
            found.append(f"<p>{_text(row.title(language))} <small>(max {_text(top)})</small></p>{_svg(times, values)}")
    return found


def _svg(times: Points, values: Points) -> str:
    step = max(1, len(times) // WIDTH)
    times, values = times[::step], values[::step]
    x = (times - times[0]) / max(float(times[-1] - times[0]), 1e-9) * WIDTH
    y = HEIGHT - 4 - values / max(float(values.max()), 1e-9) * (HEIGHT - 8)
    points = " ".join(f"{a:.1f},{b:.1f}" for a, b in zip(x, y, strict=True))
    return f'<svg viewBox="0 0 {WIDTH} {HEIGHT}" preserveAspectRatio="none"><polyline points="{points}"/></svg>'
