"""Holds an environment to what Gymnasium documents about vector environments.

    python3 -m fieldbrain_env.checker [TASK ...]

Where Gymnasium is installed its own checker looks at one car as well, and its own
statistics at many.
"""

import sys
import warnings

import numpy as np

from . import CarEnv, CarVectorEnv, Error, HAVE_GYMNASIUM, TASKS
from .spaces import AutoresetMode, NO_GYMNASIUM


def expect(held, rule):
    """Complain where a rule does not hold."""
    if not held:
        raise AssertionError(rule)


def spaces(env):
    """num_envs, four spaces that fit each other, and the autoreset mode by name."""
    expect(env.num_envs >= 1, "num_envs counts the environments")
    expect(env.metadata["autoreset_mode"] is AutoresetMode.NEXT_STEP, "metadata names the autoreset mode")
    for one, many in ((env.single_observation_space, env.observation_space), (env.single_action_space, env.action_space)):
        expect(many.shape == (env.num_envs,) + one.shape and many.dtype == one.dtype, "a batched space is num_envs of the single one")
        expect(np.array_equal(many.low[0], one.low) and np.array_equal(many.high[-1], one.high), "its bounds are the single one's")
        expect(bool(np.all(one.low < one.high)) and bool(np.all(np.isfinite([one.low, one.high]))), "bounds are finite and the right way round")
        expect(one.contains(one.sample()), "a sample lies within")


def results(env, got):
    """The five results of a step: shapes, types, bounds, memory of their own."""
    expect(isinstance(got, tuple) and len(got) == 5, "step returns five results")
    observations, rewards, terminated, truncated, infos = got
    expect(env.observation_space.contains(observations), "observations lie within their space")
    expect(rewards.shape == (env.num_envs,) and np.issubdtype(rewards.dtype, np.floating) and np.all(np.isfinite(rewards)),
           "rewards are finite numbers, one each")
    for flag in (terminated, truncated):
        expect(flag.shape == (env.num_envs,) and flag.dtype == np.bool_, "ends are booleans, one each")
    expect(not np.any(terminated & truncated), "an episode ends in one way")
    expect(isinstance(infos, dict), "infos is a dictionary")
    ended = terminated | truncated
    expect(bool(infos) == bool(ended.any()), "infos has the episodes of those that ended")
    for key in [k for k in infos if not k.startswith("_")]:
        expect(np.array_equal(infos["_" + key], ended), "every value of infos has a mask")
        expect(infos[key].shape == ended.shape, "and one number each")


def drive(env, steps, seed, hold=None):
    """Some random steps; the observations and rewards of all of them, joined."""
    dice, out = np.random.default_rng(seed), []
    for _ in range(steps):
        actions = dice.uniform(env.action_space.low, env.action_space.high).astype(np.float32)
        got = env.step(actions)
        results(env, got)
        if hold is not None:
            expect(got[0] is hold, "every step returns the same memory")
        out.append(np.concatenate([got[0].ravel(), got[1]]))
    return np.concatenate(out)


def seeding(make):
    """Equal seeds, equal episodes; other seeds, other episodes; a car alone as among others."""
    a, b, alone = make(6), make(6), make(1)
    first, _ = a.reset(seed=5)
    expect(a.observation_space.contains(first), "reset returns observations of the space")
    first = first.copy()
    expect(np.array_equal(first, b.reset(seed=5)[0]), "equal seeds begin equally")
    expect(np.array_equal(drive(a, 40, 1), drive(b, 40, 1)), "and go on equally")
    again = a.reset()[0].copy()
    expect(not np.array_equal(again, first), "reset without a seed begins other episodes")
    expect(np.array_equal(a.reset(seed=5)[0], first), "a seed begins them anew")
    expect(np.array_equal(a.reset(seed=[5, 6, 7, 8, 9, 10])[0], first), "car i takes seed + i")
    expect(not np.array_equal(a.reset(seed=77)[0], first), "another seed begins otherwise")
    a.reset(seed=5)
    alone.reset(seed=9)  # car 4
    for k in range(60):
        actions = np.full(a.action_space.shape, 0.05 * (k % 7), np.float32)
        there, here = a.step(actions), alone.step(actions[:1])
        for x, y in zip(there[:4], here[:4]):
            expect(np.array_equal(x[4], y[0]), "a car's episode does not depend on how many there are")
    for env in (a, b, alone):
        env.close()


