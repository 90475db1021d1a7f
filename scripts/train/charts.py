"""Loss curves as SVG."""

from dataclasses import dataclass, field
from html import escape
from pathlib import Path

WIDTH, HEIGHT = 720, 300
LEFT, RIGHT, TOP, BOTTOM = 70, 150, 34, 40


@dataclass
class Series:
    """A named line of points."""

    name: str
    color: str
    points: list[tuple[float, float]]
    dashed: bool = False


@dataclass
class Chart:
    """Lines over a common axis."""

    title: str
    series: list[Series] = field(default_factory=list)


def ticks(low: float, high: float) -> list[float]:
    """About five round numbers between two."""
    span = max(high - low, 1e-9)
    step = 10.0 ** int(f"{span / 5:e}".split("e")[1])
    step = next(step * factor for factor in (1, 2, 5, 10) if span / (step * factor) <= 6)
    first = -(-low // step)
    return [round((first + i) * step, 10) for i in range(8) if (first + i) * step <= high + 1e-12]


def panel(chart: Chart, top: int) -> list[str]:
    """The elements of one chart, `top` below the picture's edge."""
    points = [point for series in chart.series for point in series.points]
    if not points:
        return []
    right = max(x for x, _ in points) or 1
    low, high = min(y for _, y in points), max(y for _, y in points)
    margin = (high - low) * 0.05 or 0.01
    low, high = low - margin, high + margin

    def place(x: float, y: float) -> tuple[float, float]:
        across = LEFT + (WIDTH - LEFT - RIGHT) * x / right
        return across, top + TOP + (HEIGHT - TOP - BOTTOM) * (high - y) / (high - low)

    out = [f'<text x="{LEFT}" y="{top + 20}" class="title">{escape(chart.title)}</text>']
    for y in ticks(low, high):
        x0, y0 = place(0, y)
        out.append(f'<path d="M{x0} {y0:.1f}H{WIDTH - RIGHT}" class="grid"/>')
        out.append(f'<text x="{x0 - 8}" y="{y0 + 4:.1f}" text-anchor="end">{y:g}</text>')
    for x in ticks(0, right):
        x0, y0 = place(x, low)
        out.append(f'<text x="{x0:.1f}" y="{y0 + 18:.1f}" text-anchor="middle">{x:g}</text>')
    for series in chart.series:
        path = " ".join(f"{x:.1f},{y:.1f}" for x, y in (place(*point) for point in series.points))
        dash = ' stroke-dasharray="5 4"' if series.dashed else ""
        out.append(f'<polyline points="{path}" fill="none" stroke="{series.color}" stroke-width="1.6"{dash}/>')
        x, y = place(*series.points[-1])
        label = f"{series.name} {series.points[-1][1]:.4f}"
        out.append(f'<text x="{x + 6:.1f}" y="{y + 4:.1f}" fill="{series.color}">{escape(label)}</text>')
    return out


def write(path: Path, charts: list[Chart]) -> None:
    """Draws charts below each other."""
    height = HEIGHT * len(charts)
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" width="{WIDTH}" height="{height}">',
        "<style>text{font:12px sans-serif}.title{font-size:15px}.grid{stroke:#ddd}</style>",
        f'<rect width="{WIDTH}" height="{height}" fill="white"/>',
    ]
    for index, chart in enumerate(charts):
        lines += panel(chart, index * HEIGHT)
    part = path.with_name(path.name + ".part")
    part.write_text("\n".join([*lines, "</svg>", ""]))
    part.replace(path)
