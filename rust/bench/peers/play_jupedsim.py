"""Plays a scene with JuPedSim's collision-free speed model: play_jupedsim.py SCENE ANSWER SECONDS LIMIT JAM."""

import jupedsim
import shapely

from scene import arguments

# The greatest step of JuPedSim, in seconds. The scene's step is a multiple of the step in use. JuPedSim's default of 0.01
# takes five times as long, and crowds jam with it too.
STEP = 0.05


def polygon(scene, cells):
    side = scene.cell
    boxes = [
        shapely.box(x * side, y * side, (x + 1) * side, (y + 1) * side) for x, y in cells
    ]
    # Points between corners are left out, because each of them costs time for every agent.
    return shapely.union_all(boxes).simplify(0.0)


def parts(shape):
    return list(shape.geoms) if hasattr(shape, "geoms") else [shape]


def main():
    scene, answer = arguments()
    repeats = max(1, round(scene.dt / STEP))
    simulation = jupedsim.Simulation(
        model=jupedsim.CollisionFreeSpeedModelV2(),
        geometry=polygon(scene, scene.free_cells()),
        dt=scene.dt / repeats,
    )
    journeys = []
    for goals in scene.goals:
        exits = []
        for part in parts(polygon(scene, goals)):
            stage = simulation.add_exit_stage(part)
            journey = simulation.add_journey(jupedsim.JourneyDescription([stage]))
            exits.append((part, journey, stage))
        journeys.append((scene.next_cells(goals), exits))
    index_of = {}
    for index, (at, group) in enumerate(zip(scene.starts, scene.groups)):
        following, exits = journeys[group]
        cell = scene.cell_of(*at)
        while following[cell] != cell:
            cell = following[cell]
        goal = shapely.Point(scene.middle(cell))
        _, journey, stage = next(exit for exit in exits if exit[0].contains(goal))
        agent = simulation.add_agent(
            jupedsim.CollisionFreeSpeedModelV2AgentParameters(
                journey_id=journey,
                stage_id=stage,
                position=at,
                radius=scene.radius,
                desired_speed=scene.speed,
            )
        )
        index_of[agent] = index
    for _ in range(scene.steps):
        answer.begin()
        simulation.iterate(repeats)
        answer.end()
        agents = [(index_of[agent.id], *agent.position) for agent in simulation.agents()]
        answer.note(agents)
        if answer.is_over(agents):
            break
    answer.write("jupedsim", scene.dt / repeats)


main()
