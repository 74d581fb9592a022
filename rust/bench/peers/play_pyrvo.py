"""Plays a scene with RVO2, by its Python package pyrvo: play_pyrvo.py SCENE ANSWER SECONDS LIMIT JAM.

RVO2 avoids other agents and walls but does not search for paths. Agents head for the farthest cell of a shortest grid path
to which they could walk in a straight line from the centre of their cell.
"""

import math

import pyrvo

from scene import arguments

# The number of cells of a path that are searched for the farthest visible one.
LOOK_AHEAD = 12
# The place of agents that have arrived, out of range of all others.
AWAY = 1.0e5


def aims(scene, goals):
    """For every cell, the point that agents in it head for."""
    following = scene.next_cells(goals)
    found = {}
    for cell in following:
        ahead = [cell]
        while len(ahead) < LOOK_AHEAD and following[ahead[-1]] != ahead[-1]:
            ahead.append(following[ahead[-1]])
        start = scene.middle(cell)
        in_sight = [other for other in ahead[1:] if scene.sees(start, scene.middle(other))]
        found[cell] = scene.middle(in_sight[-1] if in_sight else following[cell])
    return found


def add_walls(simulator, scene):
    """Every wall beside a free cell, and the map's edge, as a line that blocks from its free side."""
    side = scene.cell
    for x, y in scene.free_cells():
        corners = [(x, y), (x + 1, y), (x + 1, y + 1), (x, y + 1)]
        beyond = [(x, y - 1), (x + 1, y), (x, y + 1), (x - 1, y)]
        for edge, other in enumerate(beyond):
            if not scene.is_free(other):
                ends = corners[edge], corners[(edge + 1) % 4]
                # A square behind the edge, so that it blocks from both sides.
                (ax, ay), (bx, by) = ends
                dx, dy = 0.2 * (other[0] - x), 0.2 * (other[1] - y)
                square = [(ax, ay), (ax + dx, ay + dy), (bx + dx, by + dy), (bx, by)]
                area = sum(
                    p[0] * q[1] - q[0] * p[1] for p, q in zip(square, square[1:] + square[:1])
                )
                if area < 0:
                    square.reverse()
                simulator.add_obstacle([(px * side, py * side) for px, py in square])
    simulator.process_obstacles()


def main():
    scene, answer = arguments()
    simulator = pyrvo.RVOSimulator(
        scene.dt, 10.0 * scene.radius, 10, 2.0, 0.5, scene.radius, scene.speed
    )
    for at in scene.starts:
        simulator.add_agent(at)
    add_walls(simulator, scene)
    aim = [aims(scene, goals) for goals in scene.goals]
    goals = [set(cells) for cells in scene.goals]
    alive = list(range(len(scene.starts)))
    for _ in range(scene.steps):
        positions = {}
        for index in alive:
            at = simulator.get_agent_position(index)
            positions[index] = (at.x, at.y) if not callable(at.x) else (at.x(), at.y())
        for index, (x, y) in positions.items():
            ahead = aim[scene.groups[index]].get(scene.cell_of(x, y), (x, y))
            length = math.dist((x, y), ahead)
            pace = scene.speed / length if length > 1e-6 else 0.0
            wish = ((ahead[0] - x) * pace, (ahead[1] - y) * pace)
            simulator.set_agent_pref_velocity(index, wish)
        answer.begin()
        simulator.do_step()
        answer.end()
        left = []
        for index in alive:
            at = simulator.get_agent_position(index)
            x, y = (at.x, at.y) if not callable(at.x) else (at.x(), at.y())
            if scene.cell_of(x, y) in goals[scene.groups[index]]:
                simulator.set_agent_position(index, (AWAY + 100.0 * index, AWAY))
                simulator.set_agent_pref_velocity(index, (0.0, 0.0))
            else:
                left.append((index, x, y))
        alive = [index for index, _, _ in left]
        answer.note(left)
        if answer.is_over(left):
            break
    answer.write("rvo2", scene.dt)


main()
