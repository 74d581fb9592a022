"""Draws the plots of docs/crowds.md: plot.py REPORT FOLDER."""

import json
import math
import sys
from pathlib import Path

import matplotlib

matplotlib.use("Agg")
from matplotlib import pyplot

# Weidmann's relation of density and speed, the usual reference for pedestrians: speed in m/s, densities per m².
FREE_SPEED, STEEPNESS, JAM_DENSITY = 1.34, 1.913, 5.4


# Name and colour of each method.
METHODS = {
    "contact": ("CONTACT", "tab:blue"),
    "orca": ("ORCA", "tab:orange"),
    "jupedsim": ("JuPedSim", "tab:green"),
    "rvo2": ("RVO2", "tab:red"),
}


def look(method):
    """The style shared by all that is drawn for a method."""
    name, colour = METHODS[method]
    return {"label": name, "color": colour}


def by_method(reports, key):
    """The reports that contain a figure, by method."""
    found = {}
    for report in reports:
        if report.get(key) is not None:
            found.setdefault(report["avoidance"], []).append(report)
    return found


def fundamental_diagram(reports, path):
    figure, axes = pyplot.subplots(figsize=(7, 4.5))
    for method, runs in by_method(reports, "density_and_speed").items():
        points = [
            point
            for run in runs
            if run["scene"] in ("rimea4", "bottleneck")
            for point in run["density_and_speed"]
        ]
        if points:
            axes.scatter(*zip(*points), s=10, alpha=0.6, **look(method))
    densities = [0.05 * step for step in range(1, 108)]
    speeds = [
        FREE_SPEED * (1 - math.exp(-STEEPNESS * (1 / density - 1 / JAM_DENSITY)))
        for density in densities
    ]
    axes.plot(densities, speeds, color="black", label="people (Weidmann)")
    axes.set_xlim(0, 5.5)
    axes.set_ylim(0, 1.5)
    axes.set_xlabel("density [agents/m²]")
    axes.set_ylabel("speed [m/s]")
    axes.legend()
    figure.savefig(path, dpi=90, bbox_inches="tight")


def flow_by_width(reports, path):
    figure, axes = pyplot.subplots(figsize=(7, 4.5))
    bottlenecks = [report for report in reports if report["scene"] == "bottleneck"]
    for method, runs in by_method(bottlenecks, "agents_per_second").items():
        runs = sorted(runs, key=lambda run: run["width"])
        widths = [run["width"] for run in runs]
        axes.plot(widths, [run["agents_per_second"] for run in runs], "o-", **look(method))
    axes.axline((0, 0), slope=1.2, color="grey", linestyle=":")
    axes.axline((0, 0), slope=1.9, color="grey", linestyle=":", label="people, 1.2 to 1.9 /(m s)")
    axes.set_xlim(0.6, 2.6)
    axes.set_ylim(bottom=0)
    axes.set_xlabel("width [m]")
    axes.set_ylabel("agents a second")
    axes.legend()
    figure.savefig(path, dpi=90, bbox_inches="tight")


def main():
    reports = json.loads(Path(sys.argv[1]).read_text(encoding="utf-8"))["runs"]
    folder = Path(sys.argv[2])
    folder.mkdir(parents=True, exist_ok=True)
    fundamental_diagram(reports, folder / "crowd_fundamental_diagram.png")
    flow_by_width(reports, folder / "crowd_bottleneck_flow.png")


main()
