#!/usr/bin/env python3
"""A learner on the card: takes the environments' matrices by DLPack and the CUDA array
interface, holds every number of every step to the processor's, and times a policy there.

Needs PyTorch, CuPy if it is there, and what make card env builds (FIELDBRAIN_CARD_LIBRARY,
FIELDBRAIN_ENV_LIBRARY, PYTHONPATH). One JSON object on standard output; the exit code is
1 where a number differs. Without torch, or without a card, it says so in there and ends
with 0: a missing learner is no failed measurement.
"""

import argparse
import json
import statistics
import sys
import time

TASKS = ("avoid", "goal", "line", "explore")
PARTS = ("observations", "rewards", "terminated", "truncated", "returns", "lengths", "causes")


def drive(torch, numpy, fieldbrain_env, task, cars, steps):
    """Let the same actions drive cars on card and processor; count what differs, and episodes that end."""
    there = fieldbrain_env.card.CardEnv(task, cars, worlds=8, seed=5, limit=150)
    here = fieldbrain_env.CarVectorEnv(task, num_envs=cars, worlds=8, limit=150)
    here.reset(seed=5)
    views = {name: torch.from_dlpack(getattr(there, name)) for name in PARTS}
    actions, seeds, mask = (torch.from_dlpack(getattr(there, name)) for name in ("actions", "seeds", "mask"))
    low = torch.tensor([c[2] for c in there.action_channels], device=actions.device)
    high = torch.tensor([c[3] for c in there.action_channels], device=actions.device)
    torch.manual_seed(7)
    wrong, ends = 0, [0] * len(fieldbrain_env.CAUSES)
    for step in range(steps):
        if step == steps // 2:  # some begin anew, by matrices on the card
            mask[:] = torch.rand(cars, device=mask.device) < 0.3
            seeds[:] = torch.randint(0, 2**40, (cars,), device=mask.device)
            torch.cuda.synchronize()
            there.reset_there(seeded=True)
            here.reset(seed=seeds.cpu().numpy().astype(numpy.uint64), options={"reset_mask": mask.cpu().numpy() != 0})
        else:
            if step % 20 == 0:  # long enough to reach walls, edges and goals
                actions[:] = low + (high - low) * torch.rand(cars, len(low), device=actions.device)
                torch.cuda.synchronize()
            there.step()
            here.step(actions.cpu().numpy())
        there.wait()
        for name in PARTS:
            want = numpy.ascontiguousarray(getattr(here, name)).view(numpy.uint8)
            have = numpy.ascontiguousarray(views[name].cpu().numpy()).view(numpy.uint8)
            wrong += int((have != want).sum())
        for cause in range(1, len(ends)):
            ends[cause] += int((here.causes == cause).sum())
    views = actions = seeds = mask = None
    there.close()
    here.close()
    return {"task": task, "cars": cars, "steps": steps, "wrong_bytes": wrong,
            "episodes": {name: n for name, n in zip(fieldbrain_env.CAUSES, ends) if n}}


def timed(torch, fieldbrain_env, task, cars, policy, seconds):
    """Steps of all cars a second: with a policy between them, or driving straight on."""
    env = fieldbrain_env.card.CardEnv(task, cars, worlds=8, seed=1)
    actions, observations = torch.from_dlpack(env.actions), torch.from_dlpack(env.observations)
    width = observations.shape[1]
    net = torch.nn.Sequential(torch.nn.Linear(width, 64), torch.nn.Tanh(), torch.nn.Linear(64, 2), torch.nn.Tanh()).cuda()
    scale = torch.tensor([0.4, 0.5], device="cuda")
    rounds, turns = [], 10
    actions[:] = torch.tensor([0.2, 0.0], device="cuda")
    torch.cuda.synchronize()
    with torch.no_grad():
        end = time.monotonic() + seconds
        while time.monotonic() < end or len(rounds) < 3:
            begin = time.perf_counter()
            for _ in range(turns):
                if policy:
                    actions[:] = net(observations) * scale
                    torch.cuda.synchronize()
                env.step()
                env.wait()
            rounds.append((time.perf_counter() - begin) / turns)
    middle = statistics.median(rounds[1:])
    hold = env.hold
    actions = observations = None
    env.close()
    return {"task": task, "cars": cars, "policy": policy, "rounds": len(rounds), "step_ms": 1e3 * middle,
            "robot_steps_per_s": cars * hold / middle}


def cupy_sees(fieldbrain_env):
    """Whether CuPy sees the same memory by the CUDA array interface and by DLPack."""
    try:
        import cupy
    except ImportError:
        return "no CuPy here"
    env = fieldbrain_env.card.CardEnv("avoid", 64, seed=3)
    a, b = cupy.asarray(env.observations), cupy.from_dlpack(env.observations)
    same = a.data.ptr == b.data.ptr == env.observations.address and a.shape == b.shape == env.observations.shape
    cupy.asarray(env.actions)[:, 0] = 0.3
    cupy.cuda.Device().synchronize()
    for _ in range(20):
        env.step()
    env.wait()
    moved = float(cupy.abs(a).sum()) > 0 and bool((a == b).all())
    del a, b
    env.close()
    return "same memory by both protocols" if same and moved else "DIFFERS: same address %s, moved %s" % (same, moved)


def main():
    flags = argparse.ArgumentParser(description="Drive simulated cars on a card from PyTorch.")
    flags.add_argument("--cars", type=int, default=256, help="that are held to the processor's")
    flags.add_argument("--steps", type=int, default=400)
    flags.add_argument("--fleet", type=int, default=65536, help="cars that are timed")
    flags.add_argument("--seconds", type=float, default=2, help="of each timing")
    args = flags.parse_args()
    try:
        import torch
        if not torch.cuda.is_available():
            raise ImportError("PyTorch sees no card")
    except ImportError as e:
        print(json.dumps({"note": "no learner: %s" % e}))
        return 0
    import numpy
    import fieldbrain_env
    import fieldbrain_env.card
    report = {"torch": torch.__version__, "card": torch.cuda.get_device_name(0), "cupy": cupy_sees(fieldbrain_env)}
    report["equal"] = [drive(torch, numpy, fieldbrain_env, task, args.cars, args.steps) for task in TASKS]
    report["speed"] = [
        timed(torch, fieldbrain_env, task, args.fleet, policy, args.seconds) for task in TASKS for policy in (False, True)
    ]
    print(json.dumps(report, indent=1))
    bad = any(e["wrong_bytes"] or not e["episodes"] for e in report["equal"]) or report["cupy"].startswith("DIFFERS")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
