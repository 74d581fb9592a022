"""Reads scenes written by the harness `crowd --export`, and writes answers for `crowd --replay`."""

import heapq
import json
import math
import sys
import time


class Scene:
    """A scene: a grid of walls, agents with a start and a group, and the goal cells of each group."""

    def __init__(self, path):
        with open(path, encoding="utf-8") as file:
            data = json.load(file)
        self.cell = data["cell"]
        self.rows = data["rows"]
        self.height = len(self.rows)
        self.width = len(self.rows[0])
        self.radius = data["bodies"][0]["radius"]
        self.speed = data["bodies"][0]["speed"]
        self.starts = [(x, y) for x, y, _, _ in data["starts"]]
        self.groups = [int(group) for _, _, group, _ in data["starts"]]
        self.goals = [
            sorted({self.cell_of(x, y) for x, y in targets}) for targets in data["goals"]
        ]
        self.dt = data["dt"]
        self.steps = data["steps"]

    def cell_of(self, x, y):
        return (int(x // self.cell), int(y // self.cell))

    def middle(self, cell):
        return ((cell[0] + 0.5) * self.cell, (cell[1] + 0.5) * self.cell)

    def is_free(self, cell):
        x, y = cell
        return 0 <= x < self.width and 0 <= y < self.height and self.rows[y][x] == "."

    def free_cells(self):
        return [
            (x, y) for y in range(self.height) for x in range(self.width) if self.is_free((x, y))
        ]

    def neighbours(self, cell):
        """Cells one step away, without cutting corners, and the length of the step in cells."""
        x, y = cell
        for dx in (-1, 0, 1):
            for dy in (-1, 0, 1):
                other = (x + dx, y + dy)
                if other == cell or not self.is_free(other):
                    continue
                if self.is_free((x + dx, y)) and self.is_free((x, y + dy)):
                    yield other, math.hypot(dx, dy)

    def next_cells(self, goals):
        """For every cell that can reach one of these, the next cell of a shortest path."""
        cost = dict.fromkeys(goals, 0.0)
        following = {goal: goal for goal in goals}
        queue = [(0.0, goal) for goal in goals]
        while queue:
            so_far, cell = heapq.heappop(queue)
            if so_far > cost[cell]:
                continue
            for other, length in self.neighbours(cell):
                if so_far + length < cost.get(other, math.inf):
                    cost[other] = so_far + length
                    following[other] = cell
                    heapq.heappush(queue, (cost[other], other))
        return following

    def sees(self, start, end):
        """Whether a disc of an agent's radius moves straight from one point to the other without touching a wall."""
        length = math.dist(start, end)
        count = max(1, math.ceil(length / (0.25 * self.cell)))
        radius = 0.95 * self.radius
        for step in range(count + 1):
            x = start[0] + (end[0] - start[0]) * step / count
            y = start[1] + (end[1] - start[1]) * step / count
            for dx, dy in ((-radius, 0), (radius, 0), (0, -radius), (0, radius)):
                if not self.is_free(self.cell_of(x + dx, y + dy)):
                    return False
        return True


class Answer:
    """The positions after each step."""

    def __init__(self, path, scene, patience, jam):
        self.path = path
        self.scene = scene
        # Seconds of computing after which the scene ends early.
        self.patience = patience
        # Simulated seconds without an arrival after which the scene ends early.
        self.jam = jam
        self.left = len(scene.starts)
        self.quiet = 0.0
        self.lines = []
        self.computing = 0.0
        self.began = None

    def begin(self):
        self.began = time.process_time()

    def end(self):
        self.computing += time.process_time() - self.began

    def is_over(self, agents):
        """Whether no agent is left, the time is up, or the crowd is jammed."""
        return not agents or self.computing > self.patience or self.quiet >= self.jam

    def note(self, agents):
        """Adds a step: for each agent that is still there its index, x and y."""
        self.lines.append(",".join(f"{index},{x:.5f},{y:.5f}" for index, x, y in agents))
        self.quiet = self.quiet + self.scene.dt if len(agents) == self.left else 0.0
        self.left = len(agents)

    def write(self, method, step):
        """Writes the file, with the length of the library's own steps in seconds."""
        seconds = len(self.lines) * self.scene.dt
        per_second = 1e3 * self.computing / max(seconds, self.scene.dt)
        header = {"method": method, "ms_per_simulated_second": per_second, "own_dt": step}
        with open(self.path, "w", encoding="utf-8") as file:
            file.write(json.dumps(header) + "\n")
            file.writelines(f"[{line}]\n" for line in self.lines)


def arguments():
    """The scene and its answer.

    From the command line: SCENE ANSWER, the most seconds to simulate, the most of computing, and how many simulated ones
    without an arrival are a jam.
    """
    scene = Scene(sys.argv[1])
    limit, patience, jam = (float(text) for text in sys.argv[3:6])
    scene.steps = min(scene.steps, int(limit / scene.dt))
    return scene, Answer(sys.argv[2], scene, patience, jam)