def going_on(make):
    """Without a seed a car goes on with its sequence, alone and among others; the first time it begins anywhere."""
    a, b, one = make(3), make(3), CarEnv(make(1).task, worlds=4)
    expect(not np.array_equal(a.reset()[0], b.reset()[0]), "a first reset without a seed begins anywhere")
    first = a.reset(seed=5)[0].copy()
    second = a.reset()[0].copy()
    expect(not np.array_equal(one.reset()[0], one.reset()[0]), "a single car begins anywhere, too")
    expect(np.array_equal(one.reset(seed=6)[0], first[1]) and np.array_equal(one.reset()[0], second[1]), "and goes on as among others")
    a.reset(seed=5)
    a.reset(seed=[None, 6, None])
    expect(np.array_equal(a.observations, [second[0], first[1], second[2]]), "None in a list of seeds goes on")
    mixed = make(3).reset(seed=[None, 6, None])[0]
    expect(np.array_equal(mixed[1], first[1]) and not np.array_equal(mixed[0], first[0]), "or begins anywhere")
    a.reset(seed=[2**64 - 1] * 3)
    last = a.observations[0].copy()
    expect(np.array_equal(a.reset(seed=2**64 - 1)[0][0], last), "every number of 64 bits is a seed")
    a.close(), b.close(), one.close()


def copies(make):
    """With copy=True nothing that was returned is written over."""
    env, twin = make(3, copy=True), make(3)
    kept, same = env.reset(seed=4)[0], twin.reset(seed=4)[0].copy()
    actions = np.full(env.action_space.shape, 0.1, np.float32)
    for _ in range(5):
        got = env.step(actions)
        old = [part.copy() for part in got[:4]]
        env.step(actions)
        expect(all(np.array_equal(x, y) for x, y in zip(got, old)), "a step's results are a copy")
    expect(np.array_equal(kept, same) and not np.shares_memory(kept, env.observations), "those of reset, too")
    env.close(), twin.close()


def autoreset(make):
    """NEXT_STEP: an end's observation is the last; the next step begins anew, whatever the action."""
    a, b = make(8, limit=7), make(8, limit=7)
    a.reset(seed=1), b.reset(seed=1)
    straight = np.zeros(a.action_space.shape, np.float32)
    ended, seen = np.zeros(8, bool), 0
    for _ in range(40):
        other = straight.copy()
        other[ended] = a.single_action_space.high  # what an ended car is told must not count
        x, y = a.step(straight), b.step(other)
        expect(np.array_equal(x[0], y[0]), "the step after an end ignores the action")
        expect(np.all(x[1][ended] == 0) and not np.any((x[2] | x[3])[ended]), "it has no reward and no end")
        expect(np.all(a.lengths[ended] == 0), "and is the first of a new episode")
        ended = x[2] | x[3]
        expect(np.all(a.lengths[x[3]] == 7), "time truncates at the limit")
        seen += int(ended.sum())
    expect(seen > 8, "episodes ended and began")
    a.reset(seed=3)
    for _ in range(3):
        a.step(straight)
    mask = np.arange(8) % 2 == 0
    kept = a.observations[~mask].copy()
    a.reset(options={"reset_mask": mask})
    expect(np.all(a.lengths[mask] == 0) and np.all(a.lengths[~mask] == 3), "a mask resets some")
    expect(np.array_equal(a.observations[~mask], kept), "and leaves the others")
    a.close(), b.close()


