"""One car, as gymnasium.Env has it."""

import numpy as np

from . import arguments
from .errors import Wrong
from .guard import Unshared
from .spaces import Env, HAVE_GYMNASIUM, NO_GYMNASIUM
from .vector import CAUSES, TASKS, CarVectorEnv


class CarEnv(Unshared, Env):
    """One car with one task. What it returns is the caller's: nothing is written over."""

    metadata = {"render_modes": []}

    def __init__(self, task="avoid", render_mode=None, **options):
        for name, why in (("num_envs", "this is one car, CarVectorEnv has many"), ("copy", "what a single car returns is always a copy")):
            if name in options:
                raise Wrong("%s %r: %s; leave it out" % (name, options[name], why))
        self._cars = CarVectorEnv(task, 1, render_mode=render_mode, **options)
        self.render_mode, self._known = None, False
        self.action_space, self.observation_space = self._cars.single_action_space, self._cars.single_observation_space

    def reset(self, *, seed=None, options=None):
        """Begin an episode: with a seed the first of its sequence, without one the next, of any sequence the first time."""
        if options is not None:
            arguments.known(options)
        if seed is not None:
            seed = arguments.whole("seed", seed, *arguments.SEEDS)
        super().reset(seed=seed)
        if seed is None and not self._known:  # the generator of Gymnasium decides, as everywhere
            seed = int(self.np_random.integers(2**63))
        observations, _ = self._cars.reset(seed=seed)
        self._known = True
        return observations[0].copy(), {}

    def step(self, action):
        observations, rewards, terminated, truncated, _ = self._cars.step(np.reshape(action, (1, -1)))
        info = {}
        if self._cars.causes[0]:
            info = {"cause": CAUSES[self._cars.causes[0]], "episode_return": float(self._cars.returns[0]),
                    "episode_length": int(self._cars.lengths[0])}
        return observations[0].copy(), float(rewards[0]), bool(terminated[0]), bool(truncated[0]), info

    def render(self):
        """There is no picture."""

    def close(self):
        self._cars.close()


def make_vector(task="avoid", num_envs=1, *, copy=True, **options):
    """CarVectorEnv as gymnasium.make_vec makes it: what it returns is a copy, as of Gymnasium's own."""
    return CarVectorEnv(task, num_envs, copy=copy, **options)


def register():
    """Tell Gymnasium: gymnasium.make("fieldbrain/avoid-v1"), gymnasium.make_vec(...). Importing the package has done so."""
    if not HAVE_GYMNASIUM:
        raise ImportError(NO_GYMNASIUM)
    import gymnasium

    for task in TASKS:
        name = "fieldbrain/%s-v1" % task
        if name not in gymnasium.registry:
            gymnasium.register(name, entry_point="fieldbrain_env:CarEnv", vector_entry_point="fieldbrain_env:make_vector",
                               kwargs={"task": task})
