"""How figures grow with a vault, drawn: one SVG, a panel a figure, both axes in powers of ten, readable on light and on dark."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from html import escape

_WIDTH, _HEIGHT, _LEFT, _TOP, _ACROSS, _DOWN = 360, 230, 62, 40, 270, 140  # of a panel, and of its plot within it
_STYLE = """
  text { font: 13px system-ui, sans-serif; fill: #24231f; }
  .name { font-weight: 600; } .axis { stroke: #8c959f; } .grid { stroke: #8c959f; stroke-opacity: .3; }
  .line { fill: none; stroke: #2f5d8a; stroke-width: 2.5; } .dot { fill: #2f5d8a; }
  .bar { stroke: #94651a; stroke-width: 1.5; stroke-dasharray: 5 4; } .told { fill: #94651a; }
  @media (prefers-color-scheme: dark) {
    text { fill: #e9e7e2; } .line { stroke: #8ab8e6; } .dot { fill: #8ab8e6; } .bar { stroke: #d3a556; } .told { fill: #d3a556; }
  }
"""


@dataclass(frozen=True, slots=True)
class Panel:
    """One figure by the number of excerpts, and the bar that it shall keep at the largest, if there is one."""

    name: str
    unit: str
    points: Mapping[int, float]
    bar: float | None = None


def drawing(panels: Sequence[Panel], title: str) -> str:
    """Return the panels as an SVG, two beside each other."""
    rows = math.ceil(len(panels) / 2)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {2 * _WIDTH} {rows * _HEIGHT}" role="img">',
        f"<title>{escape(title)}</title><style>{_STYLE}</style>",
    ]
    for number, panel in enumerate(panels):
        parts.append(f'<g transform="translate({number % 2 * _WIDTH},{number // 2 * _HEIGHT})">{_panel(panel)}</g>')
    return "\n".join([*parts, "</svg>\n"])


def _panel(panel: Panel) -> str:
    values = [value for value in panel.points.values() if value > 0]
    told = [*values, panel.bar] if panel.bar else values
    low, high = (math.floor(math.log10(min(told))), math.ceil(math.log10(max(told))))
    high += high == low
    first, last = math.log10(min(panel.points)), math.log10(max(panel.points))
    across = max(1e-9, last - first)

    def x(size: float) -> float:
        return _LEFT + (math.log10(size) - first) / across * _ACROSS

    def y(value: float) -> float:
        return _TOP + (high - math.log10(value)) / (high - low) * _DOWN

    parts = [f'<text class="name" x="{_LEFT}" y="22">{escape(panel.name)}, {escape(panel.unit)}</text>']
    for power in range(low, high + 1):
        at = y(10**power)
        parts.append(f'<line class="grid" x1="{_LEFT}" x2="{_LEFT + _ACROSS}" y1="{at:.1f}" y2="{at:.1f}"/>')
        parts.append(f'<text x="{_LEFT - 8}" y="{at + 4:.1f}" text-anchor="end">{10**power:,g}</text>')
    floor = _TOP + _DOWN
    parts.append(f'<line class="axis" x1="{_LEFT}" x2="{_LEFT + _ACROSS}" y1="{floor}" y2="{floor}"/>')
    for size in panel.points:
        parts.append(f'<text x="{x(size):.1f}" y="{floor + 20}" text-anchor="middle">{_short(size)}</text>')
    if panel.bar:
        parts.append(f'<line class="bar" x1="{_LEFT}" x2="{_LEFT + _ACROSS}" y1="{y(panel.bar):.1f}" y2="{y(panel.bar):.1f}"/>')
        parts.append(f'<text class="told" x="{_LEFT + 4}" y="{y(panel.bar) - 5:.1f}">at most {panel.bar:,g}</text>')
    line = " ".join(f"{x(size):.1f},{y(value):.1f}" for size, value in panel.points.items() if value > 0)
    parts.append(f'<polyline class="line" points="{line}"/>')
    for size, value in panel.points.items():
        if value > 0:
            parts.append(f'<circle class="dot" cx="{x(size):.1f}" cy="{y(value):.1f}" r="4"><title>{value:,.3g}</title></circle>')
    return "".join(parts)


def _short(size: int) -> str:
    return f"{size // 1_000_000}M" if size >= 1_000_000 else f"{size // 1000}k" if size >= 1000 else str(size)