def refusals(make):
    """What is wrong is said."""
    env = make(2)
    for wrong, rule in ((lambda: env.step(np.zeros((2, 2), np.float32)), "step before reset"),
                        (lambda: CarVectorEnv("swim", 1), "an unknown task"),
                        (lambda: CarVectorEnv("goal", 1, families=["room"]), "a goal where there is none"),
                        (lambda: (env.reset(seed=1), env.step(np.zeros((3, 2), np.float32))), "actions of a wrong shape"),
                        (lambda: env.reset(seed=[1]), "too few seeds"),
                        (lambda: (env.close(), env.close(), env.step(np.zeros((2, 2), np.float32))), "step after close")):
        try:
            wrong()
        except (Error, ValueError) as e:
            expect(len(str(e)) > 10, rule + " is refused with a reason")
        else:
            raise AssertionError(rule + " is refused")


def check_vector(task, **options):
    """All rules for one task. Raises AssertionError with the first that does not hold."""
    def make(cars, **more):
        return CarVectorEnv(task, cars, worlds=4, **{**options, **more})

    env = make(5)
    spaces(env)
    hold, _ = env.reset(seed=2)
    drive(env, 60, 3, hold)
    expect(env.poses().shape == (5, 4) and env.world(0)[1] >= 1, "poses and worlds are told")
    env.close()
    seeding(make)
    going_on(make)
    copies(make)
    autoreset(make)
    refusals(make)


def check_gymnasium(task):
    """Gymnasium's own checker, with one car, and its own wrapper around many. To import this package has registered them."""
    import gymnasium
    from gymnasium.utils.env_checker import check_env
    from gymnasium.wrappers.vector import RecordEpisodeStatistics

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # SI units are no bounds of -1 and 1
        check_env(CarEnv(task, worlds=2), skip_render_check=True)
    cars = RecordEpisodeStatistics(gymnasium.make_vec("fieldbrain/%s-v1" % task, num_envs=8, worlds=2, limit=9))
    cars.reset(seed=1)
    ends = 0
    for _ in range(50):
        infos = cars.step(cars.action_space.sample())[4]
        if infos:
            ended = infos["_episode"]
            expect(np.allclose(infos["episode"]["r"][ended], infos["episode_return"][ended], atol=1e-5), "Gymnasium's returns are ours")
            expect(np.array_equal(infos["episode"]["l"][ended], infos["episode_length"][ended]), "and its lengths")
            ends += int(ended.sum())
    expect(ends > 8, "episodes ended")
    cars.close()
    expect(cars.closed, "what is closed says so")
    gymnasium.make("fieldbrain_env:fieldbrain/%s-v1" % task, worlds=1).close()


def agree(task):
    """Gymnasium's own vector of single cars and ours tell the same, through ends of episodes; both return copies."""
    import gymnasium

    ours, theirs = (gymnasium.make_vec("fieldbrain/%s-v1" % task, num_envs=3, vectorization_mode=mode, worlds=3, limit=6, render_mode=None)
                    for mode in ("vector_entry_point", "sync"))
    first = ours.reset(seed=3)[0]
    kept = first.copy()
    expect(np.array_equal(first, theirs.reset(seed=3)[0]), "both begin alike")
    dice = np.random.default_rng(2)
    for _ in range(20):
        actions = dice.uniform(ours.action_space.low, ours.action_space.high).astype(np.float32)
        for x, y in zip(ours.step(actions)[:4], theirs.step(actions)[:4]):
            expect(np.array_equal(x, y), "and go on alike")
    expect(np.array_equal(first, kept), "make_vec's cars return copies")
    ours.close(), theirs.close()


def main(tasks):
    for task in tasks or TASKS:
        check_vector(task)
        if HAVE_GYMNASIUM:
            check_gymnasium(task)
            agree(task)
        print("%s: holds; %s" % (task, "Gymnasium's checker too" if HAVE_GYMNASIUM else NO_GYMNASIUM))


if __name__ == "__main__":
    main(sys.argv[1:])
